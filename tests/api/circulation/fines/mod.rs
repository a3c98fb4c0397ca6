//! Overdue fines and lost item fees at the desk (docs/folio/overdue-fines.md, docs/folio/lost-items.md).

use serde_json::{Value, json};
use testkit::Answer;

use super::{LendingLibrary, id};

mod lost_items;

/// A library that fines a quarter a day, and charges 100 for a lost item and 10 for processing it.
async fn charging() -> LendingLibrary {
    let mut library = LendingLibrary::new().await;
    library.owner("Desk").await;
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
    /// Checks out a new item to a new patron; returns the loan.
    async fn check_out_new(&self, name: &str) -> Value {
        self.item(name, json!({})).await;
        self.patron(name, json!({})).await;
        self.check_out(name, name, json!({})).await.expect(201).json()
    }

    async fn accounts(&self, loan: &Value) -> Vec<Value> {
        let found = self.desk.query("/accounts", &format!("loanId=={}", id(loan))).await;
        let mut accounts = found.expect(200).json()["accounts"].as_array().unwrap().clone();
        accounts.sort_by_key(|account| account["feeFineType"].to_string());
        accounts
    }

    async fn movements(&self, account: &Value) -> Vec<String> {
        self.of_movements(account, "typeAction").await
    }

    /// A member of each movement on an account.
    async fn of_movements(&self, account: &Value, member: &str) -> Vec<String> {
        let query = format!("accountId=={}", id(account));
        let found = self.desk.query("/feefineactions", &query).await.expect(200).json();
        let movements = found["feefineactions"].as_array().unwrap().iter();
        movements.map(|m| m[member].as_str().unwrap().to_owned()).collect()
    }

    async fn declare_lost(&self, loan: &Value) {
        self.declare_lost_since(loan, json!({})).await;
    }

    /// The same with further members of the body.
    async fn declare_lost_since(&self, loan: &Value, more: Value) {
        let mut body = json!({"servicePointId": self.service_point});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let path = format!("/circulation/loans/{}/declare-item-lost", id(loan));
        let declared = self.desk.post(&path, &body).await.expect(204);
        assert_eq!(declared.round_trips(), 2);
    }

    async fn run(&self, job: &str) -> u32 {
        let path = format!("/circulation/{job}");
        self.desk.post(&path, &json!({})).await.expect(204).round_trips()
    }

    async fn stored_loan(&self, loan: &Value) -> Value {
        self.stored("/loan-storage/loans", &id(loan)).await
    }

    /// Changes members of the lost item fee policy.
    async fn change_lost_policy(&self, members: Value) {
        let path = format!("/lost-item-fees-policies/{}", self.lost_policy);
        self.change(&path, members).await;
        // The next reader of the configuration sees the changed policy.
        self.check_in("nothing", json!({})).await;
    }

    async fn cost_record(&self, loan: &Value) -> Value {
        self.cost_records(loan).await[0].clone()
    }

    async fn cost_records(&self, loan: &Value) -> Vec<Value> {
        let found = self
            .desk
            .query("/actual-cost-record-storage/actual-cost-records", &format!("loan.id=={}", id(loan)))
            .await
            .expect(200)
            .json();
        found["actualCostRecords"].as_array().unwrap().clone()
    }

    /// How many of the loan's fees are owed, and how many were taken back when its item was declared lost.
    async fn owed_and_taken_back(&self, loan: &Value) -> (usize, usize) {
        let fees = self.accounts(loan).await;
        let count = |name: &str| fees.iter().filter(|fee| fee["paymentStatus"]["name"] == name).count();
        (count("Outstanding"), count("Cancelled item declared lost"))
    }

    /// Declares the item lost; returns the accounts charged for it.
    async fn lose(&self, loan: &Value) -> Vec<Value> {
        self.declare_lost(loan).await;
        self.accounts(loan).await
    }

    /// Sets the due date to the first of November.
    async fn make_overdue(&self, loan: &Value) {
        let mut record = self.stored_loan(loan).await;
        record["dueDate"] = "2026-11-01T10:00:00.000+00:00".into();
        let path = format!("/loan-storage/loans/{}", id(loan));
        self.desk.put(&path, &record).await.expect(204);
    }

    /// Items age to lost after a day and are billed at once; staff have a day to find out the actual cost.
    async fn ageing_at_actual_cost(&self) {
        let day = json!({"duration": 1, "intervalId": "Days"});
        self.change_lost_policy(json!({
            "chargeAmountItem": {"chargeType": "actualCost", "amount": 0}, "lostItemProcessingFee": 0,
            "itemAgedLostOverdue": day, "lostItemChargeFeeFine": day}))
            .await;
    }

    async fn pay(&self, account: &Value, amount: &str) -> Answer {
        let body = json!({"amount": amount, "notifyPatron": false, "servicePointId": self.service_point,
            "userName": "Librarian", "paymentMethod": "Cash"});
        self.desk.post(&format!("/accounts/{}/pay", id(account)), &body).await
    }
}

