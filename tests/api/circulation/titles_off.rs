//! Title-level requests are switched off while some are still open
//! (docs/folio/request-queues.md#title-level-requests-on-and-off).

use serde_json::{Value, json};

use super::{LendingLibrary, id};

const STORED: &str = "/request-storage/requests";

/// A library where a title was paged and then its copy held, before title-level requests were switched off: the copy,
/// the page, the hold.
async fn switched() -> (LendingLibrary, [String; 3]) {
    let library = LendingLibrary::new().await;
    library.allow_titles().await;
    let item = library.item("i-1", json!({})).await;
    let [one, two] = [library.patron("p-1", json!({})).await, library.patron("p-2", json!({})).await];
    let page = library.ask_title("Page", &one).await.expect(201).json();
    let expires = json!({"requestExpirationDate": "2026-01-01T00:00:00Z"});
    let hold = library.ask("Hold", &item, &two, expires).await;
    let hold = hold.expect(201).json();
    assert_eq!((&page["position"], &hold["position"]), (&json!(1), &json!(2)));
    assert_eq!(page["itemId"], json!(item));
    let off = json!({"name": "TLR", "value": {"titleLevelRequestsFeatureEnabled": false}});
    library.desk.create("/circulation/settings", &off).await;
    (library, [item, id(&page), id(&hold)])
}

async fn place(library: &LendingLibrary, request: &str) -> (Value, Value) {
    let stored = library.stored(STORED, request).await;
    (stored["status"].clone(), stored["position"].clone())
}

/// Sunflower's page of title-level requests writes an entry of mod-settings.
#[tokio::test]
async fn the_entry_of_the_settings_page_comes_first() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let writer = library.desk.with_header("x-okapi-permissions", r#"["mod-settings.global.write.circulation"]"#);
    let entry = |on: bool| {
        json!({"id": "1e01066d-4bee-4cf7-926c-ba2c9c6c0001", "scope": "circulation", "key": "generalTlr",
            "value": {"titleLevelRequestsFeatureEnabled": on, "tlrHoldShouldFollowCirculationRules": false}})
    };
    library.ask_title("Page", &patron).await.expect(422);
    writer.post("/settings/entries", &entry(true)).await.expect(204);
    library.ask_title("Page", &patron).await.expect(201);
    let two = library.patron("p-2", json!({})).await;
    library.allow_titles().await;
    writer.put("/settings/entries/1e01066d-4bee-4cf7-926c-ba2c9c6c0001", &entry(false)).await.expect(204);
    library.ask_title("Hold", &two).await.expect(422);
}

#[tokio::test]
async fn an_items_queue_continues_behind_a_request_for_its_title() {
    let (library, [item, page, hold]) = switched().await;
    let three = library.patron("p-3", json!({})).await;
    let next = library.ask("Hold", &item, &three, json!({})).await;
    let next = next.expect(201).json();
    assert_eq!(next["position"], 3, "the position of the page stays empty");
    let seen = library.waiting("item", &item).await;
    assert_eq!(seen, [(hold.clone(), 2), (id(&next), 3)]);

    let order = json!({"reorderedQueue": [{"id": hold, "newPosition": 2}, {"id": next["id"], "newPosition": 1}]});
    let path = format!("/circulation/requests/queue/item/{item}/reorder");
    library.desk.post(&path, &order).await.expect(200);
    let seen = library.waiting("item", &item).await;
    assert_eq!(seen, [(id(&next), 2), (hold.clone(), 3)]);

    library.check_in("i-1", json!({})).await.expect(200);
    let waits = |status: &str, position: u32| (json!(status), json!(position));
    let shelved = place(&library, &id(&next)).await;
    assert_eq!(shelved, waits("Open - Awaiting pickup", 1));
    let passed_over = place(&library, &page).await;
    assert_eq!(passed_over, waits("Open - Not yet filled", 2));

    let mut cancelled = library.stored(STORED, &id(&next)).await;
    cancelled["status"] = "Closed - Cancelled".into();
    let path = format!("/circulation/requests/{}", id(&next));
    for member in ["requester", "searchIndex", "item", "instance"] {
        cancelled.as_object_mut().expect("an object").remove(member);
    }
    library.desk.put(&path, &cancelled).await.expect(204);
    assert_eq!(place(&library, &page).await, waits("Open - Not yet filled", 1));
    assert_eq!(place(&library, &hold).await, waits("Open - Not yet filled", 2));
}

