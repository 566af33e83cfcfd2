//! What a conversation is made of.

use serde_json::{json, Value};

/// A message as the API has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Message(pub Value);

impl Message {
    /// What the model should be.
    pub fn system(content: &str) -> Self {
        Message(json!({ "role": "system", "content": content }))
    }

    /// What is asked.
    pub fn user(content: &str) -> Self {
        Message(json!({ "role": "user", "content": content }))
    }

    /// What the model answered.
    pub fn assistant(content: &str) -> Self {
        Message(json!({ "role": "assistant", "content": content }))
    }

    /// What a function returned.
    pub fn tool(call_id: Option<&str>, content: &str) -> Self {
        Message(json!({ "role": "tool", "tool_call_id": call_id, "content": content }))
    }
}
