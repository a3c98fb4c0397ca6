//! Reports (contract 3.5).

use super::*;

const JOBS: &str = "/repositories/2/jobs";
const TEMPLATES: &str = "/repositories/2/custom_report_templates";

/// Runs a report to its end; returns its text.
async fn report(archives: &Archives, client: &Client, code: &str, format: &str, parameters: Value) -> String {
    let work = json!({"jsonmodel_type": "report_job", "report_type": code, "format": format});
    let job = json!({"jsonmodel_type": "job", "job": work, "job_params": parameters.to_string()});
    let job = uri(&client.post(JOBS, &job).await.expect(200));
    archives.library.run_jobs().await;
    let log = archives.admin.get(&format!("{job}/log")).await.expect(200).text;
    assert_eq!(archives.get(&job).await["status"], "completed", "{code}: {log}");
    let files = archives.get(&format!("{job}/output_files")).await;
    archives.admin.get(&format!("{job}/output_files/{}", files[0])).await.expect(200).text
}

async fn as_json(archives: &Archives, code: &str, parameters: Value) -> Value {
    let text = report(archives, &archives.admin, code, "json", parameters).await;
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{code}: {error}: {text}"))
}

/// A repository with two accessions, one of them suppressed and processed, and a restricted resource in a box.
async fn filled() -> Archives {
    let archives = archives().await;
    archives.repository("A").await;
    let names = json!([{"primary_name": "Giver", "name_order": "direct", "source": "local", "sort_name": "Giver"}]);
    let agent = archives.add("/agents/people", &json!({"names": names})).await;
    let location = archives.add("/locations", &json!({"building": "Main", "room": "7", "classification": "1"})).await;
    let place = json!({"ref": location, "status": "current", "start_date": "2020-01-01"});
    let container = json!({"indicator": "1", "type": "box", "container_locations": [place]});
    let container = archives.add("/repositories/2/top_containers", &container).await;
    let held = json!([{"instance_type": "accession", "sub_container": {"top_container": {"ref": container}}}]);
    let gift = json!({"id_0": "2020", "id_1": "1", "title": "Gift", "accession_date": "2020-05-05", "acquisition_type": "gift",
        "extents": [{"portion": "whole", "number": "2.5", "extent_type": "linear_feet"}],
        "linked_agents": [{"ref": agent, "role": "source"}], "instances": held});
    archives.add("/repositories/2/accessions", &gift).await;
    let second = json!({"id_0": "2021", "title": "Second", "accession_date": "2021-05-05"});
    let second = archives.add("/repositories/2/accessions", &second).await;
    let event = json!({"event_type": "processed", "timestamp": "2021-01-01T10:00:00Z",
        "linked_agents": [{"ref": agent, "role": "implementer"}], "linked_records": [{"ref": second, "role": "source"}]});
    archives.add("/repositories/2/events", &event).await;
    archives.admin.send(Method::POST, &format!("{second}/suppressed?suppressed=true"), None).await.expect(200);
    let mut papers = resource("1");
    papers["restrictions"] = true.into();
    papers["instances"] = held;
    papers["instances"][0]["instance_type"] = "books".into();
    archives.add("/repositories/2/resources", &papers).await;
    archives
}

#[tokio::test]
async fn reports_have_the_rows_of_their_records() {
    let archives = filled().await;
    let found = as_json(&archives, "accession_report", json!({})).await;
    assert_eq!((&found["info"]["repository"], &found["info"]["total_count"]), (&json!("Library of A"), &json!(1)));
    let row = &found["records"][0];
    assert_eq!((&row["accession_number"], &row["extent"]), (&json!("2020.1"), &json!("2.50 Linear Feet")));
    assert_eq!((&row["acquisition_type"], &row["acknowledgement_sent"]), (&json!("Gift"), &json!("No")));
    assert_eq!(row["names"], json!([{"name": "Giver", "function": "Source", "role": null}]));
    assert_eq!(row["locations"], json!([{"location": "Main, 7 [1]", "container": "box 1"}]));
    assert_eq!((&row["subjects"], &found["info"]["number_of_accessions"]), (&Value::Null, &json!(1)));
    let all = as_json(&archives, "accession_report", json!({"include_suppressed": true})).await;
    assert_eq!(all["info"]["total_count"], 2);
    let unprocessed = as_json(&archives, "accession_unprocessed_report", json!({"include_suppressed": "1"})).await;
    assert_eq!(texts(&unprocessed["records"], "record_title"), ["Gift"]);
    let period = json!({"from": "2020-01-01", "to": "2020-12-31T00:00:00Z"});
    let created = as_json(&archives, "created_accessions_report", period).await;
    assert_eq!(
        created["records"],
        json!([{"accession_number": "2020.1", "record_title": "Gift", "accession_date": "2020-05-05"}])
    );
    let resources = as_json(&archives, "resources_list_report", json!({})).await;
    assert_eq!(
        (&resources["records"][0]["level"], &resources["records"][0]["restrictions"]),
        (&json!("Collection"), &json!("Yes"))
    );
    let restricted = as_json(&archives, "resource_restrictions_list_report", json!({})).await;
    assert_eq!(restricted["records"][0]["dates"], "1900 - 1950");
    assert_eq!(restricted["info"]["total_extent"], "3.00");
    let locations = as_json(&archives, "location_report", json!({})).await;
    let of = &locations["records"][0];
    assert_eq!((&of["accessions"][0]["title"], &of["resources"][0]["identifier"]), (&json!("Gift"), &json!("1")));
    let agents = as_json(&archives, "agent_list_report", json!({})).await;
    assert_eq!(texts(&agents["records"], "sort_name"), ["Giver", "A"], "without those of users");
    for (code, many) in [("subject_list_report", 0), ("digital_object_list_table_report", 0)] {
        assert_eq!(as_json(&archives, code, json!({})).await["info"]["total_count"], many, "{code}");
    }
    let table = report(&archives, &archives.admin, "resources_list_report", "csv", json!({})).await;
    assert!(table.starts_with("total_count,1\nrepository,Library of A\n\nrecord_title,identifier,level,"), "{table}");
    let page = report(&archives, &archives.admin, "location_report", "html", json!({})).await;
    assert!(page.contains("<h1>Locations</h1>") && page.contains("Main, 7 [1]"), "{page}");
}

