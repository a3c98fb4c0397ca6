//! The index itself: it makes and keeps itself, so most of these routes have nothing to do. A rebuild runs beside the index
//! that is searched.

use ::catalogue::{
    Records,
    refusal::{
        ALREADY_RUNNING, BODY_UNREADABLE, INDEX_UNKNOWN, MAPPINGS_UNKNOWN, MEMBER_MISSING, REBUILD_RUNNING,
        RESOURCE_INVALID, SETTINGS_UNKNOWN,
    },
};
use refusals::Wording;
use serde_json::{Value, json};
use store::record::print_instant;
use uuid::Uuid;

use super::{refusing, text};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const OUTCOME: &str = "status*:(success|error), errorMessage";
const RESOURCE: &str = "resourceName*, ...";
const AUTHORITY: &str = "authority";
/// What FOLIO indexes beside instances. Of these, authorities have an index; the others are read from the database.
const OTHERS: [&str; 5] = [AUTHORITY, "location", "linked-data-instance", "linked-data-work", "linked-data-hub"];
/// The kinds of records that mod-search has indexes of.
const RESOURCES: [&str; 13] = [
    "instance",
    "instance_subject",
    "contributor",
    "instance_classification",
    "instance_call_number",
    AUTHORITY,
    "location",
    "campus",
    "library",
    "institution",
    "linked-data-instance",
    "linked-data-work",
    "linked-data-hub",
];
/// The parts of instances that FOLIO indexes apart.
const PARTS: [&str; 5] = ["instance", "subject", "contributor", "classification", "call-number"];
/// Records that are counted as one range of a rebuild.
const RANGE: u64 = 500;
const IN_PROGRESS: &str = "Upload In Progress";
const STARTS: [&str; 2] = ["startTimeMerge", "startTimeUpload"];
const ENDS: [&str; 2] = ["endTimeMerge", "endTimeUpload"];
const STATUS: &str = "[{entityType*, status*, totalMergeRanges*:int, processedMergeRanges*:int, totalUploadRanges*:int,
    processedUploadRanges*:int, startTimeMerge:datetime, startTimeUpload:datetime, endTimeMerge:datetime, endTimeUpload:datetime}]";

pub(super) fn routes(routes: &mut Routes) {
    let make = routes.post("/search/index/indices", make).summary("Make an index: it is there already");
    refusing(make.takes(RESOURCE).gives(OUTCOME));
    let renew = routes.post("/search/index/mappings", renew);
    let renew = renew.summary("Renew the fields of an index: they are those of this release");
    refusing(renew.takes(RESOURCE).gives(OUTCOME));
    let settings = routes.put("/search/index/settings", set).summary("Set up an index: there is nothing to set");
    refusing(settings.takes(RESOURCE).gives(OUTCOME));
    let records = routes
        .post("/search/index/records", records)
        .summary("Index records: the database is what is indexed")
        .takes("[object]")
        .gives(OUTCOME);
    refusing(records);
    let others = routes
        .post("/search/index/inventory/reindex", others)
        .summary("Index other records than instances again")
        .takes(RESOURCE)
        .gives("id*:uuid, jobStatus*, submittedDate*:datetime");
    refusing(others);
    let rebuilding = "/search/index/instance-records/reindex";
    let whole = routes.post(&format!("{rebuilding}/full"), full).summary("Build the index of instances again");
    refusing(whole.gives_nothing().with_status(http::StatusCode::OK));
    let upload = routes.post(&format!("{rebuilding}/upload"), upload).summary("Build a part of the index again");
    let upload = upload.takes("entityTypes*[], ...").gives_nothing().with_status(http::StatusCode::OK);
    refusing(upload);
    let again = routes.post(&format!("{rebuilding}/merge/failed"), failed).summary("Try a failed rebuild again");
    refusing(again.gives_nothing().with_status(http::StatusCode::OK));
    refusing(routes.get(&format!("{rebuilding}/status"), status).summary("Read how a rebuild stands").gives(STATUS));
}

