//! `/circulation/loans`.

use serde_json::json;

use super::{LendingLibrary, id};

#[tokio::test]
async fn loans_are_listed_with_items_borrowers_and_policies() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.item("i-2", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let first = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    library.check_out("i-2", "p-1", json!({})).await.expect(201);
    library.check_in("i-2", json!({})).await.expect(200);

    let open = format!("(userId=={patron} and status.name<>Closed)");
    let answer = library.desk.query("/circulation/loans", &open).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let list = answer.json();
    assert_eq!(list["totalRecords"], 1);
    let loan = &list["loans"][0];
    assert_eq!(loan["id"], first["id"]);
    assert_eq!(loan["item"]["barcode"], "i-1");
    assert_eq!(loan["item"]["status"]["name"], "Checked out");
    assert_eq!(loan["borrower"], first["borrower"]);
    assert_eq!(loan["checkoutServicePoint"]["name"], "Desk");
    assert_eq!(loan["loanPolicy"], json!({"name": "Three weeks"}));
    assert_eq!(loan["feesAndFines"], json!({"amountRemainingToPay": 0.0}));
    assert_eq!(loan.get("itemStatus"), None);
    let keys: Vec<_> = list.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["loans", "totalRecords"]);

    let none = library.desk.query("/circulation/loans", "itemId==NOT_FOUND").await.expect(200);
    assert_eq!(none.json(), json!({"loans": [], "totalRecords": 0}));
    library.desk.query("/circulation/loans", "userId==").await.expect(400);
}

#[tokio::test]
async fn billed_reminders_block_renewals_if_the_policy_says_so() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let id = id(&loan.json());
    let read = async || library.stored("/circulation/loans", &id).await["reminders"].clone();
    let policy = format!("/overdue-fines-policies/{}", library.overdue_policy);
    let reminders = |allowed: bool| {
        json!({"name": "Reminders", "reminderFeesPolicy": {"allowRenewalOfItemsWithReminderFees": allowed,
            "reminderSchedule": [{"interval": 1, "timeUnitId": "day", "reminderFee": 1.5,
                "noticeFormat": "Email", "noticeTemplateId": id}]}})
    };
    library.desk.put(&policy, &reminders(false)).await.expect(204);
    assert_eq!(read().await, json!(null), "nothing was billed yet");

    let mut stored = library.stored("/loan-storage/loans", &id).await;
    let billed = json!({"number": 1, "date": "2026-11-20T00:00:00.000+00:00"});
    stored["reminders"] = json!({"lastFeeBilled": billed});
    let path = format!("/loan-storage/loans/{id}");
    library.desk.put(&path, &stored).await.expect(204);
    for allowed in [false, true] {
        library.desk.put(&policy, &reminders(allowed)).await.expect(204);
        let shown = read().await;
        assert_eq!(shown["renewalBlocked"], !allowed);
        assert_eq!(shown["lastFeeBilled"]["number"], 1);
    }
    let none = json!({"name": "No reminders"});
    library.desk.put(&policy, &none).await.expect(204);
    assert_eq!(read().await.get("renewalBlocked"), None);
}

#[tokio::test]
async fn one_loan_is_read_by_id() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let answer = library.desk.get(&format!("/circulation/loans/{}", id(&loan))).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    assert_eq!(answer.json()["item"], loan["item"]);
    for unknown in ["00000000-0000-4000-8000-000000000000", "x"] {
        let answer = library.desk.get(&format!("/circulation/loans/{unknown}")).await.expect(404);
        assert_eq!(answer.text, format!("loan record with ID \"{unknown}\" cannot be found"));
    }
}

#[tokio::test]
async fn loans_are_created_closed_and_deleted_as_records() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = json!({"userId": patron, "itemId": item, "status": {"name": "Open"}, "action": "checkedout",
        "loanDate": "2026-11-01T10:00:00Z", "dueDate": "2026-12-01T10:00:00Z"});
    let answer = library.desk.post("/circulation/loans", &loan).await.expect(201);
    let made = answer.json();
    assert_eq!(made["item"]["status"]["name"], "Checked out");
    assert_eq!(made["loanPolicy"]["name"], "Three weeks");
    let again = library.desk.post("/circulation/loans", &loan).await.expect(422);
    assert_eq!(again.error_messages(), ["Item is already checked out"]);
    let odd = json!({"status": {"name": "Lent"}});
    let odd = library.desk.post("/circulation/loans", &odd).await.expect(422);
    assert_eq!(odd.error_messages(), ["Loan status must be \"Open\" or \"Closed\""]);

    let path = format!("/circulation/loans/{}", id(&made));
    let mut closed = made.clone();
    closed["status"]["name"] = "Closed".into();
    let refused = library.desk.put(&path, &closed).await.expect(422);
    assert_eq!(refused.error_messages(), ["A Closed loan must have a Checkin Service Point"]);
    closed["checkinServicePointId"] = library.service_point.clone().into();
    let changed = library.desk.put(&path, &closed).await.expect(204);
    assert_eq!(changed.round_trips(), 2);
    let stored = library.stored("/item-storage/items", &item).await;
    assert_eq!(stored["status"]["name"], "Available");
    let stored = library.stored("/loan-storage/loans", &id(&made)).await;
    assert_eq!(stored["metadata"]["createdDate"], made["metadata"]["createdDate"]);

    library.desk.delete(&path).await.expect(204);
    let history = library.desk.query("/loan-storage/loan-history", &format!("loan.id=={}", id(&made))).await.json();
    let deleted = history["loansHistory"].as_array().into_iter().flatten().filter(|one| one["operation"] == "D");
    assert_eq!(deleted.map(|one| one["loan"]["action"].clone()).collect::<Vec<_>>(), ["deleted"]);
    let gone = library.desk.put(&path, &closed).await.expect(404);
    assert_eq!(gone.text, format!("loan record with ID \"{}\" cannot be found", id(&made)));
}

