//! One transaction of a terminal: may it, does it, and what it answers when not.

use std::sync::Arc;

use api::{answer::Problem, inside::Insider};
use circulation::configuration::{Configuration, StationRules};
use http::Method;
use jiff::Timestamp;
use serde_json::Value;
use sip2::{Code, Kind, Message, Part, field};
use store::StoreError;

use crate::{
    answers::{blocks, check_in, check_out, end_session, fees, holds, items, patrons, renew},
    station::Station,
    words::{Text, Words},
};

/// What is needed to answer a message.
pub struct Transaction<'m> {
    /// Does what the terminal's user may do.
    pub insider: Insider,
    /// The terminal.
    pub station: &'m Station,
    /// The library's configuration.
    pub configuration: Arc<Configuration>,
    /// What is asked.
    pub request: &'m Message,
}

/// Why something was not done.
#[derive(Debug)]
pub struct Refusal {
    /// What the patron reads.
    pub texts: Vec<String>,
    /// Something failed that has to be looked into.
    pub failure: Option<String>,
}

impl Refusal {
    /// With one sentence.
    pub fn saying(text: String) -> Self {
        Refusal {
            texts: vec![text],
            failure: None,
        }
    }
}

/// An answer, or why there is only a refusal to tell.
pub type Answered = Result<Message, Refusal>;

/// What a message needs: its place in the list of supported messages, edge-sip2's name for it, and the requests it makes.
struct Needs {
    kind: Kind,
    name: &'static str,
    requests: &'static [(Method, &'static str)],
}

const READ_PATRON: [(Method, &str); 4] = [
    (Method::GET, "/users"),
    (Method::GET, "/accounts"),
    (Method::GET, "/manualblocks"),
    (Method::GET, "/automated-patron-blocks/x"),
];

/// The messages a terminal may send, in the order of the field of supported messages; only the item status update is
/// never done, for a library keeps no properties of items that terminals know.
const NEEDS: [Option<Needs>; 16] = [
    needs(Kind::PatronStatus, "PATRON_STATUS_REQUEST", &READ_PATRON),
    needs(
        Kind::CheckOut,
        "CHECKOUT",
        &[(Method::POST, "/circulation/check-out-by-barcode")],
    ),
    needs(
        Kind::CheckIn,
        "CHECKIN",
        &[(Method::POST, "/circulation/check-in-by-barcode")],
    ),
    needs(
        Kind::BlockPatron,
        "BLOCK_PATRON",
        &[(Method::POST, "/manualblocks"), (Method::GET, "/users")],
    ),
    needs(Kind::TerminalStatus, "SC_ACS_STATUS", &[]),
    needs(Kind::RequestResend, "REQUEST_SC_ACS_RESEND", &[]),
    needs(Kind::Login, "LOGIN", &[]),
    needs(
        Kind::PatronInformation,
        "PATRON_INFORMATION",
        &[
            (Method::GET, "/users"),
            (Method::GET, "/accounts"),
            (Method::GET, "/manualblocks"),
            (Method::GET, "/automated-patron-blocks/x"),
            (Method::GET, "/circulation/loans"),
            (Method::GET, "/circulation/requests"),
        ],
    ),
    needs(
        Kind::EndSession,
        "END_PATRON_SESSION",
        &[(Method::POST, "/circulation/end-patron-action-session")],
    ),
    needs(
        Kind::FeePaid,
        "FEE_PAID",
        &[
            (Method::GET, "/accounts"),
            (Method::POST, "/accounts-bulk/pay"),
        ],
    ),
    needs(
        Kind::ItemInformation,
        "ITEM_INFORMATION",
        &[(Method::GET, "/inventory/items")],
    ),
    None,
    needs(
        Kind::PatronEnable,
        "PATRON_ENABLE",
        &[
            (Method::GET, "/manualblocks"),
            (Method::DELETE, "/manualblocks/x"),
        ],
    ),
    needs(
        Kind::Hold,
        "HOLD",
        &[
            (Method::POST, "/circulation/requests"),
            (Method::PUT, "/circulation/requests/x"),
        ],
    ),
    needs(
        Kind::Renew,
        "RENEW",
        &[(Method::POST, "/circulation/renew-by-barcode")],
    ),
    needs(
        Kind::RenewAll,
        "RENEW_ALL",
        &[
            (Method::GET, "/circulation/loans"),
            (Method::POST, "/circulation/renew-by-id"),
        ],
    ),
];

const fn needs(
    kind: Kind,
    name: &'static str,
    requests: &'static [(Method, &'static str)],
) -> Option<Needs> {
    Some(Needs {
        kind,
        name,
        requests,
    })
}

