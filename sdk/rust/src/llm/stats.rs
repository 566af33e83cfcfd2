//! Counts the calls of the model, their tokens and their cost. The hub counts too, and its count is the one that is billed.

use std::collections::BTreeMap;

use crate::LLMResponse;

/// Statistics of all models together, and of each.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct LLMStats {
    /// Number of calls that were answered.
    pub request_count: u64,
    /// Number of calls that failed.
    pub error_count: u64,
    /// Number of attempts beyond the first of each call.
    pub retry_count: u64,
    /// Number of tokens, input and output together.
    pub total_tokens: u64,
    /// Number of tokens of the conversations that were sent.
    pub input_tokens: u64,
    /// Number of tokens of the answers.
    pub output_tokens: u64,
    /// Cost in US dollars, where the endpoint reports it.
    pub total_cost: f64,
    /// Statistics of each model, by the name that was requested.
    pub per_model: BTreeMap<String, ModelStats>,
}

/// Statistics of one model.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ModelStats {
    /// Number of calls that were answered.
    pub requests: u64,
    /// Number of tokens, input and output together.
    pub tokens: u64,
    /// Number of tokens of the conversations that were sent.
    pub input_tokens: u64,
    /// Number of tokens of the answers.
    pub output_tokens: u64,
    /// Cost in US dollars, where the endpoint reports it.
    pub cost: f64,
}

impl LLMStats {
    pub(crate) fn count(&mut self, model: &str, response: &LLMResponse) {
        self.request_count += 1;
        self.total_tokens += response.tokens;
        self.input_tokens += response.input_tokens;
        self.output_tokens += response.output_tokens;
        self.total_cost += response.cost;
        let counted = self.per_model.entry(model.into()).or_default();
        counted.requests += 1;
        counted.tokens += response.tokens;
        counted.input_tokens += response.input_tokens;
        counted.output_tokens += response.output_tokens;
        counted.cost += response.cost;
    }
}
