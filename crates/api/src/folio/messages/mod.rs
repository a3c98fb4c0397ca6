//! Messages to patrons: templates (mod-template-engine).

mod requests;
mod templates;

use std::sync::Arc;

use store::collection::Collection;

use crate::route::Routes;

/// Enters the routes around messages.
pub fn routes(routes: &mut Routes, declared: &[Arc<Collection>]) {
    let template = super::declared(declared, mail::collections::TEMPLATES);
    templates::routes(routes, &template);
    requests::routes(routes);
}
