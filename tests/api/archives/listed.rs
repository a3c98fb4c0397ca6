//! What the lists of the staff application ask for: jobs, agents of users, management of processing, assessments, columns to sort
//! by and values to narrow by.

use super::{
    jobs::{enter, import_job},
    *,
};

impl Archives {
    /// A search in the first repository.
    async fn searched(&self, query: &str) -> Value {
        let found = self.get(&format!("/repositories/2/search?page=1&{query}")).await;
        assert_eq!(found["total_hits"], found["results"].as_array().expect("a list").len());
        found
    }

    /// Runs the jobs that wait. A search waits for what clients have saved, and for what was saved before.
    async fn jobs_run(&self) {
        self.library.run_jobs().await;
        self.add(
            "/subjects",
            &json!({"source": "lcsh", "vocabulary": "/vocabularies/1", "terms": [
            {"term": Uuid::new_v4().to_string(), "term_type": "topical", "vocabulary": "/vocabularies/1"}]}),
        )
        .await;
    }

    async fn facet(&self, query: &str, field: &str) -> Value {
        self.searched(&format!("{query}&facet[]={field}")).await["facets"]["facet_fields"][field].clone()
    }
}

#[tokio::test]
async fn jobs_are_listed_with_their_state() {
    let archives = archives().await;
    archives.repository("A").await;
    let job = enter(&archives, &import_job(&["one.xml"]), &["no XML"]).await;
    let list = "type[]=job&sort=time_submitted+desc";
    assert_eq!(archives.facet(list, "status").await, json!(["queued", 1]));
    archives.jobs_run().await;
    let found =
        archives.searched(&format!("{list}&facet[]=status&facet[]=job_type&facet[]=report_type&facet[]=owner")).await;
    let facets =
        json!({"status": ["failed", 1], "job_type": ["import_job", 1], "report_type": [], "owner": ["admin", 1]});
    assert_eq!(found["facets"]["facet_fields"], facets);
    let document = &found["results"][0];
    for (field, value) in [
        ("uri", json!(job)),
        ("title", json!("Import")),
        ("types", json!(["job", "import_job"])),
        ("job_report_type", json!("import_job")),
        ("files", json!(["/jobs/1/file/1"])),
        ("job_data", json!(["input_file --- one.xml", "import_type --- ead_xml"])),
    ] {
        assert_eq!(document[field], value, "{field}");
    }
    assert!(document["time_submitted"].as_str() <= document["time_finished"].as_str(), "{document}");
    let report = json!({"jsonmodel_type": "job", "job": {"jsonmodel_type": "report_job", "report_type": "accession_report",
        "format": "json"}});
    let report = archives.add("/repositories/2/jobs", &report).await;
    archives.jobs_run().await;
    let found = archives.searched("type[]=accession_report").await;
    let document = &found["results"][0];
    assert_eq!((&document["uri"], &document["title"]), (&json!(report), &json!("Accession report")));
    let files = archives.get(&format!("{report}/output_files")).await;
    let number = report.rsplit('/').next().expect("a number");
    assert_eq!(document["files"], json!([format!("/jobs/{number}/file/{}", files[0])]));
}

#[tokio::test]
async fn agents_tell_whether_they_are_users() {
    let archives = archives().await;
    archives.repository("A").await;
    let sent = json!({"username": "Keeper", "name": "The Keeper"});
    let user = archives.admin.post("/users?password=a+good+long+password", &sent).await.expect(200);
    let user = archives.get(&uri(&user)).await;
    let agent = user["agent_record"]["ref"].as_str().expect("an address").to_owned();
    assert_eq!(archives.get(&agent).await["is_user"], "keeper");
    let found = archives.searched("type[]=agent_with_user&q=keeper").await;
    assert_eq!((&found["results"][0]["uri"], &found["results"][0]["is_user"]), (&json!(agent), &json!(true)));
    archives.admin.delete(user["uri"].as_str().expect("an address")).await.expect(200);
    assert_eq!(archives.searched("type[]=agent_with_user&q=keeper").await["total_hits"], 0);
    assert_eq!(archives.get(&agent).await.get("is_user"), None);
}

