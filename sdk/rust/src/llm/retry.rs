//! Repeats a request when that may help: after a rate limit, a server error or a broken connection. Waits as the endpoint asks.

use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::llm::failures::{error_of_answer, is_worth_retrying};
use crate::llm::http::{Address, Answer};
use crate::LLMError;

/// Longest wait. A call that would have to wait longer fails at once, because the harness would not wait either.
const MAX_WAIT_SECONDS: f64 = 60.0;

pub struct Post<'a> {
    pub url: &'a str,
    pub key: Option<&'a str>,
    pub body: &'a str,
    pub timeout: Duration,
    pub retries: u32,
}

/// Returns what `read` makes of the first answer with a status of 2xx.
pub fn post_until_answered<T>(
    post: &Post,
    mut on_retry: impl FnMut(),
    mut read: impl FnMut(Answer, Instant) -> Result<T, LLMError>,
) -> Result<T, LLMError> {
    let address = Address::parse(post.url)?;
    let mut attempt = 0;
    loop {
        let error = match once(post, &address, &mut read) {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        let wait = error.retry_after_seconds.unwrap_or_else(|| back_off_seconds(attempt));
        if attempt >= post.retries || !is_worth_retrying(&error) || wait > MAX_WAIT_SECONDS {
            return Err(error);
        }
        attempt += 1;
        on_retry();
        sleep(Duration::from_secs_f64(wait));
    }
}

fn once<T>(
    post: &Post,
    address: &Address,
    read: &mut impl FnMut(Answer, Instant) -> Result<T, LLMError>,
) -> Result<T, LLMError> {
    let deadline = Instant::now() + post.timeout;
    let answer = address.post(post.key, post.body, deadline)?;
    if (200..300).contains(&answer.status) {
        return read(answer, deadline);
    }
    let (status, headers) = (answer.status, answer.headers.clone());
    Err(error_of_answer(status, &answer.read_all(deadline)?, &headers))
}

/// Returns how long to wait, with a random part, so that clients do not all return at once.
fn back_off_seconds(attempt: u32) -> f64 {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.subsec_nanos());
    let spread = 0.5 + f64::from(nanos % 1000) / 2000.0;
    (0.5 * 2f64.powi(attempt as i32)).min(8.0) * spread
}
