//! `/pubsub`: publishers and subscribers of events, as in mod-pubsub. Subscribers with an absolute callback address are
//! webhooks, to which Carrel delivers (decision 0017).

mod event_types;
mod history;
mod modules;
mod publish;
mod refusals;
mod subscriptions;

use serde_json::{Map, Value};

pub(crate) use refusals::{DECLARATIONS, TABLE};

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
