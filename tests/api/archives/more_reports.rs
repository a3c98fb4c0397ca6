//! The rows of the archives' reports, the sub-reports of those that staff put together, and reports on paper (contract 3.5).

use super::*;

const JOBS: &str = "/repositories/2/jobs";

impl Archives {
    /// Runs a report; returns the status of its job, its log and its text.
    async fn make_report(&self, code: &str, format: &str, parameters: &Value) -> (Value, String, Vec<u8>) {
        let work = json!({"jsonmodel_type": "report_job", "report_type": code, "format": format});
        let job = json!({"jsonmodel_type": "job", "job": work, "job_params": parameters.to_string()});
        let job = self.add(JOBS, &job).await;
        self.library.run_jobs().await;
        let log = self.admin.get(&format!("{job}/log")).await.expect(200).text;
        let files = self.get(&format!("{job}/output_files")).await;
        let file = match files.get(0) {
            Some(file) => self.admin.get(&format!("{job}/output_files/{file}")).await.expect(200).content,
            None => Vec::new(),
        };
        (self.get(&job).await["status"].clone(), log, file)
    }

    async fn report_text(&self, code: &str, format: &str, parameters: Value) -> String {
        let (status, log, file) = self.make_report(code, format, &parameters).await;
        assert_eq!(status, "completed", "{code}: {log}");
        String::from_utf8_lossy(&file).into_owned()
    }

    async fn report(&self, code: &str, parameters: Value) -> Value {
        let text = self.report_text(code, "json", parameters).await;
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{code}: {error}: {text}"))
    }
}

impl Archives {
    /// A user who enters data in the first repository, and the description of the user's group.
    async fn writer(&self) -> (Client, Value) {
        user(&self.library, "writer", &[]).await;
        let writer = signed_in(&self.library, "writer").await;
        let groups = self.get("/repositories/2/groups").await;
        let groups = groups.as_array().expect("groups");
        let group = groups.iter().find(|group| group["group_code"] == "repository-basic-data-entry").expect("a group");
        let at = group["uri"].as_str().expect("an address").to_owned();
        let mut group = self.get(&at).await;
        group["member_usernames"] = json!(["writer"]);
        self.admin.post(&at, &group).await.expect(200);
        (writer, group["description"].clone())
    }
}

