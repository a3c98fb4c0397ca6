//! Writes of composite users. FOLIO's descriptors list these routes and their permissions, but mod-users-bl has never
//! served them. Write users with `/users`, and related records with `/perms/users` and the like.

use super::refusals::{NOT_CREATED, NOT_REPLACED};
use crate::{
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes.post("/bl-users", known_path).summary("Announced by FOLIO, not served: use /users").refuses(&[405]);
    routes.put("/bl-users/{id}", unknown_path).summary("Announced by FOLIO, not served: use /users/{id}");
}

/// Checks only that the path is valid.
async fn known_path(_: Call) -> Answer {
    Err(NOT_CREATED.into())
}

async fn unknown_path(_: Call) -> Answer {
    Err(NOT_REPLACED.into())
}
