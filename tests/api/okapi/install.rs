//! `/_/proxy/tenants/{tenant}/install`.

use super::*;

#[tokio::test]
async fn enabling_a_module_enables_what_it_requires() {
    let library = library().await;
    library.open.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"})).await;
    let client = at(&library, "lib1");
    let missing = client.get("/service-points").await.expect(404);
    assert_eq!(missing.text, "No suitable module found for path and tenant");

    let steps = json!([{"id": "mod-tags-2.4.1", "action": "enable"}, {"id": "mod-inventory-storage"}]);
    let done = install(&library, "", steps.clone()).await;
    assert_eq!(
        done,
        json!([{"id": "mod-tags-2.4.1", "action": "enable"}, {"id": "mod-users-19.5.4", "action": "enable"},
               {"id": "mod-inventory-storage-29.0.18", "action": "enable"}])
    );
    client.get("/service-points").await.expect(200);
    let again = install(&library, "", steps).await;
    assert_eq!(
        again,
        json!([{"id": "mod-tags-2.4.1", "action": "uptodate"},
               {"id": "mod-inventory-storage-29.0.18", "action": "uptodate"}])
    );
    let unknown = json!([{"id": "mod-nothing-1.0.0", "action": "enable"}]);
    let path = "/_/proxy/tenants/lib1/install";
    assert_eq!(library.open.post(path, &unknown).await.expect(404).text, "Module mod-nothing-1.0.0 not found");
    let absent = "/_/proxy/tenants/nobody/install";
    assert_eq!(library.open.post(absent, &json!([{"id": "mod-tags"}])).await.expect(404).text, "nobody");
    library.open.post(path, &json!([{"id": "mod-tags", "action": "explode"}])).await.expect(400);
}

#[tokio::test]
async fn reference_and_sample_data_are_loaded_on_request() {
    let library = library().await;
    let client = at(&library, "lib1");
    let steps = json!([{"id": "mod-inventory-storage", "action": "enable"}]);
    for (parameters, material_types, instances) in [
        ("", 0, 0),
        ("?tenantParameters=loadReference%3Dfalse%2CloadSample%3Dfalse&depCheck=true", 0, 0),
        ("?tenantParameters=loadReference%3Dtrue%2CloadSample%3Dfalse", 8, 0),
        ("?tenantParameters=loadSample%3Dtrue%2CloadReference%3Dtrue", 8, 36),
    ] {
        library.open.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"})).await;
        install(&library, parameters, steps.clone()).await;
        assert_eq!(total(&client, "/material-types?limit=0").await, material_types, "{parameters}");
        assert_eq!(total(&client, "/instance-storage/instances?limit=0").await, instances, "{parameters}");
        assert_eq!(total(&client, "/instance-date-types?limit=0").await, 15, "{parameters}");
        // A repeated installation changes nothing and succeeds.
        let disable = json!([{"id": "mod-inventory-storage", "action": "disable"}]);
        install(&library, "", disable).await;
        install(&library, parameters, steps.clone()).await;
        assert_eq!(total(&client, "/instance-storage/instances?limit=0").await, instances, "{parameters}");
        library.open.delete("/_/proxy/tenants/lib1").await.expect(204);
    }
}

#[tokio::test]
async fn sample_courses_have_their_items_on_reserve() {
    let library = library().await;
    let client = at(&library, "lib1");
    library.open.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"})).await;
    let modules = ["mod-inventory-storage", "mod-courses"].map(|id| json!({"id": id, "action": "enable"}));
    install(&library, "?tenantParameters=loadReference%3Dtrue%2CloadSample%3Dtrue", json!(modules)).await;
    for (path, number) in [
        ("terms", 6),
        ("departments", 6),
        ("coursetypes", 3),
        ("roles", 3),
        ("copyrightstatuses", 5),
        ("processingstatuses", 3),
        ("courselistings", 10),
        ("courses", 13),
        ("reserves", 8),
        ("coursetypes?query=id==f5063ee8-b18c-402b-b0c9-1b0f93d8570b%20and%20name==Online", 1),
        ("courselistings?query=instructor.name%3D%22Instructor,%20Sample%22", 1),
    ] {
        assert_eq!(total(&client, &format!("/coursereserves/{path}")).await, number, "{path}");
    }
    let reserves = client.get("/coursereserves/reserves?expand=*&limit=100").await.expect(200).json();
    for reserve in reserves["reserves"].as_array().expect("reserves") {
        assert!(
            reserve["copiedItem"]["title"].is_string() && reserve["processingStatusObject"].is_object(),
            "{reserve}"
        );
    }
}

