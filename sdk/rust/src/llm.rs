//! The model that the platform gives an agent: an OpenAI-compatible endpoint, found in the environment.

pub mod completion;
mod date;
mod failures;
mod functions;
mod http;
pub mod message;
pub mod options;
mod retry;
mod sse;
pub mod stats;
pub mod streaming;

use std::cell::RefCell;
use std::time::{Duration, Instant};

use serde_json::{json, Map, Value};

use crate::{CallOptions, FunctionCall, LLMError, LLMResponse, LLMStats, Message, ModelStats, Stream, Tool};
use functions::Functions;
use retry::{post_until_answered, Post};

const MAX_ROUNDS: usize = 10;

/// Reads LLM_API_URL, LLM_API_KEY, LLM_MODEL and LLM_PROVIDER. Values set by methods take precedence. There is no TLS, because the
/// endpoint of the platform is plain HTTP on loopback.
pub struct LLM {
    model: Option<String>,
    provider: String,
    url: Option<String>,
    key: Option<String>,
    options: CallOptions,
    timeout: Duration,
    retries: u32,
    functions: Functions,
    stats: RefCell<LLMStats>,
}

impl Default for LLM {
    fn default() -> Self {
        Self::new()
    }
}

impl LLM {
    /// Creates a model from the environment.
    pub fn new() -> Self {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        LLM {
            model: variable("LLM_MODEL"),
            provider: variable("LLM_PROVIDER").unwrap_or_else(|| "openai".into()),
            url: variable("LLM_API_URL"),
            key: variable("LLM_API_KEY"),
            options: CallOptions::default(),
            timeout: Duration::from_secs(120),
            retries: 3,
            functions: Functions::default(),
            stats: RefCell::default(),
        }
    }

