//! `/circulation/{hold,pickup}-by-barcode-for-use-at-location`, and their effect on check-outs and check-ins.

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Answer, Library, library, library_with};

use super::{
    LendingLibrary, id,
    renew::{change_policy, renew},
    webhooks::listen,
};

const HOLD: &str = "/circulation/hold-by-barcode-for-use-at-location";
const PICK_UP: &str = "/circulation/pickup-by-barcode-for-use-at-location";

async fn switched_on() -> Library {
    library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.events.private_webhooks = true;
        settings.use_at_location = true;
    })
    .await
}

/// A library whose books are read there and held for three days.
async fn reading_room() -> LendingLibrary {
    let library = LendingLibrary::within(switched_on().await).await;
    let policy = json!({"profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
        "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE", "forUseAtLocation": true,
        "holdShelfExpiryPeriodForUseAtLocation": {"duration": 3, "intervalId": "Days"}});
    change_policy(&library, json!({"loansPolicy": policy})).await;
    library
}

/// Checks out `i-1` to `p-1`; returns the loan.
async fn on_loan(library: &LendingLibrary) -> Value {
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let checked_out = library.check_out("i-1", "p-1", json!({})).await;
    checked_out.expect(201).json()
}

async fn hold(library: &LendingLibrary, item: &str) -> Answer {
    let body = json!({"itemBarcode": item});
    library.desk.post(HOLD, &body).await
}

async fn pick_up(library: &LendingLibrary, item: &str, user: &str) -> Answer {
    let body = json!({"itemBarcode": item, "userBarcode": user});
    library.desk.post(PICK_UP, &body).await
}

async fn stored(library: &LendingLibrary, loan: &Value) -> Value {
    library.stored("/loan-storage/loans", &id(loan)).await
}

/// The only loan that a query of FOLIO's desk pages finds.
async fn found(library: &LendingLibrary, cql: &str) -> Option<Value> {
    let loans = library.desk.query("/circulation/loans", cql).await;
    let mut loans = loans.expect(200).json();
    let loans = loans["loans"].as_array_mut().expect("loans");
    assert!(loans.len() < 2, "{loans:#?}");
    loans.pop()
}

#[tokio::test]
async fn an_item_is_checked_out_held_picked_up_and_returned() {
    let library = reading_room().await;
    let loan = on_loan(&library).await;
    assert_eq!(loan["forUseAtLocation"]["status"], "In use");
    assert_eq!(loan["action"], "checkedout");
    let patron = loan["userId"].as_str().expect("a patron");
    let point = &library.service_point;
    let on_shelf =
        format!("(userId=={patron} and checkoutServicePointId=={point} and forUseAtLocation.status=\"Held\")");
    assert_eq!(found(&library, &on_shelf).await, None);

    let held = hold(&library, "i-1").await.expect(200);
    assert_eq!(held.round_trips(), 2);
    let held = held.json();
    assert_eq!(held.as_object().map(|body| body.len()), Some(1));
    let held = &held["loan"];
    assert_eq!(held["id"], loan["id"]);
    assert_eq!(held["action"], "heldForUseAtLocation");
    assert_eq!(held["item"]["barcode"], "i-1");
    assert_eq!(held["item"]["status"]["name"], "Checked out");
    assert_eq!(held["item"]["title"], "A title");
    let usage = &held["forUseAtLocation"];
    assert_eq!(usage["status"], "Held");
    let until = usage["holdShelfExpirationDate"].as_str().expect("a date");
    assert!(until.ends_with("T23:59:59.000Z"), "{until}");
    assert!(usage["statusDate"].as_str().is_some_and(|at| at.ends_with('Z')));
    let kept = stored(&library, &loan).await;
    assert_eq!(kept["forUseAtLocation"]["holdShelfExpirationDate"], until.replace('Z', "+00:00"));
    assert_eq!(kept["metadata"]["updatedByUserId"], *library.librarian);
    assert_eq!(kept["dueDate"], loan["dueDate"]);
    let shown = found(&library, &on_shelf).await.expect("a loan on the shelf");
    assert_eq!(shown["forUseAtLocation"], kept["forUseAtLocation"]);

    let in_use = pick_up(&library, "I-1", "p-1").await.expect(200);
    assert_eq!(in_use.round_trips(), 2);
    let path = format!("/circulation/loans/{}", id(&loan));
    assert_eq!(in_use.header("location"), Some(&*path));
    let in_use = in_use.json();
    assert_eq!(in_use["id"], loan["id"]);
    assert_eq!(in_use["action"], "pickedUpForUseAtLocation");
    let members: Vec<_> = in_use["forUseAtLocation"].as_object().expect("a use").keys().collect();
    assert_eq!(members, ["status", "statusDate"]);
    assert_eq!(in_use["forUseAtLocation"]["status"], "In use");

    hold(&library, "i-1").await.expect(200);
    let returned = library.check_in("i-1", json!({})).await.expect(200).json();
    let returned = &returned["loan"]["forUseAtLocation"];
    assert_eq!(returned["status"], "Returned");
    assert_eq!(returned.get("holdShelfExpirationDate"), None);
    let kept = stored(&library, &loan).await;
    assert_eq!((&kept["forUseAtLocation"], &kept["action"]), (returned, &json!("checkedin")));
    let gone = hold(&library, "i-1").await.expect(400);
    assert_eq!(gone.text, "No open loan found for the item barcode. (i-1)");
}

