//! Fifty clients check the same twenty items out and in at random; afterwards everything adds up.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use futures_util::future::join_all;
use serde_json::json;
use testkit::Answer;

use super::LendingLibrary;

const ITEMS: usize = 20;
const CLIENTS: usize = 50;
const SCANS: usize = 12;

/// The answers that the clients got.
#[derive(Default)]
struct Answers {
    checked_out: AtomicI64,
    returned: AtomicI64,
    checked_in: AtomicI64,
}

/// Counts in the database: open loans, all loans, closed loans; check-ins; items whose status contradicts their loan;
/// patrons whose counter differs from their open loans; loans without their two entries in the history.
const FACTS: &str = "SELECT
  (SELECT count(*) FROM loan WHERE open_item IS NOT NULL),
  (SELECT count(*) FROM loan),
  (SELECT count(*) FROM loan l WHERE l.doc#>>'{status,name}' = 'Closed'),
  (SELECT count(*) FROM check_in),
  (SELECT count(*) FROM item_record i
   WHERE (i.state#>>'{status,name}' = 'Checked out') <> EXISTS (SELECT FROM loan l WHERE l.open_item = i.id)),
  (SELECT count(*) FROM users u
   WHERE coalesce((SELECT c.open_loans FROM patron_counters c WHERE c.user_id = u.id), 0)
         <> (SELECT count(*) FROM loan l WHERE l.open_borrower = u.id)),
  (SELECT count(*) FROM loan l
   WHERE (SELECT count(*) FROM loan_history h WHERE h.loan_id = l.id)
         <> CASE WHEN l.open_item IS NULL THEN 2 ELSE 1 END)";

#[tokio::test]
async fn simultaneous_check_outs_and_check_ins_add_up() {
    let library = LendingLibrary::new().await;
    for item in 0..ITEMS {
        library.item(&format!("i-{item}"), json!({})).await;
    }
    for patron in 0..CLIENTS {
        library.patron(&format!("p-{patron}"), json!({})).await;
    }
    let answers = Answers::default();
    join_all((0..CLIENTS).map(|client| scans(&library, client, &answers))).await;

    let tenant = library.library.app.tenant(library.library.tenant);
    let session = library.library.app.session(&tenant.expect("the tenant"));
    let row = session.expect("a session").get(FACTS, &[]).await;
    let row = row.expect("the facts");
    let facts: Vec<i64> = (0..row.len()).map(|column| row.get(column)).collect();
    let (checked_out, returned, checked_in) =
        (answers.checked_out.into_inner(), answers.returned.into_inner(), answers.checked_in.into_inner());
    assert!(checked_out > 0 && returned > 0, "{checked_out} checked out, {returned} checked in");
    assert_eq!(facts, [checked_out - returned, checked_out, returned, checked_in, 0, 0, 0]);
}

/// One client's scans, which overlap with those of others: two check-outs for each check-in.
async fn scans(library: &LendingLibrary, client: usize, answers: &Answers) {
    for step in 0..SCANS {
        let item = format!("i-{}", (client * 7 + step * 3) % ITEMS);
        if (client + step).is_multiple_of(3) {
            let answer = library.check_in(&item, json!({})).await;
            answers.checked_in.fetch_add(i64::from(done(&answer, 200)), Relaxed);
            let closed = answer.status == 200 && answer.json()["loan"].is_object();
            answers.returned.fetch_add(i64::from(closed), Relaxed);
        } else {
            let patron = format!("p-{client}");
            let answer = library.check_out(&item, &patron, json!({})).await;
            answers.checked_out.fetch_add(i64::from(done(&answer, 201)), Relaxed);
        }
    }
}

/// Whether it succeeded; otherwise it must have been refused.
fn done(answer: &Answer, good: u16) -> bool {
    let refused = [409, 422].contains(&answer.status);
    assert!(answer.status == good || refused, "{}: {}", answer.status, answer.text);
    answer.status == good
}
