//! The options of one call.

use serde_json::{Map, Value};

use crate::{Message, Tool};

/// Options of one call. `CallOptions::default()` sets none of them.
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// Name of the model, in place of that of the [`LLM`](crate::LLM).
    pub model: Option<String>,
    /// System prompt that precedes the prompt of `ask_with`, `stream` and `ask_stream`.
    pub system: Option<String>,
    /// Functions that the model may ask for.
    pub tools: Vec<Tool>,
    /// Temperature, in place of that of the [`LLM`](crate::LLM).
    pub temperature: Option<f64>,
    /// Token limit of the answer, in place of that of the [`LLM`](crate::LLM).
    pub max_tokens: Option<u64>,
    /// Most rounds of `chat_with_functions`; 10 by default, which is also the largest value.
    pub max_rounds: Option<usize>,
    /// Further fields of the request, sent as they are.
    pub extra: Map<String, Value>,
}

impl CallOptions {
    pub(crate) fn conversation(&self, prompt: &str) -> Vec<Message> {
        let system = self.system.as_deref().map(Message::system);
        system.into_iter().chain([Message::user(prompt)]).collect()
    }
}