fn status(account: &Value) -> (&str, &str) {
    let name = |member: &str| account[member]["name"].as_str().unwrap();
    (name("status"), name("paymentStatus"))
}

#[tokio::test]
async fn a_late_return_is_fined_in_the_same_two_round_trips() {
    let library = charging().await;
    let loan = library.check_out_new("late").await;
    let back = library.check_in("late", json!({"checkInDate": "2027-01-01T10:00:00Z"})).await.expect(200);
    assert_eq!(back.round_trips(), 2);
    let accounts = library.accounts(&loan).await;
    assert_eq!(accounts.len(), 1);
    assert_eq!(status(&accounts[0]), ("Open", "Outstanding"));
    assert_eq!(accounts[0]["feeFineType"], "Overdue fine");
    assert_eq!(accounts[0]["returnedDate"], "2027-01-01T10:00:00.000+00:00");
    assert_eq!(accounts[0]["metadata"]["createdByUserId"], library.librarian.as_str());
    assert_eq!(library.movements(&accounts[0]).await, ["Overdue fine"]);
    assert_eq!(library.of_movements(&accounts[0], "source").await, ["librarian"]);
    let standing = library.desk.get(&format!("/user-summary/{}", loan["userId"].as_str().unwrap())).await;
    let open = standing.expect(200).json()["openFeesFines"].as_array().unwrap().clone();
    assert_eq!(open.len(), 1);

    let loan = library.check_out_new("in-time").await;
    library.check_in("in-time", json!({})).await.expect(200);
    assert!(library.accounts(&loan).await.is_empty());
}

#[tokio::test]
async fn an_overdue_loan_is_fined_when_it_is_renewed() {
    let library = charging().await;
    let loan = library.check_out_new("renewed").await;
    library.make_overdue(&loan).await;
    let policy = format!("/loan-policy-storage/loan-policies/{}", library.loan_policy);
    let mut renewable = library.desk.get(&policy).await.json();
    renewable["renewalsPolicy"] = json!({"unlimited": true, "renewFromId": "SYSTEM_DATE"});
    library.desk.put(&policy, &renewable).await.expect(204);
    let body = json!({"itemBarcode": "renewed", "userBarcode": "renewed"});
    // The first renewal reads the changed policies.
    let renewed = library.desk.post("/circulation/renew-by-barcode", &body).await.expect(200);
    assert!(renewed.round_trips() <= 3);
    let accounts = library.accounts(&loan).await;
    assert_eq!(accounts.len(), 1);
    assert_eq!(accounts[0]["dueDate"], "2026-11-01T10:00:00.000+00:00");
    library.desk.post("/circulation/renew-by-barcode", &body).await;
    assert_eq!(library.accounts(&loan).await.len(), 1);
}

#[tokio::test]
async fn fees_of_a_lost_item_are_refunded_when_it_returns() {
    let library = charging().await;
    let loan = library.check_out_new("lost").await;
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
        ["Lost item fee", "Paid partially", "Credited fully", "Refunded fully", "Cancelled item returned"]
    );
    // The payment names who took it, all else the operator.
    assert_eq!(
        library.of_movements(&fees[0], "source").await,
        ["librarian", "Librarian", "librarian", "librarian", "librarian"]
    );
}

