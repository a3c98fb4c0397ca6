//! mod-search: the search of the catalogue (docs/folio/search.md). An answer that may lack what was saved a moment ago says so
//! in a header.

mod authorities;
mod browse;
mod elsewhere;
mod ids;
mod indexes;
mod instances;
mod settings;

use std::sync::Arc;

use ::catalogue::{
    Catalogue, Failed, Place,
    refusal::{BODY_UNREADABLE, MEMBER_MISSING, NO_TRUTH_VALUE, PARAMETER_MISSING},
};
use http::HeaderName;
use serde_json::{Map, Value};

use crate::{
    answer::{Problem, Reply},
    app::{App, TenantState},
    call::Call,
    route::{Form, Route, Routes},
};

/// Says that a search could not wait for everything that was saved before it.
const BEHIND: HeaderName = HeaderName::from_static("x-carrel-search-behind");

pub(super) fn routes(routes: &mut Routes) {
    instances::routes(routes);
    authorities::routes(routes);
    browse::routes(routes);
    ids::routes(routes);
    settings::routes(routes);
    indexes::routes(routes);
    elsewhere::routes(routes);
}

/// Declares the refusals that every route of the module has.
fn refusing(route: &mut Route) -> &mut Route {
    route.refuses_as(400, Form::Errors).refuses_as(503, Form::Errors)
}

/// The searched catalogue of a tenant; its indexes are opened when they are first used, or at the start if they are there
/// ([`crate::indexes`]).
pub(crate) fn catalogue(app: &App, tenant: &TenantState) -> Arc<Catalogue> {
    let start = || {
        Catalogue::start(Place {
            tenant: tenant.tenant.id.clone(),
            schema: tenant.schema.clone(),
            folder: app.settings.search_directory.clone(),
            patience: app.settings.search_patience,
            sessions: Arc::new(app.index_sessions(tenant)),
        })
    };
    Arc::clone(tenant.catalogue.get_or_init(start))
}

impl Call {
    fn catalogue(&self) -> Arc<Catalogue> {
        catalogue(&self.app, &self.tenant)
    }

    /// A parameter that must be there.
    fn required(&self, name: &'static str, class: &'static str) -> Result<&str, Problem> {
        let missing = || PARAMETER_MISSING.with("name", name).with("type", class);
        self.query.get(name).ok_or_else(|| missing().into())
    }

    /// A switch, which usually is in a position.
    fn switch(&self, name: &str, usual: bool) -> Result<bool, Problem> {
        match self.query.get(name).map(str::to_ascii_lowercase).as_deref() {
            Some("true" | "on" | "yes" | "1") => Ok(true),
            Some("false" | "off" | "no" | "0") => Ok(false),
            None | Some("") => Ok(usual),
            Some(other) => Err(NO_TRUTH_VALUE.with("value", other).into()),
        }
    }

    /// The body as a JSON object, in mod-search's manner.
    fn sent(&self) -> Result<Map<String, Value>, Problem> {
        let unreadable = |error: &str| Problem::from(BODY_UNREADABLE.with("error", error));
        match serde_json::from_slice(&self.body) {
            Ok(Value::Object(members)) => Ok(members),
            Ok(_) => Err(unreadable("expected a JSON object")),
            Err(error) => Err(unreadable(&error.to_string())),
        }
    }
}

/// A text that must be in a body.
fn text(body: &Map<String, Value>, name: &'static str) -> Result<String, Problem> {
    match body.get(name) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
        _ => Err(MEMBER_MISSING.about(name, "null").into()),
    }
}

fn told(reply: Reply, is_behind: bool) -> Reply {
    if is_behind { reply.with_header(BEHIND, "true") } else { reply }
}

impl From<Failed> for Problem {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Refused(refused) => refused.into(),
            Failed::Store(error) => error.into(),
            Failed::Broken(text) => Problem::Internal(text),
        }
    }
}
