//! Jobs (contract 3.5), and the import of finding aids (6.4, 6.5).

use super::*;

const JOBS: &str = "/repositories/2/jobs";
const BOUNDARY: &str = "xxBOUNDARYxx";

/// A finding aid with two components.
pub(super) fn finding_aid(id: &str, dates: &str) -> String {
    format!(
        r#"<?xml version="1.0"?><ead xmlns="urn:isbn:1-931666-22-9"><eadheader><eadid>{id}</eadid></eadheader>
<archdesc level="collection"><did><unitid>{id}</unitid><unittitle>Papers of {id}</unittitle>{dates}
<physdesc><extent>3 Linear Feet</extent></physdesc><origination><persname source="local">Writer, A.</persname></origination>
</did><controlaccess><subject source="local">Letters</subject></controlaccess>
<dsc><c level="series" id="s1"><did><unittitle>Letters</unittitle></did>
<c level="file" id="f1"><did><unittitle>To a friend</unittitle><container type="box" label="Mixed Materials [{id}-1]">1</container>
</did></c></c></dsc>
<scopecontent><p>What is in it.</p></scopecontent></archdesc></ead>"#
    )
}

pub(super) const DATES: &str = r#"<unitdate normal="1900/1910">1900-1910</unitdate>"#;

pub(super) fn import_job(names: &[&str]) -> Value {
    json!({"jsonmodel_type": "job", "job": {"jsonmodel_type": "import_job", "filenames": names,
        "import_type": "ead_xml"}})
}

/// The body of a form with a job and files.
fn form(job: &Value, files: &[&str]) -> String {
    let mut body = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"job\"\r\nContent-Type: application/json\r\n\r\n{job}\r\n"
    );
    for (place, file) in files.iter().enumerate() {
        body.push_str(&format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"files[{place}]\"; filename=\"f{place}.xml\"\r\n\
             Content-Type: text/xml\r\n\r\n{file}\r\n"
        ));
    }
    body + &format!("--{BOUNDARY}--\r\n")
}

pub(super) async fn send(client: &Client, job: &Value, files: &[&str]) -> Answer {
    let client = client.with_header("content-type", &format!("multipart/form-data; boundary={BOUNDARY}"));
    client.send(Method::POST, &format!("{JOBS}_with_files"), Some(form(job, files).into_bytes())).await
}

pub(super) async fn enter(archives: &Archives, job: &Value, files: &[&str]) -> String {
    uri(&send(&archives.admin, job, files).await.expect(200))
}

#[tokio::test]
async fn a_finding_aid_is_imported_by_a_job() {
    let archives = archives().await;
    archives.repository("A").await;
    let aid = finding_aid("MS1", DATES);
    let job = enter(&archives, &import_job(&["one.xml", "two.xml"]), &[&aid, &finding_aid("MS2", DATES)]).await;
    let waiting = archives.get(&job).await;
    assert_eq!(
        (&waiting["status"], &waiting["job_type"], &waiting["owner"], &waiting["queue_position"]),
        (&json!("queued"), &json!("import_job"), &json!("admin"), &json!(0))
    );
    assert_eq!(waiting["has_modified_records"], false);
    assert!(waiting["time_submitted"].is_string() && waiting.get("time_started").is_none(), "{waiting}");
    assert_eq!(archives.get(&format!("{JOBS}/active")).await[0]["uri"], json!(job));
    archives.library.run_jobs().await;
    let done = archives.get(&job).await;
    assert_eq!(
        (&done["status"], &done["has_modified_records"], done.get("queue_position")),
        (&json!("completed"), &json!(true), None),
        "{done}"
    );
    assert!(done["time_started"].is_string() && done["time_finished"].is_string(), "{done}");
    let records = archives.get(&format!("{job}/records?page=1&page_size=50")).await;
    // Two resources with two components and a box each; the agent and the subject are the same.
    assert_eq!(records["total"], 10, "{records}");
    assert_eq!(archives.get(&format!("{job}/records?all_ids=true")).await.as_array().map(Vec::len), Some(10));
    let second = archives.get(&format!("{job}/records?id_set=2")).await;
    assert_eq!(second[0], records["results"][1]);
    let shown = archives.get(&format!("{job}/records?page=1&page_size=50&resolve[]=record")).await;
    assert_eq!(shown["results"][1]["record"]["_resolved"]["uri"], second[0]["record"]["ref"]);
    let resource = archives.get("/repositories/2/resources/1").await;
    assert_eq!((&resource["title"], &resource["id_0"]), (&json!("Papers of MS1"), &json!("MS1")));
    assert_eq!(resource["notes"][0]["type"], "scopecontent", "what comes after the components belongs to it, too");
    let log = archives.admin.get(&format!("{job}/log")).await.expect(200);
    assert!(log.text.contains("one.xml") && log.text.contains("10 records saved"), "{}", log.text);
    let offset = log.text.find("two.xml").expect("the name");
    let rest = archives.admin.get(&format!("{job}/log?offset={offset}")).await.expect(200);
    assert_eq!(rest.text, log.text[offset..]);
    let files = archives.get(&format!("{job}/output_files")).await;
    let file = archives.admin.get(&format!("{job}/output_files/{}", files[0])).await.expect(200);
    assert_eq!(file.text, aid);
    archives.admin.get(&format!("{job}/output_files/99")).await.expect(404);
    assert_eq!(archives.get(&format!("{JOBS}/active")).await, json!([]));
    assert_eq!(archives.get(&format!("{JOBS}/archived?page=1")).await["results"][0]["uri"], json!(job));
    assert_eq!(archives.get(&format!("{JOBS}?page=1")).await["total"], 1);
    assert_eq!(archives.get(&format!("{JOBS}?all_ids=true")).await, json!([1]));
}

