//! What the public sees of a component that records above it say (contract 7.1), in search.

use serde_json::{Value, json};

use super::{Archives, archives, component, resource};

impl Archives {
    /// The public's document of a component.
    async fn public(&self, uri: &str) -> Option<Value> {
        let found = self.get(&format!("/search/records?uri[]={uri}%23pui")).await;
        found["results"].as_array().and_then(|results| results.first().cloned())
    }

    async fn years(&self, query: &str) -> u64 {
        let found = self.get(&format!("/search?page=1&type[]=pui_archival_object&q={query}")).await;
        found["total_hits"].as_u64().expect("a number")
    }
}

fn note(kind: &str, text: &str) -> Value {
    json!({"jsonmodel_type": "note_multipart", "type": kind, "publish": true,
        "subnotes": [{"jsonmodel_type": "note_text", "content": text, "publish": true}]})
}

#[tokio::test]
async fn components_inherit_for_the_public() {
    let archives = archives().await;
    let sent = json!({"repo_code": "INH", "name": "Library", "publish": true});
    let repository = archives.add("/repositories", &sent).await;
    let name =
        json!({"primary_name": "Hopper", "source": "local", "name_order": "direct", "sort_name_auto_generate": true});
    let agent = archives.add("/agents/people", &json!({"names": [name], "publish": true})).await;
    let mut papers = resource("1");
    papers["publish"] = json!(true);
    papers["notes"] =
        json!([note("accessrestrict", "Closed lighthouse"), note("scopecontent", "Maps"), note("odd", "x")]);
    papers["linked_agents"] = json!([{"ref": agent, "role": "creator"}]);
    let papers = archives.add(&format!("{repository}/resources"), &papers).await;
    let nodes = format!("{repository}/archival_objects");
    let mut series = component("Letters", &papers, None);
    series["publish"] = json!(true);
    series["level"] = json!("series");
    series["component_id"] = json!("S1");
    let series = archives.add(&nodes, &series).await;
    let mut file = component("", &papers, Some(&series));
    file.as_object_mut().expect("an object").remove("title");
    file["publish"] = json!(true);
    file["dates"] = json!([{"date_type": "single", "label": "creation", "begin": "1933"}]);
    let file = archives.add(&nodes, &file).await;

    let document = archives.public(&series).await.expect("a document");
    let record: Value = serde_json::from_str(document["json"].as_str().expect("a text")).expect("JSON");
    let told = |uri: &str, level: &str, direct: bool| json!({"ref": uri, "level": level, "direct": direct});
    assert_eq!(record["dates"][0]["_inherited"], told(&papers, "Collection", true));
    assert_eq!(record["extents"][0]["_inherited"], told(&papers, "Collection", false));
    assert_eq!(record["linked_agents"][0]["_resolved"]["title"], "Hopper");
    let kinds: Vec<&Value> = record["notes"].as_array().expect("notes").iter().map(|note| &note["type"]).collect();
    assert_eq!(kinds, ["accessrestrict", "scopecontent"]);
    assert_eq!((&record["ancestors"], record.get("title_inherited")), (&json!([]), None));
    // What is inherited directly is found, the rest is only shown.
    assert_eq!((archives.years("lighthouse").await, archives.years("Maps").await), (2, 0));

    let document = archives.public(&file).await.expect("a document");
    let record: Value = serde_json::from_str(document["json"].as_str().expect("a text")).expect("JSON");
    assert_eq!((&document["title"], &record["title"]), (&json!("Letters"), &json!("Letters")));
    assert_eq!(record["title_inherited"], told(&series, "Series", true));
    assert_eq!((&record["component_id"], &record["dates"][0]["begin"]), (&json!("S1"), &json!("1933")));

    // A change above is found below.
    let mut above = archives.get(&series).await;
    above["title"] = json!("Diaries");
    above["notes"] = json!([note("accessrestrict", "Open windmill")]);
    archives.admin.post(&series, &above).await.expect(200);
    assert_eq!(archives.public(&file).await.expect("a document")["title"], "Diaries");
    assert_eq!((archives.years("windmill").await, archives.years("lighthouse").await), (2, 0));
    // What is not published has no document for the public, nor has what is below it.
    let mut above = archives.get(&series).await;
    above["publish"] = json!(false);
    archives.admin.post(&series, &above).await.expect(200);
    assert_eq!((archives.public(&series).await, archives.public(&file).await), (None, None));
}