#[tokio::test]
async fn a_held_loan_can_be_renewed_and_stays_held() {
    let library = reading_room().await;
    change_policy(&library, json!({"renewalsPolicy": {"unlimited": true, "renewFromId": "CURRENT_DUE_DATE"}})).await;
    let loan = on_loan(&library).await;
    hold(&library, "i-1").await.expect(200);
    let before = stored(&library, &loan).await["forUseAtLocation"].clone();
    let renewed = renew(&library, json!({})).await.expect(200).json();
    assert_eq!(renewed["forUseAtLocation"], before);
    assert_eq!(renewed["action"], "renewed");
    assert_eq!(stored(&library, &loan).await["forUseAtLocation"], before);
}

#[tokio::test]
async fn the_history_of_a_loan_has_each_use() {
    let library = reading_room().await;
    let loan = on_loan(&library).await;
    hold(&library, "i-1").await.expect(200);
    pick_up(&library, "i-1", "p-1").await.expect(200);
    library.check_in("i-1", json!({})).await.expect(200);
    let cql = format!("loan.id=={} sortby createdDate", id(&loan));
    let history = library.desk.query("/loan-storage/loan-history", &cql).await;
    let history = history.expect(200).json();
    let actions: Vec<_> = history["loansHistory"]
        .as_array()
        .expect("versions")
        .iter()
        .map(|version| (&version["loan"]["action"], &version["loan"]["forUseAtLocation"]["status"]))
        .map(|(action, status)| (action.as_str().unwrap_or(""), status.as_str().unwrap_or("")))
        .collect();
    assert_eq!(
        actions,
        [
            ("checkedout", "In use"),
            ("heldForUseAtLocation", "Held"),
            ("pickedUpForUseAtLocation", "In use"),
            ("checkedin", "Returned"),
        ]
    );
}

#[tokio::test]
async fn simultaneous_holds_leave_one_use_and_no_failure() {
    let library = reading_room().await;
    let loan = on_loan(&library).await;
    let turns = join_all((0..20).map(|turn| {
        let library = &library;
        async move {
            match turn % 2 {
                0 => hold(library, "i-1").await,
                _ => pick_up(library, "i-1", "p-1").await,
            }
        }
    }));
    for answer in turns.await {
        answer.expect(200);
    }
    let kept = stored(&library, &loan).await;
    let expected = match kept["action"].as_str() {
        Some("heldForUseAtLocation") => "Held",
        Some("pickedUpForUseAtLocation") => "In use",
        other => panic!("{other:?}"),
    };
    assert_eq!(kept["forUseAtLocation"]["status"], expected);
}