#[tokio::test]
async fn requests_expire_around_a_request_for_the_title() {
    let (library, [item, page, hold]) = switched().await;
    let three = library.patron("p-3", json!({})).await;
    let next = library.ask("Hold", &item, &three, json!({})).await;
    let next = id(&next.expect(201).json());
    let nothing = json!({});
    let expire = library.desk.post("/scheduled-request-expiration", &nothing);
    expire.await.expect(204);
    let open = |position: u32| (json!("Open - Not yet filled"), json!(position));
    let expired = (json!("Closed - Unfilled"), Value::Null);
    assert_eq!(place(&library, &hold).await, expired);
    assert_eq!(place(&library, &page).await, open(1));
    assert_eq!(place(&library, &next).await, open(2));
}

#[tokio::test]
async fn queues_are_renumbered_when_title_level_requests_are_enabled() {
    let library = LendingLibrary::new().await;
    let mut held = Vec::new();
    for number in 1..=2 {
        let item = library.item(&format!("i-{number}"), json!({})).await;
        for reader in 1..=2 {
            let patron = library.patron(&format!("p-{number}-{reader}"), json!({})).await;
            let hold = library.hold(&item, &patron, reader, json!({})).await;
            held.push((hold, reader));
        }
    }
    library.allow_titles().await;
    let jobs = "/tlr-feature-toggle-job-storage/tlr-feature-toggle-jobs";
    let job = library.desk.create(jobs, &json!({"status": "open"})).await;
    let started = library.desk.post("/tlr-feature-toggle-job/start", &json!({})).await;
    started.expect(202);
    library.library.run_jobs().await;
    let path = format!("{jobs}/{}", id(&job));
    let done = library.desk.get(&path).await.expect(200).json();
    assert_eq!(done["status"], "done", "{done}");
    let mut positions = Vec::new();
    for (hold, before) in &held {
        let (_, position) = place(&library, hold).await;
        positions.push((position.as_u64().expect("a place"), *before));
    }
    positions.sort_unstable();
    let (now, before): (Vec<_>, Vec<_>) = positions.into_iter().unzip();
    assert_eq!(now, [1, 2, 3, 4], "one queue for the title");
    assert_eq!(before, [1, 1, 2, 2], "the first in a queue stays before the second");
    library.desk.delete(&path).await.expect(204);
    library.desk.get(&path).await.expect(404);
}

/// Requests for an item that was moved are of two titles.
#[tokio::test]
async fn an_items_queue_closes_its_gaps_whatever_titles_its_requests_name() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let mut requests = Vec::new();
    for (position, expires) in [(1, "2026-01-01T00:00:00Z"), (2, "2099-01-01T00:00:00Z"), (3, "2099-01-01T00:00:00Z")] {
        let patron = library.patron(&format!("p-{position}"), json!({})).await;
        let more = json!({"instanceId": uuid::Uuid::new_v4(), "requestExpirationDate": expires});
        requests.push(library.hold(&item, &patron, position, more).await);
    }
    library.desk.post("/scheduled-request-expiration", &json!({})).await.expect(204);
    let status = |place: (Value, Value)| place.0;
    assert_eq!(status(place(&library, &requests[0]).await), "Closed - Unfilled");
    for (request, position) in requests[1..].iter().zip(1..) {
        let expected = (json!("Open - Not yet filled"), json!(position));
        assert_eq!(place(&library, request).await, expected);
    }
}
