//! The queue of an item or a title: its order, moves, and many requests at once (docs/folio/request-queues.md).

use futures_util::future::join_all;
use serde_json::json;

use super::{
    LendingLibrary, id,
    requests::{PATH, places},
};

#[tokio::test]
async fn a_closed_request_that_kept_its_position_stops_no_check_in() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let (first, second) = (library.patron("p-1", json!({})).await, library.patron("p-2", json!({})).await);
    let closed = library.hold(&item, &first, 1, json!({})).await;
    let waiting = library.hold(&item, &second, 2, json!({})).await;
    library.change(&format!("/request-storage/requests/{closed}"), json!({"status": "Closed - Unfilled"})).await;
    library.check_in("i-1", json!({})).await.expect(200);
    let stored = library.stored("/request-storage/requests", &waiting).await;
    assert_eq!((&stored["status"], &stored["position"]), (&json!("Open - Awaiting pickup"), &json!(2)));
}

#[tokio::test]
async fn staff_reorder_an_items_queue() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let item = library.on_loan("i-1", "p-1").await;
    let mut requests = Vec::new();
    for reader in ["p-2", "p-3", "p-4"] {
        let patron = library.patron(reader, json!({})).await;
        requests.push(id(&library.ask("Hold", &item, &patron, json!({})).await.expect(201).json()));
    }
    let path = format!("{PATH}/queue/item/{item}/reorder");
    let order = |places: [i64; 3]| {
        let places = requests.iter().zip(places);
        let places: Vec<_> = places.map(|(id, place)| json!({"id": id, "newPosition": place})).collect();
        json!({"reorderedQueue": places})
    };
    let answer = library.desk.post(&path, &order([3, 1, 2])).await.expect(200);
    assert_eq!(answer.round_trips(), 2);
    let expected = [(requests[1].clone(), 1), (requests[2].clone(), 2), (requests[0].clone(), 3)];
    assert_eq!(places(&answer.json()), expected);
    assert_eq!(answer.json()["totalRecords"], 3);
    assert_eq!(library.waiting("item", &item).await, expected);
    let gaps = library.desk.post(&path, &order([1, 2, 4])).await.expect(422);
    assert_eq!(gaps.error_messages(), ["Positions must have sequential order."]);
    let title = format!("{PATH}/queue/instance/{}/reorder", library.instance);
    let refused = library.desk.post(&title, &order([1, 2, 3])).await.expect(422);
    assert_eq!(refused.error_messages(), ["Refuse to reorder request queue, TLR feature status is DISABLED."]);
    let absent = format!("{PATH}/queue/item/{}/reorder", library.location);
    let missing = library.desk.post(&absent, &json!({"reorderedQueue": []})).await.expect(404);
    assert_eq!(missing.text, format!("Item record with ID \"{}\" cannot be found", library.location));
}

#[tokio::test]
async fn a_request_moves_to_another_item() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let on_loan = library.on_loan("i-1", "p-1").await;
    let shelved = library.item("i-2", json!({})).await;
    let mut requests = Vec::new();
    for reader in ["p-2", "p-3"] {
        let patron = library.patron(reader, json!({})).await;
        requests.push(id(&library.ask("Hold", &on_loan, &patron, json!({})).await.expect(201).json()));
    }
    let path = format!("{PATH}/{}/move", requests[0]);
    let to = |item: &str| json!({"destinationItemId": item});
    let refused = library.desk.post(&path, &to(&library.location)).await.expect(422);
    let message = "Request can only be moved to an item with the same instance ID";
    assert_eq!(refused.error_messages(), [message]);
    let moved = library.desk.post(&path, &to(&shelved)).await.expect(200);
    assert_eq!(moved.round_trips(), 2);
    let moved = moved.json();
    assert_eq!((&moved["requestType"], &moved["position"]), (&json!("Page"), &json!(1)));
    assert_eq!(moved["item"]["status"], "Paged");
    assert_eq!(library.item_status(&shelved).await, "Paged");
    assert_eq!(library.waiting("item", &on_loan).await, [(requests[1].clone(), 1)]);
    let back = json!({"destinationItemId": on_loan, "requestType": "Hold"});
    library.desk.post(&path, &back).await.expect(200);
    assert_eq!(library.item_status(&shelved).await, "Available");
    let expected = [(requests[1].clone(), 1), (requests[0].clone(), 2)];
    assert_eq!(library.waiting("item", &on_loan).await, expected);
}

