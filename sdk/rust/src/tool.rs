//! Functions that a model may call.

use serde_json::{json, Map, Value};

/// A function that a model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Name that the model calls the function by.
    pub name: String,
    /// Description of the function, for the model.
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: Value,
}

impl Tool {
    /// Makes a function without arguments.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        let parameters = json!({ "type": "object", "properties": {} });
        Tool { name: name.into(), description: description.into(), parameters }
    }

    /// Sets the JSON Schema of the arguments.
    pub fn with_parameters(mut self, parameters: Value) -> Self {
        self.parameters = parameters;
        self
    }

    /// Returns the function as the API takes it.
    pub fn to_json(&self) -> Value {
        let Tool { name, description, parameters } = self;
        json!({ "type": "function", "function": { "name": name, "description": description, "parameters": parameters } })
    }
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCall {
    /// Name of the function.
    pub name: String,
    /// The parsed arguments; None when the model did not write a JSON object.
    pub arguments: Option<Map<String, Value>>,
    /// Id of the call.
    pub id: Option<String>,
    /// The arguments as the model wrote them.
    pub text: String,
}
