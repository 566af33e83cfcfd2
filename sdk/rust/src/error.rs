//! The errors that this package returns.

use std::fmt;

/// The result of an agent's method. It may hold any error, even `"a text".into()`.
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
    /// The harness sent a line that is not a request.
    RequestError
}
plain_error! {
    /// There is no valid answer for the harness: a model's text holds none, or a field has a wrong type.
    ResponseError
}
plain_error! {
    /// A regular expression is invalid.
    PatternError
}

/// The model did not answer. Programs tell the cases apart by `code`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LLMError {
    /// Code of the error: `authentication_error`, `rate_limit`, `budget_exceeded`, …
    pub code: &'static str,
    /// Message for people.
    pub message: String,
    /// Status of the HTTP answer; None when no answer arrived.
    pub status: Option<u16>,
    /// Name of the model that was asked.
    pub model: Option<String>,
    /// Name of the provider, from LLM_PROVIDER.
    pub provider: Option<String>,
    /// Seconds that the endpoint asks to wait before the next call.
    pub retry_after_seconds: Option<f64>,
    /// Text that had arrived before a stream broke off.
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
