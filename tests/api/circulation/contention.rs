//! Many clients at once: an item never has two open loans, no counter is wrong, nothing fails.

use std::collections::HashMap;

use futures_util::future::join_all;
use serde_json::json;

use super::{LendingLibrary, id};

const ITEMS: usize = 20;
const CLIENTS: usize = 50;

#[tokio::test]
async fn fifty_clients_check_out_the_same_twenty_items_once_each() {
    let library = LendingLibrary::new().await;
    for item in 0..ITEMS {
        library.item(&format!("i-{item}"), json!({})).await;
    }
    for patron in 0..CLIENTS {
        library.patron(&format!("p-{patron}"), json!({})).await;
    }
    let check_out_all = |client: usize| {
        let library = &library;
        async move {
            let mut checked_out = Vec::new();
            for step in 0..ITEMS {
                let item = format!("i-{}", (client + step) % ITEMS);
                let answer = library.check_out(&item, &format!("p-{client}"), json!({})).await;
                match answer.status {
                    201 => checked_out.push(item),
                    422 => assert!(
                        answer.error_messages().contains(&"Item is already checked out".to_owned()),
                        "{}",
                        answer.text
                    ),
                    other => panic!("{other}: {}", answer.text),
                }
            }
            checked_out
        }
    };
    let checked_out = join_all((0..CLIENTS).map(check_out_all)).await;
    let mut times: HashMap<&String, usize> = HashMap::new();
    checked_out.iter().flatten().for_each(|item| *times.entry(item).or_default() += 1);
    assert_eq!(times.len(), ITEMS);
    assert!(times.values().all(|count| *count == 1), "{times:?}");

    let open = library.desk.query("/loan-storage/loans?limit=0", "status.name==Open").await.json();
    assert_eq!(open["totalRecords"], ITEMS);
    for (client, items) in checked_out.iter().enumerate() {
        assert_eq!(counted(&library, client).await, items.len(), "p-{client}");
    }
}

async fn counted(library: &LendingLibrary, client: usize) -> usize {
    let user = library.desk.query("/users", &format!("barcode==p-{client}")).await.json();
    let user = id(&user["users"][0]);
    let summary = library.desk.get(&format!("/user-summary/{user}")).await;
    match summary.status {
        200 => summary.json()["openLoans"].as_array().map_or(0, Vec::len),
        _ => 0,
    }
}

#[tokio::test]
async fn one_patron_at_many_desks_never_exceeds_a_limit() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    for item in 0..ITEMS {
        library.item(&format!("i-{item}"), json!({})).await;
    }
    let policy = json!({"name": "Five", "loanable": true, "renewable": false, "loansPolicy": {
        "profileId": "Rolling", "period": {"duration": 1, "intervalId": "Weeks"}, "itemLimit": 5}});
    let five = id(&library.desk.create("/loan-policy-storage/loan-policies", &policy).await);
    let rules = format!("{}\nm {}: {}", library.rules(), library.book, library.policies(&five));
    library.write_rules(&rules).await.expect(204);
    let barcodes: Vec<String> = (0..ITEMS).map(|item| format!("i-{item}")).collect();
    let asked = barcodes.iter().map(|item| library.check_out(item, "p-1", json!({})));
    let answers = join_all(asked).await;
    let checked_out = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(checked_out, 5);
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!(refused.status, 422, "{}", refused.text);
        let expected = ["Patron has reached maximum limit of 5 items for material type"];
        assert_eq!(refused.error_messages(), expected);
    }
}

#[tokio::test]
async fn a_lowered_limit_applies_to_the_next_check_out() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    for item in 0..4 {
        library.item(&format!("i-{item}"), json!({})).await;
    }
    let with_limit = |limit: u32| {
        json!({"name": "Some", "loanable": true, "renewable": false, "loansPolicy": {
        "profileId": "Rolling", "period": {"duration": 1, "intervalId": "Weeks"}, "itemLimit": limit}})
    };
    let path = "/loan-policy-storage/loan-policies";
    let some = id(&library.desk.create(path, &with_limit(100)).await);
    let line = format!("m {}: {}", library.book, library.policies(&some));
    let rules = format!("{}\n{line}", library.rules());
    library.write_rules(&rules).await.expect(204);
    for item in ["i-0", "i-1"] {
        library.check_out(item, "p-1", json!({})).await.expect(201);
    }
    let lowered = library.desk.put(&format!("{path}/{some}"), &with_limit(2)).await;
    lowered.expect(204);
    let refused = library.check_out("i-2", "p-1", json!({})).await;
    let expected = ["Patron has reached maximum limit of 2 items for material type"];
    assert_eq!(refused.error_messages(), expected, "{}", refused.text);
    library.check_in("i-0", json!({})).await.expect(200);
    library.check_out("i-2", "p-1", json!({})).await.expect(201);
}

#[tokio::test]
async fn simultaneous_check_outs_and_check_ins_keep_counters_right() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    for item in 0..ITEMS {
        library.item(&format!("i-{item}"), json!({})).await;
    }
    let barcodes: Vec<String> = (0..ITEMS).map(|item| format!("i-{item}")).collect();
    let turn = |item: &'_ String| {
        let (library, item) = (&library, item.clone());
        async move {
            for _ in 0..3 {
                library.check_out(&item, "p-1", json!({})).await.expect(201);
                library.check_in(&item, json!({})).await.expect(200);
            }
            library.check_out(&item, "p-1", json!({})).await.expect(201);
        }
    };
    join_all(barcodes.iter().map(turn)).await;
    let summary = library.desk.get(&format!("/user-summary/{patron}")).await.expect(200).json();
    assert_eq!(summary["openLoans"].as_array().map(Vec::len), Some(ITEMS));
}

#[tokio::test]
async fn a_due_date_changed_during_a_return_is_not_lost() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let mut loans = Vec::new();
    for item in 0..ITEMS {
        let barcode = format!("i-{item}");
        library.item(&barcode, json!({})).await;
        let checked_out = library.check_out(&barcode, "p-1", json!({})).await;
        loans.push((barcode, id(&checked_out.expect(201).json())));
    }
    let due = json!({"dueDate": "2027-01-01T00:00:00Z"});
    let races = loans.iter().map(|(barcode, loan)| {
        let (library, due) = (&library, &due);
        async move {
            let change = format!("/circulation/loans/{loan}/change-due-date");
            let (returned, changed) =
                tokio::join!(library.check_in(barcode, json!({})), library.desk.post(&change, due));
            returned.expect(200);
            changed.status
        }
    });
    let changes = join_all(races).await;
    for ((barcode, loan), status) in loans.iter().zip(changes) {
        let stored = library.stored("/loan-storage/loans", loan).await;
        assert_eq!(stored["status"]["name"], "Closed", "{barcode}");
        let changed = stored["dueDate"] == "2027-01-01T00:00:00.000+00:00";
        let expected = if changed { 204 } else { 422 };
        assert_eq!(status, expected, "{barcode}: {stored}");
    }
}
