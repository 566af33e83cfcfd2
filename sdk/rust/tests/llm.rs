//! The model, as Rust has it. What all languages share is in sdk/term-cases.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::thread::{spawn, JoinHandle};

use serde_json::{json, Value};
use term_sdk::{CallOptions, LLM};

/// Answers once, with these bytes, and returns the head and the body of what it was asked.
fn serve(answer: &'static str) -> (String, JoinHandle<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let asked = spawn(move || {
        let (socket, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(socket);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            reader.read_line(&mut head).unwrap();
        }
        let size = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap().parse().unwrap();
        let mut body = vec![0; size];
        reader.read_exact(&mut body).unwrap();
        reader.into_inner().write_all(answer.as_bytes()).unwrap();
        (head, serde_json::from_slice(&body).unwrap())
    });
    (url, asked)
}

const BODY: &str = "{\"choices\":[{\"message\":{\"content\":\"yes\"}}]}";

#[test]
fn what_is_given_comes_first() {
    let (url, asked) = serve("HTTP/1.1 200 OK\r\n\r\n{\"choices\":[{\"message\":{\"content\":\"yes\"}}]}");
    let llm = LLM::new().model("mine").url(url).key("my-key").temperature(0.5).max_tokens(7);
    let mut options = CallOptions { temperature: Some(0.0), ..CallOptions::default() };
    options.extra.insert("response_format".into(), json!({ "type": "json_object" }));
    assert_eq!(llm.ask_with("a", &options).unwrap().text, "yes");
    let (head, body) = asked.join().unwrap();
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:"));
    assert!(head.contains("\r\nAuthorization: Bearer my-key\r\n"));
    let messages = json!([{ "role": "user", "content": "a" }]);
    let format = json!({ "type": "json_object" });
    let expected = json!({
        "model": "mine", "messages": messages, "temperature": 0.0, "max_tokens": 7, "response_format": format,
    });
    assert_eq!(body, expected);
}

#[test]
fn reads_bodies_of_every_form() {
    assert_eq!(BODY.len(), 43);
    let sized =
        "HTTP/1.0 200 OK\r\ncontent-LENGTH:  43 \r\n\r\n{\"choices\":[{\"message\":{\"content\":\"yes\"}}]}and more";
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
                   1;x=y\r\n{\r\n2A\r\n\"choices\":[{\"message\":{\"content\":\"yes\"}}]}\r\n0\r\n\r\n";
    for answer in [sized, chunked] {
        let (url, asked) = serve(answer);
        assert_eq!(LLM::new().model("m").url(url).ask("a").unwrap().text, "yes");
        asked.join().unwrap();
    }
}

#[test]
fn what_is_no_http_is_a_network_error() {
    for answer in [
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nbroken\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200",
        "",
    ] {
        let (url, asked) = serve(answer);
        let error = LLM::new().model("m").url(url).retries(0).ask("a").unwrap_err();
        assert_eq!(error.code, "network_error", "{answer}: {error}");
        asked.join().unwrap();
    }
}

#[test]
fn addresses_with_tls_or_tricks_are_refused() {
    for url in
        ["https://127.0.0.1:1/v1", "http://", "http://a b/", "http://user@127.0.0.1:1/", "http://127.0.0.1:1/\r\nX: y"]
    {
        let error = LLM::new().model("m").url(url).ask("a").unwrap_err();
        assert_eq!(error.code, "no_api_url", "{url}");
    }
}
