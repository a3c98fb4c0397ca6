//! Splits a terminal's bytes into lines. A line ends with CR, LF or both; empty lines are ignored.

use crate::dialect::Ending;

/// The next frame of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line longer than any message, which was discarded.
    TooLong,
}

/// The bytes of one connection that are not yet read as lines: at most the longest line plus what one [`Frames::push`]
/// brings.
#[derive(Debug)]
pub struct Frames {
    waiting: Vec<u8>,
    /// How much of `waiting` was already searched for a line end.
    seen: usize,
    longest: usize,
    /// Whether the rest of an overlong line is being discarded.
    skipping: bool,
    /// Whether a line feed was among the line ends so far.
    line_feeds: bool,
}

impl Frames {
    /// Accepts lines of at most `longest` bytes.
    pub fn new(longest: usize) -> Self {
        Self { waiting: Vec::new(), seen: 0, longest, skipping: false, line_feeds: false }
    }

    /// Adds received bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
    }

    /// Whether an incomplete line is waiting for its end.
    pub fn has_begun(&self) -> bool {
        self.skipping || !self.waiting.is_empty()
    }

    /// The line end to answer with: a terminal that sends line feeds expects one.
    pub fn ending(&self) -> Ending {
        match self.line_feeds {
            true => Ending::CrLf,
            false => Ending::Cr,
        }
    }

    /// The next line, if it is complete.
    pub fn next_frame(&mut self) -> Option<Frame> {
        loop {
            let ends = |byte: &u8| matches!(byte, b'\r' | b'\n');
            let Some(end) = self.waiting[self.seen..].iter().position(ends) else {
                self.seen = self.waiting.len();
                if self.skipping || self.waiting.len() > self.longest {
                    self.waiting.clear();
                    self.seen = 0;
                    self.skipping = true;
                }
                return None;
            };
            let end = self.seen + end;
            // The line feed that belongs to a carriage return has usually arrived with it.
            self.line_feeds |= self.waiting[end..].iter().take(2).any(|byte| *byte == b'\n');
            let line: Vec<u8> = self.waiting.drain(..=end).take(end).collect();
            self.seen = 0;
            if std::mem::take(&mut self.skipping) || line.len() > self.longest {
                return Some(Frame::TooLong);
            }
            let line = trimmed(&line);
            if !line.is_empty() {
                return Some(Frame::Line(line.to_vec()));
            }
        }
    }
}

/// Terminals behind serial adapters pad messages with blanks and zero bytes.
fn trimmed(line: &[u8]) -> &[u8] {
    let blank = |byte: &u8| matches!(byte, 0 | b'\t' | b' ');
    let from = line.iter().position(|byte| !blank(byte));
    from.map_or(&[], |from| {
        let zeros = line.iter().rev().take_while(|byte| **byte == 0).count();
        &line[from..line.len() - zeros]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<Frame> {
        let mut frames = Frames::new(10);
        let mut found = Vec::new();
        for piece in pieces {
            frames.push(piece);
            found.extend(std::iter::from_fn(|| frames.next_frame()));
        }
        found
    }

    #[test]
    fn lines_end_with_cr_or_lf_or_both_in_any_pieces() {
        let line = |text: &[u8]| Frame::Line(text.to_vec());
        for pieces in [
            &[&b"97\r98\r\n99\n"[..]][..],
            &[b"9", b"7\r", b"98", b"\r", b"\n99\n"],
            &[b"\r\n \0 97\0\0\r\n\r\n98\r99\r"],
        ] {
            assert_eq!(lines(pieces), [line(b"97"), line(b"98"), line(b"99")], "{pieces:?}");
        }
        assert_eq!(lines(&[b"97"]), []);
    }

    #[test]
    fn a_terminal_that_sends_line_feeds_gets_them() {
        for (pieces, ending) in [
            (&[&b"97\r98\r"[..]][..], Ending::Cr),
            (&[b"97\r\n"], Ending::CrLf),
            (&[b"97\n"], Ending::CrLf),
            (&[b"97\r", b"\n"], Ending::CrLf),
            (&[b"97\r\n", b"98\r"], Ending::CrLf),
            (&[b"97\r98\n"], Ending::CrLf),
        ] {
            let mut frames = Frames::new(10);
            for piece in pieces {
                frames.push(piece);
                while frames.next_frame().is_some() {}
            }
            assert_eq!(frames.ending(), ending, "{pieces:?}");
        }
        let mut frames = Frames::new(10);
        frames.push(b"97\r\n98\r\n");
        frames.next_frame();
        assert_eq!(frames.ending(), Ending::CrLf, "known before the first answer");
    }

    #[test]
    fn an_overlong_line_is_discarded_and_reported_once() {
        let line = |text: &[u8]| Frame::Line(text.to_vec());
        for pieces in [&[&b"0123456789x\r97\r"[..]][..], &[b"01234567", b"89x", b"yz", b"and so on for long\r97\r"]] {
            assert_eq!(lines(pieces), [Frame::TooLong, line(b"97")]);
        }
        let mut frames = Frames::new(10);
        for _ in 0..1000 {
            frames.push(&[b'x'; 100]);
            assert_eq!(frames.next_frame(), None);
            assert!(frames.waiting.len() <= 110);
        }
        assert!(frames.has_begun());
    }
}
