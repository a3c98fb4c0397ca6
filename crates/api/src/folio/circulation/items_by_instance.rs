//! `/circulation/items-by-instance`: a title with its items, for placing a request for one of them
//! (docs/folio/circulation.md#items-by-instance).

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    records::{Instance, Item},
    representation,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::{
    collection::Collection,
    query::{self, ListRequest},
    record::Kind,
};

use super::{refusals::QUERY_EMPTY, shown};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Body, Routes},
};

/// A title, its items in the order of its holdings, and the version of the configuration.
const WITH_ITEMS: &str = "jsonb_build_object('title', r.doc,
    'version', (SELECT version FROM configuration_version),
    'items', (SELECT coalesce(jsonb_agg(i.doc || i.state ORDER BY h.seq, i.seq), '[]')
              FROM holdings_record h JOIN item_record i ON i.holdingsrecordid = h.id WHERE h.instanceid = r.id))";

pub(super) fn routes(routes: &mut Routes, titles: &Arc<Collection>) {
    let items = format!("tenantId, items[{{{}, tenantId*}}]", shown::ITEM);
    let title = Body::of(Kind::Object(titles.schema.clone().optional().and(&items)));
    let titles = Arc::new(Collection::clone(titles).represented(WITH_ITEMS));
    routes
        .get("/circulation/items-by-instance", move |call| first(call, Arc::clone(&titles)))
        .summary("Find a title with its items")
        .asks("query*")
        .gives_body(title);
}

/// A title as the database returns it.
#[derive(Deserialize)]
struct Row {
    title: Map<String, Value>,
    version: i64,
    items: Vec<Item>,
}

/// GET: the first title the query finds, `{}` if none. One round trip.
async fn first(call: Call, titles: Arc<Collection>) -> Answer {
    let cql = call.query.get("query");
    let cql = cql.ok_or(QUERY_EMPTY)?;
    let request = ListRequest { cql: Some(cql), limit: 1, offset: 0, totals: "none" };
    let found = query::list(&call.session, &call.app.collections, &titles, &request).await;
    let page = found.map_err(|error| collections::query_problem(error, &titles))?;
    let rows: Vec<Row> = serde_json::from_str(&page.records)
        .map_err(|error| Problem::Internal(format!("a stored instance: {error}")))?;
    let Some(row) = rows.into_iter().next() else {
        return Ok(Reply::pretty(&json!({})));
    };
    let desk = &call.tenant.desk;
    let configuration = desk.configuration(&call.session, row.version).await?;
    Ok(Reply::pretty(&row.show(&call.tenant.tenant.id, &configuration)))
}

impl Row {
    /// The title with its items in the form loans use. Each item names its tenant.
    fn show(self, tenant: &str, configuration: &Configuration) -> Value {
        let mut title = self.title;
        let instance: Instance = serde_json::from_value(Value::Object(title.clone())).unwrap_or_default();
        let items = self.items.iter().map(|item| {
            let mut shown = representation::item(item, &instance, configuration);
            shown["tenantId"] = tenant.into();
            shown
        });
        let items: Vec<Value> = items.collect();
        title.insert("tenantId".into(), tenant.into());
        title.insert("items".into(), items.into());
        Value::Object(title)
    }
}
