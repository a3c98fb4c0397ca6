//! Writing composite users. FOLIO's descriptors announce it and ask for its permissions, but mod-users-bl has
//! never served it; users are written with `/users`, what belongs to them with `/perms/users` and its like.

use http::StatusCode;

use crate::{
    answer::Problem,
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/bl-users", known_path)
        .summary("Announced by FOLIO, not served: use /users");
    routes
        .put("/bl-users/{id}", unknown_path)
        .summary("Announced by FOLIO, not served: use /users/{id}");
}

/// The path can be read.
async fn known_path(_: Call) -> Answer {
    let text = "API resource does not support this HTTP method (verb)";
    let status = StatusCode::METHOD_NOT_ALLOWED;
    Err(Problem::Text(status, text.into()))
}

async fn unknown_path(_: Call) -> Answer {
    Err(Problem::not_found("Resource not found"))
}
