//! What the public application asks for: its own types, containers, trees, and records put beside others.

use super::*;

/// A published collection with a series, a file in a box, and a series that is not published.
struct Published {
    archives: Archives,
    public: Client,
    repository: String,
    papers: String,
    series: String,
    file: String,
    hidden: String,
    container: String,
}

async fn published() -> Published {
    let archives = archives().await;
    let sent = json!({"repo_code": "PUB", "name": "Library", "publish": true});
    let repository = archives.add("/repositories", &sent).await;
    let agent = archives.get(&repository).await["agent_representation"]["ref"].as_str().expect("an address").to_owned();
    let mut contacts = archives.get(&agent).await;
    contacts["agent_contacts"][0]["email"] = json!("reading@example.org");
    contacts["publish"] = json!(true);
    archives.admin.post(&agent, &contacts).await.expect(200);
    let container =
        archives.add(&format!("{repository}/top_containers"), &json!({"indicator": "1", "type": "box"})).await;
    let mut papers = resource("MS 1");
    papers["publish"] = json!(true);
    let papers = archives.add(&format!("{repository}/resources"), &papers).await;
    let nodes = format!("{repository}/archival_objects");
    let node = |title: &str, above: Option<&str>, publish: bool| {
        let mut node = component(title, &papers, above);
        node["publish"] = json!(publish);
        node
    };
    let series = archives.add(&nodes, &node("Letters", None, true)).await;
    let mut file = node("To the keeper", Some(&series), true);
    file["instances"] = json!([{"instance_type": "mixed_materials", "sub_container": {
        "top_container": {"ref": container}, "type_2": "folder", "indicator_2": "9"}}]);
    let file = archives.add(&nodes, &file).await;
    let hidden = archives.add(&nodes, &node("Secrets", None, false)).await;
    archives.add(&nodes, &node("Below secrets", Some(&hidden), true)).await;
    user(&archives.library, "public_anonymous", &["perms.all"]).await;
    let public = signed_in(&archives.library, "public_anonymous").await;
    Published { archives, public, repository, papers, series, file, hidden, container }
}

impl Published {
    async fn public(&self, path: &str) -> Value {
        self.public.get(path).await.expect(200).json()
    }

    /// The documents with these addresses that the public sees.
    async fn by_ids(&self, ids: &[impl AsRef<str>], more: &str) -> Vec<Value> {
        let asked: Vec<_> = ids.iter().map(|id| format!("uri[]={}", id.as_ref().replace('#', "%23"))).collect();
        let found = self.public(&format!("/search/records?{}{more}", asked.join("&"))).await;
        assert_eq!(found["total_hits"], found["results"].as_array().expect("a list").len());
        found["results"].as_array().expect("a list").clone()
    }

    async fn total(&self, query: &str) -> u64 {
        self.public(&format!("/search?page=1&{query}")).await["total_hits"].as_u64().expect("a number")
    }
}

fn record(document: &Value) -> Value {
    serde_json::from_str(document["json"].as_str().expect("a text")).expect("JSON")
}

#[tokio::test]
async fn records_have_the_types_of_the_public_application() {
    let all = published().await;
    let repository = &all.repository;
    let add = async |path: &str, sent: Value| all.archives.add(path, &sent).await;
    let group = json!({"identifier": "RG1", "title": "Records", "publish": true});
    let group = add(&format!("{repository}/classifications"), group).await;
    let name =
        json!({"primary_name": "Hopper", "source": "local", "name_order": "direct", "sort_name_auto_generate": true});
    let person = add("/agents/people", json!({"names": [name], "publish": true})).await;
    let digital = json!({"title": "Scan", "digital_object_id": "d1", "publish": true});
    let digital = add(&format!("{repository}/digital_objects"), digital).await;
    for (uri, types) in [
        (&all.papers, json!(["resource", "pui_collection", "pui"])),
        (&group, json!(["classification", "pui_record_group", "pui"])),
        (&person, json!(["agent_person", "agent", "pui_agent", "pui_person", "pui"])),
        (&digital, json!(["digital_object", "pui_record", "pui_digital_object", "pui"])),
        (&all.container, json!(["top_container", "pui_container", "pui"])),
    ] {
        let found = all.by_ids(&[uri], "").await;
        assert_eq!(found[0]["types"], types, "{uri}");
    }
    let counting = "/search/record_types_by_repository?record_types[]=pui_collection&record_types[]=pui_record_group";
    let counted = json!({"pui_collection": 1, "pui_record_group": 1});
    assert_eq!(all.public(&format!("{counting}&repo_uri={repository}")).await, counted);
}

