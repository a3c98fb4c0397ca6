//! What programs beside the API keep, ask and wait for: templates for entry, names in addresses, who is editing what, and feeds
//! of changes (contract 3.5).

use std::{future::Future, time::Duration};

use ::archives::{
    feeds,
    records::{self, Listing, Page, Seen},
    refusal::Refusal,
    slugs,
};
use http::Method;
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{StoreError, archives::Sort};
use tokio::{
    sync::Semaphore,
    time::{Instant, sleep},
};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
    records as generic,
};
use crate::answer::{Problem, Reply};

const TEMPLATE: &str = "rde_template";
/// A repository shows so many templates at most.
const MOST_TEMPLATES: i64 = 1000;
/// How long a feed waits for a change before it answers that there is none. It is shorter than a stop of the server waits.
const PATIENCE: Duration = Duration::from_secs(25);
/// How often it looks.
const POLL: Duration = Duration::from_millis(500);
/// Requests that may wait at once; further ones are answered at once.
static WAITING: Semaphore = Semaphore::const_new(64);

pub(super) fn routes(endpoints: &mut Endpoints) {
    let (all, one) = ("/repositories/{repo_id}/rde_templates", "/repositories/{repo_id}/rde_templates/{id}");
    let manage: &[&str] = &["manage_rde_templates"];
    // As in ArchivesSpace, whoever knows the address reads templates.
    endpoints.add(Method::GET, all, &[], templates);
    endpoints.add(Method::POST, all, manage, |call| generic::add(call, TEMPLATE)).takes_record();
    endpoints.add(Method::GET, one, &[], |call| generic::get(call, TEMPLATE));
    endpoints.add(Method::DELETE, one, manage, |call| generic::remove(call, TEMPLATE));
    for (kind, path) in [("resource", "resources"), ("archival_object", "archival_objects")] {
        let path = format!("/repositories/{{repo_id}}/{path}/{{id}}/ark_name");
        let needs: &[&str] = &["administer_system"];
        endpoints
            .add(Method::GET, &path, needs, move |call| ark(call, kind))
            .summary("Read the ARKs of a record")
            .gives(":ArkName|any");
        endpoints
            .add(Method::POST, &path, needs, move |call| set_ark(call, kind))
            .summary("Write the ARKs of a record")
            .takes(":ArkName")
            .gives(":Done");
    }
    endpoints
        .add(Method::GET, "/slug", &[], slug)
        .asks("slug:text controller:text action:text")
        .summary("Find a record by its name in addresses")
        .gives("id*:int, table*?, repo_id*?:int");
    endpoints
        .add(Method::POST, "/update_monitor", &["mediate_edits"], edits)
        .summary("Tell who edits what, and read who else does")
        .takes(":ActiveEdits")
        .gives(":any");
    endpoints
        .add(Method::GET, "/update-feed", &["index_system"], updates)
        .asks("last_sequence:int resolve:texts")
        .summary("Wait for changes of records")
        .gives("[{record*:any, uri*, sequence*:int, timestamp*:int}]");
    endpoints
        .add(Method::GET, "/notifications", &[], notifications)
        .asks("last_sequence:int")
        .summary("Wait for changes of what clients remember")
        .gives("[{code*, params*:object, sequence*:int, timestamp*:int}]");
}

async fn templates(call: Call) -> Answer {
    let sort = Sort::by("id", false).ok_or_else(|| Refusal::BadRequest("id".to_owned()))?;
    let all = Listing::Page(Page { number: 1, size: MOST_TEMPLATES, sort });
    let mut found = records::list(&call.session, call.place(TEMPLATE), &all, Timestamp::UNIX_EPOCH, Seen::All).await?;
    Ok(Reply::json(&found["results"].take()))
}

async fn ark(call: Call, kind: &'static str) -> Answer {
    let mut record = records::get(&call.session, call.place(kind), call.id(), call.seen()).await?;
    Ok(Reply::json(&record["ark_name"].take()))
}

async fn set_ark(call: Call, kind: &'static str) -> Answer {
    let given = call.record("ark_name")?.record;
    let by = (&call.app.settings.arks, call.now);
    records::set_arks(&call.session, call.place(kind), call.id(), &given, by).await?;
    Ok(Reply::json(&json!({"status": "Updated"})))
}

async fn slug(call: Call) -> Answer {
    let text = |name: &str| call.parameters.text(name).unwrap_or_default();
    let named = slugs::find(&call.session, text("slug"), text("controller"), text("action")).await?;
    let (id, repository) =
        named.found.map_or((json!(-1), json!(-1)), |(id, repository)| (json!(id), json!(repository)));
    Ok(Reply::json(&json!({"id": id, "table": named.kind, "repo_id": repository})))
}

async fn edits(call: Call) -> Answer {
    let given = call.record("active_edits")?.record;
    Ok(Reply::json(&feeds::note_edits(&call.session, &given, call.now).await?))
}

async fn updates(call: Call) -> Answer {
    let after = call.parameters.integer("last_sequence").unwrap_or_default();
    let found = awaited(&call, |now| feeds::updates(&call.session, after, now)).await?;
    call.resolved(found.into()).await
}

async fn notifications(call: Call) -> Answer {
    let after = call.parameters.integer("last_sequence").unwrap_or_default();
    let found = awaited(&call, |now| feeds::notifications(&call.session, after, now)).await?;
    Ok(Reply::json(&Value::Array(found)))
}

/// Looks until there is something, or for a while.
async fn awaited<F>(call: &Call, look: impl Fn(Timestamp) -> F) -> Result<Vec<Value>, Problem>
where
    F: Future<Output = Result<Vec<Value>, StoreError>>,
{
    let turn = WAITING.try_acquire();
    let end = Instant::now() + if turn.is_ok() { PATIENCE } else { Duration::ZERO };
    loop {
        let found = look((call.app.clock)()).await?;
        if !found.is_empty() || Instant::now() >= end {
            return Ok(found);
        }
        sleep(POLL).await;
    }
}
