use serde_json::{Value, json};

use super::{SmallInventory, small_inventory::merged};

#[tokio::test]
async fn a_location_is_served_by_its_service_points() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let path = format!("/locations/{}", inventory.location);
    let location = c.get(&path).await.expect(200).json();
    let desk = location["primaryServicePoint"].clone();
    let other = "11111111-1111-4111-8111-111111111111";
    for (change, message) in [
        (json!({"servicePointIds": []}), "A location must have at least one Service Point assigned."),
        (json!({"servicePointIds": [desk, desk]}), "A Service Point can only appear once on a Location."),
        (
            json!({"primaryServicePoint": other}),
            "A Location's Primary Service point must be included as a Service Point.",
        ),
        (json!({"id": other}), "Illegal operation: id cannot be changed"),
    ] {
        let refused = c.put(&path, &merged(location.clone(), change)).await.expect(422);
        assert_eq!(refused.error_messages(), [message]);
    }
    let refused = c.put(&path, &merged(location.clone(), json!({"name": "annex"}))).await.expect(422);
    let message = "lower(f_unaccent(jsonb ->> 'name'::text)) value already exists in table location: annex";
    assert_eq!(refused.error_messages(), [message]);
    c.put(&path, &merged(location, json!({"description": "ground floor"}))).await.expect(204);
}

#[tokio::test]
async fn a_hold_shelf_has_an_expiry_period() {
    let inventory = SmallInventory::new().await;
    let desk = json!({"name": "Hold desk", "code": "h", "discoveryDisplayName": "Holds"});
    let period = json!({"duration": 3, "intervalId": "Days"});
    let (missing, superfluous) = (
        merged(desk.clone(), json!({"pickupLocation": true})),
        merged(desk.clone(), json!({"holdShelfExpiryPeriod": period})),
    );
    for (body, message) in [
        (missing, "Hold shelf expiry period must be specified when service point can be used for pickup."),
        (superfluous, "Hold shelf expiry period cannot be specified when service point cannot be used for pickup"),
        (merged(desk.clone(), json!({"code": "d"})), "Service Point Exists"),
    ] {
        let refused = inventory.client().post("/service-points", &body).await.expect(422);
        assert_eq!(refused.error_messages(), [message]);
        assert_eq!(refused.json()["errors"][0]["parameters"], json!([{"key": "name", "value": "Hold desk"}]));
    }
    let good = merged(desk, json!({"pickupLocation": true, "holdShelfExpiryPeriod": period}));
    let created = inventory.client().create("/service-points", &good).await;
    assert_eq!(created["holdShelfClosedLibraryDateManagement"], "Keep_the_current_due_date");
}

#[tokio::test]
async fn the_id_of_a_unit_cannot_change() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for (path, list, unit) in [
        ("/location-units/institutions", "locinsts", "Institution"),
        ("/location-units/campuses", "loccamps", "Campus"),
        ("/location-units/libraries", "loclibs", "Library"),
    ] {
        let record = c.get(path).await.expect(200).json()[list][0].clone();
        let other = merged(record.clone(), json!({"id": "11111111-1111-4111-8111-111111111111"}));
        let path = format!("{path}/{}", record["id"].as_str().unwrap());
        let text = format!("Illegal operation: {unit} ID cannot be changed");
        assert_eq!(c.put(&path, &other).await.expect(400).text, text);
        c.put(&path, &record).await.expect(204);
    }
}

#[tokio::test]
async fn shadows_and_routing_desks_are_hidden() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let shadow = json!({"name": "Shadow", "code": "s", "isShadow": true});
    c.create("/location-units/institutions", &shadow).await;
    let routing = json!({"name": "Routing", "code": "r", "discoveryDisplayName": "r", "ecsRequestRouting": true});
    c.create("/service-points", &routing).await;
    let total = async |path: &str| -> Value { c.get(path).await.expect(200).json()["totalRecords"].clone() };
    assert_eq!(total("/location-units/institutions").await, 1);
    assert_eq!(total("/location-units/institutions?includeShadow=true").await, 2);
    assert_eq!(total("/service-points").await, 1);
    assert_eq!(total("/service-points?includeRoutingServicePoints=true").await, 2);
}
