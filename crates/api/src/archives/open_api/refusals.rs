//! The refusals of each route (contract 1.3). Most follow from its method, path, parameters and permissions.

use std::collections::BTreeSet;

use http::StatusCode;
use serde_json::{Value, json};
use store::record::{Kind, Side};

use super::usual::Usual;
use crate::{
    archives::endpoint::{Endpoint, Paging},
    route::JSON,
};

/// The statuses with which a route refuses, apart from those that any route may have: these are the default.
pub(super) fn of(endpoint: &Endpoint, usual: Option<&Usual>) -> BTreeSet<u16> {
    let may_be_wrong = endpoint.path.contains('{')
        || !endpoint.parameters.is_empty()
        || endpoint.takes_record
        || endpoint.paging != Paging::None;
    let names_a_record = endpoint.path.contains("{id}");
    let follow = [
        may_be_wrong.then_some(400),
        (!endpoint.needs.is_empty()).then_some(403),
        names_a_record.then_some(404),
        // A session that is over ends every request but the next log-in.
        (!endpoint.path.ends_with("/login")).then_some(412),
    ];
    let with = endpoint.described.refuses_with.iter().map(|(status, _)| *status);
    let of_type = usual.map_or(&[][..], |usual| usual.refuses);
    let all =
        follow.into_iter().flatten().chain(of_type.iter().chain(&endpoint.described.refuses).copied()).chain(with);
    all.filter(|status| !endpoint.described.never_refuses.contains(status)).collect()
}

/// The response of a refusal: what is wrong with a record or with parameters is told by member, everything else in a sentence,
/// unless the route says otherwise.
pub(super) fn response(endpoint: &Endpoint, status: u16) -> Value {
    let own = endpoint.described.refuses_with.iter().find(|(of, _)| *of == status);
    let usual = match status {
        400 => "Refusal",
        412 => "SessionOver",
        _ => "Reason",
    };
    let schema = own.map_or_else(
        || Kind::Named(usual.to_owned()).to_open_api(Side::Given),
        |(_, body)| body.to_open_api(Side::Given),
    );
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    let description = if status == 500 { "The request failed" } else { reason.unwrap_or("Refused") };
    json!({"description": description, "content": {JSON: {"schema": schema}}})
}
