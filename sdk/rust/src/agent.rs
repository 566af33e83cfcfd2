//! What an agent is: one method that answers a request, and two that may be left out.

use crate::{Request, Response, Result};

/// An agent lives as long as its task, so what it keeps in `self` is there at the next step.
///
/// Each method returns its value or a [`Result`] with it: `-> Response` as well as `-> Result<Response>`.
pub trait Agent {
    /// Called once, before the first request is read.
    fn setup(&mut self) -> impl Into<Outcome<()>> {}

    /// Called for each request. An error ends the process with a non-zero exit code and never counts as a finished task.
    fn solve(&mut self, req: &Request) -> impl Into<Outcome<Response>>;

    /// Called once at the end, even after an error.
    fn cleanup(&mut self) -> impl Into<Outcome<()>> {}
}

impl<A: Agent + ?Sized> Agent for &mut A {
    fn setup(&mut self) -> impl Into<Outcome<()>> {
        (**self).setup()
    }

    fn solve(&mut self, req: &Request) -> impl Into<Outcome<Response>> {
        (**self).solve(req)
    }

    fn cleanup(&mut self) -> impl Into<Outcome<()>> {
        (**self).cleanup()
    }
}

/// What a method of an agent returned: a value, or a result with a value.
pub struct Outcome<T>(pub(crate) Result<T>);

impl From<()> for Outcome<()> {
    fn from(_: ()) -> Self {
        Outcome(Ok(()))
    }
}

impl From<Response> for Outcome<Response> {
    fn from(response: Response) -> Self {
        Outcome(Ok(response))
    }
}

impl<T, E: Into<Box<dyn std::error::Error + Send + Sync>>> From<std::result::Result<T, E>> for Outcome<T> {
    fn from(result: std::result::Result<T, E>) -> Self {
        Outcome(result.map_err(Into::into))
    }
}
