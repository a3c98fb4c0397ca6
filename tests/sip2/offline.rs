//! What terminals did while they were offline and report later (`no block` is `Y`).

use serde_json::{Value, json};

use crate::terminal::{SelfChecks, Terminal, field, fields};

const OVERRIDES: [&str; 4] = [
    "circulation.override-patron-block.post",
    "circulation.override-item-limit-block.post",
    "circulation.override-item-not-loanable-block.post",
    "circulation.override-renewal-block.post",
];
const NOT_RECORDED: &str = "This was done while the terminal was off line. It is not recorded.";
const BLANK: &str = "                  ";

/// A library with two books and a map that does not circulate. The terminal's user has these permissions. It is noon.
async fn library(permissions: &[&str]) -> (SelfChecks, Terminal) {
    let checks = SelfChecks::new().await;
    let lending = &checks.lending;
    for barcode in ["reader", "other"] {
        lending.patron(barcode, json!({})).await;
    }
    for barcode in ["book-1", "book-2"] {
        lending.item(barcode, json!({})).await;
    }
    let map = json!({"materialTypeId": lending.map});
    lending.item("map-1", map).await;
    let holder = json!({"userId": lending.librarian, "permissions": permissions});
    lending.desk.create("/perms/users", &holder).await;
    let terminal = checks.signed_in().await;
    (checks, terminal)
}

/// A check-out that was made offline at this time of day.
fn check_out(patron: &str, item: &str, time: &str, due: &str) -> String {
    format!("11NY20261122    {time}{due}AO|AA{patron}|AB{item}|AC|")
}

fn check_in(item: &str, sent: &str, returned: &str) -> String {
    format!("09Y20261122    {sent}{returned}AP|AO|AB{item}|AC|")
}

async fn loans(checks: &SelfChecks) -> Vec<Value> {
    let listed = checks.lending.desk.get("/circulation/loans").await.json();
    listed["loans"].as_array().expect("a list").clone()
}

async fn block(checks: &SelfChecks, barcode: &str) {
    let path = format!("/users?query=barcode=={barcode}");
    let found = checks.lending.desk.get(&path).await.json();
    let block = json!({"type": "Manual", "desc": "Owes a book", "borrowing": true, "renewals": true,
        "requests": true, "userId": found["users"][0]["id"]});
    checks.lending.desk.create("/manualblocks", &block).await;
}

#[tokio::test]
async fn an_off_line_loan_begins_at_the_time_of_the_terminals_clock() {
    let (checks, mut terminal) = library(&[]).await;
    let checked_out = terminal.ask(&check_out("reader", "book-1", "093000", BLANK)).await;
    assert!(checked_out.starts_with("121NUY"), "{checked_out}");
    assert_eq!(field(&checked_out, "AH"), Some("20261213    235959"));
    let loan = &loans(&checks).await[0];
    assert_eq!(loan["loanDate"], "2026-11-22T09:30:00Z");
    assert_eq!(loan["action"], "checkedout");
    // A named zone is respected; a clock that is ahead is not.
    let zoned = check_out("reader", "book-2", "053000", BLANK).replace("20261122    ", "20261122   Q");
    assert!(terminal.ask(&zoned).await.starts_with("121"));
    let ahead = check_out("other", "book-1", "130000", BLANK);
    let back = check_in("book-1", "100000", "20261122    100000");
    assert!(terminal.ask(&back).await.starts_with("101"));
    assert!(terminal.ask(&ahead).await.starts_with("121"));
    let mut began: Vec<_> = loans(&checks).await;
    began.sort_by_key(|loan| loan["loanDate"].to_string());
    let began: Vec<_> = began.iter().map(|loan| loan["loanDate"].clone()).collect();
    assert_eq!(began[..2], ["2026-11-22T09:30:00Z", "2026-11-22T09:30:00Z"]);
    assert!(began[2].to_string().contains("2026-11-22T12:00:00"), "{began:?}");
}

#[tokio::test]
async fn off_line_loans_override_blocks_the_terminals_user_may_override() {
    let (checks, mut terminal) = library(&OVERRIDES).await;
    block(&checks, "reader").await;
    let live = check_out("reader", "book-1", "093000", BLANK).replace("11NY", "11NN");
    assert!(terminal.ask(&live).await.starts_with("120"), "on line a block blocks");
    let checked_out = terminal.ask(&check_out("reader", "book-1", "093000", BLANK)).await;
    assert!(checked_out.starts_with("121"), "{checked_out}");
    let loan = &loans(&checks).await[0];
    assert_eq!(loan["action"], "checkedOutThroughOverride");
    assert_eq!(loan["actionComment"], "Done at a self-check while it was off line");

    // An override of the loan policy needs the due date that the terminal promised.
    let undated = terminal.ask(&check_out("other", "map-1", "093000", BLANK)).await;
    assert_eq!(fields(&undated, "AF"), ["Item is not loanable", NOT_RECORDED]);
    let promised = "20261124    180000";
    let checked_out = terminal.ask(&check_out("other", "map-1", "093100", promised)).await;
    assert!(checked_out.starts_with("121"), "{checked_out}");
    assert_eq!(field(&checked_out, "AH"), Some(promised));
}

