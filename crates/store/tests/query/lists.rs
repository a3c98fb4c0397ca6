//! Pages and totals: exact where they can be, never too low beyond.

use store::Session;
use store::query::EXACT_UP_TO;

use crate::inventory::{Inventory, run, statement};

/// `count` instances, of which every tenth has the code of its number; analysed, so that estimates are good.
async fn many(inventory: &Inventory, schema: &str, count: i64) -> Session {
    let session = inventory.empty(schema).await;
    session
        .execute(
            "INSERT INTO instance (id, doc)
             SELECT id, jsonb_build_object('id', id, 'title', 'title ' || lpad(n::text, 6, '0'),
                                           'discoverySuppress', n % 2 = 0)
             FROM (SELECT n, md5(n::text)::uuid AS id FROM generate_series(1, $1::bigint) AS n) AS numbers",
            &[&count],
        )
        .await
        .expect("many instances");
    session.batch("ANALYZE instance").await.expect("statistics");
    session
}

/// The first title of the page, the number of its records, and the total.
async fn page(session: &Session, query: &str, limit: i64, offset: i64) -> (String, usize, i64) {
    let (records, total) = run(session, &statement("instance", query, limit, offset)).await;
    let title = records.first().map_or("", |record| record["title"].as_str().unwrap_or("?"));
    (title.to_owned(), records.len(), total)
}

fn title(number: i64) -> String {
    format!("title {number:06}")
}

#[tokio::test]
async fn totals_are_exact_up_to_the_bound() {
    let inventory = Inventory::open().await;
    let session = many(&inventory, "t_some", 200).await;
    for query in ["cql.allRecords=1", "title=title", "cql.allRecords=1 sortby title", "title=title sortby title"] {
        assert_eq!(page(&session, query, 10, 0).await, (title(1), 10, 200), "{query}");
        assert_eq!(page(&session, query, 10, 195).await, (title(196), 5, 200), "{query}");
        assert_eq!(page(&session, query, 10, 200).await, (String::new(), 0, 200), "{query}");
        assert_eq!(page(&session, query, 10, 5_000).await, (String::new(), 0, 200), "{query}");
        assert_eq!(page(&session, query, 0, 0).await, (String::new(), 0, 200), "{query}");
        assert_eq!(page(&session, query, i64::from(i32::MAX), 0).await, (title(1), 200, 200), "{query}");
    }
    let descending = "title=title sortby title/sort.descending";
    assert_eq!(page(&session, descending, 7, 7).await, (title(193), 7, 200));
}

#[tokio::test]
async fn totals_beyond_the_bound_are_estimates_that_never_fall_short() {
    let inventory = Inventory::open().await;
    let count = 2 * EXACT_UP_TO + 4_000;
    let session = many(&inventory, "t_many", count).await;
    let half = count / 2;
    for (query, exact) in [
        ("cql.allRecords=1", count),
        ("cql.allRecords=1 sortby title", count),
        ("discoverySuppress==true", half),
        ("discoverySuppress==true sortby title", half),
        ("title==\"title*\" sortby title", count),
    ] {
        let step = count / exact;
        let (first, shown, total) = page(&session, query, 10, 0).await;
        assert_eq!((first, shown), (title(step), 10), "{query}");
        assert!(total > EXACT_UP_TO, "{query}: {total}");
        // Past the bound too, a page never shows more than the total says, and the next one is promised.
        let (first, shown, total) = page(&session, query, 10, 10_995).await;
        assert_eq!((first, shown), (title(step * 10_996), 10), "{query}");
        assert!(total > 11_005, "{query}: {total}");
        // The last page, what follows it, and limit 0 know the number.
        let last = page(&session, query, 10, exact - 3).await;
        assert_eq!(last, (title(count - 2 * step), 3, exact), "{query}");
        assert_eq!(page(&session, query, 10, exact + 5).await, (String::new(), 0, exact), "{query}");
        assert_eq!(page(&session, query, 0, 0).await, (String::new(), 0, exact), "{query}");
    }
    let (_, _, estimate) = page(&session, "cql.allRecords=1", 10, 0).await;
    assert_eq!(estimate, count, "the planner knows an analysed table");
}

/// The planner knows nothing of values that no index has: it would expect one record in two hundred.
#[tokio::test]
async fn a_total_beyond_the_bound_is_never_the_bound_but_near_the_truth() {
    let inventory = Inventory::open().await;
    let count = 10 * EXACT_UP_TO;
    let session = many(&inventory, "t_very_many", count).await;
    for (query, truth) in [
        ("cql.allRecords=1", count),
        ("title==\"title*\"", count),
        ("discoverySuppress==true", count / 2),
        ("discoverySuppress<>false", count / 2),
        ("title==\"title*\" not discoverySuppress==true", count / 2),
    ] {
        let (_, _, total) = page(&session, query, 10, 0).await;
        let off = (total - truth).abs();
        assert!(off < truth / 5, "{query}: {total} instead of about {truth}");
    }
}

#[tokio::test]
async fn walking_the_pages_meets_each_record_once() {
    let inventory = Inventory::open().await;
    let session = many(&inventory, "t_walk", 12_345).await;
    for query in ["cql.allRecords=1", "title=title", "title=title sortby discoverySuppress"] {
        let mut met = std::collections::HashSet::new();
        for offset in (0..12_345).step_by(1_000) {
            let (records, _) = run(&session, &statement("instance", query, 1_000, offset)).await;
            for record in records {
                let id = record["id"].as_str().expect("an id").to_owned();
                assert!(met.insert(id), "{query}: met twice");
            }
        }
        assert_eq!(met.len(), 12_345, "{query}");
    }
}

#[tokio::test]
async fn a_list_is_one_round_trip_once_prepared() {
    let inventory = Inventory::open().await;
    let session = many(&inventory, "t_trips", 50).await;
    for query in ["title=title sortby title", "cql.allRecords=1", "id==00000001*"] {
        let list = statement("instance", query, 10, 0);
        run(&session, &list).await;
        let before = session.meter().trips();
        run(&session, &list).await;
        assert_eq!(session.meter().trips() - before, 1, "{query}");
    }
}

#[tokio::test]
async fn ten_thousand_terms_run() {
    let inventory = Inventory::open().await;
    let session = many(&inventory, "t_terms", 500).await;
    let terms = |prefix: &str| {
        let terms: Vec<String> = (1..=10_000).map(|n| format!("{prefix}\"title {n:06}\"")).collect();
        terms.join(" or ")
    };
    let alternating = |one: &str, other: &str, operator: &str| {
        let term = |n: i64| format!("{one}\"{n}\"{operator}{other}\"{}\"", title(n));
        (1..=5_000).map(term).collect::<Vec<_>>().join(operator)
    };
    for query in [
        format!("title==({})", terms("")),
        format!("title=({})", terms("")),
        format!("{} or title<\"title 000501\"", terms("code==a or title==")),
        // No two neighbours on the same field: as many conditions as terms.
        alternating("code==", "title==", " or "),
        alternating("code=", "title<", " or "),
        format!("cql.allRecords=1 not {}", alternating("code==", "title>x", " not ")),
    ] {
        let (_, shown, total) = page(&session, &query, 1_000, 0).await;
        assert_eq!((shown, total), (500, 500));
    }
}
