//! How answers begin, and the answers to refused requests.

use sip2::{Code, Kind, Message, Part, field};

const UNKNOWN_LANGUAGE: &str = "000";

/// The start of every answer, saying that nothing was done; a success overwrites that.
pub fn begin(request: &Message, now: &str) -> Message {
    let kind = request.kind.answer();
    let kind = kind.unwrap_or(Kind::RequestTerminalResend);
    let language = request.part(Part::Language);
    let known = !language.is_empty() && language.bytes().all(|byte| byte.is_ascii_digit());
    let language = if known { language } else { UNKNOWN_LANGUAGE };
    let mut answer = Message::new(kind)
        .with_part(Part::Ok, "0")
        .with_part(Part::RenewalOk, "N")
        .with_part(Part::MagneticMedia, "U")
        .with_part(Part::Desensitize, "N")
        .with_part(Part::Resensitize, "N")
        .with_part(Part::Alert, "N")
        .with_part(Part::Available, "N")
        .with_part(Part::SessionEnded, "N")
        .with_part(Part::PaymentAccepted, "N")
        .with_part(Part::PatronStatus, "YYYYYYYYYYYYYY")
        .with_part(Part::Language, language)
        .with_part(Part::CirculationStatus, "01")
        .with_part(Part::SecurityMarker, "00")
        .with_part(Part::FeeType, "01")
        .with_part(Part::Date, now);
    for count in [
        Part::HoldCount,
        Part::OverdueCount,
        Part::ChargedCount,
        Part::FineCount,
        Part::RecallCount,
        Part::UnavailableHoldCount,
        Part::RenewedCount,
        Part::UnrenewedCount,
    ] {
        answer = answer.with_number(count, 0);
    }
    let echoed: &[Code] = match kind {
        Kind::LoginResponse | Kind::SystemStatus | Kind::RequestTerminalResend => &[],
        Kind::ItemInformationResponse | Kind::ItemStatusUpdateResponse => &[field::ITEM],
        Kind::CheckInResponse => &[field::INSTITUTION, field::ITEM],
        Kind::CheckOutResponse | Kind::RenewResponse => &[field::INSTITUTION, field::PATRON, field::ITEM],
        Kind::RenewAllResponse => &[field::INSTITUTION],
        _ => &[field::INSTITUTION, field::PATRON],
    };
    for code in echoed {
        let sent = request.field(*code).unwrap_or_default();
        answer = answer.with(*code, sent);
    }
    answer
}

/// The complete answer to a refused request, with the fields that terminals require even then. `title` is empty if no
/// item is known.
pub fn refused(request: &Message, now: &str, title: &str, texts: &[String]) -> Message {
    let answer = begin(request, now);
    let answer = match answer.kind {
        Kind::CheckOutResponse | Kind::RenewResponse => {
            answer.with(field::TITLE, title).with(field::DUE_DATE, String::new())
        }
        Kind::CheckInResponse => answer.with(field::PERMANENT_LOCATION, String::new()).with(field::TITLE, title),
        Kind::ItemInformationResponse => answer.with(field::TITLE, title),
        Kind::PatronStatusResponse | Kind::PatronEnableResponse | Kind::PatronInformationResponse => answer
            .with(field::PERSONAL_NAME, String::new())
            .with(field::VALID_PATRON, "N")
            .with(field::VALID_PASSWORD, "N"),
        _ => answer,
    };
    answer.with_each(field::SCREEN_MESSAGE, texts)
}
