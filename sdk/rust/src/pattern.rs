//! Regular expressions over a terminal's output: those of the `regex` crate, whose time grows with the text only.

use regex::{Regex, RegexBuilder};

use crate::error::PatternError;

/// Bytes of a compiled expression, so that none takes the memory.
const MAX_SIZE: usize = 1024 * 1024;

/// An expression of the [`regex`](https://docs.rs/regex) crate. There are no look-arounds and no back references.
#[derive(Debug, Clone)]
pub struct Pattern(Regex);

impl Pattern {
    /// Fails for an expression that cannot be read or is too large.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        let built = RegexBuilder::new(pattern).size_limit(MAX_SIZE).build();
        built.map(Pattern).map_err(|error| PatternError(format!("the pattern {pattern:?} cannot be used: {error}")))
    }

    /// Returns the first place in the text that it matches.
    pub fn find(&self, text: &str) -> Option<Match> {
        let found = self.0.captures(text)?;
        let all = found.get(0)?;
        Some(Match {
            start: all.start(),
            end: all.end(),
            groups: found.iter().map(|group| group.map(|g| g.as_str().to_string())).collect(),
            names: self.0.capture_names().map(|name| name.map(str::to_string)).collect(),
        })
    }
}

/// Where an expression matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Offset of the first byte of the match.
    pub start: usize,
    /// Offset of the byte after the match.
    pub end: usize,
    groups: Vec<Option<String>>,
    names: Vec<Option<String>>,
}

impl Match {
    /// The text of the whole match.
    pub fn as_str(&self) -> &str {
        self.get(0).unwrap_or_default()
    }

    /// The text of a group, counted from 1; 0 is the whole match. None where the group took no part.
    pub fn get(&self, group: usize) -> Option<&str> {
        self.groups.get(group)?.as_deref()
    }

    /// The text of a group that has a name.
    pub fn name(&self, name: &str) -> Option<&str> {
        let index = self.names.iter().position(|known| known.as_deref() == Some(name))?;
        self.get(index)
    }

    /// The number of groups, without the whole match.
    pub fn group_count(&self) -> usize {
        self.groups.len() - 1
    }
}
