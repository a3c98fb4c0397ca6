//! Writes of composite users. FOLIO's descriptors list these routes and their permissions, but mod-users-bl has never
//! served them. Write users with `/users`, and related records with `/perms/users` and the like.

use http::StatusCode;

use crate::{
    answer::Problem,
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/bl-users", known_path)
        .summary("Announced by FOLIO, not served: use /users")
        .refuses(&[405]);
    routes
        .put("/bl-users/{id}", unknown_path)
        .summary("Announced by FOLIO, not served: use /users/{id}");
}

/// Checks only that the path is valid.
async fn known_path(_: Call) -> Answer {
    let text = "API resource does not support this HTTP method (verb)";
    let status = StatusCode::METHOD_NOT_ALLOWED;
    Err(Problem::Text(status, text.into()))
}

async fn unknown_path(_: Call) -> Answer {
    Err(Problem::not_found("Resource not found"))
}
