//! Reads what a model answered from a chat completion.

use serde_json::{json, Value};

use crate::{json, FunctionCall, LLMError, Message};

/// The answer of a model.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct LLMResponse {
    /// Text of the answer; empty when the model only asks for functions.
    pub text: String,
    /// Name of the model, as the endpoint reports it.
    pub model: String,
    /// Number of tokens, input and output together.
    pub tokens: u64,
    /// Number of tokens of the conversation that was sent.
    pub input_tokens: u64,
    /// Number of tokens of the answer.
    pub output_tokens: u64,
    /// Cost in US dollars as the endpoint reports it; 0 when it does not.
    pub cost: f64,
    /// Milliseconds from the call to the end of the answer.
    pub latency_ms: u64,
    /// Reason why the answer ends: `stop`, `length`, `tool_calls`, …
    pub finish_reason: Option<String>,
    /// Calls of functions that the model asks for.
    pub function_calls: Vec<FunctionCall>,
    /// The conversation, which ends with this answer and can be continued.
    pub messages: Vec<Message>,
    /// The answer as the endpoint sent it; None after a stream.
    pub raw: Option<Value>,
}

impl LLMResponse {
    /// Whether the model asks for functions.
    pub fn has_function_calls(&self) -> bool {
        !self.function_calls.is_empty()
    }
}

/// Reads the body of an answer. `model` is the requested model, which is reported when the answer names none.
pub fn read(body: &[u8], model: &str) -> Result<LLMResponse, LLMError> {
    let invalid = |what: &str| LLMError::new("invalid_response", format!("the answer is {what}"));
    let raw = json::parse(&String::from_utf8_lossy(body)).map_err(|_| invalid("not JSON"))?;
    let choice = raw.pointer("/choices/0").cloned().unwrap_or_default();
    let message = choice.get("message").filter(|message| message.is_object());
    let text = message.and_then(|message| text_of(&message["content"]));
    let calls = message.and_then(|message| calls_of(&message["tool_calls"]));
    let (Some(text), Some(function_calls)) = (text, calls) else { return Err(invalid("no chat completion")) };
    let mut response = LLMResponse {
        text,
        model: raw["model"].as_str().unwrap_or(model).into(),
        finish_reason: choice["finish_reason"].as_str().map(String::from),
        function_calls,
        ..LLMResponse::default()
    };
    response.add_usage(&raw["usage"]);
    response.raw = Some(raw);
    Ok(response)
}

impl LLMResponse {
    pub(crate) fn add_usage(&mut self, usage: &Value) {
        if !usage.is_object() {
            return;
        }
        let count = |name: &str| json::integer(&usage[name]).and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
        self.input_tokens = count("prompt_tokens");
        self.output_tokens = count("completion_tokens");
        self.tokens = self.input_tokens + self.output_tokens;
        self.cost = usage["cost"].as_f64().unwrap_or(self.cost);
    }
}

/// Returns the answer as a message of the conversation, which goes back to the model.
pub fn assistant_message(response: &LLMResponse) -> Message {
    if response.function_calls.is_empty() {
        return Message::assistant(&response.text);
    }
    let content = Some(&response.text).filter(|text| !text.is_empty());
    let call = |call: &FunctionCall| json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.text } });
    let calls: Vec<Value> = response.function_calls.iter().map(call).collect();
    Message(json!({ "role": "assistant", "content": content, "tool_calls": calls }))
}

pub fn function_call(name: &str, text: &str, id: Option<&str>) -> FunctionCall {
    let parsed = json::parse(if text.is_empty() { "{}" } else { text });
    let arguments = match parsed {
        Ok(Value::Object(arguments)) => Some(arguments),
        _ => None,
    };
    FunctionCall { name: name.into(), arguments, id: id.map(String::from), text: text.into() }
}

/// Reads the text of a message, which some endpoints send in parts.
fn text_of(content: &Value) -> Option<String> {
    match content {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(parts.iter().filter_map(|part| part["text"].as_str()).collect()),
        _ => None,
    }
}

fn calls_of(calls: &Value) -> Option<Vec<FunctionCall>> {
    let call = |call: &Value| {
        let function = call.get("function")?;
        let arguments = function["arguments"].as_str().unwrap_or_default();
        Some(function_call(function["name"].as_str()?, arguments, call["id"].as_str()))
    };
    match calls {
        Value::Null => Some(Vec::new()),
        Value::Array(calls) => calls.iter().map(call).collect(),
        _ => None,
    }
}
