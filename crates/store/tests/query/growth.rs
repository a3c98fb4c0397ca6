//! Transactions that fill a library.

use crate::inventory::Inventory;

/// Keys that are checked one by one.
const MANY: i32 = 2_000;

/// A session keeps the plan of a foreign key's check. Made while the table had three rows, it reads all of it: each of twenty
/// thousand components once took a millisecond by it, and of a million a minute.
#[tokio::test]
async fn foreign_keys_are_checked_by_their_index_while_a_small_table_grows() {
    let inventory = Inventory::open().await;
    let session = inventory.session();
    session
        .batch(
            "CREATE TABLE grown (id int PRIMARY KEY); CREATE TABLE grown_part (of int REFERENCES grown);
             INSERT INTO grown SELECT generate_series(1, 3); ANALYZE grown",
        )
        .await
        .expect("the tables");
    let transaction = session.begin().await.expect("a transaction");
    let part = "INSERT INTO grown_part SELECT 1 FROM generate_series(1, 20)";
    transaction.execute(part, &[]).await.expect("the plan is made");
    transaction.expect_growth().await.expect("settings");
    let more = "INSERT INTO grown SELECT generate_series(4, $1)";
    transaction.execute(more, &[&MANY]).await.expect("the table grows");
    let parts = "INSERT INTO grown_part SELECT generate_series(4, $1)";
    transaction.execute(parts, &[&MANY]).await.expect("its rows are referred to");
    let read = "SELECT seq_tup_read FROM pg_stat_xact_user_tables WHERE relname = 'grown'";
    let row = transaction.query(read, &[]).await.expect("the counters").remove(0);
    let read = row.get::<_, i64>("seq_tup_read");
    assert!(read < i64::from(MANY), "{read} rows were read to check {MANY} keys");
}
