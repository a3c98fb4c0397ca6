//! Searches for authorities, and lists of them in the order of their headings.

use ::catalogue::{Browse, refusal::TOO_MANY_PRECEDING};

use super::{
    instances::{MOST, STRING, asked, number},
    refusing, told,
};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Form, Routes},
};

const SEARCH: &str = "searchAuthorities";
const BROWSE: &str = "browseAuthorities";
/// A heading with what is common to all of its record.
const HEADING: &str = "id*, tenantId*, shared*:bool, headingType*, authRefType, headingRef, sourceFileId*, naturalId,
    numberOfTitles:int, ...";

pub(super) fn routes(routes: &mut Routes) {
    let find = routes
        .get("/search/authorities", find)
        .summary("Search for authorities, heading by heading")
        .asks("query*, limit:int, offset:int, expandAll:bool, includeNumberOfTitles:bool")
        .gives(&format!("totalRecords*:int, authorities*[{{{HEADING}}}]"))
        .refuses_as(422, Form::Errors);
    refusing(find);
    let browse = routes
        .get("/browse/authorities", browse)
        .summary("List headings of authorities around one")
        .asks("query*, limit:int, expandAll:bool, highlightMatch:bool, precedingRecordsCount:int")
        .gives(&format!(
            "totalRecords*:int, prev, next, items*[{{headingRef*, isAnchor:bool, authority{{{HEADING}}}}}]"
        ))
        .refuses_as(422, Form::Errors);
    refusing(browse);
}

async fn find(call: Call) -> Answer {
    let search = asked(&call, SEARCH)?;
    let with_titles = call.switch("includeNumberOfTitles", true)?;
    let found = call.catalogue().search_authorities(&call.session, &search, with_titles).await?;
    Ok(told(Reply::json(&found.body), found.is_behind))
}

async fn browse(call: Call) -> Answer {
    let query = call.required("query", STRING)?.to_owned();
    let limit = number(&call, BROWSE, "limit", 100, 0..=MOST)?;
    let preceding = call.query.get("precedingRecordsCount").filter(|text| !text.is_empty());
    let preceding = match preceding {
        None => limit / 2,
        Some(_) => match number(&call, BROWSE, "precedingRecordsCount", 1, 1..=100)? {
            count if count >= limit => return Err(TOO_MANY_PRECEDING.with("precedingRecordsCount", count).into()),
            count => count,
        },
    };
    let count = |number: i64| usize::try_from(number).unwrap_or_default();
    let browse = Browse {
        query,
        limit: count(limit),
        preceding: count(preceding),
        highlight: call.switch("highlightMatch", true)?,
        expand_all: call.switch("expandAll", false)?,
    };
    let found = call.catalogue().browse_authorities(&call.session, &browse).await?;
    Ok(told(Reply::json(&found.body), found.is_behind))
}
