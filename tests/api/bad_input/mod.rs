//! Bad input: whatever is sent, the answer is a refusal in the contract's shape (or a success, if the input is
//! harmless), never a server error, and no database connection stays occupied.

mod bodies;
mod manners;
mod parameters;
mod queries;
mod tokens;
mod wire;

use std::{future::Future, time::Duration};

use futures_util::{StreamExt, stream};
use testkit::{Answer, Library};

/// Concurrent requests.
const AT_ONCE: usize = 8;

/// The most wrong answers to report.
const SHOWN: usize = 25;

/// Attacks in place of a value.
const ATTACKS: &[&[u8]] = &[
    b"'; DROP TABLE item CASCADE; --",
    b"x' OR '1'='1",
    b"\") OR 1=1 --",
    b"$$; SELECT pg_sleep(60); $$",
    b"1); DELETE FROM users; COMMIT; --",
    b"nul\0inside",
    b"\xff\xfe\xc0\x80",
    b"../../../../etc/passwd",
    b"\\",
    b"\"",
    b"%s%n$1{}",
    b"-1",
    b"99999999999999999999",
    b"\xf0\x9f\x92\xa5*?^",
    b"",
];

/// Sends all requests, a few at a time, and reports those whose answers `fault` rejects.
async fn all_answered<F>(requests: impl Iterator<Item = F>, fault: impl Fn(&Answer) -> Option<String>)
where
    F: Future<Output = (String, Answer)>,
{
    let mut answers = stream::iter(requests).buffer_unordered(AT_ONCE);
    let (mut number, mut wrong) = (0, Vec::new());
    while let Some((what, answer)) = answers.next().await {
        number += 1;
        if let Some(fault) = fault(&answer) {
            let text: String = answer.text.chars().take(300).collect();
            wrong.push(format!("{what}: {fault}: {} {text}", answer.status));
        }
    }
    assert!(number > 0, "nothing was sent");
    let shown = &wrong[..wrong.len().min(SHOWN)];
    assert!(wrong.is_empty(), "{} of {number}: {shown:#?}", wrong.len());
}

/// What is wrong with an answer to bad input.
fn badly_answered(answer: &Answer) -> Option<String> {
    match answer.status {
        200..400 => None,
        400..500 => shapeless(answer),
        _ if answer.is_refused_with_500() => None,
        _ => Some("the server failed".into()),
    }
}

/// What is wrong with an answer to input that must be refused.
fn badly_refused(answer: &Answer) -> Option<String> {
    match answer.status {
        400..500 => shapeless(answer),
        _ if answer.is_refused_with_500() => None,
        _ => Some("it was not refused".into()),
    }
}

/// Checks the shape of a refusal: a sentence, or JSON with `errors` that each have a `message`
/// (docs/folio/conventions.md#error-shapes). Custom fields have one error without a list, moves of items a list of
/// sentences, actions on accounts an `errorMessage`, and some 404s are empty.
fn shapeless(answer: &Answer) -> Option<String> {
    if answer.status != 404 && answer.text.trim().is_empty() {
        return Some("a refusal without words".into());
    }
    match answer.header("content-type") {
        Some("text/plain") => None,
        Some("application/json") => {
            let body = answer.json();
            let worded = |error: &serde_json::Value| {
                let members = ["message", "errorMessage"];
                error.is_string() || members.iter().any(|member| error[*member].is_string())
            };
            let errors = body["errors"].as_array();
            let sound = errors.map_or(worded(&body), |all| !all.is_empty() && all.iter().all(worded));
            (!sound).then(|| "an error without a message".into())
        }
        other => Some(format!("content type {other:?}")),
    }
}

/// Waits until all connections are free and no statement or transaction is left over.
async fn everything_comes_to_rest(library: &Library) {
    let database = &library.app.database;
    let session = database.session("public").expect("a session");
    let mut last = String::new();
    let resting = async {
        loop {
            let connections = database.connections();
            let row = session.get(BUSY, &[]).await.expect("the activity");
            last = format!("{connections:?} {}", row.get::<_, String>(0));
            if connections.idle == connections.open && row.get::<_, &str>(0).is_empty() {
                break;
            }
        }
    };
    let rested = tokio::time::timeout(PATIENCE, resting).await;
    assert!(rested.is_ok(), "{last}");
}

/// The activity of the other connections to the test's database.
const BUSY: &str = "SELECT coalesce(string_agg(state || ': ' || query, '; '), '') FROM pg_stat_activity
    WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()";
/// The longest time this may take.
const PATIENCE: Duration = Duration::from_secs(20);
