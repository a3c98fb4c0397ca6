//! `/bl-users`: composite users, log-in that returns one, and password resets (docs/folio/composite-users.md).

mod composite;
mod delete;
mod forgotten;
mod log_in;
mod refusals;
mod reset;
mod unserved;

use std::sync::Arc;

use identity::{composite::Wanted, sign_in::Name};
use store::collection::Collection;

pub(crate) use refusals::{PASSWORDS, TABLE};

use crate::{
    call::{Call, Query},
    route::Routes,
};

/// Adds the routes of mod-users-bl.
pub fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let members = composite::members(all);
    log_in::routes(routes, &members);
    composite::routes(routes, &members);
    delete::routes(routes);
    forgotten::routes(routes);
    reset::routes(routes);
    unserved::routes(routes);
}

/// The parameters [`wanted`] reads.
const WANTED: &str = "include, expandPermissions:bool, fullPermissions:bool";

/// The parts requested with the user. The default is groups, permissions and service points.
fn wanted(query: &Query) -> Wanted {
    let named: Vec<_> = query.all("include").flat_map(|list| list.split(',')).collect();
    let expanded = query.flag("expandPermissions");
    if named.iter().all(|name| name.is_empty()) {
        return Wanted { groups: true, permissions: true, service_points: true, proxies: false, expanded };
    }
    Wanted {
        groups: named.contains(&"groups"),
        permissions: named.contains(&"perms"),
        service_points: named.contains(&"servicepoints"),
        proxies: named.contains(&"proxiesfor"),
        expanded,
    }
}

/// The user id in the path. A malformed id matches no user.
fn by_id(call: &Call) -> Name {
    Name::Id(call.param("id").parse().unwrap_or_default())
}
