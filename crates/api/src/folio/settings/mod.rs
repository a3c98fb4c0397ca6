//! mod-settings (docs/folio/configuration-and-settings.md): entries by scope, locale and base URL; and mod-audit's
//! settings. The records of mod-configuration need only their declarations.

mod access;
mod audit;
pub(super) mod declarations;
mod entries;
mod only_one;
mod refusals;
mod upload;

use std::sync::Arc;

use store::collection::Collection;

pub(crate) use refusals::{AUDIT, STORED, TABLE};

use super::declared;
use crate::{
    collections::{replace_as_json, serve},
    route::Routes,
};

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    serve(routes, &declared(all, "config_data"), "put", replace_as_json);
    let settings = declared(all, "settings");
    entries::routes(routes, &settings);
    upload::routes(routes, &settings);
    only_one::routes(routes, &declared(all, "locale"), &declared(all, "baseurl"));
    audit::routes(routes, &declared(all, "audit_setting"));
}
