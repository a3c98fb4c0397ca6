//! `/circulation/loans`: loans with what stands beside them (folio-circulation §1.4, §2.3).

use std::sync::Arc;

use ::circulation::{
    collections::loans,
    configuration::Configuration,
    records::{Instance, Item, Loan, Patron},
    representation::{self, LoanSurroundings},
};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::{
    collection::Collection,
    query::{self, ListRequest},
    records,
};

use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

const PATH: &str = "/circulation/loans";

/// A loan with its item, instance, borrower and debts, read by primary keys; and the version of the
/// configuration, from which the names come.
const WITH_SURROUNDINGS: &str = "jsonb_build_object('loan', r.doc,
    'version', (SELECT version FROM configuration_version),
    'item', (SELECT i.doc || i.state FROM item i WHERE i.id = r.itemid),
    'instance', (SELECT t.doc FROM item i JOIN holdings_record h ON h.id = i.holdingsrecordid
                 JOIN instance t ON t.id = h.instanceid WHERE i.id = r.itemid),
    'borrower', (SELECT u.doc FROM users u WHERE u.id = r.userid),
    'remaining', (SELECT coalesce(sum((a.doc->>'remaining')::numeric), 0)::text FROM accounts a
                  WHERE a.loanid = r.id AND a.doc#>>'{status,name}' = 'Open'))";

pub(super) fn routes(routes: &mut Routes) {
    let shown = Arc::new(loans().represented(WITH_SURROUNDINGS));
    let listed = Arc::clone(&shown);
    routes
        .get(PATH, move |call| list(call, Arc::clone(&listed)))
        .summary("List loans with their items, borrowers and policies")
        .lists("loans");
    routes
        .get(&format!("{PATH}/{{id}}"), move |call| {
            read(call, Arc::clone(&shown))
        })
        .summary("Read a loan with its item, borrower and policies");
}

/// A loan with what stands beside it, as read.
#[derive(Deserialize)]
struct Row {
    loan: Map<String, Value>,
    version: i64,
    item: Option<Item>,
    instance: Option<Instance>,
    borrower: Option<Patron>,
    remaining: Option<String>,
}

/// GET of the collection. One round trip.
async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let request = ListRequest {
        cql: call
            .query
            .get("query")
            .filter(|query| !query.trim().is_empty()),
        limit: call.limit(collection.default_limit)?,
        offset: call.offset()?,
        totals: call.query.get("totalRecords").unwrap_or("auto"),
    };
    let page = query::list(&call.session, &call.app.collections, &collection, &request)
        .await
        .map_err(|error| collections::query_problem(error, &collection))?;
    let rows: Vec<Row> = rows(&page.records)?;
    let configuration = configuration(&call, rows.first()).await?;
    let shown: Vec<Value> = rows.iter().map(|row| show(row, &configuration)).collect();
    let mut body = json!({"loans": shown});
    if let Some(total) = page.total {
        body["totalRecords"] = total.into();
    }
    Ok(Reply::pretty(&body))
}

/// GET of one loan. One round trip.
async fn read(call: Call, collection: Arc<Collection>) -> Answer {
    let text = call.param("id").to_owned();
    let unknown = || Problem::not_found(format!("loan record with ID \"{text}\" cannot be found"));
    let id = call.id("id").map_err(|_| unknown())?;
    let found = records::find(&call.session, &collection, id)
        .await?
        .ok_or_else(unknown)?;
    let row: Row = rows(&found)?;
    let configuration = configuration(&call, Some(&row)).await?;
    Ok(Reply::pretty(&show(&row, &configuration)))
}

fn rows<'r, T: Deserialize<'r>>(text: &'r str) -> Result<T, Problem> {
    serde_json::from_str(text).map_err(|error| Problem::Internal(format!("a stored loan: {error}")))
}

async fn configuration(call: &Call, row: Option<&Row>) -> Result<Arc<Configuration>, Problem> {
    match row {
        None => Ok(Arc::default()),
        Some(row) => Ok(call
            .tenant
            .desk
            .configuration(&call.session, row.version)
            .await?),
    }
}

fn show(row: &Row, configuration: &Configuration) -> Value {
    let unknown = Instance::default();
    let instance = row.instance.as_ref().unwrap_or(&unknown);
    let remaining = row
        .remaining
        .as_deref()
        .and_then(|amount| amount.parse::<Decimal>().ok());
    let around = LoanSurroundings {
        item: row.item.as_ref().map(|item| (item, instance)),
        borrower: row.borrower.as_ref(),
        service_points: true,
        remaining_fees: remaining,
    };
    representation::loan(&Loan::new(row.loan.clone()), &around, configuration)
}