#[tokio::test]
async fn the_last_paid_fee_of_a_lost_item_closes_its_loan() {
    let library = charging().await;
    let loan = library.check_out_new("paid").await;
    let fees = library.lose(&loan).await;
    library.pay(&fees[0], "100").await.expect(201);
    let open = library.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(open["status"]["name"], "Open");
    let paid = library.pay(&fees[1], "10").await.expect(201);
    assert_eq!(paid.round_trips(), 2);
    let closed = library.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!((&closed["status"]["name"], &closed["action"]), (&json!("Closed"), &json!("closedLoan")));
    let item = library.stored("/item-storage/items", loan["itemId"].as_str().unwrap()).await;
    assert_eq!(item["status"]["name"], "Lost and paid");

    // The item returns anyway: what was paid is refunded.
    library.check_in("paid", json!({})).await.expect(200);
    for fee in library.accounts(&loan).await {
        assert_eq!(status(&fee), ("Closed", "Cancelled item returned"));
    }
}

#[tokio::test]
async fn an_item_that_is_lost_again_is_charged_once() {
    let library = charging().await;
    let loan = library.check_out_new("gone").await;
    assert_eq!(library.lose(&loan).await.len(), 2);
    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-20T10:00:00Z"});
    library.desk.post(&format!("/circulation/loans/{}/claim-item-returned", id(&loan)), &claim).await.expect(204);
    library.declare_lost(&loan).await;
    assert_eq!(library.owed_and_taken_back(&loan).await, (2, 2));
}

#[tokio::test]
async fn the_time_for_refunds_begins_again_when_an_aged_item_is_declared_lost() {
    let library = charging().await;
    let periods = json!({"itemAgedLostOverdue": {"duration": 1, "intervalId": "Days"},
        "feesFinesShallRefunded": {"duration": 1, "intervalId": "Minutes"}});
    library.change_lost_policy(periods).await;
    let loan = library.check_out_new("aged").await;
    library.make_overdue(&loan).await;
    library.run("scheduled-age-to-lost").await;
    library.library.clock.advance(jiff::SignedDuration::from_hours(1));
    library.run("scheduled-age-to-lost-fee-charging").await;
    assert_eq!(library.accounts(&loan).await.len(), 2);
    library.library.clock.advance(jiff::SignedDuration::from_hours(24));
    library.declare_lost(&loan).await;
    assert_eq!(library.owed_and_taken_back(&loan).await, (2, 2));
}

#[tokio::test]
async fn declaring_an_item_lost_charges_for_it() {
    let library = charging().await;
    let loan = library.check_out_new("gone").await;
    let fees = library.lose(&loan).await;
    let charged: Vec<_> =
        fees.iter().map(|fee| (fee["feeFineType"].as_str().unwrap(), fee["amount"].as_f64())).collect();
    assert_eq!(charged, [("Lost item fee", Some(100.0)), ("Lost item processing fee", Some(10.0))]);
    assert_eq!(library.movements(&fees[0]).await, ["Lost item fee"]);
    assert_eq!(library.stored_loan(&loan).await["status"]["name"], "Open");
}

#[tokio::test]
async fn an_aged_item_is_billed_once_and_again_when_declared_lost() {
    let library = charging().await;
    let periods = json!({"itemAgedLostOverdue": {"duration": 1, "intervalId": "Days"},
        "patronBilledAfterAgedLost": {"duration": 1, "intervalId": "Minutes"}});
    library.change_lost_policy(periods).await;
    let loan = library.check_out_new("aged").await;
    library.make_overdue(&loan).await;
    library.run("scheduled-age-to-lost").await;
    assert!(library.run("scheduled-age-to-lost-fee-charging").await <= 2);
    assert!(library.accounts(&loan).await.is_empty(), "the time has not come");

    library.library.clock.advance(jiff::SignedDuration::from_hours(1));
    assert!(library.run("scheduled-age-to-lost-fee-charging").await <= 3);
    let fees = library.accounts(&loan).await;
    assert_eq!(fees.len(), 2);
    let billed = library.stored_loan(&loan).await;
    assert_eq!(billed["action"], "");
    assert_eq!(billed["agedToLostDelayedBilling"]["lostItemHasBeenBilled"], true);
    assert!(library.run("scheduled-age-to-lost-fee-charging").await <= 2);
    assert_eq!(library.accounts(&loan).await.len(), 2);

    library.declare_lost(&loan).await;
    assert_eq!(library.owed_and_taken_back(&loan).await, (2, 2));
    assert_eq!(library.stored_loan(&loan).await["status"]["name"], "Open");
}

