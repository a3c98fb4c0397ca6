//! The state of one connection: the last question with its answer, and how many messages failed.

use sip2::{Kind, Message, Part, Received};

use crate::answers::changes_something;

/// Consecutive unreadable lines that end the connection.
const UNREADABLE_AT_MOST: u32 = 5;
/// Failed log-ins that end the connection.
const FAILED_LOGINS_AT_MOST: u32 = 3;

#[derive(Debug, Default)]
pub struct Conversation {
    question: Vec<u8>,
    answer: Vec<u8>,
    unreadable: u32,
    failed_logins: u32,
}

impl Conversation {
    /// The answer to send again if `line` repeats the last question: the terminal missed the answer, and a change must
    /// not be made twice. With sequence numbers, identical bytes are a repetition. Without them only payments count as
    /// repeated, because a patron may really ask for the same loan twice. Messages that change nothing are answered
    /// anew, since some terminals give every status the same number.
    pub fn repeated(&self, line: &[u8], received: &Received) -> Option<&[u8]> {
        let message = &received.message;
        let numbered = received.trailer.sequence.is_some();
        let same = !self.question.is_empty() && self.question == line;
        let repeats = same && changes_something(message.kind) && (numbered || is_dated_payment(message));
        repeats.then_some(self.answer.as_slice())
    }

    /// The last answer, if there was one, for a terminal that asks for it again.
    #[must_use]
    pub(crate) fn last_answer(&self) -> Option<&[u8]> {
        (!self.answer.is_empty()).then_some(self.answer.as_slice())
    }

    /// Remembers a question and its answer.
    pub fn answered(&mut self, line: &[u8], answer: &[u8]) {
        line.clone_into(&mut self.question);
        answer.clone_into(&mut self.answer);
        self.unreadable = 0;
    }

    /// Counts an unreadable line; true if it was one too many.
    pub(crate) fn count_unreadable(&mut self) -> bool {
        self.unreadable += 1;
        self.unreadable >= UNREADABLE_AT_MOST
    }

    /// Counts a failed log-in; true if it was one too many.
    pub(crate) fn count_failed_login(&mut self) -> bool {
        self.failed_logins += 1;
        self.failed_logins >= FAILED_LOGINS_AT_MOST
    }
}

/// Whether a payment carries its time.
pub(crate) fn is_dated_payment(message: &Message) -> bool {
    let date = message.part(Part::Date);
    message.kind == Kind::FeePaid && date.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use sip2::Dialect;

    use super::*;

    fn repeats(first: &str, second: &str) -> bool {
        let mut conversation = Conversation::default();
        conversation.answered(first.as_bytes(), b"answer\r");
        let received = Dialect::default().read(second.as_bytes()).unwrap();
        conversation.repeated(second.as_bytes(), &received).is_some()
    }

    #[test]
    fn only_an_identical_question_is_a_repetition() {
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
    fn too_many_failures_end_the_connection() {
        let mut conversation = Conversation::default();
        let lines: Vec<_> = (0..5).map(|_| conversation.count_unreadable()).collect();
        assert_eq!(lines, [false, false, false, false, true]);
        conversation.answered(b"97", b"96\r");
        assert!(!conversation.count_unreadable());
        let logins: Vec<_> = (0..3).map(|_| conversation.count_failed_login()).collect();
        assert_eq!(logins, [false, false, true]);
    }
}
