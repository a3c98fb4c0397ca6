//! How a client creates and removes a tenant with HTTP calls only (docs/folio/bootstrap.md).

use std::time::Instant;

use api::app::Administrator;
use serde_json::{Value, json};
use testkit::{Answer, Client, Library, library_with};

const INSTALLED: &[&str] = &[
    "mod-login",
    "mod-permissions",
    "mod-users",
    "mod-users-bl",
    "mod-configuration",
    "mod-settings",
    "mod-pubsub",
    "mod-inventory",
    "mod-inventory-storage",
    "mod-circulation",
    "mod-circulation-storage",
    "mod-feesfines",
    "mod-patron-blocks",
    "mod-calendar",
    "mod-tags",
];

/// An installation with the administrator that installers expect.
async fn installation() -> Library {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.administrator =
            Some(Administrator { tenant: "diku".into(), username: "diku_admin".into(), password: "admin".into() });
    })
    .await;
    api::platform::prepare(&library.app).await.expect("prepared");
    library
}

/// A client signed in at a tenant, with the token from the cookie.
async fn signed_in(library: &Library, tenant: &str, username: &str, password: &str) -> Client {
    let base = library.open.base();
    let client = Client::new(base, &[("x-okapi-tenant", tenant)]);
    let sent = json!({"username": username, "password": password});
    let answer = client.post("/authn/login-with-expiry", &sent).await.expect(201);
    let cookie = answer.header("set-cookie").expect("a cookie");
    let token = cookie.strip_prefix("folioAccessToken=").and_then(|rest| rest.split(';').next());
    Client::new(base, &[("x-okapi-token", token.expect("a token"))])
}

async fn last_id(admin: &Client, product: &str) -> Value {
    let path = format!("/_/proxy/tenants/diku/modules?filter={product}");
    let found = admin.get(&path).await.expect(200).json();
    found.as_array().and_then(|list| list.last()).expect(product)["id"].clone()
}

async fn install(admin: &Client, parameters: &str, steps: &Value) -> Answer {
    let path = format!("/_/proxy/tenants/lib1/install?depCheck=true&{parameters}");
    admin.post(&path, steps).await.expect(200)
}

#[tokio::test]
async fn a_tenant_is_created_used_and_purged() {
    let library = installation().await;
    let admin = signed_in(&library, "diku", "diku_admin", "admin").await;
    for _ in 0..2 {
        bring_up(&library, &admin).await;
        use_it(&library).await;
        take_down(&library, &admin).await;
    }
}

async fn bring_up(library: &Library, admin: &Client) {
    let started = Instant::now();
    admin.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "Library 1"})).await;
    let data = "tenantParameters=loadSample%3Dfalse%2CloadReference%3Dtrue";
    let authtoken = json!([{"id": last_id(admin, "mod-authtoken").await, "action": "enable"}]);
    install(admin, data, &authtoken).await;
    let mut steps = Vec::new();
    for product in INSTALLED {
        steps.push(json!({"id": last_id(admin, product).await, "action": "enable"}));
    }
    install(admin, data, &steps.into()).await;
    println!("tenant with modules and reference data: {:?}", started.elapsed());

    let off = json!([{"id": last_id(admin, "mod-authtoken").await, "action": "disable"}]);
    let mut disabled = install(admin, "purge=false", &off).await.json();
    let open = Client::new(library.open.base(), &[("x-okapi-tenant", "lib1")]);
    let user = json!({"id": "b2b0ae8f-0b58-4a2f-9c2f-000000000001", "username": "lib1_admin", "active": true,
        "personal": {"firstName": "First", "lastName": "Last"}});
    open.create("/users", &user).await;
    let credentials = json!({"username": "lib1_admin", "password": "admin"});
    open.post("/authn/credentials", &credentials).await.expect(201);
    let top = open.query("/perms/permissions?length=1000", "childOf == []").await.expect(200).json();
    let names: Vec<_> = top["permissions"].as_array().unwrap().iter().map(|p| p["permissionName"].clone()).collect();
    assert!(names.len() > 100);
    open.create("/perms/users", &json!({"userId": user["id"], "permissions": names})).await;

    for step in disabled.as_array_mut().unwrap() {
        step["action"] = "enable".into();
    }
    install(admin, "purge=false", &disabled).await;
    open.get("/users").await.expect(400);
}

async fn use_it(library: &Library) {
    let clerk = signed_in(library, "lib1", "lib1_admin", "admin").await;
    let types = clerk.get("/material-types?limit=100").await.expect(200).json();
    assert_eq!(types["totalRecords"], 8);
    for path in ["/users", "/perms/users", "/groups", "/service-points", "/tags", "/configurations/entries"] {
        clerk.get(path).await.expect(200);
    }
    let item = clerk.with_header("x-okapi-tenant", "diku").get("/users").await.expect(403);
    assert_eq!(item.text, "Invalid token");
    let conditions = clerk.get("/patron-block-conditions").await.expect(200).json();
    assert_eq!(conditions["totalRecords"], 6, "they come with the module");
}

async fn take_down(library: &Library, admin: &Client) {
    let modules = admin.get("/_/proxy/tenants/lib1/modules").await.expect(200).json();
    let all: Vec<_> = modules.as_array().unwrap().iter().map(|m| json!({"id": m["id"], "action": "disable"})).collect();
    install(admin, "purge=true", &all.into()).await;
    admin.delete("/_/proxy/tenants/lib1").await.expect(204);
    let gone = Client::new(library.open.base(), &[("x-okapi-tenant", "lib1")]).get("/users").await;
    assert_eq!(gone.expect(400).text, "No such Tenant lib1");
}

