//! Delivery of events to webhooks: in order, at least once, whatever fails
//! (docs/decisions/0017-events-leave-through-an-outbox.md).

use std::{collections::HashMap, sync::Arc};

use jiff::SignedDuration;
use serde_json::{Value, json};
use store::events::{self, Lease, Refused, Settlement};
use testkit::{Hook, library_with};
use uuid::Uuid;

use super::LendingLibrary;

pub(crate) const MODULE: &str = "mod-ear-1.0.0";

/// A library that may send to this machine.
pub(crate) async fn library() -> LendingLibrary {
    library_with_backlog(100_000).await
}

async fn library_with_backlog(events: i64) -> LendingLibrary {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.events.private_webhooks = true;
        settings.events.backlog_events = events;
    });
    LendingLibrary::within(library.await).await
}

/// A webhook subscribed to these events.
pub(crate) async fn listen(library: &LendingLibrary, events: &[&str]) -> Hook {
    let hook = Hook::open().await;
    subscribe(library, &hook, events).await;
    hook
}

async fn subscribe(library: &LendingLibrary, hook: &Hook, events: &[&str]) {
    let subscriptions: Vec<_> =
        events.iter().map(|event| json!({"eventType": event, "callbackAddress": hook.address()})).collect();
    let body = json!({"moduleId": MODULE, "subscriptionDefinitions": subscriptions});
    let declare = "/pubsub/event-types/declare/subscriber";
    library.desk.post(declare, &body).await.expect(201);
}

async fn publish(library: &LendingLibrary, event: &str, number: i64) {
    let event = json!({"id": Uuid::new_v4(), "eventType": event, "eventPayload": json!({"number": number}).to_string(),
        "eventMetadata": {"tenantId": "test", "eventTTL": 1, "publishedBy": "mod-mouth-1.0.0"}});
    library.desk.post("/pubsub/publish", &event).await.expect(204);
}

async fn subscription(library: &LendingLibrary) -> Value {
    let list = library.desk.get("/pubsub/subscriptions").await.expect(200).json();
    list["subscriptions"][0].clone()
}

/// The number of events in the outbox.
async fn waiting(library: &LendingLibrary) -> i64 {
    let sql = "SELECT count(*) FROM event_outbox";
    library.session().get(sql, &[]).await.expect("a count").get(0)
}

async fn until_empty(library: &LendingLibrary) {
    until_left(library, 0).await;
}