impl Transaction<'_> {
    /// Answers the request.
    pub async fn answer(&self) -> Answered {
        let kind = self.request.kind;
        if kind == Kind::TerminalStatus {
            return Ok(crate::answers::status::signed_in(self));
        }
        self.permitted(kind)?;
        match kind {
            Kind::PatronStatus => patrons::status(self).await,
            Kind::PatronInformation => patrons::information(self).await,
            Kind::CheckOut => check_out::answer(self).await,
            Kind::CheckIn => check_in::answer(self).await,
            Kind::Renew => renew::one(self).await,
            Kind::RenewAll => renew::all(self).await,
            Kind::ItemInformation => items::answer(self).await,
            Kind::FeePaid => fees::answer(self).await,
            Kind::Hold => holds::answer(self).await,
            Kind::BlockPatron => blocks::block(self).await,
            Kind::PatronEnable => blocks::enable(self).await,
            Kind::EndSession => end_session::answer(self).await,
            _ => Err(self.refuse(Text::NotHere)),
        }
    }

    /// Says whether the terminal may send such a message: the library has not switched it off, and the user has every
    /// permission that the same work needs over HTTP.
    pub fn permitted(&self, kind: Kind) -> Result<(), Refusal> {
        let mut known = NEEDS.iter().flatten();
        let Some(needs) = known.find(|needs| needs.kind == kind) else {
            return Err(self.refuse(Text::NotHere));
        };
        let rules = &self.configuration.self_checks.rules;
        let here = self.here();
        let off = match kind {
            Kind::CheckOut => here.check_out == Some(false),
            Kind::CheckIn => here.check_in == Some(false),
            Kind::Renew | Kind::RenewAll => here.renewal == Some(false),
            Kind::BlockPatron | Kind::PatronEnable => rules.status_update == Some(false),
            _ => false,
        };
        if off || rules.switched_off.contains(needs.name) {
            return Err(self.refuse(Text::NotHere));
        }
        let mut requests = needs.requests.iter();
        requests
            .try_for_each(|(method, path)| self.insider.permit(method, path))
            .map_err(|problem| self.problem(problem))
    }

    /// The messages this terminal may send, `Y` or `N` each.
    pub fn supported(&self) -> String {
        let may = |needs: &Needs| self.permitted(needs.kind).is_ok();
        let letter = |needs: &Option<Needs>| match needs {
            Some(needs) if may(needs) => 'Y',
            _ => 'N',
        };
        NEEDS.iter().map(letter).collect()
    }

    /// The rules of where the terminal stands.
    pub fn here(&self) -> StationRules {
        self.configuration
            .self_checks
            .station(self.station.service_point)
    }

    /// The library's texts.
    pub fn words(&self) -> Words {
        Words::of(Some(&self.configuration))
    }

    /// A refusal with one text.
    pub fn refuse(&self, text: Text) -> Refusal {
        Refusal::saying(self.words().say(text))
    }

    /// A refusal of the gateway or a handler.
    pub fn problem(&self, problem: Problem) -> Refusal {
        let failure = match &problem {
            Problem::Internal(context) => Some(context.clone()),
            Problem::Text(status, text) if status.is_server_error() => Some(text.clone()),
            _ => None,
        };
        Refusal {
            texts: self.words().of_problem(&problem),
            failure,
        }
    }

    /// A failure of the database.
    pub fn failed(&self, error: StoreError) -> Refusal {
        self.problem(error.into())
    }

    /// A field that has to be there.
    pub fn required(&self, code: Code) -> Result<&str, Refusal> {
        let text = self.request.field(code).map(str::trim);
        let text = text.filter(|text| !text.is_empty());
        text.ok_or_else(|| self.refuse(Text::BarcodeMissing))
    }

    /// Sends a request as the terminal's user.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Result<Value, Problem> {
        self.insider.send(&method, path, body).await
    }

    /// A moment as the terminal shows it.
    pub fn stamp(&self, moment: Timestamp) -> String {
        sip2::stamp(&moment.to_zoned(self.configuration.zone().clone()))
    }

    /// The moment a part of the request names.
    pub fn moment(&self, part: Part) -> Option<Timestamp> {
        sip2::moment(self.request.part(part), self.configuration.zone())
    }

    /// A date as stored or computed, as the terminal shows it.
    pub fn date(&self, text: Option<&str>) -> Option<String> {
        let moment = circulation::dates::parse_date_time(text?)?;
        Some(self.stamp(moment))
    }

    /// The beginning of the answer: nothing done, the identifiers as they were sent.
    pub fn begin(&self) -> Message {
        begin(self.request, &self.stamp(self.insider.now))
    }
}

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
    let language = match request.part(Part::Language) {
        "" | "   " => "000",
        language => language,
    };
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

/// The whole answer that tells a refusal, with the fields that terminals expect in any case.
#[must_use]
pub fn refused(request: &Message, now: &str, texts: &[String]) -> Message {
    let item = request.field(field::ITEM).unwrap_or_default();
    let answer = begin(request, now);
    let answer = match answer.kind {
        Kind::CheckOutResponse | Kind::RenewResponse => answer
            .with(field::TITLE, item)
            .with(field::DUE_DATE, String::new()),
        Kind::CheckInResponse => answer
            .with(field::PERMANENT_LOCATION, String::new())
            .with(field::TITLE, item),
        Kind::ItemInformationResponse => answer.with(field::TITLE, String::new()),
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