/// A repository with an accession that has everything reports show, a resource with a component in a box on a shelf, and digital
/// objects.
async fn filled() -> Archives {
    let archives = archives().await;
    archives.repository("A").await;
    let names = json!([{"primary_name": "Giver", "name_order": "direct", "source": "local", "sort_name": "Giver"}]);
    let agent = archives.add("/agents/people", &json!({"names": names})).await;
    let terms = json!([{"term": "Deeds", "term_type": "topical", "vocabulary": "/vocabularies/1"}]);
    let subject = json!({"source": "local", "vocabulary": "/vocabularies/1", "terms": terms});
    let subject = archives.add("/subjects", &subject).await;
    let location =
        json!({"building": "Main", "room": "7", "coordinate_1_label": "Shelf", "coordinate_1_indicator": "B"});
    let location = archives.add("/locations", &location).await;
    let place = json!({"ref": location, "status": "current", "start_date": "2020-01-01"});
    let profile = json!({"name": "Flat", "extent_dimension": "width", "dimension_units": "inches", "height": "1", "width": "2", "depth": "3"});
    let profile = archives.add("/container_profiles", &profile).await;
    let container = json!({"indicator": "1", "type": "box", "barcode": "b1", "container_profile": {"ref": profile},
        "container_locations": [place]});
    let container = archives.add("/repositories/2/top_containers", &container).await;
    let held = |kind: &str| json!([{"instance_type": kind, "sub_container": {"top_container": {"ref": container}, "type_2": "folder", "indicator_2": "4"}}]);
    let class = archives.add("/repositories/2/classifications", &json!({"identifier": "C", "title": "Land"})).await;
    let term = json!({"identifier": "1", "title": "Farms", "classification": {"ref": class}});
    let term = archives.add("/repositories/2/classification_terms", &term).await;
    let mut papers = resource("1");
    papers["instances"] = json!([]);
    let given = json!([{"scope": "part", "description": "Sold", "notification": true,
        "date": {"date_type": "single", "label": "deaccession", "begin": "2021-02-03"},
        "extents": [{"portion": "part", "number": "0.5", "extent_type": "linear_feet"}]}]);
    papers["deaccessions"] = given.clone();
    let papers = archives.add("/repositories/2/resources", &papers).await;
    let file = json!([{"file_uri": "https://x.example/1.tif"}]);
    let scan = json!({"title": "Scan", "digital_object_id": "d1", "file_versions": file});
    let scan = archives.add("/repositories/2/digital_objects", &scan).await;
    let page = json!({"title": "Page", "digital_object": {"ref": scan}, "file_versions": [{"file_uri": "https://x.example/2.tif"}]});
    archives.add("/repositories/2/digital_object_components", &page).await;
    let mut letters = component("Letters", &papers, None);
    letters["instances"] = held("mixed_materials");
    letters["instances"]
        .as_array_mut()
        .expect("a list")
        .push(json!({"instance_type": "digital_object", "digital_object": {"ref": scan}}));
    letters["subjects"] = json!([{"ref": subject}]);
    archives.add("/repositories/2/archival_objects", &letters).await;
    let gift = json!({"id_0": "2020", "id_1": "1", "title": "Gift", "accession_date": "2020-05-05", "inventory": "A list",
        "extents": [{"portion": "whole", "number": "2.5", "extent_type": "linear_feet"}], "deaccessions": given,
        "linked_agents": [{"ref": agent, "role": "source", "relator": "dnr"}], "subjects": [{"ref": subject}],
        "classifications": [{"ref": term}], "related_resources": [{"ref": papers}], "instances": held("accession"),
        "rights_statements": [{"rights_type": "copyright", "status": "copyrighted", "jurisdiction": "US", "start_date": "1990-01-01"}]});
    let gift = archives.add("/repositories/2/accessions", &gift).await;
    let plain = json!({"id_0": "2019", "title": "Plain", "accession_date": "2019-01-01"});
    archives.add("/repositories/2/accessions", &plain).await;
    for (kind, note) in [("copyright_transfer", "By deed"), ("processed", "")] {
        let mut event = json!({"event_type": kind, "timestamp": "2021-01-01T10:00:00Z",
            "linked_agents": [{"ref": agent, "role": "implementer"}], "linked_records": [{"ref": gift, "role": "source"}]});
        if !note.is_empty() {
            event["outcome_note"] = note.into();
        }
        archives.add("/repositories/2/events", &event).await;
    }
    archives
}

