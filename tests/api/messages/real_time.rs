//! Notices sent as soon as something happens at the desk.

use jiff::SignedDuration;
use serde_json::json;

use super::noticing::{Noticing, address, mail, upon};

const LOAN: &str = "{{user.firstName}} {{item.barcode}} {{loan.numberOfRenewalsTaken}}";

#[tokio::test]
async fn the_check_outs_of_a_session_go_into_one_message() {
    let library = Noticing::new().await;
    let body = "{{user.lastName}}{{#loans}} {{item.title}} {{item.barcode}} {{loan.numberOfRenewalsAllowed}}{{/loans}}";
    let on_loan = library.template("Lent", body).await;
    let returned = library.template("Returned", "{{#loans}}{{item.barcode}} {{/loans}}").await;
    library.policy(json!([upon("Check out", &on_loan), upon("Check in", &returned)]), json!([]), json!([])).await;
    let ann = library.patron("ann").await;
    let bob = library.patron("bob").await;
    for barcode in ["1", "2", "3"] {
        library.lending.item(barcode, json!({})).await;
    }
    library.check_out("1", "ann").await;
    library.check_out("2", "ann").await;
    library.check_out("3", "bob").await;
    assert_eq!(library.sent().await, [], "nothing before the session ends");

    library.end_session(&ann, "Check-out").await;
    let expected = mail("ann", "Lent: Reader A title 1 0 A title 2 0");
    // The end of the session has entered the job.
    library.lending.library.run_jobs().await;
    assert_eq!(library.sent().await, [expected]);
    library.end_session(&ann, "Check-out").await;
    assert_eq!(library.sent().await.len(), 1, "a session ends once");

    library.lending.check_in("1", json!({})).await.expect(200);
    library.lending.check_in("3", json!({})).await.expect(200);
    library.end_session(&bob, "").await;
    let of_bob = library.sent_since(1).await;
    let expected = [mail("bob", "Returned: 3 "), mail("bob", "Lent: Reader A title 3 0")];
    assert!(of_bob.len() == 2 && expected.iter().all(|mail| of_bob.contains(mail)), "{of_bob:?}");
}

#[tokio::test]
async fn a_session_ends_by_itself_and_sends_its_notices() {
    let library = Noticing::new().await;
    let on_loan = library.template("Lent", "{{#loans}}{{item.barcode}}{{/loans}}").await;
    library.policy(json!([upon("Check out", &on_loan)]), json!([]), json!([])).await;
    let setting = json!({"name": "other_settings", "value": {"checkoutTimeout": true, "checkoutTimeoutDuration": 10}});
    library.lending.desk.create("/circulation/settings", &setting).await;
    library.patron("ann").await;
    library.lending.item("1", json!({})).await;
    library.check_out("1", "ann").await;
    let timeout = "notice-session-expiration-by-timeout";
    library.advance(SignedDuration::from_mins(9));
    library.process(timeout).await;
    assert_eq!(library.sent().await, []);
    library.advance(SignedDuration::from_mins(2));
    library.process(timeout).await;
    assert_eq!(library.sent().await, [mail("ann", "Lent: 1")]);
}

