//! Bulk loading of records. Each set goes to the database in one statement after its POST validation. A refused set is
//! halved until the faulty record is alone and its own POST gives the reason.

mod set;

use std::{borrow::Cow, collections::HashSet, sync::Arc};

use http::Method;
use serde_json::Value;
use store::{Session, StoreError, records};
use uuid::Uuid;

use crate::{
    answer::Problem,
    app::{App, TenantState},
    inside,
};
use set::Way;

/// The result for one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Created.
    Created,
    /// A record with that id exists and was left unchanged.
    AlreadyThere,
    /// An existing record was replaced.
    Replaced,
    /// Refused, with the reason.
    Refused(String),
}

/// Posts records to the collections of a tenant.
#[derive(Clone)]
pub struct Loader {
    app: Arc<App>,
    tenant: Arc<TenantState>,
    session: Session,
}

impl Loader {
    /// Creates a loader for a tenant. Fails if the tenant's tables are unreachable.
    pub fn new(app: &Arc<App>, tenant: &Arc<TenantState>) -> Result<Self, StoreError> {
        Ok(Self { app: Arc::clone(app), tenant: Arc::clone(tenant), session: app.session(tenant)? })
    }

    /// True if clients can POST records to the path.
    pub fn takes(&self, path: &str) -> bool {
        self.app.routes.find(&Method::POST, path).is_some()
    }

    /// Posts records and returns the outcome of each, in order. Errors are failures of the database; a faulty record is
    /// an [`Outcome`].
    pub async fn post(&self, path: &str, records: &[Value]) -> Result<Vec<Outcome>, StoreError> {
        let known = self.known(path, records).await?;
        let mut outcomes = vec![Outcome::AlreadyThere; records.len()];
        let new: Vec<_> =
            (0..records.len()).filter(|place| !id_of(&records[*place]).is_some_and(|id| known.contains(&id))).collect();
        let way = Way::of(&self.app, path);
        let mut sets = vec![new];
        while let Some(set) = sets.pop() {
            let bodies: Vec<_> = set.iter().map(|place| &records[*place]).collect();
            match (&set[..], &way) {
                ([], _) => {}
                ([place], _) => outcomes[*place] = self.post_one(path, &records[*place]).await?,
                (_, Some(way)) if self.write(way, path, &bodies).await? => {
                    set.iter().for_each(|place| outcomes[*place] = Outcome::Created);
                }
                (_, Some(_)) => {
                    let (first, second) = set.split_at(set.len() / 2);
                    sets.extend([second.to_vec(), first.to_vec()]);
                }
                (_, None) => sets.extend(set.iter().rev().map(|place| vec![*place])),
            }
        }
        Ok(outcomes)
    }

    /// Replaces or creates the record at `path`. Errors are failures of the database.
    pub async fn put(&self, path: &str, record: &Value) -> Result<Outcome, StoreError> {
        self.one(&Method::PUT, path, record, Outcome::Replaced).await
    }

    async fn post_one(&self, path: &str, record: &Value) -> Result<Outcome, StoreError> {
        self.one(&Method::POST, &place(path, record), record, Outcome::Created).await
    }

    async fn one(&self, method: &Method, path: &str, record: &Value, done: Outcome) -> Result<Outcome, StoreError> {
        match inside::send(&self.app, &self.tenant, method, path, record).await {
            Ok(_) => Ok(done),
            Err(problem) => in_words(problem).map(Outcome::Refused),
        }
    }

    /// The ids of the records that already exist. One round trip.
    async fn known(&self, path: &str, records: &[Value]) -> Result<HashSet<Uuid>, StoreError> {
        let Some(collection) = self.app.collections.iter().find(|c| c.path == path) else {
            return Ok(HashSet::new());
        };
        let ids: Vec<_> = records.iter().filter_map(id_of).collect();
        records::known_ids(&self.session, collection, &ids).await
    }

    /// Writes a set in one statement. Returns false if it is refused.
    async fn write(&self, way: &Way, path: &str, set: &[&Value]) -> Result<bool, StoreError> {
        let call = match inside::call(&self.app, &self.tenant, &Method::POST, path, &Value::Null) {
            Ok(call) => call,
            Err(_) => return Ok(false),
        };
        match way.write(&call, set).await {
            Ok(()) => Ok(true),
            Err(problem) => in_words(problem).map(|_| false),
        }
    }
}

/// Where a record of a collection is posted: instructors below their course listing.
pub fn place<'p>(path: &'p str, record: &Value) -> Cow<'p, str> {
    match record["courseListingId"].as_str() {
        Some(listing) if path == "/coursereserves/instructors" => {
            format!("/coursereserves/courselistings/{listing}/instructors").into()
        }
        _ => path.into(),
    }
}

fn id_of(record: &Value) -> Option<Uuid> {
    record.get("id")?.as_str()?.parse().ok()
}

/// The message of a refusal, without its HTTP packaging. A failure that is not the record's fault is an error.
fn in_words(problem: Problem) -> Result<String, StoreError> {
    match problem {
        Problem::Text(status, text) if status.is_server_error() => Err(StoreError::Unavailable(text)),
        Problem::Internal(text) => Err(StoreError::Other(text)),
        Problem::Text(_, text) | Problem::Unquoted(_, text) => Ok(text),
        Problem::Json(_, body) | Problem::Pretty(_, body) => Ok(sentences(&body)),
    }
}

fn sentences(body: &Value) -> String {
    let errors = body["errors"].as_array().into_iter().flatten();
    let sentences: Vec<_> = errors.map(sentence).collect();
    match sentences.is_empty() {
        true => body.to_string(),
        false => sentences.join("; "),
    }
}

/// For example `must not be null (title)`. Adds the parameter's key only if the message does not contain it.
fn sentence(error: &Value) -> String {
    let message = error["message"].as_str().unwrap_or_default();
    match error.pointer("/parameters/0/key").and_then(Value::as_str) {
        Some(key) if !message.contains(key) => format!("{message} ({key})"),
        _ => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use http::StatusCode;
    use serde_json::json;

    use super::*;

    #[test]
    fn refusals_are_told_in_words() {
        let errors = json!({"errors": [
            {"message": "must not be null", "parameters": [{"key": "title", "value": "null"}]},
            {"message": "Unrecognized field \"x\"", "parameters": [{"key": "x", "value": ""}]}]});
        let told = in_words(Problem::Json(StatusCode::UNPROCESSABLE_ENTITY, errors)).unwrap();
        assert_eq!(told, "must not be null (title); Unrecognized field \"x\"");
        let text = Problem::bad_request("Duplicate");
        assert_eq!(in_words(text).unwrap(), "Duplicate");
        assert!(in_words(Problem::Internal("gone".into())).is_err());
    }
}
