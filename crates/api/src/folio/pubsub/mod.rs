//! `/pubsub`: who publishes events and who listens to them, as mod-pubsub has it. Subscribers with an absolute callback
//! address are webhooks, which Carrel delivers to (decision 0017).

mod event_types;
mod history;
mod modules;
mod publish;
mod subscriptions;

use http::StatusCode;
use serde_json::{Map, Value};

use crate::{answer::Problem, call::Call, route::Routes};

/// Enters the routes of events.
pub fn routes(routes: &mut Routes) {
    event_types::routes(routes);
    modules::routes(routes);
    publish::routes(routes);
    history::routes(routes);
    subscriptions::routes(routes);
}

/// The body, checked against what the route takes.
fn accepted(call: &Call) -> Result<Map<String, Value>, Problem> {
    let schema = call.route.takes.as_ref();
    let schema = schema.ok_or_else(|| Problem::Internal("the route takes no body".into()))?;
    Ok(schema.accept(call.json()?)?)
}

/// A member that the check has found to be a text.
fn text<'m>(members: &'m Map<String, Value>, name: &str) -> &'m str {
    members
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
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