#[tokio::test]
async fn every_change_of_a_loan_sends_its_notice() {
    let library = Noticing::new().await;
    let mut notices = Vec::new();
    for event in ["Renewed", "Item recalled", "Manual due date change", "Hold request for item"] {
        notices.push(upon(event, &library.template(event, LOAN).await));
    }
    library.policy(json!(notices), json!([]), json!([])).await;
    library.patron("ann").await;
    let (bob, carl) = (library.patron("bob").await, library.patron("carl").await);
    let item = library.lending.item("1", json!({})).await;
    let loan = library.check_out("1", "ann").await;
    library.advance(SignedDuration::from_hours(24));

    let renewal = json!({"itemBarcode": "1", "userBarcode": "ann", "servicePointId": library.lending.service_point});
    let renewed = library.lending.desk.post("/circulation/renew-by-barcode", &renewal).await;
    assert_eq!(renewed.status, 422, "the policy says nothing of renewals");
    let policy = json!({"id": library.lending.loan_policy, "name": "Three weeks", "loanable": true, "renewable": true,
        "loansPolicy": {"profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"},
        "renewalsPolicy": {"unlimited": true, "renewFromId": "SYSTEM_DATE", "differentPeriod": false}});
    let path = format!("/loan-policy-storage/loan-policies/{}", library.lending.loan_policy);
    library.lending.desk.put(&path, &policy).await.expect(204);
    let renewed = library.lending.desk.post("/circulation/renew-by-barcode", &renewal).await.expect(200);
    assert!(renewed.round_trips() <= 3, "one more to read the new policy");
    assert_eq!(library.sent().await, [mail("ann", "Renewed: ann 1 1")]);

    let path = format!("/circulation/loans/{}/change-due-date", loan["id"].as_str().expect("an id"));
    let due = json!({"dueDate": "2027-03-01T00:00:00Z"});
    library.lending.desk.post(&path, &due).await.expect(204);
    assert_eq!(library.sent_since(1).await, [mail("ann", "Manual due date change: ann 1 1")]);

    let request = |requester: &str, kind: &str| {
        json!({"requestLevel": "Item", "requestType": kind, "itemId": item, "instanceId": library.lending.instance,
            "holdingsRecordId": library.lending.holdings, "requesterId": requester,
            "requestDate": "2026-11-22T00:00:00Z", "fulfillmentPreference": "Hold Shelf",
            "pickupServicePointId": library.lending.service_point})
    };
    library.lending.desk.create("/circulation/requests", &request(&bob, "Hold")).await;
    assert_eq!(library.sent_since(2).await, [mail("ann", "Hold request for item: ann 1 1")]);
    library.lending.desk.create("/circulation/requests", &request(&carl, "Recall")).await;
    assert_eq!(library.sent_since(3).await, [mail("ann", "Item recalled: ann 1 1")]);
}

#[tokio::test]
async fn every_change_of_a_request_sends_its_notice() {
    let library = Noticing::new().await;
    let body = "{{user.firstName}} {{item.barcode}} {{request.servicePointPickup}} {{request.reasonForCancellation}}";
    let mut notices = Vec::new();
    for event in ["Paging request", "Hold request", "Recall request", "Available", "Request cancellation"] {
        notices.push(upon(event, &library.template(event, body).await));
    }
    library.policy(json!([]), json!(notices), json!([])).await;
    let mut patrons = Vec::new();
    for name in ["ann", "bob", "carl"] {
        patrons.push(library.patron(name).await);
    }
    let item = library.lending.item("1", json!({})).await;
    let desk = &library.lending.desk;
    let mut made = Vec::new();
    for (requester, kind) in patrons.iter().zip(["Page", "Recall", "Hold"]) {
        let request = json!({"requestLevel": "Item", "requestType": kind, "itemId": item,
            "instanceId": library.lending.instance, "holdingsRecordId": library.lending.holdings,
            "requesterId": requester, "requestDate": "2026-11-22T00:00:00Z", "fulfillmentPreference": "Hold Shelf",
            "pickupServicePointId": library.lending.service_point});
        let answer = desk.post("/circulation/requests", &request).await.expect(201);
        assert!(answer.round_trips() <= 3);
        made.push(answer.json());
    }
    let placed = [
        mail("ann", "Paging request: ann 1 Desk "),
        mail("bob", "Recall request: bob 1 Desk "),
        mail("carl", "Hold request: carl 1 Desk "),
    ];
    assert_eq!(library.sent().await, placed);

    library.lending.check_in("1", json!({})).await.expect(200);
    assert_eq!(library.sent_since(3).await, [mail("ann", "Available: ann 1 Desk ")]);
    library.lending.check_in("1", json!({})).await.expect(200);
    assert_eq!(library.sent_since(4).await.len(), 0, "the patron knows");

    let reason = json!({"name": "Damaged", "description": "x", "publicDescription": "The item is damaged"});
    let reason = desk.create("/cancellation-reason-storage/cancellation-reasons", &reason).await;
    let mut cancelled = made[2].clone();
    cancelled["status"] = "Closed - Cancelled".into();
    cancelled["cancellationReasonId"] = reason["id"].clone();
    cancelled["cancelledByUserId"] = library.lending.librarian.as_str().into();
    cancelled["cancelledDate"] = "2026-11-22T10:00:00Z".into();
    let path = format!("/circulation/requests/{}", made[2]["id"].as_str().expect("an id"));
    desk.put(&path, &cancelled).await.expect(204);
    let expected = mail("carl", "Request cancellation: carl 1 Desk The item is damaged");
    assert_eq!(library.sent_since(4).await, [expected]);
}

