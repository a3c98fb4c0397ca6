//! A small inventory: what an item needs to exist.

use serde_json::{Value, json};
use testkit::{Client, Library, library};

/// A library with a location, the types that an item needs, and one instance with one holdings record.
pub struct SmallInventory {
    pub library: Library,
    pub material_type: String,
    pub loan_type: String,
    pub location: String,
    pub annex: String,
    pub instance_type: String,
    pub source: String,
    pub instance: String,
    pub holdings: String,
}

/// FOLIO's id of the call number type of the Library of Congress.
pub const LIBRARY_OF_CONGRESS: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";

pub fn id(record: &Value) -> String {
    record["id"].as_str().expect("an id").to_owned()
}

impl SmallInventory {
    pub async fn new() -> Self {
        let library = library().await;
        let c = library.open.clone();
        let (location, annex) = locations(&c).await;
        let named = |path: &'static str, body: Value| {
            let c = c.clone();
            async move { id(&c.create(path, &body).await) }
        };
        let material_type = named("/material-types", json!({"name": "book"})).await;
        let loan_type = named("/loan-types", json!({"name": "can circulate"})).await;
        let source = named("/holdings-sources", json!({"name": "local source", "source": "local"})).await;
        let instance_type =
            named("/instance-types", json!({"name": "text", "code": "txt", "source": "rdacontent"})).await;
        let lc = json!({"id": LIBRARY_OF_CONGRESS, "name": "LC", "source": "system"});
        c.create("/call-number-types", &lc).await;
        let mut inventory = Self {
            library,
            material_type,
            loan_type,
            location,
            annex,
            instance_type,
            source,
            instance: String::new(),
            holdings: String::new(),
        };
        inventory.instance = id(&c.create("/instance-storage/instances", &inventory.new_instance()).await);
        inventory.holdings = id(&c.create("/holdings-storage/holdings", &inventory.new_holdings()).await);
        inventory
    }

    pub fn client(&self) -> &Client {
        &self.library.open
    }

    pub fn new_instance(&self) -> Value {
        json!({"source": "FOLIO", "title": "A semantic web primer", "instanceTypeId": self.instance_type})
    }

    pub fn new_holdings(&self) -> Value {
        json!({"instanceId": self.instance, "permanentLocationId": self.location, "sourceId": self.source,
            "callNumber": "PN2 .A6", "callNumberTypeId": LIBRARY_OF_CONGRESS})
    }

    pub fn new_item(&self) -> Value {
        json!({"holdingsRecordId": self.holdings, "materialTypeId": self.material_type,
            "permanentLoanTypeId": self.loan_type, "status": {"name": "Available"}})
    }

    /// Creates an item with further members.
    pub async fn item(&self, more: Value) -> Value {
        self.client().create("/item-storage/items", &merged(self.new_item(), more)).await
    }

    pub async fn get(&self, path: &str, id: &Value) -> Value {
        let id = id.as_str().expect("an id");
        self.client().get(&format!("{path}/{id}")).await.expect(200).json()
    }
}

/// `record` with the members of `more`; `null` removes a member.
pub fn merged(mut record: Value, more: Value) -> Value {
    for (name, value) in more.as_object().expect("an object") {
        match value {
            Value::Null => drop(record.as_object_mut().expect("an object").remove(name)),
            value => record[name] = value.clone(),
        }
    }
    record
}

async fn locations(c: &Client) -> (String, String) {
    let desk = json!({"name": "Desk", "code": "d", "discoveryDisplayName": "Desk"});
    let desk = id(&c.create("/service-points", &desk).await);
    let institution = json!({"name": "Institution", "code": "i"});
    let institution = id(&c.create("/location-units/institutions", &institution).await);
    let campus = json!({"name": "Campus", "code": "c", "institutionId": institution});
    let campus = id(&c.create("/location-units/campuses", &campus).await);
    let library = json!({"name": "Library", "code": "l", "campusId": campus});
    let library = id(&c.create("/location-units/libraries", &library).await);
    let location = |name: &str| {
        json!({"name": name, "code": name, "institutionId": institution, "campusId": campus,
            "libraryId": library, "primaryServicePoint": desk, "servicePointIds": [desk], "isActive": true})
    };
    let main = id(&c.create("/locations", &location("main")).await);
    let annex = id(&c.create("/locations", &location("annex")).await);
    (main, annex)
}
