//! Searches (contract 8): what is found, in which order and form, by whom.

use super::*;

/// A resource with components, a subject and an agent, in a repository.
pub(super) struct Collection {
    pub(super) archives: Archives,
    pub(super) repository: String,
    pub(super) resource: String,
    subject: String,
    agent: String,
}

pub(super) async fn collection() -> Collection {
    let archives = archives().await;
    let sent = json!({"repo_code": "A", "name": "Library of A", "publish": true});
    let repository = archives.add("/repositories", &sent).await;
    let term = json!({"term": "Harbours", "term_type": "topical", "vocabulary": "/vocabularies/1"});
    let sent = json!({"source": "lcsh", "vocabulary": "/vocabularies/1", "terms": [term]});
    let subject = archives.add("/subjects", &sent).await;
    let name = json!({"primary_name": "Hopper", "rest_of_name": "Ada", "source": "local", "name_order": "inverted",
        "sort_name_auto_generate": true});
    let agent = archives.add("/agents/people", &json!({"names": [name], "publish": true})).await;
    let mut record = resource("MS 1");
    record["title"] = "Maps of <emph>Old</emph> Harbours".into();
    record["publish"] = true.into();
    record["id_1"] = "7".into();
    record["subjects"] = json!([{"ref": subject}]);
    record["linked_agents"] = json!([{"ref": agent, "role": "creator"}]);
    record["notes"] = json!([
        {"jsonmodel_type": "note_singlepart", "type": "abstract", "publish": true, "content": ["Charts by Éric"]},
        {"jsonmodel_type": "note_singlepart", "type": "physdesc", "publish": false, "content": ["Mouldy lighthouse"]}]);
    let resource = archives.add(&format!("{repository}/resources"), &record).await;
    Collection { archives, repository, resource, subject, agent }
}

impl Collection {
    pub(super) async fn component(&self, title: &str) -> String {
        self.archives
            .add(&format!("{}/archival_objects", self.repository), &component(title, &self.resource, None))
            .await
    }

    pub(super) async fn found(&self, query: &str) -> Value {
        let answer = self.archives.admin.get(&format!("{}/search?page=1&{query}", self.repository)).await.expect(200);
        assert!(answer.headers.get("x-carrel-search-behind").is_none(), "the index is behind");
        answer.json()
    }

    pub(super) async fn titles(&self, query: &str) -> Vec<String> {
        texts(&self.found(query).await["results"], "title")
    }

    pub(super) async fn hits(&self, query: &str) -> u64 {
        self.found(query).await["total_hits"].as_u64().expect("a number")
    }
}

#[tokio::test]
async fn what_is_saved_is_found_by_the_next_search() {
    let all = collection().await;
    assert_eq!(all.hits("q=letters").await, 0);
    let node = all.component("Letters to the keeper").await;
    assert_eq!(all.titles("q=letters").await, ["Letters to the keeper"]);
    let mut record = all.archives.get(&node).await;
    record["title"] = "Diaries of the keeper".into();
    all.archives.admin.post(&node, &record).await.expect(200);
    assert_eq!(all.titles("q=keeper").await, ["Diaries of the keeper"]);
    assert_eq!(all.hits("q=letters").await, 0);
    all.archives.admin.delete(&node).await.expect(200);
    assert_eq!(all.hits("q=keeper").await, 0);
    // Documents show the names of other records, too.
    let mut subject = all.archives.get(&all.subject).await;
    subject["terms"][0] = json!({"term": "Ports", "term_type": "topical", "vocabulary": "/vocabularies/1"});
    all.archives.admin.post(&all.subject, &subject).await.expect(200);
    let facets = all.found("type[]=resource&facet[]=subjects").await["facets"]["facet_fields"].clone();
    assert_eq!(facets, json!({"subjects": ["Ports", 1]}));
}

