//! Pages of the circulation log, and what its entries are found by (docs/folio/circulation-log.md).

use serde_json::json;

use super::{log::LOGS, *};

#[tokio::test]
async fn pages_follow_each_other_without_gaps() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    for number in 0..8 {
        let barcode = format!("i-{number}");
        library.item(&barcode, json!({})).await;
        library.check_out(&barcode, "p-1", json!({})).await.expect(201);
        library.check_in(&barcode, json!({})).await.expect(200);
    }
    // Everything happened at one moment, and in any order on the disk.
    let session = library.session();
    let same = "UPDATE loan_history SET doc = doc || '{\"createdDate\": \"2026-11-29T10:00:00.000+00:00\"}', \
                createddate_exact = '2026-11-29T10:00:00.000+00:00'";
    session.execute(same, &[]).await.expect("an update");
    for order in
        ["date/sort.descending", "date", "action/sort.descending date/sort.descending", "object", "source", "id", ""]
    {
        let sorting = if order.is_empty() { String::new() } else { format!(" sortby {order}") };
        let cql = crate::support::encoded(format!("cql.allRecords=1{sorting}"));
        let mut ids = Vec::new();
        for offset in (0..24).step_by(5) {
            let page = format!("{LOGS}?query={cql}&limit=5&offset={offset}");
            let list = library.desk.get(&page).await.expect(200).json();
            let page = list["logRecords"].as_array().expect("entries").iter();
            ids.extend(page.map(|entry| entry["id"].as_str().expect("an id").to_owned()));
        }
        let whole = library.desk.get(&format!("{LOGS}?query={cql}&limit=100")).await.expect(200).json();
        let whole = whole["logRecords"].as_array().expect("entries").iter();
        assert_eq!(
            ids,
            whole.map(|entry| entry["id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>(),
            "{order}"
        );
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 24, "{order}");
    }
    let beyond = library.desk.get(&format!("{LOGS}?limit=5&offset=1000")).await.expect(200).json();
    assert_eq!(beyond, json!({"logRecords": [], "totalRecords": 24}));
}
