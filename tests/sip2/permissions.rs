//! A terminal does what its user may do and its library wants, no more and no less.

use serde_json::json;

use crate::terminal::{SelfChecks, Terminal, field};

/// A library that checks permissions, and a terminal whose user has these.
async fn terminal_with(permissions: &[&str]) -> (SelfChecks, Terminal) {
    let checks = SelfChecks::new().await;
    let lending = &checks.lending;
    lending.item("book", json!({})).await;
    lending.patron("reader", json!({})).await;
    let holder = json!({"userId": lending.librarian, "permissions": permissions});
    lending.desk.create("/perms/users", &holder).await;
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    let install = "/_/proxy/tenants/test/install";
    lending.desk.post(install, &enable).await.expect(200);
    let terminal = checks.signed_in().await;
    (checks, terminal)
}

const CHECK_OUT: &str = "11NN20261122    120000                  AO|AAreader|ABbook|AC|";
const RETURN: &str = "09N20261122    12000020261122    120000AP|AO|ABbook|AC|";
const NOT_PERMITTED: &str = "This terminal may not do that.";

#[tokio::test]
async fn a_terminal_without_permission_to_check_out_is_refused() {
    let (_checks, mut terminal) = terminal_with(&["circulation.check-in-by-barcode.post"]).await;
    let status = terminal.ask("9900802.00").await;
    assert!(status.starts_with("98YYNNNN"), "{status}");
    assert_eq!(field(&status, "BX"), Some("NNYNYYYNNNNNNNNN"));
    for line in [
        CHECK_OUT,
        "01N20261122    120000AO|ALx|AAreader|AC|",
        "15+20261122    120000AO|AAreader|ABbook|",
        "1720261122    120000AO|ABbook|",
        "1920261122    120000AO|ABbook|CHred|",
        "2300020261122    120000AO|AAreader|AC|AD|",
        "2520261122    120000AO|AAreader|AC|AD|",
        "29NN20261122    120000                  AO|AAreader|ABbook|",
        "3520261122    120000AO|AAreader|",
        "3720261122    1200000100USDBV1.00|AO|AAreader|",
        "6300020261122    120000          AO|AAreader|AC|AD|",
        "6520261122    120000AO|AAreader|",
    ] {
        let answer = terminal.ask(line).await;
        assert_eq!(field(&answer, "AF"), Some(NOT_PERMITTED), "{line}: {answer}");
    }
    assert!(terminal.ask(RETURN).await.starts_with("101Y"));
}

#[tokio::test]
async fn the_status_lists_what_a_terminal_may_do() {
    let permissions = [
        "circulation.check-out-by-barcode.post",
        "circulation.check-in-by-barcode.post",
        "circulation.renew-by-barcode.post",
        "users.collection.get",
        "accounts.collection.get",
        "manualblocks.collection.get",
        "patron-blocks.automated-patron-blocks.collection.get",
    ];
    let (_checks, mut terminal) = terminal_with(&permissions).await;
    let status = terminal.ask("9900802.00").await;
    assert!(status.starts_with("98YYYYNN"), "{status}");
    assert_eq!(field(&status, "BX"), Some("YYYNYYYNNNNNNNYN"));
    assert!(terminal.ask(CHECK_OUT).await.starts_with("121"));
    let reader = "2300020261122    120000AO|AAreader|AC|AD|";
    assert_eq!(field(&terminal.ask(reader).await, "BL"), Some("Y"));
}

/// The permission set of a new library, which the documentation shows for others.
const SET: &str = include_str!("../../crates/api/src/platform/self_checks.json");

#[tokio::test]
async fn the_permission_set_for_terminals_lets_them_send_every_message() {
    let checks = SelfChecks::new().await;
    let lending = &checks.lending;
    let set = serde_json::from_str(SET).expect("JSON");
    lending.desk.create("/perms/permissions", &set).await;
    let holder = json!({"userId": lending.librarian, "permissions": ["self-check.all"]});
    lending.desk.create("/perms/users", &holder).await;
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    let install = "/_/proxy/tenants/test/install";
    lending.desk.post(install, &enable).await.expect(200);
    let status = checks.signed_in().await.ask("9900802.00").await;
    assert_eq!(field(&status, "BX"), Some("YYYYYYYYYYYNYYYY"));
}

#[test]
fn the_documentation_shows_the_permission_set_of_a_new_library() {
    let page = include_str!("../../docs/operations/sip2.md");
    assert!(page.contains(SET), "docs/operations/sip2.md has another permission set");
}

#[tokio::test]
async fn promised_due_dates_need_permission_to_change_due_dates() {
    let message = "11NY20261122    11000020270101    120000AO|AAreader|ABbook|AC|";
    let leave = "circulation.check-out-by-barcode.post";
    for (permissions, due) in [
        (&[leave][..], "20261213    235959"),
        (&[leave, "circulation.loans.change-due-date.post"], "20270101    120000"),
    ] {
        let (_checks, mut terminal) = terminal_with(permissions).await;
        let checked_out = terminal.ask(message).await;
        assert_eq!(field(&checked_out, "AH"), Some(due), "{checked_out}");
    }
}

#[tokio::test]
async fn switched_off_messages_are_refused() {
    let checks = SelfChecks::new().await;
    checks.lending.item("book", json!({"status": {"name": "Missing"}})).await;
    checks.lending.patron("reader", json!({})).await;
    let here = format!("selfCheckoutConfig.{}", checks.lending.service_point);
    let station = json!({"checkoutOk": false, "acsRenewalPolicy": false, "retriesAllowed": 5, "timeoutPeriod": 12,
        "libraryName": "Main library", "terminalLocation": "By the door"});
    checks.set(&here, station).await;
    let rules = json!({"statusUpdateOk": false, "offlineOk": true, "invalidCheckinStatuses": "Missing, Withdrawn",
        "supportedMessages": [{"messageName": "HOLD", "isSupported": "N"}]});
    checks.set("acsTenantConfig", rules).await;
    let mut terminal = checks.signed_in().await;
    let status = terminal.ask("9900802.00").await;
    let expected = "98YYNNNY01200520261122    1200002.00AOtest|AMMain library|BXYNYNYYYYYYYNNNNN|ANBy the door|";
    assert_eq!(status, expected);
    let off = "That is not possible at this terminal.";
    for line in [
        CHECK_OUT,
        "15+20261122    120000AO|AAreader|ABbook|",
        "29NN20261122    120000                  AO|AAreader|ABbook|",
        "6520261122    120000AO|AAreader|",
        "01N20261122    120000AO|ALx|AAreader|AC|",
        "2520261122    120000AO|AAreader|AC|AD|",
        "1920261122    120000AO|ABbook|CHred|",
    ] {
        assert_eq!(field(&terminal.ask(line).await, "AF"), Some(off), "{line}");
    }
    let missing = terminal.ask(RETURN).await;
    let text = "An item with the status Missing is not taken back here.";
    assert_eq!(field(&missing, "AF"), Some(text));
    // The branch has its own rules: its terminals check out.
    let mut branch = checks.terminal().await;
    assert_eq!(branch.ask("9300CNlibrarian|COsecret|CPBranch|").await, "941");
    assert!(branch.ask("9900802.00").await.starts_with("98YYYYNY"));
}