async fn until_left(library: &LendingLibrary, events: i64) {
    tokio::time::timeout(std::time::Duration::from_secs(60), async {
        while waiting(library).await > events {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("everything is delivered");
}

#[tokio::test]
async fn events_without_subscribers_are_not_written() {
    let library = library().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    // A subscription of one of Carrel's own paths gets nothing: its work is already done.
    let body = json!({"moduleId": "mod-circulation-24.4.0", "subscriptionDefinitions": [
        {"eventType": "ITEM_CHECKED_IN", "callbackAddress": "/automated-patron-blocks/handlers/item-checked-in"}]});
    library.desk.post("/pubsub/event-types/declare/subscriber", &body).await.expect(201);
    library.check_in("i-1", json!({})).await.expect(200);
    assert_eq!(waiting(&library).await, 0);
    assert_eq!(subscription(&library).await, Value::Null);
}

#[tokio::test]
async fn a_webhook_gets_the_payload_with_the_headers_of_folio() {
    let library = library().await;
    let mut hook = listen(&library, &["ITEM_CHECKED_OUT"]).await;
    let secret = format!("/pubsub/subscriptions/{MODULE}/secret");
    library.desk.put(&secret, &json!({"secret": "whsec_a2V5"})).await.expect(204);
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();

    let sent = hook.next().await;
    assert_eq!(sent.body["loanId"], loan["id"]);
    assert_eq!(sent.body["userId"], patron.as_str());
    assert_eq!(sent.body.get("itemId"), None, "{item}");
    assert_eq!(sent.topic(), "ITEM_CHECKED_OUT");
    assert_eq!(sent.header("x-okapi-tenant"), "test");
    assert_eq!(sent.header("x-okapi-url"), "http://localhost:9130");
    assert_eq!(sent.header("content-type"), "application/json");
    assert_eq!(sent.header("x-okapi-token"), "");
    let id = Uuid::parse_str(sent.header("webhook-id")).expect("an id");
    let moment = sent.header("webhook-timestamp").parse().expect("a moment");
    let signature = ::events::signature::sign("key", id, moment, &sent.text);
    assert_eq!(sent.header("webhook-signature"), signature);
    until_empty(&library).await;
    let shown = subscription(&library).await;
    assert_eq!((&shown["state"], &shown["signed"]), (&json!("active"), &json!(true)));
    assert_eq!(shown.get("secret"), None);
}

#[tokio::test]
async fn a_webhook_gets_everything_in_order_after_an_outage() {
    let library = library().await;
    let mut hook = listen(&library, &["ITEM_CHECKED_OUT", "LOAN_DUE_DATE_CHANGED", "ITEM_CHECKED_IN"]).await;
    hook.answer(|_| 503);
    library.patron("p-1", json!({})).await;
    for number in 0..5 {
        let barcode = format!("i-{number}");
        library.item(&barcode, json!({})).await;
        let loan = library.check_out(&barcode, "p-1", json!({})).await.expect(201).json();
        let path = format!("/circulation/loans/{}/change-due-date", loan["id"].as_str().expect("an id"));
        let later = json!({"dueDate": "2027-03-01T00:00:00.000Z"});
        library.desk.post(&path, &later).await.expect(204);
        library.check_in(&barcode, json!({})).await.expect(200);
    }
    assert_eq!(hook.next().await.status, 503);
    hook.answer(|_| 204);
    // The retry comes when it is due, not earlier.
    library.library.clock.advance(SignedDuration::from_mins(6));
    until_empty(&library).await;
    let mut of_loan: HashMap<String, Vec<String>> = HashMap::new();
    for sent in hook.rest().into_iter().filter(|sent| sent.status == 204) {
        let loan = sent.body["loanId"].as_str().expect("an id").to_owned();
        of_loan.entry(loan).or_default().push(sent.topic().to_owned());
    }
    assert_eq!(of_loan.len(), 5);
    for events in of_loan.values() {
        assert_eq!(events, &["ITEM_CHECKED_OUT", "LOAN_DUE_DATE_CHANGED", "ITEM_CHECKED_IN"]);
    }
    assert_eq!(subscription(&library).await["state"], "active");
}

#[tokio::test]
async fn a_refused_event_delays_only_its_own_record_and_finally_dies() {
    let library = library().await;
    let mut hook = listen(&library, &["ITEM_CHECKED_OUT", "ITEM_CHECKED_IN"]).await;
    library.patron("p-1", json!({})).await;
    for barcode in ["i-1", "i-2"] {
        library.item(barcode, json!({})).await;
    }
    hook.answer(|body| if body.get("dueDate").is_some() { 422 } else { 204 });
    let poison = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    library.check_in("i-1", json!({})).await.expect(200);
    assert_eq!(hook.next().await.status, 422);
    // Other records are not delayed.
    hook.answer(move |body| if body["loanId"] == poison["id"] && body.get("dueDate").is_some() { 422 } else { 204 });
    library.check_out("i-2", "p-1", json!({})).await.expect(201);
    let other = hook.next().await;
    assert_eq!((other.status, other.topic()), (204, "ITEM_CHECKED_OUT"));
    let clock = &library.library.clock;
    for _ in 1..::events::retry::ATTEMPTS {
        clock.advance(SignedDuration::from_mins(6));
        assert_eq!(hook.next().await.status, 422);
    }
    // The record's next event follows.
    assert_eq!(hook.next().await.topic(), "ITEM_CHECKED_IN");
    until_left(&library, 1).await;
    let history = library.desk.get("/pubsub/history?startDate=2020-01-01&endDate=2999-01-01").await.expect(200).json();
    assert_eq!(history["totalRecords"], 1);
    let dead = &history["auditMessages"][0];
    assert_eq!((&dead["state"], &dead["eventType"]), (&json!("REJECTED"), &json!("ITEM_CHECKED_OUT")));
    assert!(dead["errorMessage"].as_str().expect("a text").ends_with("was not delivered to mod-ear-1.0.0: status 422"));
    let id = dead["eventId"].as_str().expect("an id");
    let payload = library.desk.get(&format!("/pubsub/audit-messages/{id}/payload")).await.expect(200).json();
    assert!(payload["content"].as_str().expect("a text").contains("dueDate"));
    assert_eq!(subscription(&library).await["dead"], 1);
    // After a resume it is retried.
    hook.answer(|_| 204);
    resume(&library).await;
    let again = hook.next().await;
    assert_eq!((again.topic(), again.header("webhook-id")), ("ITEM_CHECKED_OUT", id));
    until_empty(&library).await;
}

async fn resume(library: &LendingLibrary) {
    let path = format!("/pubsub/subscriptions/{MODULE}/resume");
    library.desk.post(&path, &json!({})).await.expect(204);
}

#[tokio::test]
async fn dead_events_can_be_deleted() {
    let library = library().await;
    let _hook = listen(&library, &["NOISE"]).await;
    let dead = format!(
        "INSERT INTO event_outbox (subscriber, topic, key, payload, dead) VALUES ('{MODULE}', 'NOISE', 'k', '1', now())"
    );
    library.session().batch(&dead).await.expect("an event");
    assert_eq!(subscription(&library).await["dead"], 1);
    library.desk.delete(&format!("/pubsub/subscriptions/{MODULE}/dead-events")).await.expect(204);
    assert_eq!(waiting(&library).await, 0);
}

#[tokio::test]
async fn a_webhook_that_never_answers_does_not_fill_the_database() {
    let library = library_with_backlog(20).await;
    let mut hook = listen(&library, &["NOISE"]).await;
    hook.answer(|_| 503);
    for number in 0..25 {
        publish(&library, "NOISE", number).await;
    }
    hook.next().await;
    let session = library.session();
    let pump = &library.library.app.events;
    pump.keep_house("test", &session).await.expect("housekeeping");
    let broken = subscription(&library).await;
    assert_eq!((&broken["state"], &broken["waiting"]), (&json!("broken"), &json!(25)));
    publish(&library, "NOISE", 99).await;
    assert_eq!(waiting(&library).await, 25);

    hook.answer(|_| 204);
    resume(&library).await;
    until_empty(&library).await;
    publish(&library, "NOISE", 100).await;
    let mut numbers = Vec::new();
    while numbers.last() != Some(&100) {
        let sent = hook.next().await;
        if sent.status == 204 {
            numbers.push(sent.body["number"].as_i64().expect("a number"));
        }
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (0..25).chain([100]).collect::<Vec<_>>());

    // Age counts, too.
    hook.answer(|_| 503);
    publish(&library, "NOISE", 101).await;
    session.batch("UPDATE event_outbox SET written = now() - interval '4 days'").await.expect("an update");
    pump.keep_house("test", &session).await.expect("housekeeping");
    assert_eq!(subscription(&library).await["state"], "broken");
    // Finally it is deleted.
    session.batch("UPDATE event_outbox SET written = now() - interval '15 days'").await.expect("an update");
    pump.keep_house("test", &session).await.expect("housekeeping");
    assert_eq!(waiting(&library).await, 0);
}

#[tokio::test]
async fn an_older_failure_does_not_undo_a_resume() {
    let library = library().await;
    let hook = Hook::open().await;
    subscribe(&library, &hook, &["NOISE"]).await;
    let session = library.session();
    let now = library.library.clock.now();
    // Another process is delivering while the subscription is resumed.
    let lease = Lease { subscriber: MODULE, me: Uuid::new_v4(), seconds: 3600.0 };
    let mut hook = hook;
    let sql = format!("UPDATE event_subscriber SET lease = '{}', leased_until = now() + interval '1 hour'", lease.me);
    session.batch(&sql).await.expect("a lease");
    publish(&library, "NOISE", 1).await;
    let taken = events::take(&session, lease, now, 10).await.expect("an event");
    resume(&library).await;
    let failed = Settlement {
        refused: vec![Refused {
            seq: taken[0].seq,
            error: "status 422".into(),
            due: Some(now + SignedDuration::from_hours(1)),
        }],
        unreachable: Some(("status 503".into(), now + SignedDuration::from_hours(1))),
        ..Settlement::default()
    };
    events::settle(&session, lease, now, &failed).await.expect("a settlement");
    events::release(&session, MODULE, lease.me).await.expect("a release");
    assert_eq!(hook.next().await.body["number"], 1);
    until_empty(&library).await;
}

#[tokio::test]
async fn events_leased_by_a_dead_process_are_delivered_by_another() {
    let library = library().await;
    let session = library.session();
    let hook = Hook::open().await;
    hook.answer(|_| 503);
    subscribe(&library, &hook, &["NOISE"]).await;
    // Another process leases the events and dies.
    let dead = Lease { subscriber: MODULE, me: Uuid::new_v4(), seconds: 3.0 };
    let now = library.library.clock.now();
    events::take(&session, dead, now, 10).await.expect("a lease");
    let mut hook = hook;
    hook.answer(|_| 204);
    for number in 0..3 {
        publish(&library, "NOISE", number).await;
    }
    let taken = events::take(&session, dead, now, 10).await.expect("its lease");
    assert_eq!(taken.len(), 3);
    let rival = Lease { me: Uuid::new_v4(), ..dead };
    assert!(events::take(&session, rival, now, 10).await.expect("no lease").is_empty());
    let mut numbers = Vec::new();
    for _ in 0..3 {
        numbers.push(hook.next().await.body["number"].as_i64().expect("a number"));
    }
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1, 2]);
    until_empty(&library).await;
}

#[tokio::test]
async fn two_processes_deliver_each_event_once() {
    let library = library().await;
    let app = &library.library.app;
    let other = ::events::Pump::new(app.database.clone(), app.events.settings().clone(), Arc::clone(&app.clock));
    let schema = app.tenant("test").expect("a tenant").schema.clone();
    let tenants = Arc::new(move || vec![("test".to_owned(), schema.clone())]);
    let running = tokio::spawn(Arc::new(other).run(tenants, std::future::pending()));
    let mut hook = listen(&library, &["NOISE"]).await;
    for number in 0..200 {
        publish(&library, "NOISE", number).await;
    }
    until_empty(&library).await;
    running.abort();
    let mut numbers: Vec<_> = hook.rest().iter().map(|sent| sent.body["number"].as_i64().expect("a number")).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..200).collect::<Vec<_>>());
}