/// The same library, which waits a day for the actual cost of a lost item.
async fn charging_actual_costs() -> LendingLibrary {
    let library = charging().await;
    let actual = json!({"chargeAmountItem": {"chargeType": "actualCost", "amount": 0}, "lostItemProcessingFee": 0,
        "lostItemChargeFeeFine": {"duration": 1, "intervalId": "Days"}});
    library.change_lost_policy(actual).await;
    library
}

/// The record of the actual cost stays open: who charged it by hand did not use it.
#[tokio::test]
async fn a_loan_ends_with_an_actual_cost_that_was_charged_by_hand() {
    let library = charging_actual_costs().await;
    let loan = library.check_out_new("dear").await;
    library.declare_lost(&loan).await;
    let account = json!({"amount": 10.0, "remaining": 0.0, "status": {"name": "Closed"}, "paymentStatus": {"name": "Paid fully"},
        "userId": loan["userId"], "loanId": id(&loan), "itemId": loan["itemId"], "feeFineType": "Lost item fee (actual cost)",
        "feeFineId": uuid::Uuid::new_v4(), "ownerId": uuid::Uuid::new_v4(), "id": uuid::Uuid::new_v4()});
    library.desk.create("/accounts", &account).await;
    let event = json!({"loanId": id(&loan), "feeFineId": account["id"]});
    library.desk.post("/circulation/handlers/loan-related-fee-fine-closed", &event).await.expect(204);
    assert_eq!(library.cost_record(&loan).await["status"], "Open");
    let ended = library.stored_loan(&loan).await;
    assert_eq!((&ended["status"]["name"], &ended["itemStatus"]), (&json!("Closed"), &json!("Lost and paid")));
}

#[tokio::test]
async fn an_actual_cost_is_billed_or_cancelled() {
    let library = charging_actual_costs().await;
    let [dear, gone, cheap, forgotten] = [
        library.check_out_new("dear").await,
        library.check_out_new("gone").await,
        library.check_out_new("cheap").await,
        library.check_out_new("forgotten").await,
    ];
    for loan in [&dear, &gone, &cheap, &forgotten] {
        library.declare_lost(loan).await;
        assert_eq!(library.cost_record(loan).await["status"], "Open");
        assert_eq!(library.stored_loan(loan).await["status"]["name"], "Open");
    }
    let record = library.cost_record(&dear).await;
    let bill = json!({"actualCostRecordId": record["id"], "amount": 42.5, "servicePointId": library.service_point,
        "additionalInfoForPatron": "out of print"});
    let billed = library.desk.post("/actual-cost-fee-fine/bill", &bill).await.expect(201);
    assert_eq!(billed.round_trips(), 2);
    assert_eq!(billed.json()["feeFine"]["billedAmount"], 42.5);
    let fees = library.accounts(&dear).await;
    assert_eq!(billed.json()["feeFine"]["accountId"], fees[0]["id"]);
    assert_eq!(library.movements(&fees[0]).await, ["Lost item fee (actual cost)"]);
    let again = library.desk.post("/actual-cost-fee-fine/bill", &bill).await.expect(422);
    assert_eq!(again.text, format!("Actual cost record {} is already Billed", id(&record)));
    library.pay(&fees[0], "42.5").await.expect(201);
    assert_eq!(library.stored_loan(&dear).await["action"], "closedLoan");

    let bill = json!({"actualCostRecordId": library.cost_record(&gone).await["id"], "amount": 1});
    library.desk.delete(&format!("/loan-storage/loans/{}", id(&gone))).await.expect(204);
    let refused = library.desk.post("/actual-cost-fee-fine/bill", &bill).await.expect(422);
    assert_eq!(refused.text, format!("Loan {} was not found", id(&gone)));

    let cancel = json!({"actualCostRecordId": library.cost_record(&cheap).await["id"]});
    let cancelled = library.desk.post("/actual-cost-fee-fine/cancel", &cancel).await.expect(201);
    assert_eq!((&cancelled.json()["status"], cancelled.round_trips()), (&json!("Cancelled"), 2));
    assert_eq!(library.stored_loan(&cheap).await["action"], "closedLoan");

    library.run("actual-cost-expiration-by-timeout").await;
    assert_eq!(library.cost_record(&forgotten).await["status"], "Open");
    library.library.clock.advance(jiff::SignedDuration::from_hours(25));
    assert_eq!(library.run("actual-cost-expiration-by-timeout").await, 1);
    assert_eq!(library.cost_record(&forgotten).await["status"], "Expired");
    assert_eq!(library.stored_loan(&forgotten).await["action"], "closedLoan");

    let unknown = json!({"actualCostRecordId": uuid::Uuid::nil()});
    let missing = library.desk.post("/actual-cost-fee-fine/cancel", &unknown).await.expect(422);
    assert_eq!(missing.text, format!("ActualCostRecord {} was not found", uuid::Uuid::nil()));
    library.desk.post("/actual-cost-fee-fine/bill", &json!({"amount": 1})).await.expect(422);
}

