//! Refusals that routes of many types have in common, each asked of all of them; and those of single routes.

mod asked;

use ::archives::nodes::{TREES, TreeKind};

use super::*;

/// Of a record that does not exist.
const NOBODY: &str = "9999999";

/// A record of each of these types; those of the repository refer to each other.
async fn one_of_each(archives: &Archives, repository: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (path, sent) in agents("Garnet") {
        all.push(archives.add(path, &sent).await);
    }
    let shelf = json!({"name": "Shelf", "dimension_units": "inches", "depth": "1", "height": "2", "width": "3"});
    let carton = json!({"name": "cp-01", "dimension_units": "inches", "extent_dimension": "height", "depth": "1",
        "height": "1", "width": "1"});
    for (path, sent) in [
        ("/subjects", subject("Letters")),
        ("/location_profiles", shelf),
        ("/container_profiles", carton),
        ("/locations", json!({"building": "Annex", "barcode": "1"})),
        ("/vocabularies", json!({"name": "ABC", "ref_id": "abc"})),
    ] {
        all.push(archives.add(path, &sent).await);
    }
    let within = async |path: &str, sent: Value| archives.add(&format!("{repository}/{path}"), &sent).await;
    let papers = within("resources", resource("1")).await;
    let gift = within("accessions", accession("1")).await;
    let class = within("classifications", json!({"title": "Top", "identifier": "t"})).await;
    let scans = within("digital_objects", json!({"title": "Scans", "digital_object_id": "1"})).await;
    let agent = all[0].clone();
    let event = json!({"event_type": "accession", "date": {"date_type": "single", "label": "event", "begin": "2000"},
        "linked_agents": [{"ref": agent, "role": "authorizer"}], "linked_records": [{"ref": gift, "role": "source"}]});
    let survey = json!({"records": [{"ref": gift}], "surveyed_by": [{"ref": agent}], "survey_begin": "1970-01-01"});
    let report = json!({"name": "Mine", "data": r#"{"custom_record_type": "resource", "fields": {}}"#, "limit": 10});
    for (path, sent) in [
        ("archival_objects", component("One", &papers, None)),
        ("classification_terms", json!({"title": "A", "identifier": "a", "classification": {"ref": class}})),
        ("digital_object_components", json!({"title": "A", "digital_object": {"ref": scans}})),
        ("top_containers", json!({"indicator": "1", "type": "box"})),
        ("events", event),
        ("assessments", survey),
        ("custom_report_templates", report),
    ] {
        all.push(within(path, sent).await);
    }
    all.extend([papers, gift, class, scans]);
    all
}

/// What went wrong, a line each.
fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_record_that_another_has_changed_is_not_replaced() {
    let archives = archives().await;
    let repository = archives.repository("REF").await;
    let text = "The record you tried to update has been modified since you fetched it.";
    let mut wrong = Vec::new();
    for uri in one_of_each(&archives, &repository).await.into_iter().chain([repository.clone()]) {
        let record = archives.get(&uri).await;
        archives.admin.post(&uri, &record).await.expect(200);
        let answer = archives.admin.post(&uri, &record).await;
        if answer.status != 409 || !answer.text.contains(text) {
            wrong.push(format!("{uri}: {} {}", answer.status, answer.text));
        }
    }
    none(&wrong);
}

#[tokio::test]
async fn a_record_that_does_not_exist_is_not_replaced() {
    let archives = archives().await;
    let repository = archives.repository("REF").await;
    let mut wrong = Vec::new();
    for uri in one_of_each(&archives, &repository).await.into_iter().chain([repository.clone()]) {
        let record = archives.get(&uri).await;
        let nowhere = format!("{}/{NOBODY}", uri.rsplit_once('/').expect("a path").0);
        let answer = archives.admin.post(&nowhere, &record).await;
        if answer.status != 404 || !answer.text.contains("not found") {
            wrong.push(format!("{nowhere}: {} {}", answer.status, answer.text));
        }
    }
    none(&wrong);
}

#[tokio::test]
async fn nothing_is_done_with_a_record_that_does_not_exist() {
    let archives = archives().await;
    let repository = archives.repository("REF").await;
    let other = archives.repository("REG").await;
    let below = |kind: &str| format!("accept_children?children[]={repository}/{kind}/1&position=0");
    let moved = format!("transfer?target_repo={other}");
    let mut paths = Vec::new();
    for (kinds, act) in [
        (
            &["accessions", "archival_objects", "digital_objects", "digital_object_components", "events"][..],
            "suppressed?suppressed=true".to_owned(),
        ),
        (&["archival_objects", "digital_objects"], "publish".to_owned()),
        (&["archival_objects", "resources"], "unpublish".to_owned()),
        (&["archival_objects", "resources"], below("archival_objects")),
        (&["classifications", "classification_terms"], below("classification_terms")),
        (&["digital_objects", "digital_object_components"], below("digital_object_components")),
        (&["classification_terms", "digital_object_components"], "parent?parent=1&position=0".to_owned()),
        (&["accessions", "digital_objects"], moved),
    ] {
        paths.extend(kinds.iter().map(|kind| format!("{repository}/{kind}/{NOBODY}/{act}")));
    }
    let kinds = ["people", "families", "corporate_entities", "software"];
    paths.extend(kinds.iter().map(|kind| format!("/agents/{kind}/{NOBODY}/publish")));
    let mut wrong = Vec::new();
    for path in paths {
        let answer = archives.admin.send(Method::POST, &path, None).await;
        if answer.status != 404 {
            wrong.push(format!("{path}: {} {}", answer.status, answer.text));
        }
    }
    for kind in ["archival_objects", "resources"] {
        let path = format!("{repository}/{kind}/{NOBODY}/ark_name");
        let answer = archives.admin.post(&path, &json!({"current": "ark:/1/2"})).await;
        if answer.status != 404 {
            wrong.push(format!("{path}: {} {}", answer.status, answer.text));
        }
    }
    none(&wrong);
}

#[tokio::test]
async fn the_export_of_a_record_that_does_not_exist_has_no_name() {
    let archives = archives().await;
    let repository = archives.repository("REF").await;
    let mut paths: Vec<String> = Vec::new();
    for kind in ["people", "families", "corporate_entities"] {
        paths.extend([format!("agents/{kind}/marc21"), format!("archival_contexts/{kind}")]);
    }
    paths.extend(["dublin_core", "mods", "mets"].map(|format| format!("digital_objects/{format}")));
    paths.push("resources/marc21".to_owned());
    let mut wrong = Vec::new();
    for path in paths {
        let path = format!("{repository}/{path}/{NOBODY}.xml/metadata");
        let answer = archives.admin.get(&path).await;
        if answer.status != 404 {
            wrong.push(format!("{path}: {} {}", answer.status, answer.text));
        }
    }
    none(&wrong);
}

#[tokio::test]
async fn an_id_or_a_page_that_is_no_number_is_refused() {
    let archives = archives().await;
    let client = archives.admin.malformed();
    let mut wrong = Vec::new();
    let mut see = |path: &str, answer: &Answer, text: &str| {
        if answer.status != 400 || !answer.text.contains(text) {
            wrong.push(format!("{path}: {} {}", answer.status, answer.text));
        }
    };
    for path in [
        "/agents/people",
        "/agents/families",
        "/agents/corporate_entities",
        "/agents/software",
        "/container_profiles",
        "/location_profiles",
        "/locations",
        "/subjects",
    ] {
        let (one, page) = (format!("{path}/x"), format!("{path}?page=x"));
        see(&page, &client.get(&page).await, "Wanted type RESTHelpers::NonNegativeInteger but got 'x'");
        see(&one, &client.get(&one).await, "Wanted type Integer but got 'x'");
        see(&one, &client.delete(&one).await, "Wanted type Integer but got 'x'");
        if path.starts_with("/agents") {
            let publish = format!("{one}/publish");
            see(&publish, &client.send(Method::POST, &publish, None).await, "Wanted type Integer but got 'x'");
        }
    }
    for path in ["/repositories/x", "/repositories/with_agent/x", "/config/enumeration_values/x", "/vocabularies/x"] {
        see(path, &client.get(path).await, "Wanted type Integer but got 'x'");
    }
    none(&wrong);
}
