//! mod-entities-links: authorities (docs/folio/authorities.md), and their search.

mod browse;
mod links;
mod lists;
mod loading;
mod note_types;
mod records;
mod search;
mod source_files;

use api::app::Settings;
use serde_json::{Value, json};
use testkit::{Answer, Client, Library, library_with};

/// A library with authorities.
struct Decided {
    library: Library,
    client: Client,
}

const TENANT: &str = "lib1";
const PATH: &str = "/authority-storage/authorities";
const FILES: &str = "/authority-source-files";
/// Reference data of FOLIO.
const LCSH: &str = "837e2c7b-037b-4113-9dfd-b1b8aeeb1fb8";
const LCNAF: &str = "af045f2f-e851-4613-984c-4bc13430454a";
const LCCN: &str = "c858e4f2-2b6b-4385-842b-60732ee14abb";
const TEXT: &str = "6312d172-f0cf-40f6-b27d-9fa8feaf332f";
const PERSONAL_NAME: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

impl Decided {
    async fn new() -> Self {
        Self::with(|_| ()).await
    }

    /// The same, with settings of the test's own.
    async fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let library = library_with(|settings| {
            settings.allow_open_tenants = true;
            change(settings);
        })
        .await;
        library.open.create("/_/proxy/tenants", &json!({"id": TENANT, "name": "x"})).await;
        let modules = ["mod-inventory-storage", "mod-settings", "mod-search", "mod-entities-links"];
        let steps: Vec<Value> = modules.iter().map(|id| json!({"id": id, "action": "enable"})).collect();
        let parameters = "tenantParameters=loadReference%3Dtrue";
        let path = format!("/_/proxy/tenants/{TENANT}/install?{parameters}");
        library.open.post(&path, &Value::from(steps)).await.expect(200);
        let client = Client::new(library.open.base(), &[("x-okapi-tenant", TENANT)]);
        Self { library, client }
    }

    /// Makes an authority with these members and returns it.
    async fn authority(&self, more: Value) -> Value {
        let mut record = json!({"source": "MARC", "naturalId": "n1"});
        for (name, value) in more.as_object().expect("an object") {
            record[name] = value.clone();
        }
        self.client.create(PATH, &record).await
    }

    async fn find(&self, query: &str) -> Value {
        let answer = self.client.query("/search/authorities", query).await.expect(200);
        assert!(answer.headers.get("x-carrel-search-behind").is_none(), "the index is behind");
        answer.json()
    }

    /// The headings found, in their order.
    async fn headings(&self, query: &str) -> Vec<String> {
        let found = self.find(query).await;
        let headings: Vec<String> = found["authorities"].as_array().expect("a list").iter().map(heading).collect();
        assert_eq!(found["totalRecords"], headings.len());
        headings
    }
}

fn heading(found: &Value) -> String {
    found["headingRef"].as_str().unwrap_or_default().to_owned()
}

fn id(record: &Value) -> String {
    record["id"].as_str().expect("an id").to_owned()
}

/// The message and the code of the only error.
#[track_caller]
fn refusal(answer: &Answer) -> (String, String) {
    let body = answer.json();
    assert_eq!(body["total_records"], 1, "{body}");
    let text = |name: &str| body["errors"][0][name].as_str().unwrap_or_default().to_owned();
    (text("message"), text("code"))
}