#[tokio::test]
async fn the_administrator_is_created_once_with_all_permissions() {
    let library = installation().await;
    let admin = signed_in(&library, "diku", "diku_admin", "admin").await;
    let change = json!({"username": "diku_admin", "password": "admin", "newPassword": "another"});
    admin.post("/authn/update", &change).await.expect(204);
    // The next start does not change the password.
    api::platform::prepare(&library.app).await.expect("prepared");
    let admin = signed_in(&library, "diku", "diku_admin", "another").await;
    for path in [
        "/_/proxy/tenants",
        "/_/proxy/modules",
        "/users",
        "/notes",
        "/location-units/institutions",
        "/loan-storage/loans",
    ] {
        admin.get(path).await.expect(200);
    }
    let other = Client::new(library.open.base(), &[("x-okapi-tenant", "supertenant")]);
    let sent = json!({"username": "diku_admin", "password": "another"});
    other.post("/authn/login", &sent).await.expect(422);
}

#[tokio::test]
async fn a_library_from_the_command_line_cannot_administer_others() {
    let library = installation().await;
    let first = api::platform::FirstUser { username: "boss", password: None, of_the_platform: false };
    let password =
        api::platform::create_library(&library.app, "lib1", "Library 1", &first, true, true).await.expect("a library");
    assert!(password.len() >= 20);
    let boss = signed_in(&library, "lib1", "boss", &password).await;
    boss.get("/users").await.expect(200);
    boss.get("/_/proxy/tenants").await.expect(403);
    let items = boss.get("/item-storage/items?limit=0").await.expect(200).json();
    assert!(items["totalRecords"].as_u64() > Some(20));
    let again = api::platform::create_library(&library.app, "lib1", "x", &first, false, false).await;
    assert_eq!(again.expect_err("taken").to_string(), "Duplicate tenant id lib1");
    boss.get("/users").await.expect(200);
}

#[tokio::test]
async fn a_new_library_has_a_permission_set_for_its_self_checks() {
    let library = installation().await;
    let first = api::platform::FirstUser { username: "boss", password: None, of_the_platform: false };
    let password = api::platform::create_library(&library.app, "lib1", "Library 1", &first, false, false)
        .await
        .expect("a library");
    let boss = signed_in(&library, "lib1", "boss", &password).await;
    let path = "/perms/permissions?query=permissionName==self-check.all";
    let found = boss.get(path).await.expect(200).json();
    let set = &found["permissions"][0];
    assert_eq!(set["mutable"], true, "{found}");
    let inside = set["subPermissions"].as_array().map(Vec::len);
    assert!(inside > Some(10), "{found}");
    // Libraries may copy, change and delete it: the administrator does not depend on it.
    let path = format!("/perms/permissions/{}", set["id"].as_str().expect("an id"));
    boss.delete(&path).await.expect(204);
    boss.get("/users").await.expect(200);
}

/// Every record that FOLIO ships goes to a collection, and loading twice adds nothing.
#[tokio::test]
async fn all_reference_data_is_loaded_exactly_once() {
    let library = installation().await;
    let first = api::platform::FirstUser { username: "boss", password: None, of_the_platform: false };
    let load = |id: &'static str| api::platform::create_library(&library.app, id, id, &first, true, true);
    load("lib1").await.expect("a library");
    let session = library.app.database.session("t_lib1").unwrap();
    // HRID settings are not a collection; they exist from the start.
    let singletons = ["/hrid-settings-storage/hrid-settings"];
    let sets = [store::bundle::Set::Seed, store::bundle::Set::Reference, store::bundle::Set::Sample];
    let files: Vec<_> = sets.into_iter().flat_map(|set| store::bundle::files(set).unwrap()).collect();
    let products: Vec<_> = files.iter().map(|file| file.module.as_str()).collect();
    let count = |table: &'static str| {
        let session = session.clone();
        async move {
            let row = session.get(&format!("SELECT count(*) FROM {table}"), &[]).await.unwrap();
            row.get::<_, i64>(0)
        }
    };
    let mut before = Vec::new();
    for file in files.iter().filter(|file| !singletons.contains(&file.path.as_str())) {
        let found = library.app.collections.iter().find(|c| c.path == file.path);
        let table = found.unwrap_or_else(|| panic!("nothing keeps {}", file.path)).table;
        assert!(count(table).await >= i64::try_from(file.records().unwrap().len()).unwrap(), "{}", file.path);
        before.push((table, count(table).await));
    }
    api::platform::load_bundled(&library.app, &session, &sets, &products).await.expect("loaded again");
    for (table, number) in before {
        assert_eq!(count(table).await, number, "{table}");
    }
}

/// The pages greet users by both names.
#[tokio::test]
async fn an_administrator_has_a_first_and_a_last_name() {
    let library = installation().await;
    let admin = signed_in(&library, "diku", "diku_admin", "admin").await;
    let found = admin.query("/users", "username==diku_admin").await;
    let found = found.expect(200).json();
    let personal = &found["users"][0]["personal"];
    assert_eq!(personal["firstName"], "DIKU");
    assert_eq!(personal["lastName"], "Administrator");
}
