//! One POST to the model's endpoint: plain HTTP/1.1, one connection for each call. Redirects are not followed, because the key is
//! meant for this address only.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use crate::LLMError;

const MAX_ANSWER_BYTES: usize = 64 * 1024 * 1024;
const MAX_HEAD_BYTES: u64 = 256 * 1024;
const PIECE: usize = 64 * 1024;

pub struct Address {
    /// Host name with the port, as the `Host` header has it.
    host: String,
    path: String,
}

impl Address {
    pub fn parse(url: &str) -> Result<Self, LLMError> {
        let invalid = || {
            let message =
                "LLM_API_URL is not an http address (the platform's is http on loopback; there is no TLS here)";
            LLMError::new("no_api_url", message)
        };
        let rest = url.strip_prefix("http://").ok_or_else(invalid)?;
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_graphic());
        if host.is_empty() || host.contains('@') || !is_plain(rest) {
            return Err(invalid());
        }
        let base = path.trim_end_matches('/');
        let path = if base.ends_with("/chat/completions") { base.into() } else { format!("{base}/chat/completions") };
        Ok(Address { host: host.into(), path })
    }

    /// Sends the request. Returns when the headers have arrived.
    pub fn post(&self, key: Option<&str>, body: &str, deadline: Instant) -> Result<Answer, LLMError> {
        self.exchange(key, body, deadline)
            .map_err(|error| network_error(error, &format!("http://{} cannot be reached", self.host)))
    }

    fn exchange(&self, key: Option<&str>, body: &str, deadline: Instant) -> io::Result<Answer> {
        let mut socket = self.connect(deadline)?;
        let authorization = match key {
            Some(key) if key.chars().all(|c| c.is_ascii_graphic()) => format!("Authorization: Bearer {key}\r\n"),
            Some(_) => {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "the key has characters that keys do not have"))
            }
            None => String::new(),
        };
        let (path, host, size) = (&self.path, &self.host, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\n{authorization}Content-Type: application/json\r\n\
             Content-Length: {size}\r\nConnection: close\r\n\r\n"
        );
        socket.set_nodelay(true)?;
        socket.set_write_timeout(Some(left(deadline)?))?;
        socket.write_all((head + body).as_bytes())?;
        socket.set_read_timeout(Some(left(deadline)?))?;
        Answer::begin(BufReader::with_capacity(PIECE, socket))
    }

    fn connect(&self, deadline: Instant) -> io::Result<TcpStream> {
        let has_port = self.host.rsplit(':').next().is_some_and(|port| port.parse::<u16>().is_ok());
        let target = if has_port { self.host.clone() } else { format!("{}:80", self.host) };
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
        for address in target.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, left(deadline)?) {
                Ok(socket) => return Ok(socket),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

enum Body {
    /// The body has a length, of which this many bytes are still to come.
    Sized(usize),
    /// The body comes in chunks; this many bytes of the current one are still to come.
    Chunked(usize),
    UntilEnd,
    Ended,
}

/// An answer whose body has not been read yet.
pub struct Answer {
    pub status: u16,
    pub headers: HashMap<String, String>,
    reader: BufReader<TcpStream>,
    body: Body,
}

impl Answer {
    fn begin(mut reader: BufReader<TcpStream>) -> io::Result<Self> {
        let mut left = MAX_HEAD_BYTES;
        let first = head_line(&mut reader, &mut left)?;
        let status = first.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| garbage("the answer is not HTTP"))?;
        let mut headers = HashMap::new();
        loop {
            let line = head_line(&mut reader, &mut left)?;
            match line.split_once(':') {
                _ if line.is_empty() => break,
                Some((name, value)) => drop(headers.insert(name.trim().to_lowercase(), value.trim().to_string())),
                None => return Err(garbage("a header is broken")),
            }
        }
        let chunked = headers.get("transfer-encoding").is_some_and(|value| value.to_lowercase().contains("chunked"));
        let size =
            headers.get("content-length").map(|size| size.parse().map_err(|_| garbage("its length is no number")));
        let body = match size.transpose()? {
            _ if chunked => Body::Chunked(0),
            Some(size) => Body::Sized(size),
            None => Body::UntilEnd,
        };
        Ok(Answer { status, headers, reader, body })
    }

    /// Reads the whole body.
    pub fn read_all(mut self, deadline: Instant) -> Result<Vec<u8>, LLMError> {
        let mut all = Vec::new();
        while let Some(piece) = self.next_piece(deadline)? {
            all.extend_from_slice(&piece);
            if all.len() > MAX_ANSWER_BYTES {
                let message = format!("the answer is larger than {MAX_ANSWER_BYTES} bytes");
                return Err(LLMError::new("invalid_response", message));
            }
        }
        Ok(all)
    }

    /// Reads the next bytes of the body; None at the end. Fails with `network_error` when the answer breaks off.
    pub fn next_piece(&mut self, deadline: Instant) -> Result<Option<Vec<u8>>, LLMError> {
        self.read_piece(deadline).map_err(|error| network_error(error, "the answer broke off"))
    }

    fn read_piece(&mut self, deadline: Instant) -> io::Result<Option<Vec<u8>>> {
        self.reader.get_ref().set_read_timeout(Some(left(deadline)?))?;
        if let Body::Chunked(0) = self.body {
            let mut room = MAX_HEAD_BYTES;
            let line = head_line(&mut self.reader, &mut room)?;
            let digits = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(digits, 16).map_err(|_| garbage("a chunk is broken"))?;
            self.body = if size == 0 { Body::Ended } else { Body::Chunked(size) };
        }
        let wanted = match self.body {
            Body::Sized(0) | Body::Ended => return Ok(None),
            Body::Sized(missing) | Body::Chunked(missing) => missing.min(PIECE),
            Body::UntilEnd => PIECE,
        };
        let mut piece = vec![0; wanted];
        let size = self.reader.read(&mut piece)?;
        piece.truncate(size);
        match &mut self.body {
            Body::UntilEnd if size == 0 => return Ok(None),
            _ if size == 0 => return Err(garbage("it ended too early")),
            Body::Sized(missing) => *missing -= size,
            Body::Chunked(missing) => {
                *missing -= size;
                if *missing == 0 {
                    head_line(&mut self.reader, &mut 2)?;
                }
            }
            Body::UntilEnd | Body::Ended => {}
        }
        Ok(Some(piece))
    }
}

/// Reads a line of the head, without its line break.
fn head_line(reader: &mut impl BufRead, left: &mut u64) -> io::Result<String> {
    let mut line = Vec::new();
    let size = reader.by_ref().take(*left).read_until(b'\n', &mut line)?;
    *left -= size as u64;
    if line.pop() != Some(b'\n') {
        return Err(garbage("it ended too early"));
    }
    Ok(String::from_utf8_lossy(&line).trim_end_matches('\r').to_string())
}

fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    Ok(left)
}

fn garbage(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_string())
}

fn network_error(error: io::Error, what: &str) -> LLMError {
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
            LLMError::new("timeout", "the model took too long to answer")
        }
        _ => LLMError::new("network_error", format!("{what}: {error}")),
    }
}
