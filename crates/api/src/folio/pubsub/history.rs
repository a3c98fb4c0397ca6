//! `/pubsub/history`: the state of events. Delivered events are deleted; the rest are waiting (PUBLISHED) or have
//! failed for good (REJECTED, with the reason).

use jiff::{Timestamp, civil, tz::TimeZone};
use serde_json::json;
use store::{
    events::{self, Asked},
    record,
};
use uuid::Uuid;

use super::refusals::{DATE_INVALID, DATES_MISSING, EVENT_UNKNOWN};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

/// The maximum number of entries in one response.
const AT_MOST: i64 = 1000;
const MESSAGE: &str = "id*:uuid, eventId*:uuid, eventType*, tenantId*, publishedBy*, auditDate*:datetime,
    state*:(PUBLISHED|REJECTED), errorMessage";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/pubsub/history", history)
        .summary("List events that have not been delivered")
        .asks("startDate*, endDate*, eventId, eventType, correlationId")
        .gives(MESSAGE)
        .lists_all("auditMessages");
    routes
        .get("/pubsub/audit-messages/{eventId}/payload", payload)
        .summary("Read the payload of an event that has not been delivered")
        .gives("eventId*:uuid, content*:any");
}

async fn history(call: Call) -> Answer {
    let (Some(start), Some(end)) = (call.query.get("startDate"), call.query.get("endDate")) else {
        return Err(DATES_MISSING.into());
    };
    let id = call.query.get("eventId").map(Uuid::parse_str);
    // Stored events have no correlation id, so none matches.
    let none = matches!(id, Some(Err(_))) || call.query.get("correlationId").is_some();
    let asked = Asked {
        from: Some(moment(start, civil::Time::midnight()).ok_or(DATE_INVALID)?),
        until: Some(moment(end, civil::Time::constant(23, 59, 59, 999_000_000)).ok_or(DATE_INVALID)?),
        id: id.and_then(Result::ok),
        topic: call.query.get("eventType"),
        limit: if none { 0 } else { AT_MOST },
    };
    let messages = events::undelivered(&call.session, &asked, &call.tenant.tenant.id).await?;
    Ok(Reply::json(&json!({"auditMessages": messages, "totalRecords": messages.len()})))
}

/// Parses an instant, or a date to be combined with `time_of_day`, in UTC.
fn moment(text: &str, time_of_day: civil::Time) -> Option<Timestamp> {
    if let Ok(day) = text.parse::<civil::Date>()
        && text.len() == "yyyy-MM-dd".len()
    {
        let moment = day.to_datetime(time_of_day);
        return Some(moment.to_zoned(TimeZone::UTC).ok()?.timestamp());
    }
    record::read_instant(text)
}

async fn payload(call: Call) -> Answer {
    let id = call.param("eventId");
    let missing = || EVENT_UNKNOWN.with("id", id);
    let event = Uuid::parse_str(id).map_err(|_| missing())?;
    let content = events::payload(&call.session, event).await?;
    let content = content.ok_or_else(missing)?;
    Ok(Reply::json(&json!({"eventId": event, "content": content})))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_or_instants() {
        let end = civil::Time::constant(23, 59, 59, 999_000_000);
        for (text, read) in [
            ("2026-11-22", Some("2026-11-22T23:59:59.999Z")),
            ("2026-11-22T10:00:00", Some("2026-11-22T10:00:00Z")),
            ("2026-11-22T10:00:00+01:00", Some("2026-11-22T09:00:00Z")),
            ("yesterday", None),
            ("2026-13-01", None),
            ("", None),
        ] {
            let found = moment(text, end).map(|moment| moment.to_string());
            assert_eq!(found.as_deref(), read, "{text}");
        }
    }
}
