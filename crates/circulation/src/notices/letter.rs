//! A notice that is to be sent: to whom, by which template, filled with what.

use serde_json::Value;
use uuid::Uuid;

use crate::records::Patron;

/// A notice that is to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Letter {
    /// Who gets it.
    pub recipient: Patron,
    /// The template.
    pub template: Uuid,
    /// `Email`, `SMS` or `Print`.
    pub format: String,
    /// What the template is filled with.
    pub context: Value,
    /// Why, in the words of notice policies.
    pub event: String,
}

impl Letter {
    /// How FOLIO calls the format of the text.
    pub fn output_format(&self) -> &'static str {
        match self.format.as_str() {
            "SMS" => "text/plain",
            _ => "text/html",
        }
    }

    /// How FOLIO calls the way it goes.
    pub fn channel(&self) -> &'static str {
        match self.format.as_str() {
            "SMS" => "sms",
            "Print" => "mail",
            _ => "email",
        }
    }
}