#[tokio::test]
async fn notes_and_due_dates_are_changed() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let loan = id(&library.check_out("i-1", "p-1", json!({})).await.expect(201).json());
    let path = format!("/circulation/loans/{loan}");
    let note = json!({"action": "staffInfoAdded", "actionComment": "Cover is torn"});
    library.desk.post(&format!("{path}/add-info"), &note).await.expect(204);
    let due = json!({"dueDate": "2027-01-01T00:00:00Z"});
    library.desk.post(&format!("{path}/change-due-date"), &due).await.expect(204);
    let stored = library.stored("/loan-storage/loans", &loan).await;
    assert_eq!(stored["action"], "staffInfoAdded");
    assert_eq!(stored["actionComment"], "Cover is torn");
    assert_eq!(stored["dueDate"], "2027-01-01T00:00:00.000+00:00");
    let none = library.desk.post(&format!("{path}/change-due-date"), &json!({})).await.expect(422);
    assert_eq!(none.error_messages(), ["A new due date is required in order to change the due date"]);
    let unknown = "/circulation/loans/00000000-0000-4000-8000-000000000000/add-info";
    library.desk.post(unknown, &note).await.expect(404);
}

#[tokio::test]
async fn a_loan_record_is_open_by_default_and_needs_a_borrower() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let path = "/circulation/loans";
    let absent = "00000000-0000-4000-8000-000000000000";
    for user in [None, Some(absent)] {
        let mut closed = json!({"itemId": item, "status": {"name": "Closed"}, "action": "checkedin",
            "loanDate": "2026-11-01T10:00:00Z"});
        if let Some(user) = user {
            closed["userId"] = user.into();
        }
        let refused = library.desk.post(path, &closed).await.expect(422).json();
        let error = &refused["errors"][0];
        assert_eq!(error["message"], "user is not found");
        assert_eq!(error["parameters"], json!([{"key": "userId", "value": user}]));
    }
    let loan = json!({"userId": patron, "itemId": item, "loanDate": "2026-11-01T10:00:00Z"});
    let made = library.desk.create(path, &loan).await;
    assert_eq!(made["status"]["name"], "Open");
    assert_eq!(made["action"], "checkedout");
    assert_eq!(made["isDcb"], false);
    let stored = library.stored("/item-storage/items", &item).await;
    assert_eq!(made["item"]["status"], stored["status"]);
}

#[tokio::test]
async fn deleting_a_loan_does_not_reveal_whether_it_existed() {
    let library = LendingLibrary::new().await;
    let unknown = "/circulation/loans/00000000-0000-4000-8000-000000000000";
    library.desk.delete(unknown).await.expect(204);
}

#[tokio::test]
async fn loans_of_the_lending_network_are_marked() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.item("i-2", json!({})).await;
    library.patron("p-1", json!({})).await;
    let network = json!({"personal": {"lastName": "DcbSystem"}});
    library.patron("p-2", network).await;
    for (item, patron, marked) in [("i-1", "p-1", false), ("i-2", "p-2", true)] {
        let loan = library.check_out(item, patron, json!({})).await.expect(201);
        assert_eq!(loan.json()["isDcb"], marked, "{patron}");
    }
}

#[tokio::test]
async fn an_anonymized_loan_keeps_the_patron_group() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201);
    library.check_in("i-1", json!({})).await.expect(200);
    let path = format!("/loan-anonymization/by-user/{patron}");
    library.desk.post(&path, &json!({})).await.expect(200);
    let one = library.stored("/circulation/loans", &id(&loan.json())).await;
    let group = json!({"id": library.group, "name": "staff"});
    assert_eq!((one.get("borrower"), &one["patronGroupAtCheckout"]), (None, &group));
    let all = library.desk.get("/circulation/loans").await.expect(200);
    assert_eq!(all.json()["loans"][0]["patronGroupAtCheckout"], group);
}

/// It violated the database's constraint, which was taken for a conflict and retried fifty times.
#[tokio::test]
async fn a_loan_to_an_unknown_patron_is_refused() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let checked_out = library.check_out("i-1", "p-1", json!({})).await;
    let id = id(&checked_out.expect(201).json());
    let path = format!("/circulation/loans/{id}");
    let mut loan = library.desk.get(&path).await.expect(200).json();
    loan["userId"] = json!(uuid::Uuid::new_v4());
    let answer = library.desk.put(&path, &loan).await.expect(422);
    assert_eq!(answer.round_trips(), 2);
    assert_eq!(answer.json()["errors"][0]["message"], "user is not found");
}

#[tokio::test]
async fn overdue_loans_are_listed_by_due_date() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    library.item("i-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    for (before, number) in [("2100-01-01", 1), ("2000-01-01", 0)] {
        let overdue = format!("status.name==Open and dueDate<\"{before}T00:00:00.000Z\" sortby dueDate");
        let list = library.desk.query("/circulation/loans", &overdue).await.expect(200).json();
        assert_eq!(list["totalRecords"], number, "{before}");
    }
}