#[tokio::test]
async fn a_document_has_fields_and_its_record() {
    let all = collection().await;
    let answer = all.archives.admin.get(&format!("{}/search?page=1&q=maps", all.repository)).await.expect(200);
    assert_eq!(answer.round_trips(), 0);
    let found = answer.json();
    for (member, value) in [
        ("page_size", json!(10)),
        ("first_page", json!(1)),
        ("last_page", json!(1)),
        ("this_page", json!(1)),
        ("offset_first", json!(1)),
        ("offset_last", json!(1)),
        ("total_hits", json!(1)),
        ("facets", json!({"facet_queries": {}, "facet_fields": {}})),
    ] {
        assert_eq!(found[member], value, "{member}");
    }
    let document = &found["results"][0];
    for (field, value) in [
        ("id", json!(all.resource)),
        ("uri", json!(all.resource)),
        ("title", json!("Maps of <emph>Old</emph> Harbours")),
        ("primary_type", json!("resource")),
        ("jsonmodel_type", json!("resource")),
        ("types", json!(["resource", "pui_collection", "pui"])),
        ("repository", json!(all.repository)),
        ("publish", json!(true)),
        ("suppressed", json!(false)),
        ("identifier", json!("MS 1-7")),
        ("four_part_id", json!("MS 1 7")),
        ("subjects", json!(["Harbours"])),
        ("subject_uris", json!([all.subject])),
        ("agents", json!(["Hopper, Ada"])),
        ("creators", json!(["Hopper, Ada"])),
        ("published_agents", json!(["Hopper, Ada"])),
        ("agent_uris", json!([all.agent])),
        ("extents", json!(["3 --- linear_feet"])),
        ("dates", json!(["1900 - 1950"])),
        ("level", json!("collection")),
        ("langcode", json!(["eng"])),
        ("summary", json!("Charts by Éric")),
        ("created_by", json!("admin")),
        ("extent_type_enum_s", json!(["linear_feet"])),
    ] {
        assert_eq!(document[field], value, "{field}");
    }
    let record: Value = serde_json::from_str(document["json"].as_str().expect("a text")).expect("JSON");
    assert_eq!(record["subjects"][0]["_resolved"]["title"], "Harbours");
    assert_eq!(record["linked_agents"][0]["_resolved"]["display_name"]["sort_name"], "Hopper, Ada");
    assert_eq!(record["repository"]["_resolved"]["repo_code"], "A");
    assert_eq!(record["lock_version"], 0);
}

#[tokio::test]
async fn what_records_refer_to_is_as_new_as_the_index() {
    let all = collection().await;
    let kept = json!({"type": "box", "indicator": "1", "barcode": "b1"});
    let container = all.archives.add(&format!("{}/top_containers", all.repository), &kept).await;
    let mut letters = component("Letters", &all.resource, None);
    letters["subjects"] = json!([{"ref": all.subject}]);
    letters["instances"] = json!([{"instance_type": "mixed_materials",
        "sub_container": {"top_container": {"ref": container}}}]);
    all.archives.add(&format!("{}/archival_objects", all.repository), &letters).await;
    let shown = async || {
        let found = all.found("q=letters&type[]=archival_object").await;
        let record: Value = serde_json::from_str(found["results"][0]["json"].as_str().expect("a text")).expect("JSON");
        let of = |way: &str| record.pointer(way).cloned().unwrap_or_default();
        let container = "/instances/0/sub_container/top_container/_resolved";
        [
            of("/repository/_resolved/name"),
            of("/subjects/0/_resolved/source"),
            of(&format!("{container}/barcode")),
            of(&format!("{container}/collection/0/identifier")),
        ]
    };
    let mut expected = ["Library of A", "lcsh", "b1", "MS 1--7"].map(Value::from);
    for (place, uri, member, value) in [
        (0, all.repository.clone(), "name", "Library of all"),
        (1, all.subject.clone(), "source", "local"),
        (2, container.clone(), "barcode", "b2"),
        (3, all.resource.clone(), "id_1", "8"),
    ] {
        assert_eq!(shown().await, expected);
        assert_eq!(shown().await, expected, "also when it is shown again");
        let mut changed = all.archives.get(&uri).await;
        changed[member] = value.into();
        all.archives.admin.post(&uri, &changed).await.expect(200);
        expected[place] = if member == "id_1" { "MS 1--8".into() } else { value.into() };
    }
    assert_eq!(shown().await, expected);
}

