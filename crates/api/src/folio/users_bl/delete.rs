//! `DELETE /bl-users/by-id/{id}` and the open transactions that prevent it.

use http::StatusCode;
use identity::{
    composite::{self, OpenTransactions, open_transactions},
    sign_in::Name,
};
use serde_json::{Value, json};

use super::{
    by_id,
    refusals::{USER_UNKNOWN, USERNAME_UNKNOWN},
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Form, Routes},
};

const GIVES: &str = "userId, userBarcode, hasOpenTransactions:bool, loans:int, requests:int, feesFines:int,
    proxies:int, blocks:int";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/bl-users/by-id/{id}/open-transactions", of_id)
        .summary("What keeps a user from being deleted")
        .gives(GIVES);
    routes
        .get("/bl-users/by-username/{name}/open-transactions", of_username)
        .summary("What keeps a user from being deleted")
        .gives(GIVES);
    routes
        .delete("/bl-users/by-id/{id}", delete)
        .summary("Delete a user without open transactions, with credentials and permissions")
        .refuses_as(409, Form::Open);
}

fn shown(open: &OpenTransactions) -> Value {
    let mut body = json!({"userId": open.user_id});
    if let Some(barcode) = &open.barcode {
        body["userBarcode"] = barcode.as_str().into();
    }
    body["hasOpenTransactions"] = open.any().into();
    for (member, count) in [
        ("loans", open.loans),
        ("requests", open.requests),
        ("feesFines", open.fees_fines),
        ("proxies", open.proxies),
        ("blocks", open.blocks),
    ] {
        body[member] = count.into();
    }
    body
}

async fn find(call: &Call, name: &Name) -> Result<OpenTransactions, Problem> {
    let found = open_transactions(&call.session, name).await?;
    found.ok_or_else(|| match name {
        Name::Id(_) => no_user(call),
        Name::Username(username) => USERNAME_UNKNOWN.with("username", username).into(),
    })
}

fn no_user(call: &Call) -> Problem {
    USER_UNKNOWN.with("id", call.param("id")).into()
}

async fn of_id(call: Call) -> Answer {
    Ok(Reply::json(&shown(&find(&call, &by_id(&call)).await?)))
}

async fn of_username(call: Call) -> Answer {
    let name = Name::Username(call.param("name").to_owned());
    Ok(Reply::json(&shown(&find(&call, &name).await?)))
}

async fn delete(call: Call) -> Answer {
    let open = find(&call, &by_id(&call)).await?;
    if open.any() {
        return Err(Problem::Json(StatusCode::CONFLICT, shown(&open)));
    }
    if !composite::delete(&call.session, open.user_id).await? {
        return Err(no_user(&call));
    }
    call.tenant.directory.forget_user(open.user_id);
    Ok(Reply::no_content())
}
