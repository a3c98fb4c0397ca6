//! Instances with their holdings and items, items with all they refer to, and lists of ids
//! (docs/folio/inventory-links-and-views.md).

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use bytes::Bytes;
use cql::{Boolean, Clause, Expression, Joined, Query, Relation};
use futures_util::{Stream, StreamExt, stream};
use store::{
    StoreError,
    collection::Collection,
    db::Rows,
    inventory::views,
    query::{self, ListRequest, Plan},
    records,
};

use super::refusals::{NOT_BY_HOLDINGS, NOT_BY_HOLDINGS_ALONE, RECORD_TYPE_UNKNOWN, RELATIONS_UNKNOWN};
use super::{business, items, kind::Kind};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

const ALL_IDS: i64 = 2_147_483_647;
const VIEW: &str = "instanceId*:uuid, instance*:Instance, isBoundWith*:bool, holdingsRecords*[HoldingsRecord],
    items*[Item]";
const IS_BOUND_WITH: &str =
    "(EXISTS (SELECT FROM holdings_record h JOIN bound_with_part part ON part.holdingsrecordid = h.id
    WHERE h.instanceid = r.id))::text";
/// The parts of an instance set, which are also the parameters that ask for them.
const SET: &str = "id*:uuid, instance:Instance, holdingsRecords[HoldingsRecord], items[Item],
    precedingTitles[PrecedingSucceedingTitle], succeedingTitles[PrecedingSucceedingTitle],
    superInstanceRelationships[InstanceRelationship], subInstanceRelationships[InstanceRelationship]";
const BY_HOLDINGS: &str = "/inventory/items-by-holdings-id";
/// The values of `relations`: the items bound with the holdings record, and those of them that belong to another one.
const ONLY_BOUND: &str = "onlyBoundWiths";
const ONLY_BOUND_ELSEWHERE: &str = "onlyBoundWithsSkipDirectlyLinkedItem";

pub fn routes(routes: &mut Routes) {
    routes
        .get("/inventory-view/instances", instances)
        .summary("List instances with their holdings and items")
        .asks("withBoundedItems:bool")
        .gives(VIEW)
        .lists("instances")
        .streams()
        .result_info = true;
    routes
        .get("/inventory-view/instance-set", instance_sets)
        .summary("List instances with chosen neighbours").asks("instance:bool, holdingsRecords:bool, items:bool, precedingTitles:bool, succeedingTitles:bool, superInstanceRelationships:bool, subInstanceRelationships:bool").gives(SET).lists("instanceSets")
        .streams();
    routes
        .get("/record-bulk/ids", ids)
        .summary("List the ids of instances or holdings records")
        .asks("recordType, field")
        .gives("id*:uuid")
        .lists("ids")
        .streams()
        .result_info = true;
    routes
        .get(BY_HOLDINGS, items_by_holdings)
        .summary("List the items of a holdings record, bound ones too")
        .asks("relations")
        .gives_body(items::answered())
        .lists("items");
    let dereferenced = Arc::new(dereferenced());
    let c = Arc::clone(&dereferenced);
    routes
        .get(dereferenced.path, move |call| collections::list(call, Arc::clone(&c)))
        .summary("List items with the records they refer to")
        .gives_body(items::dereferenced())
        .lists("dereferencedItems");
    routes
        .get("/item-storage-dereferenced/items/{id}", move |call| collections::get(call, Arc::clone(&dereferenced)))
        .summary("Read an item with the records it refers to")
        .gives_body(items::dereferenced());
}

fn dereferenced() -> Collection {
    let sql = views::ITEM_DEREFERENCED.to_owned();
    Kind::Items.declared().shown_as("/item-storage-dereferenced/items", "dereferencedItems", sql)
}

async fn instances(call: Call) -> Answer {
    let sql = views::instance_view(call.query.flag("withBoundedItems"));
    let shown = Kind::Instances.declared().shown_as("/inventory-view/instances", "instances", sql);
    // Queries name what the answer has.
    let shown =
        shown.alias("instance", &[]).called(&[("instanceId", "id")]).virtual_field("isBoundWith", IS_BOUND_WITH);
    collections::list(call, Arc::new(shown.with_result_info())).await
}

async fn instance_sets(call: Call) -> Answer {
    let sql = views::instance_set(|member| call.query.flag(member));
    let shown = Kind::Instances.declared().shown_as("/inventory-view/instance-set", "instanceSets", sql);
    collections::list(call, Arc::new(shown)).await
}

