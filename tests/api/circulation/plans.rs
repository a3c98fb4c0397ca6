//! On a filled database, no statement of the desk reads a large table from end to end.

use serde_json::{Value, json};
use store::db::Transaction;

use super::LendingLibrary;

const READ_CHECK_OUT: &str = include_str!("../../../crates/store/queries/circulation/read_check_out.sql");
const READ_REQUEST: &str = include_str!("../../../crates/store/queries/circulation/read_request.sql");
const READ_QUEUE: &str = include_str!("../../../crates/store/queries/circulation/read_queue.sql");
const READ_CHECK_IN: &str = include_str!("../../../crates/store/queries/circulation/read_check_in.sql");
const READ_USE_AT_LOCATION: &str = include_str!("../../../crates/store/queries/circulation/read_use_at_location.sql");
const PATRON_STANDING: &str = include_str!("../../../crates/store/queries/circulation/patron_standing.sql");
const USER_SUMMARY: &str = include_str!("../../../crates/store/queries/circulation/user_summary.sql");
const END_SESSIONS: &str = "SELECT end_sessions($1)";

/// Tables that grow with the library or with time.
const BIG: [&str; 10] = [
    "instance",
    "holdings_record",
    "item",
    "users",
    "loan",
    "loan_history",
    "request",
    "accounts",
    "check_in",
    "patron_action_session",
];

/// Thousands of copies of the one item and the one patron, with a history.
const FILL: &str = "
INSERT INTO instance (id, doc)
  SELECT n.id, t.doc || jsonb_build_object('id', n.id, 'hrid', 'copy-' || n.number)
  FROM instance t, (SELECT gen_random_uuid() AS id, number FROM generate_series(1, 2000) number) n;
INSERT INTO holdings_record (id, doc)
  SELECT n.id, h.doc || jsonb_build_object('id', n.id, 'hrid', 'copy-' || n.number, 'instanceId', t.id)
  FROM holdings_record h, (SELECT id, row_number() OVER () AS number FROM instance) t,
  LATERAL (SELECT gen_random_uuid() AS id, t.number) n;
WITH made AS MATERIALIZED (
  SELECT n.id, i.doc || jsonb_build_object('id', n.id, 'barcode', 'copy-' || n.number, 'hrid', 'copy-' || n.number) AS doc,
         i.state
  FROM item_record i, (SELECT gen_random_uuid() AS id, number FROM generate_series(1, 5000) number) n
  WHERE i.doc->>'barcode' = 'i-1'),
stated AS (INSERT INTO item_state (id, state) SELECT id, state FROM made)
INSERT INTO item (id, doc) SELECT id, doc FROM made;
INSERT INTO users (id, doc)
  SELECT n.id, u.doc || jsonb_build_object('id', n.id, 'barcode', 'copy-' || n.number, 'username', 'copy-' || n.number)
  FROM users u, (SELECT gen_random_uuid() AS id, number FROM generate_series(1, 5000) number) n
  WHERE u.doc->>'barcode' = 'p-1';
SELECT add_loans(array_agg(jsonb_build_object('id', n.id, 'userId', u.id, 'itemId', i.id, 'action', 'checkedin',
    'loanDate', '2020-01-01T00:00:00Z', 'status', jsonb_build_object('name', 'Closed'))))
  FROM (SELECT id, row_number() OVER () AS number FROM users) u
  JOIN (SELECT id, row_number() OVER () AS number FROM item) i USING (number),
  LATERAL (SELECT gen_random_uuid() AS id, u.number) n;
SELECT add_requests(array_agg(jsonb_build_object('id', n.id, 'requesterId', l.doc->'userId', 'itemId', l.doc->'itemId',
    'instanceId', gen_random_uuid(), 'status', 'Closed - Filled', 'requestType', 'Hold', 'requestLevel', 'Item')))
  FROM loan l, LATERAL (SELECT gen_random_uuid() AS id, l.id AS loan) n;
SELECT add_accounts(array_agg(jsonb_build_object('id', n.id, 'userId', l.doc->'userId', 'loanId', l.id, 'remaining', 0,
    'status', jsonb_build_object('name', 'Closed'))))
  FROM loan l, LATERAL (SELECT gen_random_uuid() AS id, l.id AS loan) n;
INSERT INTO check_in (id, itemid)
  SELECT n.id, l.itemid
  FROM loan l, LATERAL (SELECT gen_random_uuid() AS id, l.id AS loan) n;
