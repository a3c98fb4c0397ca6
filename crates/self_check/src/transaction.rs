//! One transaction of a terminal: may it, does it, and what it answers when not.

use std::sync::Arc;

use api::{answer::Problem, inside::Insider};
use circulation::configuration::{Configuration, StationRules};
use http::Method;
use jiff::Timestamp;
use serde_json::Value;
use sip2::{Code, Kind, Message, Part};
use store::StoreError;

use crate::{
    answer_begin::begin,
    answers::{
        blocks, check_in, check_out, end_session, fees, holds, item_properties, items, patrons,
        renew,
    },
    station::Station,
    why,
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
    /// Title of the item that it was about; empty where there is none.
    pub title: String,
    /// Why, for the log: nothing of the patron.
    pub why: Option<String>,
    /// Something failed that has to be looked into.
    pub failure: Option<String>,
}

impl Refusal {
    /// With one sentence.
    pub fn saying(text: String) -> Self {
        Refusal {
            texts: vec![text],
            title: String::new(),
            why: None,
            failure: None,
        }
    }
}

/// An answer, or why there is only a refusal to tell.
pub type Answered = Result<Message, Refusal>;

impl Transaction<'_> {
    /// Answers the request.
    pub async fn answer(&self) -> Answered {
        match self.answered().await {
            Ok(answer) => Ok(answer),
            Err(mut refusal) => {
                refusal.title = self.title(&refusal).await;
                Err(self.not_recorded(refusal))
            }
        }
    }

    /// The title of an item that was not lent or not taken back, for the screen and the receipt. One round trip, and none
    /// where nothing was tried.
    async fn title(&self, refusal: &Refusal) -> String {
        let kind = self.request.kind;
        let scanned = matches!(kind, Kind::CheckOut | Kind::CheckIn);
        if !scanned || refusal.failure.is_some() || self.permitted(kind).is_err() {
            return String::new();
        }
        let found = items::read(self).await.ok().flatten();
        found.map(|found| found.title).unwrap_or_default()
    }

    async fn answered(&self) -> Answered {
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
            Kind::ItemStatusUpdate => item_properties::answer(self).await,
            Kind::FeePaid => fees::answer(self).await,
            Kind::Hold => holds::answer(self).await,
            Kind::BlockPatron => blocks::block(self).await,
            Kind::PatronEnable => blocks::enable(self).await,
            Kind::EndSession => end_session::answer(self).await,
            _ => Err(self.refuse(Text::NotHere)),
        }
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
            title: String::new(),
            why: why::of(&problem),
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
