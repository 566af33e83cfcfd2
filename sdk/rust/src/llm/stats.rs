//! Counts what was asked of the model and what it took. The hub counts too, and its count is the one that is billed.

use std::collections::BTreeMap;

use crate::LLMResponse;

/// Of all models together, and of each.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct LLMStats {
    /// Calls that were answered.
    pub request_count: u64,
    /// Calls that were not.
    pub error_count: u64,
    /// Attempts beyond the first.
    pub retry_count: u64,
    /// Input and output together.
    pub total_tokens: u64,
    /// Of the conversations.
    pub input_tokens: u64,
    /// Of the answers.
    pub output_tokens: u64,
    /// In US dollars, where the endpoint reports it.
    pub total_cost: f64,
    /// By the name that was asked for.
    pub per_model: BTreeMap<String, ModelStats>,
}

/// Of one model.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ModelStats {
    /// Calls that were answered.
    pub requests: u64,
    /// Input and output together.
    pub tokens: u64,
    /// Of the conversations.
    pub input_tokens: u64,
    /// Of the answers.
    pub output_tokens: u64,
    /// In US dollars, where the endpoint reports it.
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
