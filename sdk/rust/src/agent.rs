//! What an agent is: one method that answers a request, and two that may be left out.

use crate::{Request, Response, Result};

/// Lives as long as the task: what it keeps is there at the next step.
pub trait Agent {
    /// Once, before the first request is read.
    fn setup(&mut self) -> Result<()> {
        Ok(())
    }

    /// For each request. An error ends the process with a non-zero code; it never counts as a finished task.
    fn solve(&mut self, req: &Request) -> Result<Response>;

    /// Once at the end, whatever happened before.
    fn cleanup(&mut self) -> Result<()> {
        Ok(())
    }
}

impl<A: Agent + ?Sized> Agent for &mut A {
    fn setup(&mut self) -> Result<()> {
        (**self).setup()
    }

    fn solve(&mut self, req: &Request) -> Result<Response> {
        (**self).solve(req)
    }

    fn cleanup(&mut self) -> Result<()> {
        (**self).cleanup()
    }
}
