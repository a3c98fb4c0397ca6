//! How PostgreSQL runs the queries that the desk depends on: by index, never by reading a table.

use store::Session;

use crate::inventory::{Inventory, collection, plan};

async fn filled(inventory: &Inventory) -> Session {
    let session = inventory.empty("t_plans").await;
    session
        .batch(
            "INSERT INTO instance (id, doc)
             SELECT md5('i' || n)::uuid, jsonb_build_object('title', 'title ' || md5(n::text), 'code', n::text)
             FROM generate_series(1, 4000) AS n;
             INSERT INTO holdings_record (id, doc)
             SELECT md5('h' || n)::uuid, jsonb_build_object('instanceId', md5('i' || n)::uuid)
             FROM generate_series(1, 4000) AS n;
             INSERT INTO item (id, doc)
             SELECT md5('t' || n)::uuid,
                    jsonb_build_object('holdingsRecordId', md5('h' || (n % 4000 + 1))::uuid, 'barcode', 'B' || n)
             FROM generate_series(1, 8000) AS n;
             INSERT INTO item_state (id, state)
             SELECT md5('t' || n)::uuid, jsonb_build_object('status', jsonb_build_object('name',
                      CASE WHEN n % 500 = 0 THEN 'Checked out' ELSE 'Available' END))
             FROM generate_series(1, 8000) AS n;
             ANALYZE item_state; ANALYZE instance; ANALYZE holdings_record; ANALYZE item;",
        )
        .await
        .expect("a filled inventory");
    session
}

#[tokio::test]
async fn desk_queries_use_indexes() {
    let inventory = Inventory::open().await;
    let session = filled(&inventory).await;
    let id = "00000001-0000-4000-8000-000000000000";
    let rows = [
        ("item", "barcode==b17".to_owned()),
        ("item", "barcode==(b17 or b18 or B19)".into()),
        ("item", "barcode==b777*".into()),
        ("item", "barcode==b77?7".into()),
        ("item", format!("id==({id} or {id} or {id})")),
        ("item", format!("id=={id} and status.name==Available")),
        ("item", format!("holdingsRecordId=={id} and status.name==available")),
        ("item", "instance.code==17".into()),
        ("instance", "item.barcode==b17".into()),
        ("instance", "title==\"title 17*\"".into()),
        ("instance", "title=\"title c4ca4238a0b923820dcc509a6f75849b\"".into()),
        ("instance", "code==17 or code==18 or title==x".into()),
        ("instance", "discoverySuppress==true".into()),
        ("instance", "discoverySuppress=True and title=title".into()),
    ];
    for (table, query) in rows {
        let condition = plan(table, &query).unwrap().condition.sql().inlined();
        let explain = format!("EXPLAIN SELECT r.doc FROM {} r WHERE {condition}", collection(table).relation());
        let lines = session.query(&explain, &[]).await.expect("a plan");
        let text: Vec<String> = lines.iter().map(|line| line.get(0)).collect();
        let text = text.join("\n");
        assert!(!text.contains("Seq Scan"), "{query}:\n{text}");
    }
}

/// A statement that has run often is planned without its values; its lookups stay lookups.
#[tokio::test]
async fn generic_plans_use_indexes_too() {
    let inventory = Inventory::open().await;
    let session = inventory.empty("t_generic").await;
    session
        .batch(
            "INSERT INTO item (id, doc)
             SELECT md5(n::text)::uuid, jsonb_build_object('barcode', 'B' || n)
             FROM generate_series(1, 5000) AS n;
             ANALYZE item;",
        )
        .await
        .expect("items");
    for query in ["barcode==b17", "barcode==b17*", "barcode==(b1 or b2)", "barcode==ö", "barcode==ö*"] {
        let mut parameters = Vec::new();
        let condition = plan("item", query).unwrap().condition.sql().numbered(&mut parameters);
        let nulls = vec!["NULL"; parameters.len()].join(", ");
        session
            .batch(&format!(
                "SET plan_cache_mode = force_generic_plan;
                 PREPARE look_up AS SELECT r.doc FROM item r WHERE {condition};
                 CREATE TEMPORARY TABLE IF NOT EXISTS explained (line text);"
            ))
            .await
            .expect("it prepares");
        let lines = session.query(&format!("EXPLAIN EXECUTE look_up ({nulls})"), &[]).await;
        session.batch("DEALLOCATE look_up; RESET plan_cache_mode").await.expect("it is forgotten");
        let text: Vec<String> = lines.expect("a plan").iter().map(|line| line.get(0)).collect();
        let text = text.join("\n");
        assert!(text.contains("Index"), "{query}:\n{text}");
        assert!(!text.contains("Seq Scan"), "{query}:\n{text}");
    }
}
