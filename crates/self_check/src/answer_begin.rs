//! How answers begin, and what they are when nothing was done.

use sip2::{Code, Kind, Message, Part, field};

const UNKNOWN_LANGUAGE: &str = "000";

/// The kind of the answer to a kind of request.
#[must_use]
pub fn answer_to(kind: Kind) -> Kind {
    match kind {
        Kind::BlockPatron | Kind::PatronStatus => Kind::PatronStatusResponse,
        Kind::CheckIn => Kind::CheckInResponse,
        Kind::CheckOut => Kind::CheckOutResponse,
        Kind::Hold => Kind::HoldResponse,
        Kind::ItemInformation => Kind::ItemInformationResponse,
        Kind::ItemStatusUpdate => Kind::ItemStatusUpdateResponse,
        Kind::PatronEnable => Kind::PatronEnableResponse,
        Kind::Renew => Kind::RenewResponse,
        Kind::EndSession => Kind::EndSessionResponse,
        Kind::FeePaid => Kind::FeePaidResponse,
        Kind::PatronInformation => Kind::PatronInformationResponse,
        Kind::RenewAll => Kind::RenewAllResponse,
        Kind::Login => Kind::LoginResponse,
        Kind::TerminalStatus => Kind::SystemStatus,
        _ => Kind::RequestTerminalResend,
    }
}

/// The beginning of every answer to a request, saying that nothing was done; a success overwrites what it did.
#[must_use]
pub fn begin(request: &Message, now: &str) -> Message {
    let kind = answer_to(request.kind);
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
        Kind::CheckOutResponse | Kind::RenewResponse => {
            &[field::INSTITUTION, field::PATRON, field::ITEM]
        }
        Kind::RenewAllResponse => &[field::INSTITUTION],
        _ => &[field::INSTITUTION, field::PATRON],
    };
    for code in echoed {
        let sent = request.field(*code).unwrap_or_default();
        answer = answer.with(*code, sent);
    }
    answer
}

/// The whole answer that tells a refusal, with the fields that terminals expect in any case; `title` is empty where no
/// item is known.
#[must_use]
pub fn refused(request: &Message, now: &str, title: &str, texts: &[String]) -> Message {
    let answer = begin(request, now);
    let answer = match answer.kind {
        Kind::CheckOutResponse | Kind::RenewResponse => answer
            .with(field::TITLE, title)
            .with(field::DUE_DATE, String::new()),
        Kind::CheckInResponse => answer
            .with(field::PERMANENT_LOCATION, String::new())
            .with(field::TITLE, title),
        Kind::ItemInformationResponse => answer.with(field::TITLE, title),
        Kind::PatronStatusResponse
        | Kind::PatronEnableResponse
        | Kind::PatronInformationResponse => answer
            .with(field::PERSONAL_NAME, String::new())
            .with(field::VALID_PATRON, "N")
            .with(field::VALID_PASSWORD, "N"),
        _ => answer,
    };
    answer.with_each(field::SCREEN_MESSAGE, texts)
}
