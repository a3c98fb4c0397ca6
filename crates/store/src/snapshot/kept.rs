//! The answers of a snapshot, all with the same stamp.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use bytes::Bytes;
use uuid::Uuid;

use super::Reading;

/// What an entry takes beside its texts, about.
const ENTRY: usize = 128;

/// An answer, and its packed form once somebody wants it.
#[derive(Debug)]
pub struct Answer {
    body: Bytes,
    packed: OnceLock<Bytes>,
}

impl Answer {
    /// The answer as it was read.
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// The packed form, which `pack` makes the first time. It must not be longer.
    pub fn packed(&self, pack: impl FnOnce(&[u8]) -> Bytes) -> &Bytes {
        self.packed.get_or_init(|| pack(&self.body))
    }
}

pub(super) struct Kept {
    /// The stamp of all answers, and the latest statement that read it.
    current: Option<(Uuid, Reading)>,
    /// When a statement last said which stamp is current.
    noted: Instant,
    answers: HashMap<Box<str>, Arc<Answer>>,
    bytes: usize,
}

impl Kept {
    pub fn new(now: Instant) -> Self {
        Self { current: None, noted: now, answers: HashMap::new(), bytes: 0 }
    }

    /// The latest statement that read the stamp.
    pub fn current(&self) -> Option<Reading> {
        self.current.map(|(_, reading)| reading)
    }

    pub fn answer(&self, question: &str) -> Option<Arc<Answer>> {
        self.answers.get(question).cloned()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// What an answer takes with its packed form.
    pub fn size(question: &str, answer: &Bytes) -> usize {
        ENTRY + question.len() + 2 * answer.len()
    }

    /// Notes that a statement read this stamp. Returns whether its answer has the stamp that is current as far as is
    /// known.
    pub fn note(&mut self, reading: Reading, stamp: Uuid, now: Instant) -> bool {
        let noted = std::mem::replace(&mut self.noted, now);
        match &mut self.current {
            Some((known, latest)) if *known == stamp => {
                latest.began = latest.began.max(reading.began);
                latest.writes = latest.writes.max(reading.writes);
                true
            }
            // Two statements ran at the same time and saw different stamps: which is the later one is not known.
            Some(_) if reading.began <= noted => {
                self.forget();
                false
            }
            _ => {
                self.forget();
                self.current = Some((stamp, reading));
                true
            }
        }
    }

    /// Removes all answers if another of this size would be too much.
    pub fn make_room(&mut self, size: usize, most: usize) {
        if self.bytes + size > most {
            self.answers.clear();
            self.bytes = 0;
        }
    }

    pub fn insert(&mut self, question: &str, answer: Bytes) {
        self.bytes += Self::size(question, &answer);
        let answer = Arc::new(Answer { body: answer, packed: OnceLock::new() });
        if let Some(before) = self.answers.insert(question.into(), answer) {
            self.bytes -= Self::size(question, &before.body);
        }
    }

    pub(super) fn is_idle_since(&self, now: Instant, idle: Duration) -> bool {
        self.bytes > 0 && now.saturating_duration_since(self.noted) >= idle
    }

    pub fn forget(&mut self) {
        self.current = None;
        self.answers = HashMap::new();
        self.bytes = 0;
    }
}