#[tokio::test]
async fn requests_for_a_title_share_one_queue() {
    let library = LendingLibrary::new().await;
    library.allow_titles().await;
    let [one, two, three, four] = ["p-1", "p-2", "p-3", "p-4"];
    library.patron(one, json!({})).await;
    let (two, three) = (library.patron(two, json!({})).await, library.patron(three, json!({})).await);
    let four = library.patron(four, json!({})).await;
    let on_loan = library.on_loan("i-1", one).await;
    let shelved = library.item("i-2", json!({})).await;
    let refused = library.ask_title("Hold", &two).await.expect(422);
    let code = "HOLD_AND_RECALL_TLR_NOT_ALLOWED_PAGEABLE_AVAILABLE_ITEM_FOUND";
    assert_eq!(refused.json()["errors"][0]["code"], code);
    let page = library.ask_title("Page", &two).await.expect(201).json();
    assert_eq!(page["itemId"], *shelved);
    assert_eq!(library.item_status(&shelved).await, "Paged");
    let recall = library.ask_title("Recall", &three).await.expect(201).json();
    assert_eq!((&recall["itemId"], &recall["position"]), (&json!(on_loan), &json!(2)));
    let hold = library.ask_title("Hold", &four).await.expect(201).json();
    assert_eq!((hold.get("itemId"), &hold["position"]), (None, &json!(3)));
    let again = library.ask_title("Hold", &four).await.expect(422);
    assert_eq!(again.json()["errors"][0]["code"], "INSTANCE_ALREADY_REQUESTED");
    let expected = [(id(&page), 1), (id(&recall), 2), (id(&hold), 3)];
    assert_eq!(library.waiting("instance", &library.instance).await, expected);
}

#[tokio::test]
async fn twenty_simultaneous_requests_get_twenty_positions() {
    let library = LendingLibrary::new().await;
    for titles in [false, true] {
        let borrower = format!("borrower-{titles}");
        library.patron(&borrower, json!({})).await;
        let barcode = format!("i-{titles}");
        let item = library.on_loan(&barcode, &borrower).await;
        let mut patrons = Vec::new();
        for number in 0..20 {
            patrons.push(library.patron(&format!("p-{titles}-{number}"), json!({})).await);
        }
        let asked = patrons.iter().map(|patron| library.ask("Hold", &item, patron, json!({})));
        let mut requests: Vec<String> = Vec::new();
        for answer in join_all(asked).await {
            requests.push(id(&answer.expect(201).json()));
        }
        let cancel = requests.iter().step_by(3).map(|request| {
            let (library, path) = (&library, format!("{PATH}/{request}"));
            async move { library.desk.delete(&path).await.status }
        });
        let late = library.patron(&format!("late-{titles}"), json!({})).await;
        let (gone, new, back) = tokio::join!(
            join_all(cancel),
            library.ask("Hold", &item, &late, json!({})),
            library.check_in(&barcode, json!({}))
        );
        assert!(gone.iter().all(|status| *status == 204), "{gone:?}");
        assert_eq!((new.status, back.status), (201, 200), "{} {}", new.text, back.text);
        let places: Vec<i64> = library.waiting("item", &item).await.into_iter().map(|(_, p)| p).collect();
        assert!(places.iter().copied().eq(1..=14), "{places:?}");
        if !titles {
            library.desk.delete(PATH).await.expect(204);
            library.allow_titles().await;
        }
    }
}
