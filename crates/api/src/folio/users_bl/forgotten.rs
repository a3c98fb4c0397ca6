//! `POST /bl-users/forgotten/password` and `/bl-users/forgotten/username`. Carrel does not message users yet: it logs
//! the request, so that staff can find the user and send a reset link. The response is always the same, so that it does
//! not reveal which names and addresses the library knows.

use identity::composite::locate;
use serde::Deserialize;

use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/bl-users/forgotten/password", |call| forgotten(call, "password"))
        .summary("Somebody has forgotten the password")
        .takes("id*");
    routes
        .post("/bl-users/forgotten/username", |call| forgotten(call, "username"))
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
    // No user, an inactive user, and several users get the same answer. FOLIO hides only the last case and so reveals
    // the others.
    if let [(user, _, true)] = found.as_slice() {
        let tenant = &call.tenant.tenant.id;
        tracing::info!(%user, tenant, what, "a user has forgotten it; no message is sent");
    }
    Ok(Reply::no_content())
}
