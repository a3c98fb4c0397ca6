//! A small sample library in a real database, read back through the API.

// The helpers of a test may fail by a panic, too.
#![allow(clippy::unwrap_used)]

use identity::tokens::Claims;
use load::{
    LoadError,
    library::{Administrator, Found, create, find},
    progress::Unwatched,
};
use sample::{Library, Plan};
use serde_json::Value;
use store::tenants::{self, schema_name};
use testkit::Client;
use uuid::Uuid;

const TENANT: &str = "diku";

fn plan(library: &testkit::Library) -> Plan {
    Plan { seed: 3, instances: 300, items: 500, users: 200, resources: 5, components: 400, now: library.clock.now() }
}

async fn make(library: &testkit::Library, replace: bool) -> Result<(), LoadError> {
    let administrator = Administrator::of(TENANT);
    let plan = plan(library);
    create(&library.app, TENANT, &administrator, plan, replace, &Unwatched).await
}

/// A client with the administrator's token.
async fn administrator(library: &testkit::Library) -> Client {
    let session = library.app.database.session(&schema_name(TENANT)).unwrap();
    let sql = "SELECT id FROM users WHERE doc->>'username' = 'diku_admin'";
    let id: Uuid = session.get(sql, &[]).await.unwrap().get(0);
    let claims = Claims::lasting("diku_admin", id, TENANT, library.clock.now());
    let token = library.app.keys.sign(&claims);
    let headers = [("x-okapi-tenant", TENANT), ("x-okapi-token", token.as_str())];
    Client::new(library.open.base(), &headers)
}

async fn total(client: &Client, path: &str) -> u64 {
    let page = client.get(&format!("{path}?limit=0")).await.expect(200).json();
    page["totalRecords"].as_u64().unwrap()
}

async fn first(client: &Client, path: &str, list: &str, cql: &str) -> Value {
    client.query(path, cql).await.expect(200).json()[list][0].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_library_is_read_through_the_api() {
    let library = testkit::library().await;
    make(&library, false).await.unwrap();
    let client = administrator(&library).await;
    let (made, plan) = (Library::new(plan(&library)).unwrap(), plan(&library));

    assert_eq!(total(&client, "/instance-storage/instances").await, u64::from(plan.instances));
    assert_eq!(total(&client, "/item-storage/items").await, u64::from(plan.items));
    // The administrator is also a user, and the archives start with four.
    assert_eq!(total(&client, "/users").await, u64::from(plan.users) + 5);

    let user = made.user(7);
    let cql = format!("barcode=={}", user["barcode"]);
    let found = first(&client, "/users", "users", &cql).await;
    assert_eq!(found["id"], user["id"]);
    assert_eq!(found["personal"]["lastName"], user["personal"]["lastName"]);

    let shelf = made.shelf(2);
    let item = &shelf.items[0];
    let cql = format!("barcode=={}", item["barcode"]);
    let found = first(&client, "/item-storage/items", "items", &cql).await;
    let holdings = &shelf.holdings[0];
    assert_eq!(found["id"], item["id"]);
    assert_eq!(found["effectiveLocationId"], holdings["permanentLocationId"]);
    let components = &found["effectiveCallNumberComponents"];
    assert_eq!(components["callNumber"], holdings["callNumber"]);
    assert!(found["effectiveShelvingOrder"].is_string());
    assert_eq!(found["_version"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn counters_and_numbers_go_on_where_the_sample_ends() {
    let library = testkit::library().await;
    make(&library, false).await.unwrap();
    let session = library.app.database.session(&schema_name(TENANT)).unwrap();
    let sql = "SELECT count(*), count(*) FILTER (WHERE c.open_loans IS DISTINCT FROM l.n)
        FROM (SELECT open_borrower AS id, count(*) AS n FROM loan WHERE open_borrower IS NOT NULL GROUP BY 1) l
        FULL JOIN patron_counters c ON c.user_id = l.id";
    let row = session.get(sql, &[]).await.unwrap();
    let (borrowers, wrong): (i64, i64) = (row.get(0), row.get(1));
    assert!(borrowers > 3, "{borrowers} borrowers");
    assert_eq!(wrong, 0);
    let row = session.get("SELECT next_hrid('items')", &[]).await.unwrap();
    assert_eq!(row.get::<_, String>(0), "it00000000501");
}

/// Every index and constraint of a schema, without the schema's name.
async fn shape(library: &testkit::Library, tenant: &str) -> Vec<String> {
    let session = library.app.database.session(&schema_name(tenant)).unwrap();
    let sql = "SELECT replace(pg_get_indexdef(indexrelid), current_schema() || '.', '') AS line FROM pg_index i
          JOIN pg_class c ON c.oid = indrelid WHERE relnamespace = current_schema()::regnamespace
        UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
          WHERE connamespace = current_schema()::regnamespace
        ORDER BY 1";
    let rows = session.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filled_tenant_has_the_indexes_of_any_other() {
    let library = testkit::library().await;
    make(&library, false).await.unwrap();
    let (filled, plain) = (shape(&library, TENANT).await, shape(&library, library.tenant).await);
    assert!(plain.len() > 200);
    assert_eq!(filled, plain);
}

#[tokio::test(flavor = "multi_thread")]
async fn remains_of_a_load_are_overwritten_but_not_a_tenant() {
    let library = testkit::library().await;
    assert_eq!(find(&library.app, TENANT), Found::Nothing);
    make(&library, false).await.unwrap();
    assert_eq!(find(&library.app, TENANT), Found::Tenant);
    assert!(matches!(make(&library, false).await, Err(LoadError::TenantExists(id)) if id == TENANT));
    make(&library, true).await.unwrap();

    let left = Some("A sample library, not yet complete");
    tenants::rename(&library.app.database, TENANT, "Sample library", left).await.unwrap();
    library.app.refresh_tenants().await.unwrap();
    assert_eq!(find(&library.app, TENANT), Found::Remains);
    make(&library, false).await.unwrap();
    assert_eq!(find(&library.app, TENANT), Found::Tenant);
}
