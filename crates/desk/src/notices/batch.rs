//! A batch of processed notices: fills the letters and writes everything at once.

use std::collections::HashMap;

use circulation::notices::{Failure, Letter};
use jiff::Timestamp;
use messages::{
    mail::email,
    refusal::{CHANNEL_UNKNOWN, TEMPLATE_UNKNOWN},
    templates::{Locale, stored},
};
use serde_json::{Value, json};
use store::{
    StoreError,
    db::Transaction,
    statements::{circulation::NOTICE_TEMPLATES, writes::SETTLE_NOTICES},
};

use uuid::Uuid;

use crate::Columns;

/// The language of FOLIO's notices.
const LANGUAGE: &str = "en";

/// The results to write.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub letters: Vec<Letter>,
    pub failures: Vec<Failure>,
    pub forgotten: Vec<Value>,
    pub scheduled: Vec<Value>,
    pub removed: Vec<Uuid>,
    pub moved: Vec<Value>,
    pub events: Vec<i64>,
    pub loans: Vec<Value>,
    pub fees: Option<Value>,
}

impl Batch {
    /// True if there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
            && self.removed.is_empty()
            && self.moved.is_empty()
            && self.events.is_empty()
            && self.loans.is_empty()
    }

    /// Writes everything and commits. At most three round trips.
    pub async fn settle(self, transaction: Transaction, now: Timestamp) -> Result<(), StoreError> {
        if !self.is_empty() {
            let emails = emails(&self.letters, &transaction, now).await?;
            let told = self.letters.iter().zip(&emails).map(|(letter, email)| told(letter, email));
            let told: Vec<_> = told.chain(self.failures.iter().map(|failure| json!(failure))).collect();
            let work = json!({
                "emails": emails, "told": told, "forgotten": self.forgotten, "scheduled": self.scheduled, "removed": self.removed,
                "moved": self.moved, "events": self.events, "loans": self.loans, "fees": self.fees,
            });
            transaction.query(SETTLE_NOTICES, &[&work]).await?;
        }
        transaction.commit().await
    }
}

async fn emails(letters: &[Letter], transaction: &Transaction, now: Timestamp) -> Result<Vec<Value>, StoreError> {
    if letters.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = letters.iter().map(|letter| letter.template).collect();
    let rows = transaction.query(NOTICE_TEMPLATES, &[&ids]).await?;
    let row = rows.first().ok_or_else(|| StoreError::Other("no row of templates".into()))?;
    let found: Vec<Value> = row.record("templates")?.unwrap_or_default();
    let locale = Locale::of_tenant(&row.column("locale")?);
    let by_id = found.iter().filter_map(|template| {
        let id = template["id"].as_str().and_then(|id| Uuid::parse_str(id).ok())?;
        Some((id, template))
    });
    let by_id: HashMap<Uuid, &Value> = by_id.collect();
    let each = letters.iter();
    Ok(each.map(|letter| email(letter, by_id.get(&letter.template).copied(), &locale, now)).collect())
}

/// What the circulation log says of a letter.
fn told(letter: &Letter, email: &Value) -> Value {
    json!({
        "user": letter.recipient.id, "event": letter.event, "template": letter.template, "about": letter.about,
        "error": (email["status"] == "FAILURE").then(|| &email["message"]),
    })
}

/// The e-mail for a letter, or a record of the error: a notice that fails is reported and never holds up the others.
fn email(letter: &Letter, template: Option<&Value>, locale: &Locale, now: Timestamp) -> Value {
    let address = letter.recipient.personal.email.as_deref().unwrap_or_default().trim();
    let format = letter.output_format();
    let not_made = |reason: &str| email::not_made(address, &letter.event, format, reason, now);
    if letter.channel() != "email" {
        return not_made(&CHANNEL_UNKNOWN.with("channel", letter.channel()).message());
    }
    if address.is_empty() {
        return not_made("The recipient has no e-mail address");
    }
    let Some(template) = template else {
        return not_made(&TEMPLATE_UNKNOWN.with("id", letter.template).message());
    };
    match stored::fill(template, LANGUAGE, format, letter.context.clone(), locale) {
        Ok(filled) => email::to_send(address, format, &filled, now),
        Err(reason) => not_made(&reason.message()),
    }
}
