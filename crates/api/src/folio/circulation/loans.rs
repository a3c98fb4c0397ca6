//! `/circulation/loans`: loans with their item, borrower and policies (docs/folio/loans.md#how-a-loan-is-shown).

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    records::{Instance, Item, ItemState, Patron},
    representation::{self, LoanSurroundings},
};
use desk::collections::{loan_columns, loan_of_columns, loans};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Map, Value};
use store::collection::Collection;

use super::shown;
use super::surroundings::{self, Surrounded};
use crate::{
    call::Call,
    route::{Answer, Routes},
};

const PATH: &str = "/circulation/loans";

/// A loan with its item, instance, borrower and debts, read by primary key, and the version of the configuration that
/// supplies the names.
fn with_surroundings() -> String {
    format!(
        "json_build_object('loan', {},
    'version', (SELECT version FROM configuration_version),
    'around', (SELECT json_build_object('item', i.doc, 'state', s.state, 'instance', t.doc)
               FROM item i JOIN item_state s ON s.id = i.id JOIN holdings_record h ON h.id = i.holdingsrecordid
               JOIN instance t ON t.id = h.instanceid WHERE i.id = r.itemid),
    'borrower', (SELECT u.doc FROM users u WHERE u.id = r.userid),
    'remaining', (SELECT coalesce(sum((a.doc->>'remaining')::numeric), 0)::text FROM accounts a
                  WHERE a.loanid = r.id AND a.doc#>>'{{status,name}}' = 'Open'))",
        loan_columns()
    )
}

pub(super) fn routes(routes: &mut Routes) {
    let shown = Arc::new(loans().represented(with_surroundings()));
    let listed = Arc::clone(&shown);
    routes
        .get(PATH, move |call| list(call, Arc::clone(&listed)))
        .summary("List loans with their items, borrowers and policies")
        .gives_body(shown::loan())
        .lists("loans");
    routes
        .get(&format!("{PATH}/{{id}}"), move |call| surroundings::read::<Row>(call, Arc::clone(&shown)))
        .summary("Read a loan with its item, borrower and policies")
        .gives_body(shown::loan());
}

/// A loan with its related records, as the database returns it.
#[derive(Deserialize)]
struct Row {
    loan: Map<String, Value>,
    version: i64,
    around: Option<Around>,
    borrower: Option<Patron>,
    remaining: Option<String>,
}

#[derive(Deserialize)]
struct Around {
    item: Item,
    state: ItemState,
    instance: Instance,
}

impl Surrounded for Row {
    const NAME: &'static str = "loan";

    fn version(&self) -> i64 {
        self.version
    }

    fn show(self, configuration: &Configuration) -> Value {
        let around = self.around.map(|around| (around.item.in_state(around.state), around.instance));
        let remaining = self.remaining.as_deref().and_then(|amount| amount.parse::<Decimal>().ok());
        let around = LoanSurroundings {
            item: around.as_ref().map(|(item, instance)| (item, instance)),
            borrower: self.borrower.as_ref(),
            service_points: true,
            remaining_fees: remaining,
        };
        representation::loan(&loan_of_columns(self.loan), &around, configuration)
    }
}

/// GET of the collection. One round trip.
async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let (limit, offset) = (call.limit(collection.default_limit)?, call.offset()?);
    surroundings::page::<Row>(&call, &collection, surroundings::cql(&call), limit, offset).await
}