INSERT INTO patron_action_session (id, patronid, actiontype)
  SELECT n.id, l.userid, 'Check-out'
  FROM loan l, LATERAL (SELECT gen_random_uuid() AS id, l.id AS loan) n;
ANALYZE";

/// The large tables that the transaction has read from end to end so far.
async fn scanned(transaction: &Transaction) -> Vec<String> {
    let sql = "SELECT relname::text FROM pg_stat_xact_user_tables WHERE seq_scan > 0 AND relname = ANY($1)";
    let big: Vec<&str> = BIG.to_vec();
    let rows = transaction.query(sql, &[&big]).await.expect("statistics");
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn the_desk_reads_no_big_table_from_end_to_end() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let request = library.hold(&item, &patron, 1, json!({})).await;
    let tenant = library.library.app.tenant(library.library.tenant).expect("a tenant");
    let session = library.library.app.session(&tenant).expect("a session");
    session.batch(FILL).await.expect("a filled library");

    let transaction = session.begin().await.expect("a transaction");
    let (item, patron): (uuid::Uuid, uuid::Uuid) = (item.parse().expect("an id"), patron.parse().expect("an id"));
    let now = "2026-11-21T12:00:00.000+00:00";
    let absent: Option<&str> = None;
    transaction.query(READ_CHECK_OUT, &[&"i-1", &"p-1", &absent, &now]).await.expect("a row");
    assert_eq!(scanned(&transaction).await, [""; 0], "reading a check-out");
    write_check_out(&transaction, item, patron).await;
    assert_eq!(scanned(&transaction).await, [""; 0], "writing a check-out");
    transaction.query(READ_CHECK_IN, &[&"i-1", &patron, &now]).await.expect("a row");
    transaction.query(READ_USE_AT_LOCATION, &[&"i-1"]).await.expect("a row");
    transaction.query(PATRON_STANDING, &[&patron, &now]).await.expect("a row");
    transaction.query(USER_SUMMARY, &[&patron]).await.expect("a row");
    assert_eq!(scanned(&transaction).await, [""; 0], "reading a check-in and a patron");
    read_requests(&transaction, item, patron, now).await;
    assert_eq!(scanned(&transaction).await, [""; 0], "reading requests");
    write_check_in(&transaction, item).await;
    let ended = json!([{"patron": patron, "action": null}]);
    transaction.query(END_SESSIONS, &[&ended]).await.expect("a change");
    assert_eq!(scanned(&transaction).await, [""; 0], "writing a check-in");

    let (loan, request): (uuid::Uuid, uuid::Uuid) = (uuid::Uuid::new_v4(), request.parse().expect("an id"));
    let subjects = "SELECT notice_subject($1, NULL, NULL), notice_subject(NULL, $2, NULL)";
    let read = transaction.query(subjects, &[&loan, &request]).await;
    read.expect("a row");
    assert_eq!(scanned(&transaction).await, [""; 0], "reading what notices are about");
}

async fn read_requests(transaction: &Transaction, item: uuid::Uuid, patron: uuid::Uuid, now: &str) {
    let none: Option<uuid::Uuid> = None;
    let parameters: [store::db::Parameter<'_>; 7] = [&none, &item, &none, &patron, &none, &now, &"never"];
    let read = transaction.query(READ_REQUEST, &parameters).await;
    read.expect("a row");
    let read = transaction.query(READ_QUEUE, &[&item, &none]).await;
    read.expect("a row");
}

/// The item's queue, without changes.
async fn queue_of(transaction: &Transaction, item: uuid::Uuid) -> Value {
    let sql = "SELECT jsonb_build_object('item', $1::uuid, 'title', max(r.doc->>'instanceId'), 'changes', '[]'::jsonb,
        'read', coalesce(jsonb_agg(jsonb_build_array(r.id, r.queue_position, r.doc->'status') ORDER BY r.id), '[]'))
        FROM request r WHERE r.open_item = $1";
    let rows = transaction.query(sql, &[&item]).await.expect("a queue");
    rows[0].get(0)
}

