//! Pages that a walk in order meets, near and far: the same records as of the plain, slow statement.

use store::Session;
use store::query::OrderColumn;
use uuid::Uuid;

use crate::inventory::{Inventory, collection, plan, run, statement};

const COUNT: i64 = 40_000;

/// Instances of which seven in eight match `discoverySuppress==true` and one in 8,000 has a title about whales. Many
/// share a title, some have none, and each second has a code.
async fn shelves(inventory: &Inventory, schema: &str) -> Session {
    let session = inventory.empty(schema).await;
    session
        .execute(
            "INSERT INTO instance (id, doc)
             SELECT id, jsonb_strip_nulls(jsonb_build_object('id', id, 'discoverySuppress', n % 8 <> 0,
               'title', CASE WHEN n % 8000 = 7 THEN 'Of whales' WHEN n % 11 <> 0 THEN 'title ' || n * 7919 % 5000 END,
               'code', CASE WHEN n % 2 = 0 THEN 'c' || n * 7919 % 40009 END,
               'mode', (ARRAY['Serial', 'Single unit', 'Série à part'])[1 + n % 3]))
             FROM (SELECT n, md5(n::text)::uuid AS id FROM generate_series(1, $1::bigint) AS n) AS numbers",
            &[&COUNT],
        )
        .await
        .expect("instances");
    session.batch("VACUUM (ANALYZE) instance").await.expect("statistics");
    session
}