#[tokio::test]
async fn the_management_of_processing_is_listed_by_itself() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    for (id, priority, who) in [("MS 1", "high", "Zoe"), ("MS 2", "low", "Ada")] {
        let mut papers = resource(id);
        papers["title"] = json!(format!("Papers {id}"));
        papers["collection_management"] = json!({"processing_priority": priority, "processors": who});
        archives.add(&format!("{repository}/resources"), &papers).await;
    }
    let list = "type[]=collection_management&facet[]=parent_type&facet[]=processing_priority";
    let found = archives.searched(&format!("{list}&sort=processors+asc")).await;
    assert_eq!(texts(&found["results"], "parent_title"), ["Papers MS 2", "Papers MS 1"]);
    let facets = json!({"parent_type": ["resource", 2], "processing_priority": ["high", 1, "low", 1]});
    assert_eq!(found["facets"]["facet_fields"], facets);
    let document = &found["results"][0];
    assert_eq!(document["primary_type"], "collection_management");
    let part: Value = serde_json::from_str(document["json"].as_str().expect("a text")).expect("JSON");
    assert_eq!((&part["uri"], &part["processors"]), (&document["uri"], &json!("Ada")));
    assert_eq!((&part["created_by"], &document["created_by"]), (&json!("admin"), &json!("admin")));
    assert_eq!(document["user_mtime"], part["user_mtime"]);
    // It goes with its record, and when the record has none any more.
    let uri = document["parent_id"].as_str().expect("an address").to_owned();
    let mut papers = archives.get(&uri).await;
    papers.as_object_mut().expect("a record").remove("collection_management");
    archives.admin.post(&uri, &papers).await.expect(200);
    assert_eq!(archives.searched(list).await["total_hits"], 1);
    for field in ["processors", "parent_title", "processing_funding_source", "display_string"] {
        archives.searched(&format!("type[]=resource&sort={field}+asc")).await;
    }
}

#[tokio::test]
async fn assessments_are_narrowed_by_year_types_and_marks() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let name =
        json!({"primary_name": "Hopper", "source": "local", "name_order": "direct", "sort_name_auto_generate": true});
    let surveyor = archives.add("/agents/people", &json!({"names": [name]})).await;
    let assessment = json!({"survey_begin": "2019-03-01", "survey_end": "2020-01-02", "records": [{"ref": papers}],
        "surveyed_by": [{"ref": surveyor}], "review_required": true});
    archives.add(&format!("{repository}/assessments"), &assessment).await;
    for (field, expected) in [
        ("assessment_record_types", json!(["resource", 1])),
        ("assessment_survey_year", json!(["2019", 1, "2020", 1])),
        ("assessment_review_required", json!(["true", 1])),
        ("assessment_sensitive_material", json!(["false", 1])),
        ("assessment_inactive", json!(["false", 1])),
    ] {
        assert_eq!(archives.facet("type[]=assessment", field).await, expected, "{field}");
    }
}

