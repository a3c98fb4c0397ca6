//! A repeated message changes nothing twice, and a lost answer is sent again.

use serde_json::json;

use crate::terminal::{LOG_IN, SelfChecks, field};

async fn with_book() -> SelfChecks {
    let checks = SelfChecks::new().await;
    checks.lending.item("book", json!({})).await;
    checks.lending.patron("reader", json!({})).await;
    checks
}

const CHECK_OUT: &str = "11YN20261122    120000                  AO|AAreader|ABbook|AC|";

fn summed(line: &str) -> String {
    let line = format!("{line}AZ");
    let sum: u32 = line.bytes().map(u32::from).sum();
    format!("{line}{:04X}", (0x1_0000 - (sum & 0xffff)) & 0xffff)
}

#[tokio::test]
async fn a_repeated_message_gets_the_same_answer_without_a_second_change() {
    let checks = with_book().await;
    let mut terminal = checks.terminal().await;
    terminal.ask(&summed(&format!("{LOG_IN}AY0"))).await;
    let message = summed(&format!("{CHECK_OUT}AY1"));
    let first = terminal.ask(&message).await;
    assert!(first.starts_with("121N"), "{first}");
    // Renewals are allowed here, so the same message would renew the loan if it ran again.
    assert_eq!(terminal.ask(&message).await, first);
    let loans = checks.lending.desk.get("/circulation/loans").await.json();
    assert_eq!(loans["totalRecords"], 1);
    assert_eq!(loans["loans"][0]["renewalCount"], json!(null));
    // A second later, it is a new message.
    let later = CHECK_OUT.replace("120000", "120001");
    let next = terminal.ask(&summed(&format!("{later}AY2"))).await;
    assert!(next.starts_with("120N"), "{next}");
}

#[tokio::test]
async fn without_sequence_numbers_a_repeated_payment_is_booked_once() {
    let checks = with_book().await;
    let patron = checks.lending.patron("payer", json!({})).await;
    let fee = json!({"amount": 20, "remaining": 20, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
        "feeFineType": "Damage", "feeFineOwner": "Desk", "userId": patron,
        "id": uuid::Uuid::new_v4(), "feeFineId": uuid::Uuid::new_v4(), "ownerId": uuid::Uuid::new_v4()});
    let fee = checks.lending.desk.create("/accounts", &fee).await;
    let mut terminal = checks.signed_in().await;
    let pay = "3720261122    1200000102USDBV5.00|AO|AApayer|AC|";
    let first = terminal.ask(pay).await;
    assert!(first.starts_with("38Y"), "{first}");
    assert_eq!(terminal.ask(pay).await, first);
    let id = fee["id"].as_str().expect("an id");
    let left = checks.lending.stored("/accounts", id).await;
    assert_eq!(left["remaining"], json!(15.0));
    // A second later, it is a second payment.
    let again = terminal.ask(&pay.replace("120000", "120001")).await;
    assert!(again.starts_with("38Y"), "{again}");
    assert_eq!(checks.lending.stored("/accounts", id).await["remaining"], json!(10.0));
}

#[tokio::test]
async fn a_terminal_that_reconnects_changes_nothing_twice() {
    let checks = with_book().await;
    let mut terminal = checks.terminal().await;
    terminal.ask(&summed(&format!("{LOG_IN}AY0"))).await;
    let first = terminal.ask(&summed(&format!("{CHECK_OUT}AY1"))).await;
    drop(terminal);
    let mut terminal = checks.terminal().await;
    terminal.ask(&summed(&format!("{LOG_IN}AY0"))).await;
    // If it ran again, it would try to renew the loan.
    let again = terminal.ask(&summed(&format!("{CHECK_OUT}AY2"))).await;
    let without_trailer = |answer: &str| answer[..answer.len() - 9].to_owned();
    assert_eq!(without_trailer(&again), without_trailer(&first));
    assert!(again.contains("AY2AZ"), "{again}");
}

#[tokio::test]
async fn the_last_answer_is_sent_again_on_request() {
    let checks = with_book().await;
    let mut terminal = checks.terminal().await;
    assert_eq!(terminal.ask("97").await, "96");
    assert_eq!(terminal.ask("97AZFEF5").await, "96AZFEF6");
    assert_eq!(terminal.ask(LOG_IN).await, "941");
    let checked_out = terminal.ask(CHECK_OUT).await;
    assert_eq!(terminal.ask("97").await, checked_out);
    assert_eq!(terminal.ask("97AZFEF5").await, checked_out);
}

#[tokio::test]
async fn a_garbled_message_is_requested_again() {
    let checks = with_book().await;
    let mut terminal = checks.signed_in().await;
    let sound = summed(&format!("{CHECK_OUT}AY1"));
    let garbled = sound.replace("ABbook", "ABbock");
    assert_eq!(terminal.ask(&garbled).await, "96AZFEF6");
    let checked_out = terminal.ask(&sound).await;
    assert!(checked_out.starts_with("121N"), "{checked_out}");
    assert_eq!(field(&checked_out, "AB"), Some("book"));
}

#[tokio::test]
async fn loans_survive_a_restart() {
    let mut checks = with_book().await;
    let mut terminal = checks.signed_in().await;
    assert!(terminal.ask(CHECK_OUT).await.starts_with("121N"));
    checks.stop().await;
    assert!(terminal.is_over().await);
    checks.start().await;
    let mut terminal = checks.signed_in().await;
    let item = terminal.ask("1720261122    120000AO|ABbook|").await;
    assert!(item.starts_with("1804"), "{item}");
}
