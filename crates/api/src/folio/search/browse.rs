//! Lists that are browsed, and how their numbers are ordered.

use std::ops::RangeInclusive;

use ::catalogue::{
    BrowseList, List,
    browse_settings::{self, Sent},
    refusal::{BODY_UNREADABLE, TOO_MANY_PRECEDING},
};
use http::StatusCode;
use serde_json::Value;
use uuid::Uuid;

use super::{
    instances::{STRING, number},
    refusing, text, told,
};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

const CONFIG: &str =
    "id*:(all|lc|dewey|nlm|sudoc|other), shelvingAlgorithm*:(lc|dewey|nlm|sudoc|default), typeIds[uuid]";

/// A list as its route has it.
#[derive(Clone, Copy)]
struct Served {
    list: List,
    path: &'static str,
    /// Its name in refusals.
    operation: &'static str,
    /// Rows in one answer.
    most: i64,
    /// What a row has beside isAnchor and totalRecords.
    row: &'static str,
    summary: &'static str,
}

const SERVED: [Served; 4] = [
    Served {
        list: List::CallNumbers,
        path: "/browse/call-numbers/{browseOptionId}/instances",
        operation: "browseInstancesByCallNumber",
        most: 100,
        row: "fullCallNumber*, callNumber, callNumberPrefix, callNumberSuffix, callNumberTypeId, instanceTitle",
        summary: "Browse the call numbers of items",
    },
    Served {
        list: List::Classifications,
        path: "/browse/classification-numbers/{browseOptionId}/instances",
        operation: "browseInstancesByClassificationNumber",
        most: 100,
        row: "classificationNumber*, classificationTypeId, instanceTitle",
        summary: "Browse classification numbers",
    },
    Served {
        list: List::Subjects,
        path: "/browse/subjects/instances",
        operation: "browseInstancesBySubject",
        most: 500,
        row: "value*, authorityId, sourceId, typeId",
        summary: "Browse subjects",
    },
    Served {
        list: List::Contributors,
        path: "/browse/contributors/instances",
        operation: "browseInstancesByContributor",
        most: 500,
        row: "name*, contributorTypeId[], contributorNameTypeId, authorityId",
        summary: "Browse the names of contributors",
    },
];

/// How many rows may come before an anchor.
const PRECEDING: RangeInclusive<i64> = 1..=100;

pub(super) fn routes(routes: &mut Routes) {
    for served in SERVED {
        let route = routes
            .get(served.path, move |call| browse(call, served))
            .summary(served.summary)
            .asks("query*, limit:int, precedingRecordsCount:int, highlightMatch:bool")
            .gives(&format!(
                "totalRecords*:int, items*[{{{}, isAnchor:bool, totalRecords*:int}}], prev, next",
                served.row
            ));
        refusing(route);
    }
    let list = routes
        .get("/browse/config/{browseType}", configs)
        .summary("List how numbers are browsed")
        .gives(&format!("configs*[{{{CONFIG}}}], totalRecords*:int"));
    refusing(list);
    let change = routes
        .put("/browse/config/{browseType}/{browseConfigId}", change_config)
        .summary("Change how numbers are browsed")
        .takes(CONFIG)
        .gives_nothing()
        .with_status(StatusCode::OK);
    refusing(change);
}

async fn browse(call: Call, served: Served) -> Answer {
    let query = call.required("query", STRING)?.to_owned();
    let limit = number(&call, served.operation, "limit", 100, 0..=served.most)?;
    let is_asked = call.query.get("precedingRecordsCount").is_some_and(|text| !text.is_empty());
    let preceding = match number(&call, served.operation, "precedingRecordsCount", *PRECEDING.start(), PRECEDING)? {
        _ if !is_asked => limit / 2,
        count if count >= limit => return Err(TOO_MANY_PRECEDING.with("precedingRecordsCount", count).into()),
        count => count,
    };
    let highlights = call.switch("highlightMatch", true)?;
    let option = Some(call.param("browseOptionId")).filter(|option| !option.is_empty()).map(str::to_owned);
    let count = |number: i64| usize::try_from(number).unwrap_or_default();
    let (limit, preceding) = (count(limit), count(preceding));
    let browse = BrowseList { list: served.list, option, query, limit, preceding, highlights };
    let found = call.catalogue().browse_list(&call.session, browse).await?;
    Ok(told(Reply::json(&found.body), found.is_behind))
}

async fn configs(call: Call) -> Answer {
    Ok(Reply::json(&browse_settings::list(&call.session, call.param("browseType")).await?))
}

async fn change_config(call: Call) -> Answer {
    let sent = call.sent()?;
    let (id, algorithm) = (text(&sent, "id")?, text(&sent, "shelvingAlgorithm")?);
    let listed = sent.get("typeIds").filter(|ids| !ids.is_null());
    let ids = listed.map_or(Ok(Vec::new()), |ids| {
        let ids = ids.as_array().map_or(&[][..], Vec::as_slice).iter().map(Value::as_str);
        ids.map(|id| Uuid::parse_str(id.unwrap_or_default())).collect::<Result<Vec<_>, _>>()
    });
    let type_ids = ids.map_err(|error| BODY_UNREADABLE.with("error", error.to_string()))?;
    let sent = Sent { id: &id, algorithm: &algorithm, type_ids };
    browse_settings::change(&call.session, call.param("browseType"), call.param("browseConfigId"), &sent).await?;
    Ok(Reply::no_content().with_status(StatusCode::OK))
}
