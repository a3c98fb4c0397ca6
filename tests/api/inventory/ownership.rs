use serde_json::{Value, json};

use super::SmallInventory;

const NOBODY: &str = "11111111-1111-4111-8111-111111111111";

/// Carrel's libraries are not in a consortium; this is FOLIO's answer to such a library.
#[tokio::test]
async fn records_cannot_move_to_another_library() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let items = json!({"toHoldingsRecordId": NOBODY, "itemIds": [NOBODY], "targetTenantId": "other"});
    let holdings = json!({"toInstanceId": NOBODY, "holdingsRecordIds": [NOBODY], "targetLocationId": NOBODY,
        "targetTenantId": "other"});
    for (kind, body) in [("items", items), ("holdings", holdings)] {
        let path = format!("/inventory/{kind}/update-ownership");
        let refused = c.post(&path, &body).await.expect(400);
        assert_eq!(refused.text, "test tenant is not in consortia");
        for name in body.as_object().expect("members").keys() {
            let mut without = body.clone();
            without[name] = match &body[name] {
                Value::Array(_) => json!([]),
                _ => Value::Null,
            };
            let refused = c.post(&path, &without).await.expect(422).json();
            let message = format!("{name} is a required field");
            assert_eq!(refused["errors"][0]["message"], message, "{path}");
        }
        let mut own = body.clone();
        own["targetTenantId"] = "test".into();
        let refused = c.post(&path, &own).await.expect(422).json();
        assert_eq!(refused["errors"][0]["message"], "targetTenantId field cannot be equal to source tenant id");
    }
}