#[tokio::test]
async fn what_a_record_follows_from_is_as_new_as_the_index() {
    let all = collection().await;
    let node = all.component("Letters").await;
    let event = json!({"event_type": "accession", "date": {"date_type": "single", "label": "event", "begin": "2020"},
        "linked_agents": [{"ref": "/agents/corporate_entities/1", "role": "recipient"}],
        "linked_records": [{"ref": node, "role": "source"}]});
    let shown = async |way: &str| {
        let found = all.found("q=letters&type[]=archival_object").await;
        let record: Value = serde_json::from_str(found["results"][0]["json"].as_str().expect("a text")).expect("JSON");
        record.pointer(way).cloned().unwrap_or_default()
    };
    assert_eq!(shown("/linked_events").await, json!([]));
    let event = all.archives.add(&format!("{}/events", all.repository), &event).await;
    assert_eq!(shown("/linked_events").await, json!([{"ref": event}]));
    all.archives.admin.delete(&event).await.expect(200);
    assert_eq!(shown("/linked_events").await, json!([]));

    let file = |uri: &str| json!([{"file_uri": uri, "publish": true, "is_representative": true}]);
    let mut scan = json!({"title": "Scan", "digital_object_id": "d1", "publish": true, "file_versions": file("https://a.example/1")});
    let object = all.archives.add(&format!("{}/digital_objects", all.repository), &scan).await;
    let mut record = all.archives.get(&node).await;
    record["instances"] = json!([{"instance_type": "digital_object", "is_representative": true,
        "digital_object": {"ref": object}}]);
    all.archives.admin.post(&node, &record).await.expect(200);
    let of_file = "/representative_file_version/file_uri";
    assert_eq!(shown(of_file).await, "https://a.example/1");
    scan = all.archives.get(&object).await;
    scan["file_versions"] = file("https://a.example/2");
    all.archives.admin.post(&object, &scan).await.expect(200);
    assert_eq!(shown(of_file).await, "https://a.example/2");
}

#[tokio::test]
async fn queries_have_lucenes_syntax() {
    let all = collection().await;
    for title in ["Letters of 1900", "Letters and maps", "Box 9", "Box 10"] {
        all.component(title).await;
    }
    for (query, expected) in [
        ("letters", 2),
        ("letters maps", 1),
        ("letters OR box", 4),
        ("letters -maps", 1),
        ("letters NOT maps", 1),
        ("\"letters and maps\"", 1),
        ("\"maps and letters\"", 0),
        ("lett*", 2),
        ("title:box", 2),
        ("title:(box OR letters) AND primary_type:archival_object", 4),
        ("primary_type:resource", 1),
        ("subjects:Harbours", 1),
        ("subjects:harb", 0),
        ("subjects_text:harbours", 1),
        ("years:[1910 TO 1920]", 1),
        ("years:[1951 TO *]", 0),
        ("create_time:[* TO NOW]", 9),
        ("create_time:[NOW+1DAY TO *]", 0),
        ("*:*", 9),
        ("eric", 1),
        ("ÉRIC", 1),
        ("lighthouse", 1),
        ("identifier:\"ms 1-7\"", 1),
        ("MS 1-7", 1),
        ("\"unfinished", 0),
        ("nofield:value", 0),
        ("(*:* NOT subjects:*) AND primary_type:resource", 0),
    ] {
        let encoded: String = query.bytes().map(|byte| format!("%{byte:02X}")).collect();
        assert_eq!(all.hits(&format!("q={encoded}")).await, expected, "{query}");
    }
}

