//! Classifications, their trees, and assessments (contract 3.2, 4.8).

use super::*;

struct Classes {
    archives: Archives,
    repository: String,
    class: String,
}

async fn classes() -> Classes {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let sent = json!({"identifier": "A", "title": "All", "description": "of it"});
    let class = archives.add(&format!("{repository}/classifications"), &sent).await;
    Classes { archives, repository, class }
}

impl Classes {
    fn term(&self, name: &str, parent: Option<&str>) -> Value {
        let mut term = json!({"identifier": name.to_lowercase(), "title": name, "classification": {"ref": self.class}});
        if let Some(parent) = parent {
            term["parent"] = json!({"ref": parent});
        }
        term
    }

    async fn add(&self, name: &str, parent: Option<&str>) -> String {
        self.archives.add(&format!("{}/classification_terms", self.repository), &self.term(name, parent)).await
    }
}

#[tokio::test]
async fn a_term_knows_the_way_from_the_root() {
    let classes = classes().await;
    let empty = classes.archives.get(&classes.class).await;
    assert_eq!((&empty["has_classification_terms"], &empty["publish"]), (&json!(false), &json!(true)));
    assert_eq!(empty["path_from_root"], json!([{"title": "All", "identifier": "A"}]));
    let law = classes.add("Law", None).await;
    let deeds = classes.add("Deeds", Some(&law)).await;
    let wills = classes.add("Wills", Some(&law)).await;
    let answer = classes.archives.admin.get(&wills).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let found = answer.json();
    let path = [("All", "A"), ("Law", "law"), ("Wills", "wills")];
    let path: Vec<_> = path.iter().map(|(title, id)| json!({"title": title, "identifier": id})).collect();
    assert_eq!(found["path_from_root"], json!(path));
    assert_eq!((&found["display_string"], &found["position"]), (&json!("Wills"), &json!(1)));
    assert_eq!((&found["parent"]["ref"], &found["classification"]["ref"]), (&json!(law), &json!(classes.class)));
    let archives = &classes.archives;
    assert_eq!(archives.get(&classes.class).await["has_classification_terms"], true);
    let root = archives.get(&format!("{}/tree/root", classes.class)).await;
    assert_eq!((&root["identifier"], &root["child_count"]), (&json!("A"), &json!(1)));
    let page = archives.get(&format!("{}/tree/waypoint?offset=0&parent_node={law}", classes.class)).await;
    assert_eq!(texts(&page, "identifier"), ["deeds", "wills"]);
    let node = archives.get(&format!("{}/tree/node?node_uri={law}", classes.class)).await;
    assert_eq!((&node["identifier"], &node["child_count"]), (&json!("law"), &json!(2)));
    let way = archives.get(&format!("{}/tree/node_from_root?node_ids[]=3", classes.class)).await;
    assert_eq!(way["3"][1]["node"], json!(law));
    let tree = archives.get(&format!("{}/tree", classes.class)).await;
    assert_eq!((&tree["jsonmodel_type"], &tree["identifier"]), (&json!("classification_tree"), &json!("A")));
    assert_eq!(texts(&tree["children"][0]["children"], "identifier"), ["deeds", "wills"]);
    assert_eq!(texts(&archives.get(&format!("{law}/children")).await, "title"), ["Deeds", "Wills"]);
    // Terms move, and take their names along.
    archives.admin.send(Method::POST, &format!("{deeds}/parent?position=0"), None).await.expect(200);
    assert_eq!(archives.get(&deeds).await["path_from_root"].as_array().map(Vec::len), Some(2));
    let path = format!("{}/accept_children?children[]={wills}&position=0", classes.class);
    archives.admin.send(Method::POST, &path, None).await.expect(200);
    let page = archives.get(&format!("{}/tree/waypoint?offset=0", classes.class)).await;
    assert_eq!(texts(&page, "title"), ["Wills", "Deeds", "Law"]);
    classes.add("Deeds", Some(&law)).await;
    archives.admin.delete(&classes.class).await.expect(200);
    archives.admin.get(&law).await.expect(404);
}

#[tokio::test]
async fn a_term_is_unique_among_its_siblings() {
    let classes = classes().await;
    let law = classes.add("Law", None).await;
    let deeds = classes.add("Deeds", None).await;
    let archives = &classes.archives;
    let path = format!("{}/classification_terms", classes.repository);
    let message = json!(["must be unique to its level in the tree"]);
    let taken = archives.admin.post(&path, &classes.term("Law", None)).await.expect(400).json();
    assert_eq!(taken, json!({"error": {"identifier": message, "title": message}}));
    let below = classes.add("Deeds", Some(&law)).await;
    let path_up = format!("{below}/parent?position=0");
    let moved_error = archives.admin.send(Method::POST, &path_up, None).await.expect(400).json()["error"].clone();
    assert!(["title", "identifier"].iter().any(|name| moved_error[name] == message), "{moved_error}");
    assert_eq!(archives.get(&below).await["parent"]["ref"], json!(law));
    let mut renamed = archives.get(&deeds).await;
    renamed["title"] = "Law".into();
    let taken = archives.admin.post(&deeds, &renamed).await.expect(400).json();
    assert_eq!(taken, json!({"error": {"title": message}}));
    let foreign = json!({"identifier": "x", "title": "x", "classification": {"ref": format!("{}9", classes.class)}});
    archives.admin.post(&path, &foreign).await.expect(400);
    let missing = archives.admin.post(&path, &json!({"title": "x"})).await.expect(400).json();
    assert_eq!(missing["error"]["identifier"], json!(["Property is required but was missing"]));
}

