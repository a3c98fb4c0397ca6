//! What terminals did while they were off line and tell later (`no block` with `Y`).

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

/// A library with two books and a map that is not lent; the terminal's user has these permissions. It is noon.
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

/// A loan that was made off line at that time of the day.
fn lend(patron: &str, item: &str, time: &str, due: &str) -> String {
    format!("11NY20261122    {time}{due}AO|AA{patron}|AB{item}|AC|")
}

fn take_back(item: &str, sent: &str, brought: &str) -> String {
    format!("09Y20261122    {sent}{brought}AP|AO|AB{item}|AC|")
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
async fn a_loan_begins_when_it_was_made_by_the_terminal_s_clock() {
    let (checks, mut terminal) = library(&[]).await;
    let lent = terminal
        .ask(&lend("reader", "book-1", "093000", BLANK))
        .await;
    assert!(lent.starts_with("121NUY"), "{lent}");
    assert_eq!(field(&lent, "AH"), Some("20261213    235959"));
    let loan = &loans(&checks).await[0];
    assert_eq!(loan["loanDate"], "2026-11-22T09:30:00Z");
    assert_eq!(loan["action"], "checkedout");
    // A zone that is named counts; a clock that is ahead does not.
    let zoned = lend("reader", "book-2", "053000", BLANK).replace("20261122    ", "20261122   Q");
    assert!(terminal.ask(&zoned).await.starts_with("121"));
    let ahead = lend("other", "book-1", "130000", BLANK);
    let back = take_back("book-1", "100000", "20261122    100000");
    assert!(terminal.ask(&back).await.starts_with("101"));
    assert!(terminal.ask(&ahead).await.starts_with("121"));
    let mut began: Vec<_> = loans(&checks).await;
    began.sort_by_key(|loan| loan["loanDate"].to_string());
    let began: Vec<_> = began.iter().map(|loan| loan["loanDate"].clone()).collect();
    assert_eq!(began[..2], ["2026-11-22T09:30:00Z", "2026-11-22T09:30:00Z"]);
    assert!(
        began[2].to_string().contains("2026-11-22T12:00:00"),
        "{began:?}"
    );
}

#[tokio::test]
async fn blocks_are_overridden_as_far_as_the_terminal_s_user_may() {
    let (checks, mut terminal) = library(&OVERRIDES).await;
    block(&checks, "reader").await;
    let live = lend("reader", "book-1", "093000", BLANK).replace("11NY", "11NN");
    assert!(
        terminal.ask(&live).await.starts_with("120"),
        "on line a block blocks"
    );
    let lent = terminal
        .ask(&lend("reader", "book-1", "093000", BLANK))
        .await;
    assert!(lent.starts_with("121"), "{lent}");
    let loan = &loans(&checks).await[0];
    assert_eq!(loan["action"], "checkedOutThroughOverride");
    assert_eq!(
        loan["actionComment"],
        "Done at a self-check while it was off line"
    );

    // What the policy does not lend needs the due date that the terminal has told.
    let undated = terminal.ask(&lend("other", "map-1", "093000", BLANK)).await;
    assert_eq!(
        fields(&undated, "AF"),
        ["Item is not loanable", NOT_RECORDED]
    );
    let told = "20261124    180000";
    let lent = terminal.ask(&lend("other", "map-1", "093100", told)).await;
    assert!(lent.starts_with("121"), "{lent}");
    assert_eq!(field(&lent, "AH"), Some(told));
}

#[tokio::test]
async fn who_may_not_override_records_nothing_against_a_block() {
    let (checks, mut terminal) = library(&OVERRIDES[1..]).await;
    block(&checks, "reader").await;
    let refused = terminal
        .ask(&lend("reader", "book-1", "093000", BLANK))
        .await;
    assert!(refused.starts_with("120N"), "{refused}");
    let texts = fields(&refused, "AF");
    assert_eq!(texts.len(), 2);
    assert_eq!(texts[1], NOT_RECORDED);
    assert!(loans(&checks).await.is_empty());
}

#[tokio::test]
async fn a_patron_keeps_the_later_due_date_that_was_promised() {
    let (checks, mut terminal) = library(&[]).await;
    let promised = "20261224    120000";
    let lent = terminal
        .ask(&lend("reader", "book-1", "093000", promised))
        .await;
    assert_eq!(field(&lent, "AH"), Some(promised));
    assert_eq!(
        loans(&checks).await[0]["dueDate"],
        "2026-12-24T12:00:00.000+00:00"
    );
    // An earlier one is no harm to the patron and changes nothing.
    let early = terminal
        .ask(&lend("reader", "book-2", "093000", "20261123    120000"))
        .await;
    assert_eq!(field(&early, "AH"), Some("20261213    235959"));
}

#[tokio::test]
async fn the_same_loan_told_twice_is_one_loan() {
    let (checks, mut terminal) = library(&[]).await;
    let told = lend("reader", "book-1", "093000", BLANK).replace("11NY", "11YY");
    let first = terminal.ask(&told).await;
    assert!(first.starts_with("121N"), "{first}");
    assert_eq!(terminal.ask(&told).await, first);
    let kept = loans(&checks).await;
    assert_eq!((kept.len(), &kept[0]["renewalCount"]), (1, &Value::Null));
    let others = terminal
        .ask(&lend("other", "book-1", "094500", BLANK))
        .await;
    let text = "This item is on loan to somebody else.";
    assert_eq!(fields(&others, "AF"), [text, NOT_RECORDED]);
}

#[tokio::test]
async fn a_return_counts_from_then_and_in_any_status() {
    let (checks, mut terminal) = library(&[]).await;
    let rules = json!({"invalidCheckinStatuses": "Checked out"});
    checks.set("acsTenantConfig", rules).await;
    for book in ["book-1", "book-2"] {
        assert!(
            terminal
                .ask(&lend("reader", book, "093000", BLANK))
                .await
                .starts_with("121")
        );
    }
    let live = take_back("book-1", "110000", "20261122    103000").replace("09Y", "09N");
    assert!(terminal.ask(&live).await.starts_with("100"));
    let back = terminal
        .ask(&take_back("book-1", "110000", "20261122    103000"))
        .await;
    assert!(back.starts_with("101Y"), "{back}");
    // Without a return date it is the date of the transaction.
    let back = terminal.ask(&take_back("book-2", "104500", BLANK)).await;
    assert!(back.starts_with("101Y"), "{back}");
    let mut returned: Vec<_> = loans(&checks).await;
    returned.sort_by_key(|loan| loan["returnDate"].to_string());
    let dates: Vec<_> = returned
        .iter()
        .map(|loan| loan["returnDate"].to_string())
        .collect();
    assert!(
        dates[0].contains("10:30:00") && dates[1].contains("10:45:00"),
        "{dates:?}"
    );
}

#[tokio::test]
async fn a_loan_made_at_the_desk_since_goes_on() {
    let (checks, mut terminal) = library(&[]).await;
    let live = lend("other", "book-1", "120000", BLANK).replace("11NY", "11NN");
    assert!(terminal.ask(&live).await.starts_with("121"));
    let back = terminal
        .ask(&take_back("book-1", "110000", "20261122    110000"))
        .await;
    assert!(back.starts_with("100N"), "{back}");
    let text = "This item has been lent again since.";
    assert_eq!(fields(&back, "AF"), [text, NOT_RECORDED]);
    assert_eq!(loans(&checks).await[0]["status"]["name"], "Open");
}

#[tokio::test]
async fn a_renewal_is_recorded_against_blocks_too() {
    let (checks, mut terminal) = library(&OVERRIDES).await;
    assert!(
        terminal
            .ask(&lend("reader", "book-1", "093000", BLANK))
            .await
            .starts_with("121")
    );
    block(&checks, "reader").await;
    let promised = "20261224    120000";
    let renew = format!("29NY20261122    100000{promised}AO|AAreader|ABbook-1|");
    let live = renew.replace("29NY", "29NN");
    assert!(terminal.ask(&live).await.starts_with("300N"));
    let renewed = terminal.ask(&renew).await;
    assert!(renewed.starts_with("301Y"), "{renewed}");
    assert_eq!(field(&renewed, "AH"), Some(promised));
}