#[tokio::test]
async fn reports_show_suppressed_records_only_to_those_who_may_see_them() {
    let archives = filled().await;
    user(&archives.library, "writer", &[]).await;
    let writer = signed_in(&archives.library, "writer").await;
    let groups = archives.get("/repositories/2/groups").await;
    let groups = groups.as_array().expect("groups");
    let group = groups.iter().find(|group| group["group_code"] == "repository-basic-data-entry").expect("a group");
    let mut group = archives.get(group["uri"].as_str().expect("an address")).await;
    group["member_usernames"] = json!(["writer"]);
    let at = group["uri"].as_str().expect("an address").to_owned();
    archives.admin.post(&at, &group).await.expect(200);
    let text = report(&archives, &writer, "accession_report", "json", json!({"include_suppressed": true})).await;
    assert!(text.contains("\"Gift\"") && !text.contains("\"Second\""), "{text}");
    let told = anonymous(&archives.library).get("/reports").await.expect(200).json();
    assert_eq!(told["reports"]["accession_report"]["params"][0][0], "include_suppressed");
    let job = |code: &str, format: &str| json!({"jsonmodel_type": "job", "job": {"jsonmodel_type": "report_job", "report_type": code, "format": format}});
    archives.admin.post(JOBS, &job("nonsense", "json")).await.expect(400);
    archives.admin.post(JOBS, &job("accession_report", "xlsx")).await.expect(400);
}

#[tokio::test]
async fn staff_put_reports_together() {
    let archives = filled().await;
    let known = archives.get("/reports/custom_data").await;
    assert_eq!(known["accession"]["fields"][0], json!({"name": "access_restrictions", "data_type": "Boolean"}));
    let data = json!({"custom_record_type": "accession", "sort_by": "title", "subreports": {"extent": {"include": "1"}},
        "fields": {"title": {"include": "1"}, "accession_date": {"range_start": "2019-01-01", "range_end": "2022-01-01"},
            "created_by": {"include": "1", "values": ["admin"]}}});
    let template = json!({"name": "Mine", "description": "Gifts", "data": data.to_string(), "limit": 50});
    let at = archives.add(TEMPLATES, &template).await;
    assert_eq!(at, format!("{TEMPLATES}/1"));
    let mut kept = archives.get(&at).await;
    assert_eq!((&kept["name"], &kept["limit"], &kept["lock_version"]), (&json!("Mine"), &json!(50), &json!(0)));
    let found = as_json(&archives, "custom_report", json!({"template": "1", "include_suppressed": true})).await;
    assert_eq!((&found["info"]["template_name"], &found["info"]["sorted_by"]), (&json!("Mine"), &json!("title")));
    assert_eq!(texts(&found["records"], "record_title"), ["Gift", "Second"]);
    assert_eq!(found["records"][0]["extent"][0]["extent"], "2.50 Linear Feet");
    assert_eq!(found["records"][0]["created_by"], "admin");
    kept["limit"] = 1.into();
    archives.admin.post(&at, &kept).await.expect(200);
    let found = as_json(&archives, "custom_report", json!({"template": 1, "include_suppressed": true})).await;
    assert_eq!(found["info"]["total_count"], 1);
    assert_eq!(archives.get(&format!("{TEMPLATES}?page=1")).await["total"], 1);
    archives.admin.post(TEMPLATES, &json!({"description": "without a name"})).await.expect(400);
    user(&archives.library, "guest", &[]).await;
    let guest = signed_in(&archives.library, "guest").await;
    guest.get(&format!("{TEMPLATES}?page=1")).await.expect(403);
    guest.get(&at).await.expect(403);
    guest.delete(&at).await.expect(403);
    archives.admin.delete(&at).await.expect(200);
    archives.admin.get(&at).await.expect(404);
}
