//! What an ordinary check-out and check-in leave alone (decision 36).

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::circulation::lending_library::LendingLibrary;

/// All versions of their states fit on one page: PostgreSQL need not make room, which an older snapshot of another test prevents.
const ITEMS: usize = 2;
const ROUNDS: usize = 3;
/// PostgreSQL tells others what a connection did only now and then.
const PATIENCE: Duration = Duration::from_secs(30);

/// Triggers on what the two statements write.
const TRIGGERS: &str = "
SELECT to_jsonb(format('%s on %s', tgname, tgrelid::regclass)) FROM pg_trigger
WHERE NOT tgisinternal AND tgenabled <> 'D' AND tgtype & (4 | 16) <> 0
  AND tgrelid IN ('item_state'::regclass, 'item_uncommon_status'::regclass, 'loan'::regclass, 'loan_history'::regclass,
                  'check_in'::regclass, 'patron_action_session'::regclass, 'patron_counters'::regclass,
                  'catalogue_change'::regclass)";

/// Updated rows of a table, and those of them that needed no new index entries.
const UPDATES: &str = "
SELECT jsonb_build_array(n_tup_upd, n_tup_hot_upd) FROM pg_stat_user_tables
WHERE schemaname = current_schema() AND relname = $1";

async fn updates(library: &LendingLibrary, table: &str) -> (u64, u64) {
    let found: Vec<Value> = library.session().values(UPDATES, &[&table]).await.expect("statistics");
    let number = |place: usize| found[0][place].as_u64().expect("a number");
    (number(0), number(1))
}

#[tokio::test]
async fn ordinary_writes_run_no_trigger_and_rewrite_no_item() {
    let library = LendingLibrary::new().await;
    let triggers: Vec<Value> = library.session().values(TRIGGERS, &[]).await.expect("triggers");
    assert!(triggers.is_empty(), "{triggers:?}");

    let items: Vec<_> = (0..ITEMS).map(|number| format!("i-{number}")).collect();
    for item in &items {
        library.item(item, json!({})).await;
    }
    library.patron("p-1", json!({})).await;
    for _ in 0..ROUNDS {
        for item in &items {
            library.check_out(item, "p-1", json!({})).await.expect(201);
        }
        for item in &items {
            library.check_in(item, json!({})).await.expect(200);
        }
    }
    let (expected, deadline) = ((2 * ROUNDS * ITEMS) as u64, Instant::now() + PATIENCE);
    let (mut all, mut without_entries) = (0, 0);
    while all < expected {
        assert!(Instant::now() < deadline, "{all} updates of {expected}");
        (all, without_entries) = updates(&library, "item_state").await;
    }
    assert_eq!(all, expected);
    assert_eq!(without_entries, all);
    assert_eq!(updates(&library, "item").await.0, 0);
}
