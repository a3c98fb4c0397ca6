//! Patrons at a terminal: passwords, blocks, the library's texts, the end of a session.

use jiff::SignedDuration;
use serde_json::json;

use crate::terminal::{SelfChecks, field, fields};

async fn library() -> (SelfChecks, String) {
    let checks = SelfChecks::new().await;
    let reader = checks.lending.patron("reader", json!({})).await;
    checks.lending.item("book", json!({})).await;
    let password = json!({"userId": reader, "password": "open sesame"});
    checks.lending.desk.post("/authn/credentials", &password).await.expect(201);
    (checks, reader)
}

fn status(password: &str) -> String {
    format!("2300020261122    120000AO|AAreader|AC|AD{password}|")
}

fn check_out(more: &str) -> String {
    format!("11NN20261122    120000                  AO|AAreader|ABbook|AC|{more}")
}

#[tokio::test]
async fn a_required_password_is_enforced() {
    let (checks, reader) = library().await;
    checks.pin(&reader, "4711").await;
    checks
        .set(
            "acsTenantConfig",
            json!({"patronPasswordVerificationRequired": true,
                "usePinForPatronVerification": true}),
        )
        .await;
    let mut terminal = checks.signed_in().await;
    let wrong = "The password or PIN is wrong.";
    let answer = terminal.ask(&status("")).await;
    assert_eq!((field(&answer, "BL"), field(&answer, "CQ")), (Some("Y"), Some("N")));
    assert_eq!((field(&answer, "AE"), field(&answer, "AF")), (Some(""), Some(wrong)));
    assert_eq!(field(&answer, "BV"), None);
    for line in [
        check_out(""),
        check_out("ADwrong|"),
        "29NN20261122    120000                  AO|AAreader|ABbook|".into(),
        "6520261122    120000AO|AAreader|".into(),
        "3720261122    1200000100USDBV1.00|AO|AAreader|".into(),
        "15+20261122    120000AO|AAreader|ABbook|".into(),
        "2520261122    120000AO|AAreader|".into(),
        "3520261122    120000AO|AAreader|".into(),
    ] {
        let answer = terminal.ask(&line).await;
        assert_eq!(field(&answer, "AF"), Some(wrong), "{line}");
    }
    let answer = terminal.ask(&status("4711")).await;
    assert_eq!((field(&answer, "AE"), field(&answer, "CQ")), (Some("reader Reader"), Some("Y")));
    assert!(terminal.ask(&check_out("AD4711|")).await.starts_with("121"));
    // Check-ins need no password.
    let back = "09N20261122    12000020261122    120000AP|AO|ABbook|AC|";
    assert!(terminal.ask(back).await.starts_with("101"));
}

#[tokio::test]
async fn a_voluntary_password_is_checked_only_if_the_library_wants_it() {
    let (checks, _) = library().await;
    let mut terminal = checks.signed_in().await;
    for password in ["", "nonsense", "open sesame"] {
        let answer = terminal.ask(&status(password)).await;
        assert_eq!(field(&answer, "CQ"), None, "{password}");
        assert_eq!(field(&answer, "AE"), Some("reader Reader"));
    }
    checks.set("acsTenantConfig", json!({"alwaysCheckPatronPassword": true})).await;
    for (password, valid) in [("nonsense", "N"), ("open sesame", "Y")] {
        let answer = terminal.ask(&status(password)).await;
        assert_eq!(field(&answer, "CQ"), Some(valid), "{password}");
        assert_eq!(field(&answer, "AE"), Some("reader Reader"));
    }
}

/// Otherwise, with a found card one could lock its owner out, or try all PINs.
#[tokio::test]
async fn wrong_passwords_at_a_terminal_do_not_lock_the_patron() {
    for (pin, right) in [(true, "4711"), (false, "open sesame")] {
        let (checks, reader) = library().await;
        checks.pin(&reader, "4711").await;
        let rules = json!({"patronPasswordVerificationRequired": true,
            "usePinForPatronVerification": pin});
        checks.set("acsTenantConfig", rules).await;
        let mut terminal = checks.signed_in().await;
        for _ in 0..5 {
            assert_eq!(field(&terminal.ask(&status("0000")).await, "CQ"), Some("N"));
        }
        assert_eq!(field(&terminal.ask(&status(right)).await, "CQ"), Some("N"));
        let desk = &checks.lending.desk;
        let patron = desk.get(&format!("/users/{reader}")).await.json();
        assert_eq!(patron["active"], true);
        let sent = json!({"userId": reader, "password": "open sesame"});
        desk.post("/authn/login", &sent).await.expect(201);
        checks.lending.library.clock.advance(SignedDuration::from_mins(11));
        assert_eq!(field(&terminal.ask(&status(right)).await, "CQ"), Some("Y"));
    }
}

