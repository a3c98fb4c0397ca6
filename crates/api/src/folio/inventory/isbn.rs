//! ISBN validation and conversion (docs/folio/inventory-business.md#isbns).

use inventory::isbn::{Form, convert, is_isbn10, is_isbn13};
use serde_json::json;

use super::refusals::{HYPHENS_WRONG, ISBN_INVALID, ISBN_MISSING, ISBN_PARAMETERS};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

pub fn routes(routes: &mut Routes) {
    routes
        .get("/isbn/validator", validate)
        .summary("Check an ISBN")
        .asks("isbn, isbn10, isbn13")
        .gives("isValid*:bool");
    routes
        .get("/isbn/convertTo10", |call| converted(call, Form::Ten))
        .summary("Convert an ISBN-13 to ISBN-10")
        .asks("isbn*, hyphens:bool")
        .gives("isbn*");
    routes
        .get("/isbn/convertTo13", |call| converted(call, Form::Thirteen))
        .summary("Convert an ISBN-10 to ISBN-13")
        .asks("isbn*, hyphens:bool")
        .gives("isbn*");
}

async fn validate(call: Call) -> Answer {
    let given = ["isbn", "isbn10", "isbn13"].map(|name| call.query.get(name));
    let valid = match given {
        [Some(code), None, None] => is_isbn10(code) || is_isbn13(code),
        [None, Some(code), None] => is_isbn10(code),
        [None, None, Some(code)] => is_isbn13(code),
        _ => {
            return Err(ISBN_PARAMETERS.into());
        }
    };
    Ok(Reply::json(&json!({"isValid": valid})))
}

async fn converted(call: Call, form: Form) -> Answer {
    let code = call.query.get("isbn").ok_or(ISBN_MISSING)?;
    let hyphens = match call.query.get("hyphens").map(str::to_ascii_lowercase).as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(HYPHENS_WRONG.into()),
    };
    match convert(code, form, hyphens) {
        Some(isbn) => Ok(Reply::json(&json!({"isbn": isbn}))),
        None => Err(ISBN_INVALID.with("code", code).into()),
    }
}
