//! Runs an agent: a line in, a line out, until it says that the task is complete or the harness closes the input.

use std::io::{self, BufRead, Read, Write};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

use crate::{Agent, Outcome, Request, RequestError, Response, Result};

/// Longest line in bytes that is accepted.
const MAX_LINE_BYTES: u64 = 64 * 1024 * 1024;

/// Runs the agent of a program. An error or a panic ends the process with a non-zero exit code and its message on stderr; it never
/// counts as a finished task. Stdout belongs to the protocol, so agents print to stderr.
pub fn run(mut agent: impl Agent) {
    if let Err(error) = run_loop(&mut agent, io::stdin().lock(), io::stdout()) {
        eprintln!("term-sdk: the agent failed: {error}");
        std::process::exit(1);
    }
}

/// Runs an agent on the given streams, for tests. Returns the agent's error, or its last answer.
pub fn run_loop(agent: &mut impl Agent, input: impl BufRead, output: impl Write) -> Result<Option<Response>> {
    let talked = catch_unwind(AssertUnwindSafe(|| converse(agent, input, output)));
    let Outcome(cleaned) = agent.cleanup().into();
    match talked {
        Err(panic) => resume_unwind(panic),
        Ok(Err(error)) => {
            // The first error is the one that is returned.
            if let Err(second) = cleaned {
                eprintln!("term-sdk: cleanup failed too: {second}");
            }
            Err(error)
        }
        Ok(Ok(answer)) => cleaned.map(|()| answer),
    }
}

fn converse(agent: &mut impl Agent, mut input: impl BufRead, mut output: impl Write) -> Result<Option<Response>> {
    let Outcome(ready) = agent.setup().into();
    ready?;
    let mut last = None;
    while let Some(line) = read_line(&mut input)? {
        if line.trim().is_empty() {
            continue;
        }
        let request = Request::parse(&line)?;
        let Outcome(answered) = agent.solve(&request).into();
        let response = answered?;
        output.write_all((response.to_json() + "\n").as_bytes())?;
        output.flush()?;
        let is_complete = response.task_complete;
        last = Some(response);
        if is_complete {
            break;
        }
    }
    Ok(last)
}

fn read_line(input: &mut impl BufRead) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    input.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 > MAX_LINE_BYTES {
        return Err(RequestError(format!("the request is larger than {MAX_LINE_BYTES} bytes")).into());
    }
    Ok((!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}