/// Steps 3 to 7 and the end of the bootstrap (docs/folio/bootstrap.md#the-steps).
#[tokio::test]
async fn modules_are_disabled_enabled_again_and_purged() {
    let library = library().await;
    library.open.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"})).await;
    let client = at(&library, "lib1");
    let steps = json!([{"id": "mod-authtoken-2.17.0", "action": "enable"}, {"id": "mod-inventory-storage"}]);
    install(&library, "?tenantParameters=loadReference%3Dtrue", steps).await;
    client.get("/material-types").await.expect(400);

    let off = json!([{"id": "mod-authtoken-2.17.0", "action": "disable"}]);
    let mut done = install(&library, "?depCheck=true", off).await;
    assert_eq!(done, json!([{"id": "mod-authtoken-2.17.0", "action": "disable"}]));
    client.get("/material-types").await.expect(200);
    done[0]["action"] = "enable".into();
    install(&library, "", done).await;
    client.get("/material-types").await.expect(400);

    let simulated = json!([{"id": "mod-authtoken", "action": "disable"}]);
    install(&library, "?simulate=true", simulated).await;
    client.get("/material-types").await.expect(400);

    let enabled = library.open.get("/_/proxy/tenants/lib1/modules").await.expect(200).json();
    let all: Vec<_> = ids(&enabled).iter().map(|id| json!({"id": id, "action": "disable"})).collect();
    assert!(all.len() > 4);
    let gone = install(&library, "?purge=true", all.clone().into()).await;
    assert_eq!(gone, Value::from(all));
    let nothing = library.open.get("/_/proxy/tenants/lib1/modules").await.expect(200);
    assert_eq!(nothing.json(), json!([]));

    install(&library, "", json!([{"id": "mod-inventory-storage", "action": "enable"}])).await;
    assert_eq!(total(&client, "/material-types").await, 0, "purged");
    library.open.delete("/_/proxy/tenants/lib1").await.expect(204);
    library.open.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"})).await;
}

/// Modules of a client: two versions of one, and two of one that requires it.
async fn two_versions(library: &Library) {
    let base = |id: &str, version: &str| json!({"id": id, "provides": [{"id": "base", "version": version}]});
    let top = |id: &str, version: &str| json!({"id": id, "requires": [{"id": "base", "version": version}]});
    let modules = json!([base("mod-base-1.0.0", "1.0"), base("mod-base-2.0.0", "2.0"), top("mod-top-1.0.0", "1.0")]);
    library.open.post("/_/proxy/import/modules", &modules).await.expect(204);
    library.open.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"})).await;
    install(library, "", json!([{"id": "mod-top", "action": "enable"}])).await;
}

#[tokio::test]
async fn a_product_is_upgraded_to_its_newest_version() {
    let library = library().await;
    library.open.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"})).await;
    let product = json!([{"id": "mod-own", "action": "enable"}]);
    let known = async |id: &str| {
        library.open.post("/_/proxy/modules", &json!({"id": id})).await.expect(201);
    };
    known("mod-own-1.0.0").await;
    install(&library, "", product.clone()).await;
    known("mod-own-1.2.0").await;
    known("mod-own-1.2.0-SNAPSHOT.4").await;
    assert_eq!(
        install(&library, "", product.clone()).await,
        json!([{"id": "mod-own-1.2.0", "from": "mod-own-1.0.0", "action": "enable"}])
    );
    assert_eq!(install(&library, "", product).await, json!([{"id": "mod-own-1.2.0", "action": "uptodate"}]));
}