#[tokio::test]
async fn the_public_sees_containers_with_published_contents_and_components_by_their_addresses() {
    let all = published().await;
    let in_it = format!("q=top_container_uri_u_sstr:%22{}%22", all.container);
    assert_eq!(all.total(&format!("{in_it}&type[]=pui_archival_object")).await, 1);
    assert_eq!(all.total("q=child_container_u_sstr:%22folder+9%22").await, 1);
    let found =
        all.public(&format!("/search?page=1&{in_it}&facet[]=instance_type_enum_s&sort=display_string+asc")).await;
    assert_eq!(found["facets"]["facet_fields"]["instance_type_enum_s"], json!(["mixed_materials", 1]));
    let found = all.by_ids(&[all.file.clone(), format!("{}#pui", all.series), all.hidden.clone()], "").await;
    assert_eq!(texts(&json!(found), "id"), [format!("{}#pui", all.file), format!("{}#pui", all.series)]);
    // When nothing published is in it any more, the container is gone, too.
    let mut file = all.archives.get(&all.file).await;
    file["publish"] = json!(false);
    all.archives.admin.post(&all.file, &file).await.expect(200);
    assert!(all.by_ids(&[&all.container], "").await.is_empty());
}

#[tokio::test]
async fn below_what_is_not_published_nothing_is() {
    let all = published().await;
    let found = all.archives.get(&format!("{}/search?page=1&q=secrets&facet[]=publish", all.repository)).await;
    assert_eq!(found["facets"]["facet_fields"]["publish"], json!(["false", 2]));
    assert_eq!(all.total("q=secrets").await, 0);
}

#[tokio::test]
async fn parts_of_published_trees_are_documents() {
    let all = published().await;
    let tree = format!("{}/tree", all.papers);
    let number = |uri: &str| uri.rsplit('/').next().expect("a number").to_owned();
    let ids = [
        format!("{tree}/root"),
        format!("{tree}/waypoint__0"),
        format!("{tree}/waypoint_{}_0", all.series),
        format!("{tree}/node_{}", all.series),
        format!("{tree}/node_from_root_{}", number(&all.file)),
        format!("{}/ordered_records", all.papers),
    ];
    let found = all.by_ids(&ids, "").await;
    assert_eq!(texts(&json!(found), "id"), ids);
    let kinds =
        ["tree_root", "tree_waypoint", "tree_waypoint", "tree_node", "tree_node_from_root", "resource_ordered_records"];
    assert_eq!(texts(&json!(found), "primary_type"), kinds);
    assert!(found.iter().all(|document| document["types"] == json!(["pui"]) && document["publish"] == true));
    assert_eq!(
        texts(&json!(found), "pui_parent_id"),
        [&*all.papers, &all.papers, &all.series, &all.series, &all.file, &all.papers]
    );
    // They are what the routes of trees tell of what is published.
    let told = all.archives.get(&format!("{tree}/root?published_only=true")).await;
    assert_eq!((&record(&found[0]), &told["child_count"]), (&told, &json!(1)));
    assert_eq!(texts(&record(&found[1]), "uri"), [all.series.as_str()]);
    assert_eq!(texts(&record(&found[2]), "uri"), [all.file.as_str()]);
    assert_eq!(record(&found[3])["title"], "Letters");
    assert_eq!(record(&found[4])[number(&all.file)][1]["node"], json!(all.series));
    assert_eq!(texts(&record(&found[5])["uris"], "ref"), [&*all.papers, &all.series, &all.file]);

    // What is not published has none, nor what is no tree; and there is an end to asking.
    let none = [
        format!("{tree}/node_{}", all.hidden),
        format!("{tree}/waypoint_{}_0", all.hidden),
        format!("{tree}/node_from_root_{}", number(&all.hidden)),
        format!("{}/resources/99/tree/root", all.repository),
        format!("{}/tree/root", all.series),
    ];
    assert!(all.by_ids(&none, "").await.is_empty());
    let many: Vec<_> = (0..26).map(|page| format!("uri[]={tree}/waypoint__{page}")).collect();
    all.public.get(&format!("/search/records?{}", many.join("&"))).await.expect(400);
    let mut papers = all.archives.get(&all.papers).await;
    papers["publish"] = json!(false);
    all.archives.admin.post(&all.papers, &papers).await.expect(200);
    assert!(all.by_ids(&ids, "").await.is_empty());
}

