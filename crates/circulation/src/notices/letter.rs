//! A notice to send: recipient, template and context.

use serde_json::Value;
use uuid::Uuid;

use crate::records::Patron;

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
