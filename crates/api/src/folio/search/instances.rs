//! Searches for instances, and counted values.

use std::ops::RangeInclusive;

use ::catalogue::{
    List, Records, Search,
    refusal::{NO_NUMBER, OUT_OF_RANGE, RECORD_TYPE_UNKNOWN, TOO_FAR},
};

use super::{refusing, told};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Form, Routes},
};

/// Results in one answer.
pub(super) const MOST: i64 = 500;
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

/// A number in a range, as an operation of mod-search takes it.
pub(super) fn number(
    call: &Call,
    operation: &'static str,
    name: &'static str,
    usual: i64,
    range: RangeInclusive<i64>,
) -> Result<i64, Problem> {
    let Some(text) = call.query.get(name).filter(|text| !text.is_empty()) else { return Ok(usual) };
    let number: i32 = text.parse().map_err(|_| Problem::from(NO_NUMBER.with("value", text)))?;
    let out_of_range = |bound: String| {
        Problem::from(OUT_OF_RANGE.with("operation", operation).with("parameter", name).with("bound", bound))
    };
    match i64::from(number) {
        number if number < *range.start() => Err(out_of_range(format!("greater than or equal to {}", range.start()))),
        number if number > *range.end() => Err(out_of_range(format!("less than or equal to {}", range.end()))),
        number => Ok(number),
    }
}

/// What a search is asked for.
pub(super) fn asked(call: &Call, operation: &'static str) -> Result<Search, Problem> {
    let query = call.required("query", STRING)?.to_owned();
    let limit = number(call, operation, "limit", 100, 0..=MOST)?;
    let offset = number(call, operation, "offset", 0, 0..=FARTHEST - 1)?;
    if limit + offset > FARTHEST {
        return Err(TOO_FAR.with("offset + limit", limit + offset).into());
    }
    let count = |number: i64| usize::try_from(number).unwrap_or_default();
    Ok(Search { query, limit: count(limit), offset: count(offset), expand_all: call.switch("expandAll", false)? })
}

async fn find(call: Call) -> Answer {
    let search = asked(&call, SEARCH)?;
    let found = call.catalogue().search(&call.session, &search).await?;
    Ok(told(Reply::json_text(found.body), found.is_behind))
}

async fn facets(call: Call) -> Answer {
    let query = call.required("query", STRING)?;
    call.required("facet", LIST)?;
    let record_type = call.param("recordType");
    let names: Vec<&str> = call.query.all("facet").flat_map(|names| names.split(',')).collect();
    let catalogue = call.catalogue();
    let found = match (record_type, List::of_record_type(record_type)) {
        ("instances", _) => catalogue.facets(Records::Instances, query, &names).await?,
        ("authorities", _) => catalogue.facets(Records::Authorities, query, &names).await?,
        (_, Some(list)) => catalogue.list_facets(list, query, &names).await?,
        (other, None) => return Err(RECORD_TYPE_UNKNOWN.with("recordType", other).into()),
    };
    Ok(told(Reply::json(&found.body), found.is_behind))
}
