//! `/circulation/check-out-by-barcode` and its dry run.

use serde_json::{Value, json};

use super::{LendingLibrary, id};

#[tokio::test]
async fn a_loan_is_made_in_two_round_trips() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    library.item("i-0", json!({})).await;
    library.check_out("i-0", "p-1", json!({})).await.expect(201);

    let answer = library.check_out("I-1", "P-1", json!({"id": "ignored"})).await.expect(201);
    let loan = answer.json();
    assert_eq!(answer.round_trips(), 2);
    assert_eq!(answer.header("location"), Some(&*format!("/circulation/loans/{}", id(&loan))));
    assert!(answer.text.starts_with("{\n  \"id\" : \""), "{}", answer.text);
    assert_eq!(loan["userId"], *patron);
    assert_eq!(loan["itemId"], *item);
    assert_eq!(loan["status"], json!({"name": "Open"}));
    assert_eq!(loan["action"], "checkedout");
    assert!(loan["dueDate"].as_str().is_some_and(|due| due.ends_with("T23:59:59.000+00:00")));
    assert_eq!(loan["item"]["status"]["name"], "Checked out");
    assert_eq!(loan["item"]["title"], "A title");
    assert_eq!(loan["item"]["callNumber"], "QA 1");
    assert_eq!(loan["item"]["location"], json!({"name": "Stacks"}));
    assert_eq!(loan["item"]["materialType"], json!({"name": "book"}));
    assert_eq!(
        loan["borrower"],
        json!({"firstName": "p-1", "lastName": "Reader", "middleName": null, "barcode": "p-1",
            "preferredFirstName": null, "patronGroup": library.group})
    );
    assert_eq!(loan["patronGroupAtCheckout"], json!({"id": library.group, "name": "staff"}));
    assert_eq!(loan["loanPolicy"], json!({"name": "Three weeks"}));
    assert_eq!(loan["feesAndFines"], json!({"amountRemainingToPay": 0.0}));
    assert_eq!(loan["metadata"]["createdByUserId"], *library.librarian);
    for hidden in ["itemStatus", "patronGroupIdAtCheckout", "checkoutServicePoint"] {
        assert_eq!(loan.get(hidden), None, "{hidden}");
    }

    let stored = library.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(stored["loanDate"], loan["loanDate"], "kept as it was");
    assert_eq!(stored["itemStatus"], "Checked out");
    assert_eq!(stored["itemEffectiveLocationIdAtCheckOut"], *library.location);
    let item = library.stored("/item-storage/items", &item).await;
    assert_eq!(item["status"]["name"], "Checked out");
    assert_eq!(item["_version"], 2);
    assert_eq!(item["metadata"]["updatedByUserId"], *library.librarian);
    let sessions = format!("patronId=={patron}");
    let path = "/patron-action-session-storage/patron-action-sessions";
    assert_eq!(library.desk.query(path, &sessions).await.json()["totalRecords"], 2);
}

#[tokio::test]
async fn all_refusals_of_a_check_out_come_together() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    library.item("i-1", json!({"materialTypeId": library.map})).await;
    library.item("i-2", json!({})).await;
    library.check_out("i-2", "p-1", json!({})).await.expect(201);
    let block = json!({"userId": patron, "desc": "Owes money", "borrowing": true, "renewals": false,
        "requests": false});
    library.desk.create("/manualblocks", &block).await;

    let answer = library.check_out("i-2", "p-1", json!({"servicePointId": ""})).await.expect(422);
    assert_eq!(
        answer.error_messages(),
        [
            "Check out must be performed at a service point",
            "Patron blocked from borrowing",
            "Item is already checked out",
            "Cannot check out item that already has an open loan",
        ]
    );
    let answer = library.check_out("i-1", "p-1", json!({})).await.expect(422);
    assert_eq!(
        answer.json()["errors"][1],
        json!({"message": "Item is not loanable", "code": "ITEM_NOT_LOANABLE",
            "parameters": [{"key": "itemBarcode", "value": "i-1"},
                {"key": "loanPolicyId", "value": library.no_loans},
                {"key": "loanPolicyName", "value": "Reading room"}],
            "overridableBlock": {"name": "itemNotLoanableBlock",
                "missingPermissions": ["circulation.override-item-not-loanable-block.post"]}})
    );
    let unknown = library.check_out("i-9", "p-9", json!({})).await.expect(422);
    assert_eq!(
        unknown.json()["errors"][0],
        json!({"message": "Could not find user with matching barcode", "code": "USER_BARCODE_NOT_FOUND",
            "parameters": [{"key": "userBarcode", "value": "p-9"}]})
    );
    assert_eq!(unknown.error_messages()[1], "No item with barcode i-9 could be found");
}

