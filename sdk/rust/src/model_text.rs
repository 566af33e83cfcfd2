//! Finds the answer in what a model wrote. Around it there may be prose, a fenced block, or further answers that the model imagined.

use serde_json::{Map, Value};

use crate::error::ResponseError;
use crate::json;

const MARKS: [&str; 4] = ["command", "commands", "task_complete", "is_task_complete"];

/// Returns the fields of the first answer, because later ones were written without seeing its output. `is_task_complete` gets its new
/// name.
pub fn find_answer(text: &str) -> Result<Map<String, Value>, ResponseError> {
    match objects(text).find(|found| MARKS.iter().any(|mark| found.contains_key(*mark))) {
        Some(found) => checked(found),
        None => Err(ResponseError(format!(
            "the model's text holds no answer (JSON with `command` and `task_complete`): {}",
            json::excerpt(text)
        ))),
    }
}

/// Yields the outermost objects of a text. Nothing inside a broken one is taken for an answer, because it may be half of one.
fn objects(text: &str) -> impl Iterator<Item = Map<String, Value>> + '_ {
    let mut rest = text;
    std::iter::from_fn(move || loop {
        rest = &rest[begin(rest)?..];
        let Some((object, size)) = outline(rest) else {
            rest = "";
            return None;
        };
        rest = &rest[size..];
        if let Ok(Value::Object(fields)) = json::parse(&object) {
            return Some(fields);
        }
    })
}

fn begin(text: &str) -> Option<usize> {
    let opens = |at: &usize| text[at + 1..].trim_start().starts_with(['"', '}']);
    text.match_indices('{').map(|(at, _)| at).find(opens)
}

/// Returns the text up to the brace that closes the first one, and its size. Line breaks in strings are escaped, because models write
/// them unescaped.
fn outline(text: &str) -> Option<(String, usize)> {
    let mut object = String::new();
    let mut depth = 0;
    let mut in_string = false;
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => depth -= 1,
            _ => {}
        }
        if in_string && character < ' ' {
            object.push_str(&format!("\\u{:04x}", character as u32));
        } else {
            object.push(character);
        }
        if depth == 0 {
            return Some((object, at + character.len_utf8()));
        }
    }
    None
}

fn checked(mut fields: Map<String, Value>) -> Result<Map<String, Value>, ResponseError> {
    if let Some(complete) = fields.remove("is_task_complete") {
        let known = fields.entry("task_complete").or_insert(Value::Null);
        if known.is_null() {
            *known = complete;
        }
    }
    let has_command = fields.get("command").is_some_and(|command| !command.is_null());
    match fields.get("commands") {
        Some(commands) if !has_command && !is_list_of_typed(commands) => {
            Err(ResponseError("the model's `commands` is not a list of {keystrokes, duration}".into()))
        }
        _ => Ok(fields),
    }
}

fn is_list_of_typed(commands: &Value) -> bool {
    let is_typed = |command: &Value| {
        let duration = command.get("duration").unwrap_or(&Value::Null);
        command.get("keystrokes").is_some_and(Value::is_string) && (duration.is_null() || duration.is_number())
    };
    commands.as_array().is_some_and(|commands| commands.iter().all(is_typed))
}
