//! Requests placed, moved, reordered and expired while others change.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{
    LendingLibrary, id,
    renew::{change_policy, renew},
};

const PATH: &str = "/circulation/requests";
const ROUNDS: usize = 6;

/// A library where `i-0`, `i-1` … are on loan to `borrower`; returns the items.
async fn on_loan() -> (LendingLibrary, Vec<String>) {
    let library = LendingLibrary::new().await;
    let policy = json!({"unlimited": true, "renewFromId": "CURRENT_DUE_DATE"});
    change_policy(&library, json!({"renewalsPolicy": policy})).await;
    library.patron("borrower", json!({})).await;
    let mut items = Vec::new();
    for round in 0..ROUNDS {
        let barcode = format!("i-{round}");
        items.push(library.item(&barcode, json!({})).await);
        library.check_out(&barcode, "borrower", json!({})).await.expect(201);
    }
    (library, items)
}

async fn held(library: &LendingLibrary, item: &str, patron: &str, more: Value) -> String {
    id(&library.ask("Hold", item, patron, more).await.expect(201).json())
}

#[tokio::test]
async fn a_recall_is_not_lost_to_a_renewal() {
    let (library, items) = on_loan().await;
    let patron = library.patron("reader", json!({})).await;
    let races = items.iter().enumerate().map(|(round, item)| {
        let (library, patron) = (&library, &patron);
        async move {
            let loan = json!({"itemBarcode": format!("i-{round}"), "userBarcode": "borrower"});
            let (recalled, renewed) =
                tokio::join!(library.ask("Recall", item, patron, json!({})), renew(library, loan));
            recalled.expect(201);
            assert!([200, 422].contains(&renewed.status), "{}", renewed.text);
            let query = format!("itemId=={item}");
            let loans = library.desk.query("/loan-storage/loans", &query).await.json();
            let loan = &loans["loans"][0];
            assert_eq!(loan["action"], "recallrequested", "{loan}");
            assert_eq!(loan["dueDateChangedByRecall"], true, "{loan}");
            assert_eq!(loan["renewalCount"] == 1, renewed.status == 200, "{loan}");
        }
    });
    join_all(races).await;
}

#[tokio::test]
async fn a_request_moved_twice_at_once_is_for_one_item() {
    let (library, items) = on_loan().await;
    let patron = library.patron("reader", json!({})).await;
    for (round, item) in items.iter().enumerate() {
        let request = held(&library, item, &patron, json!({})).await;
        let goals = [
            library.item(&format!("a-{round}"), json!({})).await,
            library.item(&format!("b-{round}"), json!({})).await,
        ];
        let path = format!("{PATH}/{request}/move");
        let moves = goals.iter().map(|goal| {
            let (library, path) = (&library, &path);
            let body = json!({"destinationItemId": goal});
            async move { library.desk.post(path, &body).await.expect(200) }
        });
        join_all(moves).await;
        let stored = library.stored("/request-storage/requests", &request).await;
        assert_eq!((&stored["requestType"], &stored["position"]), (&json!("Page"), &json!(1)));
        for goal in &goals {
            let status = if stored["itemId"] == *goal { "Paged" } else { "Available" };
            let goal = library.stored("/item-storage/items", goal).await;
            assert_eq!(goal["status"]["name"], status);
        }
        assert!(library.waiting("item", item).await.is_empty());
    }
}

#[tokio::test]
async fn a_queue_reordered_while_a_request_joins_has_no_gaps() {
    let (library, items) = on_loan().await;
    let mut patrons = Vec::new();
    for number in 0..3 {
        patrons.push(library.patron(&format!("reader-{number}"), json!({})).await);
    }
    for item in &items {
        let first = held(&library, item, &patrons[0], json!({})).await;
        let second = held(&library, item, &patrons[1], json!({})).await;
        let order = json!({"reorderedQueue": [{"id": first, "newPosition": 2}, {"id": second, "newPosition": 1}]});
        let path = format!("{PATH}/queue/item/{item}/reorder");
        let (third, reordered) =
            tokio::join!(held(&library, item, &patrons[2], json!({})), library.desk.post(&path, &order));
        let expected = match reordered.status {
            200 => [(second, 1), (first, 2), (third, 3)],
            422 => [(first, 1), (second, 2), (third, 3)],
            other => panic!("{other}: {}", reordered.text),
        };
        assert_eq!(library.waiting("item", item).await, expected);
    }
}

#[tokio::test]
async fn a_request_that_joins_an_expiring_queue_moves_up() {
    let (library, items) = on_loan().await;
    let late = library.patron("late", json!({})).await;
    let next = library.patron("next", json!({})).await;
    let expired = json!({"requestExpirationDate": "2026-01-01T00:00:00Z"});
    for item in &items {
        held(&library, item, &late, expired.clone()).await;
    }
    let nothing = json!({});
    let joined = items.iter().map(|item| held(&library, item, &next, json!({})));
    let (expiry, joined) = tokio::join!(library.desk.post("/scheduled-request-expiration", &nothing), join_all(joined));
    expiry.expect(204);
    for (item, request) in items.iter().zip(joined) {
        assert_eq!(library.waiting("item", item).await, [(request, 1)]);
    }
}
