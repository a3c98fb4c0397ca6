//! The log has a line for each transaction with its round trips, and nothing about patrons, passwords or PINs.

use std::{
    io::Write,
    sync::{Mutex, Once, PoisonError},
};

use serde_json::{Value, json};
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

use crate::terminal::SelfChecks;

static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static STARTED: Once = Once::new();

#[derive(Clone, Copy)]
struct Kept;

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        lines.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for Kept {
    type Writer = Kept;

    fn make_writer(&'w self) -> Kept {
        Kept
    }
}

fn listen() {
    STARTED.call_once(|| {
        let filter = EnvFilter::new("carrel::sip2=trace");
        let subscriber = tracing_subscriber::fmt().json().flatten_event(true);
        subscriber.with_env_filter(filter).with_writer(Kept).init();
    });
}

/// The log lines about the terminal at this address.
fn lines(peer: &str) -> Vec<Value> {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8_lossy(&lines).into_owned();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["peer"] == peer).collect()
}

#[tokio::test]
async fn the_log_says_why_a_terminal_was_refused_and_what_to_do() {
    listen();
    let checks = SelfChecks::new().await;
    let lending = &checks.lending;
    let holder = json!({"userId": lending.librarian, "permissions": []});
    lending.desk.create("/perms/users", &holder).await;
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    let install = "/_/proxy/tenants/test/install";
    lending.desk.post(install, &enable).await.expect(200);
    let mut terminal = checks.terminal().await;
    for (line, expected) in [
        ("9900802.00", None),
        ("1720261122    120000AO|ABhidden|AC|", Some("log in (93)")),
        ("9300CNlibrarian|COwrong|CPDesk|", Some("wrong user name or password")),
        ("9300CNlibrarian|COsecret|CPCellar|", Some("Branch, Desk")),
        ("9300CNlibrarian|COsecret|CP|", Some("default service point")),
    ] {
        terminal.ask(line).await;
        let lines = lines(&terminal.address());
        let said = lines.iter().rfind(|line| line["result"].is_string());
        let why = said.expect("a line")["why"].as_str();
        assert_eq!(why.is_some(), expected.is_some(), "{line}: {lines:#?}");
        assert!(why.unwrap_or_default().contains(expected.unwrap_or_default()), "{line}: {why:?}");
    }
    let mut terminal = checks.signed_in().await;
    terminal.ask("1720261122    120000AO|ABhidden|AC|").await;
    let lines = lines(&terminal.address());
    let why = lines.last().expect("a line")["why"].as_str();
    let why = why.unwrap_or_default();
    for expected in ["inventory.items.collection.get", "self-check.all"] {
        assert!(why.contains(expected), "{why}");
    }
    assert!(!Value::from(lines).to_string().contains("hidden"));
}

#[tokio::test]
async fn a_transaction_is_one_line_without_secrets_and_within_its_round_trips() {
    listen();
    let checks = SelfChecks::new().await;
    let patron = checks.lending.patron("hidden-reader", json!({})).await;
    checks.lending.item("hidden-book", json!({})).await;
    checks.pin(&patron, "hidden-4711").await;
    checks.set("acsTenantConfig", json!({"usePinForPatronVerification": true})).await;
    let mut terminal = checks.signed_in().await;
    let lost = "11NY20261122    110000                  AO|AAhidden-reader|ABhidden-none|";
    let mut offline = checks.signed_in().await;
    offline.ask(lost).await;
    let logged = Value::from(lines(&offline.address()));
    let warned = &logged[1];
    assert_eq!(warned["message"], "11");
    assert_eq!(warned["at"], "20261122    110000");
    assert_eq!(warned["level"], "WARN");
    assert!(!logged.to_string().contains("hidden"), "{logged}");
    // The terminal's user and its permissions are read once a minute.
    terminal.ask("9900802.00").await;
    let password = "AAhidden-reader|AC|ADhidden-4711|";
    let budgets = [
        (format!("6300020261122    120000  Y       AO|{password}"), "done", 1),
        (format!("11YN20261122    120000                  AO|{password}ABhidden-book|"), "done", 2),
        ("1720261122    120000AO|ABhidden-book|".to_owned(), "done", 1),
        ("29NN20261122    120000                  AO|AAhidden-reader|ABhidden-book|".to_owned(), "refused", 1),
        ("09N20261122    12000020261122    120000AP|AO|ABhidden-book|".to_owned(), "done", 2),
        ("3520261122    120000AO|AAhidden-reader|".to_owned(), "done", 2),
    ];
    for (line, ..) in &budgets {
        terminal.ask(line).await;
    }
    let lines = lines(&terminal.address());
    assert_eq!(lines.len(), budgets.len() + 2, "{lines:#?}");
    for (said, (line, result, trips)) in lines[2..].iter().zip(&budgets) {
        assert_eq!(said["message"], line[..2], "{said}");
        assert_eq!(said["result"], *result, "{said}");
        assert_eq!(said["round_trips"], *trips, "{said}");
        assert_eq!(said["tenant"], "test");
    }
    let all = Value::from(lines).to_string();
    assert!(!all.contains("hidden") && !all.contains("secret") && !all.contains("Reader"), "{all}");
}
