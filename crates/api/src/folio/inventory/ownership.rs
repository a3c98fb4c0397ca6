//! Transfers of ownership within a consortium (mod-inventory, inventory-update-ownership). Carrel's libraries share no
//! instances, so none is in a consortium: a valid request gets FOLIO's answer for such a library.

use ::refusals::Refusal;
use serde_json::Value;

use super::refusals::{FIELD_REQUIRED, NO_CONSORTIUM, SAME_TENANT};
use crate::{
    call::Call,
    route::{Answer, Routes},
};

const TARGET: &str = "targetTenantId";
/// Each kind of record, and the members a request must have, in the order they are checked.
const GIFTS: [(&str, &[&str]); 2] = [
    ("/inventory/items/update-ownership", &["toHoldingsRecordId", "itemIds", TARGET]),
    ("/inventory/holdings/update-ownership", &["toInstanceId", "holdingsRecordIds", "targetLocationId", TARGET]),
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
            .summary("Change the ownership of records to another library of the consortium")
            .takes(&takes.join(", "))
            .refuses(&[422]);
    }
}

async fn refuse(call: Call, members: &'static [&'static str]) -> Answer {
    let tenant = &call.tenant.tenant.id;
    check(&call.json()?, members, tenant)?;
    Err(NO_CONSORTIUM.with("tenant", tenant).into())
}

fn check(body: &Value, members: &[&'static str], tenant: &str) -> Result<(), Refusal> {
    let is_missing = |name: &&&'static str| match body.get(**name) {
        None | Some(Value::Null) => true,
        Some(value) => value.as_array().is_some_and(Vec::is_empty),
    };
    if let Some(name) = members.iter().find(is_missing) {
        return Err(FIELD_REQUIRED.with("member", *name));
    }
    if body[TARGET] == tenant {
        return Err(SAME_TENANT.about(TARGET, tenant));
    }
    Ok(())
}
