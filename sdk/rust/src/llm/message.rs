//! The messages of a conversation.

use serde_json::{json, Value};

/// A message as the API defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct Message(pub Value);

impl Message {
    /// Makes a system message, which says how the model should behave.
    pub fn system(content: &str) -> Self {
        Message(json!({ "role": "system", "content": content }))
    }

    /// Makes a message of the user.
    pub fn user(content: &str) -> Self {
        Message(json!({ "role": "user", "content": content }))
    }

    /// Makes a message that the model answered.
    pub fn assistant(content: &str) -> Self {
        Message(json!({ "role": "assistant", "content": content }))
    }

    /// Makes a message with what a function returned.
    pub fn tool(call_id: Option<&str>, content: &str) -> Self {
        Message(json!({ "role": "tool", "tool_call_id": call_id, "content": content }))
    }
}
