//! Jobs that give ARKs and make labels (contract 3.5).

use testkit::library_with;

use super::*;

/// Archives that make ARKs.
async fn with_arks() -> Archives {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.arks.authority = Some("12345".into());
        settings.arks.address = "https://ark.example".into();
        settings.arks.delimiter = "-".into();
    })
    .await;
    user(&library, "admin", &["perms.all"]).await;
    let admin = signed_in(&library, "admin").await;
    Archives { library, admin }
}

#[tokio::test]
async fn records_without_arks_get_them() {
    let archives = with_arks().await;
    let sent = json!({"repo_code": "A", "name": "A", "ark_shoulder": "s"});
    let repository = uri(&archives.admin.post("/repositories", &sent).await.expect(200));
    let first = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let second = archives.add(&format!("{repository}/resources"), &resource("2")).await;
    let node = archives.add(&format!("{repository}/archival_objects"), &component("One", &first, None)).await;
    let foreign = json!({"current": "https://n2t.net/ark:/1/7"});
    archives.admin.post(&format!("{second}/ark_name"), &foreign).await.expect(200);
    let work = json!({"jsonmodel_type": "generate_arks_job"});
    let (done, log, _) = archives.run_job(work.clone()).await;
    assert_eq!(done["status"], "completed", "{log}");
    let told = "Repository A: Generated 1 ARKs for ArchivalObject records";
    assert!(log.contains(&format!("{told}\n{}\n", "=".repeat(told.len()))), "{log}");
    assert!(log.contains("Repository A: Generated 1 ARKs for Resource records"), "{log}");
    let ark = archives.get(&node).await["ark_name"].clone();
    let expected =
        json!({"current": "https://ark.example/ark:/12345/s-1", "current_is_external": false, "previous": []});
    assert_eq!(ark, expected);
    let made = archives.get(&first).await["ark_name"]["current"].as_str().expect("an ARK").to_owned();
    assert_eq!(made, "https://ark.example/ark:/12345/s-2");
    assert_eq!(archives.get(&second).await["ark_name"]["current"], foreign["current"], "somebody else's stays");
    let found = archives.get(&format!("{repository}/find_by_id/archival_objects?ark[]=ark:/12345/s-1")).await;
    assert_eq!(found["archival_objects"], json!([{"ref": node}]));

    let (_, log, _) = archives.run_job(work.clone()).await;
    assert!(log.contains("Repository A: ARKs for Resource records were already up-to-date"), "{log}");
    // The repository gets another shoulder: what the records had stays among the earlier ones, and comes back with it.
    let change = async |shoulder: &str| {
        let mut record = archives.get(&repository).await;
        record["ark_shoulder"] = shoulder.into();
        archives.admin.post(&repository, &record).await.expect(200);
        archives.run_job(work.clone()).await;
        archives.get(&first).await["ark_name"].clone()
    };
    let other = change("t").await;
    assert_eq!(other["previous"], json!([made]));
    assert!(
        other["current"].as_str().is_some_and(|ark| ark.starts_with("https://ark.example/ark:/12345/t-")),
        "{other}"
    );
    let back = change("s").await;
    assert_eq!((&back["current"], &back["previous"]), (&json!(made), &json!([other["current"]])));
    user(&archives.library, "guest", &[]).await;
    let guest = signed_in(&archives.library, "guest").await;
    guest.post("/repositories/2/jobs", &json!({"jsonmodel_type": "job", "job": work})).await.expect(403);
}

#[tokio::test]
async fn without_a_number_no_arks_are_made() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let (done, log, _) = archives.run_job(json!({"jsonmodel_type": "generate_arks_job"})).await;
    assert_eq!(done["status"], "completed");
    assert!(log.contains("Repository A: ARKs for Resource records were already up-to-date"), "{log}");
    assert_eq!(archives.get(&papers).await.get("ark_name"), None);
}

#[tokio::test]
async fn a_job_makes_labels() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let container = json!({"indicator": "9", "type": "box", "barcode": "b1"});
    let container = archives.add(&format!("{repository}/top_containers"), &container).await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let mut file = component("File 1", &papers, None);
    file["instances"] =
        json!([{"instance_type": "mixed_materials", "sub_container": {"top_container": {"ref": container}}}]);
    archives.add(&format!("{repository}/archival_objects"), &file).await;
    let work = |source: &str| json!({"jsonmodel_type": "container_labels_job", "source": source});
    let job = json!({"jsonmodel_type": "job", "job": work(&papers)});
    let job = archives.add("/repositories/2/jobs", &job).await;
    archives.library.run_jobs().await;
    let log = archives.admin.get(&format!("{job}/log")).await.expect(200).text;
    assert!(log.contains("Generating Container Labels Papers 1"), "{log}");
    let made = archives.get(&job).await;
    assert_eq!((&made["status"], &made["job"]["format"]), (&json!("completed"), &json!("tsv")));
    let files = archives.get(&format!("{job}/output_files")).await;
    let labels = archives.admin.get(&format!("{job}/output_files/{}", files[0])).await.expect(200).text;
    let direct = archives.admin.get(&format!("{repository}/resource_labels/1.tsv")).await.expect(200).text;
    assert!(labels == direct && labels.contains("\tFile 1\t"), "{labels}");
    for source in ["/repositories/2/resources/99", "/repositories/2/top_containers/1", "nonsense"] {
        let (done, log, _) = archives.run_job(work(source)).await;
        assert_eq!(done["status"], "failed", "{source}: {log}");
    }
}