#[tokio::test]
async fn accessions_are_told_with_what_belongs_to_them() {
    let archives = filled().await;
    let found = archives.report("accession_deaccessions_list_report", json!({})).await;
    let info = &found["info"];
    assert_eq!((&info["total_extent"], &info["total_deaccessions_extent"]), (&json!("2.50"), &json!("0.50")));
    assert_eq!((&info["scoped_by_date_range"], &info["total_count"]), (&json!("2020-05-05 & 2020-05-05"), &json!(1)));
    let given = json!([{"description": "Sold", "notification_sent": "Yes", "date": "2021-02-03", "extent": "0.50 Linear Feet"}]);
    assert_eq!(
        (&found["records"][0]["deaccessions"], &found["records"][0]["extent"]),
        (&given, &json!("2.50 Linear Feet"))
    );

    let found = archives.report("accession_inventory_report", json!({})).await;
    assert_eq!((&found["info"]["number_with_inventories"], &found["info"]["total_count"]), (&json!(1), &json!(2)));
    let row = &found["records"][0];
    assert_eq!(
        (&row["inventory"], &row["linked_resources"]),
        (&json!("A list"), &json!([{"identifier": "1", "title": "Papers 1"}]))
    );

    let found = archives.report("accession_receipt_report", json!({})).await;
    assert_eq!(texts(&found["records"], "record_title"), ["Gift", "Plain"]);
    let row = &found["records"][0];
    assert_eq!(row["names"], json!([{"name": "Giver", "function": "Source", "role": "Donor"}]));
    let rights = &row["rights_statements"][0];
    assert_eq!((&rights["rights_type"], &rights["begin_date"]), (&json!("Copyright"), &json!("1990-01-01")));
    assert_eq!(found["records"][1]["extent"], "0.00");
    let scoped = json!({"scope_by_date": "1", "from": "2020-01-01", "to": "2020-12-31"});
    let found = archives.report("accession_receipt_report", scoped).await;
    assert_eq!(texts(&found["records"], "record_title"), ["Gift"]);
    assert_eq!(found["info"]["scoped_by_date_range"], "2020-01-01 & 2020-12-31");
    let (status, log, _) =
        archives.make_report("accession_receipt_report", "json", &json!({"scope_by_date": "1"})).await;
    assert!(status == "failed" && log.contains("Date range not specified."), "{log}");

    let found = archives.report("accession_rights_transferred_report", json!({})).await;
    let row = &found["records"][0];
    assert_eq!((&found["info"]["total_transferred"], &row["rights_transferred_note"]), (&json!(1), &json!("By deed")));
    assert_eq!(
        (&row["accession_processed"], &row["accession_processed_date"], &row["cataloged"]),
        (&json!("Yes"), &json!("2021-01-01T10:00:00Z"), &json!("No"))
    );
    let found = archives.report("accession_subjects_names_classifications_list_report", json!({})).await;
    let row = &found["records"][0];
    assert_eq!(row["subjects"], json!([{"term": "Deeds", "type": "Topical", "source": "Local sources"}]));
    let class = json!([{"identifier": null, "title": null, "term_identifier": "1", "term_title": "Farms"}]);
    assert_eq!((&row["classifications"], &found["records"][1]["classifications"]), (&class, &Value::Null));
    let found = archives.report("accession_unprocessed_report", json!({})).await;
    assert_eq!(
        (texts(&found["records"], "record_title"), &found["info"]["total_count"]),
        (vec!["Plain".to_owned()], &json!(2))
    );
}

#[tokio::test]
async fn resources_are_told_with_what_is_in_their_boxes() {
    let archives = filled().await;
    let found = archives.report("resource_deaccessions_list_report", json!({})).await;
    assert_eq!(found["info"]["total_extent"], "3.00");
    let row = &found["records"][0];
    assert_eq!((&row["level"], &row["date_expression"]), (&json!("Collection"), &json!("1900 - 1950")));
    assert_eq!((&row["deaccessions"][0]["deaccession_date"], row.get("_extent")), (&json!("2021-02-03"), None));
    let found = archives.report("resource_instances_list_report", json!({})).await;
    let instances = &found["records"][0]["instances"];
    let expected = json!([
        {"container": "Box 1", "container_profile": "Flat", "instances": [{"digital_object": null, "instance_type": "Mixed Materials",
            "is_representative": "No", "container_2": "Folder 4", "container_3": null}]},
        {"container": "Digital Object Instances", "container_profile": null, "instances": [{"digital_object": "Scan",
            "instance_type": "Digital Object", "is_representative": "No", "container_2": null, "container_3": null}]}]);
    assert_eq!(instances, &expected);
    let found = archives.report("resource_locations_list_report", json!({})).await;
    let at = "Main, 7 [Shelf: B]";
    assert_eq!(found["records"][0]["locations"], json!([{"location": at, "containers": "box 1"}]));
    let found = archives.report("resources_list_report", json!({})).await;
    assert_eq!(found["records"][0]["date"], json!([{"_date": "Creation: 1900 - 1950"}]));
    assert_eq!(found["records"][0]["extent"][0]["extent"], "3.00 Linear Feet");

    let found = archives.report("shelflist_report", json!({})).await;
    let row = &found["records"][0];
    let boxes = json!([{"container": "Box 1", "top_container_barcode": "b1", "container_profile": "Flat"}]);
    assert_eq!(row["resources"], json!([{"identifier": "1", "title": "Papers 1", "containers": boxes}]));
    assert_eq!((&row["accessions"][0]["identifier"], &row["location_in_room"]), (&json!("2020.1"), &json!("Shelf B")));

    let found = archives.report("digital_object_file_versions_report", json!({})).await;
    let row = &found["records"][0];
    assert_eq!(
        (&row["digital_object_identifier"], &row["digital_object_uri"]),
        (&json!("d1"), &json!("https://x.example/1.tif"))
    );
    assert_eq!(texts(&row["file_versions"], "digital_object_component_title"), ["", "Page"]);
    let objects = archives.report("digital_object_list_table_report", json!({})).await;
    assert_eq!(objects["records"][0]["resource_identifier"], "1");

    let table = archives.report_text("resource_instances_list_report", "csv", json!({})).await;
    assert!(
        table.contains(",instances_instances_digital_object,") && table.contains(",Scan,Digital Object,No,,"),
        "{table}"
    );
    assert_eq!(table.lines().filter(|line| line.starts_with("Papers 1,")).count(), 2, "a line for each instance");
    let table = archives.report_text("resource_instances_list_report", "csv", json!({"csv_show_json": "1"})).await;
    assert_eq!(table.lines().filter(|line| line.starts_with("Papers 1,")).count(), 1, "{table}");
}

