//! mod-users and related modules: users, departments, address types, custom fields, staged users, pictures, PINs, user
//! tenants and the import (docs/folio/users.md).

mod address_types;
mod custom_fields;
mod departments;
pub(crate) mod import;
mod pictures;
mod pins;
mod records;
mod refusals;
mod staging;
mod tenants;

pub(crate) use records::create_all;
pub(crate) use refusals::{PINS, TABLE};

use std::sync::Arc;

use store::collection::Collection;

use super::declared;

use crate::route::Routes;

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    records::routes(routes, &declared(all, "users"));
    departments::routes(routes, &declared(all, "departments"));
    address_types::routes(routes, &declared(all, "addresstype"));
    custom_fields::routes(routes, &declared(all, "custom_fields"));
    import::routes(routes, &declared(all, "users"));
    staging::routes(routes, &declared(all, "staging_users"));
    pictures::routes(routes);
    pins::routes(routes);
    tenants::routes(routes, &declared(all, "user_tenant"));
}