/// The same page by the plain statement.
pub async fn plainly(session: &Session, table: &str, query: &str, limit: i64, offset: i64) -> Vec<Uuid> {
    let plan = plan(table, query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let key = |key: &OrderColumn| format!("{}{}, ", key.sql, if key.descending { " DESC" } else { "" });
    let order: String = plan.order.iter().map(key).collect();
    let condition = plan.condition.sql().inlined();
    let from = collection(table).relation();
    let sql = format!("SELECT id FROM {from} r WHERE {condition} ORDER BY {order}seq LIMIT {limit} OFFSET {offset}");
    session.values(&sql, &[]).await.expect("the page")
}

#[tokio::test]
async fn near_and_deep_pages_are_those_of_the_plain_statement() {
    let inventory = Inventory::open().await;
    let session = shelves(&inventory, "t_walks").await;
    for condition in [
        "cql.allRecords=1",
        "discoverySuppress==true",
        "title==\"title*\"",
        "title==\"title 1*\" and discoverySuppress==true",
        "title=title and discoverySuppress==true",
        "code==\"c*\" and title>\"title 2\"",
        "mode=unit and discoverySuppress==true",
        "title==\"title 17\" and mode<>serial",
        "mode<>serial and (title==\"title 1*\" or code==\"c1*\")",
    ] {
        let all = plainly(&session, "instance", condition, COUNT, 0).await.len();
        let all = i64::try_from(all).expect("a number");
        for order in ["", "title/sort.descending", "id", "code title/sort.descending", "discoverySuppress"] {
            let query = if order.is_empty() { condition.to_owned() } else { format!("{condition} sortby {order}") };
            for (limit, offset) in [(3, 0), (100, 950), (7, 27_000), (20, 36_350), (5, COUNT)] {
                let (records, total) = run(&session, &statement("instance", &query, limit, offset)).await;
                let ids = records.iter().map(|record| record["id"].as_str().and_then(|id| id.parse().ok()));
                let ids: Vec<Uuid> = ids.map(|id| id.expect("an id")).collect();
                let expected = plainly(&session, "instance", &query, limit, offset).await;
                let page = format!("{query}, {limit} from {offset}");
                assert_eq!(ids, expected, "{page}");
                let shown = offset + i64::try_from(ids.len()).expect("a number");
                if ids.len() < limit as usize {
                    assert_eq!(total, all, "{page}");
                } else {
                    assert!(total >= shown, "{page}: {total}");
                }
            }
        }
    }
}

/// The plan of a page, as text.
pub async fn explained(session: &Session, table: &str, query: &str, offset: i64) -> String {
    let statement = statement(table, query, 10, offset);
    let lines = session.query(&format!("EXPLAIN (ANALYZE, COSTS OFF) {}", statement.sql), &statement.values()).await;
    let lines = lines.unwrap_or_else(|error| panic!("{query}: {error}"));
    lines.iter().map(|line| line.get::<_, String>(0) + "\n").collect()
}

#[tokio::test]
async fn a_deep_page_reads_no_records_before_it() {
    let inventory = Inventory::open().await;
    let session = shelves(&inventory, "t_deep_walk").await;
    for (query, index) in [("cql.allRecords=1", "instance_seq_idx"), ("cql.allRecords=1 sortby id", "instance_pkey")] {
        let plan = explained(&session, "instance", query, 30_000).await;
        assert!(plan.contains(&format!("Index Only Scan using {index}")), "{query}:\n{plan}");
    }
}

/// The number of rows of the widest step.
fn most_rows(plan: &str) -> u64 {
    let actual = plan.lines().filter_map(|line| line.split_once("actual ")?.1.split_once("rows=")?.1.split(' ').next());
    actual.filter_map(|rows| rows.parse().ok()).max().expect("rows")
}

#[tokio::test]
async fn a_frequent_condition_is_met_by_a_walk_and_a_rare_one_by_its_index() {
    let inventory = Inventory::open().await;
    let session = shelves(&inventory, "t_frequent").await;
    for query in ["discoverySuppress==true sortby title", "discoverySuppress==true", "title all whales sortby title"] {
        let plan = explained(&session, "instance", query, 0).await;
        assert!(most_rows(&plan) < 2_000, "{query}:\n{plan}");
    }
}

/// An index finds the few records of which another condition is only a test: nothing has to be estimated.
#[tokio::test]
async fn a_condition_that_an_index_serves_in_part_reads_what_that_part_finds() {
    let inventory = Inventory::open().await;
    let session = shelves(&inventory, "t_in_part").await;
    for query in ["title==\"title 17\" and mode<>serial", "mode<>serial and title==\"title 17\" sortby code"] {
        let statement = statement("instance", query, 10, 0);
        let explain = format!("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {}", statement.sql);
        let plan: serde_json::Value = session.value(&explain, &statement.values()).await.expect("a plan");
        let read = |kind: &str| plan[0]["Plan"][kind].as_u64().expect("a number");
        let blocks = read("Shared Hit Blocks") + read("Shared Read Blocks");
        assert!(blocks < 100, "{query}: {blocks} blocks\n{plan:#}");
    }
}

/// What a cheap comparison of the plain text rules out, no accent brings back.
#[tokio::test]
async fn words_without_an_index_are_found_whatever_their_case_and_accents() {
    let inventory = Inventory::open().await;
    let session = inventory.empty("t_words").await;
    session
        .batch(
            "INSERT INTO instance (id, doc)
             SELECT md5(code)::uuid, jsonb_build_object('id', md5(code)::uuid, 'code', code, 'mode', mode)
             FROM (VALUES ('PQ 59', 'Serial'), ('Folio pq', 'Série à part'), ('Größe Übung', 'Single unit'),
                          ('XPQ 59', 'Serial')) AS codes (code, mode)",
        )
        .await
        .expect("instances");
    for (query, found) in [
        ("code=\"pq*\"", 2),
        ("code=PQ", 2),
        ("code=\"59\"", 2),
        ("code all \"59 PQ\"", 1),
        ("code=ubung", 1),
        ("code=\"GROSSE ÜBUNG\"", 1),
        ("code any \"ubung xpq\"", 2),
        ("mode==serial", 2),
        ("mode==\"ser*\"", 3),
        ("mode==\"serie a part\"", 1),
        ("mode=(PART or unit)", 2),
        ("mode=*", 4),
        ("mode==\"\"", 0),
        ("cql.allRecords=1 not mode==serial", 2),
    ] {
        let (records, total) = run(&session, &statement("instance", query, 10, 0)).await;
        assert_eq!((records.len(), total), (found, i64::try_from(found).expect("small")), "{query}");
    }
}
