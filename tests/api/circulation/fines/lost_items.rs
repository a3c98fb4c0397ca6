//! Fees for lost items, who gets them, and what happens when an item returns.

use jiff::SignedDuration;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{charging, id, status};

#[tokio::test]
async fn fees_of_aged_items_go_to_the_owner_of_their_permanent_location() {
    let library = charging().await;
    library.change_lost_policy(json!({"itemAgedLostOverdue": {"duration": 1, "intervalId": "Days"}})).await;
    let mut annex = library.stored("/locations", &library.location).await;
    annex.as_object_mut().unwrap().remove("id");
    for (member, value) in [
        ("name", json!("Annex")),
        ("code", json!("an")),
        ("primaryServicePoint", json!(library.branch)),
        ("servicePointIds", json!([library.branch])),
    ] {
        annex[member] = value;
    }
    let annex = id(&library.desk.create("/locations", &annex).await);
    let served = json!([{"value": library.branch, "label": "Branch"}]);
    let owner = json!({"owner": "Branch", "servicePointOwner": served});
    library.desk.create("/owners", &owner).await;
    for (name, more, owner) in [
        ("lent-away", json!({"temporaryLocationId": annex}), "Desk"),
        ("moved", json!({"permanentLocationId": annex}), "Branch"),
        ("moved-and-back", json!({"permanentLocationId": annex, "temporaryLocationId": library.location}), "Branch"),
    ] {
        library.item(name, more).await;
        library.patron(name, json!({})).await;
        let loan = library.check_out(name, name, json!({})).await.expect(201).json();
        library.make_overdue(&loan).await;
        library.run("scheduled-age-to-lost").await;
        library.run("scheduled-age-to-lost-fee-charging").await;
        let fees = library.accounts(&loan).await;
        let owners: Vec<_> = fees.iter().map(|fee| fee["feeFineOwner"].clone()).collect();
        assert_eq!(owners, [owner, owner], "{name}");
    }
}

#[tokio::test]
async fn an_actual_cost_record_describes_the_lost_item() {
    let library = charging().await;
    library.ageing_at_actual_cost().await;
    let isbn = id(&library.desk.create("/identifier-types", &json!({"name": "ISBN", "source": "folio"})).await);
    let path = format!("/instance-storage/instances/{}", library.instance);
    let mut instance = library.stored("/instance-storage/instances", &library.instance).await;
    instance["identifiers"] = json!([{"identifierTypeId": isbn, "value": "9780262134033"}]);
    library.desk.put(&path, &instance).await.expect(204);
    let named = json!([{"identifierTypeId": isbn, "identifierType": "ISBN", "value": "9780262134033"}]);

    let declared = library.check_out_new("declared").await;
    library.declare_lost(&declared).await;
    let aged = library.check_out_new("aged").await;
    library.make_overdue(&aged).await;
    library.run("scheduled-age-to-lost").await;
    library.run("scheduled-age-to-lost-fee-charging").await;
    for loan in [&declared, &aged] {
        let record = library.cost_record(loan).await;
        assert_eq!(record["instance"]["identifiers"], named);
        assert_eq!(record["item"]["permanentLocationId"], library.location.as_str());
        assert_eq!(record["item"]["permanentLocation"], "Stacks");
    }
}