#[tokio::test]
async fn advanced_queries_are_trees() {
    let all = collection().await;
    for title in ["Letters of 1900", "Letters and maps"] {
        all.component(title).await;
    }
    let field = |name: &str, value: &str| json!({"jsonmodel_type": "field_query", "field": name, "value": value});
    let boolean = |op: &str, parts: Value| json!({"jsonmodel_type": "boolean_query", "op": op, "subqueries": parts});
    let with = |mut query: Value, member: &str, value: Value| {
        query[member] = value;
        query
    };
    let date = |comparator: &str, value: &str| {
        json!({"jsonmodel_type": "date_field_query", "field": "create_time", "comparator": comparator, "value": value,
               "precision": "year"})
    };
    for (query, expected) in [
        (field("keyword", "letters"), 2),
        (field("title", "letters maps"), 1),
        (field("subjects", "harbours"), 1),
        (field("creators", "hopper"), 1),
        (field("notes", "lighthouse"), 1),
        (field("identifier", "MS 1-7"), 1),
        (with(field("title", "letters of"), "literal", json!(true)), 1),
        (with(with(field("title", "letters"), "negated", json!(true)), "literal", json!(true)), 5),
        (with(field("level", ""), "comparator", json!("empty")), 4),
        (json!({"jsonmodel_type": "boolean_field_query", "field": "published", "value": true}), 4),
        (json!({"jsonmodel_type": "range_query", "field": "years", "from": "1940", "to": "1960"}), 1),
        (date("greater_than", "1999"), 7),
        (date("lesser_than", "1999"), 0),
        (date("equal", "1999"), 0),
        (date("empty", ""), 0),
        (boolean("OR", json!([field("title", "maps"), field("title", "letters")])), 3),
        (boolean("AND", json!([field("title", "maps"), field("title", "letters")])), 1),
        (boolean("NOT", json!([field("title", "maps"), field("title", "letters")])), 1),
    ] {
        let sent = json!({"jsonmodel_type": "advanced_query", "query": query}).to_string();
        let encoded: String = sent.bytes().map(|byte| format!("%{byte:02X}")).collect();
        assert_eq!(all.hits(&format!("aq={encoded}")).await, expected, "{query}");
    }
    let filter = json!({"query": boolean("AND", json!([field("primary_type", "archival_object")]))}).to_string();
    let encoded: String = filter.bytes().map(|byte| format!("%{byte:02X}")).collect();
    assert_eq!(all.hits(&format!("q=maps&filter={encoded}")).await, 1);
    assert_eq!(all.hits("q=maps&filter_query[]=primary_type:resource").await, 1);
    assert_eq!(all.hits("filter_term[]=%7B%22primary_type%22:%22resource%22%7D").await, 1);
}

#[tokio::test]
async fn results_are_sorted_counted_marked_and_cut() {
    let all = collection().await;
    for title in ["Box 10", "box 9", "Éclairs"] {
        all.component(title).await;
    }
    let nodes = "type[]=archival_object";
    let sorted = ["box 9", "Box 10", "Éclairs"];
    assert_eq!(all.titles(&format!("{nodes}&sort=title_sort%20asc")).await, sorted);
    let turned: Vec<_> = sorted.iter().rev().map(|title| (*title).to_owned()).collect();
    assert_eq!(all.titles(&format!("{nodes}&sort=primary_type asc,title_sort desc").replace(' ', "%20")).await, turned);
    let first = all.found(&format!("{nodes}&sort=title_sort%20asc&page_size=2&fields[]=title")).await;
    assert_eq!((&first["last_page"], &first["offset_last"], &first["total_hits"]), (&json!(2), &json!(2), &json!(3)));
    let uri = format!("{}/archival_objects/2", all.repository);
    assert_eq!(first["results"][0], json!({"uri": uri, "jsonmodel_type": "archival_object", "title": "box 9"}));
    let second = format!("{}/search?page=2&page_size=2&{nodes}&sort=title_sort%20asc", all.repository);
    assert_eq!(texts(&all.archives.get(&second).await["results"], "title"), ["Éclairs"]);
    let facets =
        all.found("facet[]=primary_type&facet[]=level&facet_mincount=3").await["facets"]["facet_fields"].clone();
    assert_eq!(facets, json!({"primary_type": ["archival_object", 3], "level": ["file", 3]}));
    let marked = all.found("q=maps&hl=true").await["highlighting"][&all.resource].clone();
    assert_eq!(marked["title"], json!(["<span class=\"searchterm\">Maps</span> of <emph>Old</emph> Harbours"]));
    assert_eq!(all.hits(&format!("exclude[]={}&type[]=resource", all.resource)).await, 0);
    assert_eq!(all.hits(&format!("root_record={}", all.resource)).await, 3);
    let csv =
        format!("{}/search?page=1&dt=csv&{nodes}&sort=title_sort%20asc&fields[]=title&fields[]=level", all.repository);
    let csv = all.archives.admin.get(&csv).await.expect(200);
    assert_eq!(csv.text, "title,level\nbox 9,file\nBox 10,file\nÉclairs,file\n");
    let resolved = all.found("type[]=archival_object&page_size=1&resolve[]=resource:id").await;
    let resource = &resolved["results"][0]["_resolved_resource"][&all.resource][0];
    assert_eq!(resource["identifier"], "MS 1-7");
}