#[tokio::test]
async fn a_proxy_gets_the_notices_if_the_sponsor_wants_it() {
    let library = Noticing::new().await;
    let on_loan = library.template("Lent", "{{user.firstName}}").await;
    library.policy(json!([upon("Check out", &on_loan)]), json!([]), json!([])).await;
    let (ann, bob) = (library.patron("ann").await, library.patron("bob").await);
    let relationship = json!({"userId": ann, "proxyUserId": bob, "status": "Active", "requestForSponsor": "Yes",
        "notificationsTo": "Proxy", "accrueTo": "Sponsor"});
    let relationship = library.lending.desk.create("/proxiesfor", &relationship).await;
    for (barcode, recipient) in [("1", "bob"), ("2", "ann")] {
        library.lending.item(barcode, json!({})).await;
        let proxy = json!({"proxyUserBarcode": "bob"});
        library.lending.check_out(barcode, "ann", proxy).await.expect(201);
        let before = library.sent().await.len();
        library.end_session(&ann, "").await;
        assert_eq!(library.sent_since(before).await, [mail(recipient, "Lent: ann")]);
        let mut changed = relationship.clone();
        changed["notificationsTo"] = "Sponsor".into();
        let path = format!("/proxiesfor/{}", relationship["id"].as_str().expect("an id"));
        library.lending.desk.put(&path, &changed).await.expect(204);
    }
}

#[tokio::test]
async fn a_notice_that_cannot_be_rendered_is_logged_and_stops_nothing() {
    let library = Noticing::new().await;
    let broken = library.template("Broken", "{{#open}}").await;
    let mut by_phone = upon("Check out", &broken);
    by_phone["format"] = "SMS".into();
    let unknown = uuid::Uuid::new_v4().to_string();
    for (notice, reason) in [
        (by_phone, "Delivery channel 'sms' is not supported"),
        (upon("Check out", &broken), "Template could not be rendered: the section open is not closed"),
        (upon("Check out", &unknown), &format!("Template with id {unknown} does not exist")),
    ] {
        library.policy(json!([notice]), json!([]), json!([])).await;
        let name = format!("p{}", uuid::Uuid::new_v4());
        let patron = library.patron(&name).await;
        library.lending.item(&name, json!({})).await;
        library.check_out(&name, &name).await;
        library.end_session(&patron, "").await;
        library.sent().await;
        let query = format!("to==\"{}\"", address(&name));
        let found = library.lending.desk.query("/email", &query).await.expect(200).json();
        let mail = &found["emailEntity"][0];
        assert_eq!(mail["status"], "FAILURE");
        assert_eq!(mail["message"], reason);
        assert_eq!(mail["shouldRetry"], false);
    }
}

#[tokio::test]
async fn a_library_without_notices_writes_nothing_extra() {
    let library = Noticing::new().await;
    let ann = library.patron("ann").await;
    library.lending.item("1", json!({})).await;
    library.check_out("1", "ann").await;
    library.lending.check_in("1", json!({})).await.expect(200);
    library.end_session(&ann, "").await;
    let session = library.lending.session();
    let row = session.get("SELECT count(*) FROM notice_event", &[]).await.expect("a row");
    assert_eq!(row.get::<_, i64>(0), 0);
}
