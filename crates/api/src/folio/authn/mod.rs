//! `/authn`: signing in and out, credentials, password resets (folio-platform §2.1, folio-bootstrap §5, §6).

mod cookies;
mod credentials;
mod events;
mod log_in;
mod reset;
mod session;

pub use credentials::change as change_password;
pub use log_in::{Credentials, sign_in};

use http::StatusCode;
use identity::events::Origin;
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