async fn make(call: Call) -> Answer {
    of_resource(&call, INDEX_UNKNOWN)
}

async fn renew(call: Call) -> Answer {
    of_resource(&call, MAPPINGS_UNKNOWN)
}

async fn set(call: Call) -> Answer {
    of_resource(&call, SETTINGS_UNKNOWN)
}

/// Nothing has to be done for records of a kind that there is.
fn of_resource(call: &Call, unknown: &'static Wording) -> Answer {
    let name = text(&call.sent()?, "resourceName")?;
    if !RESOURCES.contains(&name.as_str()) {
        return Err(unknown.with("resourceName", "unknown").into());
    }
    Ok(Reply::json(&json!({"status": "success"})))
}

async fn records(call: Call) -> Answer {
    let sent: Vec<Value> = serde_json::from_slice(&call.body)
        .map_err(|error| Problem::from(BODY_UNREADABLE.with("error", &*error.to_string())))?;
    tracing::debug!(records = sent.len(), "records to index are read from the database");
    Ok(Reply::json(&json!({"status": "success"})))
}

async fn others(call: Call) -> Answer {
    let name = text(&call.sent()?, "resourceName")?;
    if !OTHERS.contains(&name.as_str()) {
        return Err(RESOURCE_INVALID.with("resourceName", name).into());
    }
    if name == AUTHORITY {
        call.catalogue().rebuild(Records::Authorities);
    }
    let submitted = print_instant(call.now);
    Ok(Reply::json(&json!({"id": Uuid::new_v4(), "jobStatus": "Completed", "submittedDate": submitted})))
}

fn ok() -> Reply {
    Reply::no_content().with_status(http::StatusCode::OK)
}

async fn full(call: Call) -> Answer {
    if !call.body.is_empty() {
        call.sent()?;
    }
    if call.catalogue().rebuild(Records::Instances) {
        return Ok(ok());
    }
    Err(REBUILD_RUNNING.with("part", "INSTANCE").with("reindexStatus", IN_PROGRESS).into())
}

/// No part of a rebuild fails and stays so: the index is built again, unless it is being built.
async fn failed(call: Call) -> Answer {
    if !call.body.is_empty() {
        call.sent()?;
    }
    call.catalogue().rebuild(Records::Instances);
    Ok(ok())
}

async fn upload(call: Call) -> Answer {
    let sent = call.sent()?;
    let missing = || Problem::from(MEMBER_MISSING.about("entityTypes", "null"));
    let parts = sent.get("entityTypes").and_then(Value::as_array).filter(|parts| !parts.is_empty());
    let parts: Vec<&str> = parts.ok_or_else(missing)?.iter().filter_map(Value::as_str).collect();
    if let Some(wrong) = parts.iter().find(|part| !PARTS.contains(part)) {
        return Err(RESOURCE_INVALID.with("resourceName", *wrong).into());
    }
    if call.catalogue().rebuild(Records::Instances) {
        return Ok(ok());
    }
    Err(ALREADY_RUNNING.with("entityType", parts.first().copied().unwrap_or("instance")).into())
}

async fn status(call: Call) -> Answer {
    let standing = call.catalogue().standing(Records::Instances);
    // How many there will be is not known, only how many there are in the index that is searched.
    let (status, total, done) = match standing.is_building {
        true => {
            let done = standing.read / RANGE;
            (IN_PROGRESS, (standing.documents.div_ceil(RANGE)).max(done + 1), done)
        }
        false => ("Upload Completed", 1, 1),
    };
    let parts = PARTS.iter().map(|part| {
        let mut part = json!({"entityType": part, "status": status, "totalMergeRanges": 1, "processedMergeRanges": 1,
            "totalUploadRanges": total, "processedUploadRanges": done});
        for (names, at) in [(STARTS, standing.began), (ENDS, standing.ended)] {
            at.into_iter().for_each(|at| names.iter().for_each(|name| part[*name] = print_instant(at).into()));
        }
        part
    });
    Ok(Reply::json(&parts.collect()))
}
