//! Giving records to another library of a consortium (mod-inventory, inventory-update-ownership). Carrel's libraries share
//! no instances, so none is in a consortium; a request is checked and then answered as FOLIO answers such a library.

use serde_json::Value;

use crate::{
    answer::{ErrorItem, Problem},
    call::Call,
    route::{Answer, Routes},
};

const TARGET: &str = "targetTenantId";
/// What is given away and the members that a request must have, in the order they are looked for.
const GIFTS: [(&str, &[&str]); 2] = [
    (
        "/inventory/items/update-ownership",
        &["toHoldingsRecordId", "itemIds", TARGET],
    ),
    (
        "/inventory/holdings/update-ownership",
        &[
            "toInstanceId",
            "holdingsRecordIds",
            "targetLocationId",
            TARGET,
        ],
    ),
];

pub fn routes(routes: &mut Routes) {
    for (path, members) in GIFTS {
        let list = |name: &&str| match name.ends_with("Ids") {
            true => format!("{name}*[]"),
            false => format!("{name}*"),
        };
        let takes: Vec<_> = members.iter().map(list).collect();
        routes
            .post(path, move |call| refuse(call, members))
            .summary("Give records to another library of the consortium")
            .takes(&takes.join(", "));
    }
}

async fn refuse(call: Call, members: &'static [&'static str]) -> Answer {
    let tenant = &call.tenant.tenant.id;
    check(&call.json()?, members, tenant)?;
    let text = format!("{tenant} tenant is not in consortia");
    Err(Problem::bad_request(text))
}

fn check(body: &Value, members: &[&str], tenant: &str) -> Result<(), Problem> {
    let invalid = |message: String, key: &str, value: Option<&str>| {
        Err(Problem::unprocessable(&[ErrorItem::plain(
            message, key, value,
        )]))
    };
    let is_missing = |name: &&&str| match body.get(**name) {
        None | Some(Value::Null) => true,
        Some(value) => value.as_array().is_some_and(Vec::is_empty),
    };
    if let Some(name) = members.iter().find(is_missing) {
        return invalid(format!("{name} is a required field"), name, None);
    }
    if body[TARGET] == tenant {
        let message = format!("{TARGET} field cannot be equal to source tenant id");
        return invalid(message, TARGET, Some(tenant));
    }
    Ok(())
}
