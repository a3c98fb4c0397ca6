//! Refusals that a single route has, each in a table with what its client is told.

use super::*;

/// A request that is refused.
struct Asked {
    method: Method,
    path: String,
    body: Option<Value>,
    status: u16,
    /// What `error` is.
    told: Value,
}

fn asked(method: Method, path: impl Into<String>, body: Option<Value>, status: u16, told: impl Into<Value>) -> Asked {
    Asked { method, path: path.into(), body, status, told: told.into() }
}

fn post(path: impl Into<String>, body: Value, status: u16, told: impl Into<Value>) -> Asked {
    asked(Method::POST, path, Some(body), status, told)
}

/// POST without a body.
fn act(path: impl Into<String>, status: u16, told: impl Into<Value>) -> Asked {
    asked(Method::POST, path, None, status, told)
}

fn get(path: impl Into<String>, status: u16, told: impl Into<Value>) -> Asked {
    asked(Method::GET, path, None, status, told)
}

fn delete(path: impl Into<String>, status: u16, told: impl Into<Value>) -> Asked {
    asked(Method::DELETE, path, None, status, told)
}

/// What is wrong with a parameter.
fn of(name: &str, message: &str) -> Value {
    json!({(name): [message]})
}

impl Archives {
    /// Asks all of them; fails with those that are answered otherwise.
    async fn refuses_all(&self, all: Vec<Asked>) {
        let client = self.admin.malformed();
        let mut wrong = Vec::new();
        for Asked { method, path, body, status, told } in all {
            let body = body.map(|body| body.to_string().into_bytes());
            let answer = client.send(method.clone(), &path, body).await;
            if answer.status != status || answer.json() != json!({"error": told}) {
                wrong.push(format!("{method} {path}: {} {}", answer.status, answer.text));
            }
        }
        none(&wrong);
    }

    async fn of_tree(&self, repository: &str, kind: &TreeKind, root: &str) -> [String; 2] {
        let path = format!("{repository}/{}s", kind.node);
        let node = |title: &str| json!({"title": title, "identifier": title, "component_id": title, "level": "file", (kind.root): {"ref": root}});
        let above = self.add(&path, &node("A")).await;
        let below = self.add(&path, &with(node("B"), json!({"parent": {"ref": above}}))).await;
        [above, below]
    }
}

fn id(uri: &str) -> &str {
    uri.rsplit('/').next().expect("an id")
}

#[tokio::test]
async fn no_node_comes_below_itself() {
    let archives = archives().await;
    let repository = archives.repository("REF").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let scans = json!({"title": "Scans", "digital_object_id": "1"});
    let scans = archives.add(&format!("{repository}/digital_objects"), &scans).await;
    let class = json!({"title": "Top", "identifier": "t"});
    let class = archives.add(&format!("{repository}/classifications"), &class).await;
    let text = "Can't make a parent into its own child";
    let mut all = Vec::new();
    for (kind, root) in TREES.iter().zip([papers, scans, class]) {
        let [above, below] = archives.of_tree(&repository, kind, &root).await;
        all.push(act(format!("{above}/parent?parent={}&position=0", id(&below)), 409, text));
        all.push(act(format!("{below}/accept_children?children[]={above}&position=0"), 409, text));
        all.push(act(format!("{above}/accept_children?children[]={above}&position=0"), 409, text));
    }
    archives.refuses_all(all).await;
}

#[tokio::test]
async fn nothing_is_added_below_what_does_not_exist() {
    let archives = archives().await;
    let repository = archives.repository("REF").await;
    let children = |kind: &str| json!({"jsonmodel_type": kind, "children": []});
    let kinds = [
        ("resources", "archival_record_children", "Resource not found"),
        ("archival_objects", "archival_record_children", "ArchivalObject not found"),
        ("digital_objects", "digital_record_children", "DigitalObject not found"),
        ("digital_object_components", "digital_record_children", "DigitalObjectComponent not found"),
    ];
    let all = kinds
        .map(|(path, kind, told)| post(format!("{repository}/{path}/{NOBODY}/children"), children(kind), 404, told));
    archives.refuses_all(all.into()).await;
}