#[tokio::test]
async fn the_time_to_bill_an_actual_cost_begins_with_the_loss() {
    let library = charging().await;
    library.ageing_at_actual_cost().await;
    let long_ago = json!({"declaredLostDateTime": "2026-01-01T10:00:00Z"});
    let now = store::record::print_instant(library.library.clock.now());
    let fresh = library.check_out_new("fresh").await;
    library.declare_lost_since(&fresh, long_ago.clone()).await;
    assert_eq!(library.stored_loan(&fresh).await["declaredLostDate"], "2026-01-01T10:00:00.000+00:00");

    let aged = library.check_out_new("aged").await;
    library.make_overdue(&aged).await;
    library.run("scheduled-age-to-lost").await;
    library.run("scheduled-age-to-lost-fee-charging").await;
    assert_eq!(library.cost_record(&aged).await["status"], "Open");
    library.declare_lost_since(&aged, long_ago).await;
    let mut records = library.cost_records(&aged).await;
    records.sort_by_key(|record| record["status"].to_string());
    let reported: Vec<_> =
        records.iter().map(|record| (record["status"].clone(), record["lossType"].clone())).collect();
    assert_eq!(reported, [(json!("Cancelled"), json!("Aged to lost")), (json!("Open"), json!("Declared lost"))]);
    assert_eq!(library.stored_loan(&aged).await["status"]["name"], "Open");
    for record in [&library.cost_record(&fresh).await, &records[1]] {
        let date = |member: &str| {
            let text = record[member].as_str().expect("a date");
            text.parse::<jiff::Timestamp>().expect("a date")
        };
        assert!(record["lossDate"].as_str() >= Some(now.as_str()), "{record}");
        let allowed = date("expirationDate").duration_since(date("lossDate"));
        assert_eq!(allowed.as_hours(), 24);
    }
}

#[tokio::test]
async fn many_cost_records_expire_in_few_statements_without_waiting() {
    const MANY: i32 = 1_200;
    let library = charging().await;
    library.ageing_at_actual_cost().await;
    let [forgotten, busy] = [library.check_out_new("forgotten").await, library.check_out_new("busy").await];
    for loan in [&forgotten, &busy] {
        library.declare_lost(loan).await;
    }
    let session = library.session();
    let record = Uuid::parse_str(&id(&library.cost_record(&forgotten).await)).expect("an id");
    let copies = "INSERT INTO actual_cost_record (id, doc)
        SELECT n.id, r.doc || jsonb_build_object('id', n.id, 'loan', jsonb_build_object('id', gen_random_uuid()))
        FROM actual_cost_record r, (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)) n WHERE r.id = $1";
    session.execute(copies, &[&record, &MANY]).await.expect("copies");
    library.library.clock.advance(SignedDuration::from_hours(25));

    let desk = session.begin().await.expect("a transaction");
    let item = Uuid::parse_str(busy["itemId"].as_str().expect("an id")).expect("an id");
    let taken = "SELECT FROM item_state WHERE id = $1 FOR NO KEY UPDATE";
    desk.execute(taken, &[&item]).await.expect("a lock");
    assert_eq!(library.run("actual-cost-expiration-by-timeout").await, 3, "five hundred at a time");
    desk.commit().await.expect("a commit");
    assert_eq!(library.stored_loan(&forgotten).await["action"], "closedLoan");
    assert_eq!(library.cost_record(&busy).await["status"], "Open");
    assert_eq!(library.run("actual-cost-expiration-by-timeout").await, 1);
    assert_eq!(library.cost_record(&busy).await["status"], "Expired");
    assert_eq!(library.stored_loan(&busy).await["action"], "closedLoan");
}

#[tokio::test]
async fn a_returned_lost_item_is_fined_if_the_policy_says_so() {
    for (returned, fined) in [("Charge", true), ("Remove", false)] {
        let library = charging().await;
        library.change_lost_policy(json!({"lostItemReturned": returned})).await;
        let loan = library.check_out_new("late").await;
        library.make_overdue(&loan).await;
        library.lose(&loan).await;
        let back = library.check_in("late", json!({})).await.expect(200).json();
        assert_eq!(back["loan"]["feesAndFines"], json!({"amountRemainingToPay": 0.0}));
        let fees = library.accounts(&loan).await;
        let reported: Vec<_> = fees.iter().map(|fee| (fee["feeFineType"].as_str().unwrap(), status(fee).1)).collect();
        let mut expected =
            vec![("Lost item fee", "Cancelled item returned"), ("Lost item processing fee", "Cancelled item returned")];
        if fined {
            expected.push(("Overdue fine", "Outstanding"));
        }
        assert_eq!(reported, expected, "{returned}");
        if fined {
            assert_eq!(fees[2]["amount"], 5.25, "a quarter for each day begun");
        }
    }
}

