//! Payments at a terminal: for one named fee or the oldest debts first, complete or not at all.

use serde_json::json;

use crate::terminal::{SelfChecks, field, fields};

struct Debts {
    checks: SelfChecks,
    ids: Vec<String>,
}

/// A patron who owes 5.00, then 10.00, then 2.50.
async fn debts() -> Debts {
    let checks = SelfChecks::new().await;
    let patron = checks.lending.patron("reader", json!({})).await;
    let mut ids = Vec::new();
    for amount in [5.0, 10.0, 2.5] {
        let fee = json!({"amount": amount, "remaining": amount, "status": {"name": "Open"},
            "paymentStatus": {"name": "Outstanding"}, "feeFineType": "Damage", "feeFineOwner": "Desk",
            "userId": patron, "title": "A title", "barcode": format!("of-{amount}"),
            "id": uuid::Uuid::new_v4(), "feeFineId": uuid::Uuid::new_v4(), "ownerId": uuid::Uuid::new_v4()});
        let fee = checks.lending.desk.create("/accounts", &fee).await;
        ids.push(fee["id"].as_str().expect("an id").to_owned());
    }
    Debts { checks, ids }
}

impl Debts {
    async fn left(&self) -> Vec<f64> {
        let mut left = Vec::new();
        for id in &self.ids {
            let account = self.checks.lending.stored("/accounts", id).await;
            left.push(account["remaining"].as_f64().expect("a number"));
        }
        left
    }
}

fn pay(second: u8, amount: &str, more: &str) -> String {
    format!("3720261122    1200{second:02}0100USDBV{amount}|AO|AAreader|AC|{more}")
}

#[tokio::test]
async fn the_oldest_debts_are_paid_first() {
    let debts = debts().await;
    let mut terminal = debts.checks.signed_in().await;
    let paid = terminal.ask(&pay(0, "8.00", "BKreceipt 7|")).await;
    assert!(paid.starts_with("38Y"), "{paid}");
    assert_eq!(fields(&paid, "CG"), [debts.ids[0].as_str(), debts.ids[1].as_str()]);
    assert_eq!(fields(&paid, "FG"), ["5.00", "3.00"]);
    assert_eq!(fields(&paid, "FA"), ["0.00", "7.00"]);
    assert_eq!(debts.left().await, [0.0, 7.0, 2.5]);
    let actions = debts.checks.lending.desk.get("/feefineactions").await.json();
    let actions = actions["feefineactions"].as_array().expect("a list");
    assert_eq!(actions.len(), 2);
    for action in actions {
        assert_eq!(action["source"], "librarian");
        assert_eq!(action["paymentMethod"], "Cash");
        assert_eq!(action["transactionInformation"], "receipt 7");
        assert_eq!(action["createdAt"], json!(debts.checks.lending.service_point));
    }
}

#[tokio::test]
async fn a_payment_for_a_named_fee_pays_only_that_fee() {
    let debts = debts().await;
    let mut terminal = debts.checks.signed_in().await;
    let named = format!("CG{}|", debts.ids[2]);
    let paid = terminal.ask(&pay(0, "2.50", &named)).await;
    assert!(paid.starts_with("38Y"), "{paid}");
    assert_eq!(debts.left().await, [5.0, 10.0, 0.0]);
    let again = terminal.ask(&pay(1, "2.50", &named)).await;
    assert_eq!(field(&again, "AF"), Some("There is no such fee to pay."));
}

#[tokio::test]
async fn refused_payments_change_nothing() {
    let debts = debts().await;
    let mut terminal = debts.checks.signed_in().await;
    let rows = [
        (pay(0, "17.51", ""), "No more than 17.50 is owed."),
        (pay(1, "0.00", ""), "The amount is not valid."),
        (pay(2, "-1", ""), "The amount is not valid."),
        (pay(3, "1.005", ""), "The amount is not valid."),
        (pay(4, "much", ""), "The amount is not valid."),
        (pay(5, "", ""), "The amount is not valid."),
        (pay(6, "1.00", "CGnonsense|"), "There is no such fee to pay."),
        (pay(7, "1.00", "").replace("USD", "GBP"), "The library does not take this currency."),
        (
            pay(8, "1.00", "").replace("AAreader", "AAnobody"),
            "Your library card number cannot be located. Please see a staff member for assistance.",
        ),
    ];
    for (line, text) in rows {
        let answer = terminal.ask(&line).await;
        assert!(answer.starts_with("38N"), "{line}: {answer}");
        assert_eq!(field(&answer, "AF"), Some(text), "{line}");
    }
    assert_eq!(debts.left().await, [5.0, 10.0, 2.5]);
}

#[tokio::test]
async fn simultaneous_payments_never_exceed_the_debt() {
    let debts = debts().await;
    let mut paying = Vec::new();
    for second in 0..10 {
        let mut terminal = debts.checks.signed_in().await;
        paying.push(tokio::spawn(async move { terminal.ask(&pay(second, "3.00", "")).await.starts_with("38Y") }));
    }
    let mut taken = 0;
    for payment in paying {
        taken += u32::from(payment.await.expect("no panic"));
    }
    assert_eq!(taken, 5);
    assert_eq!(debts.left().await.iter().sum::<f64>(), 2.5);
}

#[tokio::test]
async fn fees_are_listed_with_all_details() {
    let debts = debts().await;
    let mut terminal = debts.checks.signed_in().await;
    let ask = |summary: &str, more: &str| format!("6300020261122    120000{summary:10}AO|AAreader|AC|AD|{more}");
    let fines = terminal.ask(&ask("   Y", "BP2|BQ3|")).await;
    assert_eq!(fields(&fines, "AV"), ["of-10", "of-2.5"]);
    assert_eq!(field(&fines, "BV"), Some("17.50"));
    let whole = terminal.ask(&ask("      Y", "BQ1|")).await;
    assert_eq!(field(&whole, "CG"), Some(debts.ids[0].as_str()));
    assert_eq!(field(&whole, "FA"), Some("5.00"));
    assert_eq!(field(&whole, "FB"), Some("of-5"));
    assert_eq!(field(&whole, "FC"), Some("22.11.2026"));
    assert_eq!(field(&whole, "FF"), Some("Damage"));
}
