//! Turns HTTP errors of an endpoint into errors with a code.

use std::collections::HashMap;

use serde_json::Value;

use crate::llm::date;
use crate::{json, LLMError};

pub fn error_of_answer(status: u16, body: &[u8], headers: &HashMap<String, String>) -> LLMError {
    let data = json::parse(&String::from_utf8_lossy(body)).unwrap_or_default();
    let error = data.get("error").cloned().unwrap_or_default();
    let message = error["message"].as_str().or(error.as_str()).filter(|message| !message.is_empty());
    let text = message.map_or_else(|| format!("HTTP {status}"), String::from);
    LLMError {
        status: Some(status),
        retry_after_seconds: retry_after_seconds(headers),
        ..LLMError::new(code_of(status, &error), text)
    }
}

/// Makes the error of an endpoint that began to stream an answer and then failed.
pub fn error_in_stream(error: &Value) -> LLMError {
    let code = error["code"].as_u64().filter(|code| (400..600).contains(code));
    let message = error["message"].as_str().unwrap_or("the model failed while it answered");
    LLMError::new(code_of(code.map_or(500, |code| code as u16), error), message)
}

pub fn is_worth_retrying(error: &LLMError) -> bool {
    matches!(error.code, "rate_limit" | "server_error" | "network_error")
}

fn code_of(status: u16, error: &Value) -> &'static str {
    match (status, error["code"].as_str()) {
        (_, Some("insufficient_quota" | "budget_exceeded")) => "budget_exceeded",
        (401, _) => "authentication_error",
        (402, _) => "budget_exceeded",
        (403, _) => "permission_denied",
        (404, _) => "not_found",
        (408, _) => "timeout",
        (429, _) => "rate_limit",
        (500.., _) => "server_error",
        (400.., _) => "invalid_request",
        _ => "api_error",
    }
}

/// Reads how long to wait from the headers, which give milliseconds, seconds or a date.
fn retry_after_seconds(headers: &HashMap<String, String>) -> Option<f64> {
    let number = |name: &str| {
        let value: f64 = headers.get(name)?.trim().parse().ok()?;
        (0.0..1e9).contains(&value).then_some(value)
    };
    let by_date = || Some(date::seconds_until(headers.get("retry-after")?)?.max(0.0));
    number("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| number("retry-after")).or_else(by_date)
}
