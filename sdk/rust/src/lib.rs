//! Write an agent that works in a terminal: it gets a request, it answers with a command, until the task is done.
//!
//! ```no_run
//! #![allow(refining_impl_trait)]
//! use term_sdk::{run, Agent, Request, Response, Result};
//!
//! struct MyAgent;
//!
//! impl Agent for MyAgent {
//!     fn solve(&mut self, req: &Request) -> Result<Response> {
//!         if req.first() {
//!             return Ok(Response::cmd("echo 'Hello, world!' > hello.txt"));
//!         }
//!         Ok(Response::done())
//!     }
//! }
//!
//! fn main() {
//!     run(MyAgent);
//! }
//! ```

mod agent;
mod error;
mod json;
mod llm;
mod model_text;
mod pattern;
mod request;
mod response;
mod run;
mod tool;

pub use agent::{Agent, Outcome};
pub use error::{LLMError, PatternError, RequestError, ResponseError, Result};
pub use llm::completion::LLMResponse;
pub use llm::message::Message;
pub use llm::options::CallOptions;
pub use llm::stats::{LLMStats, ModelStats};
pub use llm::streaming::Stream;
pub use llm::LLM;
pub use pattern::{Match, Pattern};
pub use request::{Patterns, Request};
pub use response::Response;
pub use run::{run, run_loop};
pub use tool::{FunctionCall, Tool};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