#[tokio::test]
async fn holdings_are_of_a_building_a_repository_or_a_row_of_locations() {
    let archives = filled().await;
    archives.repository("B").await;
    let near = json!({"building": "Main", "room": "7", "coordinate_1_label": "Shelf", "coordinate_1_indicator": "C"});
    let near = archives.add("/locations", &near).await;
    archives.add("/locations", &json!({"building": "Away", "room": "1", "barcode": "l3"})).await;
    let titles = async |parameters: Value| {
        texts(&archives.report("location_holdings_report", parameters).await["records"], "record_title")
    };
    let found = archives.report("location_holdings_report", json!({"building": "main"})).await;
    let held = &found["records"][0]["containers"][0];
    assert_eq!((&held["top_container_barcode"], &held["container_profile"]), (&json!("b1"), &json!("Flat")));
    assert_eq!(texts(&held["records"], "linked_record_type"), ["resource", "accession"]);
    assert_eq!(texts(&found["records"], "record_title"), ["Main, 7 [Shelf: B]", "Main, 7 [Shelf: C]"]);
    let first = json!({"ref": "/locations/1"});
    assert_eq!(titles(json!({"location_start": first})).await, ["Main, 7 [Shelf: B]"]);
    let both = json!({"location_start": first, "location_end": {"ref": near}});
    assert_eq!(titles(both).await, ["Main, 7 [Shelf: B]", "Main, 7 [Shelf: C]"]);
    let away = json!({"location_start": first, "location_end": {"ref": "/locations/3"}});
    assert_eq!(titles(away).await, ["Main, 7 [Shelf: B]", "Main, 7 [Shelf: C]", "Away, 1 [l3]"]);
    let other = archives.report("location_holdings_report", json!({"repository_uri": "/repositories/3"})).await;
    assert_eq!(
        (&other["info"]["repository"], &other["records"][0]["containers"]),
        (&json!("Library of B"), &Value::Null)
    );
    let (status, log, _) = archives.make_report("location_holdings_report", "json", &json!({})).await;
    assert!(status == "failed" && log.contains("locations of interest"), "{log}");

    let (writer, _) = archives.writer().await;
    let asked = |code: &str, parameters: Value| {
        let work = json!({"jsonmodel_type": "report_job", "report_type": code, "format": "json"});
        json!({"jsonmodel_type": "job", "job": work, "job_params": parameters.to_string()})
    };
    let own = asked("location_holdings_report", json!({"repository_uri": "/repositories/2"}));
    writer.post(JOBS, &own).await.expect(200);
    let other = asked("location_holdings_report", json!({"repository_uri": "/repositories/3"}));
    writer.post(JOBS, &other).await.expect(403);
    writer.post(JOBS, &asked("user_groups_report", json!({}))).await.expect(403);
}

