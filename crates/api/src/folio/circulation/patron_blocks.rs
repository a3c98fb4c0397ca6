//! Automated patron blocks and the summary they are computed from (docs/folio/patron-blocks.md#automated-blocks).

use circulation::blocks::automated::{Standing, automated_blocks};
use serde_json::json;
use store::record;
use uuid::Uuid;

use super::refusals::{NO_SUMMARY, USER_ID_INVALID};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const BLOCKS: &str = "automatedPatronBlocks*[{patronBlockConditionId*:uuid, blockBorrowing*:bool, blockRenewals*:bool,
    blockRequests*:bool, message*}]";

const SUMMARY: &str = "id*:uuid, userId*:uuid, openLoans*[{loanId*:uuid, dueDate:datetime, recall*:bool,
        itemLost:bool, itemClaimedReturned*:bool, gracePeriod{duration*:int, intervalId*}}],
    openFeesFines*[{feeFineId*:uuid, feeFineTypeId:uuid, loanId:uuid, balance*:number}]";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/automated-patron-blocks/{userId}", blocks)
        .summary("List the automated blocks of a patron")
        .gives(BLOCKS);
    routes.get("/user-summary/{userId}", summary).summary("Summary of a patron's loans and fees/fines").gives(SUMMARY);
}

/// GET. One round trip.
async fn blocks(call: Call) -> Answer {
    let user = patron(&call, "Invalid user UUID")?;
    let now = circulation::dates::stored(call.now).to_string();
    let found = store::circulation::patron_standing(&call.session.lookups(), user, &now).await?;
    let blocks = match found {
        None => Vec::new(),
        Some(found) => {
            let configuration = call.tenant.desk.configuration(&call.session, found.version).await?;
            let standing: Standing = serde_json::from_value(found.standing).unwrap_or_default();
            automated_blocks(&standing, found.group, &configuration, call.now)
        }
    };
    Ok(Reply::json(&json!({"automatedPatronBlocks": blocks})))
}

/// GET. One round trip.
async fn summary(call: Call) -> Answer {
    let user = patron(&call, "Invalid user ID")?;
    match store::circulation::user_summary(&call.session.lookups(), user).await? {
        Some(summary) => Ok(Reply::json_text(summary)),
        None => Err(NO_SUMMARY.with("user", user).into()),
    }
}

fn patron(call: &Call, what: &str) -> Result<Uuid, Problem> {
    let text = call.param("userId");
    let read = Uuid::parse_str(text).ok().filter(|_| record::is_uuid(text));
    read.ok_or_else(|| USER_ID_INVALID.with("what", what).with("text", text).into())
}
