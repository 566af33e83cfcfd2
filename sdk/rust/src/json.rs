//! JSON as other languages read it, and short quotations of text for messages.

use serde_json::Value;

/// Parses JSON. Half of a surrogate pair, which JavaScript may write and no Rust string can hold, becomes U+FFFD.
pub fn parse(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| match without_lone_surrogates(text) {
        Some(repaired) => serde_json::from_str(&repaired),
        None => Err(error),
    })
}

/// Returns an integer, where 1.0 is the same number as 1.
pub fn integer(value: &Value) -> Option<i64> {
    let number = || value.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 9e15);
    value.as_i64().or_else(|| number().map(|n| n as i64))
}

/// Quotes the beginning of a text, for messages.
pub fn excerpt(text: &str) -> String {
    let short: String = text.chars().take(200).collect();
    let rest = if short.len() < text.len() { "…" } else { "" };
    format!("{:?}", short + rest)
}

/// Returns the text with lone surrogates replaced; None when there are none.
fn without_lone_surrogates(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let size = match (escaped_unit(rest), rest.get(6..).and_then(escaped_unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                changed = true;
                out.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            _ => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&rest[..size]);
        rest = &rest[size..];
    }
    out.push_str(rest);
    changed.then_some(out)
}

fn escaped_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}
