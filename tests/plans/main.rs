//! Every statement that Carrel ships, explained on a filled database: none may read a large table from end to end.
//!
//! A sample library is filled until every growing table has thousands of rows. Then the test drives every route over
//! HTTP, every list by every searchable field, searches and a session at the desk as clients send them. PostgreSQL logs the plan
//! of each statement, including those inside functions and triggers, once planned with the values and once without,
//! like frequent statements. Finally it explains each file of `crates/store/queries` alone, so that files that nothing
//! drove are covered too.

// The session at the desk is one long list of requests.
#![allow(clippy::too_many_lines)]

mod archives;
mod catalogue;
mod desk;
mod files;
mod filled;
mod indexes;
mod judge;
mod lists;
mod routes;

use testkit::Planning;

use filled::Filled;
use judge::Judge;

#[tokio::test(flavor = "multi_thread")]
async fn no_statement_reads_a_large_table_from_end_to_end() {
    let filled = Filled::new().await;
    let mut judge = Judge::new(&filled).await;
    for planning in [Planning::Usual, Planning::Generic] {
        let mut log = filled.library.explain_everything(planning).await;
        for cql in lists::queries(&filled).await {
            filled.client.query(&cql.path, &cql.text).await.expect(200);
            judge.look(&mut log, &cql.to_string());
        }
        desk::session(&filled).await;
        judge.look(&mut log, "the desk's session");
        catalogue::searches(&filled).await;
        judge.look(&mut log, "searches of the catalogue");
        archives::session(&filled).await;
        judge.look(&mut log, "the archives' session");
        for request in routes::requests(&filled).await {
            let answer = request.send(&filled.client).await;
            let is_failure = answer.status == 500 && !answer.is_refused_with_500();
            assert!(!is_failure, "{request}: {}", answer.text);
            judge.look(&mut log, &request.to_string());
        }
    }
    let unknown = files::explain_each(&filled, &mut judge).await;
    let unused = indexes::unused(&filled, &judge).await;
    let scans = judge.scans();
    assert!(scans.is_empty(), "{} scans:\n{}", scans.len(), scans.join("\n\n"));
    assert!(unknown.is_empty(), "not explained: {unknown:#?}");
    assert!(unused.is_empty(), "no statement uses them, and each write pays for them: {unused:#?}");
    let without_index = indexes::without_index(&filled).await;
    assert!(without_index.is_empty(), "no index looks up these references: {without_index:#?}");
    let statements = judge.statements();
    assert!(statements > 500, "only {statements} statements");
}
