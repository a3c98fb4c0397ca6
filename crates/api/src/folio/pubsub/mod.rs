//! `/pubsub`: publishers and subscribers of events, as in mod-pubsub. Subscribers with an absolute callback address are
//! webhooks, to which Carrel delivers (decision 0017).

mod event_types;
mod history;
mod modules;
mod publish;
mod subscriptions;

use http::StatusCode;
use serde_json::{Map, Value};

use crate::{answer::Problem, call::Call, route::Routes};

/// Adds the routes of mod-pubsub.
pub fn routes(routes: &mut Routes) {
    event_types::routes(routes);
    modules::routes(routes);
    publish::routes(routes);
    history::routes(routes);
    subscriptions::routes(routes);
}

/// The body, checked against the route's declaration.
fn accepted(call: &Call) -> Result<Map<String, Value>, Problem> {
    let schema = call.route.members();
    let schema = schema.ok_or_else(|| Problem::Internal("the route takes no body".into()))?;
    Ok(schema.accept(call.json()?)?)
}

/// A text member; the body has been checked before.
fn text<'m>(members: &'m Map<String, Value>, name: &str) -> &'m str {
    members.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// mod-pubsub's list of errors, which has no codes.
fn errors(messages: &[String]) -> Problem {
    let errors: Vec<_> = messages
        .iter()
        .map(|message| serde_json::json!({"message": message, "parameters": []}))
        .collect();
    let total = errors.len();
    Problem::Json(
        StatusCode::BAD_REQUEST,
        serde_json::json!({"errors": errors, "total_records": total}),
    )
}
