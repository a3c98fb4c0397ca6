//! The questions that circulation rules answer: `/circulation/rules/loan-policy` and its nine siblings
//! (docs/folio/circulation-rules.md#which-policy-applies).

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    rules::{AppliedRuleConditions, Facts, Match, PolicyKind},
};
use serde_json::{Value, json};
use store::record::{self, VERSIONED_UUID_PATTERN};
use uuid::Uuid;

use super::told::rules_failed;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

/// The paths, and what the answers call the policy: the one, and each of a list.
const QUESTIONS: [(PolicyKind, &str, &str, &str); 5] = [
    (PolicyKind::Loan, "loan", "loanPolicyId", "loanPolicyId"),
    (
        PolicyKind::Request,
        "request",
        "requestPolicyId",
        "requestPolicyId",
    ),
    (
        PolicyKind::Notice,
        "notice",
        "noticePolicyId",
        "noticePolicyId",
    ),
    (
        PolicyKind::OverdueFine,
        "overdue-fine",
        "overdueFinePolicyId",
        "overduePolicyId",
    ),
    (
        PolicyKind::LostItem,
        "lost-item",
        "lostItemPolicyId",
        "lostItemPolicyId",
    ),
];

pub(super) fn routes(routes: &mut Routes) {
    for (kind, name, one, of_all) in QUESTIONS {
        routes
            .get(&format!("/circulation/rules/{name}-policy"), move |call| {
                best(call, kind, one)
            })
            .summary(&format!("Which {name} policy applies"));
        routes
            .get(
                &format!("/circulation/rules/{name}-policy-all"),
                move |call| all(call, kind, of_all),
            )
            .summary(&format!("Which {name} policies could apply, best first"));
    }
}

/// GET. One round trip.
async fn best(call: Call, kind: PolicyKind, key: &'static str) -> Answer {
    let (configuration, facts) = asked(&call).await?;
    let matcher = configuration
        .matcher()
        .map_err(|failed| rules_failed(failed.0))?;
    let found = matcher.best(&facts);
    // Only loan policies are limited by what a rule tests.
    let conditions = match kind {
        PolicyKind::Loan => found.conditions,
        _ => AppliedRuleConditions::default(),
    };
    Ok(Reply::pretty(&json!({
        key: found.policies.get(kind).as_str(),
        "appliedRuleConditions": {
            "materialTypeMatch": conditions.material_type,
            "loanTypeMatch": conditions.loan_type,
            "patronGroupMatch": conditions.patron_group,
        },
    })))
}

/// GET. One round trip.
async fn all(call: Call, kind: PolicyKind, key: &'static str) -> Answer {
    let (configuration, facts) = asked(&call).await?;
    let matcher = configuration
        .matcher()
        .map_err(|failed| rules_failed(failed.0))?;
    let shown = |found: Match<'_>| json!({key: found.policies.get(kind).as_str(), "circulationRuleLine": found.line});
    let matches: Vec<Value> = matcher.all(&facts).into_iter().map(shown).collect();
    Ok(Reply::pretty(&json!({"circulationRuleMatches": matches})))
}

async fn asked(call: &Call) -> Result<(Arc<Configuration>, Facts), Problem> {
    let material_type = id(call, "item_type_id")?;
    let loan_type = id(call, "loan_type_id")?;
    let group = id(call, "patron_type_id")?;
    let location = id(call, "location_id")?;
    let configuration = call.tenant.desk.current(&call.session).await?;
    let facts = configuration.facts(material_type, loan_type, group, location);
    Ok((configuration, facts))
}

fn id(call: &Call, name: &str) -> Result<Uuid, Problem> {
    let text = call
        .query
        .get(name)
        .ok_or_else(|| Problem::bad_request(format!("required query parameter missing: {name}")))?;
    let is_one = record::is_uuid(text) && has_version(text);
    let read = Uuid::parse_str(text).ok().filter(|_| is_one);
    read.ok_or_else(|| {
        let text = format!(
            "invalid uuid format of {name}, expecting {VERSIONED_UUID_PATTERN} but it is {text}"
        );
        Problem::bad_request(text)
    })
}

fn has_version(text: &str) -> bool {
    let at = |index: usize| text.as_bytes().get(index).copied().unwrap_or_default();
    matches!(at(14), b'1'..=b'5') && matches!(at(19), b'8' | b'9' | b'a' | b'b' | b'A' | b'B')
}