#[tokio::test]
async fn an_assessment_has_the_attributes_of_its_repository() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let path = format!("{repository}/assessment_attribute_definitions");
    let before = archives.get(&path).await;
    let all = before["definitions"].as_array().expect("a list").clone();
    assert_eq!(all.len(), 33);
    assert_eq!(
        (&all[0]["label"], &all[0]["type"], &all[0]["global"], &all[0]["position"]),
        (&json!("Reformatting Readiness"), &json!("rating"), &json!(true), &json!(0))
    );
    let own = json!({"label": "Smell", "type": "rating"});
    let mut sent = before.clone();
    sent["definitions"].as_array_mut().expect("a list").push(own.clone());
    assert_eq!(archives.admin.post(&path, &sent).await.expect(200).json(), json!({"status": "Updated"}));
    let after = archives.get(&path).await["definitions"].clone();
    let smell = after[33].clone();
    assert_eq!((&smell["label"], &smell["global"]), (&json!("Smell"), &json!(false)));
    let doubled = json!({"definitions": [{"label": "Interest", "type": "rating"}]});
    assert_eq!(archives.admin.post(&path, &doubled).await.expect(409).json(), json!({"error": ["Interest"]}));

    let person = json!({"names": [{"primary_name": "S", "name_order": "direct", "source": "local", "sort_name": "S"}]});
    let person = archives.add("/agents/people", &person).await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let node = archives.add(&format!("{repository}/archival_objects"), &component("A", &papers, None)).await;
    let id = |label: &str| {
        let found = all.iter().find(|one| one["label"] == label).expect("an attribute");
        found["id"].clone()
    };
    let ratings = json!([{"definition_id": id("Interest"), "value": "3", "note": "n"},
        {"definition_id": id("Documentation Quality"), "value": "4"}, {"definition_id": smell["id"], "value": "1"},
        {"definition_id": id("Housing Quality")}]);
    let sent = json!({"records": [{"ref": node}], "surveyed_by": [{"ref": person}], "survey_begin": "2020-01-01",
        "monetary_value": "500.4", "ratings": ratings});
    let assessments = format!("{repository}/assessments");
    let assessment = archives.add(&assessments, &sent).await;
    let answer = archives.admin.get(&assessment).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let found = answer.json();
    assert_eq!((&found["display_string"], &found["monetary_value"]), (&json!("1"), &json!("500.40")));
    assert_eq!(found["collections"], json!([{"ref": papers}]));
    let counts = ["ratings", "formats", "conservation_issues"].map(|list| found[list].as_array().map(Vec::len));
    assert_eq!(counts, [Some(9), Some(16), Some(9)]);
    let value = |label: &str| {
        let rated = found["ratings"].as_array().expect("a list").iter().find(|one| one["label"] == label);
        rated.expect("a rating")["value"].clone()
    };
    assert_eq!(
        [value("Interest"), value("Smell"), value("Research Value"), value("Housing Quality")],
        [json!("3"), json!("1"), json!("7"), Value::Null]
    );
    archives.admin.post(&assessment, &found).await.expect(200);
    assert_eq!(archives.get(&assessment).await["ratings"], found["ratings"]);
    // An attribute that an assessment has cannot go.
    let used = archives.admin.post(&path, &json!({"definitions": []})).await.expect(409).json();
    assert_eq!(used, json!({"error": "RECORD_IN_USE"}));
    archives.admin.delete(&assessment).await.expect(200);
    archives.admin.post(&path, &json!({"definitions": []})).await.expect(200);
    assert_eq!(archives.get(&path).await["definitions"].as_array().map(Vec::len), Some(33));
    let mut wrong = sent.clone();
    wrong["monetary_value"] = "much".into();
    archives.admin.post(&assessments, &wrong).await.expect(400);
    wrong = sent;
    wrong["surveyed_by"] = json!([]);
    archives.admin.post(&assessments, &wrong).await.expect(400);
}

#[tokio::test]
async fn they_are_sorted_by_the_names_of_their_repositories() {
    let classes = classes().await;
    classes.add("Law", None).await;
    let found =
        classes.archives.get("/search?page=1&q=repo_sort:*&type[]=classification&type[]=classification_term").await;
    assert_eq!(found["total_hits"], 2);
    let sorted =
        classes.archives.get("/search?page=1&q=repo_sort:%22library%20of%20a%20(a)%22&type[]=classification").await;
    assert_eq!(texts(&sorted["results"], "uri"), [classes.class.as_str()]);
}