#[tokio::test]
async fn what_is_assessed_and_who_assessed_it_are_not_deleted() {
    let archives = archives().await;
    let repository = archives.repository("REF").await;
    let within = async |path: &str, sent: Value| archives.add(&format!("{repository}/{path}"), &sent).await;
    let papers = within("resources", resource("1")).await;
    let series = within("archival_objects", component("A", &papers, None)).await;
    let file = within("archival_objects", component("B", &papers, Some(&series))).await;
    let gift = within("accessions", accession("1")).await;
    let scans = within("digital_objects", json!({"title": "Scans", "digital_object_id": "1"})).await;
    let surveyor = archives.add("/agents/people", &person("Surveyor")).await;
    let reviewer = archives.add("/agents/people", &person("Reviewer")).await;
    let survey = json!({"records": [{"ref": file}, {"ref": gift}, {"ref": scans}], "surveyed_by": [{"ref": surveyor}],
        "reviewer": [{"ref": reviewer}], "survey_begin": "1970-01-01"});
    let survey = within("assessments", survey).await;
    let kept = [&file, &series, &papers, &gift, &scans, &surveyor, &reviewer];
    archives.refuses_all(kept.map(|uri| delete(uri, 409, "linked_to_assessment")).into()).await;
    let several = format!("/batch_delete?record_uris[]={gift}");
    let told = json!({"error": {"failures": [{"response": [json!({"error": "linked_to_assessment"}).to_string()], "uri": gift}]}});
    assert_eq!(archives.admin.send(Method::POST, &several, None).await.expect(403).json(), told);
    archives.admin.delete(&survey).await.expect(200);
    for uri in kept.into_iter().filter(|uri| **uri != file && **uri != series) {
        archives.admin.delete(uri).await.expect(200);
    }
}

#[tokio::test]
async fn nothing_is_merged_with_what_does_not_exist() {
    let archives = archives().await;
    let repository = archives.repository("REF").await;
    let profile = json!({"name": "Box", "dimension_units": "inches", "extent_dimension": "height", "depth": "1",
        "height": "1", "width": "1"});
    let within = async |path: &str, sent: Value| archives.add(&format!("{repository}/{path}"), &sent).await;
    let scans = json!({"title": "Scans", "digital_object_id": "1"});
    let person = archives.add("/agents/people", &person("A")).await;
    let mut all = Vec::new();
    for (kind, uri, told) in [
        ("subject", archives.add("/subjects", &subject("A")).await, "Subject not found"),
        ("container_profile", archives.add("/container_profiles", &profile).await, "ContainerProfile not found"),
        ("agent", person.clone(), "AgentPerson not found"),
        ("resource", within("resources", resource("1")).await, "Resource not found"),
        ("digital_object", within("digital_objects", scans).await, "DigitalObject not found"),
        ("top_container", within("top_containers", json!({"indicator": "1"})).await, "TopContainer not found"),
    ] {
        let missing = format!("{}/{NOBODY}", uri.rsplit_once('/').expect("a path").0);
        let query = if uri.starts_with(&repository) { format!("?repo_id={}", id(&repository)) } else { String::new() };
        for (into, from) in [(&uri, &missing), (&missing, &uri)] {
            let request = json!({"merge_destination": {"ref": into}, "merge_candidates": [{"ref": from}]});
            all.push(post(format!("/merge_requests/{kind}{query}"), request, 404, told));
        }
    }
    let missing = format!("/agents/people/{NOBODY}");
    let details =
        json!({"merge_destination": {"ref": person}, "merge_candidates": [{"ref": missing}], "selections": {}});
    all.push(post("/merge_requests/agent_detail", details, 404, "AgentPerson not found"));
    archives.refuses_all(all).await;
}