#[tokio::test]
async fn a_card_is_blocked_and_unblocked() {
    let (checks, reader) = library().await;
    let mut terminal = checks.signed_in().await;
    let block = "01N20261122    120000AO|ALCard left behind|AAreader|AC|";
    let answer = terminal.ask(block).await;
    assert!(answer.starts_with("24YYYY          "), "{answer}");
    let blocked = "There are unresolved issues with your account. Please see a staff member for assistance.";
    assert_eq!(field(&answer, "AF"), Some(blocked));
    let kept = checks.lending.desk.get("/manualblocks").await.json();
    assert_eq!(kept["manualblocks"][0]["staffInformation"], "Card left behind");
    let refused = terminal.ask(&check_out("")).await;
    assert_eq!(field(&refused, "AF"), Some(blocked));

    let staffs = json!({"type": "Manual", "desc": "Lost card", "patronMessage": "Please come to the desk", "borrowing": false,
        "renewals": false, "requests": true, "userId": reader});
    checks.lending.desk.create("/manualblocks", &staffs).await;
    let enabled = terminal.ask("2520261122    120001AO|AAreader|AC|AD|").await;
    assert!(enabled.starts_with("26  YY          "), "{enabled}");
    assert_eq!(field(&enabled, "AF"), Some("Please come to the desk"));
    assert!(terminal.ask(&check_out("BO|")).await.starts_with("121"));
}

#[tokio::test]
async fn automated_blocks_give_their_reason() {
    let (checks, _) = library().await;
    let lending = &checks.lending;
    let items_out = "3d7c52dc-c732-4223-8bf8-e5917801386f";
    let path = format!("/patron-block-conditions/{items_out}");
    let mut condition = lending.desk.get(&path).await.expect(200).json();
    condition["blockBorrowing"] = true.into();
    condition["message"] = "You have borrowed enough".into();
    lending.desk.put(&path, &condition).await.expect(204);
    let limit =
        json!({"id": uuid::Uuid::new_v4(), "patronGroupId": lending.group, "conditionId": items_out, "value": 1});
    lending.desk.create("/patron-block-limits", &limit).await;
    lending.item("second", json!({})).await;
    let mut terminal = checks.signed_in().await;
    assert!(terminal.ask(&check_out("")).await.starts_with("121"));
    let answer = terminal.ask(&status("")).await;
    assert!(answer.starts_with("24Y    Y        "), "{answer}");
    assert_eq!(field(&answer, "AF"), Some("You have borrowed enough"));
    let whole = terminal.ask("6300020261122    120000          AO|AAreader|AC|AD|").await;
    assert_eq!(field(&whole, "CB"), Some("0001"));
    assert_eq!((field(&whole, "CA"), field(&whole, "CC")), (None, None));
    let refused = terminal.ask(&check_out("").replace("ABbook", "ABsecond")).await;
    assert_eq!(field(&refused, "AF"), Some("You have borrowed enough"));
}

#[tokio::test]
async fn a_library_can_reword_texts() {
    let (checks, _) = library().await;
    let messages = json!({"patronUnknown": "Ausweis unbekannt", "USER_IS_BLOCKED_MANUALLY": "Gesperrt"});
    checks.set("selfCheckMessages", messages).await;
    let mut terminal = checks.signed_in().await;
    let unknown = terminal.ask(&status("").replace("AAreader", "AAnobody")).await;
    assert_eq!(fields(&unknown, "AF"), ["Ausweis unbekannt"]);
    terminal.ask("01N20261122    120000AO|AL|AAreader|AC|").await;
    assert_eq!(fields(&terminal.ask(&check_out("")).await, "AF"), ["Gesperrt"]);
}

#[tokio::test]
async fn an_expired_patron_gets_a_clear_text() {
    let (checks, _) = library().await;
    checks.lending.patron("former", json!({"active": false})).await;
    let mut terminal = checks.signed_in().await;
    let answer = terminal.ask(&status("").replace("AAreader", "AAformer")).await;
    assert!(answer.starts_with("24YYYYYYYYYYYYYY"), "{answer}");
    let text = "Your library card is not active. Please see a staff member for assistance.";
    assert_eq!((field(&answer, "BL"), field(&answer, "AF")), (Some("N"), Some(text)));
    let checked_out = terminal.ask(&check_out("").replace("AAreader", "AAformer")).await;
    assert_eq!(field(&checked_out, "AF"), Some("Cannot check out to inactive user"));
}

#[tokio::test]
async fn end_session_ends_the_patrons_session() {
    let (checks, _) = library().await;
    let mut terminal = checks.signed_in().await;
    assert!(terminal.ask(&check_out("")).await.starts_with("121"));
    let sessions = "/patron-action-session-storage/patron-action-sessions";
    let list = || async { checks.lending.desk.get(sessions).await.json()["totalRecords"].clone() };
    assert_eq!(list().await, 1);
    let end = terminal.ask("3520261122    120000AO|AAreader|AC|").await;
    assert!(end.starts_with("36Y"), "{end}");
    assert_eq!(list().await, 0);
    let unknown = terminal.ask("3520261122    120000AO|AAnobody|AC|").await;
    assert!(unknown.starts_with("36N"), "{unknown}");
}
