//! Answers a status request (99): what the library system is and what this terminal may do.

use circulation::configuration::StationRules;
use sip2::{Kind, Message, Part, field};

use crate::{answer_begin::begin, transaction::Transaction};

/// A terminal's timeout for an answer in tenths of a second, unless the library sets another.
const TIMEOUT: usize = 300;
/// How often the terminal then repeats the message.
const RETRIES: usize = 3;
/// Supported before sign-in: status, resend and log-in.
const BEFORE: &str = "NNNNYYYNNNNNNNNN";
/// Supported when all connections are taken.
const NONE: &str = "NNNNNNNNNNNNNNNN";
const PROTOCOL: &str = "2.00";

fn message(request: &Message, now: &str, here: &StationRules) -> Message {
    begin(request, now)
        .with_flag(Part::Online, true)
        .with_number(Part::Timeout, here.timeout.unwrap_or(TIMEOUT))
        .with_number(Part::Retries, here.retries.unwrap_or(RETRIES))
        .with_part(Part::ProtocolVersion, PROTOCOL)
}

/// One round trip, already made by the caller.
pub fn signed_in(transaction: &Transaction<'_>) -> Message {
    let here = transaction.here();
    let may = |kind| transaction.permitted(kind).is_ok();
    let offline = transaction.configuration.self_checks.rules.offline;
    let place = Some(transaction.station.service_point);
    let place = transaction.configuration.service_point(place);
    let name = place.map(|place| place.name.clone()).unwrap_or_default();
    let now = transaction.stamp(transaction.insider.now);
    message(transaction.request, &now, &here)
        .with_flag(Part::CheckInOk, may(Kind::CheckIn))
        .with_flag(Part::CheckOutOk, may(Kind::CheckOut))
        .with_flag(Part::RenewalOkHere, may(Kind::Renew))
        .with_flag(Part::StatusUpdateOk, may(Kind::BlockPatron))
        .with_flag(Part::OfflineOk, offline)
        .with(field::INSTITUTION, &transaction.station.tenant)
        .with_some(field::LIBRARY_NAME, here.library_name)
        .with(field::SUPPORTED_MESSAGES, transaction.supported())
        .with(field::TERMINAL_LOCATION, here.location.unwrap_or(name))
}

/// The answer before sign-in: the terminal may sign in.
pub(crate) fn before_sign_in(request: &Message, now: &str) -> Message {
    let answer = message(request, now, &StationRules::default());
    nothing_possible(answer, BEFORE)
}

/// Sent unasked when all connections are taken: the library system is offline for this terminal.
pub fn turned_away(now: &str) -> Message {
    let answer = Message::new(Kind::SystemStatus)
        .with_flag(Part::Online, false)
        .with_number(Part::Timeout, 0)
        .with_number(Part::Retries, 0)
        .with_part(Part::Date, now)
        .with_part(Part::ProtocolVersion, PROTOCOL);
    nothing_possible(answer, NONE).with(field::SCREEN_MESSAGE, "Too many terminals are connected.")
}

/// A status in which no transaction is possible, only the messages of `supported`.
fn nothing_possible(answer: Message, supported: &str) -> Message {
    [Part::CheckInOk, Part::CheckOutOk, Part::RenewalOkHere, Part::StatusUpdateOk, Part::OfflineOk]
        .into_iter()
        .fold(answer, |answer, part| answer.with_flag(part, false))
        .with(field::INSTITUTION, "")
        .with(field::SUPPORTED_MESSAGES, supported)
}
