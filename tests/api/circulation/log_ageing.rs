//! Ageing to lost in the circulation log (docs/folio/circulation-log.md).

use serde_json::json;

use super::{
    log::{entries, found},
    lost_items::{act, change_lost_policy, overdue, run_job},
    *,
};

#[tokio::test]
async fn ageing_to_lost_is_two_entries_that_nothing_writes() {
    let library = LendingLibrary::new().await;
    let (_, patron, loan) = overdue(&library).await;
    let day = json!({"duration": 1, "intervalId": "Days"});
    change_lost_policy(&library, json!({"itemAgedLostOverdue": day})).await;
    run_job(&library).await.expect(204);
    let mut stored = library.stored("/loan-storage/loans", &loan).await;
    let aged_at = stored["agedToLostDelayedBilling"]["agedToLostDate"].as_str().expect("a date").to_owned();
    // Later versions of the loan are no ageing.
    stored["agedToLostDelayedBilling"]["lostItemHasBeenBilled"] = true.into();
    library.library.clock.advance(jiff::SignedDuration::from_secs(1));
    library.desk.put(&format!("/loan-storage/loans/{loan}"), &stored).await.expect(204);

    for cql in [
        "action==\"Age to lost\"".to_owned(),
        "items=\"i-1\" and action==(\"Age to lost\" or Renewed)".to_owned(),
        format!("items=\"{loan}\" and object==Loan and description==(\"Due date:*\" or \"Additional*\")"),
        "userBarcode==p-1 and source==System".to_owned(),
    ] {
        let aged = entries(&library, &cql).await;
        let said: Vec<_> = aged.iter().map(|entry| entry["description"].as_str().expect("a text")).collect();
        let [first, second] = &said[..] else { panic!("{cql}: {said:?}") };
        assert_eq!(first.strip_prefix("Due date: ").map(|date| &date[..13]), Some(&aged_at[..13]), "{cql}");
        assert_eq!(*second, "Additional information: null", "{cql}");
        for entry in &aged {
            assert_eq!((&entry["object"], &entry["action"]), (&json!("Loan"), &json!("Age to lost")));
            assert_eq!((&entry["source"], &entry["userBarcode"]), (&json!("System"), &json!("p-1")));
            assert_eq!((&entry["items"][0]["loanId"], entry.get("servicePointId")), (&json!(loan), None));
            assert_eq!(entry["linkToIds"], json!({"userId": patron}));
            let one = entries(&library, &format!("id=={}", entry["id"].as_str().expect("an id"))).await;
            assert_eq!(one, std::slice::from_ref(entry));
        }
        assert_ne!(aged[0]["id"], aged[1]["id"]);
    }
    let written = "SELECT count(*) FROM circulation_log WHERE doc->>'action' <> 'Changed due date'";
    assert_eq!(library.session().get(written, &[]).await.expect("a count").get::<_, i64>(0), 0);

    // It may age again, and what was stays when its patron is forgotten.
    let overridden = json!({"overrideBlocks": {"comment": "found", "renewalBlock": {}, "renewalDueDateRequiredBlock":
        {"dueDate": "2027-07-01T10:00:00Z"}}});
    renew::renew(&library, overridden).await.expect(200);
    act(&library, &loan, "change-due-date", json!({"dueDate": "2026-01-01T00:00:00Z"})).await.expect(204);
    library.library.clock.advance(jiff::SignedDuration::from_secs(1));
    run_job(&library).await.expect(204);
    assert_eq!(entries(&library, "action==\"Age to lost\"").await.len(), 4);
    library.check_in("i-1", json!({})).await.expect(200);
    library.desk.post(&format!("/loan-anonymization/by-user/{patron}"), &json!({})).await.expect(200);
    for (cql, number) in [
        ("action==\"Age to lost\"", 4),
        ("action==Anonymize", 1),
        ("action==\"Closed loan\"", 1),
        ("userBarcode==\"*p-1*\"", 0),
    ] {
        assert_eq!(found(&library, cql).await.json()["totalRecords"], number, "{cql}");
    }
}
