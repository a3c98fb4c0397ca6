//! Notices relative to dates: due dates, request expiry, fees.

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::noticing::{Noticing, mail, upon};

const LOANS: &str = "loan-scheduled-notices-processing";
const LOANS_DAILY: &str = "due-date-not-real-time-scheduled-notices-processing";
const REQUESTS: &str = "request-scheduled-notices-processing";

fn days(number: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * number)
}

/// A notice some days before or after an event.
fn around(event: &str, template: &str, how: &str, by: i64, every: Option<i64>) -> Value {
    let mut notice = upon(event, template);
    notice["sendOptions"]["sendHow"] = how.into();
    notice["sendOptions"]["sendBy"] = json!({"duration": by, "intervalId": "Days"});
    notice["frequency"] = "One time".into();
    if let Some(every) = every {
        notice["frequency"] = "Recurring".into();
        notice["sendOptions"]["sendEvery"] = json!({"duration": every, "intervalId": "Days"});
    }
    notice
}

/// A library with notices three days before the due date, on it, and every two days after it.
async fn library() -> Noticing {
    let library = Noticing::new().await;
    let body = "{{user.firstName}} {{item.barcode}}";
    let (soon, today, late) = (
        library.template("Soon", body).await,
        library.template("Today", body).await,
        library.template("Late", body).await,
    );
    let notices = json!([
        around("Due date", &soon, "Before", 3, None),
        upon("Due date", &today),
        around("Due date", &late, "After", 1, Some(2)),
    ]);
    library.policy(notices, json!([]), json!([])).await;
    library.patron("ann").await;
    library
}

#[tokio::test]
async fn notices_are_sent_before_on_and_repeatedly_after_a_due_date() {
    let library = library().await;
    library.lending.item("1", json!({})).await;
    let loan = library.check_out("1", "ann").await;
    let scheduled = library.scheduled().await;
    assert_eq!(scheduled.len(), 3);
    let (soon, late) = (&scheduled[0], &scheduled[2]);
    assert_eq!(soon["triggeringEvent"], "Due date");
    assert_eq!(soon["loanId"], loan["id"]);
    assert_eq!(soon["recipientUserId"], loan["userId"]);
    let config = &soon["noticeConfig"];
    assert_eq!((&config["timing"], &config["format"]), (&json!("Before"), &json!("Email")));
    assert_eq!(config["sendInRealTime"], true);
    assert_eq!(config.get("recurringPeriod"), None);
    assert_eq!(late["noticeConfig"]["recurringPeriod"], json!({"duration": 2, "intervalId": "Days"}));

    let mut seen = 0;
    // The loan is for 21 days, to the end of a day.
    for (day, expected) in [
        (17, None),
        (19, Some("Soon")),
        (20, None),
        (22, Some("Today")),
        (23, Some("Late")),
        (24, None),
        (25, Some("Late")),
    ] {
        let start = library.now();
        let target = loan["loanDate"].as_str().expect("a date").parse::<jiff::Timestamp>().expect("a date");
        library.advance((target + days(day)).duration_since(start));
        library.process(LOANS).await;
        let sent = library.sent_since(seen).await;
        seen += sent.len();
        let expected: Vec<_> = expected.map(|name| mail("ann", &format!("{name}: ann 1"))).into_iter().collect();
        assert_eq!(sent, expected, "day {day}");
    }

    library.lending.check_in("1", json!({})).await.expect(200);
    library.advance(days(3));
    library.process(LOANS).await;
    assert_eq!(library.sent_since(seen).await, [], "the item is back");
    assert_eq!(library.scheduled().await, [] as [Value; 0], "nothing is left");
}

#[tokio::test]
async fn a_new_due_date_moves_the_notices() {
    let library = library().await;
    library.lending.item("1", json!({})).await;
    let loan = library.check_out("1", "ann").await;
    let before = library.scheduled().await;
    let path = format!("/circulation/loans/{}/change-due-date", loan["id"].as_str().expect("an id"));
    let due = library.now() + days(100);
    library.lending.desk.post(&path, &json!({"dueDate": due.to_string()})).await.expect(204);
    let after = library.scheduled().await;
    assert_eq!(after.len(), before.len());
    let ids = |notices: &[Value]| -> Vec<Value> { notices.iter().map(|notice| notice["id"].clone()).collect() };
    assert!(ids(&after).iter().all(|id| !ids(&before).contains(id)), "they are new");
    let shown = |moment: jiff::Timestamp| moment.strftime("%Y-%m-%dT%H:%M:%S.%3f+00:00").to_string();
    assert_eq!(after[0]["nextRunTime"], shown(due - days(3)));
    assert_eq!(after[1]["nextRunTime"], shown(due));
    assert_eq!(after[2]["nextRunTime"], shown(due + days(1)));
}