async fn write_check_out(transaction: &Transaction, item: uuid::Uuid, patron: uuid::Uuid) {
    let id = uuid::Uuid::new_v4();
    let loan = json!({"id": id, "userId": patron, "itemId": item, "status": {"name": "Open"},
        "loanDate": "2026-11-21T12:00:00Z", "dueDate": "2026-11-20T00:00:00.000+00:00"});
    let session = json!({"id": id, "patronId": patron, "loanId": id, "actionType": "Check-out"});
    let state = json!({"status": {"name": "Checked out"}});
    let sql = "SELECT write_check_out($1, 1, $2, '{}', $3, $4, 0, $6, $5)";
    let queue = queue_of(transaction, item).await;
    let parameters: [store::db::Parameter<'_>; 6] = [&item, &state, &loan, &patron, &session, &queue];
    transaction.query(sql, &parameters).await.expect("a loan");
}

async fn write_check_in(transaction: &Transaction, item: uuid::Uuid) {
    let sql = "SELECT l.doc FROM loan l WHERE l.open_item = $1";
    let rows = transaction.query(sql, &[&item]).await.expect("a loan");
    let before: Value = rows[0].get(0);
    let mut loan = before.clone();
    loan["status"]["name"] = "Closed".into();
    let state = json!({"status": {"name": "Available"}});
    let check_in = json!({"id": uuid::Uuid::new_v4(), "itemId": item});
    let account = json!({"id": uuid::Uuid::new_v4(), "userId": loan["userId"], "loanId": loan["id"],
        "itemId": item, "remaining": 5, "status": {"name": "Open"}});
    let paid = json!({"id": account["id"], "userId": loan["userId"], "loanId": loan["id"], "itemId": item,
        "remaining": 0, "status": {"name": "Closed"}});
    let movement = json!({"id": uuid::Uuid::new_v4(), "accountId": account["id"]});
    let fees = json!({"charged": [account], "movements": [movement], "before": [], "after": [],
        "newCosts": [], "costsBefore": [], "costsAfter": []});
    let sql = "SELECT write_check_in($1, 2, $2, '{}', $3, $4, $7, $5, NULL, $6)";
    let queue = queue_of(transaction, item).await;
    let parameters: [store::db::Parameter<'_>; 7] = [&item, &state, &loan, &before, &check_in, &fees, &queue];
    transaction.query(sql, &parameters).await.expect("a return");
    let sql = "SELECT write_accounts('[]', $1, $2, '[]'), lost_item_fees(($3::jsonb->>'id')::uuid)";
    let parameters: [store::db::Parameter<'_>; 3] = [&json!([account]), &json!([paid]), &loan];
    transaction.query(sql, &parameters).await.expect("a payment");
}

/// Closed loans of the patron.
const READ_MUCH: &str = "
SELECT add_loans(array_agg(jsonb_build_object('id', gen_random_uuid(), 'userId', u.id, 'itemId', gen_random_uuid(),
    'action', 'checkedin', 'loanDate', '2020-01-01T00:00:00Z', 'status', jsonb_build_object('name', 'Closed'))))
  FROM users u, generate_series(1, 3000) WHERE u.doc->>'barcode' = 'p-1';
VACUUM (ANALYZE) loan";

/// The page of a patron asks at each check-out, and a patron of years has thousands of loans.
#[tokio::test]
async fn a_patrons_open_loans_are_found_without_reading_the_closed_ones() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let tenant = library.library.app.tenant(library.library.tenant).expect("a tenant");
    let session = library.library.app.session(&tenant).expect("a session");
    session.batch(FILL).await.expect("a filled library");
    for sql in READ_MUCH.split(';') {
        session.batch(sql).await.expect("closed loans");
    }
    let app = &library.library.app;
    let loans = app.collection("loan").expect("loans");
    for condition in ["<>Closed", "==Open"] {
        let query = format!("userId=={patron} and status.name{condition}");
        let plan = store::query::read(&app.collections, &loans, &query).expect("a plan");
        let page = store::query::page(&loans, &plan, 10, 0);
        let explain = format!("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {}", page.sql);
        let transaction = session.begin().await.expect("a transaction");
        transaction.batch("SET LOCAL plan_cache_mode = force_generic_plan").await.expect("plans without values");
        let rows = transaction.query(&explain, &page.values()).await.expect("a plan");
        let explained: Value = rows[0].get(0);
        let read = |kind: &str| explained[0]["Plan"][kind].as_u64().expect("a number");
        let blocks = read("Shared Hit Blocks") + read("Shared Read Blocks");
        assert!(blocks < 100, "{query}: {blocks} blocks\n{explained:#}");
    }
}