#[tokio::test]
async fn fee_events_are_accepted_with_any_content() {
    let library = charging().await;
    for handler in ["loan-related-fee-fine-closed", "fee-fine-balance-changed"] {
        let path = format!("/circulation/handlers/{handler}");
        for body in [json!({}), json!({"loanId": "x"}), json!({"loanId": uuid::Uuid::nil()})] {
            library.desk.post(&path, &body).await.expect(204);
        }
    }
}

#[tokio::test]
async fn a_report_names_the_item_of_each_transaction() {
    const MORE: i32 = 1_500;
    let library = charging().await;
    let loan = library.check_out_new("reported").await;
    let fees = library.lose(&loan).await;
    library.pay(&fees[0], "1").await.expect(201);
    let session = library.session();
    let copies = "INSERT INTO feefineactions (id, doc)
        SELECT n.id, f.doc || jsonb_build_object('id', n.id)
        FROM feefineactions f, (SELECT gen_random_uuid() AS id FROM generate_series(1, $1)) n
        WHERE f.doc->>'typeAction' = 'Paid partially'";
    session.execute(copies, &[&MORE]).await.expect("copies");
    let asked = json!({"startDate": "2026-01-01", "feeFineOwner": fees[0]["ownerId"]});
    let path = "/feefine-reports/financial-transactions-detail";
    let answer = library.desk.post(path, &asked).await.expect(200);
    assert_eq!(answer.round_trips(), 2);
    let report = answer.json();
    let rows = report["reportData"].as_array().expect("a list");
    assert_eq!(rows.len(), 1_501);
    for row in rows {
        for (member, value) in [
            ("feeFineCreatedAt", "Desk"),
            ("actionCreatedAt", "Desk"),
            ("patronGroup", "staff"),
            ("effectiveLocation", "Stacks"),
            ("instance", "A title"),
            ("contributors", "Author, First"),
            ("itemBarcode", "reported"),
            ("callNumber", "QA 1"),
            ("loanPolicyName", "Three weeks"),
            ("lostItemPolicyName", "A hundred"),
            ("actionSource", "Librarian"),
        ] {
            assert_eq!(row[member], value, "{member}");
        }
    }
    let sums = json!([{"name": "Payment", "totalAmount": "1501.00", "totalCount": "1501"},
        {"name": "Action totals", "totalAmount": "1501.00", "totalCount": "1501"}]);
    assert_eq!(report["reportStats"]["byAction"], sums);
}
