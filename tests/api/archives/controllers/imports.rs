//! Batches of records.

use super::*;

/// Sends a batch; returns what was saved, by temporary address, or what is wrong.
async fn batch(archives: &Archives, repository: &str, records: &Value) -> Value {
    let path = format!("{repository}/batch_imports?use_transaction=true");
    let answer = archives.admin.post(&path, records).await.expect(200).json();
    answer.as_array().and_then(|parts| parts.last()).expect("a last part").clone()
}

fn temporary(record: Value, kind: &str, repository: &str, path: &str, number: usize) -> Value {
    with(record, json!({"jsonmodel_type": kind, "uri": format!("{repository}/{path}/{number}")}))
}

fn parts(mut record: Value) -> Value {
    for (member, kind) in [("extents", "extent"), ("dates", "date"), ("lang_materials", "lang_material")] {
        for part in record[member].as_array_mut().into_iter().flatten() {
            part["jsonmodel_type"] = kind.into();
            if part["language_and_script"].is_object() {
                part["language_and_script"]["jsonmodel_type"] = "language_and_script".into();
            }
        }
    }
    record
}

fn resources(repository: &str, id: &str) -> Value {
    temporary(parts(resource(id)), "resource", repository, "resources", 99_999)
}

/// The address that a temporary one has become.
fn real<'a>(last: &'a Value, record: &Value) -> &'a str {
    last["saved"][record["uri"].as_str().expect("an address")][0].as_str().unwrap_or_else(|| panic!("{last}"))
}

#[tokio::test]
async fn a_batch_refers_to_what_is_there() {
    let archives = archives().await;
    let repository = archives.repository("IMP").await;
    let topic = archives.add("/subjects", &subject("Letters")).await;
    let gift = archives.add(&format!("{repository}/accessions"), &accession("1")).await;
    let more = json!({"subjects": [{"ref": topic}], "related_accessions": [{"ref": gift}],
        "external_ids": [{"external_id": "1", "source": "jdbc:mysql://db.example.org/at2::RESOURCE"}]});
    let record = with(resources(&repository, "1"), more);
    let last = batch(&archives, &repository, &json!([record])).await;
    let read = archives.get(real(&last, &record)).await;
    assert_eq!((&read["subjects"][0]["ref"], &read["related_accessions"][0]["ref"]), (&json!(topic), &json!(gift)));
    assert_eq!(read["external_ids"][0]["external_id"], "1");
}

#[tokio::test]
async fn a_batch_with_wrong_references_leaves_nothing() {
    let archives = archives().await;
    let (repository, other) = (archives.repository("IMP").await, archives.repository("ELSE").await);
    let gift = archives.add(&format!("{other}/accessions"), &accession("1")).await;
    for (wrong, text) in
        [(gift, "Inter-repository links"), (format!("{repository}/accessions/99"), "Reference does not exist")]
    {
        let record = with(resources(&repository, "1"), json!({"related_accessions": [{"ref": wrong}]}));
        let last = batch(&archives, &repository, &json!([record])).await;
        let errors = last["errors"].as_array().expect("errors");
        assert!(errors.len() == 1 && errors[0].as_str().is_some_and(|error| error.contains(text)), "{last}");
    }
    let last = batch(&archives, &repository, &json!([resources(&repository, "1")])).await;
    assert_eq!(last["saved"].as_object().map(serde_json::Map::len), Some(1));
}

#[tokio::test]
async fn siblings_of_a_batch_are_in_the_order_of_their_positions() {
    let archives = archives().await;
    let repository = archives.repository("IMP").await;
    for (id, positions) in [("1", [3, 1, 2, 7]), ("2", [2, 2, 1, 9])] {
        let root = resources(&repository, id);
        let mut records = vec![root.clone()];
        for (number, position) in positions.into_iter().enumerate() {
            let node = json!({"title": format!("{position}"), "level": "file", "position": position,
                "resource": {"ref": root["uri"]}});
            records.push(temporary(node, "archival_object", &repository, "archival_objects", 90_000 + number));
        }
        let last = batch(&archives, &repository, &records.into()).await;
        let mut sorted = positions;
        sorted.sort_unstable();
        assert_eq!(top(&archives, real(&last, &root)).await, sorted.map(|position: i32| position.to_string()));
    }
}

#[tokio::test]
async fn a_batch_adds_values_to_lists_and_publishes_as_preferred() {
    let archives = archives().await;
    let repository = archives.repository("IMP").await;
    let record = with(resources(&repository, "1"), json!({"resource_type": "spaghetti"}));
    let last = batch(&archives, &repository, &json!([record])).await;
    assert_eq!(archives.get(real(&last, &record)).await["publish"], false);
    let list = archives.get("/config/enumerations/names/resource_resource_type").await;
    assert!(list["values"].as_array().is_some_and(|values| values.contains(&json!("spaghetti"))), "{list}");
    let path = format!("{repository}/batch_imports?migration=");
    for migration in ["'true'", "'false'"] {
        let refused = archives.admin.post(&format!("{path}{migration}"), &json!([])).await.expect(400).json();
        let text = refused["error"]["migration"][0].as_str().expect("a message");
        assert!(text.contains("RESTHelpers::BooleanParam"), "{text}");
    }
    for (id, migration) in [("2", "true"), ("3", "false")] {
        let answer = archives.admin.post(&format!("{path}{migration}"), &json!([resources(&repository, id)])).await;
        let parts = answer.expect(200).json();
        let saved = &parts.as_array().and_then(|parts| parts.last()).expect("a last part")["saved"];
        assert_eq!(saved.as_object().map(serde_json::Map::len), Some(1), "{parts}");
    }
}
