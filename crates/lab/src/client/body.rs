//! Finds the end of a body: by length, chunks or the end of the connection.

use bytes::{Buf, BytesMut};

use super::{answer::Head, failure::Failure};

/// The longest body kept in memory; the bytes of longer ones are only counted.
const KEPT: usize = 256 << 20;
/// How much is kept of a body that was not requested: enough for a message.
const START: usize = 4 << 10;
/// The longest line between chunks.
const LINE: usize = 1024;

/// State of reading a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// Bytes left.
    Length(u64),
    /// At the line with the length of the next chunk.
    ChunkLine,
    /// Bytes left of a chunk.
    Chunk(u64),
    /// At the line end after a chunk.
    ChunkEnd,
    /// In the lines after the last chunk, up to an empty one.
    Trailer,
    /// Until the connection ends.
    UntilClosed,
    /// At the end.
    Done,
}

/// What has been read of a body.
pub(super) struct Sink {
    room: usize,
    pub body: Vec<u8>,
    pub bytes: u64,
}

impl Sink {
    pub fn new(keep: bool) -> Self {
        Self { room: if keep { KEPT } else { START }, body: Vec::new(), bytes: 0 }
    }

    fn take(&mut self, part: &[u8]) {
        self.bytes += part.len() as u64;
        let room = self.room.saturating_sub(self.body.len());
        self.body.extend_from_slice(&part[..part.len().min(room)]);
    }
}

impl Framing {
    /// The framing that follows from the head.
    pub fn of(head: &Head) -> Self {
        match head.length {
            _ if head.without_body() => Self::Done,
            _ if head.chunked => Self::ChunkLine,
            Some(0) => Self::Done,
            Some(length) => Self::Length(length),
            None => Self::UntilClosed,
        }
    }

    /// Consumes what `buffer` has of the body; returns whether the body is complete.
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

    /// The state after a line between chunks.
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

/// Consumes at most `missing` bytes; returns how many are still missing.
fn part(missing: u64, buffer: &mut BytesMut, sink: &mut Sink) -> u64 {
    let length = usize::try_from(missing).unwrap_or(usize::MAX).min(buffer.len());
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
        None if buffer.len() > LINE => Err(Failure::Garbled("a long line between chunks".to_owned())),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `text` in pieces of this size: returns the body, the rest, and whether the body is complete.
    fn read(mut framing: Framing, text: &str, piece: usize) -> Result<(String, String, bool), Failure> {
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
            assert_eq!((body.as_str(), rest.as_str(), done), ("hello!", "HTTP", true), "{piece}");
            let (body, rest, done) = read(Framing::Length(6), "hello!HTTP", piece).expect("fine");
            assert_eq!((body.as_str(), rest.as_str(), done), ("hello!", "HTTP", true), "{piece}");
            let (body, _, done) = read(Framing::UntilClosed, "hello!", piece).expect("fine");
            assert_eq!((body.as_str(), done), ("hello!", false), "{piece}");
        }
    }

    #[test]
    fn invalid_chunks_are_garbage() {
        for text in ["hello\r\n", "\r\n", "2\r\nabc\r\n", "-1\r\n"] {
            assert!(matches!(read(Framing::ChunkLine, text, 64), Err(Failure::Garbled(_))), "{text:?}");
        }
        let endless = "1".repeat(2 * LINE);
        assert!(read(Framing::ChunkLine, &endless, 64).is_err());
    }
}
