//! Requests at a terminal (15), renewals (29, 65), and undone check-outs (11 with BI).

use serde_json::{Value, json};

use crate::terminal::{SelfChecks, field, fields};

async fn library() -> SelfChecks {
    let checks = SelfChecks::new().await;
    for barcode in ["reader", "other"] {
        checks.lending.patron(barcode, json!({})).await;
    }
    for barcode in ["book-1", "book-2", "book-3"] {
        checks.lending.item(barcode, json!({})).await;
    }
    checks
}

fn check_out(patron: &str, item: &str, more: &str) -> String {
    format!("11YN20261122    120000                  AO|AA{patron}|AB{item}|AC|{more}")
}

fn hold(mode: &str, patron: &str, more: &str) -> String {
    format!("15{mode}20261122    120000AO|AA{patron}|{more}")
}

async fn requests(checks: &SelfChecks) -> Vec<Value> {
    let listed = checks.lending.desk.get("/circulation/requests").await.json();
    listed["requests"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn a_request_is_placed_changed_and_cancelled() {
    let checks = library().await;
    let mut terminal = checks.signed_in().await;
    assert!(terminal.ask(&check_out("other", "book-1", "")).await.starts_with("121"));
    let placed = terminal.ask(&hold("+", "reader", "ABbook-1|BW20261231    235959|BSbranch|")).await;
    assert!(placed.starts_with("161N"), "{placed}");
    assert_eq!(field(&placed, "BR"), Some("1"));
    assert_eq!(field(&placed, "BS"), Some("Branch"));
    assert_eq!(field(&placed, "AJ"), Some("A title"));
    assert_eq!(field(&placed, "BW"), Some("20261231    235959"));
    let kept = requests(&checks).await;
    assert_eq!(kept[0]["requestType"], "Hold");
    assert_eq!(kept[0]["requestLevel"], "Item");

    let unavailable = format!("6300020261122    120000{:10}AO|AAreader|AC|AD|", "     Y");
    let answer = terminal.ask(&unavailable).await;
    assert_eq!(fields(&answer, "CD"), ["book-1"]);
    assert!(answer[57..61] == *"0001", "{answer}");

    let changed = terminal.ask(&hold("*", "reader", "ABbook-1|BSDesk|")).await;
    assert!(changed.starts_with("161"), "{changed}");
    assert_eq!(field(&changed, "BS"), Some("Desk"));
    let desk = json!(checks.lending.service_point);
    assert_eq!(requests(&checks).await[0]["pickupServicePointId"], desk);

    let gone = terminal.ask(&hold("-", "reader", "ABbook-1|")).await;
    assert!(gone.starts_with("161"), "{gone}");
    assert_eq!(requests(&checks).await[0]["status"], "Closed - Cancelled");
    let again = terminal.ask(&hold("-", "reader", "ABbook-1|BO|")).await;
    assert_eq!(field(&again, "AF"), Some("You have no such request."));
}

#[tokio::test]
async fn an_item_on_the_shelf_is_paged_and_reserved() {
    let checks = library().await;
    let mut terminal = checks.signed_in().await;
    let placed = terminal.ask(&hold("+", "reader", "ABbook-2|")).await;
    assert!(placed.starts_with("161Y"), "{placed}");
    assert_eq!(requests(&checks).await[0]["requestType"], "Page");
    let refused = terminal.ask(&check_out("other", "book-2", "")).await;
    assert!(refused.starts_with("120"), "{refused}");
    let taken = terminal.ask("09N20261122    12000020261122    120000AP|AO|ABbook-2|AC|").await;
    assert!(taken.starts_with("101YUY"), "{taken}");
    assert_eq!(field(&taken, "CV"), Some("01"));
    assert_eq!(field(&taken, "CT"), Some("Desk"));
    let item = terminal.ask("1720261122    120000AO|ABbook-2|").await;
    assert!(item.starts_with("1808"), "{item}");
    let ready = format!("6300020261122    120000{:10}AO|AAreader|AC|AD|", "Y");
    assert_eq!(fields(&terminal.ask(&ready).await, "AS"), ["book-2"]);
    assert!(terminal.ask(&check_out("reader", "book-2", "")).await.starts_with("121N"));
}

#[tokio::test]
async fn a_sorting_machine_gets_the_bin_and_the_waiting_patron() {
    let checks = library().await;
    let of = |point: &str| format!("selfCheckoutConfig.{point}");
    let bins = json!({"sortBins": {"onHold": 1, "Desk": "2", "other": "9"}, "holdPatron": true});
    checks.set(&of(&checks.lending.branch), bins).await;
    let mut desk = checks.signed_in().await;
    assert!(desk.ask(&hold("+", "reader", "ABbook-1|BSBranch|")).await.starts_with("161"));
    let mut sorter = checks.terminal().await;
    sorter.ask("9300CNlibrarian|COsecret|CPBranch|").await;
    let take_back = |item: &str| format!("09N20261122    12000020261122    120000AP|AO|AB{item}|AC|");
    let waited_for = sorter.ask(&take_back("book-1")).await;
    assert_eq!(field(&waited_for, "CL"), Some("1"));
    assert_eq!(field(&waited_for, "CY"), Some("reader"));
    assert_eq!(field(&waited_for, "DA"), Some("reader Reader"));
    let home = sorter.ask(&take_back("book-2")).await;
    assert_eq!(field(&home, "CV"), Some("04"));
    assert_eq!((field(&home, "CT"), field(&home, "CL")), (Some("Desk"), Some("2")));
    assert_eq!((field(&home, "CY"), field(&home, "DA")), (None, None));
    // Without the setting, terminals do not show other patrons' names.
    let elsewhere = desk.ask(&take_back("book-1")).await;
    assert_eq!(field(&elsewhere, "CV"), Some("02"));
    assert_eq!((field(&elsewhere, "CY"), field(&elsewhere, "CL")), (None, None));
}

#[tokio::test]
async fn impossible_requests_are_refused_with_a_text() {
    let checks = library().await;
    let mut terminal = checks.signed_in().await;
    for (line, text) in [
        (
            hold("+", "nobody", "ABbook-1|"),
            "Your library card number cannot be located. Please see a staff member for assistance.",
        ),
        (hold("+", "reader", "ABnothing|"), "This item is not known here."),
        (hold("+", "reader", "AJA title|"), "This item is not known here."),
        (hold("+", "reader", "ABbook-1|BSCellar|"), "Items cannot be fetched there."),
        (hold("+", "reader", "ABbook-1|BWsoon|"), "The date is not valid."),
        (hold("?", "reader", "ABbook-1|"), "You have no such request."),
        (hold("*", "reader", "ABbook-1|"), "You have no such request."),
    ] {
        let answer = terminal.ask(&line).await;
        assert!(answer.starts_with("160N"), "{line}: {answer}");
        assert_eq!(field(&answer, "AF"), Some(text), "{line}");
    }
    assert!(requests(&checks).await.is_empty());
}

#[tokio::test]
async fn loans_are_renewed_if_their_policy_allows_it() {
    let checks = library().await;
    let path = format!("/loan-policy-storage/loan-policies/{}", checks.lending.loan_policy);
    let mut policy = checks.lending.desk.get(&path).await.expect(200).json();
    policy["renewalsPolicy"] = json!({"unlimited": true, "renewFromId": "SYSTEM_DATE"});
    checks.lending.desk.put(&path, &policy).await.expect(204);
    let mut terminal = checks.signed_in().await;
    for item in ["book-1", "book-2"] {
        assert!(terminal.ask(&check_out("reader", item, "")).await.starts_with("121N"));
    }
    let renew = |item: &str| format!("29NN20261122    120000                  AO|AAreader|AB{item}|");
    let home = terminal.ask(&renew("book-3")).await;
    assert_eq!(fields(&home, "AF"), ["This item is not on loan."]);
    let same = terminal.ask(&renew("book-1")).await;
    assert!(same.starts_with("300N"), "{same}");
    assert_eq!(field(&same, "AF"), Some("renewal would not change the due date"));

    checks.lending.library.clock.advance(jiff::SignedDuration::from_hours(24 * 7));
    let one = terminal.ask(&renew("book-1").replace("120000", "120001")).await;
    assert!(one.starts_with("301Y"), "{one}");
    assert_eq!(field(&one, "AH"), Some("20261220    235959"));
    let by_check_out = terminal.ask(&check_out("reader", "book-2", "BO|")).await;
    assert!(by_check_out.starts_with("121Y"), "{by_check_out}");
    let others = terminal.ask(&check_out("other", "book-2", "")).await;
    assert_eq!(field(&others, "AF"), Some("This item is on loan to somebody else."));

    assert!(terminal.ask(&check_out("reader", "book-3", "")).await.starts_with("121N"));
    checks.lending.library.clock.advance(jiff::SignedDuration::from_hours(24 * 2));
    let other = checks.lending.desk.get("/users?query=barcode==other").await.json();
    let other = other["users"][0]["id"].as_str().expect("an id").to_owned();
    let book = checks.lending.desk.get("/item-storage/items?query=barcode==book-3").await.json();
    let recall = json!({"requestType": "Recall"});
    let book = book["items"][0]["id"].as_str().expect("an id").to_owned();
    checks.lending.hold(&book, &other, 1, recall).await;
    let all = terminal.ask("6520261201    120000AO|AAreader|").await;
    assert!(all.starts_with("66100020001"), "{all}");
    assert_eq!(fields(&all, "BM"), ["book-1", "book-2"]);
    assert_eq!(fields(&all, "BN"), ["book-3"]);
    let text = "items cannot be renewed when there is an active recall request";
    assert_eq!(fields(&all, "AF"), [text]);
    let recalled = format!("6300020261122    120000{:10}AO|AAreader|AC|AD|", "    Y");
    assert_eq!(fields(&terminal.ask(&recalled).await, "BU"), ["book-3"]);
}

#[tokio::test]
async fn a_check_out_is_undone_for_the_borrower_only() {
    let checks = library().await;
    let mut terminal = checks.signed_in().await;
    assert!(terminal.ask(&check_out("reader", "book-1", "")).await.starts_with("121"));
    let others = terminal.ask(&check_out("other", "book-1", "BIY|")).await;
    assert_eq!(field(&others, "AF"), Some("This item is on loan to somebody else."));
    let undone = terminal.ask(&check_out("reader", "book-1", "BIY|")).await;
    assert!(undone.starts_with("121"), "{undone}");
    assert!(terminal.ask("1720261122    120000AO|ABbook-1|").await.starts_with("1803"));
    let back = terminal.ask("09N20261122    12000020261122    120000AP|AO|ABbook-1|AC|BIY|").await;
    assert_eq!(field(&back, "AF"), Some("A return cannot be undone here."));
}

#[tokio::test]
async fn patrons_are_found_by_user_name_and_external_id() {
    let checks = library().await;
    let names = json!({"username": "by-name", "externalSystemId": "X 77"});
    checks.lending.patron("third", names).await;
    let mut terminal = checks.signed_in().await;
    assert!(terminal.ask(&check_out("by-name", "book-1", "")).await.starts_with("121"));
    assert!(terminal.ask(&check_out("x 77", "book-2", "")).await.starts_with("121"));
    let out = terminal.ask(&check_out("BY-NAME", "book-2", "").replace("11YN", "11NN")).await;
    assert_eq!(field(&out, "AF"), Some("You have borrowed this item already."));
    let charged = format!("6300020261122    120000{:10}AO|AAthird|AC|AD|", "  Y");
    assert_eq!(fields(&terminal.ask(&charged).await, "AU").len(), 2);
}
