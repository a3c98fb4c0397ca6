//! Jobs that copy or change records of a repository (contract 3.5).

use super::*;

const JOBS: &str = "/repositories/2/jobs";

impl Archives {
    /// Runs a job without files to its end; returns its record, its log and what it made or changed.
    pub(super) async fn run_job(&self, work: Value) -> (Value, String, Vec<String>) {
        let job = self.add(JOBS, &json!({"jsonmodel_type": "job", "job": work})).await;
        self.library.run_jobs().await;
        let log = self.admin.get(&format!("{job}/log")).await.expect(200).text;
        let found = self.get(&format!("{job}/records?page=1&page_size=50")).await;
        let records = found["results"].as_array().expect("a list").iter();
        let records = records.map(|one| one["record"]["ref"].as_str().expect("an address").to_owned()).collect();
        (self.get(&job).await, log, records)
    }
}

#[tokio::test]
async fn a_resource_is_copied_with_its_components() {
    let archives = archives().await;
    archives.repository("A").await;
    let mut papers = resource("1");
    papers["ead_id"] = "MS1".into();
    papers["publish"] = true.into();
    let papers = archives.add("/repositories/2/resources", &papers).await;
    let all = "/repositories/2/archival_objects";
    let one = archives.add(all, &component("One", &papers, None)).await;
    let mut below = component("Below", &papers, Some(&one));
    below["ref_id"] = "r1".into();
    below["notes"] = json!([{"jsonmodel_type": "note_singlepart", "type": "abstract", "content": ["Short"]}]);
    let below = archives.add(all, &below).await;
    archives.add(all, &component("Two", &papers, None)).await;
    let work = json!({"jsonmodel_type": "resource_duplicate_job", "source": papers});
    let (done, log, records) = archives.run_job(work.clone()).await;
    assert_eq!(done["status"], "completed", "{log}");
    assert!(log.contains("Successfully duplicated resource 1 to resource 2."), "{log}");
    assert_eq!(records, ["/repositories/2/resources/2"]);
    let copy = archives.get(&records[0]).await;
    assert_eq!((&copy["title"], &copy["id_0"]), (&json!("[Duplicated] Papers 1"), &json!("[Duplicated] 1")));
    assert_eq!((&copy["ead_id"], &copy["publish"]), (&json!("[Duplicated] MS1"), &json!(false)));
    let tree = archives.get(&format!("{}/tree", records[0])).await;
    assert_eq!(texts(&tree["children"], "title"), ["One", "Two"]);
    let copied = tree["children"][0]["children"][0]["record_uri"].as_str().expect("an address").to_owned();
    let (first, second) = (archives.get(&below).await, archives.get(&copied).await);
    assert_eq!((&second["title"], &second["notes"][0]["content"]), (&json!("Below"), &json!(["Short"])));
    assert_ne!(first["ref_id"], second["ref_id"]);
    assert_ne!(first["notes"][0]["persistent_id"], second["notes"][0]["persistent_id"]);
    // The identifier of the copy is taken now.
    let (done, log, records) = archives.run_job(work).await;
    assert!(done["status"] == "failed" && log.contains("That ID is already in use") && records.is_empty(), "{log}");
    let none = json!({"jsonmodel_type": "resource_duplicate_job", "source": "/repositories/2/resources/99"});
    let (done, log, _) = archives.run_job(none).await;
    assert!(done["status"] == "failed" && log.contains("Could not find provided resource with id 99."), "{log}");
    assert!(archives.get("/job_types").await.get("resource_duplicate_job").is_none(), "clients do not offer it");
}

#[tokio::test]
async fn texts_are_replaced_below_a_record() {
    let archives = archives().await;
    archives.repository("A").await;
    let papers = archives.add("/repositories/2/resources", &resource("1")).await;
    let other = archives.add("/repositories/2/resources", &resource("2")).await;
    let all = "/repositories/2/archival_objects";
    let mut one = component("Box 1", &papers, None);
    one["extents"] = json!([{"portion": "whole", "number": "1", "extent_type": "reels", "container_summary": "1 box"}]);
    let one = archives.add(all, &one).await;
    let two = archives.add(all, &component("Folder", &papers, Some(&one))).await;
    let away = archives.add(all, &component("Box 1", &other, None)).await;
    let before = archives.get(&one).await;
    let work = |kind: &str, property: &str, find: &str, replace: &str| {
        json!({"jsonmodel_type": "find_and_replace_job", "base_record_uri": papers, "record_type": kind,
            "property": property, "find": find, "replace": replace})
    };
    let (done, log, records) = archives.run_job(work("extent", "container_summary", "box", "crate")).await;
    assert_eq!((&done["status"], records.as_slice()), (&json!("completed"), &[one.clone()][..]), "{log}");
    let (_, log, records) = archives.run_job(work("archival_object", "title", "/[A-Z](.x|older)/", "Case$1")).await;
    assert_eq!(records, [one.clone(), two.clone()], "{log}");
    let after = archives.get(&one).await;
    assert_eq!((&after["title"], &after["display_string"]), (&json!("Caseox 1"), &json!("Caseox 1")));
    assert_eq!((&after["extents"][0]["container_summary"], &after["lock_version"]), (&json!("1 crate"), &json!(2)));
    assert_eq!(
        (&archives.get(&two).await["title"], &archives.get(&away).await["title"]),
        (&json!("Caseolder"), &json!("Box 1"))
    );
    archives.admin.post(&one, &before).await.expect(409);
    let (_, log, records) = archives.run_job(work("archival_object", "title", "nowhere", "x")).await;
    assert!(records.is_empty() && log.contains("All done, no records modified."), "{log}");
    // What would not be valid changes nothing at all.
    let long = "x".repeat(9_000);
    let (done, log, records) = archives.run_job(work("archival_object", "title", "ox 1", &long)).await;
    assert!(
        done["status"] == "failed" && records.is_empty() && log.contains("Must be 8192 characters or fewer"),
        "{log}"
    );
    for wrong in [
        work("nonsense", "title", "a", "b"),
        work("resource", "dates", "a", "b"),
        work("resource", "title", "/(/", "b"),
    ] {
        archives.admin.post(JOBS, &json!({"jsonmodel_type": "job", "job": wrong})).await.expect(400);
    }
}

