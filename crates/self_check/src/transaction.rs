//! One transaction of a terminal: the checks, the call, and the refusal if there is one.

use std::sync::Arc;

use api::{answer::Problem, inside::Insider};
use circulation::configuration::{Configuration, StationRules};
use http::Method;
use jiff::Timestamp;
use serde_json::Value;
use sip2::{Code, Message, Part};
use store::StoreError;

use crate::{
    answer_begin::begin,
    station::Station,
    why,
    words::{Text, Words},
};

/// Everything needed to answer one message.
pub struct Transaction<'m> {
    /// Sends requests with the permissions of the terminal's user.
    pub insider: Insider,
    pub station: &'m Station,
    pub configuration: Arc<Configuration>,
    /// The message.
    pub request: &'m Message,
}

/// Why something was not done.
#[derive(Debug)]
pub struct Refusal {
    /// Texts for the patron's screen.
    pub texts: Vec<String>,
    /// Title of the item, or empty.
    pub title: String,
    /// The reason for the log, without patron data.
    pub why: Option<String>,
    /// An error that an operator has to look into.
    pub failure: Option<String>,
}

impl Refusal {
    /// A refusal with one sentence.
    pub(crate) fn with_text(text: String) -> Self {
        Refusal { texts: vec![text], title: String::new(), why: None, failure: None }
    }
}

pub(crate) type Answered = Result<Message, Refusal>;

impl Transaction<'_> {
    /// The rules for the terminal's service point.
    pub fn here(&self) -> StationRules {
        self.configuration.self_checks.station(self.station.service_point)
    }

    pub fn words(&self) -> Words {
        Words::of(Some(&self.configuration))
    }

    /// A refusal with one text.
    pub fn refuse(&self, text: Text) -> Refusal {
        Refusal::with_text(self.words().say(text))
    }

    /// A refusal from the gateway or a handler.
    pub fn problem(&self, problem: Problem) -> Refusal {
        let failure = match &problem {
            Problem::Internal(context) => Some(context.clone()),
            Problem::Text(status, text) if status.is_server_error() => Some(text.clone()),
            _ => None,
        };
        Refusal { texts: self.words().of_problem(&problem), title: String::new(), why: why::of(&problem), failure }
    }

    /// A failed database call.
    pub fn failed(&self, error: StoreError) -> Refusal {
        self.problem(error.into())
    }

    /// A required field.
    pub fn required(&self, code: Code) -> Result<&str, Refusal> {
        let text = self.request.field(code).map(str::trim);
        let text = text.filter(|text| !text.is_empty());
        text.ok_or_else(|| self.refuse(Text::BarcodeMissing))
    }

    /// Sends a request as the terminal's user.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Result<Value, Problem> {
        self.insider.send(&method, path, body).await
    }

    /// A moment in the terminal's format.
    pub fn stamp(&self, moment: Timestamp) -> String {
        sip2::stamp(&moment.to_zoned(self.configuration.zone().clone()))
    }

    /// The moment in a part of the request.
    pub fn moment(&self, part: Part) -> Option<Timestamp> {
        sip2::moment(self.request.part(part), self.configuration.zone())
    }

    /// A stored or computed date in the terminal's format.
    pub fn date(&self, text: Option<&str>) -> Option<String> {
        let moment = circulation::dates::parse_date_time(text?)?;
        Some(self.stamp(moment))
    }

    /// The start of the answer: nothing done yet, identifiers as they were sent.
    pub fn begin(&self) -> Message {
        begin(self.request, &self.stamp(self.insider.now))
    }
}
