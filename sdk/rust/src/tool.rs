//! Functions that a model may call.

use serde_json::{json, Map, Value};

/// A function that a model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// What it is called by.
    pub name: String,
    /// For the model.
    pub description: String,
    /// A JSON Schema of the arguments.
    pub parameters: Value,
}

impl Tool {
    /// A function without arguments.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        let parameters = json!({ "type": "object", "properties": {} });
        Tool { name: name.into(), description: description.into(), parameters }
    }

    /// With this JSON Schema of its arguments.
    pub fn with_parameters(mut self, parameters: Value) -> Self {
        self.parameters = parameters;
        self
    }

    /// As the API takes it.
    pub fn to_json(&self) -> Value {
        let Tool { name, description, parameters } = self;
        json!({ "type": "function", "function": { "name": name, "description": description, "parameters": parameters } })
    }
}

/// What a model asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCall {
    /// Of the function.
    pub name: String,
    /// None when it wrote no JSON object.
    pub arguments: Option<Map<String, Value>>,
    /// Of the call.
    pub id: Option<String>,
    /// The arguments as it wrote them.
    pub text: String,
}
