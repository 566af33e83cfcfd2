//! The minimal agent.

// An agent says what its methods return: a `Response`, or a `Result` with one.
#![allow(refining_impl_trait)]

use term_sdk::{run, Agent, Request, Response, Result};

struct MyAgent;

impl Agent for MyAgent {
    fn solve(&mut self, req: &Request) -> Result<Response> {
        if req.first() {
            return Ok(Response::cmd("echo 'Hello, world!' > hello.txt"));
        }
        Ok(Response::done())
    }
}

fn main() {
    run(MyAgent);
}
