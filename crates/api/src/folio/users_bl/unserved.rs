//! Writing composite users. FOLIO's descriptors announce it and ask for its permissions, but mod-users-bl has
//! never served it; users are written with `/users`, what belongs to them with `/perms/users` and its like.

use axum::body::Body;
use http::StatusCode;

use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

/// How the module tells that it knows no such path.
const NO_SUCH_PATH: &str = "<html><body><h1>Resource not found</h1></body></html>";

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
    Ok(Reply::no_content().with_status(StatusCode::METHOD_NOT_ALLOWED))
}

async fn unknown_path(_: Call) -> Answer {
    let page = Reply::typed("text/html; charset=utf-8", Body::from(NO_SUCH_PATH));
    Ok(page.with_status(StatusCode::NOT_FOUND))
}