#[tokio::test]
async fn spaces_are_taken_from_titles() {
    let archives = archives().await;
    archives.repository("A").await;
    archives.repository("B").await;
    let mut papers = resource("1");
    papers["title"] = "  Papers ".into();
    let first = archives.add("/repositories/2/resources", &papers).await;
    let away = archives.add("/repositories/3/resources", &papers).await;
    let one = archives.add("/repositories/2/archival_objects", &component("One\n", &first, None)).await;
    archives.add("/repositories/2/archival_objects", &component("Two", &first, None)).await;
    let (done, log, records) = archives.run_job(json!({"jsonmodel_type": "trim_whitespace_job"})).await;
    assert_eq!(
        (&done["status"], records.as_slice()),
        (&json!("completed"), &[first.clone(), one.clone()][..]),
        "{log}"
    );
    assert!(log.contains("Trimming whitespace from ArchivalObject titles\n1 records modified."), "{log}");
    let (trimmed, other) = (archives.get(&first).await, archives.get(&away).await);
    assert_eq!((&trimmed["title"], &trimmed["lock_version"]), (&json!("Papers"), &json!(1)));
    assert_eq!((&other["title"], &archives.get(&one).await["display_string"]), (&json!("  Papers "), &json!("One")));
}

#[tokio::test]
async fn records_are_named_for_addresses() {
    let archives = archives().await;
    archives.repository("A").await;
    let mut papers = resource("1");
    papers["title"] = "Letters &amp; Diaries".into();
    let first = archives.add("/repositories/2/resources", &papers).await;
    papers["id_0"] = "2".into();
    let second = archives.add("/repositories/2/resources", &papers).await;
    papers["id_0"] = "3".into();
    papers["slug"] = "chosen".into();
    papers["is_slug_auto"] = false.into();
    let third = archives.add("/repositories/2/resources", &papers).await;
    archives.add("/repositories/2/archival_objects", &component("Chosen", &first, None)).await;
    let work = json!({"jsonmodel_type": "generate_slugs_job"});
    let (done, log, records) = archives.run_job(work.clone()).await;
    assert!(done["status"] == "completed" && records.is_empty(), "{log}");
    assert!(
        log.contains("Generating slugs for Resources\n") && log.contains("\n2 slugs changed, 0 records without one\n"),
        "{log}"
    );
    let mut slugs = Vec::new();
    for uri in
        [&first, &second, &third, &"/repositories/2/archival_objects/1".to_owned(), &"/repositories/2".to_owned()]
    {
        slugs.push(archives.get(uri).await["slug"].clone());
    }
    assert_eq!(slugs, ["letters_amp_diaries", "letters_amp_diaries_1", "chosen", "chosen_1", "a"].map(Value::from));
    let version = archives.get(&first).await["lock_version"].clone();
    assert_eq!(version, 1);
    archives.run_job(work.clone()).await;
    assert_eq!(archives.get(&first).await["lock_version"], version, "the second time nothing changes");
    user(&archives.library, "guest", &[]).await;
    let guest = signed_in(&archives.library, "guest").await;
    guest.post(JOBS, &json!({"jsonmodel_type": "job", "job": work})).await.expect(403);
}

#[tokio::test]
async fn a_prefix_is_taken_from_notes() {
    let archives = archives().await;
    archives.repository("A").await;
    let papers = archives.add("/repositories/2/resources", &resource("1")).await;
    let mut one = component("One", &papers, None);
    one["notes"] = json!([{"jsonmodel_type": "note_singlepart", "type": "abstract",
        "content": ["<extref ns2:href=\"x\">a</extref>"]}]);
    let one = archives.add("/repositories/2/archival_objects", &one).await;
    archives.add("/repositories/2/archival_objects", &component("Two ns2: x", &papers, None)).await;
    let (done, log, records) = archives.run_job(json!({"jsonmodel_type": "ns2_remover_job", "dry_run": true})).await;
    assert!(done["status"] == "completed" && records.is_empty(), "{log}");
    assert!(log.contains("1 note(s) would be modified.") && log.contains("Dry run complete"), "{log}");
    assert_eq!(archives.get(&one).await["lock_version"], 0);
    let (_, log, records) = archives.run_job(json!({"jsonmodel_type": "ns2_remover_job"})).await;
    assert_eq!(records, std::slice::from_ref(&one), "{log}");
    assert_eq!(archives.get(&one).await["notes"][0]["content"], json!(["<extref href=\"x\">a</extref>"]));
}

#[tokio::test]
async fn what_a_job_has_saved_is_found_by_the_next_search() {
    let archives = archives().await;
    archives.repository("A").await;
    let papers = archives.add("/repositories/2/resources", &resource("1")).await;
    let work = json!({"jsonmodel_type": "resource_duplicate_job", "source": papers});
    let job = archives.add(JOBS, &json!({"jsonmodel_type": "job", "job": work})).await;
    let copies = async || archives.get("/repositories/2/search?page=1&q=title:duplicated").await["total_hits"].clone();
    assert_eq!(copies().await, 0);
    archives.library.run_jobs().await;
    assert_eq!(copies().await, 1);
    assert_eq!(archives.get(&job).await["status"], "completed");
}
