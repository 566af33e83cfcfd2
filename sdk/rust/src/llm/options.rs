//! What may be said with one call.

use serde_json::{Map, Value};

use crate::{Message, Tool};

/// What may be said with one call; `CallOptions::default()` says nothing.
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// Instead of the usual one.
    pub model: Option<String>,
    /// Before the prompt; for `ask_with`, `stream` and `ask_stream`.
    pub system: Option<String>,
    /// Functions that the model may ask for.
    pub tools: Vec<Tool>,
    /// Instead of the usual one.
    pub temperature: Option<f64>,
    /// Instead of the usual one.
    pub max_tokens: Option<u64>,
    /// For `chat_with_functions`: 10 unless said, and never more.
    pub max_rounds: Option<usize>,
    /// Further fields of the API.
    pub extra: Map<String, Value>,
}

impl CallOptions {
    pub(crate) fn conversation(&self, prompt: &str) -> Vec<Message> {
        let system = self.system.as_deref().map(Message::system);
        system.into_iter().chain([Message::user(prompt)]).collect()
    }
}
