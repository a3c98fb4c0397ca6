//! `/pubsub`, as used by mod-pubsub's clients.

use serde_json::{Value, json};
use testkit::{Library, library};

fn descriptor(name: &str) -> Value {
    json!({"eventType": name, "description": "Something", "eventTTL": 1, "signed": false, "tmp": false})
}

async fn subscribe(library: &Library, module: &str, event: &str, callback: &str) -> testkit::Answer {
    let body = json!({"moduleId": module,
        "subscriptionDefinitions": [{"eventType": event, "callbackAddress": callback}]});
    library.open.post("/pubsub/event-types/declare/subscriber", &body).await
}

#[tokio::test]
async fn event_types_are_stored() {
    let library = library().await;
    let known = library.open.get("/pubsub/event-types").await.expect(200).json();
    assert_eq!(known["totalRecords"], 10);
    let checked_out = library.open.get("/pubsub/event-types/ITEM_CHECKED_OUT").await.expect(200);
    assert_eq!(
        checked_out.text,
        json!({"eventType": "ITEM_CHECKED_OUT", "description": "Item was checked out", "eventTTL": 1,
            "signed": false, "tmp": false})
        .to_string()
    );

    let sent = json!({"eventType": "A_DAY", "description": "Something", "eventTTL": 1});
    let made = library.open.post("/pubsub/event-types", &sent).await.expect(201);
    assert_eq!(made.json(), descriptor("A_DAY"));
    library.open.post("/pubsub/event-types", &descriptor("A_DAY")).await.expect(201);
    let mut other = descriptor("A_DAY");
    other["eventTTL"] = 2.into();
    let refused = library.open.post("/pubsub/event-types", &other).await.expect(400);
    assert_eq!(
        refused.text,
        "Event descriptor for event type 'A_DAY' already exists, but the content is different. Existing event \
         descriptor: {\n  \"eventType\" : \"A_DAY\",\n  \"description\" : \"Something\",\n  \"eventTTL\" : 1,\n  \
         \"signed\" : false,\n  \"tmp\" : false\n}"
    );
    let replaced = library.open.put("/pubsub/event-types/A_DAY", &other).await.expect(200);
    assert_eq!(replaced.json()["eventTTL"], 2);
    library.open.delete("/pubsub/event-types/A_DAY").await.expect(204);
}

#[tokio::test]
async fn unknown_kinds_and_bad_descriptors_are_refused() {
    let library = library().await;
    let client = &library.open;
    let text = |answer: testkit::Answer| answer.text;
    assert_eq!(
        text(client.get("/pubsub/event-types/NONE").await.expect(404)),
        "Event Descriptor with event type 'NONE' was not found"
    );
    assert_eq!(
        text(client.put("/pubsub/event-types/NONE", &descriptor("NONE")).await.expect(404)),
        "EventDescriptor with event type 'NONE' was not updated"
    );
    assert_eq!(
        text(client.delete("/pubsub/event-types/NONE").await.expect(404)),
        "EventDescriptor with event type name 'NONE' was not found"
    );
    for bad in [json!({"eventType": "X"}), json!({"eventTTL": 1}), json!({"eventType": "X", "eventTTL": 1, "more": 1})]
    {
        client.post("/pubsub/event-types", &bad).await.expect(422);
    }
    client.post("/pubsub/event-types", &json!([])).await.expect(400);
}

#[tokio::test]
async fn publishers_are_declared_and_withdrawn() {
    let library = library().await;
    let client = &library.open;
    let declare = |body: Value| async move { client.post("/pubsub/event-types/declare/publisher", &body).await };
    client.post("/pubsub/event-types", &descriptor("A_DAY")).await.expect(201);
    declare(json!({"moduleId": "mod-day-1.0.0", "eventDescriptors": [descriptor("A_DAY")]})).await.expect(201);

    let mut other = descriptor("A_DAY");
    other["signed"] = true.into();
    let refused = declare(json!({"moduleId": "mod-day-1.0.0", "eventDescriptors": [other, descriptor("NONE")]}));
    let refused = refused.await.expect(400);
    let messages = refused.error_messages();
    assert_eq!(messages.len(), 2);
    assert!(messages[0].starts_with(
        "Publisher descriptor does not match existing descriptor for event type 'A_DAY'. To declare a publisher one \
         should use the following descriptor: {\n"
    ));
    assert_eq!(messages[1], "Event type 'NONE' does not exist");

    let publishers = "/pubsub/event-types/A_DAY/publishers";
    let found = client.get(publishers).await.expect(200).json();
    assert_eq!(found["totalRecords"], 1);
    let found = &found["messagingModules"][0];
    assert_eq!(
        (&found["moduleId"], &found["moduleRole"], &found["tenantId"], &found["activated"]),
        (&json!("mod-day-1.0.0"), &json!("PUBLISHER"), &json!("test"), &json!(true))
    );
    let refused = client.delete("/pubsub/event-types/A_DAY").await.expect(400);
    assert_eq!(
        refused.text,
        "Event type A_DAY cannot be deleted. Modules [mod-day-1.0.0] are registered as publishers or subscribers for \
         this event type."
    );
    // Version numbers do not matter.
    client.delete(&format!("{publishers}?moduleId=mod-day-2.11.0")).await.expect(204);
    assert_eq!(client.get(publishers).await.expect(200).json()["totalRecords"], 0);
}