#[tokio::test]
async fn what_is_wrong_with_a_search_is_told() {
    let all = collection().await;
    let deep = "(".repeat(40);
    for (query, parameter) in [
        ("", "page"),
        ("page=x", "page"),
        ("page=0", "page"),
        ("page=99999999", "page"),
        ("page=1&facet[]=nothing", "facet"),
        ("page=1&sort=nothing", "sort"),
        ("page=1&sort=title%20sideways", "sort"),
        ("page=1&aq=x", "aq"),
        ("page=1&aq=%7B%22query%22:%7B%7D%7D", "aq"),
        (
            "page=1&filter=%7B%22query%22:%7B%22jsonmodel_type%22:%22field_query%22,%22field%22:%22none%22%7D%7D",
            "filter",
        ),
        ("page=1&filter_term[]=x", "filter_term"),
        ("page=1&resolve[]=x", "resolve"),
        ("page=1&dt=xml", "dt"),
        ("page=1&type=resource", "type"),
        (&format!("page=1&q={deep}"), "q"),
        (&format!("page=1&q={}", "a+".repeat(2000)), "q"),
    ] {
        let refused = all.archives.admin.get(&format!("{}/search?{query}", all.repository)).await.expect(400).json();
        assert!(refused["error"][parameter].is_array(), "{query}: {refused}");
    }
    for odd in [
        "*", "?", "\"", "~", "^", "a^x", "[", "{a TO", "\\", "-", "+", "AND", "NOT", "OR OR", "%00", "*a*b*", "a:b:c",
        "()",
    ] {
        let encoded: String = odd.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let path = format!("{}/search?page=1&q={encoded}", all.repository);
        let answer = all.archives.admin.get(&path).await;
        assert!(matches!(answer.status, 200 | 400), "{odd}: {}", answer.text);
    }
}

#[tokio::test]
async fn searches_show_what_their_users_may_see() {
    let all = collection().await;
    let other = all.archives.repository("B").await;
    let mut hidden = resource("B 1");
    hidden["title"] = "Maps of another house".into();
    let hidden = all.archives.add(&format!("{other}/resources"), &hidden).await;
    assert_eq!(all.titles("q=maps&facet[]=repository").await.len(), 1);
    let facets = all.found("type[]=resource&facet[]=repository").await["facets"]["facet_fields"].clone();
    assert_eq!(facets, json!({"repository": [all.repository, 1]}));
    let everywhere = all.archives.get("/search?page=1&q=maps").await;
    assert_eq!(everywhere["total_hits"], 2);
    let anonymous = anonymous(&all.archives.library);
    for path in [
        format!("{}/search?page=1", all.repository),
        "/search?page=1".into(),
        format!("/search/records?uri[]={hidden}"),
    ] {
        anonymous.get(&path).await.expect(403);
    }
    let shown = anonymous.get("/search/repositories?page=1&type[]=resource").await.expect(200).json();
    assert_eq!(texts(&shown["results"], "primary_type"), ["repository", "repository"]);
    assert_eq!(anonymous.get("/search/subjects?page=1").await.expect(200).json()["total_hits"], 1);
    assert_eq!(anonymous.get("/search/location_profile?page=1").await.expect(200).json()["total_hits"], 0);
    // Suppressed records are found by those who see them.
    user(&all.archives.library, "public_anonymous", &["perms.all"]).await;
    let public = signed_in(&all.archives.library, "public_anonymous").await;
    let of_public = |query: &'static str| {
        let public = &public;
        async move { public.get(&format!("/search?page=1&{query}")).await.expect(200).json() }
    };
    assert_eq!(texts(&of_public("q=maps").await["results"], "uri"), [all.resource.as_str()]);
    assert_eq!(of_public("q=lighthouse").await["total_hits"], 0);
    assert_eq!(of_public("q=harbours&type[]=subject").await["total_hits"], 1);
    let path = format!("{}/suppressed?suppressed=true", all.resource);
    all.archives.admin.send(Method::POST, &path, None).await.expect(200);
    assert_eq!(of_public("q=maps").await["total_hits"], 0);
    assert_eq!(all.hits("q=maps").await, 1);
}

