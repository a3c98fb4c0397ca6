//! A newer Carrel on the data of an older one.

use std::path::Path;

use crate::doctor::assert_sound;
use crate::support::{Carrel, carrel, command, data_dir, database};

/// Starts a Carrel on a library that these statements have made older.
async fn started_after(data: &Path, older: &str) -> Carrel {
    assert!(carrel(data, &["tenant", "create", "lib1"]).status.success());
    let running = Carrel::start(data);
    let client = database(data).await;
    client.batch_execute(older).await.expect("it runs");
    assert!(running.stop("TERM").success());

    let running = Carrel::start(data);
    assert_eq!(running.status("/readyz").await, Some(200));
    running
}

#[tokio::test]
async fn functions_may_change_their_parameters_and_results() {
    let directory = data_dir();
    let data = directory.path();
    let older = "DROP FUNCTION t_lib1.change_queue(jsonb, jsonb);
         CREATE FUNCTION t_lib1.change_queue(of_old jsonb, stamp jsonb) RETURNS text LANGUAGE sql
           AS 'SELECT NULL::text';
         CREATE FUNCTION t_lib1.no_longer_made() RETURNS int LANGUAGE sql AS 'SELECT 1';
         UPDATE t_lib1.schema_history SET checksum = 'of an older Carrel' WHERE version = -2";
    let _running = started_after(data, older).await;
    let row = database(data)
        .await
        .query_one(
            "SELECT pg_get_function_result('t_lib1.change_queue(jsonb, jsonb)'::regprocedure),
                    to_regproc('t_lib1.no_longer_made') IS NULL",
            &[],
        )
        .await
        .expect("a row");
    assert_eq!((row.get(0), row.get(1)), ("void", true));
}

#[tokio::test]
async fn tables_older_than_their_migration_stay_unchanged() {
    let directory = data_dir();
    let data = directory.path();
    let older = "INSERT INTO t_lib1.patron_counters (user_id, open_loans) VALUES (gen_random_uuid(), 7);
         ALTER TABLE t_lib1.request DROP COLUMN through_override;
         ALTER TABLE t_lib1.check_in DROP COLUMN closed_loan;
         DELETE FROM t_lib1.schema_history WHERE version = 70;
         UPDATE t_lib1.schema_history SET checksum = 'of an older Carrel' WHERE version = -2";
    let _running = started_after(data, older).await;
    let row = database(data)
        .await
        .query_one(
            "SELECT (SELECT sum(open_loans) FROM t_lib1.patron_counters) AS loans,
                    (SELECT count(*) FROM information_schema.columns
                     WHERE table_schema = 't_lib1' AND column_name IN ('through_override', 'closed_loan')) AS columns",
            &[],
        )
        .await
        .expect("a row");
    assert_eq!((row.get("loans"), row.get("columns")), (7_i64, 2_i64));
}

#[tokio::test]
async fn columns_follow_a_derivation_that_changes() {
    let directory = data_dir();
    let data = directory.path();
    let older = "DROP FUNCTION t_lib1.patron_action_session_columns;
         CREATE FUNCTION t_lib1.patron_action_session_columns(doc jsonb) RETURNS TABLE (patronid uuid)
           LANGUAGE sql IMMUTABLE AS 'SELECT NULL::uuid';
         INSERT INTO t_lib1.patron_action_session (id, rest)
         SELECT gen_random_uuid(), jsonb_build_object('patronId', gen_random_uuid()) FROM generate_series(1, 3);
         UPDATE t_lib1.schema_history SET checksum = 'of an older Carrel' WHERE version = -2";
    let _running = started_after(data, older).await;
    let row = database(data)
        .await
        .query_one(
            "SELECT count(patronid) FILTER (WHERE rest IS NULL), count(*) FROM t_lib1.patron_action_session",
            &[],
        )
        .await
        .expect("a row");
    assert_eq!((row.get(0), row.get(1)), (3_i64, 3_i64));
}

#[tokio::test]
async fn the_update_of_a_large_library_tells_its_steps_and_begins_again_after_a_kill() {
    let directory = data_dir();
    let data = directory.path();
    // Tables of 10,000 records are worth telling.
    let made = carrel(data, &["sample", "--items", "10500", "--instances", "10500", "--users", "50"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let running = Carrel::start(data);
    let older = "UPDATE t_diku.schema_history SET checksum = 'of an older Carrel' WHERE version < 0";
    database(data).await.batch_execute(older).await.expect("it runs");
    assert!(running.stop("TERM").success());

    let killed = Carrel::spawn(command(data));
    let step = killed.line_with("updating the library");
    assert!(step.contains("\"library\":\"diku\"") && step.contains("\"rows\":"), "{step}");
    assert!(!killed.stop("KILL").success());

    let updated = Carrel::spawn(command(data));
    updated.line_with("updating the library: functions");
    updated.line_with("the library is up to date");
    let _running = updated.ready();
    assert_sound(data, &["schema", "indexes", "constraints", "columns"]);
}