#[tokio::test]
async fn the_log_has_each_use() {
    let library = reading_room().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let mut hook = listen(&library, &["LOG_RECORD"]).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let (held, picked_up) = ("Held for use at location", "Picked up for use at location");
    hold(&library, "i-1").await.expect(200);
    library.library.clock.advance(jiff::SignedDuration::from_secs(1));
    hold(&library, "i-1").await.expect(200);
    pick_up(&library, "i-1", "p-1").await.expect(200);
    let mut actions = Vec::new();
    for _ in 0..5 {
        let line = hook.next().await.body;
        if line["logEventType"] == "CHECK_OUT_EVENT" {
            actions.push("checked out".to_owned());
            continue;
        }
        assert_eq!(line["logEventType"], "LOAN");
        let line = &line["payload"];
        let about = json!({"loanId": loan["id"], "userId": patron, "userBarcode": "p-1", "itemId": item,
            "itemBarcode": "i-1", "servicePointId": library.service_point, "updatedByUserId": library.librarian});
        for (member, value) in about.as_object().expect("members") {
            assert_eq!(&line[member], value, "{member}");
        }
        assert_eq!(line["description"], line["action"]);
        actions.push(line["action"].as_str().expect("an action").to_owned());
    }
    assert_eq!(actions, [picked_up, "checked out", held, held, picked_up]);
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn refusals_are_reported() {
    let library = reading_room().await;
    on_loan(&library).await;
    library.patron("p-2", json!({})).await;
    let other = json!({"materialTypeId": library.map, "status": {"name": "Available"}});
    library.item("i-2", other).await;
    let not_theirs = "No open loan found for item barcode and user  (i-1 and p-2).";
    let refused = pick_up(&library, "i-1", "p-2").await.expect(400);
    assert_eq!(refused.text, not_theirs);
    for item in ["i-2", "nothing"] {
        let refused = hold(&library, item).await.expect(400);
        let text = format!("No open loan found for the item barcode. ({item})");
        assert_eq!(refused.text, text);
        let refused = pick_up(&library, item, "p-1").await.expect(400);
        let text = format!("No open loan found for item barcode and user  ({item} and p-1).");
        assert_eq!(refused.text, text);
    }

    // Closed days move the end of the hold, but the service point has no calendar.
    let path = format!("/service-points/{}", library.service_point);
    let mut point = library.desk.get(&path).await.expect(200).json();
    point["holdShelfClosedLibraryDateManagement"] = "Move_to_the_end_of_the_next_open_day".into();
    library.desk.put(&path, &point).await.expect(204);
    let errors = hold(&library, "i-1").await.expect(422).json();
    let error = &errors["errors"][0];
    assert_eq!(error["message"], "Calendar timetable is absent for requested date");
    assert_eq!(error["code"], "CALENDAR_TIMETABLE_ABSENT");
    pick_up(&library, "i-1", "p-1").await.expect(200);
}

#[tokio::test]
async fn an_item_borrowed_for_home_cannot_be_held() {
    let library = LendingLibrary::within(switched_on().await).await;
    let loan = on_loan(&library).await;
    assert_eq!(loan.get("forUseAtLocation"), None);
    let refused = hold(&library, "i-1").await.expect(400);
    assert_eq!(refused.text, "The loan is open but is not for use at location., item barcode (i-1)");
    let refused = pick_up(&library, "i-1", "p-1").await.expect(400);
    assert_eq!(refused.text, "The loan is open but is not for use at location, item barcode (i-1)");
    let returned = library.check_in("i-1", json!({})).await.expect(200).json();
    assert_eq!(returned["loan"].get("forUseAtLocation"), None);
}

#[tokio::test]
async fn a_policy_has_no_effect_while_the_feature_is_off() {
    let library = LendingLibrary::new().await;
    let policy = json!({"profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
        "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE", "forUseAtLocation": true});
    change_policy(&library, json!({"loansPolicy": policy})).await;
    let loan = on_loan(&library).await;
    assert_eq!(loan.get("forUseAtLocation"), None);
    for refused in [hold(&library, "i-1").await.expect(400), pick_up(&library, "i-1", "p-1").await.expect(400)] {
        assert_eq!(refused.text, "For-use-at-location is not enabled for this tenant.");
    }
    let mut loan = stored(&library, &loan).await;
    loan["forUseAtLocation"] = json!({"status": "In use"});
    let path = format!("/loan-storage/loans/{}", id(&loan));
    library.desk.put(&path, &loan).await.expect(204);
    library.check_in("i-1", json!({})).await.expect(200);
    let kept = stored(&library, &loan).await;
    assert_eq!(kept["forUseAtLocation"], json!({"status": "In use"}));
}

#[tokio::test]
async fn a_request_needs_item_and_patron() {
    let library = library().await;
    for (path, body, message, key) in [
        (
            HOLD,
            json!({"itemBarcode": " "}),
            "Request to put item on hold shelf must have an item barcode",
            "itemBarcode",
        ),
        (PICK_UP, json!([]), "Request to pick up from hold shelf must have an item barcode", "itemBarcode"),
        (
            PICK_UP,
            json!({"itemBarcode": "i"}),
            "Request to pick up from hold shelf must have a user barcode",
            "userBarcode",
        ),
    ] {
        let errors = library.open.post(path, &body).await.expect(422).json();
        let parameter = json!({"key": key, "value": null});
        let expected = json!({"errors": [{"message": message, "parameters": [parameter]}]});
        assert_eq!(errors, expected);
    }
}
