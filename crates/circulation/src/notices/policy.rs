//! Patron notice policies as notices are sent by (docs/folio/notices.md).

use serde::Deserialize;
use uuid::Uuid;

use crate::policies::Period;

/// A patron notice policy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NoticePolicy {
    /// About loans.
    pub loan_notices: Vec<Notice>,
    /// About requests.
    pub request_notices: Vec<Notice>,
    /// About fees and fines.
    pub fee_fine_notices: Vec<Notice>,
}

/// One notice of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Notice {
    /// The template.
    pub template_id: Uuid,
    /// `Email`, `SMS` or `Print`.
    pub format: String,
    /// `Recurring`, or once.
    pub frequency: Option<String>,
    /// Sent as soon as it is due, and not with others on the next day.
    pub real_time: bool,
    /// When.
    pub send_options: SendOptions,
}

/// When a notice is sent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SendOptions {
    /// The event.
    pub send_when: String,
    /// Before it, upon it or after it.
    pub send_how: Timing,
    /// How long before or after.
    pub send_by: Option<Period>,
    /// How long between two.
    pub send_every: Option<Period>,
}

/// Where a notice stands to its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Timing {
    /// With it.
    #[default]
    #[serde(rename = "Upon At")]
    UponAt,
    /// Before it.
    Before,
    /// After it.
    After,
}

impl Timing {
    /// The name in a record.
    pub fn name(self) -> &'static str {
        match self {
            Timing::UponAt => "Upon At",
            Timing::Before => "Before",
            Timing::After => "After",
        }
    }
}

impl Notice {
    /// It is sent again and again.
    pub fn every(&self) -> Option<&Period> {
        let recurring = self.frequency.as_deref() == Some("Recurring");
        self.send_options.send_every.as_ref().filter(|_| recurring)
    }
}

impl NoticePolicy {
    /// A stored policy. One that cannot be read has no notices: that must not close the desk.
    pub fn read(record: serde_json::Value) -> NoticePolicy {
        serde_json::from_value(record).unwrap_or_else(|error| {
            tracing::warn!(%error, "a patron notice policy cannot be read");
            NoticePolicy::default()
        })
    }

    /// All its notices.
    pub fn notices(&self) -> impl Iterator<Item = &Notice> {
        let loans = self.loan_notices.iter();
        loans
            .chain(&self.request_notices)
            .chain(&self.fee_fine_notices)
    }

    /// Its notices of an event.
    pub fn of<'p>(&'p self, event: &'p str) -> impl Iterator<Item = &'p Notice> {
        self.notices()
            .filter(move |notice| notice.send_options.send_when == event)
    }
}