#[tokio::test]
async fn staff_with_permission_can_override_blocks() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    library.item("i-1", json!({"materialTypeId": library.map})).await;
    let blocks = json!({"overrideBlocks": {"comment": "Agreed",
        "itemNotLoanableBlock": {"dueDate": "2027-01-01T12:00:00Z"}}});
    let refused = library.check_out("i-1", "p-1", blocks.clone()).await.expect(422);
    assert_eq!(refused.error_messages(), ["Insufficient override permissions"]);
    let permission = json!(["circulation.override-item-not-loanable-block.post"]).to_string();
    let allowed = LendingLibrary { desk: library.desk.with_header("x-okapi-permissions", &permission), ..library };
    let loan = allowed.check_out("i-1", "p-1", blocks).await.expect(201).json();
    assert_eq!(loan["action"], "checkedOutThroughOverride");
    assert_eq!(loan["actionComment"], "Agreed");
    assert_eq!(loan["dueDate"], "2027-01-01T12:00:00.000+00:00");
}

#[tokio::test]
async fn a_dry_run_names_the_policies_and_changes_nothing() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    let path = "/circulation/check-out-by-barcode-dry-run";
    let body = json!({"itemBarcode": "i-1", "userBarcode": "p-1"});
    let answer = library.desk.post(path, &body).await.expect(201);
    assert_eq!(
        answer.json(),
        json!({"loanPolicyId": library.loan_policy, "overdueFinePolicyId": library.overdue_policy,
            "lostItemPolicyId": library.lost_policy, "patronNoticePolicyId": library.notice_policy})
    );
    let stored = library.stored("/item-storage/items", &item).await;
    assert_eq!(stored["status"]["name"], "Available");
    let unknown = json!({"itemBarcode": "i-2", "userBarcode": "p-1"});
    library.desk.post(path, &unknown).await.expect(422);
}

#[tokio::test]
async fn the_patrons_request_is_filled_and_the_others_move_up() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    let other = library.patron("p-2", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    let first = library.hold(&item, &patron, 1, json!({})).await;
    let second = library.hold(&item, &other, 2, json!({})).await;
    let refused = library.check_out("i-1", "p-2", json!({})).await.expect(422);
    assert_eq!(
        refused.error_messages(),
        ["A title (Barcode: i-1) cannot be checked out to user Reader, p-2 because it has been \
          requested by another patron"]
    );
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let filled = library.stored("/request-storage/requests", &first).await;
    assert_eq!((&filled["status"], filled.get("position")), (&json!("Closed - Filled"), None));
    let moved = library.stored("/request-storage/requests", &second).await;
    assert_eq!(moved["position"], 1);
}

#[tokio::test]
async fn configuration_changes_take_effect_at_once() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    for barcode in ["i-1", "i-2", "i-3"] {
        library.item(barcode, json!({})).await;
    }
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let maps_only = library.rules().replace(&library.loan_policy, &library.no_loans);
    library.write_rules(&maps_only).await.expect(204);
    library.check_out("i-2", "p-1", json!({})).await.expect(422);
    library.write_rules(&library.rules()).await.expect(204);
    let answer = library.check_out("i-3", "p-1", json!({})).await.expect(201);
    assert_eq!(answer.round_trips(), 3, "one more to read the configuration again");
}

#[tokio::test]
async fn malformed_bodies_are_refused_without_a_failure() {
    let mut library = LendingLibrary::new().await;
    library.desk = library.desk.malformed();
    library.patron("p-1", json!({})).await;
    library.item("i-1", json!({})).await;
    for (more, status) in [
        (json!({"loanDate": "soon"}), 400),
        (json!({"servicePointId": "desk"}), 422),
        (json!({"forceLoanPolicyId": "x"}), 422),
        (json!({"itemBarcode": {"a": 1}}), 422),
        (json!({"itemBarcode": "a\u{0}b"}), 400),
        (json!({"userBarcode": ["p-1"]}), 422),
        (json!({"overrideBlocks": "all"}), 201),
    ] {
        library.check_out("i-1", "p-1", more).await.expect(status);
    }
    let path = "/circulation/check-out-by-barcode";
    for body in ["", "[]", "{", "\"text\"", "nul\0"] {
        let answer = library.desk.send(http::Method::POST, path, Some(body.into())).await;
        assert_eq!(answer.status, 400, "{body:?}: {}", answer.text);
    }
}

#[tokio::test]
async fn items_without_members_that_rules_need_get_a_500() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({"patronGroup": Value::Null})).await;
    library.item("i-1", json!({})).await;
    let answer = library.check_out("i-1", "p-1", json!({})).await.expect(500);
    assert_eq!(answer.text, "Unable to apply circulation rules to a user with null value as patronGroupId");
}