#[tokio::test]
async fn who_may_not_see_contacts_merges_no_agents_with_them() {
    let archives = archives().await;
    let one = archives.add("/agents/people", &person("A")).await;
    let contacts = json!({"agent_contacts": [{"name": "Desk"}]});
    let other = archives.add("/agents/people", &with(person("B"), contacts)).await;
    let group = json!({"group_code": "merges", "description": "Merges agents",
        "grants_permissions": ["merge_agents_and_subjects"]});
    let repository = archives.repository("REF").await;
    archives.add(&format!("{repository}/groups"), &group).await;
    let member = archives.member("member", &repository, &["merges"]).await;
    let told = json!({"error": "The merge cannot be completed because one or more of the agents has contact details you do \
        not have permission to access."});
    let request = json!({"merge_destination": {"ref": one}, "merge_candidates": [{"ref": other}]});
    assert_eq!(member.post("/merge_requests/agent", &request).await.expect(409).json(), told);
    let details = with(request, json!({"selections": {}}));
    assert_eq!(member.post("/merge_requests/agent_detail", &details).await.expect(409).json(), told);
    archives.get(&other).await;
}

#[tokio::test]
async fn an_accession_stays_where_another_has_its_identifier() {
    let archives = archives().await;
    let (here, there) = (archives.repository("A").await, archives.repository("B").await);
    let gift = archives.add(&format!("{here}/accessions"), &accession("1")).await;
    archives.add(&format!("{there}/accessions"), &accession("1")).await;
    let problem = json!([{"json_property": "id_0", "message": "That ID is already in use"}]);
    archives
        .refuses_all(vec![act(format!("{gift}/transfer?target_repo={there}"), 409, json!({(gift.as_str()): problem}))])
        .await;
    archives.get(&gift).await;
}

#[tokio::test]
async fn a_user_with_a_block_in_the_library_is_not_deleted() {
    let archives = archives().await;
    let sent = json!({"username": "mara", "name": "Mara"});
    let mara = uri(&archives.admin.post("/users?password=long+enough", &sent).await.expect(200));
    let open = &archives.library.open;
    let found = open.query("/users", "username==mara").await.expect(200).json();
    let block = json!({"type": "Manual", "desc": "Lost key", "borrowing": true, "userId": found["users"][0]["id"],
        "expirationDate": "2999-01-01T00:00:00Z"});
    let block = open.create("/manualblocks", &block).await;
    let told = "The user has loans, requests, fees, proxies or blocks in the library";
    archives.refuses_all(vec![delete(&mara, 409, told)]).await;
    open.delete(&format!("/manualblocks/{}", block["id"].as_str().expect("an id"))).await.expect(204);
    archives.admin.delete(&mara).await.expect(200);
}

