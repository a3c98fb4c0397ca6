//! Tenants, modules and their installation (folio-platform §1.4, folio-bootstrap §3, §4).

use serde_json::{Value, json};
use testkit::{Client, Library, library};

fn at(library: &Library, tenant: &str) -> Client {
    library.open.with_header("x-okapi-tenant", tenant)
}

fn ids(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("an array");
    list.iter()
        .map(|entry| entry["id"].as_str().expect("an id").to_owned())
        .collect()
}

async fn install(library: &Library, parameters: &str, steps: Value) -> Value {
    let path = format!("/_/proxy/tenants/lib1/install{parameters}");
    library.open.post(&path, &steps).await.expect(200).json()
}

async fn total(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).json()["totalRecords"].clone()
}

#[tokio::test]
async fn the_gateway_tells_version_and_health_to_everybody() {
    let library = library().await;
    api::platform::prepare(&library.app)
        .await
        .expect("a supertenant");
    let nobody = Client::new(library.open.base(), &[]);
    assert_eq!(nobody.get("/_/version").await.expect(200).text, "6.2.0");
    assert_eq!(nobody.get("/_/proxy/health").await.expect(200).text, "[ ]");
    nobody.get("/_/health").await.expect(404);
}

#[tokio::test]
async fn the_supertenant_is_there_and_asks_for_tokens() {
    let library = library().await;
    api::platform::prepare(&library.app)
        .await
        .expect("a supertenant");
    let nobody = Client::new(library.open.base(), &[]);
    let refused = nobody.get("/_/proxy/tenants").await.expect(400);
    assert_eq!(
        refused.text,
        "Token missing, access requires permission: okapi.proxy.tenants.list"
    );
    let tenants = library
        .open
        .get("/_/proxy/tenants")
        .await
        .expect(200)
        .json();
    assert_eq!(ids(&tenants), ["supertenant", "test"]);
    let refused = library
        .open
        .delete("/_/proxy/tenants/supertenant")
        .await
        .expect(400);
    assert_eq!(refused.text, "Can not delete the superTenant supertenant");
}

#[tokio::test]
async fn a_tenant_is_created_renamed_and_deleted() {
    let library = library().await;
    let tenants = "/_/proxy/tenants";
    let sent = json!({"id": "lib1", "name": "Library 1", "description": "The first"});
    let created = library.open.post(tenants, &sent).await.expect(201);
    assert_eq!(created.header("location"), Some("/_/proxy/tenants/lib1"));
    assert_eq!(created.json(), sent);
    assert_eq!(
        library
            .open
            .get("/_/proxy/tenants/lib1")
            .await
            .expect(200)
            .json(),
        sent
    );

    let again = library.open.post(tenants, &sent).await.expect(400);
    assert_eq!(again.text, "Duplicate tenant id lib1");
    let modules = library
        .open
        .get("/_/proxy/tenants/lib1/modules")
        .await
        .expect(200);
    assert_eq!(modules.json(), json!([{"id": "okapi-6.2.0"}]));

    let renamed = json!({"id": "lib1", "name": "Library One"});
    assert_eq!(
        library
            .open
            .put("/_/proxy/tenants/lib1", &renamed)
            .await
            .expect(200)
            .json(),
        renamed
    );
    library
        .open
        .put("/_/proxy/tenants/lib1", &json!({"id": "lib2", "name": "x"}))
        .await
        .expect(400);
    library
        .open
        .put("/_/proxy/tenants/nobody", &json!({"name": "x"}))
        .await
        .expect(404);

    library
        .open
        .delete("/_/proxy/tenants/lib1")
        .await
        .expect(204);
    library
        .open
        .delete("/_/proxy/tenants/lib1")
        .await
        .expect(404);
    library.open.get("/_/proxy/tenants/lib1").await.expect(404);
    assert_eq!(
        at(&library, "lib1").get("/users").await.expect(400).text,
        "No such Tenant lib1"
    );
}

#[tokio::test]
async fn a_tenant_id_is_made_up_or_checked() {
    let library = library().await;
    let made_up = library
        .open
        .create("/_/proxy/tenants", &json!({"name": "No id"}))
        .await;
    let id = made_up["id"].as_str().unwrap();
    library
        .open
        .get(&format!("/_/proxy/tenants/{id}"))
        .await
        .expect(200);
    for (id, text) in [
        ("a_b", "Tenant id must not contain underscore: a_b"),
        ("a-b", "Tenant id must not contain minus: a-b"),
        (
            "Lib",
            "Invalid tenant id, may only contain a-z and 0-9 and must match '[a-z][a-z0-9]{0,30}' but it is Lib",
        ),
    ] {
        let refused = library
            .open
            .post("/_/proxy/tenants", &json!({"id": id, "name": "x"}))
            .await;
        assert_eq!(refused.expect(400).text, text);
    }
    library
        .open
        .post("/_/proxy/tenants", &json!([]))
        .await
        .expect(400);
}

