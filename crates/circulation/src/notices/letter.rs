//! A notice to send: recipient, template and context.

use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::records::Patron;

/// What a notice is about, as the circulation log takes it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// ID of the item.
    pub item: Option<Uuid>,
    /// ID of the loan.
    pub loan: Option<Uuid>,
    /// ID of the request.
    pub request: Option<Uuid>,
    /// ID of the fee's account.
    pub account: Option<String>,
    /// ID of the notice policy that the rules choose.
    pub policy: Option<Uuid>,
    /// Where the item was checked out, or is to be picked up.
    pub service_point: Option<Uuid>,
}

/// A notice to send.
#[derive(Debug, Clone, PartialEq)]
pub struct Letter {
    /// The patron, or the patron's proxy.
    pub recipient: Patron,
    /// ID of the notice template.
    pub template: Uuid,
    /// `Email`, `SMS` or `Print`.
    pub format: String,
    /// Values for the template's tokens.
    pub context: Value,
    /// The event, named as in notice policies.
    pub event: String,
    /// The loans, the request or the fee that it is about.
    pub about: Vec<About>,
}

impl Letter {
    /// The MIME type that FOLIO uses for this format.
    pub fn output_format(&self) -> &'static str {
        match self.format.as_str() {
            "SMS" => "text/plain",
            _ => "text/html",
        }
    }

    /// FOLIO's name for the delivery channel.
    pub fn channel(&self) -> &'static str {
        match self.format.as_str() {
            "SMS" => "sms",
            "Print" => "mail",
            _ => "email",
        }
    }
}