#[tokio::test]
async fn a_file_that_breaks_a_rule_is_refused_or_put_right() {
    let archives = archives().await;
    archives.repository("A").await;
    let undated = finding_aid("MS2", "");
    let strict = enter(&archives, &import_job(&["a.xml", "b.xml"]), &[&finding_aid("MS1", DATES), &undated]).await;
    archives.library.run_jobs().await;
    assert_eq!(archives.get(&strict).await["status"], "failed");
    let log = archives.admin.get(&format!("{strict}/log")).await.expect(200).text;
    assert!(log.contains("IMPORT ERROR") && log.contains("b.xml, line 2, MS2: dates"), "{log}");
    for none in ["resources", "archival_objects", "top_containers"] {
        assert_eq!(archives.get(&format!("/repositories/2/{none}?all_ids=true")).await, json!([]), "{none}");
    }
    assert_eq!(archives.get("/agents/people?all_ids=true").await, json!([]));
    let mut job = import_job(&["b.xml"]);
    job["job_params"] = json!({"tolerant": true}).to_string().into();
    let tolerant = enter(&archives, &job, &[&undated]).await;
    archives.library.run_jobs().await;
    assert_eq!(archives.get(&tolerant).await["status"], "completed");
    let log = archives.admin.get(&format!("{tolerant}/log")).await.expect(200).text;
    assert!(log.contains("line 2, MS2: dates: At least 1 item(s) is required; became `undated`"), "{log}");
    // The same again has an identifier that is taken.
    let again = enter(&archives, &job, &[&undated]).await;
    archives.library.run_jobs().await;
    assert_eq!(archives.get(&again).await["status"], "failed");
    let log = archives.admin.get(&format!("{again}/log")).await.expect(200).text;
    assert!(log.contains("That ID is already in use") || log.contains("Must be unique"), "{log}");
}

#[tokio::test]
async fn a_job_is_canceled_and_deleted() {
    let archives = archives().await;
    archives.repository("A").await;
    let job = enter(&archives, &import_job(&["a.xml"]), &[&finding_aid("MS1", DATES)]).await;
    let answer = archives.admin.send(Method::POST, &format!("{job}/cancel"), None).await.expect(200).json();
    assert_eq!(answer["status"], "Updated");
    archives.library.run_jobs().await;
    assert_eq!(archives.get(&job).await["status"], "canceled");
    assert_eq!(archives.get("/repositories/2/resources?all_ids=true").await, json!([]));
    // Once more changes nothing.
    archives.admin.send(Method::POST, &format!("{job}/cancel"), None).await.expect(200);
    archives.admin.delete(&job).await.expect(200);
    archives.admin.get(&job).await.expect(404);
    archives.admin.get(&format!("{job}/log")).await.expect(404);
    archives.admin.send(Method::POST, &format!("{job}/cancel"), None).await.expect(404);
}

#[tokio::test]
async fn a_job_that_was_interrupted_runs_again_and_once() {
    let archives = archives().await;
    archives.repository("A").await;
    let job = enter(&archives, &import_job(&["a.xml"]), &[&finding_aid("MS1", DATES)]).await;
    let tenant = archives.library.app.tenant(archives.library.tenant).expect("the tenant");
    let session = archives.library.app.session(&tenant).expect("a session");
    // As a process leaves it that dies.
    session
        .batch(
            "UPDATE archival_record SET doc = doc || '{\"status\": \"running\"}' WHERE kind = 'job';
             UPDATE job SET state = 'running', attempts = 1, locked_by = 'gone' WHERE kind = 'archives'",
        )
        .await
        .expect("a change");
    archives.library.run_jobs().await;
    assert_eq!(archives.get(&job).await["status"], "completed");
    let log = archives.admin.get(&format!("{job}/log")).await.expect(200).text;
    assert!(log.contains("it begins again"), "{log}");
    session
        .batch("UPDATE job SET state = 'waiting', run_after = 'epoch' WHERE kind = 'archives'")
        .await
        .expect("a change");
    archives.library.run_jobs().await;
    assert_eq!(archives.get("/repositories/2/resources?all_ids=true").await, json!([1]));
    // One that kills its process each time is given up.
    let job = enter(&archives, &import_job(&["b.xml"]), &[&finding_aid("MS2", DATES)]).await;
    session.batch("UPDATE job SET attempts = 9 WHERE kind = 'archives' AND state = 'waiting'").await.expect("a change");
    archives.library.run_jobs().await;
    assert_eq!(archives.get(&job).await["status"], "failed");
}

