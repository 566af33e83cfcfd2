//! One request of the harness: the instruction, and what the last command did.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::{Map, Value};

use crate::error::{PatternError, RequestError};
use crate::json;
use crate::pattern::{Match, Pattern};

/// One request of the harness.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The task in words, the same at every step.
    pub instruction: String,
    /// Number of the step; the first one is 1.
    pub step: i64,
    /// The last command; None at the first step.
    pub last_command: Option<String>,
    /// What the last command printed.
    pub output: Option<String>,
    /// Exit code of the last command.
    pub exit_code: Option<i64>,
    /// Working directory of the terminal; empty when the harness does not say.
    pub cwd: String,
    /// Fields that the protocol does not name, as they arrived.
    pub extra: Map<String, Value>,
}

impl Request {
    /// Reads a request from a line. An absent field is the same as null; unknown fields are kept.
    pub fn parse(line: &str) -> Result<Self, RequestError> {
        let value = json::parse(line)
            .map_err(|error| RequestError(format!("the request is not JSON ({error}): {}", json::excerpt(line))))?;
        match value {
            Value::Object(fields) => Self::from_fields(fields),
            _ => Err(RequestError(format!("the request is not a JSON object: {}", json::excerpt(line)))),
        }
    }

    /// Reads a request from the fields of a parsed line.
    pub fn from_fields(mut fields: Map<String, Value>) -> Result<Self, RequestError> {
        Ok(Request {
            instruction: required("instruction", text(&mut fields, "instruction")?)?,
            step: required("step", integer(&mut fields, "step")?)?,
            last_command: text(&mut fields, "last_command")?,
            output: text(&mut fields, "output")?,
            exit_code: integer(&mut fields, "exit_code")?,
            cwd: text(&mut fields, "cwd")?.unwrap_or_default(),
            extra: fields,
        })
    }

    /// Whether it is the first step.
    pub fn first(&self) -> bool {
        self.step == 1
    }

    /// The same as [`first`](Self::first).
    pub fn is_first(&self) -> bool {
        self.first()
    }

    /// Whether the last command ended with exit code 0.
    pub fn ok(&self) -> bool {
        self.exit_code == Some(0)
    }

    /// Whether the last command ended with another exit code. Before the first command, both `ok` and `failed` are false.
    pub fn failed(&self) -> bool {
        self.exit_code.is_some_and(|code| code != 0)
    }

    /// Whether the output contains one of these texts, in upper or lower case: `has("error")`, `has(["error", "fatal"])`.
    pub fn has(&self, patterns: impl Patterns) -> bool {
        let Some(output) = &self.output else { return false };
        let output = output.to_lowercase();
        patterns.any(&mut |pattern| output.contains(&pattern.to_lowercase()))
    }

    /// Returns the first match of a [regular expression](Pattern) in the output. (`match` is a keyword of Rust.)
    pub fn matches(&self, pattern: &str) -> Result<Option<Match>, PatternError> {
        let pattern = Pattern::new(pattern)?;
        Ok(self.output.as_deref().and_then(|output| pattern.find(output)))
    }
}

impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_fields(Map::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// One text or several to search for.
pub trait Patterns {
    /// Whether `test` holds for one of them.
    fn any(&self, test: &mut dyn FnMut(&str) -> bool) -> bool;
}

impl Patterns for &str {
    fn any(&self, test: &mut dyn FnMut(&str) -> bool) -> bool {
        test(self)
    }
}

impl Patterns for &String {
    fn any(&self, test: &mut dyn FnMut(&str) -> bool) -> bool {
        test(self)
    }
}

impl<S: AsRef<str>, const N: usize> Patterns for [S; N] {
    fn any(&self, test: &mut dyn FnMut(&str) -> bool) -> bool {
        self.iter().any(|pattern| test(pattern.as_ref()))
    }
}

impl<S: AsRef<str>> Patterns for &[S] {
    fn any(&self, test: &mut dyn FnMut(&str) -> bool) -> bool {
        self.iter().any(|pattern| test(pattern.as_ref()))
    }
}

fn text(fields: &mut Map<String, Value>, name: &str) -> Result<Option<String>, RequestError> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(RequestError(format!("the request's {name} is not a string"))),
    }
}

fn integer(fields: &mut Map<String, Value>, name: &str) -> Result<Option<i64>, RequestError> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match json::integer(&value) {
            Some(number) => Ok(Some(number)),
            None => Err(RequestError(format!("the request's {name} is not an integer"))),
        },
    }
}

fn required<T>(name: &str, value: Option<T>) -> Result<T, RequestError> {
    value.ok_or_else(|| RequestError(format!("the request has no {name}")))
}