/// What the tenant has must still find what it requires.
#[tokio::test]
async fn an_upgrade_takes_the_modules_along_that_need_the_old_version() {
    let library = library().await;
    two_versions(&library).await;
    let text = "Incompatible version for module mod-top-1.0.0 interface base. Need 1.0. Have 2.0/mod-base-2.0.0";
    let newer = json!([{"id": "mod-base-2.0.0", "action": "enable"}]);
    let install_path = "/_/proxy/tenants/lib1/install";
    assert_eq!(library.open.post(install_path, &newer).await.expect(400).text, text);
    let upgrade = "/_/proxy/tenants/lib1/upgrade?simulate=true";
    assert_eq!(library.open.post(upgrade, &json!(null)).await.expect(400).text, text);
    let one = json!({"id": "mod-base-2.0.0"});
    assert_eq!(library.open.post("/_/proxy/tenants/lib1/modules", &one).await.expect(400).text, text);

    let top = json!({"id": "mod-top-2.0.0", "requires": [{"id": "base", "version": "2.0"}]});
    library.open.post("/_/proxy/modules", &top).await.expect(201);
    assert_eq!(
        install(&library, "", newer).await,
        json!([{"id": "mod-base-2.0.0", "from": "mod-base-1.0.0", "action": "enable"},
               {"id": "mod-top-2.0.0", "from": "mod-top-1.0.0", "action": "enable"}])
    );
}

#[tokio::test]
async fn an_installation_can_be_queried_later() {
    let library = library().await;
    library.open.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"})).await;
    let path = "/_/proxy/tenants/lib1/install";
    let started = library
        .open
        .post(&format!("{path}?async=true"), &json!([{"id": "mod-tags", "action": "enable"}]))
        .await
        .expect(201);
    let location = started.header("location").unwrap().to_owned();
    assert_eq!(started.json(), json!([{"id": "mod-tags-2.4.1", "action": "enable"}]));
    let job = library.open.get(&location).await.expect(200).json();
    assert_eq!(job["complete"], true);
    assert_eq!(job["modules"], json!([{"id": "mod-tags-2.4.1", "action": "enable", "stage": "done"}]));
    assert_eq!(library.open.get(path).await.expect(200).json(), json!([job]));
    library.open.delete(&location).await.expect(204);
    library.open.get(&location).await.expect(404);
    assert_eq!(library.open.get(&format!("{path}/12121")).await.expect(404).text, "lib1/12121");
    assert_eq!(library.open.delete(&format!("{path}/12121")).await.expect(404).text, "lib1/12121");
    for unknown in ["/_/proxy/tenants/roskilde/install", "/_/proxy/tenants/roskilde/install/12121"] {
        assert_eq!(library.open.get(unknown).await.expect(404).text, "roskilde");
        assert_eq!(library.open.delete(unknown).await.expect(404).text, "roskilde");
    }
    let only_listed = format!("{path}?async=true&simulate=true");
    library.open.post(&only_listed, &json!([{"id": "mod-tags"}])).await.expect(201);
    assert_eq!(library.open.get(path).await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn a_newer_carrel_upgrades_the_modules_of_every_tenant() {
    let library = library().await;
    let (old, new) = ("mod-tags-1.0.0".to_owned(), "mod-tags-2.4.1".to_owned());
    let database = &library.app.database;
    store::tenants::change_modules(database, "test", std::slice::from_ref(&old), std::slice::from_ref(&new))
        .await
        .unwrap();
    api::platform::prepare(&library.app).await.expect("prepared");
    let modules = library.open.get("/_/proxy/tenants/test/modules?filter=mod-tags").await.json();
    assert_eq!(ids(&modules), [new]);
}
