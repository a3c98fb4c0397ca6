//! What caused a refusal, as clients read it (docs/why.md).

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::names::{moment, named, named_policy};
use crate::{
    configuration::Configuration,
    fees::{changes::object, money},
    rules::PolicyKind,
    trace::{Blocker, ClaimBehind},
};

/// The cause of a refusal.
pub(super) fn cause_of(by: &Blocker, configuration: &Configuration) -> Value {
    let by_policy = |kind, id| json!({"cause": "policy", "policy": named_policy(kind, id, configuration)});
    let limited = |cause: &str, limit: Decimal, has: Decimal| json!({"cause": cause, "limit": money::stored(limit), "has": money::stored(has)});
    let mut shown = match by {
        Blocker::LoanPolicy(id) => by_policy(PolicyKind::Loan, *id),
        Blocker::RequestPolicy(id) => by_policy(PolicyKind::Request, *id),
        Blocker::OverdueFinePolicy(id) => by_policy(PolicyKind::OverdueFine, *id),
        Blocker::ManualBlocks(blocks) => {
            let blocks = blocks.iter().map(|(reason, expires)| json!({"reason": reason, "expires": expires}));
            json!({"cause": "manualBlocks", "blocks": blocks.map(object).collect::<Vec<_>>()})
        }
        Blocker::BlockLimit { limit, has, .. } => limited("blockLimit", *limit, *has),
        Blocker::ItemLimit { limit, has, .. } => limited("itemLimit", (*limit).into(), (*has).into()),
        Blocker::RenewalLimit { limit, has, .. } => limited("renewalLimit", (*limit).into(), (*has).into()),
        Blocker::NotLater { due, by_policy, .. } => {
            json!({"cause": "notLater", "due": moment(*due), "byPolicy": moment(*by_policy)})
        }
        Blocker::Request(id) => json!({"cause": "request", "requestId": id}),
        Blocker::ItemStatus { status, since } => {
            object(json!({"cause": "itemStatus", "status": status, "since": since})).into()
        }
        Blocker::Claim(claim) => claimed(claim),
        Blocker::NoOpening { service_point, request } => {
            let point = configuration.service_point(Some(*service_point)).map(|point| point.name.as_str());
            json!({"cause": "noOpening", "servicePoint": named(*service_point, point), "requestId": request})
        }
        Blocker::NoLostLoan { status, loan, returned } => object(json!({
            "cause": "noLostLoan", "status": status, "loanId": loan, "returned": returned.map(moment), "recorded": true,
        }))
        .into(),
    };
    match by {
        Blocker::BlockLimit { condition, .. } => {
            let name = configuration.block_conditions.get(condition).map(|condition| condition.name.as_str());
            shown["condition"] = named(*condition, name);
        }
        Blocker::ItemLimit { policy, .. } | Blocker::RenewalLimit { policy, .. } | Blocker::NotLater { policy, .. } => {
            shown["policy"] = named_policy(PolicyKind::Loan, *policy, configuration);
        }
        _ => {}
    }
    shown
}

fn claimed(claim: &ClaimBehind) -> Value {
    let borrower = claim.borrower.as_ref().map(|(id, name)| named(*id, Some(name)));
    object(json!({
        "cause": "claimedReturned", "since": claim.since, "loanId": claim.loan, "borrower": borrower,
        "due": claim.due.map(moment), "claimed": claim.claimed.map(moment), "by": claim.by, "comment": claim.comment,
    }))
    .into()
}
