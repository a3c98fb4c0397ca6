//! E-mail records.

use jiff::Timestamp;
use serde_json::{Value, json};
use store::record::print_instant;

use crate::templates::{Filled, stored};

/// An e-mail to send, as the queue takes it.
pub fn to_send(to: &str, format: &str, filled: &Filled, now: Timestamp) -> Value {
    let mut record = record(to, &filled.header, &filled.body, format, now);
    record["attachments"] = stored::attachments(&filled.attachments);
    record["status"] = "PROCESSING".into();
    record["shouldRetry"] = true.into();
    record
}

/// The record of a notice that could not be made: the reason and the recipient.
pub fn not_made(to: &str, about: &str, format: &str, reason: &str, now: Timestamp) -> Value {
    let mut record = record(to, about, "", format, now);
    record["status"] = "FAILURE".into();
    record["shouldRetry"] = false.into();
    record["message"] = reason.into();
    record
}

fn record(to: &str, header: &str, body: &str, format: &str, now: Timestamp) -> Value {
    let now = print_instant(now);
    json!({
        "id": store::new_id(), "notificationId": store::new_id(), "to": to, "header": header,
        "outputFormat": format, "body": body, "attachments": [], "attemptCount": 0, "date": now,
        "metadata": {"createdDate": now, "updatedDate": now},
    })
}
