//! Pages of the circulation log, and what its entries are found by (docs/folio/circulation-log.md).

use serde_json::json;

use super::{
    log::{LOGS, entries, found},
    *,
};

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
    let same = "UPDATE loan_history SET createddate_exact = '2026-11-29T10:00:00.000+00:00'";
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

#[tokio::test]
async fn entries_are_found_by_title_and_holdings() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    let loan = id(&library.check_out("i-1", "p-1", json!({})).await.expect(201).json());
    library
        .desk
        .post(&format!("/circulation/loans/{loan}/change-due-date"), &json!({"dueDate": "2027-07-01T10:00:00Z"}))
        .await
        .expect(204);
    library.check_in("i-1", json!({})).await.expect(200);
    let (title, holdings) = (&library.instance, &library.holdings);
    for cql in [
        format!("items=\"{title}\""),
        format!("items=\"{holdings}\""),
        format!("items all \"{title}\""),
        format!("items==\"*{title}*\""),
        format!("items=\"{item}\""),
        format!("items=\"@loanId {loan}\""),
        "items=holdingId".to_owned(),
        "items=\"\"".to_owned(),
    ] {
        assert_eq!(found(&library, &cql).await.json()["totalRecords"], 4, "{cql}");
    }
    let other = "items=00000000-0000-4000-8000-000000000000";
    assert_eq!(found(&library, other).await.json()["totalRecords"], 0);
}

#[tokio::test]
async fn written_entries_are_found_by_parts_of_barcodes() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    // Longer than a word that PostgreSQL indexes.
    let long = "é".repeat(3_000);
    let holdings = library.holdings.to_string().to_uppercase();
    for barcode in ["Régal 7, copy-2", "a\u{a0}b 2", &long] {
        library.item(barcode, json!({"holdingsRecordId": holdings})).await;
        let loan = id(&library.check_out(barcode, "p-1", json!({})).await.expect(201).json());
        let change = format!("/circulation/loans/{loan}/change-due-date");
        library.desk.post(&change, &json!({"dueDate": "2027-07-01T10:00:00Z"})).await.expect(204);
    }
    for (term, count) in [
        ("Régal 7, copy-2", 1),
        ("regal", 1),
        ("COPY-2", 1),
        ("copy-2 regal", 0),
        ("cop*", 1),
        ("@itemBarcode regal", 1),
        ("7,", 1),
        ("r\\*", 0),
        ("it's \\\\", 0),
        ("-", 0),
        ("A\u{a0}B 2", 1),
        ("*", 3),
        (&holdings, 3),
        (&holdings.to_lowercase(), 3),
    ] {
        let cql = format!("items=\"{term}\" and action==\"Changed due date\"");
        assert_eq!(found(&library, &cql).await.expect(200).json()["totalRecords"], count, "{cql}");
    }
}

#[tokio::test]
async fn the_entries_of_a_loan_stay_when_it_is_removed() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    let remains = |count: usize| {
        let (library, item) = (&library, &item);
        async move {
            for cql in ["items=\"i-1\"".to_owned(), format!("items={item}"), "userBarcode==\"p-1\"".to_owned()] {
                assert_eq!(entries(library, &cql).await.len(), count, "{cql}");
            }
        }
    };
    let loan = id(&library.check_out("i-1", "p-1", json!({})).await.expect(201).json());
    library.check_in("i-1", json!({})).await.expect(200);
    library.desk.delete(&format!("/circulation/loans/{loan}")).await.expect(204);
    remains(3).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    library.desk.delete("/circulation/loans").await.expect(204);
    remains(4).await;
}
