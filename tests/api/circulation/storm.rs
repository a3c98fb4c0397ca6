//! Fifty clients lend and take back the same twenty items in no order; afterwards everything adds up.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use futures_util::future::join_all;
use serde_json::json;
use testkit::Answer;

use super::LendingLibrary;

const ITEMS: usize = 20;
const CLIENTS: usize = 50;
const SCANS: usize = 12;

/// What the clients were told.
#[derive(Default)]
struct Told {
    lent: AtomicI64,
    returned: AtomicI64,
    taken_in: AtomicI64,
}

/// What the database holds: open loans, loans in all, closed loans; check-ins; items whose status is not what
/// their loan says; patrons whose counter is not the number of their open loans; loans without the two entries
/// in the history that they must have.
const FACTS: &str = "SELECT
  (SELECT count(*) FROM loan WHERE open_item IS NOT NULL),
  (SELECT count(*) FROM loan),
  (SELECT count(*) FROM loan WHERE doc#>>'{status,name}' = 'Closed'),
  (SELECT count(*) FROM check_in),
  (SELECT count(*) FROM item i
   WHERE (i.state#>>'{status,name}' = 'Checked out') <> EXISTS (SELECT FROM loan l WHERE l.open_item = i.id)),
  (SELECT count(*) FROM users u
   WHERE coalesce((SELECT c.open_loans FROM patron_counters c WHERE c.user_id = u.id), 0)
         <> (SELECT count(*) FROM loan l WHERE l.open_borrower = u.id)),
  (SELECT count(*) FROM loan l
   WHERE (SELECT count(*) FROM loan_history h WHERE h.doc#>>'{loan,id}' = l.id::text)
         <> CASE WHEN l.open_item IS NULL THEN 2 ELSE 1 END)";

#[tokio::test]
async fn lending_and_taking_back_the_same_items_at_once_adds_up() {
    let library = LendingLibrary::new().await;
    for item in 0..ITEMS {
        library.item(&format!("i-{item}"), json!({})).await;
    }
    for patron in 0..CLIENTS {
        library.patron(&format!("p-{patron}"), json!({})).await;
    }
    let told = Told::default();
    join_all((0..CLIENTS).map(|client| scans(&library, client, &told))).await;

    let tenant = library.library.app.tenant(library.library.tenant);
    let session = library.library.app.session(&tenant.expect("the tenant"));
    let row = session.expect("a session").get(FACTS, &[]).await;
    let row = row.expect("the facts");
    let facts: Vec<i64> = (0..row.len()).map(|column| row.get(column)).collect();
    let (lent, returned, taken_in) = (
        told.lent.into_inner(),
        told.returned.into_inner(),
        told.taken_in.into_inner(),
    );
    assert!(lent > 0 && returned > 0, "{lent} lent, {returned} returned");
    assert_eq!(facts, [lent - returned, lent, returned, taken_in, 0, 0, 0]);
}

/// One client's scans of items that others are scanning, too: two check-outs for each check-in.
async fn scans(library: &LendingLibrary, client: usize, told: &Told) {
    for step in 0..SCANS {
        let item = format!("i-{}", (client * 7 + step * 3) % ITEMS);
        if (client + step).is_multiple_of(3) {
            let answer = library.check_in(&item, json!({})).await;
            told.taken_in
                .fetch_add(i64::from(done(&answer, 200)), Relaxed);
            let closed = answer.status == 200 && answer.json()["loan"].is_object();
            told.returned.fetch_add(i64::from(closed), Relaxed);
        } else {
            let patron = format!("p-{client}");
            let answer = library.check_out(&item, &patron, json!({})).await;
            told.lent.fetch_add(i64::from(done(&answer, 201)), Relaxed);
        }
    }
}

/// Whether it was done; otherwise it must have been refused.
fn done(answer: &Answer, good: u16) -> bool {
    let refused = [409, 422].contains(&answer.status);
    assert!(
        answer.status == good || refused,
        "{}: {}",
        answer.status,
        answer.text
    );
    answer.status == good
}
