//! mod-search: the search of the catalogue (docs/folio/search.md).

mod browse;
mod browse_settings;
mod facets;
mod ids;
mod indexes;
mod instances;
mod list_facets;
mod refusals;
mod relevance;
mod settings;

use serde_json::{Value, json};
use store::db::Transaction;
use testkit::{Client, Library, library};

/// FOLIO's sample library, searched.
struct Searched {
    library: Library,
    client: Client,
}

const TENANT: &str = "lib1";
/// Reference data of FOLIO.
const TEXT: &str = "6312d172-f0cf-40f6-b27d-9fa8feaf332f";
const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";
const ISSN: &str = "913300b2-03ed-469a-8179-c1092c991227";
const OCLC: &str = "439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef";
const LCCN: &str = "c858e4f2-2b6b-4385-842b-60732ee14abb";
const CANCELED_LCCN: &str = "c858e4f2-2b6b-4385-842b-60532ee34abb";
const PERSONAL_NAME: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
const UNIFORM_TITLE: &str = "30512027-cdc9-4c79-af75-1565b3bd888d";
const MAIN_LIBRARY: &str = "fcd64ce1-6995-48f0-840e-89ffa2288371";
const BOOK: &str = "1a54b431-2e4f-452d-9cae-9cee66c9a892";
const CAN_CIRCULATE: &str = "2b94c631-fca9-4892-a730-03ee529ffe27";
const FOLIO_SOURCE: &str = "f32d531e-df79-46b3-8932-cdd35f7a2264";

impl Searched {
    async fn new() -> Self {
        Self::of(library().await).await
    }

    async fn of(library: Library) -> Self {
        library.open.create("/_/proxy/tenants", &json!({"id": TENANT, "name": "x"})).await;
        let steps =
            json!([{"id": "mod-inventory-storage", "action": "enable"}, {"id": "mod-search", "action": "enable"}]);
        let parameters = "tenantParameters=loadReference%3Dtrue%2CloadSample%3Dtrue";
        library.open.post(&format!("/_/proxy/tenants/{TENANT}/install?{parameters}"), &steps).await.expect(200);
        let client = Client::new(library.open.base(), &[("x-okapi-tenant", TENANT)]);
        Self { library, client }
    }

    /// Keeps everybody from reading a table of the library until it is let go of.
    async fn hold(&self, table: &str) -> Transaction {
        let app = &self.library.app;
        let session = app.session(&app.tenant(TENANT).expect("the tenant")).expect("a session");
        let held = session.begin().await.expect("a transaction");
        held.execute(&format!("LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"), &[]).await.expect("a lock");
        held
    }

    async fn find(&self, query: &str) -> Value {
        let answer = self.client.query("/search/instances", query).await.expect(200);
        assert!(answer.headers.get("x-carrel-search-behind").is_none(), "the index is behind");
        answer.json()
    }

    /// How many instances a query finds.
    async fn total(&self, query: &str) -> u64 {
        self.find(query).await["totalRecords"].as_u64().expect("a number")
    }

    /// The beginnings of the titles found, in their order.
    async fn titles(&self, query: &str) -> Vec<String> {
        let found = self.find(query).await;
        let titles = found["instances"].as_array().expect("a list").iter();
        titles.map(|one| one["title"].as_str().expect("a title").chars().take(20).collect()).collect()
    }

    /// Makes an instance with these members and returns its id.
    async fn instance(&self, more: Value) -> String {
        let mut record = json!({"source": "FOLIO", "title": "Untitled", "instanceTypeId": TEXT});
        for (name, value) in more.as_object().expect("an object") {
            record[name] = value.clone();
        }
        id(&self.client.create("/instance-storage/instances", &record).await)
    }

    async fn holdings(&self, instance: &str, more: Value) -> String {
        let mut record = json!({"instanceId": instance, "permanentLocationId": MAIN_LIBRARY, "sourceId": FOLIO_SOURCE});
        for (name, value) in more.as_object().expect("an object") {
            record[name] = value.clone();
        }
        id(&self.client.create("/holdings-storage/holdings", &record).await)
    }

    async fn item(&self, holdings: &str, more: Value) -> String {
        let mut record = json!({"holdingsRecordId": holdings, "materialTypeId": BOOK,
            "permanentLoanTypeId": CAN_CIRCULATE, "status": {"name": "Available"}});
        for (name, value) in more.as_object().expect("an object") {
            record[name] = value.clone();
        }
        id(&self.client.create("/item-storage/items", &record).await)
    }

    /// Reads a record, changes a member and saves it.
    async fn change(&self, path: &str, member: &str, value: Value) {
        let mut record = self.client.get(path).await.expect(200).json();
        record[member] = value;
        self.client.put(path, &record).await.expect(204);
    }
}

fn id(record: &Value) -> String {
    record["id"].as_str().expect("an id").to_owned()
}
