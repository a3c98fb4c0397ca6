//! Lists of records whose volatile members are in a table of their own: the same pages whether a query is about those or
//! not, and no look at that table for each record if it is not.

use store::Session;
use uuid::Uuid;

use crate::inventory::{Inventory, run, statement};
use crate::walks::{explained, plainly};

const COUNT: i64 = 40_000;

/// Items of which each tenth is checked out; many have the same number of copies.
async fn shelves(inventory: &Inventory, schema: &str) -> Session {
    let session = inventory.empty(schema).await;
    session
        .execute(
            "INSERT INTO item (id, doc)
             SELECT id, jsonb_build_object('id', id, 'barcode', 'B' || n * 7919 % 40009, 'copies', n % 50)
             FROM (SELECT n, md5(n::text)::uuid AS id FROM generate_series(1, $1::bigint) AS n) AS numbers",
            &[&COUNT],
        )
        .await
        .expect("items");
    session
        .batch(
            "INSERT INTO item_state (id, state)
             SELECT id, jsonb_build_object('status', jsonb_build_object('name',
                      CASE WHEN seq % 10 = 0 THEN 'Checked out' ELSE 'Available' END)) FROM item;
             ANALYZE item; ANALYZE item_state",
        )
        .await
        .expect("their states");
    session
}

#[tokio::test]
async fn pages_are_those_of_the_plain_statement() {
    let inventory = Inventory::open().await;
    let session = shelves(&inventory, "t_states").await;
    for condition in [
        "barcode==\"b*\"",
        "barcode==\"b1*\"",
        "copies==7",
        "copies<>7",
        "barcode==\"b1*\" and status.name==Available",
        "status.name==\"Checked out\"",
    ] {
        for order in
            ["", " sortby barcode", " sortby copies/number barcode/sort.descending", " sortby status.name copies"]
        {
            let query = format!("{condition}{order}");
            for (limit, offset) in [(3, 0), (20, 790), (7, 3_990), (5, 30_000)] {
                let (records, total) = run(&session, &statement("item", &query, limit, offset)).await;
                let ids = records.iter().map(|record| record["id"].as_str().and_then(|id| id.parse().ok()));
                let ids: Vec<Uuid> = ids.map(|id| id.expect("an id")).collect();
                let page = format!("{query}, {limit} from {offset}");
                assert_eq!(ids, plainly(&session, "item", &query, limit, offset).await, "{page}");
                assert!(records.iter().all(|record| record["status"]["name"].is_string()), "{page}");
                assert!(ids.is_empty() || total >= offset + i64::try_from(ids.len()).expect("a number"), "{page}");
            }
        }
    }
}

#[tokio::test]
async fn states_are_read_for_the_page_alone_unless_the_query_is_about_them() {
    let inventory = Inventory::open().await;
    let session = shelves(&inventory, "t_states_read").await;
    let read = async |query| explained(&session, "item", query, 0).await.matches(" on item_state ").count();
    for query in ["barcode==\"b1*\" sortby copies", "barcode==\"b*\" sortby barcode", "copies==7 sortby barcode"] {
        assert_eq!(read(query).await, 1, "{query}");
    }
    for query in ["status.name==Available sortby barcode", "barcode==\"b1*\" sortby status.name"] {
        assert!(read(query).await > 1, "{query}");
    }
}
