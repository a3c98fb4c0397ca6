//! `/loan-storage/loan-history`: every change of a loan, newest first (docs/folio/loans.md#loan-history).

use store::query::ListRequest;

use crate::{
    answer::Problem,
    call::Call,
    collections,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/loan-storage/loan-history", list)
        .summary("List the loan history")
        .gives_record(&desk::collections::loan_history())
        .lists("loansHistory");
}

/// GET. One round trip.
async fn list(call: Call) -> Answer {
    let collection =
        call.app.collection("loan_history").ok_or_else(|| Problem::Internal("no collection loan_history".into()))?;
    let asked = call.query.get("query").filter(|query| !query.trim().is_empty());
    let asked = asked.unwrap_or("cql.allRecords=1");
    let sorted = if asked.to_lowercase().contains("sortby") {
        asked.to_owned()
    } else {
        format!("{asked} sortby createdDate/sort.descending")
    };
    let request = ListRequest {
        cql: Some(&sorted),
        limit: call.limit(10)?,
        offset: call.offset()?,
        totals: call.query.get("totalRecords").unwrap_or("auto"),
    };
    collections::page(&call, &collection, &request).await
}