#[tokio::test]
async fn values_are_those_that_the_lists_show() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let profile = json!({"name": "Shelf", "dimension_units": "inches", "depth": "18", "width": "36", "height": "12"});
    let profile = archives.add("/location_profiles", &profile).await;
    let place = json!({"building": "Main", "coordinate_1_label": "Shelf", "coordinate_1_indicator": "1",
        "location_profile": {"ref": profile}, "owner_repo": {"ref": repository}});
    let place = archives.add("/locations", &place).await;
    let shown = archives.get(&profile).await["display_string"].clone();
    let field = "location_profile_display_string_u_ssort";
    assert_eq!(archives.facet("type[]=location", field).await, json!([shown, 1]));
    assert_eq!(archives.facet("type[]=location", "owner_repo_display_string_u_ssort").await, json!(["A", 1]));
    let stored = json!([{"ref": place, "status": "current", "start_date": "2020-01-01"}]);
    let sent = json!({"indicator": "1", "type": "box", "container_locations": stored});
    let container = archives.add(&format!("{repository}/top_containers"), &sent).await;
    let found = archives.searched("q=location_profile_display_string_u_sstr:*").await;
    assert_eq!(found["results"][0]["location_profile_display_string_u_sstr"], json!([shown]));
    let mut renamed = archives.get(&profile).await;
    renamed["name"] = json!("Bay");
    archives.admin.post(&profile, &renamed).await.expect(200);
    let renamed = archives.get(&profile).await["display_string"].clone();
    let found = archives.searched("q=location_profile_display_string_u_sstr:*").await;
    assert_eq!(found["results"][0]["location_profile_display_string_u_sstr"], json!([renamed]));

    let mut papers = resource("MS 1");
    papers["level"] = json!("otherlevel");
    papers["other_level"] = json!("bundle");
    papers["finding_aid_filing_title"] = json!("Aaa");
    papers["notes"] = json!([{"jsonmodel_type": "note_multipart", "type": "accessrestrict", "publish": true,
        "rights_restriction": {"local_access_restriction_type": ["InProcessSpecColl"]},
        "subnotes": [{"jsonmodel_type": "note_text", "content": "Ask", "publish": true}]}]);
    papers["instances"] = json!([{"instance_type": "mixed_materials", "sub_container": {
        "top_container": {"ref": container}, "type_2": "folder", "indicator_2": "2", "barcode_2": "SUB7"}}]);
    let papers = archives.add(&format!("{repository}/resources"), &papers).await;
    let other = archives.add(&format!("{repository}/resources"), &resource("MS 2")).await;
    let found = archives.searched("q=local_access_restriction_type_enum_s:InProcessSpecColl&type[]=resource").await;
    assert_eq!(texts(&found["results"], "uri"), [papers.as_str()]);
    assert_eq!(archives.facet("type[]=resource", "level").await, json!(["collection", 1, "otherlevel", 1]));
    assert_eq!(archives.searched("q=subcontainer_barcodes_u_sstr:SUB7").await["total_hits"], 1);
    let sorted = archives.searched("type[]=resource&sort=title_sort+asc").await;
    assert_eq!(texts(&sorted["results"], "uri"), [papers, other]);
}

#[tokio::test]
async fn records_are_found_by_all_names_of_their_agents() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let name = |name: &str| json!({"primary_name": name, "source": "local", "name_order": "direct", "sort_name_auto_generate": true});
    let agent = json!({"names": [name("Clemens"), name("Twain")], "publish": true});
    let agent = archives.add("/agents/people", &agent).await;
    let mut papers = resource("MS 1");
    papers["linked_agents"] = json!([{"ref": agent, "role": "creator"}]);
    let papers = archives.add(&format!("{repository}/resources"), &papers).await;
    for query in ["q=clemens&type[]=resource", "q=twain&type[]=resource"] {
        assert_eq!(texts(&archives.searched(query).await["results"], "uri"), [papers.as_str()], "{query}");
    }
}

#[tokio::test]
async fn identifiers_of_what_is_in_containers_are_found_in_all_forms() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let box_1 = json!({"indicator": "1", "type": "box"});
    let container = archives.add(&format!("{repository}/top_containers"), &box_1).await;
    let mut papers = resource("MS0002");
    papers["instances"] =
        json!([{"instance_type": "mixed_materials", "sub_container": {"top_container": {"ref": container}}}]);
    archives.add(&format!("{repository}/resources"), &papers).await;
    for form in ["MS0002", "%22MS 0002%22"] {
        let form = form.replace(' ', "+");
        assert_eq!(
            archives.searched(&format!("q=collection_identifier_u_stext:{form}")).await["total_hits"],
            1,
            "{form}"
        );
    }
    let sent = json!({"event_type": "component_transfer", "date": {"date_type": "single", "label": "event", "begin": "2020"},
        "linked_agents": [{"ref": archives.get(&repository).await["agent_representation"]["ref"], "role": "recipient"}],
        "linked_records": [{"ref": container, "role": "source"}]});
    archives.add(&format!("{repository}/events"), &sent).await;
    let found = archives.searched("type[]=event").await;
    assert_eq!(found["results"][0]["linked_record_titles"], json!(["not_found"]), "as many as addresses");
}

#[tokio::test]
async fn a_day_that_is_not_known_is_told_so() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let sent = json!({"id_0": "1", "accession_date": "9999-12-31"});
    archives.add(&format!("{repository}/accessions"), &sent).await;
    assert_eq!(archives.searched("q=unknown&type[]=accession").await["results"][0]["accession_date"], "unknown");
}
