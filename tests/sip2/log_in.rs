//! Sign-in of terminals: user names, tenants, locations, failures.

use api::platform::{SUPERTENANT, prepare};
use self_check::{Settings, TenantTable};
use serde_json::json;

use crate::terminal::{LOG_IN, SelfChecks, field};

const STATUS: &str = "9900802.00";

#[tokio::test]
async fn a_terminal_can_name_tenant_and_location_in_several_ways() {
    let file = r#"{"scTenants": [{"tenant": "test", "locationCodes": ["Branch"]}]}"#;
    let settings = Settings {
        tenant: Some("nowhere".into()),
        tenants: TenantTable::read(file).expect("a table"),
        ..Settings::default()
    };
    let checks = SelfChecks::with(settings).await;
    let (desk, branch) = (&checks.lending.service_point, &checks.lending.branch);
    for (line, place) in [
        ("9300CNlibrarian@test|COsecret|CPDesk|".to_owned(), Some("Desk")),
        ("9300CNtest__librarian|COsecret|CPdesk|".to_owned(), Some("Desk")),
        (format!("9300CNlibrarian@test|COsecret|CP{desk}|"), Some("Desk")),
        (format!("93  CNlibrarian@test|COsecret|CP{branch}|"), Some("Branch")),
        ("9300CNlibrarian|COsecret|CPBranch|".to_owned(), Some("Branch")),
        (LOG_IN.to_owned(), None),
        ("9300CNlibrarian@elsewhere|COsecret|CPDesk|".to_owned(), None),
        ("9300CNlibrarian@test|COsecret|CPCellar|".to_owned(), None),
        ("9300CNlibrarian@test|COsecret|CP|".to_owned(), None),
        ("9310CNlibrarian@test|COsecret|CPDesk|".to_owned(), None),
        ("9300CN|CO|CP|".to_owned(), None),
        ("9300".to_owned(), None),
    ] {
        let mut terminal = checks.terminal().await;
        let answer = terminal.ask(&line).await;
        assert_eq!(answer, if place.is_some() { "941" } else { "940" }, "{line}");
        let status = terminal.ask(STATUS).await;
        assert_eq!(field(&status, "AN"), place, "{line}");
    }
}

#[tokio::test]
async fn without_a_tenant_the_only_library_is_used_and_not_the_supertenant() {
    let checks = SelfChecks::new().await;
    let app = &checks.lending.library.app;
    prepare(app).await.expect("what every installation has");
    let above = app.tenant(SUPERTENANT).expect("the supertenant");
    assert!(above.has_module("mod-circulation"));
    let mut terminal = checks.terminal().await;
    assert_eq!(terminal.ask(LOG_IN).await, "941");
    assert_eq!(field(&terminal.ask(STATUS).await, "AO"), Some("test"));
}

#[tokio::test]
async fn without_a_location_the_users_service_point_is_used() {
    let checks = SelfChecks::new().await;
    let lending = &checks.lending;
    let places = json!({"userId": lending.librarian, "servicePointsIds": [lending.branch],
        "defaultServicePointId": lending.branch});
    lending.desk.post("/service-points-users", &places).await.expect(201);
    let mut terminal = checks.terminal().await;
    assert_eq!(terminal.ask("9300CNlibrarian|COsecret|").await, "941");
    assert_eq!(field(&terminal.ask(STATUS).await, "AN"), Some("Branch"));
}

#[tokio::test]
async fn failed_log_ins_end_the_connection_and_count_towards_the_lockout() {
    let checks = SelfChecks::new().await;
    let wrong = "9300CNlibrarian|COwrong|CPDesk|";
    let mut terminal = checks.terminal().await;
    for _ in 0..3 {
        assert_eq!(terminal.ask(wrong).await, "940");
    }
    assert!(terminal.is_over().await);
    let mut terminal = checks.terminal().await;
    for _ in 0..2 {
        assert_eq!(terminal.ask(wrong).await, "940");
    }
    // That was the fifth failure: the user is inactive now, and the right password does not help.
    assert_eq!(terminal.ask(LOG_IN).await, "940");
    let user = checks.lending.stored("/users", &checks.lending.librarian).await;
    assert_eq!(user["active"], false);
}

#[tokio::test]
async fn a_deactivated_user_must_sign_in_again() {
    let checks = SelfChecks::new().await;
    let mut terminal = checks.signed_in().await;
    let question = "2300020261122    120000AO|AAreader|AC|AD|";
    checks.lending.patron("reader", json!({})).await;
    assert_eq!(field(&terminal.ask(question).await, "BL"), Some("Y"));
    let path = format!("/users/{}", checks.lending.librarian);
    let mut user = checks.lending.desk.get(&path).await.expect(200).json();
    user["active"] = false.into();
    checks.lending.desk.put(&path, &user).await.expect(204);
    let answer = terminal.ask(question).await;
    assert_eq!(field(&answer, "AF"), Some("This terminal is not signed in."));
    assert_eq!(field(&answer, "AE"), Some(""));
}
