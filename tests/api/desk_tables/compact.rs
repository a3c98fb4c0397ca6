//! Compact tables give back what was stored, whatever it is (decision 96).

use serde_json::{Map, Value, json};
use store::query::Composed;
use uuid::Uuid;

use super::disagreements;
use crate::circulation::lending_library::LendingLibrary;

/// Values that a column would give back as they are, and others of every kind.
fn values() -> Vec<Value> {
    let id = "0ab3c5d7-0000-4000-8000-00000000000f";
    vec![
        json!(id),
        json!(id.to_uppercase()),
        json!(format!("{{{id}}}")),
        json!("2026-11-30T12:00:00.000+00:00"),
        json!("2026-11-30T12:00:00Z"),
        json!(""),
        json!(" x"),
        json!("é\u{1f4da}\"\\"),
        json!("УТЕРЯНО"),
        json!("x".repeat(3_000)),
        json!("7"),
        json!(0),
        json!(-3),
        json!(1.5),
        json!(123_456_789_012_u64),
        json!(true),
        json!([id]),
        json!({"name": "Open"}),
        json!({}),
        Value::Null,
    ]
}

/// The record without a member, and with each value in it.
fn odd(record: &Value, path: &str) -> Vec<Value> {
    let (object, member) = path.rsplit_once('/').expect("a path");
    let of = |value: Option<Value>| {
        let mut record = record.clone();
        let members = record.pointer_mut(object).and_then(Value::as_object_mut).expect("an object");
        match value {
            Some(value) => members.insert(member.to_owned(), value),
            None => members.remove(member),
        };
        record
    };
    std::iter::once(of(None)).chain(values().into_iter().map(|value| of(Some(value)))).collect()
}

/// Records of the compact tables with every value in every member.
pub(super) fn odd_records() -> Vec<(&'static str, Vec<Value>)> {
    let [a, b, c] = [(); 3].map(|()| Uuid::new_v4());
    let check_in = json!({"itemId": a, "servicePointId": b, "performedByUserId": c, "itemLocationId": a,
        "occurredDateTime": "2026-11-30T12:00:00.000+00:00", "itemStatusPriorToCheckIn": "Checked out",
        "requestQueueSize": 0, "isDcb": false});
    let of_check_in = "/servicePointId /itemLocationId /occurredDateTime /itemStatusPriorToCheckIn /requestQueueSize /isDcb \
        /somethingElse";
    let session = json!({"patronId": a, "loanId": b, "sessionId": c, "actionType": "Check-in", "metadata": {
        "createdDate": "2026-11-30T12:00:00.000+00:00", "createdByUserId": c, "createdByUsername": "who",
        "updatedDate": "2026-11-30T12:00:00.000+00:00", "updatedByUserId": c}});
    let of_session = "/loanId /sessionId /actionType /metadata /metadata/createdDate /metadata/createdByUserId \
        /metadata/createdByUsername /metadata/other";
    let loan = json!({"itemId": a, "proxyUserId": b, "itemEffectiveLocationIdAtCheckOut": c, "status": {"name": "Closed"},
        "loanDate": "2026-11-30T12:00:00Z", "dueDate": "2026-12-30T12:00:00.000+00:00", "action": "checkedin",
        "itemStatus": "Available", "renewalCount": 2, "loanPolicyId": a, "checkinServicePointId": b, "returnDate": "2026-12-01T12:00:00Z",
        "systemReturnDate": "2026-12-01T12:00:00.000+00:00", "isDcb": false, "metadata": {
        "createdDate": "2026-11-30T12:00:00.000+00:00", "createdByUserId": c, "updatedByUserId": c}});
    let of_loan = "/itemEffectiveLocationIdAtCheckOut /status /status/name /status/other /loanDate /dueDate /action /itemStatus /renewalCount \
        /loanPolicyId /checkinServicePointId /returnDate /systemReturnDate /metadata /metadata/createdDate \
        /metadata/updatedByUserId /forUseAtLocation /agedToLostDelayedBilling";
    let made =
        [("check_in", check_in, of_check_in), ("patron_action_session", session, of_session), ("loan", loan, of_loan)];
    let made = made.into_iter().map(|(table, record, paths)| {
        let records = paths.split(' ').filter(|path| !path.is_empty()).flat_map(|path| odd(&record, path));
        (table, records.filter(|record| record.pointer("/status/name") != Some(&json!("Open"))).collect())
    });
    made.collect()
}

/// Stores the records and expects them back.
pub(super) async fn kept(library: &LendingLibrary, table: &str, records: Vec<Value>) {
    let (session, collection) = (library.session(), library.library.app.collection(table).expect("a collection"));
    let records: Vec<Map<String, Value>> = records
        .into_iter()
        .map(|record| {
            let mut record = record.as_object().expect("an object").clone();
            record.insert("id".into(), json!(Uuid::new_v4()));
            record
        })
        .collect();
    store::records::insert_all(&session, &collection, records.clone()).await.expect("they are stored");
    for record in records {
        let id = record["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
        let found = store::records::find(&session, &collection, id).await.expect("an answer").expect("a record");
        assert_eq!(serde_json::from_str::<Value>(&found).expect("JSON"), Value::Object(record));
    }
}

#[tokio::test]
async fn compact_tables_give_back_what_was_stored() {
    let library = LendingLibrary::new().await;
    for (table, records) in odd_records() {
        kept(&library, table, records).await;
    }
    assert_eq!(disagreements(&library.library).await, Vec::<String>::new());
}

/// A client asks for a member that is in a column, in the rest of some records, or only there.
#[tokio::test]
async fn members_are_found_wherever_they_are() {
    let library = LendingLibrary::new().await;
    for (table, records) in odd_records() {
        kept(&library, table, records).await;
    }
    for (path, cql, found) in [
        ("/check-in-storage/check-ins", "itemStatusPriorToCheckIn==\"утеряно\"", 1),
        ("/check-in-storage/check-ins", "itemLocationId==0ab3c5d7-0000-4000-8000-00000000000f", 2),
        ("/check-in-storage/check-ins", "requestQueueSize==/number 123456789012", 1),
        ("/check-in-storage/check-ins", "requestQueueSize==/number -3", 1),
        ("/check-in-storage/check-ins", "isDcb==true", 1),
        ("/loan-storage/loans", "status.name==\"утеряно\"", 1),
        ("/loan-storage/loans", "action==утеряно", 1),
        ("/loan-storage/loans", "metadata.createdDate==2026-11-30T12:00:00Z", 1),
    ] {
        let list = library.desk.query(path, cql).await.expect(200).json();
        assert_eq!(list["totalRecords"], found, "{cql}");
    }
}

/// The desk reads the columns of a loan, and composes it itself.
#[tokio::test]
async fn carrel_composes_the_records_that_sql_does() {
    let library = LendingLibrary::new().await;
    for (table, records) in odd_records() {
        kept(&library, table, records).await;
        let composed = Composed::of(&library.library.app.collection(table).expect("a collection"));
        let sql = format!("SELECT doc(r) AS doc, {} AS columns, r.* FROM {table} r", composed.columns("r"));
        let rows = library.session().query(&sql, &[]).await.expect("rows");
        assert!(rows.len() > 100);
        for row in rows {
            let doc: Value = row.get("doc");
            assert_eq!(composed.record(&row).expect("all columns").map(Value::Object), Some(doc.clone()));
            let Value::Object(columns) = row.get("columns") else { panic!("no object") };
            assert_eq!(Value::Object(composed.record_of(columns)), doc);
        }
    }
}
