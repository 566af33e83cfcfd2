//! What may go wrong, by name.

use std::fmt;

/// What agents return: any error will do, also `"a text".into()`.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

macro_rules! plain_error {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(pub(crate) String);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::error::Error for $name {}
    };
}

plain_error! {
    /// The harness sent a line that is no request.
    RequestError
}
plain_error! {
    /// There is no answer for the harness: a model's text holds none, or a field has a wrong type.
    ResponseError
}
plain_error! {
    /// A regular expression that cannot be used.
    PatternError
}

/// The model did not answer. Programs tell the cases apart by `code`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LLMError {
    /// `authentication_error`, `rate_limit`, `budget_exceeded`, …
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// Of the HTTP answer; absent when there was none.
    pub status: Option<u16>,
    /// The model that was asked.
    pub model: Option<String>,
    /// As LLM_PROVIDER names it.
    pub provider: Option<String>,
    /// How long the endpoint wants to be left alone.
    pub retry_after_seconds: Option<f64>,
    /// What had come when a stream broke.
    pub partial: Option<String>,
}

impl LLMError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        LLMError {
            code,
            message: message.into(),
            status: None,
            model: None,
            provider: None,
            retry_after_seconds: None,
            partial: None,
        }
    }
}

impl fmt::Display for LLMError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for LLMError {}