#[tokio::test]
async fn fees_of_a_lost_item_are_refunded_when_the_loan_continues() {
    let library = charging().await;
    let policy = format!("/loan-policy-storage/loan-policies/{}", library.loan_policy);
    let mut renewable = library.desk.get(&policy).await.json();
    renewable["renewalsPolicy"] = json!({"unlimited": true, "renewFromId": "CURRENT_DUE_DATE"});
    library.desk.put(&policy, &renewable).await.expect(204);
    let loan = library.check_out_new("found").await;
    let fees = library.lose(&loan).await;
    library.pay(&fees[0], "40").await.expect(201);
    let body = json!({"itemBarcode": "found", "userBarcode": "found", "servicePointId": library.service_point,
        "overrideBlocks": {"renewalBlock": {}, "comment": "it was in the car"}});
    let renewed = library
        .desk
        .with_header("x-okapi-permissions", "[\"circulation.override-renewal-block.post\"]")
        .post("/circulation/renew-by-barcode", &body)
        .await
        .expect(200)
        .json();
    assert_eq!(renewed["action"], "renewedThroughOverride");
    let fees = library.accounts(&loan).await;
    assert_eq!(fees.len(), 2);
    for fee in &fees {
        assert_eq!(status(fee), ("Closed", "Cancelled item renewed"));
        assert_eq!(fee["remaining"], 0.0);
    }
    assert_eq!(
        library.movements(&fees[0]).await,
        ["Lost item fee", "Paid partially", "Credited fully", "Refunded fully", "Cancelled item renewed"]
    );
    assert_eq!(library.movements(&fees[1]).await, ["Lost item processing fee", "Cancelled item renewed"]);
}

#[tokio::test]
async fn a_cost_is_billed_or_cancelled_only_once() {
    let library = charging().await;
    library.ageing_at_actual_cost().await;
    let [billed, cancelled] = [library.check_out_new("billed").await, library.check_out_new("cancelled").await];
    let mut bodies = Vec::new();
    for loan in [&billed, &cancelled] {
        library.declare_lost(loan).await;
        let record = id(&library.cost_record(loan).await);
        let bill = json!({"actualCostRecordId": record, "amount": 5, "servicePointId": library.service_point});
        bodies.push((record, bill));
    }
    let post = async |action: &str, body: &Value| {
        let path = format!("/actual-cost-fee-fine/{action}");
        library.desk.post(&path, body).await
    };
    post("bill", &bodies[0].1).await.expect(201);
    post("cancel", &json!({"actualCostRecordId": bodies[1].0})).await.expect(201);
    for (record, bill, is) in [(&bodies[0].0, &bodies[0].1, "Billed"), (&bodies[1].0, &bodies[1].1, "Cancelled")] {
        let text = format!("Actual cost record {record} is already {is}");
        assert_eq!(post("bill", bill).await.expect(422).text, text);
        let cancel = json!({"actualCostRecordId": record});
        assert_eq!(post("cancel", &cancel).await.expect(422).text, text);
    }
    let absent = json!(Uuid::nil());
    let mut bill = bodies[0].1.clone();
    bill["actualCostRecordId"] = absent.clone();
    let text = format!("ActualCostRecord {} was not found", Uuid::nil());
    for (action, body) in [("bill", bill), ("cancel", json!({"actualCostRecordId": absent}))] {
        assert_eq!(post(action, &body).await.expect(422).text, text, "{action}");
    }
    assert_eq!(library.accounts(&billed).await.len(), 1);
    assert!(library.accounts(&cancelled).await.is_empty());
}