#[tokio::test]
async fn enabling_a_module_brings_what_it_needs() {
    let library = library().await;
    library
        .open
        .create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"}))
        .await;
    let client = at(&library, "lib1");
    let missing = client.get("/service-points").await.expect(404);
    assert!(
        missing
            .text
            .starts_with("No suitable module found for path"),
        "{}",
        missing.text
    );

    let steps =
        json!([{"id": "mod-tags-2.4.1", "action": "enable"}, {"id": "mod-inventory-storage"}]);
    let done = install(&library, "", steps.clone()).await;
    assert_eq!(
        done,
        json!([{"id": "mod-tags-2.4.1", "action": "enable"}, {"id": "mod-users-19.5.1", "action": "enable"},
               {"id": "mod-inventory-storage-29.0.6", "action": "enable"}])
    );
    client.get("/service-points").await.expect(200);
    let again = install(&library, "", steps).await;
    assert_eq!(
        again,
        json!([{"id": "mod-tags-2.4.1", "action": "uptodate"},
               {"id": "mod-inventory-storage-29.0.6", "action": "uptodate"}])
    );
    let unknown = json!([{"id": "mod-nothing-1.0.0", "action": "enable"}]);
    let path = "/_/proxy/tenants/lib1/install";
    assert_eq!(
        library.open.post(path, &unknown).await.expect(404).text,
        "Module mod-nothing-1.0.0 not found"
    );
    let nobody = "/_/proxy/tenants/nobody/install";
    library
        .open
        .post(nobody, &json!([{"id": "mod-tags"}]))
        .await
        .expect(404);
    library
        .open
        .post(path, &json!([{"id": "mod-tags", "action": "explode"}]))
        .await
        .expect(400);
}

#[tokio::test]
async fn reference_and_sample_data_are_loaded_when_asked_for() {
    let library = library().await;
    let client = at(&library, "lib1");
    let steps = json!([{"id": "mod-inventory-storage", "action": "enable"}]);
    for (parameters, material_types, instances) in [
        ("", 0, 0),
        (
            "?tenantParameters=loadReference%3Dfalse%2CloadSample%3Dfalse&depCheck=true",
            0,
            0,
        ),
        (
            "?tenantParameters=loadReference%3Dtrue%2CloadSample%3Dfalse",
            8,
            0,
        ),
        (
            "?tenantParameters=loadSample%3Dtrue%2CloadReference%3Dtrue",
            8,
            36,
        ),
    ] {
        library
            .open
            .create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"}))
            .await;
        install(&library, parameters, steps.clone()).await;
        assert_eq!(
            total(&client, "/material-types?limit=0").await,
            material_types,
            "{parameters}"
        );
        assert_eq!(
            total(&client, "/instance-storage/instances?limit=0").await,
            instances,
            "{parameters}"
        );
        assert_eq!(
            total(&client, "/instance-date-types?limit=0").await,
            15,
            "{parameters}"
        );
        // Installing once more changes nothing and fails on nothing.
        let disable = json!([{"id": "mod-inventory-storage", "action": "disable"}]);
        install(&library, "", disable).await;
        install(&library, parameters, steps.clone()).await;
        assert_eq!(
            total(&client, "/instance-storage/instances?limit=0").await,
            instances,
            "{parameters}"
        );
        library
            .open
            .delete("/_/proxy/tenants/lib1")
            .await
            .expect(204);
    }
}

