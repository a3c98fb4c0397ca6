//! An ordinary check-out or check-in is one statement, and with a listener to events the general functions write it: both
//! leave the same rows.

use std::collections::HashMap;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::circulation::{lending_library::LendingLibrary, webhooks};

/// The rows of each table, in an order that does not depend on ids.
const ROWS: [(&str, &str); 7] = [
    ("item_state", "SELECT to_jsonb(s) FROM item_state s JOIN item i ON i.id = s.id ORDER BY i.doc->>'barcode'"),
    ("loan", "SELECT to_jsonb(r) FROM loan r ORDER BY seq"),
    ("loan_history", "SELECT to_jsonb(r) FROM loan_history r ORDER BY seq"),
    ("check_in", "SELECT to_jsonb(r) FROM check_in r ORDER BY seq"),
    ("patron_action_session", "SELECT to_jsonb(r) FROM patron_action_session r ORDER BY seq"),
    (
        "item_uncommon_status",
        "SELECT to_jsonb(s) FROM item_uncommon_status s JOIN item i ON i.id = record_id ORDER BY i.doc->>'barcode'",
    ),
    (
        "patron_counters",
        "SELECT to_jsonb(c) FROM patron_counters c JOIN users u ON u.id = c.user_id ORDER BY u.doc->>'barcode'",
    ),
];

/// Gives each id a number in the order of its first occurrence, and all times one name.
fn rename(value: &mut Value, numbers: &mut HashMap<Uuid, usize>) {
    match value {
        Value::String(text) => {
            if let Ok(id) = text.parse::<Uuid>() {
                let next = numbers.len();
                *text = format!("id {}", numbers.entry(id).or_insert(next));
            } else if text.parse::<jiff::Timestamp>().is_ok() {
                "time".clone_into(text);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, numbers)),
        Value::Object(members) => members.values_mut().for_each(|value| rename(value, numbers)),
        _ => {}
    }
}

/// A check-out and a check-in of several kinds, and what is on loan at the end.
async fn rows_after(library: &LendingLibrary) -> Vec<(&'static str, Vec<Value>)> {
    for number in 0..5 {
        library.item(&format!("i-{number}"), json!({})).await;
    }
    for patron in ["p-1", "p-2"] {
        library.patron(patron, json!({})).await;
    }
    for (item, patron) in [("i-0", "p-1"), ("i-1", "p-1"), ("i-2", "p-2")] {
        library.check_out(item, patron, json!({})).await.expect(201);
    }
    library.check_in("i-0", json!({})).await.expect(200);
    // In transit, which is an uncommon status: one item stays there, one is lent from there.
    library.check_out("i-4", "p-2", json!({})).await.expect(201);
    for item in ["i-1", "i-4"] {
        library.check_in(item, json!({"servicePointId": library.branch})).await.expect(200);
    }
    library.check_out("i-1", "p-2", json!({})).await.expect(201);
    library.check_out("i-0", "p-2", json!({})).await.expect(201);
    library.check_out("i-3", "p-1", json!({})).await.expect(201);
    library.check_in("i-3", json!({"servicePointId": library.branch})).await.expect(200);
    library.check_in("i-3", json!({})).await.expect(200);
    let (session, mut numbers, mut tables) = (library.session(), HashMap::new(), Vec::new());
    for (table, sql) in ROWS {
        let mut rows: Vec<Value> = session.values(sql, &[]).await.expect("rows");
        assert!(!rows.is_empty(), "{table}");
        rows.iter_mut().for_each(|row| {
            row.as_object_mut().expect("a row").remove("seq");
            rename(row, &mut numbers);
        });
        tables.push((table, rows));
    }
    tables
}

/// Makes the function that the general way calls for each patron's action count its calls.
const COUNT: &str = "
CREATE TABLE taken (session jsonb);
ALTER FUNCTION add_session RENAME TO add_session_as_ever;
CREATE FUNCTION add_session(session jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO taken VALUES ($1);
  SELECT add_session_as_ever($1);
$$;";

/// How many check-outs and returns took the general way.
async fn general_writes(library: &LendingLibrary) -> i64 {
    library.session().value("SELECT count(*) FROM taken", &[]).await.expect("a number")
}

#[tokio::test]
async fn the_ordinary_and_the_general_way_write_the_same() {
    let ordinary = webhooks::library().await;
    let general = webhooks::library().await;
    let _hook = webhooks::listen(&general, &["ITEM_CHECKED_OUT", "ITEM_CHECKED_IN"]).await;
    for library in [&ordinary, &general] {
        library.session().batch(COUNT).await.expect("a function");
    }
    let (here, there) = (rows_after(&ordinary).await, rows_after(&general).await);
    // The first check-out of each patron, whose counters it makes.
    assert_eq!(general_writes(&ordinary).await, 2);
    assert_eq!(general_writes(&general).await, 7 + 4);
    for ((table, here), (_, there)) in here.iter().zip(&there) {
        assert_eq!(here, there, "{table}");
    }
}

/// Libraries have such loans from other systems; the storage API refuses them.
#[tokio::test]
async fn an_open_loan_without_a_borrower_ends_like_any_other() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let loan = json!({"id": Uuid::new_v4(), "itemId": item, "status": {"name": "Open"}, "action": "checkedout",
        "loanDate": "2026-11-01T12:00:00Z", "dueDate": "2099-01-01T00:00:00.000+00:00", "itemStatus": "Checked out"});
    let lent = "UPDATE item_state SET state = state || '{\"status\": {\"name\": \"Checked out\"}}'";
    library.session().batch(lent).await.expect("a state");
    let added: i64 = library.session().value("SELECT add_loans(ARRAY[$1::jsonb])", &[&loan]).await.expect("a loan");
    assert_eq!(added, 1);
    let returned = library.check_in("i-1", json!({})).await.expect(200).json();
    assert_eq!(returned["loan"]["status"]["name"], "Closed");
}
