//! The loop that the protocol's document shows, with the types of this crate.

use std::io::{BufRead, Write};

use term_sdk::{Request, Response, Result};

fn main() -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?)?;
        let response = if request.first() { Response::cmd("ls -la") } else { Response::done() };
        println!("{}", serde_json::to_string(&response)?);
        std::io::stdout().flush()?;
    }
    Ok(())
}
