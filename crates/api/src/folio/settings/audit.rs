//! `/audit/config`: which changes mod-audit records. FOLIO's inventory pages ask for it before they show a record's
//! history.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use store::{
    collection::Collection,
    statements::settings::{AUDIT_GROUP, CHANGE_AUDIT},
};

use super::refusals::{
    GROUP_UNKNOWN, NO_NUMBER, NO_TEXT, NO_TRUTH_VALUE, NOT_PERMITTED, PATH_DIFFERS, SETTING_UNKNOWN,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Body, Form, Routes},
};

const GROUPS: &[(&str, &str, &str)] = &[
    (
        "audit.inventory",
        "Inventory Audit Configuration",
        "Group of configurations for audit of inventory records: instances, holdings, items, etc.",
    ),
    ("audit.authority", "Authority Audit Configuration", "Group of configurations for audit of authority records"),
];

pub(super) fn routes(routes: &mut Routes, settings: &Arc<Collection>) {
    routes
        .get("/audit/config/groups", groups)
        .summary("List the groups of audit settings")
        .lists_all("settingGroups")
        .gives("id*, name*, description");
    let list = routes.get("/audit/config/groups/{groupId}/settings", list);
    list.summary("List the audit settings of a group")
        .lists_all("settings")
        .refuses_as(403, Form::Errors)
        .refuses_as(404, Form::Errors)
        .gives_body(Body {
            // FOLIO's bundled settings have no id.
            name: None,
            ..Body::record(settings)
        });
    let collection = Arc::clone(settings);
    let path = "/audit/config/groups/{groupId}/settings/{settingId}";
    let change = routes.put(path, move |call| change(call, Arc::clone(&collection)));
    change
        .summary("Change an audit setting")
        .takes_record(settings)
        .refuses(&[422])
        .refuses_as(403, Form::Errors)
        .refuses_as(404, Form::Errors);
}

async fn groups(_: Call) -> Answer {
    let shown =
        |(id, name, description): &(&str, &str, &str)| json!({"id": id, "name": name, "description": description});
    let groups: Vec<_> = GROUPS.iter().map(shown).collect();
    Ok(Reply::json(&json!({"settingGroups": groups, "totalRecords": groups.len()})))
}

/// GET. One round trip.
async fn list(call: Call) -> Answer {
    let group = call.param("groupId");
    permitted(&call, &format!("{group}.collection.get"))?;
    if !GROUPS.iter().any(|(id, ..)| *id == group) {
        return Err(GROUP_UNKNOWN.with("group", group).into());
    }
    let row = call.session.get(AUDIT_GROUP, &[&group]).await?;
    let (settings, total): (String, i64) = (row.get("settings"), row.get("total"));
    Ok(Reply::json_text(format!("{{\"settings\":{settings},\"totalRecords\":{total}}}")))
}

/// PUT. One round trip.
async fn change(call: Call, settings: Arc<Collection>) -> Answer {
    let (group, key) = (call.param("groupId"), call.param("settingId"));
    let sent = settings.schema.accept(call.json()?)?;
    permitted(&call, &format!("{group}.{key}.item.put"))?;
    check(&sent, group, key)?;
    let mut new = Map::new();
    for member in ["value", "type", "description"] {
        new.extend(sent.get(member).map(|value| (member.to_owned(), value.clone())));
    }
    let mut metadata = call.metadata();
    if let Some(members) = metadata.as_object_mut() {
        members.retain(|name, _| name.starts_with("updated"));
    }
    let changed = call.session.execute(CHANGE_AUDIT, &[&group, &key, &Value::Object(new), &metadata]).await?;
    if changed == 0 {
        return Err(SETTING_UNKNOWN.with("key", key).with("group", group).into());
    }
    Ok(Reply::no_content())
}

/// Each group and setting has its own permission in addition to the route's. Like other permissions, it is not required
/// for tenants without mod-authtoken.
fn permitted(call: &Call, end: &str) -> Result<(), Problem> {
    let permission = format!("audit.config.groups.settings.{end}");
    let nobody_asks = call.caller.is_none() && call.header("x-okapi-permissions").is_none();
    if nobody_asks || call.may(&permission) {
        return Ok(());
    }
    Err(NOT_PERMITTED.with("permission", permission).into())
}

fn check(sent: &Map<String, Value>, group: &str, key: &str) -> Result<(), Problem> {
    let text = |member: &str| sent.get(member).and_then(Value::as_str);
    if (text("groupId"), text("key")) != (Some(group), Some(key)) {
        return Err(PATH_DIFFERS.into());
    }
    let value = &sent["value"];
    match text("type") {
        Some("STRING") if !value.is_string() => Err(NO_TEXT.into()),
        Some("INTEGER") if value.as_i64().and_then(|n| i32::try_from(n).ok()).is_none() => Err(NO_NUMBER.into()),
        Some("BOOLEAN") if !value.is_boolean() => Err(NO_TRUTH_VALUE.into()),
        _ => Ok(()),
    }
}
