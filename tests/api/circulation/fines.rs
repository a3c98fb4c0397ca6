//! Overdue fines and the fees of lost items at the desk (folio-circulation §3 steps 8 and 9, §7.3, §7.4).

use serde_json::{Value, json};
use testkit::Answer;

use super::{LendingLibrary, id};

/// A library that fines a quarter a day and charges 100 for a lost item and 10 for the work.
async fn charging() -> LendingLibrary {
    let mut library = LendingLibrary::new().await;
    let owner = json!({"owner": "Desk", "servicePointOwner": [{"value": library.service_point, "label": "Desk"}]});
    library.desk.create("/owners", &owner).await;
    let fines = json!({"name": "A quarter a day", "countClosed": true, "forgiveOverdueFine": false,
        "overdueFine": {"quantity": 0.25, "intervalId": "day"}, "maxOverdueFine": 10});
    library.overdue_policy = id(&library.desk.create("/overdue-fines-policies", &fines).await);
    let lost = json!({"name": "A hundred", "chargeAmountItem": {"chargeType": "anotherCost", "amount": 100},
        "lostItemProcessingFee": 10, "chargeAmountItemPatron": true, "chargeAmountItemSystem": true,
        "returnedLostItemProcessingFee": true, "lostItemReturned": "Charge",
        "feesFinesShallRefunded": {"duration": 1, "intervalId": "Months"}});
    library.lost_policy = id(&library.desk.create("/lost-item-fees-policies", &lost).await);
    library.write_rules(&library.rules()).await.expect(204);
    library
}

impl LendingLibrary {
    /// Lends a new book to a new patron and gives the loan.
    async fn lend(&self, name: &str) -> Value {
        self.item(name, json!({})).await;
        self.patron(name, json!({})).await;
        self.check_out(name, name, json!({}))
            .await
            .expect(201)
            .json()
    }

    async fn accounts(&self, loan: &Value) -> Vec<Value> {
        let found = self
            .desk
            .query("/accounts", &format!("loanId=={}", id(loan)))
            .await;
        let mut accounts = found.expect(200).json()["accounts"]
            .as_array()
            .unwrap()
            .clone();
        accounts.sort_by_key(|account| account["feeFineType"].to_string());
        accounts
    }

