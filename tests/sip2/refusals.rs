//! What patrons read when something is refused: the library's, the desk's or Carrel's texts, never the database's.

use serde_json::json;

use crate::terminal::{SelfChecks, field, fields};

#[tokio::test]
async fn patrons_never_read_database_errors() {
    let checks = SelfChecks::new().await;
    checks.lending.patron("reader", json!({})).await;
    let mut terminal = checks.signed_in().await;
    let date = "20261122    120000";
    for line in [
        format!("11NN{date}{date}AO|AAreader|AB\0|"),
        format!("11NN{date}{date}AO|AA\0|ABbook|"),
        format!("09N{date}{date}AP|AO|AB\0|"),
        format!("17{date}AO|AB\0|"),
        format!("15+{date}AO|AA\0|ABbook|"),
        format!("2300{date}AO|AA\0|AC|AD|").replacen("2300", "23000", 1),
        format!("63000{date}          AO|AA\0|AC|AD|"),
        format!("29NN{date}{date}AO|AAreader|AB\0|"),
        format!("01N{date}AO|AL\0|AAreader|AC|"),
        format!("37{date}0100USDBV1.00|AO|AA\0|"),
    ] {
        let answer = terminal.ask(&line).await;
        assert!(!fields(&answer, "AF").is_empty(), "{line:?}: {answer}");
        for text in fields(&answer, "AF") {
            for word in ["byte", "encoding", "UTF", "invalid", "0x00", "column", "relation", "ERROR"] {
                assert!(!text.contains(word), "{line:?}: {answer}");
            }
        }
    }
}

#[tokio::test]
async fn a_refusal_has_the_title_of_its_item_if_there_is_one() {
    let checks = SelfChecks::new().await;
    let lending = &checks.lending;
    lending.patron("reader", json!({})).await;
    let on_loan = json!({"status": {"name": "Withdrawn"}});
    lending.item("book", on_loan).await;
    let mut terminal = checks.signed_in().await;
    let blank = " ".repeat(18);
    for (patron, item, title) in [("nobody", "book", "A title"), ("reader", "unheard of", ""), ("reader", "", "")] {
        let message = format!("11NN20261122    120000{blank}AO|AA{patron}|AB{item}|AC|");
        let answer = terminal.ask(&message).await;
        assert!(answer.starts_with("120"), "{answer}");
        assert_eq!(field(&answer, "AJ"), Some(title), "{answer}");
    }
    let back = format!("09N20261122    120000{blank}AP|AO|ABunheard of|AC|");
    assert_eq!(field(&terminal.ask(&back).await, "AJ"), Some(""));
}

#[tokio::test]
async fn every_answer_about_a_patron_says_whether_a_password_was_right() {
    let checks = SelfChecks::new().await;
    let patron = checks.lending.patron("reader", json!({})).await;
    checks.pin(&patron, "1234").await;
    let rules = json!({"usePinForPatronVerification": true, "patronPasswordVerificationRequired": true});
    checks.set("acsTenantConfig", rules).await;
    let mut terminal = checks.signed_in().await;
    for (pin, right) in [("1234", "Y"), ("9999", "N")] {
        for line in [
            format!("2300020261122    120000AO|AAreader|AC|AD{pin}|"),
            format!("6300020261122    120000          AO|AAreader|AC|AD{pin}|"),
            format!("2520261122    120000AO|AAreader|AC|AD{pin}|"),
        ] {
            let answer = terminal.ask(&line).await;
            assert_eq!(field(&answer, "BL"), Some("Y"), "{line}: {answer}");
            assert_eq!(field(&answer, "CQ"), Some(right), "{line}: {answer}");
        }
    }
}
