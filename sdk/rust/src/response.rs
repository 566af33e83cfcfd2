//! One answer to the harness: a command, a text, or that the task is done.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::error::ResponseError;
use crate::model_text::find_answer;

/// One answer to the harness.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Response {
    /// The command to run; None runs nothing.
    pub command: Option<String>,
    /// A text for the harness's log.
    pub text: Option<String>,
    /// Whether the task is finished, once the command, if there is one, has run.
    pub task_complete: bool,
    /// Any JSON value for the harness's log.
    pub data: Option<Value>,
    /// Further fields, sent as they are. `commands` here, without a `command`, makes the legacy form.
    pub extra: Map<String, Value>,
}

impl Response {
    /// Asks the harness to run a command.
    pub fn cmd(command: impl Into<String>) -> Self {
        Response { command: Some(command.into()), ..Self::default() }
    }

    /// Runs nothing and continues with the next step. The harness accepts only a few of these in a row.
    pub fn say(text: impl Into<String>) -> Self {
        Response { text: Some(text.into()), ..Self::default() }
    }

    /// Says that the task is finished.
    pub fn done() -> Self {
        Self::default().complete()
    }

    /// Takes the first answer from a model's text: JSON, bare or in a fenced block, in new or legacy form.
    pub fn from_llm(text: &str) -> Result<Self, ResponseError> {
        let mut fields = find_answer(text)?;
        Ok(Response {
            command: string(&mut fields, "command")?,
            text: string(&mut fields, "text")?,
            task_complete: match fields.remove("task_complete") {
                None | Some(Value::Null) => false,
                Some(Value::Bool(complete)) => complete,
                Some(other) => return Err(wrong("task_complete", "boolean", &other)),
            },
            data: fields.remove("data").filter(|data| !data.is_null()),
            extra: fields,
        })
    }

    /// Adds a text for the log.
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// Adds data for the log.
    pub fn with_data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into());
        self
    }

    /// Marks the task as finished once the command, if there is one, has run.
    pub fn complete(mut self) -> Self {
        self.task_complete = true;
        self
    }

    /// Returns the line to send, without its line break.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and JSON values can be written as JSON")
    }
}

impl Serialize for Response {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_legacy = self.command.is_none() && self.extra.contains_key("commands");
        let own = ["command", "task_complete", "text", "data"];
        let mut map = serializer.serialize_map(None)?;
        if !is_legacy {
            map.serialize_entry("command", &self.command)?;
        }
        map.serialize_entry("task_complete", &self.task_complete)?;
        if let Some(text) = &self.text {
            map.serialize_entry("text", text)?;
        }
        if let Some(data) = &self.data {
            map.serialize_entry("data", data)?;
        }
        for (name, value) in self.extra.iter().filter(|(name, _)| !own.contains(&name.as_str())) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

fn string(fields: &mut Map<String, Value>, name: &str) -> Result<Option<String>, ResponseError> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(wrong(name, "string", &other)),
    }
}

fn wrong(name: &str, kind: &str, value: &Value) -> ResponseError {
    let shown: String = value.to_string().chars().take(200).collect();
    ResponseError(format!("the response's {name} is not a {kind}: {shown}"))
}
