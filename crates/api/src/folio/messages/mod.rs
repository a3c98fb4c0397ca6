//! Messages to patrons: templates (mod-template-engine), e-mails (mod-email) and delivery (mod-sender, mod-notify).

mod delivery;
pub(crate) mod emails;
mod requests;
mod smtp;
mod templates;

use std::sync::Arc;

use store::collection::Collection;

use crate::route::Routes;

/// Adds the routes for messages.
pub fn routes(routes: &mut Routes, declared: &[Arc<Collection>]) {
    let template = super::declared(declared, messages::collections::TEMPLATES);
    templates::routes(routes, &template);
    requests::routes(routes);
    let email = super::declared(declared, messages::collections::EMAILS);
    emails::routes(routes, &email);
    let smtp = super::declared(declared, messages::collections::SMTP_CONFIGURATIONS);
    smtp::routes(routes, &smtp);
    delivery::routes(routes);
}
