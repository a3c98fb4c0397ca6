//! Sheets of components for staff to change (contract 3.5, `bulk_archival_object_updater_job`).

use ::archives::{
    bulk_update::{Room, make},
    nodes::TREES,
    refusal::Refusal,
    tree::{self, Tree},
};
use http::{HeaderValue, Method, header};
use jiff::tz::TimeZone;

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::answer::Reply;

const VIEW: &[&str] = &["view_repository"];
const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

pub(super) fn routes(endpoints: &mut Endpoints) {
    let all = "/bulk_archival_object_updater/repositories/{repo_id}";
    endpoints
        .add(Method::POST, &format!("{all}/generate_spreadsheet"), VIEW, sheet)
        .reads_lists()
        .asks(
            "uri!:text resource_uri!:text min_subrecords:int extra_subrecords:int min_notes:int selected_columns:texts",
        )
        .summary("Make a sheet in which components are changed")
        .gives_media(WORKBOOK);
    endpoints
        .add(Method::GET, &format!("{all}/resources/{{id}}/small_tree"), VIEW, small_tree)
        .summary("Read the titles of a whole tree")
        .gives(":any");
}

async fn sheet(call: Call) -> Answer {
    let uris = call.parameters.text("uri").unwrap_or_default();
    let uris: Vec<String> = serde_json::from_str(uris).map_err(|error| Refusal::unreadable(&error))?;
    let many = |name: &str, usual: i64| {
        let given = call.parameters.integer(name).unwrap_or(usual);
        usize::try_from(given)
            .ok()
            .filter(|many| *many <= 100)
            .ok_or_else(|| Refusal::parameter(name, "Must be 0 to 100"))
    };
    let room =
        Room { least: many("min_subrecords", 0)?, extra: many("extra_subrecords", 3)?, notes: many("min_notes", 2)? };
    let repository = call.repository.unwrap_or_default();
    let groups = call.parameters.texts("selected_columns");
    let content = make(&call.session, repository, &uris, room, groups, &*call.lists).await?;
    let day = call.now.to_zoned(TimeZone::UTC).date();
    let resource = call.parameters.text("resource_uri").and_then(|uri| uri.rsplit('/').next()?.parse::<i64>().ok());
    let name = format!("attachment; filename=\"bulk_update.resource_{}.{day}.xlsx\"", resource.unwrap_or_default());
    let mut reply = Reply::typed(WORKBOOK, content.into());
    reply.headers.extend(HeaderValue::from_str(&name).ok().map(|name| (header::CONTENT_DISPOSITION, name)));
    Ok(reply)
}

async fn small_tree(call: Call) -> Answer {
    let tree = Tree {
        kind: &TREES[0],
        repository: call.repository.unwrap_or_default(),
        root: call.id(),
        published_only: false,
        seen: call.seen(),
    };
    Ok(Reply::json(&tree::small(&call.session, tree).await?))
}
