//! Tenants, modules and their installation (docs/folio/okapi.md).

mod announced;
mod discovery;
mod install;
mod modules;
mod tenants;
mod timers;

use serde_json::{Value, json};
use testkit::{Client, Library, library};

fn at(library: &Library, tenant: &str) -> Client {
    library.open.with_header("x-okapi-tenant", tenant)
}

fn ids(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("an array");
    list.iter().map(|entry| entry["id"].as_str().expect("an id").to_owned()).collect()
}

async fn install(library: &Library, parameters: &str, steps: Value) -> Value {
    let path = format!("/_/proxy/tenants/lib1/install{parameters}");
    library.open.post(&path, &steps).await.expect(200).json()
}

async fn total(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).json()["totalRecords"].clone()
}

#[tokio::test]
async fn version_and_health_are_public() {
    let library = library().await;
    api::platform::prepare(&library.app).await.expect("a supertenant");
    let anonymous = Client::new(library.open.base(), &[]);
    assert_eq!(anonymous.get("/_/version").await.expect(200).text, "6.2.6");
    assert_eq!(anonymous.get("/_/proxy/health").await.expect(200).text, "[ ]");
    anonymous.get("/_/health").await.expect(404);
}

#[tokio::test]
async fn the_supertenant_exists_and_requires_tokens() {
    let library = library().await;
    api::platform::prepare(&library.app).await.expect("a supertenant");
    let anonymous = Client::new(library.open.base(), &[]);
    let refused = anonymous.get("/_/proxy/tenants").await.expect(400);
    assert_eq!(refused.text, "Token missing, access requires permission: okapi.proxy.tenants.list");
    let tenants = library.open.get("/_/proxy/tenants").await.expect(200).json();
    assert_eq!(ids(&tenants), ["supertenant", "test"]);
    let refused = library.open.delete("/_/proxy/tenants/supertenant").await.expect(400);
    assert_eq!(refused.text, "Can not delete the superTenant supertenant");
}