/// Steps 3 to 7 and the end of the bootstrap (folio-bootstrap §4).
#[tokio::test]
async fn modules_are_disabled_enabled_again_and_purged() {
    let library = library().await;
    library
        .open
        .create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"}))
        .await;
    let client = at(&library, "lib1");
    let steps = json!([{"id": "mod-authtoken-2.16.2", "action": "enable"}, {"id": "mod-inventory-storage"}]);
    install(&library, "?tenantParameters=loadReference%3Dtrue", steps).await;
    client.get("/material-types").await.expect(400);

    let off = json!([{"id": "mod-authtoken-2.16.2", "action": "disable"}]);
    let mut done = install(&library, "?depCheck=true", off).await;
    assert_eq!(
        done,
        json!([{"id": "mod-authtoken-2.16.2", "action": "disable"}])
    );
    client.get("/material-types").await.expect(200);
    done[0]["action"] = "enable".into();
    install(&library, "", done).await;
    client.get("/material-types").await.expect(400);

    let simulated = json!([{"id": "mod-authtoken", "action": "disable"}]);
    install(&library, "?simulate=true", simulated).await;
    client.get("/material-types").await.expect(400);

    let enabled = library
        .open
        .get("/_/proxy/tenants/lib1/modules")
        .await
        .expect(200)
        .json();
    let all: Vec<_> = ids(&enabled)
        .iter()
        .map(|id| json!({"id": id, "action": "disable"}))
        .collect();
    assert!(all.len() > 4);
    let gone = install(&library, "?purge=true", all.clone().into()).await;
    assert_eq!(gone, Value::from(all));
    let nothing = library
        .open
        .get("/_/proxy/tenants/lib1/modules")
        .await
        .expect(200);
    assert_eq!(nothing.json(), json!([]));

    install(
        &library,
        "",
        json!([{"id": "mod-inventory-storage", "action": "enable"}]),
    )
    .await;
    assert_eq!(total(&client, "/material-types").await, 0, "purged");
    library
        .open
        .delete("/_/proxy/tenants/lib1")
        .await
        .expect(204);
    library
        .open
        .create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"}))
        .await;
}

#[tokio::test]
async fn modules_are_looked_up_by_product() {
    let library = library().await;
    let modules = "/_/proxy/tenants/test/modules";
    for (product, id) in [
        ("mod-circulation", "mod-circulation-24.4.3"),
        ("mod-circulation-storage", "mod-circulation-storage-17.4.0"),
        ("okapi", "okapi-6.2.0"),
        ("mod-data-export", "mod-data-export-5.2.1"),
    ] {
        let found = library
            .open
            .get(&format!("{modules}?filter={product}&full=false"))
            .await;
        assert_eq!(ids(&found.expect(200).json()), [id]);
        let known = library
            .open
            .get(&format!("/_/proxy/modules?filter={product}"))
            .await;
        assert_eq!(ids(&known.expect(200).json()), [id]);
    }
    let all = library.open.get(modules).await.expect(200).json();
    let mut sorted = ids(&all);
    sorted.sort();
    assert!(sorted.len() > 40);
    let full = library
        .open
        .get(&format!("{modules}?filter=mod-users&full=true"))
        .await
        .expect(200)
        .json();
    assert_eq!(full[0]["provides"][0]["id"], "users");
    library
        .open
        .get("/_/proxy/tenants/nobody/modules")
        .await
        .expect(404);
}

#[tokio::test]
async fn single_modules_come_and_go() {
    let library = library().await;
    library
        .open
        .create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"}))
        .await;
    let modules = "/_/proxy/tenants/lib1/modules";
    let tags = format!("{modules}/mod-tags-2.4.1");
    let enabled = library
        .open
        .post(modules, &json!({"id": "mod-tags-2.4.1"}))
        .await
        .expect(201);
    assert_eq!(enabled.header("location"), Some(tags.as_str()));
    assert_eq!(
        library.open.get(&tags).await.expect(200).json(),
        json!({"id": "mod-tags-2.4.1"})
    );
    library.open.delete(&tags).await.expect(204);
    library.open.delete(&tags).await.expect(404);
    library.open.get(&tags).await.expect(404);
    library.open.delete(modules).await.expect(204);
    assert_eq!(
        library.open.get(modules).await.expect(200).json(),
        json!([])
    );
}

