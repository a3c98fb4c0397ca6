//! The refusals of each route. Those of the gateway are the same for all routes, and malformed ids, numbers and bodies
//! are refused in the manner of the route's module (decision 27). A route declares only the others.

use std::collections::{BTreeMap, BTreeSet};

use http::{Method, StatusCode};

use crate::{
    folio::users::import,
    manner::Manner,
    route::{Form, JSON, Route, TEXT},
};

/// Statuses that any route may return as text, itself or through the gateway. In the document they are the default.
pub const OF_ANY_ROUTE: [u16; 7] = [408, 413, 414, 429, 500, 503, 507];

/// The form of [`OF_ANY_ROUTE`].
pub(super) const DEFAULT: [Form; 1] = [Form::Text];

/// The refusals of a route by status.
pub(super) fn of(route: &Route) -> BTreeMap<StatusCode, BTreeSet<Form>> {
    let manner = Manner::of(route.module);
    let declared = route.refuses.iter().map(|(status, form)| {
        let form = form.unwrap_or_else(|| usual(manner, *status));
        (*status, form)
    });
    let before = by_the_gateway(route).chain(malformed(route, manner));
    let before = before.filter_map(|(status, form)| Some((StatusCode::from_u16(status).ok()?, form)));
    let mut all: BTreeMap<StatusCode, BTreeSet<Form>> = BTreeMap::new();
    for (status, form) in before.chain(declared) {
        all.entry(status).or_default().insert(form);
    }
    all
}

/// Refusals of the gateway before a handler runs (docs/folio/gateway.md#tenant-and-token), and of conflicting changes.
fn by_the_gateway(route: &Route) -> impl Iterator<Item = (u16, Form)> {
    let reads = route.method == Method::GET;
    let is_open = route.required.is_empty();
    [Some(400), (!is_open).then_some(401), (!is_open).then_some(403), Some(404), (!reads).then_some(409)]
        .into_iter()
        .flatten()
        .map(|status| (status, Form::Text))
}

/// How a module refuses ids, numbers and bodies it cannot read, and media types.
fn malformed(route: &Route, manner: Manner) -> Vec<(u16, Form)> {
    let media = match manner {
        Manner::Spring if route.module == Some("mod-tags") => Form::Errors,
        _ => Form::Spring,
    };
    match manner {
        Manner::Builder | Manner::Plain | Manner::Settings => vec![],
        Manner::Spring => vec![(406, Form::Text), (415, media), (422, Form::Errors)],
        Manner::Bare => vec![(400, Form::Spring), (406, Form::Text), (415, media)],
        Manner::Calendar => vec![(400, Form::Calendars)],
    }
}

/// The form in which a module refuses with that status.
fn usual(manner: Manner, status: StatusCode) -> Form {
    match manner {
        Manner::Spring => Form::Errors,
        Manner::Bare => Form::Spring,
        Manner::Calendar => Form::Calendars,
        _ if status == StatusCode::UNPROCESSABLE_ENTITY => Form::Errors,
        _ => Form::Text,
    }
}

/// The media type of a form, and its content in the notation of [`store::record`].
pub(super) fn shape(form: Form) -> (&'static str, Option<&'static str>) {
    match form {
        Form::Text => (TEXT, None),
        Form::Unquoted => (JSON, None),
        Form::Errors => (
            JSON,
            Some(
                "errors*[{message*, type, code, parameters[{key*, value?}],
                    overridableBlock{name*, missingPermissions*[]}}],
                 total_records:int",
            ),
        ),
        Form::Calendars => {
            (JSON, Some("timestamp*, status*:int, errors*[{code*, message*, data:any, _parameters:any}]"))
        }
        Form::Spring => (JSON, Some("timestamp*, status*:int, error*, message*, path*")),
        Form::Open => (
            JSON,
            Some(
                "userId*:uuid, userBarcode, hasOpenTransactions*:bool, loans*:int, requests*:int, feesFines*:int,
                proxies*:int, blocks*:int",
            ),
        ),
        Form::Import => (JSON, Some(import::RESPONSE)),
        Form::Sentences => (JSON, Some("errors*[]")),
        Form::Rules => (JSON, Some("message*, line:int, column:int")),
        Form::Action => (JSON, Some("accountId, accountIds[], amount, allowed:bool, errorMessage*")),
        Form::Alone => (JSON, Some("message*, type*, parameters[{key*, value*}]")),
        Form::OneError => (JSON, Some("message*, type*, code*, parameters*[{key, value}]")),
        Form::Coded => (JSON, Some("message*, code*, parameters*[{key, value}]")),
    }
}
