//! `/authn`: signing in and out, credentials, password resets (docs/folio/log-in.md).

mod cookies;
mod credentials;
mod events;
mod log_in;
mod reset;
mod session;

pub use credentials::{change as change_password, prove as prove_password};
pub use log_in::{Credentials, sign_in};

use std::future::Future;

use http::StatusCode;
use identity::{
    door::Visitor,
    events::Origin,
    sign_in::{self, Name, SignInError},
};
use uuid::Uuid;

use crate::{
    answer::{ErrorItem, Problem},
    call::Call,
    route::Routes,
};

/// Enters the routes of mod-login.
pub fn routes(routes: &mut Routes) {
    log_in::routes(routes);
    session::routes(routes);
    credentials::routes(routes);
    reset::routes(routes);
    events::routes(routes);
}

/// Where the request comes from, for the log of log-ins.
pub fn origin(call: &Call) -> Origin {
    let text = |name| call.header(name).map(ToOwned::to_owned);
    Origin {
        tenant: call.tenant.tenant.id.clone(),
        address: text("x-forwarded-for"),
        browser: text("user-agent"),
    }
}

/// Has a password of the user with that name or id checked, if the client may have it checked now.
///
/// # Errors
/// 429 and 503 when it may not.
pub async fn at_the_door<T>(
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
    Ok(door
        .pass(visitor, call.now, check, sign_in::verdict)
        .await?)
}

/// The client as the door sees it, that has something checked about the user with that name or id.
pub fn visitor<'v>(call: &'v Call, name: &'v str) -> Visitor<'v> {
    Visitor {
        tenant: &call.tenant.tenant.id,
        name,
        address: call.client,
    }
}

/// mod-login's errors: type `error` and a code, mostly without parameters.
pub fn error(status: StatusCode, message: &str, code: &str) -> Problem {
    let mut item = ErrorItem::plain(message, "", None);
    item.parameters.clear();
    item.kind = Some("error".into());
    item.code = Some(code.into());
    Problem::errors(status, &[item])
}

/// A user id of a request.
fn user_id(text: &str) -> Result<Uuid, Problem> {
    text.parse()
        .map_err(|_| Problem::bad_request(format!("Invalid UUID string: {text}")))
}
