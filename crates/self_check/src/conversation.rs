//! What was said on a connection before: the last question and its answer, and how much could not be read.

use sip2::{Kind, Message, Part, Received};

/// So many lines that are no messages, one after the other, end a conversation.
const UNREADABLE_AT_MOST: u32 = 5;
/// So many failed log-ins end a conversation.
const FAILED_LOGINS_AT_MOST: u32 = 3;

/// The state of a conversation.
#[derive(Debug, Default)]
pub struct Conversation {
    question: Vec<u8>,
    answer: Vec<u8>,
    unreadable: u32,
    failed_logins: u32,
}

impl Conversation {
    /// The answer that is sent again, when `line` only repeats the last question: the terminal has not got the answer,
    /// and nothing may be done twice. With a sequence number the same bytes are the same question. Without, only money
    /// is protected so: whoever asks for the same loan twice may mean it. What changes nothing is simply asked again:
    /// some terminals number every status alike.
    #[must_use]
    pub fn repeated(&self, line: &[u8], received: &Received) -> Option<&[u8]> {
        let message = &received.message;
        let numbered = received.trailer.sequence.is_some();
        let same = !self.question.is_empty() && self.question == line;
        let repeats =
            same && changes_something(message.kind) && (numbered || is_dated_payment(message));
        repeats.then_some(self.answer.as_slice())
    }

    /// The last answer, for a terminal that asks for it; none before the first.
    #[must_use]
    pub fn last_answer(&self) -> Option<&[u8]> {
        (!self.answer.is_empty()).then_some(self.answer.as_slice())
    }

    /// A question was answered.
    pub fn answered(&mut self, line: &[u8], answer: &[u8]) {
        line.clone_into(&mut self.question);
        answer.clone_into(&mut self.answer);
        self.unreadable = 0;
    }

    /// A line was no message; true when it was one too many.
    pub fn not_understood(&mut self) -> bool {
        self.unreadable += 1;
        self.unreadable >= UNREADABLE_AT_MOST
    }

    /// A log-in failed; true when it was one too many.
    pub fn not_signed_in(&mut self) -> bool {
        self.failed_logins += 1;
        self.failed_logins >= FAILED_LOGINS_AT_MOST
    }
}

/// A payment that says when it was made.
pub fn is_dated_payment(message: &Message) -> bool {
    let date = message.part(Part::Date);
    message.kind == Kind::FeePaid && date.bytes().any(|byte| byte.is_ascii_digit())
}

/// A message of this kind changes something.
pub fn changes_something(kind: Kind) -> bool {
    use Kind::{
        BlockPatron, CheckIn, CheckOut, FeePaid, Hold, ItemStatusUpdate, PatronEnable, Renew,
        RenewAll,
    };
    matches!(
        kind,
        BlockPatron
            | CheckIn
            | CheckOut
            | FeePaid
            | Hold
            | ItemStatusUpdate
            | PatronEnable
            | Renew
            | RenewAll
    )
}

#[cfg(test)]
mod tests {
    use sip2::Dialect;

    use super::*;

    fn repeats(first: &str, second: &str) -> bool {
        let mut conversation = Conversation::default();
        conversation.answered(first.as_bytes(), b"answer\r");
        let received = Dialect::default().read(second.as_bytes()).unwrap();
        conversation
            .repeated(second.as_bytes(), &received)
            .is_some()
    }

    #[test]
    fn only_the_same_question_is_a_repetition() {
        let out = "11YN20261122    120000                  AO|AAreader|ABbook|AC|";
        let asked = "1720261122    120000AO|ABbook|";
        let paid = "3720261122    1200000100USDBV5.00|AO|AAreader|";
        let undated = "37                  0100USDBV5.00|AO|AAreader|";
        let numbered = |line: &str| format!("{line}AY3");
        for (first, second, expected) in [
            (numbered(out), numbered(out), true),
            (numbered(out), format!("{out}AY4"), false),
            (out.to_owned(), out.to_owned(), false),
            (numbered(asked), numbered(asked), false),
            (paid.to_owned(), paid.to_owned(), true),
            (undated.to_owned(), undated.to_owned(), false),
            (numbered(undated), numbered(undated), true),
            (paid.to_owned(), out.to_owned(), false),
        ] {
            assert_eq!(repeats(&first, &second), expected, "{first} then {second}");
        }
        let received = Dialect::default().read(out.as_bytes()).unwrap();
        let new = Conversation::default();
        assert_eq!(new.repeated(out.as_bytes(), &received), None);
        assert_eq!(new.last_answer(), None);
    }

    #[test]
    fn patience_ends() {
        let mut conversation = Conversation::default();
        let lines: Vec<_> = (0..5).map(|_| conversation.not_understood()).collect();
        assert_eq!(lines, [false, false, false, false, true]);
        conversation.answered(b"97", b"96\r");
        assert!(!conversation.not_understood());
        let logins: Vec<_> = (0..3).map(|_| conversation.not_signed_in()).collect();
        assert_eq!(logins, [false, false, true]);
    }
}
