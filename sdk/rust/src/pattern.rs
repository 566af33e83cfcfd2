//! Regular expressions, as much of them as looking at a terminal's output takes, in time that grows with the text only.

mod machine;
mod syntax;

use crate::error::PatternError;
use machine::Program;

/// Texts, `.`, classes (`[a-z]`, `\d`, `\w`, `\s` and their opposites), `^`, `$`, `\b`, `\B`, groups (`(…)`, `(?:…)`,
/// `(?<name>…)`), `|`, and `*`, `+`, `?`, `{m,n}`, greedy or not (`*?`). Flags stand at the beginning: `(?i)` ignores case, `(?m)`
/// makes `^` and `$` match at lines, `(?s)` lets `.` match line ends. There are no look-arounds and no back references.
#[derive(Debug, Clone)]
pub struct Pattern {
    program: Program,
    names: Vec<Option<String>>,
}

impl Pattern {
    /// An expression that can be used.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        let parsed = syntax::parse(pattern)?;
        let program = machine::compile(&parsed)?;
        Ok(Pattern { program, names: parsed.names })
    }

    /// The first place in the text that it matches.
    pub fn find(&self, text: &str) -> Option<Match> {
        let places = self.program.search(text)?;
        let groups = places.chunks(2).map(|place| match place {
            [Some(start), Some(end)] => Some((*start, *end)),
            _ => None,
        });
        let groups: Vec<_> = groups.collect();
        let (start, end) = groups.first().copied().flatten()?;
        let text_of = |(start, end): (usize, usize)| text[start..end].to_string();
        Some(Match {
            start,
            end,
            groups: groups.into_iter().map(|g| g.map(text_of)).collect(),
            names: self.names.clone(),
        })
    }
}

/// Where an expression matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// In bytes.
    pub start: usize,
    /// In bytes.
    pub end: usize,
    groups: Vec<Option<String>>,
    names: Vec<Option<String>>,
}

impl Match {
    /// All of it.
    pub fn as_str(&self) -> &str {
        self.get(0).unwrap_or_default()
    }

    /// A group, from 1; 0 is all of it. None where the group took no part.
    pub fn get(&self, group: usize) -> Option<&str> {
        self.groups.get(group)?.as_deref()
    }

    /// A group that has a name.
    pub fn name(&self, name: &str) -> Option<&str> {
        let index = self.names.iter().position(|known| known.as_deref() == Some(name))?;
        self.get(index)
    }

    /// How many groups there are, without 0.
    pub fn group_count(&self) -> usize {
        self.groups.len() - 1
    }
}
