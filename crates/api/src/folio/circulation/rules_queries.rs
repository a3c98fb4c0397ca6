//! Queries to the circulation rules: `/circulation/rules/loan-policy` and its nine siblings
//! (docs/folio/circulation-rules.md#which-policy-applies).

use std::sync::Arc;

use ::refusals::Refusal;
use circulation::{
    configuration::Configuration,
    rules::{AppliedRuleConditions, Facts, Match, PolicyKind},
};
use serde_json::{Value, json};
use store::record::{self, VERSIONED_UUID_PATTERN};
use uuid::Uuid;

use super::refusals::{PARAMETER_MISSING, PARAMETER_NOT_AN_ID};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

/// Paths, and the keys of the policy in the responses: alone, and in a list.
const QUESTIONS: [(PolicyKind, &str, &str, &str); 5] = [
    (PolicyKind::Loan, "loan", "loanPolicyId", "loanPolicyId"),
    (PolicyKind::Request, "request", "requestPolicyId", "requestPolicyId"),
    (PolicyKind::Notice, "notice", "noticePolicyId", "noticePolicyId"),
    (PolicyKind::OverdueFine, "overdue-fine", "overdueFinePolicyId", "overduePolicyId"),
    (PolicyKind::LostItem, "lost-item", "lostItemPolicyId", "lostItemPolicyId"),
];

/// The facts that circulation rules match on.
const FACTS: &str = "item_type_id*:uuid, loan_type_id*:uuid, patron_type_id*:uuid, location_id*:uuid";

pub(super) fn routes(routes: &mut Routes) {
    for (kind, name, one, of_all) in QUESTIONS {
        routes
            .get(&format!("/circulation/rules/{name}-policy"), move |call| best(call, kind, one))
            .summary(&format!("Which {name} policy applies"))
            .asks(FACTS)
            .gives(&format!(
                "{one}*:uuid, appliedRuleConditions*{{materialTypeMatch*:bool, loanTypeMatch*:bool,
                     patronGroupMatch*:bool}}"
            ));
        routes
            .get(&format!("/circulation/rules/{name}-policy-all"), move |call| all(call, kind, of_all))
            .summary(&format!("Which {name} policies could apply, best first"))
            .asks(FACTS)
            .gives(&format!("circulationRuleMatches*[{{{of_all}*:uuid, circulationRuleLine*:int}}]"));
    }
}

/// GET. One round trip.
async fn best(call: Call, kind: PolicyKind, key: &'static str) -> Answer {
    let (configuration, facts) = asked(&call).await?;
    let matcher = configuration.matcher()?;
    let found = matcher.best(&facts);
    // Only for loan policies do the rule's conditions set limits.
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
    let matcher = configuration.matcher()?;
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

fn id(call: &Call, name: &str) -> Result<Uuid, Refusal> {
    let text = call.query.get(name).ok_or_else(|| PARAMETER_MISSING.with("name", name))?;
    let read = Uuid::parse_str(text).ok().filter(|_| record::is_versioned_uuid(text));
    read.ok_or_else(|| {
        let refusal = PARAMETER_NOT_AN_ID.with("name", name).with("text", text);
        refusal.with("pattern", VERSIONED_UUID_PATTERN)
    })
}
