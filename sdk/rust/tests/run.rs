//! The life of an agent: streams, errors, panics. What all languages share is in sdk/term-cases.

// An agent says what its methods return: a `Response`, or a `Result` with one.
#![allow(refining_impl_trait)]

use std::panic::{catch_unwind, AssertUnwindSafe};

use term_sdk::{run_loop, Agent, Request, Response, Result};

const FIRST: &str = "{\"instruction\": \"a\", \"step\": 1}\n";

struct Recorder<F> {
    calls: Vec<String>,
    answer: F,
}

fn recorder<F: FnMut(&Request) -> Result<Response>>(answer: F) -> Recorder<F> {
    Recorder { calls: Vec::new(), answer }
}

impl<F: FnMut(&Request) -> Result<Response>> Agent for Recorder<F> {
    fn setup(&mut self) -> Result<()> {
        self.calls.push("setup".into());
        Ok(())
    }

    fn solve(&mut self, req: &Request) -> Result<Response> {
        self.calls.push(req.step.to_string());
        (self.answer)(req)
    }

    fn cleanup(&mut self) -> Result<()> {
        self.calls.push("cleanup".into());
        Ok(())
    }
}

fn play(agent: &mut impl Agent, lines: &str) -> (Result<Option<Response>>, String) {
    let mut output = Vec::new();
    let result = run_loop(agent, lines.as_bytes(), &mut output);
    (result, String::from_utf8(output).unwrap())
}

#[test]
fn returns_the_last_answer() {
    let mut agent = recorder(|req| Ok(if req.first() { Response::cmd("ls") } else { Response::done() }));
    let (last, text) = play(&mut agent, &format!("{FIRST}\n{}{FIRST}", FIRST.replace('1', "2")));
    assert_eq!(last.unwrap(), Some(Response::done()));
    assert_eq!(text.lines().count(), 2);
    assert_eq!(agent.calls, ["setup", "1", "2", "cleanup"]);
}

#[test]
fn an_agent_may_be_borrowed() {
    let mut agent = recorder(|_| Ok(Response::done()));
    let (last, _) = play(&mut &mut agent, FIRST);
    assert!(last.unwrap().unwrap().task_complete);
}

/// No results anywhere: an agent that cannot fail.
struct Plain {
    seen: Vec<i64>,
}

impl Agent for Plain {
    fn setup(&mut self) {
        self.seen.push(0);
    }

    fn solve(&mut self, req: &Request) -> Response {
        self.seen.push(req.step);
        if req.is_first() {
            return Response::cmd("ls");
        }
        Response::done()
    }

    fn cleanup(&mut self) {
        self.seen.push(-1);
    }
}

#[test]
fn methods_may_return_what_they_say_without_a_result() {
    let mut agent = Plain { seen: Vec::new() };
    let (last, text) = play(&mut agent, &format!("{FIRST}{}", FIRST.replace('1', "2")));
    assert_eq!(last.unwrap(), Some(Response::done()));
    assert_eq!(text.lines().count(), 2);
    assert_eq!(agent.seen, [0, 1, 2, -1]);
}

#[test]
fn returns_the_error_after_cleanup() {
    let mut agent = recorder(|_| Err("no".into()));
    let (result, text) = play(&mut agent, FIRST);
    assert_eq!(result.unwrap_err().to_string(), "no");
    assert_eq!((text.as_str(), agent.calls), ("", ["setup", "1", "cleanup"].map(String::from).to_vec()));
}

#[test]
fn a_panic_goes_on_after_cleanup() {
    let mut agent = recorder(|_| panic!("told to"));
    assert!(catch_unwind(AssertUnwindSafe(|| play(&mut agent, FIRST))).is_err());
    assert_eq!(agent.calls, ["setup", "1", "cleanup"]);
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let mut agent = recorder(|req| Ok(Response::say(req.instruction.clone())));
    let mut output = Vec::new();
    run_loop(&mut agent, &b"{\"instruction\": \"\xff\", \"step\": 1}"[..], &mut output).unwrap();
    assert!(String::from_utf8(output).unwrap().contains('\u{fffd}'));
}
