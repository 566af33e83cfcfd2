//! Does what the instruction says with what the request says; its twins in the other languages do the same.

// An agent says what its methods return: a `Response`, or a `Result` with one.
#![allow(refining_impl_trait)]

use std::time::Duration;

use serde_json::{json, Map, Value};
use term_sdk::{run, Agent, CallOptions, LLMError, LLMResponse, Message, Request, Response, Result, Tool, LLM};

struct Cases {
    llm: LLM,
}

impl Agent for Cases {
    fn setup(&mut self) -> Result<()> {
        enter("setup")
    }

    fn solve(&mut self, req: &Request) -> Result<Response> {
        let extra = Value::Object(req.extra.clone());
        let text = |name: &str| extra[name].as_str().unwrap_or_default();
        match req.instruction.as_str() {
            "show" => Ok(Response::say("shown").with_data(fields(req))),
            "has" => {
                let patterns: Vec<&str> =
                    extra["patterns"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                Ok(Response::say("has").with_data(req.has(patterns.as_slice())))
            }
            "match" => {
                let found = req.matches(text("pattern"))?;
                let groups =
                    found.map(|found| (0..=found.group_count()).map(|n| json!(found.get(n))).collect::<Value>());
                Ok(match groups {
                    Some(groups) => Response::say("match").with_data(groups),
                    None => Response::say("match"),
                })
            }
            "answer" => Ok(Response::from_llm(text("text"))?),
            "cmd" => {
                let mut response = Response::cmd(text("command"));
                if !extra["text"].is_null() {
                    response = response.with_text(text("text"));
                }
                if !extra["data"].is_null() {
                    response = response.with_data(extra["data"].clone());
                }
                Ok(if extra["complete"] == true { response.complete() } else { response })
            }
            "done" => Ok(Response::done()),
            "llm" => {
                Ok(Response::say("llm")
                    .with_data(self.call(&extra["call"]).unwrap_or_else(|error| shown_error(&error))))
            }
            other => Err(format!("told to {other}").into()),
        }
    }

    fn cleanup(&mut self) -> Result<()> {
        enter("cleanup")
    }
}

impl Cases {
    fn call(&mut self, call: &Value) -> std::result::Result<Value, LLMError> {
        let string = |name: &str| call[name].as_str().map(String::from);
        let prompt = call["prompt"].as_str().unwrap_or_default();
        let messages: Vec<Message> = call["messages"].as_array().into_iter().flatten().cloned().map(Message).collect();
        let tools: Vec<Tool> = call["tools"].as_array().into_iter().flatten().map(tool).collect();
        let options = CallOptions {
            model: string("model"),
            system: string("system"),
            tools: tools.clone(),
            temperature: call["temperature"].as_f64(),
            max_tokens: call["max_tokens"].as_u64(),
            max_rounds: call["max_rounds"].as_u64().map(|rounds| rounds as usize),
            ..CallOptions::default()
        };
        let mut chunks = Vec::new();
        match call["op"].as_str().unwrap_or_default() {
            "new" => {
                self.llm = open_llm();
                Ok(Value::Null)
            }
            "totals" => Ok(json!({ "total_tokens": self.llm.total_tokens(), "total_cost": self.llm.total_cost() })),
            "stats" => Ok(self.stats(call["model"].as_str())),
            "ask" => self.llm.ask_with(prompt, &options).map(shown),
            "chat" => self.llm.chat_with(&messages, &options).map(shown),
            "functions" => self.llm.chat_with_functions(&messages, &tools, &options).map(shown),
            "stream" => {
                for text in self.llm.stream(prompt, &options)? {
                    chunks.push(text?);
                }
                Ok(json!({ "chunks": chunks }))
            }
            _ => {
                let response = self.llm.ask_stream(prompt, &options, |text| {
                    chunks.push(text.to_string());
                    call["stop_after"].as_u64() != Some(chunks.len() as u64)
                })?;
                let mut shown = shown(response);
                shown["chunks"] = json!(chunks);
                Ok(shown)
            }
        }
    }

    fn stats(&self, model: Option<&str>) -> Value {
        let model_stats = |name: &str| {
            let s = self.llm.get_model_stats(name);
            json!({ "requests": s.requests, "tokens": s.tokens, "input_tokens": s.input_tokens,
                    "output_tokens": s.output_tokens, "cost": s.cost })
        };
        if let Some(model) = model {
            return model_stats(model);
        }
        let s = self.llm.get_stats();
        let per_model: Map<String, Value> = s.per_model.keys().map(|name| (name.clone(), model_stats(name))).collect();
        json!({ "request_count": s.request_count, "error_count": s.error_count, "retry_count": s.retry_count,
                "total_tokens": s.total_tokens, "input_tokens": s.input_tokens, "output_tokens": s.output_tokens,
                "total_cost": s.total_cost, "per_model": per_model })
    }
}

fn fields(req: &Request) -> Value {
    json!({
        "instruction": req.instruction, "step": req.step, "last_command": req.last_command, "output": req.output,
        "exit_code": req.exit_code, "cwd": req.cwd, "first": req.first(), "ok": req.ok(), "failed": req.failed(),
        "extra": req.extra,
    })
}

fn tool(tool: &Value) -> Tool {
    let made = Tool::new(tool["name"].as_str().unwrap_or_default(), tool["description"].as_str().unwrap_or_default());
    match tool.get("parameters") {
        Some(parameters) => made.with_parameters(parameters.clone()),
        None => made,
    }
}

fn shown(response: LLMResponse) -> Value {
    let calls: Vec<Value> =
        response.function_calls.iter().map(|call| json!([call.name, call.arguments, call.id])).collect();
    let messages: Vec<&Value> = response.messages.iter().map(|message| &message.0).collect();
    json!({
        "text": response.text, "model": response.model, "cost": response.cost, "finish_reason": response.finish_reason,
        "tokens": [response.input_tokens, response.output_tokens, response.tokens], "calls": calls, "messages": messages,
    })
}

fn shown_error(error: &LLMError) -> Value {
    let mut shown = json!({
        "error": error.code, "message": error.message, "status": error.status, "partial": error.partial,
        "retry_after_seconds": error.retry_after_seconds, "model": error.model, "provider": error.provider,
    });
    if let Some(fields) = shown.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    shown
}

fn enter(phase: &str) -> Result<()> {
    eprintln!("{phase}");
    match std::env::var("CASES_FAIL_IN") {
        Ok(wanted) if wanted == phase => Err(format!("told to fail in {phase}").into()),
        _ => Ok(()),
    }
}

fn open_llm() -> LLM {
    let setting = |name: &str, otherwise: u32| {
        let set = std::env::var(name).ok();
        set.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let timeout = Duration::from_millis(setting("CASES_TIMEOUT_MS", 10_000).into());
    let mut llm = LLM::new().timeout(timeout).retries(setting("CASES_RETRIES", 3));
    let number = |arguments: &Map<String, Value>, name: &str| {
        arguments.get(name).and_then(Value::as_i64).ok_or(format!("{name} is missing"))
    };
    llm.register_function("add", move |args| Ok(json!(number(args, "a")? + number(args, "b")?)));
    llm.register_function("echo", |args| Ok(args["text"].clone()));
    llm.register_function("broken", |_| Err("out of order".into()));
    llm
}

fn main() {
    run(Cases { llm: open_llm() });
}