#[tokio::test]
async fn a_module_descriptor_can_be_posted_enabled_and_forgotten() {
    let library = library().await;
    let descriptor = json!({"id": "mod-own-1.0.0", "name": "Own", "provides": [{"id": "own", "version": "1.0"}],
        "permissionSets": [{"permissionName": "own.all", "displayName": "Own", "subPermissions": ["own.x", "own.y"]},
                           {"permissionName": "own.x"}]});
    let created = library
        .open
        .post("/_/proxy/modules", &descriptor)
        .await
        .expect(201);
    assert_eq!(
        created.header("location"),
        Some("/_/proxy/modules/mod-own-1.0.0")
    );
    library
        .open
        .post("/_/proxy/modules", &descriptor)
        .await
        .expect(201);
    let other = json!({"id": "mod-own-1.0.0", "name": "Other"});
    library
        .open
        .post("/_/proxy/modules", &other)
        .await
        .expect(400);
    library
        .open
        .post("/_/proxy/modules", &json!({"id": "no-version"}))
        .await
        .expect(400);
    library
        .open
        .post(
            "/_/proxy/import/modules",
            &json!([{"id": "mod-more-1.0.0"}]),
        )
        .await
        .expect(204);
    library
        .open
        .get("/_/proxy/modules/mod-more-1.0.0")
        .await
        .expect(200);

    let enable = json!([{"id": "mod-own", "action": "enable"}]);
    let done = library
        .open
        .post("/_/proxy/tenants/test/install", &enable)
        .await
        .expect(200);
    assert_eq!(ids(&done.json()), ["mod-own-1.0.0"]);
    library
        .open
        .delete("/_/proxy/modules/mod-own-1.0.0")
        .await
        .expect(400);
    library
        .open
        .delete("/_/proxy/tenants/test/modules/mod-own-1.0.0")
        .await
        .expect(204);
    library
        .open
        .delete("/_/proxy/modules/mod-own-1.0.0")
        .await
        .expect(204);
    library
        .open
        .get("/_/proxy/modules/mod-own-1.0.0")
        .await
        .expect(404);
    library
        .open
        .delete("/_/proxy/modules/mod-users-19.5.1")
        .await
        .expect(400);
}

#[tokio::test]
async fn interfaces_are_listed_with_their_providers() {
    let library = library().await;
    let path = "/_/proxy/tenants/test/interfaces";
    let all = library.open.get(path).await.expect(200).json();
    let users = json!({"id": "users", "version": "16.5"});
    assert!(all.as_array().unwrap().contains(&users), "{all}");
    let full = library
        .open
        .get(&format!("{path}?full=true&type=proxy"))
        .await
        .expect(200)
        .json();
    let full = full.as_array().unwrap();
    let users = full
        .iter()
        .find(|interface| interface["id"] == "users")
        .unwrap();
    assert!(users["handlers"].as_array().unwrap().len() > 10);
    assert!(full.iter().all(|interface| interface["id"] != "_tenant"));
    let providers = library
        .open
        .get(&format!("{path}/users"))
        .await
        .expect(200)
        .json();
    assert_eq!(ids(&providers), ["mod-users-19.5.1"]);
    library
        .open
        .get("/_/proxy/tenants/nobody/interfaces")
        .await
        .expect(404);
}

#[tokio::test]
async fn an_installation_can_be_asked_about_later() {
    let library = library().await;
    library
        .open
        .create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"}))
        .await;
    let path = "/_/proxy/tenants/lib1/install";
    let started = library
        .open
        .post(
            &format!("{path}?async=true"),
            &json!([{"id": "mod-tags", "action": "enable"}]),
        )
        .await
        .expect(201);
    let location = started.header("location").unwrap().to_owned();
    let job = library.open.get(&location).await.expect(200).json();
    assert_eq!(job["complete"], true);
    assert_eq!(
        job["modules"],
        json!([{"id": "mod-tags-2.4.1", "action": "enable", "stage": "done"}])
    );
    assert_eq!(
        library.open.get(path).await.expect(200).json(),
        json!([job])
    );
    library.open.delete(&location).await.expect(204);
    library.open.get(&location).await.expect(404);
}

#[tokio::test]
async fn timers_are_listed_and_changed() {
    let library = library().await;
    let path = "/_/proxy/tenants/test/timers";
    let timers = library.open.get(path).await.expect(200).json();
    let aging = |timers: &Value| {
        let timers = timers.as_array().unwrap().clone();
        let aging = |timer: &&Value| {
            timer["routingEntry"]["pathPattern"] == "/circulation/scheduled-age-to-lost"
        };
        timers.iter().find(aging).unwrap().clone()
    };
    let mut timer = aging(&timers);
    assert_eq!(timer["modified"], false);
    timer["routingEntry"]["delay"] = "1".into();
    timer["routingEntry"]["unit"] = "second".into();
    library.open.patch(path, &timer).await.expect(204);
    let changed = aging(&library.open.get(path).await.expect(200).json());
    assert_eq!(
        (&changed["modified"], &changed["routingEntry"]["delay"]),
        (&json!(true), &json!("1"))
    );
    let back = json!({"id": timer["id"], "routingEntry": {}});
    library.open.patch(path, &back).await.expect(204);
    assert_eq!(
        aging(&library.open.get(path).await.expect(200).json())["modified"],
        false
    );
    library
        .open
        .patch(path, &json!({"id": "mod-nothing_0"}))
        .await
        .expect(404);
    library.open.patch(path, &json!({})).await.expect(400);
    let one = format!("{path}/{}", timer["id"].as_str().unwrap());
    library
        .open
        .patch(&one, &json!({"routingEntry": {"delay": "x"}}))
        .await
        .expect(400);
    library.open.get(&one).await.expect(200);
}

