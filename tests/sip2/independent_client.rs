//! An independent client (crate `sip2` of the Evergreen project) talks to Carrel.

use serde_json::json;
use sip2_client::{Client, ParamSet, spec};

use crate::terminal::SelfChecks;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_independent_client_signs_in_checks_out_checks_in_and_pays() {
    let checks = SelfChecks::new().await;
    let lending = &checks.lending;
    let patron = lending.patron("reader", json!({})).await;
    lending.item("book", json!({})).await;
    let fee = json!({"amount": 3, "remaining": 3, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
        "feeFineType": "Damage", "feeFineOwner": "Desk", "userId": patron,
        "id": uuid::Uuid::new_v4(), "feeFineId": uuid::Uuid::new_v4(), "ownerId": uuid::Uuid::new_v4()});
    lending.desk.create("/accounts", &fee).await;
    let address = checks.address.to_string();
    let visit = tokio::task::spawn_blocking(move || visit(&address));
    visit.await.expect("no panic").expect("a conversation");
}

fn visit(address: &str) -> Result<(), sip2_client::Error> {
    let mut client = Client::new(address)?;
    let mut who = ParamSet::new();
    who.set_sip_user("librarian").set_sip_pass("wrong").set_location("Desk");
    assert!(!client.login(&who)?.ok());
    who.set_sip_pass("secret");
    assert!(client.login(&who)?.ok());
    let status = client.sc_status()?;
    assert!(status.ok());
    assert_eq!(status.value("BX"), Some("YYYYYYYYYYYNYYYY"));

    let mut asked = ParamSet::new();
    asked.set_institution("main").set_patron_id("reader").set_item_id("book");
    assert!(client.patron_status(&asked)?.ok());
    let checked_out = client.checkout(&asked)?;
    assert!(checked_out.ok());
    assert_eq!(checked_out.value("AJ"), Some("A title"));
    asked.set_summary(2);
    let information = client.patron_info(&asked)?;
    assert!(information.ok());
    assert_eq!(information.value("AU"), Some("book"));
    assert_eq!(information.value("AE"), Some("reader Reader"));
    let item = client.item_info(&asked)?;
    assert!(item.ok());
    assert_eq!(item.msg().fixed_fields()[0].value(), "04");
    assert!(client.checkin(&asked)?.ok());
    let item = client.item_info(&asked)?;
    assert_eq!(item.msg().fixed_fields()[0].value(), "03");

    asked.set_pay_amount("3.00").set_pay_type(spec::PayType::Cash).set_fee_type(spec::FeeType::Damage);
    // Its `ok` expects a 1 where the specification has Y.
    let paid = client.fee_paid(&asked)?;
    assert_eq!(paid.msg().fixed_fields()[0].value(), "Y");
    asked.set_pay_amount("4.00");
    let nothing_left = client.fee_paid(&asked)?;
    assert_eq!(nothing_left.msg().fixed_fields()[0].value(), "N");
    asked.set_patron_id("nobody");
    assert!(!client.patron_status(&asked)?.ok());
    client.disconnect()
}