#[tokio::test]
async fn records_are_asked_for_by_their_addresses() {
    let all = collection().await;
    let node = all.component("Letters").await;
    let path = format!("/search/records?uri[]={node}&uri[]={}&uri[]=/nothing/1&resolve[]=repository:id", all.resource);
    let found = all.archives.get(&path).await;
    assert_eq!(texts(&found["results"], "uri"), [node.as_str(), &all.resource]);
    assert_eq!(found["results"][0]["_resolved_repository"][&all.repository][0]["title"], "A");
    let counting = "/search/record_types_by_repository?record_types[]=resource&record_types[]=archival_object";
    let counted = json!({"resource": 1, "archival_object": 0});
    assert_eq!(all.archives.get(counting).await, json!({&all.repository: counted}));
    assert_eq!(all.archives.get(&format!("{counting}&repo_uri={}", all.repository)).await, counted);
    let posted = anonymous(&all.archives.library);
    posted.send(Method::POST, "/search/records", Some(b"uri[]=/x".to_vec())).await.expect(403);
}

#[tokio::test]
async fn containers_are_searched_in_solrs_form() {
    let all = collection().await;
    let sent = json!({"indicator": "12", "type": "box", "barcode": "3900"});
    let container = all.archives.add(&format!("{}/top_containers", all.repository), &sent).await;
    let path = format!("{}/top_containers/search", all.repository);
    let empty = all.archives.get(&path).await;
    assert_eq!((&empty["response"]["numFound"], &empty["response"]["start"]), (&json!(1), &json!(0)));
    assert_eq!(empty["response"]["docs"][0]["empty_u_sbool"], true);
    // The staff application compares it with the number found.
    assert!(
        empty["responseHeader"]["params"]["rows"].as_str().is_some_and(|rows| rows.parse::<u32>().is_ok()),
        "{empty}"
    );
    let mut file = component("Letters", &all.resource, None);
    let sub = json!({"top_container": {"ref": container}, "type_2": "folder", "indicator_2": "3"});
    file["instances"] = json!([{"instance_type": "mixed_materials", "sub_container": sub}]);
    all.archives.add(&format!("{}/archival_objects", all.repository), &file).await;
    let found = all.archives.get(&format!("{path}?q=MS17&facet[]=collection_display_string_u_sstr")).await;
    let document = &found["response"]["docs"][0];
    assert_eq!(
        (&document["collection_uri_u_sstr"], &document["empty_u_sbool"]),
        (&json!([all.resource]), &json!(false))
    );
    assert_eq!(document["barcode_u_sstr"], "3900");
    for (query, many) in [("box", 1), ("3900", 1), ("box+12", 1), ("carton", 0)] {
        let found = all.archives.get(&format!("{path}?q={query}")).await;
        assert_eq!(found["response"]["numFound"], many, "{query}");
    }
    let record: Value = serde_json::from_str(document["json"].as_str().expect("a record")).expect("JSON");
    assert_eq!((&record["uri"], &record["barcode"]), (&json!(container), &json!("3900")));
    let without = all.archives.get(&format!("{path}?q=MS17&fields[]=barcode_u_sstr")).await;
    assert_eq!(without["response"]["docs"][0].get("json"), None);
    let counted = &found["facet_counts"]["facet_fields"]["collection_display_string_u_sstr"];
    assert_eq!(counted[1], 1);
    assert_eq!(all.archives.get(&format!("{path}?q=nothing")).await["response"]["numFound"], 0);
}