async fn ids(call: Call) -> Answer {
    let kind = match call.query.get("recordType").map(str::to_ascii_uppercase).as_deref() {
        None | Some("INSTANCE") => Kind::Instances,
        Some("HOLDING") => Kind::Holdings,
        Some(other) => {
            return Err(RECORD_TYPE_UNKNOWN.with("type", other).into());
        }
    };
    let collection = kind.collection(&call)?;
    let plan = match call.query.get("query").filter(|query| !query.trim().is_empty()) {
        None => Plan::everything(),
        Some(query) => {
            // Clients write `items.` here, where every other route uses `item.`.
            let query = query.replace("items.effectiveLocationId", "item.effectiveLocationId");
            let plan = query::read(&call.app.collections, &collection, &query);
            plan.map_err(|error| collections::query_problem(error, &collection))?
        }
    };
    let (limit, offset) = (call.limit(ALL_IDS)?, call.offset()?);
    let part = Some(limit).filter(|limit| *limit < ALL_IDS);
    let rows = records::stream_ids(&call.session, &collection, &plan, part, offset).await?;
    let list = call.app.spools.body(id_list(rows, offset)).await?;
    Ok(Reply::typed("application/json", list))
}

/// Streams `{"ids":[…],"totalRecords":n,"resultInfo":{…}}`. Unless the rows tell it, the number is known only after the last one.
fn id_list(rows: Rows, offset: i64) -> impl Stream<Item = Result<Bytes, StoreError>> + Send + 'static {
    let (count, total) = (Arc::new(AtomicI64::new(0)), Arc::new(AtomicI64::new(0)));
    let (counted, told) = (Arc::clone(&count), Arc::clone(&total));
    let ids = rows.map(move |row| {
        let row = row?;
        let separator = if counted.fetch_add(1, Ordering::Relaxed) == 0 { "" } else { "," };
        told.fetch_max(row.get::<_, Option<i64>>("total").unwrap_or_default(), Ordering::Relaxed);
        let id: String = row.get("id");
        Ok(Bytes::from(format!("{separator}{id}")))
    });
    let end = stream::once(async move {
        let total = total.load(Ordering::Relaxed).max(offset + count.load(Ordering::Relaxed));
        Ok(Bytes::from(format!("]{}", collections::list_end(true, Some(total)))))
    });
    stream::once(async { Ok(Bytes::from_static(b"{\"ids\":[")) }).chain(ids).chain(end)
}

async fn items_by_holdings(call: Call) -> Answer {
    let sent = call.query.get("query");
    let sent = sent.filter(|query| query.contains("holdingsRecordId"));
    let sent = sent.ok_or_else(|| NOT_BY_HOLDINGS.with("query", call.query.get("query").unwrap_or("null")))?;
    let relations = call.query.get("relations");
    if relations.is_some_and(|relations| ![ONLY_BOUND, ONLY_BOUND_ELSEWHERE].contains(&relations)) {
        return Err(RELATIONS_UNKNOWN.into());
    }
    let wrong = || Problem::from(NOT_BY_HOLDINGS_ALONE.with("query", sent));
    let asked = cql::parse(sent).map_err(|_| wrong())?;
    let clause = &asked.condition.first;
    if clause.index() != "holdingsRecordId" || !asked.condition.rest.is_empty() {
        return Err(wrong());
    }
    let query = belonging_to(clause, relations.unwrap_or_default(), &asked).to_string();
    let (limit, offset) = (lenient(&call, "limit", 200, 10_000), lenient(&call, "offset", 0, ALL_IDS));
    let request = ListRequest { cql: Some(&query), limit, offset, totals: "exact" };
    collections::page(&call, &items::shown(), &request).await
}

/// A number in the query string, at most `most`; `default` for what is no number.
fn lenient(call: &Call, name: &str, default: i64, most: i64) -> i64 {
    let number = call.query.get(name).filter(|text| business::is_numeric(text));
    number.map_or(default, |digits| digits.parse().unwrap_or(most).min(most))
}

/// The items bound with the holdings record that `own` matches and, unless `relations` excludes them, its own items;
/// sorted by barcode.
fn belonging_to(own: &Clause, relations: &str, asked: &Query) -> Query {
    let clause = |index: &str| Clause::new(index, Relation::Exact, Vec::new(), own.term());
    let (own, bound) = (clause("holdingsRecordId"), clause("boundWithParts.holdingsRecordId"));
    let joined = |boolean, clause: Clause| Joined { boolean, modifiers: Vec::new(), operand: clause.into() };
    let rest = match relations {
        ONLY_BOUND => Vec::new(),
        ONLY_BOUND_ELSEWHERE => vec![joined(Boolean::Not, own)],
        _ => vec![joined(Boolean::Or, own)],
    };
    let mut sort = asked.sort.clone();
    if sort.is_empty() {
        sort.push(cql::SortKey::new("barcode", Vec::new()));
    }
    Query { condition: Expression { first: bound, rest }, sort }
}
