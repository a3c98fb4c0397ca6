//! Rules of links, links of instances, and what has changed of what they depend on.

use std::sync::LazyLock;

use ::authorities::{
    linking_rules,
    links::{self, Asked},
    refusal::PARAMETER_INVALID,
};
use http::{Method, StatusCode};
use jiff::Timestamp;
use serde_json::Value;
use store::record::{Schema, read_instant};
use uuid::Uuid;

use super::{accepted, id, number, refusing};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    manner::spring,
    route::{Answer, Routes},
};

const RULE: &str =
    "id*:int, bibField*, authorityField*, authoritySubfields*[], subfieldModifications[{source*, target*}],
    validation{existence[object]}, autoLinkingEnabled*:bool";
const RULE_CHANGE: &str = "id:int, autoLinkingEnabled:bool, authoritySubfields[]";
const LINK: &str =
    "id:int, authorityId*:uuid, authorityNaturalId*, instanceId*:uuid, linkingRuleId*:int, status, errorCause";
const CHANGE: &str = "id*:uuid, authorityId*:uuid, action*, naturalIdOld, naturalIdNew, headingOld, headingNew,
    headingTypeOld, headingTypeNew, sourceFileOld, sourceFileNew, lbTotal*:int, lbUpdated*:int, lbFailed*:int,
    metadata{startedAt*:datetime, startedByUserId:uuid, startedByUserFirstName, startedByUserLastName}";
const CHANGED: &str =
    "instanceId*:uuid, instanceTitle, bibRecordTag*, authorityNaturalId, updatedAt*:datetime, errorCause";

static RULE_SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::declare(RULE_CHANGE));
static LINKS_SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::declare(&format!("links[{{{LINK}}}]")));
static IDS_SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::declare("ids[uuid]"));

pub(super) fn routes(routes: &mut Routes) {
    let (rules, rule) = ("/linking-rules/instance-authority", "/linking-rules/instance-authority/{ruleId}");
    refusing(routes.get(rules, list_rules).summary("List the rules of links").gives(&format!("[{{{RULE}}}]")), &[]);
    refusing(routes.get(rule, get_rule).summary("Read a rule of links").gives(RULE), &[404]);
    let change = routes.add(Method::PATCH, rule, change_rule).summary("Change a rule of links").takes(RULE_CHANGE);
    refusing(change.with_status(StatusCode::ACCEPTED), &[404, 422]);
    let of_instance = "/links/instances/{instanceId}";
    let list = routes.get(of_instance, list_links).summary("List the links of an instance to authorities");
    refusing(list.gives(&format!("links*[{{{LINK}}}], totalRecords*:int")), &[]);
    let replace = routes.put(of_instance, replace_links).summary("Replace the links of an instance to authorities");
    refusing(replace.takes(&format!("links[{{{LINK}}}], totalRecords:int")), &[422]);
    let count = routes.post("/links/authorities/bulk/count", count_links).summary("Count the titles with authorities");
    refusing(count.takes("ids[uuid]").gives("links*[{id*:uuid, totalLinks*:int}]"), &[422]);
    let changes = routes
        .get("/links/stats/authority", changes)
        .summary("List what has changed in authorities of what links depend on")
        .asks("fromDate:datetime, toDate:datetime, action, limit:int")
        .gives(&format!("stats*[{{{CHANGE}}}], next:datetime"));
    refusing(changes, &[]);
    let changed = routes
        .get("/links/stats/instance", changed)
        .summary("List links, the last changed first")
        .asks("fromDate:datetime, toDate:datetime, status, limit:int")
        .gives(&format!("stats*[{{{CHANGED}}}], next:datetime"));
    refusing(changed, &[422]);
}

/// GET. One round trip.
async fn list_rules(call: Call) -> Answer {
    Ok(Reply::json(&linking_rules::all(&call.session).await?))
}

fn rule_id(call: &Call) -> Result<i32, Problem> {
    let text = call.param("ruleId");
    let wrong = || {
        let detail = format!("For input string: \"{text}\"");
        Problem::from(PARAMETER_INVALID.with("message", spring::not_converted("ruleId", "java.lang.Integer", &detail)))
    };
    text.parse().map_err(|_| wrong())
}

/// GET. One round trip.
async fn get_rule(call: Call) -> Answer {
    Ok(Reply::json(&linking_rules::one(&call.session, rule_id(&call)?).await?))
}

/// PATCH. Two round trips.
async fn change_rule(call: Call) -> Answer {
    let id = rule_id(&call)?;
    linking_rules::change(&call.session, id, &accepted(&call, &RULE_SCHEMA)?).await?;
    Ok(Reply::no_content().with_status(StatusCode::ACCEPTED))
}

/// GET. One round trip.
async fn list_links(call: Call) -> Answer {
    Ok(Reply::json(&links::of_instance(&call.session, id(&call, "instanceId")?).await?))
}

/// PUT. One round trip.
async fn replace_links(call: Call) -> Answer {
    let instance = id(&call, "instanceId")?;
    links::replace(&call.session, instance, &accepted(&call, &LINKS_SCHEMA)?, call.now).await?;
    Ok(Reply::no_content())
}

/// POST. One round trip.
async fn count_links(call: Call) -> Answer {
    let sent = accepted(&call, &IDS_SCHEMA)?;
    let ids = sent.get("ids").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let ids: Vec<Uuid> = ids.iter().filter_map(|id| Uuid::parse_str(id.as_str()?).ok()).collect();
    Ok(Reply::json(&links::count(&call.session, &ids).await?))
}

/// A moment in a parameter.
fn moment(call: &Call, name: &'static str) -> Result<Option<Timestamp>, Problem> {
    let Some(text) = call.query.get(name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let wrong = || {
        let detail = format!("Parse attempt failed for value [{text}]");
        Problem::from(
            PARAMETER_INVALID.with("message", spring::not_converted(name, "java.time.OffsetDateTime", &detail)),
        )
    };
    read_instant(text).map(Some).ok_or_else(wrong)
}

/// What is asked for: changes with one of these values of a parameter.
fn asked(call: &Call, name: &'static str, known: &[&str], usual: Option<&str>) -> Result<Asked, Problem> {
    let of = call.query.get(name).filter(|text| !text.is_empty()).or(usual);
    if let Some(of) = of.filter(|of| !known.contains(of)) {
        return Err(PARAMETER_INVALID.with("message", format!("Unexpected value '{of}'")).into());
    }
    let limit = number(call, "limit", 100, super::MOST)?;
    if limit == 0 {
        return Err(PARAMETER_INVALID.with("message", "limit: must be greater than or equal to 1").into());
    }
    Ok(Asked { of: of.map(str::to_owned), from: moment(call, "fromDate")?, to: moment(call, "toDate")?, limit })
}

/// GET. One round trip.
async fn changes(call: Call) -> Answer {
    const UPDATE: &str = "UPDATE_HEADING";
    let asked = asked(&call, "action", &[UPDATE, "UPDATE_NATURAL_ID", "DELETE"], Some(UPDATE))?;
    Ok(Reply::json(&links::changes(&call.session, &asked).await?))
}

/// GET. One round trip.
async fn changed(call: Call) -> Answer {
    let asked = asked(&call, "status", &["ACTUAL", "ERROR"], None)?;
    Ok(Reply::json(&links::changed(&call.session, &asked).await?))
}
