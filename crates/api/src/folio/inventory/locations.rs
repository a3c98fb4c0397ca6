//! How institutions, campuses, libraries, locations and service points differ from plain records
//! (docs/folio/locations-and-service-points.md): immutable ids, and shadow records and routing service points that
//! lists hide.

use std::sync::Arc;

use serde_json::Value;
use store::{collection::Collection, query::ListRequest};

use super::refusals::{LOCATION_ID_CHANGED, UNIT_ID_CHANGED};
use crate::{
    answer::Problem,
    call::Call,
    collections::{self, serve},
    route::{Answer, Routes},
};

/// Table, and FOLIO's name for it in the refusal.
const UNITS: &[(&str, &str)] = &[("locinstitution", "Institution"), ("loccampus", "Campus"), ("loclibrary", "Library")];

/// Table, CQL that hides records, and the query parameter that shows them.
const HIDDEN: &[(&str, &str, &str)] = &[
    ("locinstitution", "isShadow==true", "includeShadow"),
    ("loccampus", "isShadow==true", "includeShadow"),
    ("loclibrary", "isShadow==true", "includeShadow"),
    ("location", "isShadow==true", "includeShadowLocations"),
    ("service_point", "ecsRequestRouting==true", "includeRoutingServicePoints"),
];

pub fn routes(routes: &mut Routes) {
    for collection in inventory::collections::collections().into_iter().map(Arc::new) {
        let table = collection.table;
        if let Some((_, hidden, show)) = HIDDEN.iter().copied().find(|(name, ..)| *name == table) {
            let list = move |call, collection| list(call, collection, hidden, show);
            serve(routes, &collection, "list", list).asks(&format!("{show}:bool"));
        }
        if let Some((_, unit)) = UNITS.iter().copied().find(|(name, _)| *name == table) {
            let replace = move |call, collection| replace_unit(call, collection, unit);
            serve(routes, &collection, "put", replace);
        }
        if table == "location" || table == "service_point" {
            serve(routes, &collection, "put", replace_served);
        }
    }
}

async fn list(call: Call, collection: Arc<Collection>, hidden: &str, show: &str) -> Answer {
    if call.query.flag(show) {
        return collections::list(call, collection).await;
    }
    let visible = visible_only(call.query.get("query").unwrap_or("cql.allRecords=1"), hidden);
    let request = ListRequest {
        cql: Some(&visible),
        limit: call.limit(collection.default_limit)?,
        offset: call.offset()?,
        totals: call.query.get("totalRecords").unwrap_or("auto"),
    };
    collections::page(&call, &collection, &request).await
}

/// The query without hidden records, in the same order. A malformed query is left for the list to refuse.
fn visible_only(query: &str, hidden: &str) -> String {
    match (cql::parse(query), cql::parse(&format!("cql.allRecords=1 not {hidden}"))) {
        (Ok(asked), Ok(visible)) => asked.within(visible.condition).to_string(),
        _ => query.to_owned(),
    }
}

async fn replace_unit(call: Call, collection: Arc<Collection>, unit: &str) -> Answer {
    if names_other_id(&call)? {
        return Err(UNIT_ID_CHANGED.with("unit", unit).into());
    }
    collections::replace(call, collection).await
}

async fn replace_served(call: Call, collection: Arc<Collection>) -> Answer {
    if collection.table == "location" && names_other_id(&call)? {
        return Err(LOCATION_ID_CHANGED.into());
    }
    collections::replace_as_json(call, collection).await
}

/// Whether the id in the body differs from that in the path.
fn names_other_id(call: &Call) -> Result<bool, Problem> {
    let id = call.id("id")?;
    let body = call.json()?;
    let named = body.get("id").and_then(Value::as_str);
    Ok(named.is_some_and(|named| !named.eq_ignore_ascii_case(&id.to_string())))
}

#[cfg(test)]
mod tests {
    use super::visible_only;

    #[test]
    fn hidden_records_are_excluded_whatever_the_query_says() {
        let visible = |query: &str| cql::parse(&visible_only(query, "x==true")).ok();
        let table = [
            ("name==a or name==b", "cql.allRecords=1 not x==true and (name==a or name==b)"),
            ("name==a sortby name", "cql.allRecords=1 not x==true and (name==a) sortby name"),
        ];
        for (query, expected) in table {
            assert_eq!(visible(query), cql::parse(expected).ok());
        }
        assert_eq!(visible_only("name==", "x==true"), "name==");
    }
}