#[tokio::test]
async fn records_above_are_put_in_with_just_enough_to_name_them() {
    let all = published().await;
    let compact = "&resolve[]=resource:id@compact_resource&resolve[]=ancestors:id@compact_resource";
    let found = all.by_ids(&[&all.file], compact).await;
    let papers = &found[0]["_resolved_resource"][&all.papers][0];
    assert_eq!(
        (&papers["id_0"], &papers["level"], &papers["uri"]),
        (&json!("MS 1"), &json!("collection"), &json!(all.papers))
    );
    assert_eq!(papers.get("notes"), None);
    let above = &found[0]["_resolved_ancestors"];
    assert_eq!(above[&all.series][0]["title"], "Letters");
    assert_eq!(above[&all.papers][0]["id_0"], "MS 1");
    let whole = all.by_ids(&[&all.file], "&resolve[]=ancestors:id&resolve[]=repository:id").await;
    assert_eq!(whole[0]["_resolved_ancestors"][&all.series][0]["id"], format!("{}#pui", all.series));
    let refused = all.public.get(&format!("/search/records?uri[]={}&resolve[]=resource:id@odd", all.file)).await;
    assert_eq!(refused.expect(400).json()["error"]["resolve"], json!(["Unrecognized search resolver: odd"]));
}

#[tokio::test]
async fn the_contacts_of_a_repository_are_for_all() {
    let all = published().await;
    let found = all.by_ids(&[&all.papers], "").await;
    let agent = &record(&found[0])["repository"]["_resolved"]["agent_representation"]["_resolved"];
    assert_eq!(agent["agent_contacts"][0]["email"], "reading@example.org");
    let agent = agent["uri"].as_str().expect("an address").to_owned();
    let found = all.by_ids(&[agent], "").await;
    assert_eq!(record(&found[0]).get("agent_contacts"), None, "not with the agent itself");
}

#[tokio::test]
async fn documents_that_are_put_in_have_their_records() {
    let all = published().await;
    let more = "&resolve[]=repository:id&resolve[]=top_container_uri_u_sstr:id&resolve[]=ancestors:id";
    let found = all.by_ids(&[&all.file], more).await;
    let repository = record(&found[0]["_resolved_repository"][&all.repository][0]);
    assert_eq!(repository["agent_representation"]["_resolved"]["agent_contacts"][0]["email"], "reading@example.org");
    let container = record(&found[0]["_resolved_top_container_uri_u_sstr"][&all.container][0]);
    assert_eq!((&container["indicator"], &container["uri"]), (&json!("1"), &json!(all.container)));
    assert_eq!(record(&found[0]["_resolved_ancestors"][&all.series][0])["title"], "Letters");
    // Where nothing is found, there is nothing: the application would take an empty object for one that has something.
    let term = json!({"term": "Harbours", "term_type": "topical", "vocabulary": "/vocabularies/1"});
    let subject = json!({"source": "lcsh", "vocabulary": "/vocabularies/1", "terms": [term]});
    let subject = all.archives.add("/subjects", &subject).await;
    let found = all.archives.get(&format!("/search/records?uri[]={subject}{more}")).await;
    assert_eq!(found["results"][0]["_resolved_repository"], Value::Null);
    assert!(found["results"][0].as_object().expect("a document").contains_key("_resolved_repository"));
}

#[tokio::test]
async fn components_are_not_found_by_the_title_of_what_they_inherit_from() {
    let all = published().await;
    let mut papers = all.archives.get(&all.papers).await;
    papers["title"] = json!("Zanzibar papers");
    papers["notes"] = json!([{"jsonmodel_type": "note_multipart", "type": "accessrestrict", "publish": true,
        "subnotes": [{"jsonmodel_type": "note_text", "content": "Closed lighthouse", "publish": true}]}]);
    all.archives.admin.post(&all.papers, &papers).await.expect(200);
    let found = all.public("/search?page=1&q=zanzibar&type[]=pui_collection&type[]=pui_archival_object").await;
    assert_eq!(texts(&found["results"], "uri"), [all.papers.as_str()]);
    assert_eq!(all.total("q=lighthouse&type[]=pui_archival_object").await, 2);
}

#[tokio::test]
async fn parts_tell_when_they_were_changed() {
    let all = published().await;
    let found = all.by_ids(&[&all.file], "").await;
    let part = &record(&found[0])["instances"][0];
    let times = (&part["created_by"], &part["sub_container"]["last_modified_by"]);
    assert_eq!(times, (&json!("admin"), &json!("admin")));
}
