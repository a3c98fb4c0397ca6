//! `/bl-users`: users with what belongs to them, signing in with all of it at once, and resetting passwords
//! (docs/folio/composite-users.md).

mod composite;
mod delete;
mod forgotten;
mod log_in;
mod reset;
mod unserved;

use http::StatusCode;
use identity::{composite::Wanted, sign_in::Name};
use serde_json::json;

use crate::{
    answer::Problem,
    call::{Call, Query},
    route::Routes,
};

/// Enters the routes of mod-users-bl.
pub fn routes(routes: &mut Routes) {
    log_in::routes(routes);
    composite::routes(routes);
    delete::routes(routes);
    forgotten::routes(routes);
    reset::routes(routes);
    unserved::routes(routes);
}

/// What the query wants beside the user; groups, permissions and service points when it says nothing.
fn wanted(query: &Query) -> Wanted {
    let named: Vec<_> = query
        .all("include")
        .flat_map(|list| list.split(','))
        .collect();
    let expanded = query.flag("expandPermissions");
    if named.iter().all(|name| name.is_empty()) {
        return Wanted {
            groups: true,
            permissions: true,
            service_points: true,
            proxies: false,
            expanded,
        };
    }
    Wanted {
        groups: named.contains(&"groups"),
        permissions: named.contains(&"perms"),
        service_points: named.contains(&"servicepoints"),
        proxies: named.contains(&"proxiesfor"),
        expanded,
    }
}

/// The user a path names by id; one that is no id names nobody.
fn by_id(call: &Call) -> Name {
    Name::Id(call.param("id").parse().unwrap_or_default())
}

/// mod-users-bl's 422: messages and codes without types.
fn unprocessable(errors: &[(&str, &str)]) -> Problem {
    coded(StatusCode::UNPROCESSABLE_ENTITY, errors)
}

fn coded(status: StatusCode, errors: &[(&str, &str)]) -> Problem {
    let items: Vec<_> = errors
        .iter()
        .map(|(message, code)| json!({"message": message, "code": code, "parameters": []}))
        .collect();
    Problem::Json(
        status,
        json!({"errors": items, "total_records": items.len()}),
    )
}
