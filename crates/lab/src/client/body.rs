//! Where a body ends: by its length, by chunks, or with the connection.

use bytes::{Buf, BytesMut};

use super::{answer::Head, failure::Failure};

/// The longest body that is kept in memory; of longer ones the bytes are counted.
const KEPT: usize = 256 << 20;
/// What is kept of a body that nobody looks at: enough for a message.
const START: usize = 4 << 10;
/// The longest line between chunks.
const LINE: usize = 1024;

/// How far the reading of a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// So many bytes are missing.
    Length(u64),
    /// The line with the length of the next chunk.
    ChunkLine,
    /// So many bytes of a chunk are missing.
    Chunk(u64),
    /// The line end after a chunk.
    ChunkEnd,
    /// Lines after the last chunk, up to an empty one.
    Trailer,
    /// Until the connection ends.
    UntilClosed,
    /// There is no more.
    Done,
}

/// What came of a body.
pub(super) struct Sink {
    room: usize,
    pub body: Vec<u8>,
    pub bytes: u64,
}

impl Sink {
    pub fn new(keep: bool) -> Self {
        Self {
            room: if keep { KEPT } else { START },
            body: Vec::new(),
            bytes: 0,
        }
    }

    fn take(&mut self, part: &[u8]) {
        self.bytes += part.len() as u64;
        let room = self.room.saturating_sub(self.body.len());
        self.body.extend_from_slice(&part[..part.len().min(room)]);
    }
}

impl Framing {
    /// How the body behind this head ends.
    pub fn of(head: &Head) -> Self {
        match head.length {
            _ if head.without_body() => Self::Done,
            _ if head.chunked => Self::ChunkLine,
            Some(0) => Self::Done,
            Some(length) => Self::Length(length),
            None => Self::UntilClosed,
        }
    }

    /// Takes what `buffer` has of the body. Whether that was the end of it.
    pub fn advance(&mut self, buffer: &mut BytesMut, sink: &mut Sink) -> Result<bool, Failure> {
        while !buffer.is_empty() && *self != Self::Done {
            *self = match *self {
                Self::Length(missing) => match part(missing, buffer, sink) {
                    0 => Self::Done,
                    missing => Self::Length(missing),
                },
                Self::Chunk(missing) => match part(missing, buffer, sink) {
                    0 => Self::ChunkEnd,
                    missing => Self::Chunk(missing),
                },
                Self::UntilClosed => {
                    sink.take(buffer);
                    buffer.clear();
                    Self::UntilClosed
                }
                between => match line(buffer)? {
                    None => return Ok(false),
                    Some(line) => between.after(&line)?,
                },
            };
        }
        Ok(*self == Self::Done)
    }

    /// What follows this line between chunks.
    fn after(&self, line: &str) -> Result<Self, Failure> {
        Ok(match (self, line) {
            (Self::Trailer, "") => Self::Done,
            (Self::Trailer, _) => Self::Trailer,
            (Self::ChunkEnd, "") => Self::ChunkLine,
            (Self::ChunkLine, line) => {
                let digits = line.split(';').next().unwrap_or_default().trim();
                match u64::from_str_radix(digits, 16) {
                    Ok(0) => Self::Trailer,
                    Ok(length) => Self::Chunk(length),
                    Err(_) => return Err(Failure::Garbled(format!("a chunk of {digits:?} bytes"))),
                }
            }
            _ => return Err(Failure::Garbled(format!("{line:?} after a chunk"))),
        })
    }
}

/// Takes at most `missing` bytes; how many are missing still.
fn part(missing: u64, buffer: &mut BytesMut, sink: &mut Sink) -> u64 {
    let length = usize::try_from(missing)
        .unwrap_or(usize::MAX)
        .min(buffer.len());
    sink.take(&buffer[..length]);
    buffer.advance(length);
    missing - length as u64
}

fn line(buffer: &mut BytesMut) -> Result<Option<String>, Failure> {
    match buffer.iter().position(|&byte| byte == b'\n') {
        Some(end) => {
            let line = buffer.split_to(end + 1);
            Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()))
        }
        None if buffer.len() > LINE => {
            Err(Failure::Garbled("a long line between chunks".to_owned()))
        }
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `text` in pieces of this size: the body, what is left over, and whether it ended.
    fn read(
        mut framing: Framing,
        text: &str,
        piece: usize,
    ) -> Result<(String, String, bool), Failure> {
        let (mut buffer, mut sink, mut done) = (BytesMut::new(), Sink::new(true), false);
        for piece in text.as_bytes().chunks(piece) {
            buffer.extend_from_slice(piece);
            done = framing.advance(&mut buffer, &mut sink)?;
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok((text(&sink.body), text(&buffer), done))
    }

    #[test]
    fn a_body_ends_where_it_should_however_it_arrives() {
        let chunked = "5\r\nhello\r\n1;name=x\r\n!\r\n0\r\nTrailer: x\r\n\r\nHTTP";
        for piece in 1..=chunked.len() {
            let (body, rest, done) = read(Framing::ChunkLine, chunked, piece).expect("fine");
            assert_eq!(
                (body.as_str(), rest.as_str(), done),
                ("hello!", "HTTP", true),
                "{piece}"
            );
            let (body, rest, done) = read(Framing::Length(6), "hello!HTTP", piece).expect("fine");
            assert_eq!(
                (body.as_str(), rest.as_str(), done),
                ("hello!", "HTTP", true),
                "{piece}"
            );
            let (body, _, done) = read(Framing::UntilClosed, "hello!", piece).expect("fine");
            assert_eq!((body.as_str(), done), ("hello!", false), "{piece}");
        }
    }

    #[test]
    fn chunks_that_are_none_are_garbage() {
        for text in ["hello\r\n", "\r\n", "2\r\nabc\r\n", "-1\r\n"] {
            assert!(
                matches!(read(Framing::ChunkLine, text, 64), Err(Failure::Garbled(_))),
                "{text:?}"
            );
        }
        let endless = "1".repeat(2 * LINE);
        assert!(read(Framing::ChunkLine, &endless, 64).is_err());
    }
}
