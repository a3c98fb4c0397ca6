//! Searches for instances, and counted values.

use ::catalogue::{
    Search,
    refusal::{NO_NUMBER, OUT_OF_RANGE, RECORD_TYPE_UNKNOWN, TOO_FAR},
};

use super::{refusing, told};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Form, Routes},
};

/// Results in one answer.
const MOST: i64 = 500;
/// The last result that can be asked for.
const FARTHEST: i64 = 10_000;
/// Java's class of a text, and of a list: clients read them in refusals.
pub(super) const STRING: &str = "String";
const LIST: &str = "List";
const SEARCH: &str = "searchInstances";

pub(super) fn routes(routes: &mut Routes) {
    let find = routes
        .get("/search/instances", find)
        .summary("Search for instances with their holdings and items")
        .asks("query*, limit:int, offset:int, expandAll:bool")
        .gives("totalRecords*:int, instances*[object]")
        .refuses_as(422, Form::Errors);
    refusing(find);
    let count = routes
        .get("/search/{recordType}/facets", facets)
        .summary("Count the values of records found")
        .asks("query*, facet*[]")
        .gives("totalRecords*:int, facets*:object")
        .refuses_as(422, Form::Errors);
    refusing(count);
}

/// A number from 0 to the most allowed.
fn number(call: &Call, name: &'static str, usual: i64, most: i64) -> Result<i64, Problem> {
    let Some(text) = call.query.get(name).filter(|text| !text.is_empty()) else { return Ok(usual) };
    let number: i32 = text.parse().map_err(|_| Problem::from(NO_NUMBER.with("value", text)))?;
    let out_of_range = |bound: String| {
        Problem::from(OUT_OF_RANGE.with("operation", SEARCH).with("parameter", name).with("bound", bound))
    };
    match i64::from(number) {
        number if number < 0 => Err(out_of_range("greater than or equal to 0".to_owned())),
        number if number > most => Err(out_of_range(format!("less than or equal to {most}"))),
        number => Ok(number),
    }
}

async fn find(call: Call) -> Answer {
    let query = call.required("query", STRING)?.to_owned();
    let limit = number(&call, "limit", 100, MOST)?;
    let offset = number(&call, "offset", 0, i64::from(i32::MAX))?;
    if limit + offset > FARTHEST {
        return Err(TOO_FAR.with("offset + limit", limit + offset).into());
    }
    let count = |number: i64| usize::try_from(number).unwrap_or_default();
    let expand_all = call.switch("expandAll")?;
    let search = Search { query, limit: count(limit), offset: count(offset), expand_all };
    let found = call.catalogue().search(&call.session, &search).await?;
    Ok(told(Reply::json(&found.body), found.is_behind))
}

async fn facets(call: Call) -> Answer {
    let query = call.required("query", STRING)?;
    call.required("facet", LIST)?;
    let record_type = call.param("recordType");
    if record_type != "instances" {
        return Err(RECORD_TYPE_UNKNOWN.with("recordType", record_type).into());
    }
    let names: Vec<&str> = call.query.all("facet").flat_map(|names| names.split(',')).collect();
    let found = call.catalogue().facets(query, &names).await?;
    Ok(told(Reply::json(&found.body), found.is_behind))
}
