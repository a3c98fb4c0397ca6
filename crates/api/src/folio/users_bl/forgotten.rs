//! `POST /bl-users/forgotten/password` and `/bl-users/forgotten/username`. Carrel sends no messages to users yet:
//! the request is noted in the log, where staff find whom to give a reset link. The answer is the same for everybody, so
//! that nobody learns which names and addresses the library knows.

use identity::composite::locate;
use serde::Deserialize;

use crate::{
    answer::Reply,
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
    // Nobody, somebody inactive, or several users: FOLIO is silent about the last only, which tells everybody who asks
    // about the others.
    if let [(user, _, true)] = found.as_slice() {
        let tenant = &call.tenant.tenant.id;
        tracing::info!(%user, tenant, what, "a user has forgotten it; no message is sent");
    }
    Ok(Reply::no_content())
}
