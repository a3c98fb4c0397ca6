//! Copies a resource with all its components (`resource_duplicate_job`).

use std::{collections::HashMap, sync::Arc};

use futures_util::TryStreamExt;
use rand::Rng;
use serde_json::{Map, Value, json};
use store::statements::archives::RECORDS_IN_TREE;

use crate::{
    import::{ImportError, Stage, Staged},
    jobs::running::{Done, Ended, Failure, Running},
    model::Uri,
    records::{self, Place, Seen},
    refusal::Refusal,
};

use super::{
    saving,
    sheets::{failed, stage},
};

/// In front of the title and identifiers of the copy.
const COPY: &str = "[Duplicated] ";
/// What a record does not share with its copy.
const OWN: [&str; 4] = ["import_current_ark", "import_previous_arks", "external_ark_url", "slug"];

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let source = running.work["source"].as_str().and_then(Uri::parse);
    let source = source.filter(|uri| uri.kind.name == "resource" && uri.repository == Some(running.repository));
    let source = source.ok_or_else(|| Failure::Failed("Could not find provided resource.\nJob Failed.".to_owned()))?;
    running.log.line(&format!("Going to duplicate resource with id {}.", source.id));
    let staged = Arc::new(copy(running, &source).await?);
    saving::again(|| save_all(running, &staged, source.id)).await
}

/// Reads the resource and its components, each with a new temporary address.
async fn copy(running: &Running<'_>, source: &Uri) -> Result<Staged, Failure> {
    let place = Place { kind: "resource", repository: Some(running.repository) };
    let found = match records::get(running.session, place, source.id, Seen::All).await {
        Err(Refusal::NotFound(_)) => {
            let why = format!("Could not find provided resource with id {}.\nJob Failed.", source.id);
            return Err(Failure::Failed(why));
        }
        found => found.map_err(failed)?,
    };
    let mut stage = stage(running)?;
    let root = address(running.repository, "resources");
    add(&mut stage, resource(found, &root))?;
    // Nodes come after the nodes above them.
    let mut addresses: HashMap<i64, String> = HashMap::new();
    let rows = running.session.stream(RECORDS_IN_TREE, &[&"archival_object", &source.id]).await?;
    let mut rows = std::pin::pin!(rows);
    while let Some(row) = rows.try_next().await? {
        let (id, parent): (i64, Option<i64>) = (row.get("id"), row.get("parent"));
        let Value::Object(doc) = row.get("doc") else { continue };
        let uri = address(running.repository, "archival_objects");
        let above = parent.and_then(|parent| addresses.get(&parent));
        add(&mut stage, component(doc, &uri, &root, above))?;
        addresses.insert(id, uri);
    }
    Ok(stage.finish()?)
}

fn address(repository: i64, place: &str) -> String {
    format!("/repositories/{repository}/{place}/import_{:032x}", rand::rng().random::<u128>())
}

fn add(stage: &mut Stage, record: Value) -> Result<(), Failure> {
    let title = record["title"].as_str().unwrap_or_default().to_owned();
    stage.add(record, 0).map_err(|error| match error {
        ImportError::Refused(trouble) => {
            Failure::Failed(format!("Failed to duplicate '{title}'; Validation error {}.\nJob Failed.", trouble.reason))
        }
        other => other.into(),
    })
}

/// The copy of the resource: its title and identifiers say that it is one, and it is not published.
fn resource(mut record: Value, uri: &str) -> Value {
    for member in ["title", "id_0", "ead_id"] {
        if let Some(text) = record[member].as_str() {
            record[member] = format!("{COPY}{text}").into();
        }
    }
    record["publish"] = false.into();
    own(&mut record, uri);
    record
}

/// The copy of a component.
fn component(doc: Map<String, Value>, uri: &str, root: &str, above: Option<&String>) -> Value {
    let mut record = Value::Object(doc);
    record["jsonmodel_type"] = "archival_object".into();
    record["resource"] = json!({"ref": root});
    if let Some(above) = above {
        record["parent"] = json!({"ref": above});
    }
    if let Value::Object(record) = &mut record {
        record.shift_remove("ref_id");
    }
    own(&mut record, uri);
    record
}

/// Takes from a copy what only the first record has.
fn own(record: &mut Value, uri: &str) {
    if let Value::Object(record) = record {
        OWN.iter().for_each(|member| drop(record.shift_remove(*member)));
        record.insert("uri".to_owned(), uri.into());
    }
    without_ids(record);
}

/// Notes get identifiers of their own, and statements of rights, too.
fn without_ids(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.shift_remove("persistent_id");
            if members.get("jsonmodel_type").is_some_and(|kind| kind == "rights_statement") {
                members.shift_remove("identifier");
            }
            members.values_mut().for_each(without_ids);
        }
        Value::Array(items) => items.iter_mut().for_each(without_ids),
        _ => {}
    }
}

async fn save_all(running: &Running<'_>, staged: &Arc<Staged>, source: i64) -> Result<Ended, Failure> {
    let (transaction, saved) = saving::save(running, staged, &running.author()).await?;
    let made = saved.made().filter_map(|uri| Some((uri, Uri::parse(uri)?)));
    let copy =
        made.into_iter().find(|(_, uri)| uri.kind.name == "resource").map(|(uri, copy)| (uri.to_owned(), copy.id));
    let (uri, id) = copy.unwrap_or_default();
    running.log.line(&format!("Successfully duplicated resource {source} to resource {id}."));
    running.log.line("All done. Please click refresh to get a link to the new resource.");
    running.finish(transaction, Done { records: vec![uri], ..Done::default() }).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_says_that_it_is_one() {
        let record = json!({"jsonmodel_type": "resource", "title": "Papers", "id_0": "MS1", "publish": true, "slug": "papers",
            "notes": [{"jsonmodel_type": "note_multipart", "persistent_id": "x", "type": "odd"}],
            "rights_statements": [{"jsonmodel_type": "rights_statement", "identifier": "y"}]});
        let copy = resource(record, "/r");
        assert_eq!(
            copy,
            json!({"jsonmodel_type": "resource", "title": "[Duplicated] Papers", "id_0": "[Duplicated] MS1", "publish": false,
                "notes": [{"jsonmodel_type": "note_multipart", "type": "odd"}],
                "rights_statements": [{"jsonmodel_type": "rights_statement"}], "uri": "/r"})
        );
        let doc = json!({"title": "Letters", "ref_id": "r1", "publish": true});
        let copy = component(doc.as_object().cloned().expect("an object"), "/c", "/r", Some(&"/p".to_owned()));
        assert_eq!((copy.get("ref_id"), &copy["publish"]), (None, &json!(true)));
        assert_eq!((&copy["resource"]["ref"], &copy["parent"]["ref"]), (&json!("/r"), &json!("/p")));
    }
}