    /// Sets the name of the model to ask.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Sets the address of the endpoint: `http://host:port/v1`.
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Sets the key that the agent authenticates itself with.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets the temperature of every call whose options do not set one.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.options.temperature = Some(temperature);
        self
    }

    /// Sets the token limit of every call whose options do not set one.
    pub fn max_tokens(mut self, max_tokens: u64) -> Self {
        self.options.max_tokens = Some(max_tokens);
        self
    }

    /// Sets how long an answer, or each piece of a stream, may take; two minutes by default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how many times a call is repeated after a rate limit, a server error or a broken connection; 3 by default.
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Asks one question.
    pub fn ask(&self, prompt: &str) -> Result<LLMResponse, LLMError> {
        self.ask_with(prompt, &CallOptions::default())
    }

    /// Asks one question with options.
    pub fn ask_with(&self, prompt: &str, options: &CallOptions) -> Result<LLMResponse, LLMError> {
        self.chat_with(&options.conversation(prompt), options)
    }

    /// Continues a conversation.
    pub fn chat(&self, messages: &[Message]) -> Result<LLMResponse, LLMError> {
        self.chat_with(messages, &CallOptions::default())
    }

    /// Continues a conversation with options.
    pub fn chat_with(&self, messages: &[Message], options: &CallOptions) -> Result<LLMResponse, LLMError> {
        let (model, body) = self.payload(messages, options, Map::new())?;
        let started = Instant::now();
        let answered = self.post(&model, &body, |answer, deadline| answer.read_all(deadline));
        let read = answered.and_then(|body| completion::read(&body, &model));
        let mut response = read.map_err(|error| self.failed(error, &model))?;
        self.finish(&mut response, &model, messages, started);
        Ok(response)
    }

    /// Returns the text of the answer piece by piece. Drop the stream to end the call.
    pub fn stream(&self, prompt: &str, options: &CallOptions) -> Result<Stream<'_>, LLMError> {
        self.chat_stream(&options.conversation(prompt), options)
    }

    /// Continues a conversation and returns the text of the answer piece by piece.
    pub fn chat_stream(&self, messages: &[Message], options: &CallOptions) -> Result<Stream<'_>, LLMError> {
        let mut streaming = Map::new();
        streaming.insert("stream".into(), json!(true));
        streaming.insert("stream_options".into(), json!({ "include_usage": true }));
        let (model, body) = self.payload(messages, options, streaming)?;
        let started = Instant::now();
        let opened = self.post(&model, &body, |answer, _| Ok(answer));
        let answer = opened.map_err(|error| self.failed(error, &model))?;
        Ok(Stream::new(self, answer, model, messages.to_vec(), started))
    }

    /// Streams an answer and returns the whole of it. `on_chunk` is called with each piece; returning false ends the call.
    pub fn ask_stream(
        &self,
        prompt: &str,
        options: &CallOptions,
        mut on_chunk: impl FnMut(&str) -> bool,
    ) -> Result<LLMResponse, LLMError> {
        let mut stream = self.stream(prompt, options)?;
        for text in stream.by_ref() {
            if !on_chunk(&text?) {
                break;
            }
        }
        Ok(stream.finish())
    }

    /// Registers a function. The model receives what it returns, even an error.
    pub fn register_function<F>(&mut self, name: impl Into<String>, handler: F)
    where
        F: Fn(&Map<String, Value>) -> Result<Value, String> + 'static,
    {
        self.functions.register(name.into(), Box::new(handler));
    }

    /// Calls a registered function.
    pub fn execute_function(&self, call: &FunctionCall) -> Result<Value, String> {
        self.functions.execute(call)
    }

    /// Calls registered functions for the model until it answers. Fails with `too_many_rounds` after at most 10 rounds.
    pub fn chat_with_functions(
        &self,
        messages: &[Message],
        tools: &[Tool],
        options: &CallOptions,
    ) -> Result<LLMResponse, LLMError> {
        let options = CallOptions { tools: tools.to_vec(), ..options.clone() };
        let rounds = options.max_rounds.unwrap_or(MAX_ROUNDS).clamp(1, MAX_ROUNDS);
        let mut conversation = messages.to_vec();
        for _ in 0..rounds {
            let response = self.chat_with(&conversation, &options)?;
            if response.function_calls.is_empty() {
                return Ok(response);
            }
            let answers = response.function_calls.iter().map(|call| self.functions.answer(call));
            conversation = response.messages.iter().cloned().chain(answers).collect();
        }
        let message = format!("the model still asks for functions after {rounds} rounds");
        let model = options.model.as_deref().or(self.model.as_deref()).unwrap_or_default();
        Err(self.failed(LLMError::new("too_many_rounds", message), model))
    }

    /// Returns the statistics of all models together, and of each.
    pub fn get_stats(&self) -> LLMStats {
        self.stats.borrow().clone()
    }

    /// Returns the tokens of all calls so far, input and output together.
    pub fn total_tokens(&self) -> u64 {
        self.stats.borrow().total_tokens
    }

    /// Returns the cost of all calls so far in US dollars, where the endpoint reports it.
    pub fn total_cost(&self) -> f64 {
        self.stats.borrow().total_cost
    }

    /// Returns the statistics of one model.
    pub fn get_model_stats(&self, model: &str) -> ModelStats {
        self.stats.borrow().per_model.get(model).cloned().unwrap_or_default()
    }

    fn post<T>(
        &self,
        model: &str,
        body: &str,
        read: impl FnMut(http::Answer, Instant) -> Result<T, LLMError>,
    ) -> Result<T, LLMError> {
        let missing =
            || LLMError::new("no_api_url", "LLM_API_URL is not set: run the agent with proctor, or give a url");
        let url = self.url.as_deref().ok_or_else(missing).map_err(|error| self.named(error, model))?;
        let post = Post { url, key: self.key.as_deref(), body, timeout: self.timeout, retries: self.retries };
        post_until_answered(&post, || self.stats.borrow_mut().retry_count += 1, read)
    }

    fn payload(
        &self,
        messages: &[Message],
        options: &CallOptions,
        streaming: Map<String, Value>,
    ) -> Result<(String, String), LLMError> {
        let no_model = || LLMError::new("no_model", "no model is chosen: set LLM_MODEL, or name one");
        let model = options.model.clone().or_else(|| self.model.clone()).ok_or_else(no_model)?;
        let mut payload = options.extra.clone();
        payload.extend(streaming);
        if let Some(temperature) = options.temperature.or(self.options.temperature) {
            payload.insert("temperature".into(), json!(temperature));
        }
        if let Some(max_tokens) = options.max_tokens.or(self.options.max_tokens) {
            payload.insert("max_tokens".into(), json!(max_tokens));
        }
        if !options.tools.is_empty() {
            payload.insert("tools".into(), options.tools.iter().map(Tool::to_json).collect());
        }
        payload.insert("model".into(), json!(model));
        payload.insert("messages".into(), messages.iter().map(|message| message.0.clone()).collect());
        Ok((model, Value::Object(payload).to_string()))
    }

    fn finish(&self, response: &mut LLMResponse, model: &str, messages: &[Message], started: Instant) {
        response.latency_ms = started.elapsed().as_millis() as u64;
        response.messages = messages.to_vec();
        response.messages.push(completion::assistant_message(response));
        self.stats.borrow_mut().count(model, response);
    }

    fn failed(&self, error: LLMError, model: &str) -> LLMError {
        self.stats.borrow_mut().error_count += 1;
        self.named(error, model)
    }

    /// Completes an error and removes the key: an endpoint may quote it, and messages end up in logs.
    fn named(&self, mut error: LLMError, model: &str) -> LLMError {
        error.model = Some(model.into());
        error.provider = Some(self.provider.clone());
        if let Some(key) = &self.key {
            error.message = error.message.replace(key, "[key]");
        }
        error
    }
}
