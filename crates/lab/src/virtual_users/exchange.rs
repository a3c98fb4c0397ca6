//! One request and the checks of its answer.

use std::time::{Duration, Instant};

use super::{Run, connections::Connections, given::Given};
use crate::{
    client::{Answer, Failure},
    workload::{
        Request,
        answer::{Check, Expected, Found},
        template::Slot,
    },
};

/// The outcome of a request.
pub struct Exchange {
    /// Time from the first byte sent (including a new connection) to the last byte received.
    pub took: Duration,
    pub answer: Option<Answer>,
    /// The values extracted from it.
    pub found: Vec<Option<Found>>,
    pub error: Option<Wrong>,
}

/// Why a request failed.
#[derive(Debug)]
pub struct Wrong {
    /// The kind of failure, for counting.
    pub kind: String,
    /// Details.
    pub detail: String,
    /// Whether the server was unreachable.
    pub unreachable: bool,
}

impl Wrong {
    fn new(kind: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { kind: kind.into(), detail: detail.into(), unreachable: false }
    }
}

/// Sends a request with these values; `None` if an optional one lacks a value, or the target is too old for it.
pub async fn send(run: &Run, request: &Request, given: &Given<'_>, connections: &Connections) -> Option<Exchange> {
    if run.is_absent(request) {
        return None;
    }
    let written = match written(run, request, given) {
        Ok(written) => written,
        Err(_) if request.optional => return None,
        Err(slot) => {
            let wrong = Wrong::new("no value", format!("an earlier answer lacked what this request needs ({slot:?})"));
            return Some(Exchange { took: Duration::ZERO, answer: None, found: Vec::new(), error: Some(wrong) });
        }
    };
    let began = Instant::now();
    let sent = connections.send(run, &written, !request.wanted.is_empty());
    let answer = tokio::time::timeout(run.timeout, sent).await.unwrap_or(Err(Failure::Timeout));
    let took = began.elapsed();
    Some(judged(request, given, answer, took))
}

fn written(run: &Run, request: &Request, given: &Given<'_>) -> Result<Vec<u8>, Slot> {
    let mut path = String::new();
    request.path.fill(&mut path, given)?;
    let Some((template, kind)) = &request.body else {
        return Ok(run.access.request(&request.method, &path, None));
    };
    let mut body = String::new();
    template.fill(&mut body, given)?;
    Ok(run.access.request(&request.method, &path, Some((kind, &body))))
}

fn judged(request: &Request, given: &Given<'_>, answer: Result<Answer, Failure>, took: Duration) -> Exchange {
    let answer = match answer {
        Ok(answer) => answer,
        Err(failure) => {
            let unreachable = failure.is_unreachable();
            let error = Wrong { unreachable, ..Wrong::new(failure.kind(), failure.to_string()) };
            return Exchange { took, answer: None, found: Vec::new(), error: Some(error) };
        }
    };
    let (found, error) = match looked_at(request, given, &answer) {
        Ok(found) => (found, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    Exchange { took, answer: Some(answer), found, error }
}

fn looked_at(request: &Request, given: &Given<'_>, answer: &Answer) -> Result<Vec<Option<Found>>, Wrong> {
    let expected = if request.statuses.is_empty() {
        (200..300).contains(&answer.status)
    } else {
        request.statuses.contains(&answer.status)
    };
    if !expected {
        return Err(Wrong::new(format!("status {}", answer.status), answer.excerpt(300)));
    }
    if request.wanted.is_empty() {
        return Ok(Vec::new());
    }
    let found = request.wanted.find(&answer.body);
    let found = found.map_err(|error| Wrong::new("not JSON", format!("{error}: {}", answer.excerpt(200))))?;
    for check in &request.checks {
        holds(check, found[check.place].as_ref(), given)?;
    }
    Ok(found)
}

fn holds(check: &Check, found: Option<&Found>, given: &Given<'_>) -> Result<(), Wrong> {
    let found = found.filter(|found| **found != Found::Null);
    let wrong = |expected: String| {
        let kind = format!("check {} {expected}", check.at);
        Err(Wrong::new(kind, format!("it is {found:?}")))
    };
    match &check.expected {
        Expected::Exists(exists) if found.is_some() == *exists => Ok(()),
        Expected::Exists(exists) => wrong(if *exists { "exists" } else { "does not exist" }.to_owned()),
        Expected::AtLeast(least) if found.and_then(Found::number).is_some_and(|number| number >= *least) => Ok(()),
        Expected::AtLeast(least) => wrong(format!("is at least {least}")),
        Expected::Equals(template) => {
            let mut text = String::new();
            match template.fill(&mut text, given) {
                Ok(()) if found.and_then(Found::text) == Some(&text) => Ok(()),
                // The kind omits the value: each value would become a kind of its own.
                _ => Err(Wrong::new(format!("check {} equals", check.at), format!("it is {found:?}, not {text:?}"))),
            }
        }
    }
}

impl Wrong {
    /// Whether the server answered, so that the request and not the connection is at fault.
    pub fn answered(&self) -> bool {
        self.kind.starts_with("status 4") || self.kind.starts_with("check ")
    }
}
