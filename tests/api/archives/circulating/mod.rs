//! Containers that circulate (docs/archivesspace/circulating-boxes.md): each is an item, and both sides stay true.

mod life;
mod upkeep;

use super::*;
use crate::{
    circulation::lending_library::{LendingLibrary, id},
    desk_tables::disagreements,
};

/// A library that lends books and boxes, its archives, and a repository whose containers circulate.
struct ReadingRoom {
    lending: LendingLibrary,
    admin: Client,
    repository: String,
    /// Of the items of boxes.
    material_type: String,
    loan_type: String,
}

impl ReadingRoom {
    async fn new() -> Self {
        let mut room = Self::closed().await;
        room.open(json!({})).await.expect(200);
        let circulation = room.circulation().await;
        let text = |name: &str| circulation[name].as_str().expect("an id").to_owned();
        (room.material_type, room.loan_type) = (text("material_type_id"), text("loan_type_id"));
        room
    }

    /// The same before its containers circulate.
    async fn closed() -> Self {
        let lending = LendingLibrary::new().await;
        user(&lending.library, "admin", &["perms.all"]).await;
        let admin = signed_in(&lending.library, "admin").await;
        let sent = json!({"repo_code": "MSS", "name": "Manuscripts"});
        let repository = uri(&admin.post("/repositories", &sent).await.expect(200));
        Self { lending, admin, repository, material_type: String::new(), loan_type: String::new() }
    }

    fn path(&self) -> String {
        format!("{}/container_circulation", self.repository)
    }

    async fn open(&self, wanted: Value) -> Answer {
        self.admin.post(&self.path(), &wanted).await
    }

    async fn circulation(&self) -> Value {
        self.get(&self.path()).await
    }

    async fn get(&self, path: &str) -> Value {
        self.admin.get(path).await.expect(200).json()
    }

    async fn add(&self, path: &str, record: &Value) -> String {
        uri(&self.admin.post(path, record).await.expect(200))
    }

    /// A box; returns its address.
    async fn container(&self, indicator: &str, barcode: &str) -> String {
        let sent = json!({"indicator": indicator, "type": "box", "barcode": barcode});
        self.add(&format!("{}/top_containers", self.repository), &sent).await
    }

    async fn collection(&self, number: &str) -> String {
        self.add(&format!("{}/resources", self.repository), &resource(number)).await
    }

    /// A component of a collection that is in a box; returns its address.
    async fn file(&self, collection: &str, container: &str) -> String {
        let mut file = component("Letters", collection, None);
        file["instances"] = json!([{"instance_type": "mixed_materials",
            "sub_container": {"top_container": {"ref": container}}}]);
        self.add(&format!("{}/archival_objects", self.repository), &file).await
    }

    /// The record, with a member replaced, saved again.
    async fn change(&self, uri: &str, member: &str, value: Value) -> Answer {
        let mut record = self.get(uri).await;
        match value {
            Value::Null => drop(record.as_object_mut().expect("an object").remove(member)),
            value => record[member] = value,
        }
        self.admin.post(uri, &record).await
    }

    /// The items with a barcode.
    async fn items(&self, barcode: &str) -> Vec<Value> {
        let found = self.lending.desk.query("/item-storage/items", &format!("barcode=={barcode}")).await;
        found.expect(200).json()["items"].as_array().expect("a list").clone()
    }

    async fn item(&self, barcode: &str) -> Value {
        let mut found = self.items(barcode).await;
        assert_eq!(found.len(), 1, "{barcode}: {found:#?}");
        found.remove(0)
    }

    /// The holdings and the instance of an item.
    async fn above(&self, item: &Value) -> (Value, Value) {
        let text = |of: &Value, name: &str| of[name].as_str().expect("an id").to_owned();
        let holdings = self.lending.stored("/holdings-storage/holdings", &text(item, "holdingsRecordId")).await;
        let instance = self.lending.stored("/instance-storage/instances", &text(&holdings, "instanceId")).await;
        (holdings, instance)
    }

    /// Asks for a box, to be read at the desk.
    async fn ask(&self, barcode: &str, patron: &str) -> Answer {
        let item = self.item(barcode).await;
        let (holdings, instance) = self.above(&item).await;
        let request = json!({"requestLevel": "Item", "requestType": "Page", "itemId": item["id"],
            "instanceId": instance["id"], "holdingsRecordId": holdings["id"], "requesterId": patron,
            "requestDate": "2026-11-01T00:00:00Z", "fulfillmentPreference": "Hold Shelf",
            "pickupServicePointId": self.lending.service_point});
        self.lending.desk.post("/circulation/requests", &request).await
    }

    /// That both sides agree, as the doctor sees it.
    async fn agrees(&self) {
        assert_eq!(disagreements(&self.lending.library).await, Vec::<String>::new());
    }
}