#[tokio::test]
async fn what_jobs_there_are_is_told_and_checked() {
    let archives = archives().await;
    archives.repository("A").await;
    let types = archives.get("/job_types").await;
    assert_eq!(types["import_job"]["create_permissions"], json!(["import_records"]));
    let imports = archives.get(&format!("{JOBS}/import_types")).await;
    let ead = json!({"name": "ead_xml", "description": "Import EAD records from an XML file"});
    assert!(imports.as_array().is_some_and(|all| all.contains(&ead)), "{imports}");
    let mut job = import_job(&["a.xml"]);
    job["job"]["import_type"] = "pictures".into();
    let refused = archives.admin.post(JOBS, &job).await.expect(400).json();
    assert!(refused["error"]["import_type"].is_array(), "{refused}");
    let refused = archives.admin.post(JOBS, &import_job(&[])).await.expect(400).json();
    assert_eq!(refused["error"]["filenames"], json!(["At least 1 item(s) is required"]));
    let other = json!({"job": {"jsonmodel_type": "slow_nothing_job"}});
    archives.admin.post(JOBS, &other).await.expect(404);
    let refused = send(&archives.admin, &import_job(&["a.xml"]), &[]).await.expect(400).json();
    assert!(refused["error"]["files"].is_array(), "{refused}");
    // Without files there is nothing to do.
    let job = archives.add(JOBS, &import_job(&["a.xml"])).await;
    archives.library.run_jobs().await;
    assert_eq!(archives.get(&job).await["status"], "completed");
    user(&archives.library, "reader", &[]).await;
    let reader = signed_in(&archives.library, "reader").await;
    reader.get(&format!("{JOBS}?page=1")).await.expect(403);
    reader.post(JOBS, &import_job(&["a.xml"])).await.expect(403);
    send(&reader, &import_job(&["a.xml"]), &["<ead/>"]).await.expect(403);
    reader.send(Method::POST, &format!("{job}/cancel"), None).await.expect(403);
    reader.delete(&job).await.expect(403);
}

#[tokio::test]
async fn jobs_that_are_not_over_tell_how_far_they_are() {
    let archives = archives().await;
    archives.repository("A").await;
    let mut jobs = Vec::new();
    for name in ["MS1", "MS2", "MS3"] {
        jobs.push(enter(&archives, &import_job(&[name]), &[&finding_aid(name, DATES)]).await);
    }
    let id = |job: &str| job.rsplit('/').next().expect("an id").to_owned();
    let app = &archives.library.app;
    let tenant = app.tenant(archives.library.tenant).expect("the tenant");
    let session = app.database.session(&tenant.schema).expect("a session");
    // As the first looks while it runs, and the second after it was given back.
    for (job, state) in [(&jobs[0], "running"), (&jobs[1], "waiting")] {
        let told = format!(
            "UPDATE job SET state = '{state}', progress = '{{\"read\": 8, \"written\": 3, \"total\": 8}}'
             WHERE kind = 'archives' AND payload->>'job' = '{}'",
            id(job)
        );
        assert_eq!(session.execute(&told, &[]).await.expect("told"), 1);
    }
    let runs = format!(
        "UPDATE archival_record SET doc = doc || '{{\"status\": \"running\"}}' WHERE kind = 'job' AND id = {}",
        id(&jobs[0])
    );
    assert_eq!(session.execute(&runs, &[]).await.expect("moved"), 1);
    let one = archives.admin.get(&jobs[0]).await.expect(200);
    assert!(one.round_trips() <= 5, "{} round trips", one.round_trips());
    let list = archives.get(&format!("{JOBS}/active")).await;
    let told = |job: &Value| (job["progress"].clone(), job["queue_position"].clone());
    let progress = json!({"read": 8, "written": 3, "total": 8});
    assert_eq!(told(&one.json()), (progress.clone(), Value::Null));
    let of = |uri: &str| list.as_array().and_then(|all| all.iter().find(|job| job["uri"] == uri)).map(told);
    assert_eq!(of(&jobs[0]), Some((progress, Value::Null)));
    assert_eq!(of(&jobs[1]), Some((Value::Null, json!(0))), "a job that waits again is not under way");
    assert_eq!(of(&jobs[2]), Some((Value::Null, json!(1))));
}
