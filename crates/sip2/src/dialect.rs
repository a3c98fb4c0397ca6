//! How one terminal writes messages: its character set, delimiter and line end. Error detection is used when the
//! terminal's messages have a checksum.

use crate::{
    checksum,
    encoding::Encoding,
    field::{self, Code},
    kind::Kind,
    message::{LONGEST_FIELD, Message},
};

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Carriage return, as in the specification.
    Cr,
    CrLf,
}

/// How a terminal writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    pub encoding: Encoding,
    /// What ends a field.
    pub delimiter: u8,
    /// The line end to send, if it is configured; incoming lines may end in any way.
    pub ending: Option<Ending>,
}

impl Default for Dialect {
    fn default() -> Self {
        Self { encoding: Encoding::Utf8, delimiter: b'|', ending: None }
    }
}

/// The end of a message: its error detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trailer {
    /// Sequence number of the message, 0 to 9; an answer repeats that of its question.
    pub sequence: Option<u8>,
    /// Whether there is a checksum.
    pub checked: bool,
}

/// A received message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub message: Message,
    pub trailer: Trailer,
}

/// Why a line is not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It does not begin with the two digits of a known message.
    #[error("no known message")]
    UnknownKind,
    /// Its fixed-length parts are incomplete or not ASCII.
    #[error("the fixed part is not complete")]
    Incomplete,
    /// The checksum is wrong.
    #[error("the checksum is wrong")]
    Checksum,
}

/// `AY` and its digit.
const SEQUENCE_LENGTH: usize = 3;
/// `AZ` and its four digits.
const CHECKSUM_LENGTH: usize = 6;

impl Dialect {
    /// Reads a line.
    pub fn read(&self, line: &[u8]) -> Result<Received, Fault> {
        let kind = line.get(..2).and_then(Kind::of);
        let kind = kind.ok_or(Fault::UnknownKind)?;
        let fixed_end = 2 + kind.fixed_width();
        let fixed = line.get(2..fixed_end).filter(|fixed| fixed.is_ascii());
        let fixed = fixed.ok_or(Fault::Incomplete)?;
        let (end, trailer) = self.trailer(line, fixed_end)?;
        let fields = line[fixed_end..end].split(|byte| *byte == self.delimiter);
        let message = Message {
            kind,
            fixed: fixed.iter().copied().map(char::from).collect(),
            fields: fields.filter_map(|piece| self.field(piece)).collect(),
        };
        Ok(Received { message, trailer })
    }

    /// Reads a field; `None` if the piece is too short for one.
    fn field(&self, piece: &[u8]) -> Option<(Code, String)> {
        let (code, text) = piece.split_first_chunk::<2>()?;
        let sound = code.iter().all(u8::is_ascii_graphic);
        sound.then(|| (Code(*code), self.encoding.decode(text)))
    }

    /// Where the fields end, and the error detection after them.
    fn trailer(&self, line: &[u8], fixed_end: usize) -> Result<(usize, Trailer), Fault> {
        let begins = |at: usize| at == fixed_end || (at > fixed_end && line[at - 1] == self.delimiter);
        let sequence_before = |end: usize| {
            let at = end.checked_sub(SEQUENCE_LENGTH).filter(|at| begins(*at))?;
            match line[at..end] {
                [b'A', b'Y', digit @ b'0'..=b'9'] => Some((at, digit - b'0')),
                _ => None,
            }
        };
        let sum = line.len().checked_sub(CHECKSUM_LENGTH);
        let sum = sum.filter(|at| line[*at..].starts_with(b"AZ"));
        let sequence = sum.and_then(sequence_before);
        match (sum, sequence) {
            (Some(at), _) if sequence.is_some() || begins(at) => {
                verify(line, at)?;
                let trailer = Trailer { sequence: sequence.map(|(_, digit)| digit), checked: true };
                Ok((sequence.map_or(at, |(at, _)| at), trailer))
            }
            _ => {
                let sequence = sequence_before(line.len());
                let trailer = Trailer { sequence: sequence.map(|(_, digit)| digit), checked: false };
                Ok((sequence.map_or(line.len(), |(at, _)| at), trailer))
            }
        }
    }

    /// Writes a message with its line end: a carriage return unless another end is configured.
    pub fn write(&self, message: &Message, trailer: Trailer) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(128);
        bytes.extend_from_slice(message.kind.code().as_bytes());
        bytes.extend_from_slice(message.fixed.as_bytes());
        for (code, text) in &message.fields {
            if ![field::SEQUENCE, field::CHECKSUM].contains(code) {
                bytes.extend_from_slice(&code.0);
                self.encoding.encode(&self.printable(text), &mut bytes);
                bytes.push(self.delimiter);
            }
        }
        if let Some(sequence) = trailer.sequence {
            bytes.extend_from_slice(b"AY");
            bytes.push(b'0' + sequence % 10);
        }
        if trailer.checked {
            bytes.extend_from_slice(b"AZ");
            let sum = checksum(&bytes);
            bytes.extend_from_slice(format!("{sum:04X}").as_bytes());
        }
        bytes.extend_from_slice(match self.ending {
            Some(Ending::CrLf) => b"\r\n",
            Some(Ending::Cr) | None => b"\r",
        });
        bytes
    }

    /// The text as a field may contain it: one line, no delimiter, not too long.
    fn printable(&self, text: &str) -> String {
        let fitting = |letter: char| match letter {
            _ if letter.is_control() || letter == char::from(self.delimiter) => ' ',
            _ => letter,
        };
        text.chars().map(fitting).take(LONGEST_FIELD).collect()
    }
}

fn verify(line: &[u8], at: usize) -> Result<(), Fault> {
    let sent = std::str::from_utf8(&line[at + 2..]).ok();
    let sent = sent.filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let sent = sent.and_then(|text| u16::from_str_radix(text, 16).ok());
    match sent {
        Some(sent) if sent == checksum(&line[..at + 2]) => Ok(()),
        _ => Err(Fault::Checksum),
    }
}