    async fn movements(&self, account: &Value) -> Vec<String> {
        let query = format!("accountId=={}", id(account));
        let found = self
            .desk
            .query("/feefineactions", &query)
            .await
            .expect(200)
            .json();
        let movements = found["feefineactions"].as_array().unwrap().iter();
        movements
            .map(|m| m["typeAction"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The item was declared lost and is charged for; the accounts.
    async fn lose(&self, loan: &Value) -> Vec<Value> {
        let (loan_id, item) = (id(loan), loan["itemId"].as_str().unwrap());
        let mut record = self.stored("/item-storage/items", item).await;
        record["status"] = json!({"name": "Declared lost"});
        let path = format!("/item-storage/items/{item}");
        self.desk.put(&path, &record).await.expect(204);
        let mut record = self.stored("/loan-storage/loans", &loan_id).await;
        record["itemStatus"] = "Declared lost".into();
        record["action"] = "declaredLost".into();
        record["declaredLostDate"] = "2026-11-20T10:00:00.000+00:00".into();
        let path = format!("/loan-storage/loans/{loan_id}");
        self.desk.put(&path, &record).await.expect(204);
        for (kind, amount) in [("Lost item fee", 100), ("Lost item processing fee", 10)] {
            let account = json!({"amount": amount, "remaining": amount, "status": {"name": "Open"},
                "paymentStatus": {"name": "Outstanding"}, "userId": loan["userId"], "feeFineType": kind,
                "feeFineId": self.group, "ownerId": self.group, "loanId": loan_id, "itemId": item});
            self.desk.create("/accounts", &account).await;
        }
        self.accounts(loan).await
    }

    async fn pay(&self, account: &Value, amount: &str) -> Answer {
        let body = json!({"amount": amount, "notifyPatron": false, "servicePointId": self.service_point,
            "userName": "Librarian", "paymentMethod": "Cash"});
        self.desk
            .post(&format!("/accounts/{}/pay", id(account)), &body)
            .await
    }
}

fn status(account: &Value) -> (&str, &str) {
    let name = |member: &str| account[member]["name"].as_str().unwrap();
    (name("status"), name("paymentStatus"))
}

#[tokio::test]
async fn a_late_return_is_fined_in_the_same_two_round_trips() {
    let library = charging().await;
    let loan = library.lend("late").await;
    let back = library
        .check_in("late", json!({"checkInDate": "2027-01-01T10:00:00Z"}))
        .await
        .expect(200);
    assert_eq!(back.round_trips(), 2);
    let accounts = library.accounts(&loan).await;
    assert_eq!(accounts.len(), 1);
    assert_eq!(status(&accounts[0]), ("Open", "Outstanding"));
    assert_eq!(accounts[0]["feeFineType"], "Overdue fine");
    assert_eq!(accounts[0]["returnedDate"], "2027-01-01T10:00:00.000+00:00");
    assert_eq!(
        accounts[0]["metadata"]["createdByUserId"],
        library.librarian.as_str()
    );
    assert_eq!(library.movements(&accounts[0]).await, ["Overdue fine"]);
    let standing = library
        .desk
        .get(&format!(
            "/user-summary/{}",
            loan["userId"].as_str().unwrap()
        ))
        .await;
    let open = standing.expect(200).json()["openFeesFines"]
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(open.len(), 1);

    let loan = library.lend("in-time").await;
    library.check_in("in-time", json!({})).await.expect(200);
    assert!(library.accounts(&loan).await.is_empty());
}

#[tokio::test]
async fn an_overdue_loan_is_fined_when_it_is_renewed() {
    let library = charging().await;
    let loan = library.lend("renewed").await;
    let path = format!("/loan-storage/loans/{}", id(&loan));
    let mut record = library.stored("/loan-storage/loans", &id(&loan)).await;
    record["dueDate"] = "2026-11-01T10:00:00.000+00:00".into();
    library.desk.put(&path, &record).await.expect(204);
    let policy = format!("/loan-policy-storage/loan-policies/{}", library.loan_policy);
    let mut renewable = library.desk.get(&policy).await.json();
    renewable["renewalsPolicy"] = json!({"unlimited": true, "renewFromId": "SYSTEM_DATE"});
    library.desk.put(&policy, &renewable).await.expect(204);
    let body = json!({"itemBarcode": "renewed", "userBarcode": "renewed"});
    // The first one reads the changed policies.
    let renewed = library
        .desk
        .post("/circulation/renew-by-barcode", &body)
        .await
        .expect(200);
    assert!(renewed.round_trips() <= 3);
    let accounts = library.accounts(&loan).await;
    assert_eq!(accounts.len(), 1);
    assert_eq!(accounts[0]["dueDate"], "2026-11-01T10:00:00.000+00:00");
    library
        .desk
        .post("/circulation/renew-by-barcode", &body)
        .await;
    assert_eq!(library.accounts(&loan).await.len(), 1);
}

#[tokio::test]
async fn fees_of_a_lost_item_are_given_back_when_it_turns_up() {
    let library = charging().await;
    let loan = library.lend("lost").await;
    let fees = library.lose(&loan).await;
    library.pay(&fees[0], "40").await.expect(201);
    let back = library.check_in("lost", json!({})).await.expect(200);
    assert_eq!(back.round_trips(), 2);
    assert_eq!(back.json()["loan"]["action"], "checkedin");
    let fees = library.accounts(&loan).await;
    assert_eq!(fees.len(), 2);
    for fee in &fees {
        assert_eq!(status(fee), ("Closed", "Cancelled item returned"));
        assert_eq!(fee["remaining"], 0.0);
    }
    assert_eq!(
        library.movements(&fees[0]).await,
        [
            "Paid partially",
            "Credited fully",
            "Refunded fully",
            "Cancelled item returned"
        ]
    );
}

#[tokio::test]
async fn the_last_paid_fee_of_a_lost_item_closes_its_loan() {
    let library = charging().await;
    let loan = library.lend("paid").await;
    let fees = library.lose(&loan).await;
    library.pay(&fees[0], "100").await.expect(201);
    let open = library.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(open["status"]["name"], "Open");
    let paid = library.pay(&fees[1], "10").await.expect(201);
    assert_eq!(paid.round_trips(), 2);
    let closed = library.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(
        (&closed["status"]["name"], &closed["action"]),
        (&json!("Closed"), &json!("closedLoan"))
    );
    let item = library
        .stored("/item-storage/items", loan["itemId"].as_str().unwrap())
        .await;
    assert_eq!(item["status"]["name"], "Lost and paid");

    // It turns up all the same: what was paid goes back.
    library.check_in("paid", json!({})).await.expect(200);
    for fee in library.accounts(&loan).await {
        assert_eq!(status(&fee), ("Closed", "Cancelled item returned"));
    }
}
