//! `POST /bl-users/forgotten/password` and `/bl-users/forgotten/username`. Carrel sends no messages to users yet:
//! the request is checked and noted in the log, where staff find whom to give a reset link.

use identity::composite::locate;
use serde::Deserialize;

use super::unprocessable;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/bl-users/forgotten/password", |call| {
            forgotten(call, "password")
        })
        .summary("Somebody has forgotten the password")
        .takes("id*");
    routes
        .post("/bl-users/forgotten/username", |call| {
            forgotten(call, "username")
        })
        .summary("Somebody has forgotten the user name")
        .takes("id*");
}

#[derive(Deserialize)]
struct Identifier {
    id: String,
}

async fn forgotten(call: Call, what: &'static str) -> Answer {
    let sent: Identifier = call.parse()?;
    let found = locate(&call.session, &sent.id).await?;
    match found.as_slice() {
        [] => Err(Problem::bad_request(format!(
            "User is not found: {}",
            sent.id
        ))),
        [(_, _, false)] => {
            let text = format!("Users associated with '{}' is not active", sent.id);
            Err(unprocessable(&[(
                &text,
                "forgotten.password.found.inactive",
            )]))
        }
        [(user, _, true)] => {
            let tenant = &call.tenant.tenant.id;
            tracing::info!(%user, tenant, what, "a user has forgotten it; no message is sent");
            Ok(Reply::no_content())
        }
        // Several users have that address: FOLIO says nothing and does nothing.
        _ => Ok(Reply::no_content()),
    }
}