#[tokio::test]
async fn lists_values_groups_users_and_settings_that_do_not_exist_are_not_changed() {
    let archives = archives().await;
    let repository = archives.repository("REF").await;
    let list = archives.get("/config/enumerations/names/resource_resource_type").await;
    let value = archives.get(list["enumeration_values"][0]["uri"].as_str().expect("an address")).await;
    let values = format!("/config/enumeration_values/{NOBODY}");
    let group = json!({"group_code": "x", "description": "X", "lock_version": 0});
    let preference = json!({"defaults": {}, "lock_version": 0});
    let template = json!({"name": "Mine", "data": r#"{"custom_record_type": "resource", "fields": {}}"#, "limit": 10,
        "lock_version": 0});
    let user = json!({"username": "x", "name": "X", "lock_version": 0});
    let pair = json!({"repository": {"repo_code": "X", "name": "X", "lock_version": 0}});
    let containers = format!("{repository}/top_containers");
    let unboxed = |value: &str| json!({(format!("{containers}/{NOBODY}")): value});
    let location = archives.add("/locations", &json!({"building": "Annex", "barcode": "1"})).await;
    let number = id(&repository);
    archives
        .refuses_all(vec![
            post(format!("/config/enumerations/{NOBODY}"), list, 404, "Enumeration not found"),
            post(values.clone(), value, 404, "EnumerationValue not found"),
            act(format!("{values}/suppressed?suppressed=true"), 404, "EnumerationValue not found"),
            act(format!("{values}/position?position=0"), 404, "EnumerationValue not found"),
            post(format!("{repository}/groups/{NOBODY}"), group, 404, "Group not found"),
            post(format!("{repository}/preferences/{NOBODY}"), preference, 404, "Preference not found"),
            post(
                format!("{repository}/custom_report_templates/{NOBODY}"),
                template,
                404,
                "CustomReportTemplate not found",
            ),
            post(format!("/users/{NOBODY}"), user, 404, "User wasn't found"),
            act(format!("/users/{NOBODY}/password?password=x"), 404, "User wasn't found"),
            act(format!("/users/{NOBODY}/groups?remove_groups=true&repo_id={number}"), 404, "User not found"),
            post(format!("/repositories/with_agent/{NOBODY}"), pair, 404, "Repository not found"),
            post(format!("{containers}/bulk/indicators"), unboxed("1"), 404, "TopContainer not found"),
            post(format!("{containers}/bulk/barcodes"), unboxed("b"), 404, "TopContainer not found"),
            post(format!("{containers}/bulk/locations"), unboxed(&location), 404, "TopContainer not found"),
            get(format!("{repository}/preferences/defaults?username=nobody"), 404, "User wasn't found"),
            get(format!("{repository}/required_fields/agent_person"), 404, "RequiredFields not found"),
            get(format!("{repository}/default_values/resource"), 404, "DefaultValues not found"),
            get(format!("/extent_calculator?record_uri={repository}/resources/{NOBODY}"), 404, "Resource not found"),
            delete(
                format!("/repositories/{NOBODY}"),
                400,
                of("repo_id", "Failed validation -- The Repository must exist"),
            ),
        ])
        .await;
}

#[tokio::test]
async fn settings_that_another_has_changed_are_not_replaced() {
    let archives = archives().await;
    let repository = archives.repository("REF").await;
    let text = "The record you tried to update has been modified since you fetched it.";
    let preference = archives.add(&format!("{repository}/preferences"), &json!({"defaults": {}})).await;
    let group = json!({"group_code": "x", "description": "X"});
    let group = archives.add(&format!("{repository}/groups"), &group).await;
    let of_agents = format!("{repository}/required_fields/agent_person");
    let required = json!({"record_type": "agent_person", "subrecord_requirements": []});
    archives.admin.post(&of_agents, &required).await.expect(200);
    let of_resources = format!("{repository}/default_values/resource");
    let defaults = json!({"record_type": "resource", "defaults": {"title": "T"}});
    archives.admin.post(&of_resources, &defaults).await.expect(200);
    let pair = repository.replace("/repositories/", "/repositories/with_agent/");
    let mut all = Vec::new();
    for uri in [preference, group, of_agents, of_resources, pair] {
        let record = archives.get(&uri).await;
        archives.admin.post(&uri, &record).await.expect(200);
        all.push(post(uri, record, 409, text));
    }
    archives.refuses_all(all).await;
}

#[tokio::test]
async fn a_parameter_of_another_type_is_refused() {
    let archives = archives().await;
    let integer = |name: &str| of(name, "Wanted type Integer but got 'x'");
    let listed = |name: &str| of(name, "Wanted type String but got '[\"x\"]'");
    archives
        .refuses_all(vec![
            get("/notifications?last_sequence=x", 400, integer("last_sequence")),
            get("/update-feed?last_sequence=x", 400, integer("last_sequence")),
            get("/vocabularies/x/terms", 400, integer("id")),
            get("/users/x/activate", 400, integer("id")),
            get("/users/x/deactivate", 400, integer("id")),
            delete("/users/x", 400, integer("id")),
            get("/slug?slug[]=x", 400, listed("slug")),
            get(
                "/repositories?resolve=x",
                400,
                of(
                    "resolve",
                    "Wanted type [String] but got 'x'.  Perhaps you meant to specify an array like: resolve[]=x",
                ),
            ),
            get("/oai?verb[]=x", 400, listed("verb")),
            act("/oai?verb[]=x", 400, listed("verb")),
        ])
        .await;
}
