//! The functions that an agent offers to its model.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{FunctionCall, Message};

type Handler = Box<dyn Fn(&Map<String, Value>) -> Result<Value, String>>;

#[derive(Default)]
pub struct Functions {
    handlers: BTreeMap<String, Handler>,
}

impl Functions {
    pub fn register(&mut self, name: String, handler: Handler) {
        self.handlers.insert(name, handler);
    }

    pub fn execute(&self, call: &FunctionCall) -> Result<Value, String> {
        let Some(handler) = self.handlers.get(&call.name) else {
            let known: Vec<&str> = self.handlers.keys().map(String::as_str).collect();
            let known = if known.is_empty() { "none".into() } else { known.join(", ") };
            return Err(format!("there is no function {}; there are: {known}", call.name));
        };
        match &call.arguments {
            Some(arguments) => handler(arguments),
            None => Err(format!("the arguments of {} are not a JSON object", call.name)),
        }
    }

    /// Returns the message for the model. It includes a failure, because the model may know another way.
    pub fn answer(&self, call: &FunctionCall) -> Message {
        let content = match self.execute(call) {
            Ok(Value::String(text)) => text,
            Ok(value) => value.to_string(),
            Err(error) => {
                eprintln!("term-sdk: the function {} failed: {error}", call.name);
                format!("error: {error}")
            }
        };
        Message::tool(call.id.as_deref(), &content)
    }
}
