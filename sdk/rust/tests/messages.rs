//! Requests and responses, as Rust has them. What all languages share is in sdk/term-cases.

use serde_json::json;
use term_sdk::{Request, Response};

fn request(output: &str) -> Request {
    Request::parse(&json!({ "instruction": "a", "step": 2, "output": output }).to_string()).unwrap()
}

#[test]
fn serde_reads_requests_and_writes_responses() {
    let read: Request = serde_json::from_str("{\"instruction\": \"a\", \"step\": 1, \"more\": [1]}").unwrap();
    assert_eq!((read.first(), &read.extra["more"]), (true, &json!([1])));
    let wrong = serde_json::from_str::<Request>("{\"step\": 1}").unwrap_err().to_string();
    assert!(wrong.contains("the request has no instruction"), "{wrong}");
    let response = Response::cmd("ls").with_text("look").with_data(json!({ "n": 1 })).complete();
    assert_eq!(serde_json::to_string(&response).unwrap(), response.to_json());
    assert_eq!(response.to_json(), "{\"command\":\"ls\",\"task_complete\":true,\"text\":\"look\",\"data\":{\"n\":1}}");
}

#[test]
fn has_takes_one_text_or_several() {
    let req = request("Build FAILED");
    let owned = vec![String::from("fine"), String::from("failed")];
    assert!(req.has("failed") && req.has(["fine", "build"]) && req.has(owned.as_slice()) && req.has(&owned[1]));
    assert!(!req.has("fine") && !req.has(&[] as &[&str]));
}

#[test]
fn fields_of_its_own_come_before_extra_ones() {
    let mut response = Response::cmd("ls");
    response.extra.insert("command".into(), json!("rm"));
    response.extra.insert("mood".into(), json!("good"));
    assert_eq!(response.to_json(), "{\"command\":\"ls\",\"task_complete\":false,\"mood\":\"good\"}");
}

#[test]
fn half_of_a_surrogate_pair_becomes_a_replacement() {
    let line = r#"{"instruction": "\ud83d a \udc00\\ud800 \ud83d\ude42", "step": 1}"#;
    assert_eq!(Request::parse(line).unwrap().instruction, "\u{fffd} a \u{fffd}\\ud800 🙂");
    assert!(Request::parse(r#"{"instruction": "\ud8"#).is_err());
    assert!(Request::parse("{\"instruction\": \"\\").is_err());
    assert!(Request::parse("\\u000").is_err());
}

#[test]
fn hostile_text_takes_little_time() {
    for text in ["{".repeat(200_000), "{\"a\":".repeat(50_000), "{\"a".repeat(50_000), "{}".repeat(50_000)] {
        assert!(Response::from_llm(&text).is_err());
    }
}