#[tokio::test]
async fn users_are_told_with_their_groups() {
    let archives = archives().await;
    archives.repository("A").await;
    let (_, group) = archives.writer().await;
    let found = archives.report("user_groups_report", json!({})).await;
    let users = found["records"].as_array().expect("a list");
    let admin = users.iter().find(|user| user["identifier"] == "admin").expect("the administrator");
    assert_eq!((&admin["source"], &admin["is_hidden_user"]), (&json!("local"), &json!("No")));
    let writer = users.iter().find(|user| user["identifier"] == "writer").expect("the writer");
    assert_eq!(writer["groups"], json!([{"description": group}]));
    assert_eq!(found["info"].get("repository"), None);
}

#[tokio::test]
async fn assessments_are_told_with_their_ratings() {
    let archives = filled().await;
    let known = archives.get("/repositories/2/assessment_attribute_definitions").await;
    let definition = |label: &str| {
        let all = known["definitions"].as_array().expect("a list").iter();
        all.clone().find(|one| one["label"] == label).map(|one| one["id"].clone()).expect("an attribute")
    };
    let rating = definition("Housing Quality");
    let assessment = json!({"survey_begin": "2020-03-01", "surveyed_by": [{"ref": "/agents/people/1"}], "purpose": "Move",
        "records": [{"ref": "/repositories/2/accessions/1"}, {"ref": "/repositories/2/resources/1"}], "monetary_value": "7.5",
        "formats": [{"definition_id": definition("Glass"), "value": "true"}],
        "ratings": [{"definition_id": rating, "value": "4", "note": "Good"}]});
    archives.add("/repositories/2/assessments", &assessment).await;
    let found = archives.report("assessment_list_report", json!({})).await;
    let row = &found["records"][0];
    assert_eq!(
        (&row["formats"], &row["monetary_value"], &row["surveyed_by"]),
        (&json!("Glass"), &json!("7.50"), &json!("Giver"))
    );
    let linked = json!([{"record_title": "Papers 1", "identifier": "1", "record_id": "resource_1"},
        {"record_title": "Gift", "identifier": "2020.1", "record_id": "accession_1"}]);
    assert_eq!(row["linked_records"], linked);
    assert_eq!(row["ratings"], json!([{"field": "Housing Quality", "rating": "4", "note": "Good"}]));
    let table = archives.report_text("assessment_list_report", "csv", json!({})).await;
    let titles = table.lines().find(|line| line.starts_with("linked_records_")).expect("a head");
    assert!(titles.contains(",housing_quality_rating,housing_quality_note,") && titles.contains(",glass,"), "{titles}");
    let scoped = json!({"scope_by_date": "on", "from": "2021-01-01", "to": "2022-01-01"});
    assert_eq!(archives.report("assessment_list_report", scoped).await["records"], json!([]));

    let asked = |value: &str| json!({"rating": rating, (format!("value_{value}")): "on"});
    let found = archives.report("assessment_rating_report", asked("4")).await;
    let row = &found["records"][0];
    assert_eq!((&row["rating_name"], &row["rating_note"]), (&json!("4"), &json!("Good")));
    assert_eq!(
        (&found["info"]["scoped_by_rating"], &found["info"]["showing_values"]),
        (&json!("Housing Quality"), &json!("4"))
    );
    assert_eq!(archives.report("assessment_rating_report", asked("5")).await["records"], json!([]));
    let (status, log, _) = archives.make_report("assessment_rating_report", "json", &json!({})).await;
    assert!(status == "failed" && log.contains("Need a rating"), "{log}");
}

#[tokio::test]
async fn reports_are_printed_and_written_for_word_processors() {
    let archives = filled().await;
    let (status, log, pdf) = archives.make_report("accession_receipt_report", "pdf", &json!({})).await;
    assert_eq!(status, "completed", "{log}");
    assert!(pdf.starts_with(b"%PDF-"), "{} bytes", pdf.len());
    let rtf = archives.report_text("accession_receipt_report", "rtf", json!({})).await;
    assert!(rtf.starts_with("{\\rtf1") && rtf.contains("{\\b Name: }Giver") && rtf.contains("\\page\n"), "{rtf}");
    let told = archives.get("/reports").await;
    let reports = told["reports"].as_object().expect("reports");
    assert_eq!(reports.len(), 24);
    for (code, report) in reports {
        let parameters = json!({"rating": 1, "value_1": "on", "building": "Main", "template": 1});
        if code == "custom_report" {
            let data = json!({"custom_record_type": "resource", "fields": {"title": {"include": "1"}}}).to_string();
            archives
                .add("/repositories/2/custom_report_templates", &json!({"name": "Mine", "data": data, "limit": 5}))
                .await;
        }
        for format in ["html", "rtf"] {
            let text = archives.report_text(code, format, parameters.clone()).await;
            assert!(!text.is_empty(), "{code}: {report}");
        }
    }
}

