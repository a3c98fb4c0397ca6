//! What Carrel's own pages are told with the answer to a scan, and no other client (decision 68).

use serde_json::json;
use testkit::Answer;

use super::{
    LendingLibrary,
    blocks::{CHARGED_OUT, blocks, limit},
    id,
};

const NOTES: [&str; 2] = ["Look for the map", "Say that it is fragile"];

impl LendingLibrary {
    /// A scan of a staff page.
    async fn page_scan(&self, what: &str, item: &str) -> Answer {
        let page = self.desk.with_header("x-carrel-page", "1");
        let body = match what {
            "check-out" => json!({"itemBarcode": item, "userBarcode": "p-1", "servicePointId": self.service_point}),
            _ => json!({"itemBarcode": item, "servicePointId": self.service_point,
                "checkInDate": "2027-01-01T10:00:00Z"}),
        };
        page.post(&format!("/circulation/{what}-by-barcode"), &body).await
    }
}

#[tokio::test]
async fn a_page_is_told_what_must_not_be_missed_in_the_same_two_round_trips() {
    let library = LendingLibrary::new().await;
    let kinds = ["Check in", "Check out"].iter().zip(NOTES);
    let notes: Vec<_> = kinds.map(|(kind, note)| json!({"noteType": kind, "note": note, "staffOnly": true})).collect();
    let pieces = json!({"numberOfPieces": "3", "descriptionOfPieces": "book and maps",
        "numberOfMissingPieces": "1", "missingPieces": "a map"});
    let mut item = json!({"circulationNotes": notes});
    item.as_object_mut().unwrap().extend(pieces.as_object().unwrap().clone());
    library.item("i-1", item).await;
    library.patron("p-1", json!({})).await;

    // Not counted: the first one of a library reads its configuration, too.
    let lent = library.page_scan("check-out", "i-1").await.expect(201);
    let mut told = pieces.clone();
    told["statusBefore"] = "Available".into();
    told["notes"] = json!([NOTES[1]]);
    told["patron"] = json!({"openLoans": 1, "automatedPatronBlocks": []});
    assert_eq!(lent.json()["desk"], told);
    told.as_object_mut().unwrap().remove("patron");

    let back = library.page_scan("check-in", "i-1").await.expect(200);
    assert_eq!(back.round_trips(), 2);
    told["statusBefore"] = "Checked out".into();
    told["notes"] = json!([NOTES[0]]);
    assert_eq!(back.json()["desk"], told);
}

#[tokio::test]
async fn a_page_is_told_what_a_loan_changes_of_the_patron() {
    let library = LendingLibrary::new().await;
    limit(&library, CHARGED_OUT, json!(2)).await;
    let patron = library.patron("p-1", json!({})).await;
    let mut told = Vec::new();
    for item in ["i-1", "i-2"] {
        library.item(item, json!({})).await;
        let lent = library.page_scan("check-out", item).await.expect(201);
        told.push(lent.json()["desk"]["patron"].clone());
    }
    let blocks = blocks(&library, &patron).await;
    assert_eq!(blocks[0]["blockBorrowing"], true);
    assert_eq!(told[0], json!({"openLoans": 1, "automatedPatronBlocks": []}));
    assert_eq!(told[1], json!({"openLoans": 2, "automatedPatronBlocks": blocks}));
}

#[tokio::test]
async fn a_page_is_told_of_a_fine() {
    let mut library = LendingLibrary::new().await;
    library.owner("Desk").await;
    let fines = json!({"name": "A quarter a day", "countClosed": true, "forgiveOverdueFine": false,
        "overdueFine": {"quantity": 0.25, "intervalId": "day"}, "maxOverdueFine": 1.5});
    library.overdue_policy = id(&library.desk.create("/overdue-fines-policies", &fines).await);
    library.write_rules(&library.rules()).await.expect(204);
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let back = library.page_scan("check-in", "i-1").await.expect(200).json();
    assert_eq!(back["desk"]["fees"], json!([{"type": "Overdue fine", "amount": "1.50"}]));
}

#[tokio::test]
async fn other_clients_get_what_folio_answers() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let lent = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    assert_eq!(lent.get("desk"), None);
    assert_eq!(library.check_in("i-1", json!({})).await.expect(200).json().get("desk"), None);
}
