//! `/authn`: log-in and log-out, credentials, password resets (docs/folio/log-in.md).

mod cookies;
mod credentials;
mod events;
mod log_in;
mod refusals;
mod reset;
mod session;

pub use credentials::{change as change_password, prove as prove_password};
pub use log_in::{Credentials, sign_in};

use std::{future::Future, sync::Arc};

use identity::{
    collections::LOGIN_EVENTS,
    door::Visitor,
    events::Origin,
    sign_in::{self, Name, SignInError},
};
use store::collection::Collection;
use uuid::Uuid;

pub(crate) use refusals::{CREDENTIALS_INVALID, LOG_IN, LOG_IN_REFUSED, TABLE};

use crate::{answer::Problem, call::Call, folio::declared, route::Routes};
use refusals::USER_ID_INVALID;

/// Adds the routes of mod-login.
pub fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    log_in::routes(routes);
    session::routes(routes);
    credentials::routes(routes);
    reset::routes(routes);
    events::routes(routes, &declared(all, LOGIN_EVENTS));
}

/// The origin of the request, for the log-in event log.
pub fn origin(call: &Call) -> Origin {
    let text = |name| call.header(name).map(ToOwned::to_owned);
    Origin { tenant: call.tenant.tenant.id.clone(), address: text("x-forwarded-for"), browser: text("user-agent") }
}

/// Runs a password check for the user with the given name or id, within the limits on attempts. Answers 429 or 503 if
/// the limits do not allow it now.
pub(crate) async fn at_the_door<T>(
    call: &Call,
    name: &Name,
    check: impl Future<Output = Result<T, SignInError>>,
) -> Result<Result<T, SignInError>, Problem> {
    let name = match name {
        Name::Username(name) => name.clone(),
        Name::Id(id) => id.to_string(),
    };
    let visitor = visitor(call, &name);
    let door = &call.app.door;
    Ok(door.pass(visitor, call.now, check, sign_in::verdict).await?)
}

/// The client and the user whose password it wants checked, as the limits on attempts see them.
pub fn visitor<'v>(call: &'v Call, name: &'v str) -> Visitor<'v> {
    Visitor { tenant: &call.tenant.tenant.id, name, address: call.client }
}

fn user_id(text: &str) -> Result<Uuid, Problem> {
    text.parse().map_err(|_| USER_ID_INVALID.with("text", text).into())
}