#[tokio::test]
async fn reports_that_staff_put_together_have_sub_reports() {
    let archives = filled().await;
    let known = archives.get("/reports/custom_data").await;
    let told = json!({"name": "linked_agent", "code": "agent_subreport"});
    assert!(known["accession"]["subreports"].as_array().expect("a list").contains(&told));
    let mut template = 0;
    let mut report = async |kind: &str, format: &str| {
        let parts = known[kind]["subreports"].as_array().expect("a list").iter();
        let parts: Value = parts
            .map(|part| (part["name"].as_str().expect("a name").to_owned(), json!({"include": "1"})))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let data = json!({"custom_record_type": kind, "fields": {}, "subreports": parts}).to_string();
        archives
            .add("/repositories/2/custom_report_templates", &json!({"name": kind, "data": data, "limit": 50}))
            .await;
        template += 1;
        archives.report_text("custom_report", format, json!({"template": template})).await
    };
    let row = |text: String| -> Value {
        let found: Value = serde_json::from_str(&text).expect("JSON");
        found["records"][0].clone()
    };
    let accession = row(report("accession", "json").await);
    let agent = json!([{"role": "Source", "relator": "Donor", "record_title": null, "term": null, "ref": "Giver"}]);
    assert_eq!((&accession["linked_agent"], &accession["classification"][0]["identifier"]), (&agent, &json!("C/1")));
    assert_eq!(texts(&accession["event"], "event_type"), ["Copyright Transfer", "Processed"]);
    assert_eq!(accession["resource"], json!([{"identifier": "1", "title": "Papers 1"}]));
    assert_eq!((&accession["instance"][0]["container"], &accession["date"]), (&json!("Box 1"), &Value::Null));
    let resource = row(report("resource", "json").await);
    assert_eq!(texts(&resource["archival_object"], "title"), ["Letters"]);
    assert_eq!(
        (&resource["accession"][0]["identifier"], &resource["language"][0]["language"]),
        (&json!("2020.1"), &json!("English"))
    );
    let node = row(report("archival_object", "json").await);
    assert_eq!((&node["resource"][0]["title"], &node["subject"][0]["term"]), (&json!("Papers 1"), &json!("Deeds")));
    let subject = row(report("subject", "json").await);
    assert_eq!(
        (&subject["accession"][0]["title"], &subject["archival_object"][0]["root_record"]),
        (&json!("Gift"), &json!("1"))
    );
    assert_eq!(subject["term"], json!([{"term": "Deeds", "term_type": "Topical"}]));
    let class = row(report("classification", "json").await);
    assert_eq!(class["classification_term"][0]["accession"][0]["title"], "Gift");
    let object = row(report("digital_object", "json").await);
    assert_eq!(texts(&object["file_version"], "file_uri"), ["https://x.example/1.tif", "https://x.example/2.tif"]);
    let event = row(report("event", "json").await);
    assert_eq!(event["accession"], json!([{"identifier": "2020.1", "title": "Gift", "role": "Source"}]));
    let location = row(report("location", "json").await);
    assert_eq!(location["resource"][0]["containers"][0]["container"], "Box 1");
    let agents: Value = serde_json::from_str(&report("agent", "json").await).expect("JSON");
    let of_agents = agents["records"].as_array().expect("a list").iter();
    let giver = of_agents.clone().find(|row| row["agent_name"][0]["sort_name"] == "Giver").expect("the giver");
    assert_eq!(
        giver["accession"],
        json!([{"identifier": "2020.1", "title": "Gift", "role": "Source", "relator": "Donor"}])
    );
    for kind in ["assessment", "digital_object_component"] {
        assert!(report(kind, "csv").await.starts_with("template_name,"), "{kind}");
    }
}