#[tokio::test]
async fn without_override_permission_blocked_loans_are_not_recorded() {
    let (checks, mut terminal) = library(&OVERRIDES[1..]).await;
    block(&checks, "reader").await;
    let refused = terminal.ask(&check_out("reader", "book-1", "093000", BLANK)).await;
    assert!(refused.starts_with("120N"), "{refused}");
    let texts = fields(&refused, "AF");
    assert_eq!(texts.len(), 2);
    assert_eq!(texts[1], NOT_RECORDED);
    assert!(loans(&checks).await.is_empty());
}

#[tokio::test]
async fn a_patron_keeps_a_later_promised_due_date() {
    let (checks, mut terminal) = library(&[]).await;
    let promised = "20261224    120000";
    let checked_out = terminal.ask(&check_out("reader", "book-1", "093000", promised)).await;
    assert_eq!(field(&checked_out, "AH"), Some(promised));
    assert_eq!(loans(&checks).await[0]["dueDate"], "2026-12-24T12:00:00.000+00:00");
    // An earlier due date does the patron no harm and changes nothing.
    let early = terminal.ask(&check_out("reader", "book-2", "093000", "20261123    120000")).await;
    assert_eq!(field(&early, "AH"), Some("20261213    235959"));
}

#[tokio::test]
async fn a_check_out_reported_twice_is_one_loan() {
    let (checks, mut terminal) = library(&[]).await;
    let message = check_out("reader", "book-1", "093000", BLANK).replace("11NY", "11YY");
    let first = terminal.ask(&message).await;
    assert!(first.starts_with("121N"), "{first}");
    assert_eq!(terminal.ask(&message).await, first);
    let kept = loans(&checks).await;
    assert_eq!((kept.len(), &kept[0]["renewalCount"]), (1, &Value::Null));
    let others = terminal.ask(&check_out("other", "book-1", "094500", BLANK)).await;
    let text = "This item is on loan to somebody else.";
    assert_eq!(fields(&others, "AF"), [text, NOT_RECORDED]);
}

#[tokio::test]
async fn an_off_line_return_has_its_own_date_and_ignores_the_status() {
    let (checks, mut terminal) = library(&[]).await;
    let rules = json!({"invalidCheckinStatuses": "Checked out"});
    checks.set("acsTenantConfig", rules).await;
    for book in ["book-1", "book-2"] {
        assert!(terminal.ask(&check_out("reader", book, "093000", BLANK)).await.starts_with("121"));
    }
    let live = check_in("book-1", "110000", "20261122    103000").replace("09Y", "09N");
    assert!(terminal.ask(&live).await.starts_with("100"));
    let back = terminal.ask(&check_in("book-1", "110000", "20261122    103000")).await;
    assert!(back.starts_with("101Y"), "{back}");
    // Without a return date, the date of the transaction counts.
    let back = terminal.ask(&check_in("book-2", "104500", BLANK)).await;
    assert!(back.starts_with("101Y"), "{back}");
    let mut returned: Vec<_> = loans(&checks).await;
    returned.sort_by_key(|loan| loan["returnDate"].to_string());
    let dates: Vec<_> = returned.iter().map(|loan| loan["returnDate"].to_string()).collect();
    assert!(dates[0].contains("10:30:00") && dates[1].contains("10:45:00"), "{dates:?}");
}

#[tokio::test]
async fn a_newer_loan_from_the_desk_stays_open() {
    let (checks, mut terminal) = library(&[]).await;
    let live = check_out("other", "book-1", "120000", BLANK).replace("11NY", "11NN");
    assert!(terminal.ask(&live).await.starts_with("121"));
    let back = terminal.ask(&check_in("book-1", "110000", "20261122    110000")).await;
    assert!(back.starts_with("100N"), "{back}");
    let text = "This item has been lent again since.";
    assert_eq!(fields(&back, "AF"), [text, NOT_RECORDED]);
    assert_eq!(loans(&checks).await[0]["status"]["name"], "Open");
}

#[tokio::test]
async fn an_off_line_renewal_overrides_blocks_too() {
    let (checks, mut terminal) = library(&OVERRIDES).await;
    assert!(terminal.ask(&check_out("reader", "book-1", "093000", BLANK)).await.starts_with("121"));
    block(&checks, "reader").await;
    let promised = "20261224    120000";
    let renew = format!("29NY20261122    100000{promised}AO|AAreader|ABbook-1|");
    let live = renew.replace("29NY", "29NN");
    assert!(terminal.ask(&live).await.starts_with("300N"));
    let renewed = terminal.ask(&renew).await;
    assert!(renewed.starts_with("301Y"), "{renewed}");
    assert_eq!(field(&renewed, "AH"), Some(promised));
}
