//! What policies may contain, and how the desk reads numbers as clients write them (docs/folio/policies.md).

use serde_json::{Value, json};

use super::{LendingLibrary, id};

const LOANS: &str = "/loan-policy-storage/loan-policies";
const REQUESTS: &str = "/request-policy-storage/request-policies";

fn loan_policy(renewals: &Value) -> Value {
    json!({"name": "Weeks", "loanable": true, "renewable": true, "renewalsPolicy": renewals, "loansPolicy": {
        "profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
        "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"}})
}

#[tokio::test]
async fn whole_numbers_may_be_written_as_decimal_ones() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    library.item("i-1", json!({})).await;
    let renewals = json!({"unlimited": false, "numberAllowed": 1.0, "renewFromId": "CURRENT_DUE_DATE"});
    let weeks = id(&library.desk.create(LOANS, &loan_policy(&renewals)).await);
    let fines = json!({"name": "Reminders", "overdueFine": {"quantity": 1.0, "intervalId": "day"},
        "reminderFeesPolicy": {"countClosed": true, "allowRenewalOfItemsWithReminderFees": true,
            "reminderSchedule": [{"interval": 1.0, "timeUnitId": "day", "reminderFee": 1.5,
                "noticeTemplateId": "d8df9e2f-8da1-4a9b-ba06-0f2a0d6a6a8a"}]}});
    library.desk.create("/overdue-fines-policies", &fines).await;
    let rules = format!("{}\nm {}: {}", library.rules(), library.book, library.policies(&weeks));
    library.write_rules(&rules).await.expect(204);
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let renew = json!({"itemBarcode": "i-1", "userBarcode": "p-1"});
    let path = "/circulation/renew-by-barcode";
    library.desk.post(path, &renew).await.expect(200);
    let refused = library.desk.post(path, &renew).await.expect(422);
    assert_eq!(refused.error_messages(), ["loan at maximum renewal number"]);
}

#[tokio::test]
async fn the_start_of_a_renewal_may_be_any_text() {
    let library = LendingLibrary::new().await;
    let odd = loan_policy(&json!({"unlimited": true, "renewFromId": "CURRENT_DUE_DATE_TIME"}));
    let made = library.desk.create(LOANS, &odd).await;
    let from = &made["renewalsPolicy"]["renewFromId"];
    assert_eq!(from, "CURRENT_DUE_DATE_TIME");
}

#[tokio::test]
async fn periods_are_not_negative_and_of_known_units() {
    let library = LendingLibrary::new().await;
    let mut loans = loan_policy(&json!({}));
    loans["loansPolicy"]["period"]["duration"] = json!(-1);
    let lost = |period: Value| json!({"name": "Lost", "itemAgedLostOverdue": period});
    let negative = lost(json!({"duration": -2, "intervalId": "Days"}));
    for (path, policy, key) in [
        (LOANS, loans, "loansPolicy.period.duration"),
        ("/lost-item-fees-policies", negative, "itemAgedLostOverdue.duration"),
    ] {
        let refused = library.desk.post(path, &policy).await.expect(422);
        assert_eq!(refused.error_messages(), ["must be greater than or equal to 0"]);
        assert_eq!(refused.json()["errors"][0]["parameters"][0]["key"], key);
    }
    let strange = lost(json!({"duration": 2, "intervalId": "Fortnights"}));
    let refused = library.desk.post("/lost-item-fees-policies", &strange).await;
    assert!((400..500).contains(&refused.status), "{}", refused.text);
    let years = lost(json!({"duration": 1, "intervalId": "Years"}));
    library.desk.create("/lost-item-fees-policies", &years).await;
}

#[tokio::test]
async fn only_allowed_pickup_service_points_are_accepted() {
    let library = LendingLibrary::new().await;
    let point = |code: &str, pickup: bool| {
        json!({"name": code, "code": code, "discoveryDisplayName": code, "pickupLocation": pickup,
            "holdShelfExpiryPeriod": {"duration": 3, "intervalId": "Days"}})
    };
    let open = id(&library.desk.create("/service-points", &point("front", true)).await);
    let mut closed = point("back", false);
    closed.as_object_mut().expect("a record").remove("holdShelfExpiryPeriod");
    let closed = id(&library.desk.create("/service-points", &closed).await);
    let policy =
        |points: Value| json!({"name": "Here", "requestTypes": ["Hold", "Page"], "allowedServicePoints": points});
    for points in
        [json!({"Hold": [closed]}), json!({"Hold": [open], "Page": [open, "11111111-2222-4333-8444-555555555555"]})]
    {
        let refused = library.desk.post(REQUESTS, &policy(points)).await.expect(422);
        let error = &refused.json()["errors"][0];
        assert_eq!(error["message"], "One or more Pickup locations are no longer available");
        assert_eq!(error["code"], "INVALID_ALLOWED_SERVICE_POINT");
    }
    let mut kept = library.desk.create(REQUESTS, &policy(json!({"Hold": [open], "Recall": null}))).await;
    assert_eq!(kept["allowedServicePoints"], json!({"Hold": [open]}));
    let path = format!("{REQUESTS}/{}", id(&kept));
    kept["allowedServicePoints"] = json!({"Page": [closed]});
    library.desk.put(&path, &kept).await.expect(422);
}

#[tokio::test]
async fn a_former_pickup_location_leaves_the_policies() {
    let library = LendingLibrary::new().await;
    let desk = &library.desk;
    let mut points = Vec::new();
    for code in ["front", "side", "back"] {
        let point = json!({"name": code, "code": code, "discoveryDisplayName": code, "pickupLocation": true,
            "holdShelfExpiryPeriod": {"duration": 3, "intervalId": "Days"}});
        points.push(desk.create("/service-points", &point).await);
    }
    let [front, side, back] = [0, 1, 2].map(|place| id(&points[place]));
    let policy = json!({"name": "Here", "requestTypes": ["Hold", "Page", "Recall"],
        "allowedServicePoints": {"Hold": [front, side], "Page": [side], "Recall": [side, back]}});
    let path = format!("{REQUESTS}/{}", id(&desk.create(REQUESTS, &policy).await));
    let kept = async |types: Value, allowed: Value| {
        let policy = desk.get(&path).await.expect(200).json();
        assert_eq!(policy["requestTypes"], types);
        assert_eq!(policy["allowedServicePoints"], allowed);
    };

    let mut closed = points[1].clone();
    closed["pickupLocation"] = false.into();
    closed.as_object_mut().expect("a record").remove("holdShelfExpiryPeriod");
    let at = |point: &str| format!("/service-points/{point}");
    desk.put(&at(&side), &closed).await.expect(204);
    kept(json!(["Hold", "Recall"]), json!({"Hold": [front], "Recall": [back]})).await;
    desk.delete(&at(&front)).await.expect(204);
    kept(json!(["Recall"]), json!({"Recall": [back]})).await;
    desk.delete(&at(&back)).await.expect(204);
    kept(json!([]), Value::Null).await;
}

#[tokio::test]
async fn automatic_fee_types_cannot_be_deleted() {
    let library = LendingLibrary::new().await;
    let automatic = "/feefines/9523cb96-e752-40c2-89da-60f3961a488d";
    let refused = library.desk.delete(automatic).await.expect(422);
    assert_eq!(refused.error_messages(), ["Attempt to change an automatic fee/fine type"]);
    library.desk.get(automatic).await.expect(200);
}
