//! Reads the data of server-sent events, however the bytes are cut.

use std::collections::VecDeque;

use crate::LLMError;

const MAX_EVENT_BYTES: usize = 16 * 1024 * 1024;

#[derive(Default)]
pub struct Events {
    rest: Vec<u8>,
    data: Vec<String>,
    ready: VecDeque<String>,
}

impl Events {
    pub fn push(&mut self, piece: &[u8]) -> Result<(), LLMError> {
        self.rest.extend_from_slice(piece);
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            self.line(&String::from_utf8_lossy(&line));
        }
        if self.rest.len() > MAX_EVENT_BYTES {
            return Err(LLMError::new("invalid_response", "an event of the stream is too large"));
        }
        Ok(())
    }

    /// Ends the last event, which may lack the empty line after it.
    pub fn end(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        self.line(&String::from_utf8_lossy(&rest));
        self.line("");
    }

    pub fn pop(&mut self) -> Option<String> {
        self.ready.pop_front()
    }

    fn line(&mut self, line: &str) {
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() && !self.data.is_empty() {
            self.ready.push_back(std::mem::take(&mut self.data).join("\n"));
        } else if let Some(data) = line.strip_prefix("data:") {
            self.data.push(data.trim_start().to_string());
        }
    }
}
