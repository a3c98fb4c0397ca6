//! A newer Carrel on the data of an older one.

use crate::support::{Carrel, carrel, data_dir, database};

#[tokio::test]
async fn functions_may_change_their_parameters_and_results() {
    let directory = data_dir();
    let data = directory.path();
    assert!(carrel(data, &["tenant", "create", "lib1"]).status.success());
    let running = Carrel::start(data);
    let older = "DROP FUNCTION t_lib1.change_requests(jsonb, jsonb);
         CREATE FUNCTION t_lib1.change_requests(of_old jsonb, stamp jsonb) RETURNS text LANGUAGE sql
           AS 'SELECT NULL::text';
         CREATE FUNCTION t_lib1.no_longer_made() RETURNS int LANGUAGE sql AS 'SELECT 1';
         UPDATE t_lib1.schema_history SET checksum = 'of an older Carrel' WHERE version = -2";
    let client = database(data).await;
    client.batch_execute(older).await.expect("it runs");
    assert!(running.stop("TERM").success());

    let running = Carrel::start(data);
    assert_eq!(running.status("/readyz").await, Some(200));
    let row = database(data)
        .await
        .query_one(
            "SELECT pg_get_function_result('t_lib1.change_requests(jsonb, jsonb)'::regprocedure),
                    to_regproc('t_lib1.no_longer_made') IS NULL",
            &[],
        )
        .await
        .expect("a row");
    assert_eq!((row.get(0), row.get(1)), ("void", true));
}
