//! `/patron-notice` (mod-notify) and `/message-delivery` (mod-sender): send one message to one user. Both add e-mails
//! to the queue.

use messages::{
    mail::email,
    refusal::{CHANNEL_UNKNOWN, NOTICE_NOT_MADE, RECIPIENT_UNKNOWN, TEMPLATE_UNKNOWN},
    templates::{Filled, Locale, stored},
};
use refusals::Refusal;
use serde_json::{Map, Value, json};
use store::{jobs::NewJob, record::Schema};

use uuid::Uuid;

use super::emails;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const NOTICE: &str = "recipientId*, deliveryChannel*, templateId*, outputFormat=text/html, lang=en, context:object";
const DELIVERY: &str =
    "notificationId*, recipientUserId*, messages*[{deliveryChannel*, from, outputFormat, header, body,
    attachments[{contentType, name, description, data, disposition, contentId}]}]";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/patron-notice", notice)
        .summary("Send a notice to a patron")
        .gives_text()
        .refuses(&[422])
        .takes(NOTICE);
    routes.post("/message-delivery", deliver).summary("Send messages to a user").refuses(&[422]).takes(DELIVERY);
}

/// POST. Three round trips.
async fn notice(call: Call) -> Answer {
    let mut request = Schema::declare(NOTICE).accept(call.json()?)?;
    let context = request.remove("context").unwrap_or_else(|| json!({}));
    let text = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default();
    let (id, format) = (text("templateId"), text("outputFormat"));
    let found = find(&call, text("recipientId"), Uuid::try_parse(id).ok()).await?;
    let stored = found.template.ok_or_else(|| not_made(TEMPLATE_UNKNOWN.with("id", id)))?;
    let filled = stored::fill(&stored, text("lang"), format, context, &found.locale);
    let filled = filled.map_err(not_made)?;
    let channel = text("deliveryChannel");
    supported(channel).map_err(not_made)?;
    let address = found.address.ok_or_else(|| not_made(RECIPIENT_UNKNOWN.into()))?;
    send(&call, vec![letter(&address, channel, format, &filled, &call)]).await?;
    Ok(Reply::text("").with_status(http::StatusCode::OK))
}

/// mod-notify's refusal, for a reason of mod-template-engine or mod-sender.
fn not_made(reason: Refusal) -> Refusal {
    NOTICE_NOT_MADE.with("reason", reason.message())
}

/// mod-sender supports the channels `email` and `mail`. Carrel only records a `mail` message.
fn supported(channel: &str) -> Result<(), Refusal> {
    match ["email", "mail"].contains(&channel) {
        true => Ok(()),
        false => Err(CHANNEL_UNKNOWN.with("channel", channel)),
    }
}

/// The record of an e-mail, with the reason if it cannot be sent.
fn letter(address: &str, channel: &str, format: &str, filled: &Filled, call: &Call) -> Value {
    match (channel, address) {
        ("email", "") => {
            let reason = "The recipient has no e-mail address";
            email::not_made(address, &filled.header, format, reason, call.now)
        }
        ("email", _) => email::to_send(address, format, filled, call.now),
        _ => {
            let reason = CHANNEL_UNKNOWN.with("channel", channel).message();
            email::not_made(address, &filled.header, format, &reason, call.now)
        }
    }
}

/// POST. Three round trips.
async fn deliver(call: Call) -> Answer {
    let request = Schema::declare(DELIVERY).accept(call.json()?)?;
    let text =
        |from: &Map<String, Value>, name: &str| from.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let messages = request.get("messages").and_then(Value::as_array);
    let messages: Vec<_> = messages.into_iter().flatten().filter_map(Value::as_object).collect();
    for message in &messages {
        supported(&text(message, "deliveryChannel"))?;
    }
    let found = find(&call, &text(&request, "recipientUserId"), None).await?;
    let address = found.address.ok_or(RECIPIENT_UNKNOWN)?;
    let records = messages.iter().map(|sent| {
        let filled = Filled { header: text(sent, "header"), body: text(sent, "body"), attachments: Vec::new() };
        let (channel, format) = (text(sent, "deliveryChannel"), text(sent, "outputFormat"));
        let mut record = letter(&address, &channel, &format, &filled, &call);
        record["notificationId"] = request["notificationId"].clone();
        for member in ["from", "attachments"] {
            if let Some(value) = sent.get(member) {
                record[member] = value.clone();
            }
        }
        record
    });
    send(&call, records.collect()).await?;
    Ok(Reply::no_content())
}

struct Found {
    /// The user's e-mail address: empty if the user has none, `None` if there is no such user.
    address: Option<String>,
    template: Option<Value>,
    locale: Locale,
}

async fn find(call: &Call, user: &str, template: Option<Uuid>) -> Result<Found, Problem> {
    let sql = store::statements::messages::RECIPIENT;
    let row = call.session.get(sql, &[&Uuid::try_parse(user).ok(), &template]).await?;
    let locale: Value = row.get("locale");
    Ok(Found { address: row.get("address"), template: row.get("template"), locale: Locale::of_tenant(&locale) })
}

async fn send(call: &Call, records: Vec<Value>) -> Result<(), Problem> {
    let with_id = |record: Value| {
        let id = record["id"].as_str().and_then(|id| id.parse().ok());
        (id.unwrap_or_else(store::new_id), record)
    };
    let records: Vec<_> = records.into_iter().map(with_id).collect();
    emails::enter(call, &records).await?;
    let payload = json!({});
    let job = NewJob { key: Some(emails::EMAILS), ..NewJob::new(emails::EMAILS, &payload) };
    store::jobs::enqueue(&call.session, &job).await?;
    call.wake_jobs();
    Ok(())
}
