//! Cuts what a terminal sends into lines. A line ends with CR, LF or both; empty ones are nothing.

use crate::dialect::Ending;

/// What came next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line longer than any message, which was thrown away.
    TooLong,
}

/// The bytes of one connection that have not been read as lines yet; never more than the longest line and what one
/// [`Frames::push`] brings.
#[derive(Debug)]
pub struct Frames {
    waiting: Vec<u8>,
    /// How much of `waiting` has been looked at.
    seen: usize,
    longest: usize,
    /// The rest of a line that is too long is thrown away.
    skipping: bool,
    /// A line feed was among the ends of lines.
    line_feeds: bool,
}

impl Frames {
    /// For lines of at most `longest` bytes.
    #[must_use]
    pub fn new(longest: usize) -> Self {
        Self {
            waiting: Vec::new(),
            seen: 0,
            longest,
            skipping: false,
            line_feeds: false,
        }
    }

    /// More bytes came.
    pub fn push(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
    }

    /// True while the beginning of a line waits for its end.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.skipping || !self.waiting.is_empty()
    }

    /// How the sender ends its lines, as far as they have come: whoever sends a line feed waits for one.
    #[must_use]
    pub fn ending(&self) -> Ending {
        match self.line_feeds {
            true => Ending::CrLf,
            false => Ending::Cr,
        }
    }

    /// The next line, if all of it is there.
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
            // The line feed that belongs to a carriage return has mostly come with it.
            self.line_feeds |= self.waiting[end..]
                .iter()
                .take(2)
                .any(|byte| *byte == b'\n');
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

/// Terminals behind serial adapters put blanks and zero bytes around messages.
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
            assert_eq!(
                lines(pieces),
                [line(b"97"), line(b"98"), line(b"99")],
                "{pieces:?}"
            );
        }
        assert_eq!(lines(&[b"97"]), []);
    }

    #[test]
    fn whoever_sends_line_feeds_waits_for_them() {
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
        assert_eq!(
            frames.ending(),
            Ending::CrLf,
            "known before the first answer"
        );
    }

    #[test]
    fn a_line_without_end_is_thrown_away_and_told_once() {
        let line = |text: &[u8]| Frame::Line(text.to_vec());
        for pieces in [
            &[&b"0123456789x\r97\r"[..]][..],
            &[b"01234567", b"89x", b"yz", b"and so on for long\r97\r"],
        ] {
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
