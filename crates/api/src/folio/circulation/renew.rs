//! `/circulation/renew-by-barcode` and `/circulation/renew-by-id` (docs/folio/renewals.md).

use circulation::{
    blocks::Granted,
    renewal::{NamedBy, RenewalCommand},
};
use desk::{self, Operator};
use http::header::LOCATION;

use super::shown;
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

const OVERRIDES: &str = "servicePointId:uuid, overrideBlocks{comment, patronBlock:object, renewalBlock:object,
    renewalDueDateRequiredBlock{dueDate:datetime}}";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/renew-by-barcode", |call| renew(call, NamedBy::Barcode))
        .summary("Renew the loan of an item, by barcodes")
        .at_the_desk()
        .takes(&format!("itemBarcode*, userBarcode*, {OVERRIDES}"))
        .gives_body(shown::loan())
        .refuses(&[422]);
    routes
        .post("/circulation/renew-by-id", |call| renew(call, NamedBy::Id))
        .summary("Renew the loan of an item, by ids")
        .at_the_desk()
        .takes(&format!("itemId*:uuid, userId*:uuid, {OVERRIDES}"))
        .gives_body(shown::loan())
        .refuses(&[422]);
}

/// POST. Two round trips.
async fn renew(call: Call, named_by: NamedBy) -> Answer {
    let granted = Granted::by(|permission| call.may(permission));
    let command = RenewalCommand::read(&call.json()?, named_by, granted)?;
    let (desk, session, operator) = (&call.tenant.desk, &call.session, Operator(call.user_id()));
    let renewed = desk::renew(desk, session, &command, operator, call.now).await?;
    let id = renewed.decided.loan.id().unwrap_or_default();
    let location = format!("/circulation/loans/{id}");
    Ok(Reply::pretty(&renewed.representation()).with_header(LOCATION, &location))
}