#[tokio::test]
async fn what_runs_where_and_the_environment_are_kept() {
    let library = library().await;
    let running = library
        .open
        .get("/_/discovery/modules")
        .await
        .expect(200)
        .json();
    assert!(
        running
            .as_array()
            .unwrap()
            .iter()
            .any(|m| m["srvcId"] == "mod-users-19.5.1")
    );
    let sent = json!({"srvcId": "mod-own-1.0.0", "instId": "here", "url": "http://localhost:1"});
    library
        .open
        .post("/_/discovery/modules", &sent)
        .await
        .expect(201);
    library
        .open
        .post("/_/discovery/modules", &sent)
        .await
        .expect(400);
    library
        .open
        .get("/_/discovery/modules/mod-own-1.0.0/here")
        .await
        .expect(200);
    library
        .open
        .get("/_/discovery/modules/mod-own-1.0.0")
        .await
        .expect(200);
    library
        .open
        .delete("/_/discovery/modules/mod-own-1.0.0/here")
        .await
        .expect(204);
    library
        .open
        .delete("/_/discovery/modules/mod-own-1.0.0/here")
        .await
        .expect(404);
    library.open.get("/_/discovery/nodes").await.expect(200);
    library.open.get("/_/discovery/health").await.expect(200);
    library.open.get("/_/deployment/modules").await.expect(200);

    let entry = json!({"name": "DB_HOST", "value": "postgres", "description": "unused"});
    assert_eq!(library.open.create("/_/env", &entry).await, entry);
    assert_eq!(
        library.open.get("/_/env/DB_HOST").await.expect(200).json(),
        entry
    );
    assert_eq!(
        library.open.get("/_/env").await.expect(200).json(),
        json!([entry])
    );
    library.open.delete("/_/env/DB_HOST").await.expect(204);
    library.open.get("/_/env/DB_HOST").await.expect(404);
}

#[tokio::test]
async fn a_timer_runs_its_job_when_it_is_due() {
    let library = library().await;
    let user = json!({"username": "reader", "active": true, "expirationDate": "2020-01-01T00:00:00.000+00:00",
        "personal": {"lastName": "Reader"}});
    let id = library.open.create("/users", &user).await["id"].clone();
    let path = format!("/users/{}", id.as_str().unwrap());
    let mut timers = api::platform::timers::Timers::default();
    timers.run_due(&library.app).await.unwrap();
    library.clock.advance(jiff::SignedDuration::from_secs(59));
    assert!(timers.run_due(&library.app).await.unwrap().is_empty());
    library.clock.advance(jiff::SignedDuration::from_secs(1));
    for job in timers.run_due(&library.app).await.unwrap() {
        job.await.unwrap();
    }
    assert_eq!(library.open.get(&path).await.json()["active"], false);

    // Another process that is as far does not run it again.
    let mut others = api::platform::timers::Timers::default();
    library.clock.advance(jiff::SignedDuration::from_secs(-60));
    others.run_due(&library.app).await.unwrap();
    library.clock.advance(jiff::SignedDuration::from_secs(60));
    assert!(others.run_due(&library.app).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_newer_carrel_brings_its_module_versions_to_every_tenant() {
    let library = library().await;
    let (old, new) = ("mod-tags-1.0.0".to_owned(), "mod-tags-2.4.1".to_owned());
    let database = &library.app.database;
    store::tenants::change_modules(
        database,
        "test",
        std::slice::from_ref(&old),
        std::slice::from_ref(&new),
    )
    .await
    .unwrap();
    api::platform::prepare(&library.app)
        .await
        .expect("prepared");
    let modules = library
        .open
        .get("/_/proxy/tenants/test/modules?filter=mod-tags")
        .await
        .json();
    assert_eq!(ids(&modules), [new]);
}