#[tokio::test]
async fn subscribers_may_name_undeclared_event_types() {
    let library = library().await;
    let client = &library.open;
    subscribe(&library, "mod-ear-1.0.0", "SOME_NOISE", "/ear/handlers/noise").await.expect(201);
    let known = client.get("/pubsub/event-types/SOME_NOISE").await.expect(200).json();
    assert_eq!((&known["tmp"], &known["eventTTL"]), (&json!(true), &json!(1)));
    // A temporary descriptor is replaced by a permanent one.
    client.post("/pubsub/event-types", &descriptor("SOME_NOISE")).await.expect(201);
    let subscribers = "/pubsub/event-types/SOME_NOISE/subscribers";
    let found = client.get(subscribers).await.expect(200).json();
    assert_eq!(found["messagingModules"][0]["subscriberCallback"], "/ear/handlers/noise");

    // A repeated declaration replaces the earlier one.
    subscribe(&library, "mod-ear-1.0.0", "OTHER_NOISE", "/ear/handlers/noise").await.expect(201);
    assert_eq!(client.get(subscribers).await.expect(200).json()["totalRecords"], 0);
    let all = "/pubsub/messaging-modules";
    client.delete(&format!("{all}?moduleId=mod-ear-1.0.0&moduleRole=SUBSCRIBER")).await.expect(204);
    let others = "/pubsub/event-types/OTHER_NOISE/subscribers";
    assert_eq!(client.get(others).await.expect(200).json()["totalRecords"], 0);
    client.delete(&format!("{others}?moduleId=mod-ear-1.0.0")).await.expect(204);

    let refused = client.delete(&format!("{all}?moduleId=mod-ear-1.0.0")).await.expect(400);
    assert_eq!(refused.text, "ModuleId and moduleRole are required query parameters");
    let refused = client.delete(&format!("{all}?moduleId=m&moduleRole=EAR")).await.expect(400);
    assert_eq!(
        refused.text,
        "Invalid moduleRole was specified: EAR. Acceptable moduleRole values are: PUBLISHER, SUBSCRIBER."
    );
}

#[tokio::test]
async fn webhooks_in_private_networks_are_refused() {
    let library = library().await;
    for address in [
        "http://127.0.0.1:1/hook",
        "http://localhost/hook",
        "http://169.254.169.254/latest",
        "http://[::1]/hook",
        "http://10.1.2.3/hook",
        "gopher://example.org/",
        "https://name:word@example.org/",
    ] {
        let refused = subscribe(&library, "mod-ear-1.0.0", "ITEM_CHECKED_OUT", address).await.expect(400);
        assert!(refused.error_messages()[0].starts_with("The callback address"), "{}", refused.text);
    }
    subscribe(&library, "mod-ear-1.0.0", "ITEM_CHECKED_OUT", "https://example.org/hook").await.expect(201);
    let body = json!({"moduleId": "mod-ear-1.0.0", "subscriptionDefinitions": [{"eventType": "X"}]});
    library.open.post("/pubsub/event-types/declare/subscriber", &body).await.expect(422);
}

#[tokio::test]
async fn events_can_be_published_without_subscribers() {
    let library = library().await;
    let event = json!({"id": "6c0c3a5e-9d0c-4f2a-8a44-0c7b8b7d9a11", "eventType": "SOME_NOISE",
        "eventMetadata": {"tenantId": "test", "eventTTL": 1, "publishedBy": "mod-mouth-1.0.0"},
        "eventPayload": "not JSON"});
    library.open.post("/pubsub/publish", &event).await.expect(204);
    library.open.post("/pubsub/publish", &json!({"id": event["id"], "eventType": "X"})).await.expect(422);
    let bad = json!({"id": "7", "eventType": "X", "eventMetadata": event["eventMetadata"]});
    library.open.post("/pubsub/publish", &bad).await.expect(422);
}

#[tokio::test]
async fn history_needs_dates() {
    let library = library().await;
    let client = &library.open;
    let none = client.get("/pubsub/history?startDate=2026-01-01").await.expect(400);
    assert_eq!(none.text, "Start date and End date are required query parameters");
    let bad = client.get("/pubsub/history?startDate=2026-01-01&endDate=soon").await.expect(400);
    assert_eq!(bad.text, "Supported date formats yyyy-MM-dd, yyyy-MM-dd'T'HH:mm:ss, yyyy-MM-dd'T'HH:mm:ssZZ");
    let empty = client.get("/pubsub/history?startDate=2026-01-01&endDate=2026-12-31").await.expect(200);
    assert_eq!(empty.json(), json!({"auditMessages": [], "totalRecords": 0}));
    let id = "6c0c3a5e-9d0c-4f2a-8a44-0c7b8b7d9a11";
    let missing = client.get(&format!("/pubsub/audit-messages/{id}/payload")).await.expect(404);
    assert_eq!(missing.text, format!("Couldn't find audit message payload for event {id}"));
    for answer in [
        client.post("/pubsub/subscriptions/mod-ear-1.0.0/resume", &json!({})).await,
        client.put("/pubsub/subscriptions/mod-ear-1.0.0/secret", &json!({"secret": "x"})).await,
        client.delete("/pubsub/subscriptions/mod-ear-1.0.0/dead-events").await,
    ] {
        assert_eq!(answer.expect(404).text, "Module mod-ear-1.0.0 has no webhook");
    }
}
