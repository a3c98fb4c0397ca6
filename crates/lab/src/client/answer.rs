//! HTTP answers.

use httparse::Header;

use super::failure::Failure;

#[derive(Debug, Default)]
pub struct Answer {
    pub status: u16,
    /// Only the headers in [`KEPT`]; names in lower case.
    headers: Vec<(&'static str, String)>,
    /// The body, if requested; otherwise empty.
    pub body: Vec<u8>,
    /// Bytes of the body on the wire.
    pub bytes: u64,
}

const KEPT: [&str; 6] = ["content-type", "location", "server", "server-timing", "set-cookie", "x-okapi-token"];

impl Answer {
    /// The value of a header in [`KEPT`].
    pub fn header(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// All values of a header in [`KEPT`].
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let found = self.headers.iter().filter(move |(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// At most `most` characters of the body, for messages.
    pub fn excerpt(&self, most: usize) -> String {
        let text = String::from_utf8_lossy(&self.body);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match words.char_indices().nth(most) {
            None => words,
            Some((end, _)) => format!("{}…", &words[..end]),
        }
    }

    /// Number of statements or round trips that the server reports, as in `Server-Timing: db;desc="2 round trips"`.
    pub fn statements(&self) -> Option<u64> {
        let metrics = self.all("server-timing").flat_map(|value| value.split(','));
        metrics.filter_map(statements).reduce(|all, one| all + one)
    }
}

/// `db;dur=1.2;desc="2 round trips"`: 2.
fn statements(metric: &str) -> Option<u64> {
    const COUNTED: [&str; 3] = ["round trip", "statement", "quer"];
    let description = metric.split(';').find_map(|part| part.trim().strip_prefix("desc="))?;
    let (number, what) = description.trim_matches('"').split_once(' ')?;
    COUNTED.iter().any(|word| what.starts_with(word)).then(|| number.parse().ok())?
}

/// The head of an answer.
pub(super) struct Head {
    pub answer: Answer,
    /// `content-length`.
    pub length: Option<u64>,
    /// `transfer-encoding: chunked`.
    pub chunked: bool,
    /// `connection: close`, or HTTP/1.0.
    pub close: bool,
}

impl Head {
    /// Parses the head at the start of `bytes` and returns its length; `None` if it is incomplete.
    pub fn read(bytes: &[u8]) -> Result<Option<(usize, Self)>, Failure> {
        let mut headers = [httparse::EMPTY_HEADER; 128];
        let mut response = httparse::Response::new(&mut headers);
        let parsed = response.parse(bytes);
        let parsed = parsed.map_err(|error| garbled(&error, bytes))?;
        let httparse::Status::Complete(length) = parsed else {
            return Ok(None);
        };
        let answer = Answer { status: response.code.unwrap_or_default(), ..Answer::default() };
        let close = response.version == Some(0);
        let mut head = Self { answer, length: None, chunked: false, close };
        response.headers.iter().try_for_each(|header| head.take(header))?;
        Ok(Some((length, head)))
    }

    fn take(&mut self, header: &Header) -> Result<(), Failure> {
        let is = |name: &str| header.name.eq_ignore_ascii_case(name);
        let value = || String::from_utf8_lossy(header.value);
        if is("content-length") {
            let length = value().trim().parse();
            self.length = Some(length.map_err(|_| Failure::Garbled(format!("content-length {}", value())))?);
        } else if is("transfer-encoding") {
            self.chunked = value().to_ascii_lowercase().contains("chunked");
        } else if is("connection") {
            self.close = value().eq_ignore_ascii_case("close");
        } else if let Some(name) = KEPT.into_iter().find(|name| is(name)) {
            self.answer.headers.push((name, value().into_owned()));
        }
        Ok(())
    }

    /// Whether there is no body, whatever the headers say.
    pub(crate) fn without_body(&self) -> bool {
        matches!(self.answer.status, 100..=199 | 204 | 304)
    }
}

fn garbled(error: &httparse::Error, bytes: &[u8]) -> Failure {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]);
    Failure::Garbled(format!("{error} in an answer that starts {start:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Head {
        let (length, head) = Head::read(text.as_bytes()).expect("HTTP").expect("whole");
        assert_eq!(length, text.len());
        head
    }

    #[test]
    fn statements_are_read_from_server_timing() {
        for (header, found) in [
            ("db;dur=1.2;desc=\"2 round trips\"", Some(2)),
            ("db;desc=\"1 round trip\"", Some(1)),
            ("app;dur=5, db;dur=0.3;desc=\"3120 statements\"", Some(3120)),
            ("sql;desc=\"17 queries\"", Some(17)),
            ("app;desc=\"5 workers\"", None),
            ("db;dur=4", None),
            ("", None),
        ] {
            let head = head(&format!("HTTP/1.1 200 OK\r\nServer-Timing: {header}\r\n\r\n"));
            assert_eq!(head.answer.statements(), found, "{header}");
        }
    }

    #[test]
    fn a_head_may_be_incomplete_or_garbage() {
        assert!(Head::read(b"HTTP/1.1 200 OK\r\nConte").expect("fine so far").is_none());
        for text in
            ["SSH-2.0-OpenSSH_9\r\n\r\n", "<html></html>\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"]
        {
            assert!(matches!(Head::read(text.as_bytes()), Err(Failure::Garbled(_))), "{text}");
        }
    }

    #[test]
    fn connections_close_when_the_server_says_so() {
        assert!(head("HTTP/1.0 200 OK\r\n\r\n").close);
        assert!(head("HTTP/1.1 200 OK\r\nConnection: Close\r\n\r\n").close);
        assert!(!head("HTTP/1.1 200 OK\r\n\r\n").close);
    }
}
