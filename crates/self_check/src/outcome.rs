//! What a message led to, and what the log and the metrics record of it.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use sip2::{Message, Part, Received};
use store::db::Meter;

use crate::{answer_begin::refused, station::Station, transaction::Answered};

/// The status code of a terminal whose printer is out of paper.
const OUT_OF_PAPER: &str = "1";

/// What a message led to.
pub struct Outcome {
    pub answer: Message,
    pub done: bool,
    /// Why it was refused, for the log.
    pub why: Option<String>,
    /// An error that an operator has to look into.
    pub failure: Option<String>,
    pub meter: Option<Arc<Meter>>,
    /// The connection ends after this answer.
    pub last: bool,
}

impl Outcome {
    pub fn new(answer: Message, done: bool) -> Self {
        Outcome { answer, done, why: None, failure: None, meter: None, last: false }
    }

    /// Writes one line per transaction: who did what where, and how long it took. Nothing from the message's contents.
    pub fn log(&self, peer: SocketAddr, station: Option<&Station>, received: &Received, took: Duration) {
        let message = received.message.kind.code();
        let result = match (self.done, &self.failure) {
            (true, _) => "done",
            (false, None) => "refused",
            (false, Some(_)) => "failed",
        };
        metrics::histogram!("carrel_sip2_seconds", "message" => message, "result" => result).record(took.as_secs_f64());
        if received.message.flag(Part::NoBlock) {
            metrics::counter!("carrel_sip2_offline_total", "message" => message, "result" => result).increment(1);
            if !self.done {
                let at = received.message.part(Part::Date);
                tracing::warn!(target: "carrel::sip2", peer = %peer, message, at, "what was done off line is not recorded");
            }
        }
        if received.message.part(Part::StatusCode) == OUT_OF_PAPER {
            tracing::warn!(target: "carrel::sip2", peer = %peer, message, "the terminal is out of paper");
        }
        let meter = self.meter.as_ref();
        let trips = meter.map_or(0, |meter| meter.trips());
        let db = meter.map_or(Duration::ZERO, |meter| meter.time());
        if let Some(failure) = &self.failure {
            tracing::error!(target: "carrel::sip2", peer = %peer, message, failure, "transaction failed");
        }
        tracing::info!(
            target: "carrel::sip2",
            peer = %peer,
            tenant = station.map(|station| station.tenant.as_str()),
            user = station.map(|station| tracing::field::display(station.user)),
            service_point = station.map(|station| tracing::field::display(station.service_point)),
            message,
            result,
            why = self.why.as_deref(),
            ms = took.as_secs_f64() * 1000.0,
            db_ms = db.as_secs_f64() * 1000.0,
            round_trips = trips,
        );
    }
}

pub(crate) fn outcome_of(request: &Message, now: &str, answered: Answered) -> Outcome {
    match answered {
        Ok(answer) => Outcome::new(answer, true),
        Err(refusal) => {
            let answer = refused(request, now, &refusal.title, &refusal.texts);
            let mut outcome = Outcome::new(answer, false);
            outcome.why = refusal.why;
            outcome.failure = refusal.failure;
            outcome
        }
    }
}
