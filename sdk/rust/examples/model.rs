//! Asks its model for each step, and says in the end what that took. Its methods return no results: what goes wrong is said.

#![allow(refining_impl_trait)]

use term_sdk::{run, Agent, CallOptions, Request, Response, LLM};

struct ModelAgent {
    llm: LLM,
}

impl Agent for ModelAgent {
    fn solve(&mut self, req: &Request) -> Response {
        if !req.is_first() {
            return Response::done();
        }
        let options = CallOptions { system: Some("Answer with JSON.".into()), ..CallOptions::default() };
        match self.llm.ask_with(&format!("Task: {}", req.instruction), &options) {
            Ok(answer) => Response::from_llm(&answer.text).unwrap_or_else(|error| Response::say(error.to_string())),
            Err(error) => Response::say(error.to_string()),
        }
    }

    fn cleanup(&mut self) {
        eprintln!("${:.4} for {} tokens", self.llm.total_cost(), self.llm.total_tokens());
    }
}

fn main() {
    let mut agent = ModelAgent { llm: LLM::new() };
    run(&mut agent);
}
