//! The e-mail queue. Each e-mail stays in its table until the mail server has accepted it, and afterwards as the log of
//! what was sent to whom. Sending is at least once: a process that dies between the server's acceptance and its own
//! record sends again, with the same Message-ID.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    record::print_instant,
    statements::messages::{CLAIM_EMAILS, SETTLE_EMAILS},
};
use uuid::Uuid;

use super::smtp::{Configuration, Email, NotSent, Server};

/// E-mails sent over one connection.
const BATCH: i64 = 50;
/// How long a claimed e-mail belongs to the process that claimed it.
const LEASE: SignedDuration = SignedDuration::from_mins(15);
/// Attempts to send an e-mail, over about two days.
pub const ATTEMPTS: i64 = 16;
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(6);
/// How long e-mails are kept unless the tenant has set it.
const KEPT_HOURS: i64 = 90 * 24;

/// mod-email's answer for a tenant without a mail server.
const NO_SERVER: &str = "The 'mod-config' module doesn't have a minimum config for SMTP server, the min config is: \
    [EMAIL_SMTP_PORT, EMAIL_PASSWORD, EMAIL_SMTP_HOST, EMAIL_USERNAME]";

/// Sends what is due. Returns when the next e-mail is due, if any is left. Two round trips for fifty e-mails, one if
/// nothing is due.
///
/// # Errors
/// E-mails sent before the error stay sent; claimed ones are sent when their lease ends.
pub async fn send_due(session: &Session, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    loop {
        let claimed = claim(session, None, now).await?;
        let count = claimed.emails.len();
        let reached = send(session, &claimed, now).await?;
        if count < BATCH as usize || !reached {
            let next = store::statements::messages::NEXT_ATTEMPT;
            return session.value(next, &[]).await;
        }
    }
}

/// Sends an e-mail that was just entered. Returns the result in mod-email's words. Two round trips.
pub async fn send_one(session: &Session, id: Uuid, now: Timestamp) -> Result<String, StoreError> {
    let claimed = claim(session, Some(id), now).await?;
    let outcomes = outcomes(&claimed, now).await.0;
    session.execute(SETTLE_EMAILS, &[&Value::Array(outcomes.clone())]).await?;
    if claimed.configuration.is_none() {
        // The log has it after a preface, the answer does not.
        return Ok(NO_SERVER.to_owned());
    }
    let message = outcomes.first().and_then(|outcome| outcome["message"].as_str());
    Ok(message.unwrap_or_default().to_owned())
}

struct Claimed {
    configuration: Option<Configuration>,
    emails: Vec<Email>,
}

async fn claim(session: &Session, one: Option<Uuid>, now: Timestamp) -> Result<Claimed, StoreError> {
    let lease = now.checked_add(LEASE).unwrap_or(now);
    let row = session.get(CLAIM_EMAILS, &[&now, &lease, &BATCH, &one]).await?;
    let configuration: Option<Value> = row.try_get("configuration")?;
    let emails: Vec<Value> = serde_json::from_value(row.try_get("emails")?).unwrap_or_default();
    Ok(Claimed {
        configuration: configuration.and_then(|found| serde_json::from_value(found).ok()),
        emails: emails.into_iter().filter_map(|email| serde_json::from_value(email).ok()).collect(),
    })
}

/// Whether the server could be reached.
async fn send(session: &Session, claimed: &Claimed, now: Timestamp) -> Result<bool, StoreError> {
    if claimed.emails.is_empty() {
        return Ok(true);
    }
    let (outcomes, reached) = outcomes(claimed, now).await;
    session.execute(SETTLE_EMAILS, &[&Value::Array(outcomes)]).await?;
    Ok(reached)
}

async fn outcomes(claimed: &Claimed, now: Timestamp) -> (Vec<Value>, bool) {
    let no_server = || NotSent::Unreachable(NO_SERVER.to_owned());
    let server = claimed.configuration.as_ref().ok_or_else(no_server);
    let server = server.and_then(Server::new);
    let mut unreachable = server.as_ref().err().cloned();
    let mut outcomes = Vec::with_capacity(claimed.emails.len());
    for email in &claimed.emails {
        let sent = match (&unreachable, &server) {
            // After one failed connection the rest need not try.
            (Some(reason), _) => Err(reason.clone()),
            (None, Ok(server)) => server.send(email).await,
            (None, Err(reason)) => Err(reason.clone()),
        };
        if let Err(reason @ NotSent::Unreachable(_)) = &sent {
            unreachable = Some(reason.clone());
        }
        outcomes.push(outcome(email, &sent, now));
    }
    (outcomes, unreachable.is_none())
}

/// The members of the record that change, and the time of the next attempt.
fn outcome(email: &Email, sent: &Result<(), NotSent>, now: Timestamp) -> Value {
    let attempts = email.attempt_count + 1;
    let again = match sent {
        Ok(()) | Err(NotSent::Refused(_)) => None,
        Err(_) => Some(wait(attempts)).filter(|_| attempts < ATTEMPTS),
    };
    let next = again.and_then(|wait| now.checked_add(wait).ok());
    let message = match sent {
        Ok(()) => format!("The message has been delivered to {}", email.to),
        Err(reason) => {
            format!("Error in the 'mod-email' module, the module didn't send email | message: {reason}")
        }
    };
    json!({
        "id": email.id,
        "status": if sent.is_ok() { "DELIVERED" } else { "FAILURE" },
        "shouldRetry": next.is_some(),
        "attemptCount": attempts,
        "message": message,
        "date": print_instant(now),
        "next": next.map(|next| next.to_string()),
    })
}

/// How long to wait after that many attempts: a minute, doubled each time.
fn wait(attempts: i64) -> SignedDuration {
    let minutes = 1_i64 << (attempts - 1).clamp(0, 30);
    SignedDuration::from_mins(minutes).min(LONGEST_WAIT)
}

/// Deletes e-mails with that status that will not be sent again and that are older than `before`, or than the tenant
/// keeps them. One round trip.
pub async fn forget(
    session: &Session,
    before: Option<Timestamp>,
    status: Option<&str>,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let sql = store::statements::messages::FORGET_EMAILS;
    let (now, before) = (print_instant(now), before.map(print_instant));
    session.execute(sql, &[&now, &before, &status, &KEPT_HOURS]).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_become_rarer_and_end() {
        let minutes: Vec<_> = (1..=12).map(|attempt| wait(attempt).as_mins()).collect();
        assert_eq!(minutes, [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]);
        let total: i64 = (1..ATTEMPTS).map(|attempt| wait(attempt).as_hours()).sum();
        assert!((36..60).contains(&total), "about two days: {total}");
    }

    #[test]
    fn only_what_may_succeed_is_tried_again() {
        let now = "2026-11-22T10:00:00Z".parse().expect("a moment");
        let text = || "x".to_owned();
        for (sent, attempts, next) in [
            (Ok(()), 0, Value::Null),
            (Err(NotSent::Refused(text())), 0, Value::Null),
            (Err(NotSent::Later(text())), 0, json!("2026-11-22T10:01:00Z")),
            (Err(NotSent::Unreachable(text())), 2, json!("2026-11-22T10:04:00Z")),
            (Err(NotSent::Unreachable(text())), ATTEMPTS - 1, Value::Null),
        ] {
            let email: Email = serde_json::from_value(json!({"attemptCount": attempts})).expect("an e-mail");
            let outcome = outcome(&email, &sent, now);
            assert_eq!(outcome["next"], next, "{sent:?}");
            assert_eq!(outcome["shouldRetry"], !next.is_null());
        }
    }
}