#[tokio::test]
async fn notices_of_a_day_go_into_one_message() {
    let library = Noticing::new().await;
    let due = library.template("Due", "{{user.firstName}}{{#loans}} {{item.barcode}}{{/loans}}").await;
    let mut notice = around("Due date", &due, "Before", 1, None);
    notice["realTime"] = false.into();
    library.policy(json!([notice]), json!([]), json!([])).await;
    library.patron("ann").await;
    library.patron("bob").await;
    for (barcode, patron) in [("1", "ann"), ("2", "ann"), ("3", "bob")] {
        library.lending.item(barcode, json!({})).await;
        library.check_out(barcode, patron).await;
    }
    // Due in 21 days at the end of the day; the notice is due a day earlier.
    library.advance(days(20));
    library.process(LOANS_DAILY).await;
    assert_eq!(library.sent().await, [], "the day has not come");
    library.advance(days(1));
    library.process(LOANS).await;
    assert_eq!(library.sent().await, [], "nothing of it in real time");
    library.process(LOANS_DAILY).await;
    let mut sent = library.sent().await;
    sent.sort();
    assert_eq!(sent, [mail("ann", "Due: ann 1 2"), mail("bob", "Due: bob 3")]);
}

#[tokio::test]
async fn a_library_can_limit_the_notices_of_one_run() {
    let library = library().await;
    let setting = json!({"name": "noticesLimit", "value": {"value": "2"}});
    library.lending.desk.create("/circulation/settings", &setting).await;
    for barcode in ["1", "2", "3"] {
        library.lending.item(barcode, json!({})).await;
        library.check_out(barcode, "ann").await;
    }
    library.advance(days(20));
    let mut sent = Vec::new();
    for expected in [2, 3, 3] {
        library.process(LOANS).await;
        sent = library.sent().await;
        assert_eq!(sent.len(), expected);
    }
    sent.sort();
    assert_eq!(sent[2], mail("ann", "Soon: ann 3"));
}

#[tokio::test]
async fn notices_are_sent_before_and_when_a_request_expires() {
    let library = Noticing::new().await;
    let body = "{{user.firstName}} {{item.barcode}}";
    let (soon, over) = (library.template("Soon", body).await, library.template("Over", body).await);
    let (fetch, gone) = (library.template("Fetch", body).await, library.template("Gone", body).await);
    let notices = json!([
        around("Request expiration", &soon, "Before", 2, None),
        upon("Request expiration", &over),
        around("Hold expiration", &fetch, "Before", 1, None),
        upon("Hold expiration", &gone),
    ]);
    library.policy(json!([]), notices, json!([])).await;
    let (ann, bob) = (library.patron("ann").await, library.patron("bob").await);
    let desk = &library.lending.desk;
    for (barcode, requester) in [("1", &ann), ("2", &bob)] {
        let item = library.lending.item(barcode, json!({})).await;
        let request = json!({"requestLevel": "Item", "requestType": "Page", "itemId": item,
            "instanceId": library.lending.instance, "holdingsRecordId": library.lending.holdings,
            "requesterId": requester, "requestDate": library.now().to_string(), "fulfillmentPreference": "Hold Shelf",
            "requestExpirationDate": (library.now() + days(10)).to_string(),
            "pickupServicePointId": library.lending.service_point});
        desk.create("/circulation/requests", &request).await;
    }
    assert_eq!(library.scheduled().await.len(), 4);
    // One of the two goes to the hold shelf, for three days.
    library.lending.check_in("2", json!({})).await.expect(200);
    assert_eq!(library.scheduled().await.len(), 6);
    library.advance(days(3));
    library.process(REQUESTS).await;
    assert_eq!(library.sent().await, [mail("bob", "Fetch: bob 2")]);
    library.advance(days(2));
    library.process(REQUESTS).await;
    assert_eq!(library.sent_since(1).await, [], "the request is still open");
    desk.post("/scheduled-request-expiration", &json!({})).await.expect(204);
    library.process(REQUESTS).await;
    assert_eq!(library.sent_since(1).await, [mail("bob", "Gone: bob 2")]);

    library.advance(days(4));
    library.process(REQUESTS).await;
    assert_eq!(library.sent_since(2).await, [mail("ann", "Soon: ann 1")]);
    library.advance(days(2));
    desk.post("/scheduled-request-expiration", &json!({})).await.expect(204);
    library.process(REQUESTS).await;
    assert_eq!(library.sent_since(3).await, [mail("ann", "Over: ann 1")]);
    assert_eq!(library.scheduled().await, [] as [Value; 0]);
}
