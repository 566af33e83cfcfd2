//! Joins a streamed chat completion to one answer.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value;

use crate::llm::completion::function_call;
use crate::llm::failures::error_in_stream;
use crate::llm::http::Answer;
use crate::llm::sse::Events;
use crate::{json, LLMError, LLMResponse, Message, LLM};

/// Yields the text of an answer piece by piece. An error is the last item.
pub struct Stream<'a> {
    llm: &'a LLM,
    answer: Answer,
    events: Events,
    is_read: bool,
    calls: BTreeMap<i64, Call>,
    model: String,
    messages: Vec<Message>,
    started: Instant,
    response: LLMResponse,
    state: State,
}

#[derive(Default)]
struct Call {
    id: Option<String>,
    name: String,
    arguments: String,
}

#[derive(PartialEq)]
enum State {
    Open,
    Ended,
    Failed,
    Counted,
}

impl<'a> Stream<'a> {
    pub(crate) fn new(llm: &'a LLM, answer: Answer, model: String, messages: Vec<Message>, started: Instant) -> Self {
        let response = LLMResponse { model: model.clone(), ..LLMResponse::default() };
        let (events, calls, state) = (Events::default(), BTreeMap::new(), State::Open);
        Stream { llm, answer, events, is_read: false, calls, model, messages, started, response, state }
    }

    /// Ends the call and returns what has arrived so far as one answer.
    pub fn finish(mut self) -> LLMResponse {
        self.settle();
        std::mem::take(&mut self.response)
    }

    /// Completes and counts the answer, even when the caller stopped reading early.
    fn settle(&mut self) {
        if matches!(self.state, State::Open | State::Ended) {
            self.state = State::Counted;
            let call = |call: &Call| function_call(&call.name, &call.arguments, call.id.as_deref());
            self.response.function_calls = self.calls.values().map(call).collect();
            self.llm.finish(&mut self.response, &self.model, &self.messages, self.started);
        }
    }

    /// Reads the next piece of text; None at the end.
    fn read(&mut self) -> Result<Option<String>, LLMError> {
        loop {
            while let Some(event) = self.events.pop() {
                if event == "[DONE]" {
                    return Ok(None);
                }
                let text = self.take(&event)?;
                if !text.is_empty() {
                    self.response.text.push_str(&text);
                    return Ok(Some(text));
                }
            }
            match self.answer.next_piece(Instant::now() + self.llm.timeout)? {
                Some(piece) => self.events.push(&piece)?,
                None if self.is_read => return self.end(),
                None => {
                    self.events.end();
                    self.is_read = true;
                }
            }
        }
    }

    fn end(&self) -> Result<Option<String>, LLMError> {
        match self.response.finish_reason {
            Some(_) => Ok(None),
            None => Err(LLMError::new("network_error", "the stream ended before the answer did")),
        }
    }

    fn take(&mut self, event: &str) -> Result<String, LLMError> {
        let chunk = json::parse(event).ok().filter(Value::is_object).ok_or_else(|| {
            let message = format!("an event of the stream is no chunk: {}", json::excerpt(event));
            LLMError::new("invalid_response", message)
        })?;
        if !chunk["error"].is_null() {
            return Err(error_in_stream(&chunk["error"]));
        }
        if let Some(model) = chunk["model"].as_str() {
            self.response.model = model.into();
        }
        self.response.add_usage(&chunk["usage"]);
        let choice = &chunk["choices"][0];
        if let Some(reason) = choice["finish_reason"].as_str() {
            self.response.finish_reason = Some(reason.into());
        }
        for part in choice["delta"]["tool_calls"].as_array().into_iter().flatten() {
            let call = self.calls.entry(part["index"].as_i64().unwrap_or(0)).or_default();
            call.id = call.id.take().or_else(|| part["id"].as_str().map(String::from));
            call.name.push_str(part["function"]["name"].as_str().unwrap_or_default());
            call.arguments.push_str(part["function"]["arguments"].as_str().unwrap_or_default());
        }
        Ok(choice["delta"]["content"].as_str().unwrap_or_default().into())
    }
}

impl Iterator for Stream<'_> {
    type Item = Result<String, LLMError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state != State::Open {
            return None;
        }
        match self.read() {
            Ok(Some(text)) => Some(Ok(text)),
            Ok(None) => {
                self.state = State::Ended;
                self.settle();
                None
            }
            Err(mut error) => {
                self.state = State::Failed;
                error.partial = Some(self.response.text.clone());
                Some(Err(self.llm.failed(error, &self.model)))
            }
        }
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        self.settle();
    }
}
