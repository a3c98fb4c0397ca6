//! `/carrel/why`: what decided, and what would be decided for other facts.

use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{Answer, Client};
use uuid::Uuid;

use super::{LendingLibrary, id, renew::change_policy};

const LOANS: &str = "/carrel/why/loans";
const FEES: &str = "/carrel/why/fees";
const CHECK_OUT: &str = "/carrel/why/check-out";
const RENEWAL: &str = "/carrel/why/renewal";
const REQUEST: &str = "/carrel/why/request";

async fn why(library: &LendingLibrary, path: &str, id: &str) -> Answer {
    library.desk.get(&format!("{path}/{id}")).await
}

async fn why_check_out(library: &LendingLibrary, what_if: Value) -> Answer {
    let body = json!({"itemBarcode": "i-1", "userBarcode": "p-1", "servicePointId": library.service_point,
        "whatIf": what_if});
    library.desk.post(CHECK_OUT, &body).await
}

/// A moment up to its second: stored and computed moments are written differently (docs/folio/circulation.md#dates).
fn second(moment: &Value) -> &str {
    &moment.as_str().expect("a moment")[..19]
}

/// A desk that is open on weekdays.
async fn open_on_weekdays(library: &LendingLibrary) {
    library.open("Weekdays", "MONDAY", "FRIDAY").await;
    change_policy(
        library,
        json!({"loansPolicy": {"profileId": "Rolling",
        "period": {"duration": 3, "intervalId": "Weeks"},
        "closedLibraryDueDateManagementId": "END_OF_THE_NEXT_OPEN_DAY"}}),
    )
    .await;
}

#[tokio::test]
async fn a_check_out_is_explained_before_and_its_loan_afterwards() {
    let library = LendingLibrary::new().await;
    open_on_weekdays(&library).await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    // The first answer after a change of the settings reads them again.
    why_check_out(&library, json!({})).await.expect(200);
    let before = why_check_out(&library, json!({})).await.expect(200);
    assert_eq!(before.round_trips(), 1);
    let before = before.json();
    assert_eq!(before["rules"][0]["policy"]["name"], "Three weeks");
    assert_eq!(before["rules"][0]["isFallback"], true);
    assert_eq!(before["dates"][1]["because"], "calendar");
    assert_eq!(before["facts"]["location"], json!({"id": library.location, "name": "Stacks"}));

    let lent = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    assert_eq!(library.stored("/circulation/loans", &id(&lent)).await["action"], "checkedout");
    let told = why(&library, LOANS, &id(&lent)).await.expect(200);
    assert_eq!(told.round_trips(), 1);
    let told = told.json();
    assert_eq!((&told["loan"]["setBy"], &told["loan"]["agrees"]), (&json!("checkOut"), &json!(true)));
    assert_eq!((&told["loan"]["by"], second(&told["dueDate"])), (&json!("librarian"), second(&lent["dueDate"])));

    // The map of the second rule may not leave the library.
    let path = format!("{}?materialTypeId={}", id(&lent), library.map);
    let map = why(&library, LOANS, &path).await.expect(200).json();
    assert_eq!((&map["rules"][0]["line"], &map["rules"][0]["policy"]["name"]), (&json!(3), &json!("Reading room")));
    let readable = map["rules"][0]["readable"].as_str().expect("a text");
    assert!(readable.starts_with("m “map”: l “Reading room”"), "{readable}");
}

#[tokio::test]
async fn a_due_date_is_told_with_renewals_recalls_and_changes_by_hand() {
    let library = LendingLibrary::new().await;
    let renewals = json!({"renewalsPolicy": {"numberAllowed": 2, "renewFromId": "CURRENT_DUE_DATE"}});
    change_policy(&library, renewals).await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let other = library.patron("p-2", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let renewal = json!({"itemId": item, "userId": loan["userId"]});
    library.library.clock.advance(SignedDuration::from_hours(24));
    library.desk.post("/circulation/renew-by-id", &renewal).await.expect(200);
    let told = why(&library, LOANS, &id(&loan)).await.expect(200).json();
    assert_eq!((&told["loan"]["setBy"], &told["loan"]["agrees"]), (&json!("renewal"), &json!(true)));
    assert_eq!(told["dates"][0]["because"], "renewalByLoanPeriod");
    assert_eq!(second(&told["loan"]["earlier"][0]["dueDate"]), second(&loan["dueDate"]));

    let due = json!({"dueDate": "2038-01-01T12:00:00.000+00:00"});
    let path = format!("/circulation/loans/{}/change-due-date", id(&loan));
    library.desk.post(&path, &due).await.expect(204);
    let told = why(&library, LOANS, &id(&loan)).await.expect(200).json();
    assert_eq!((&told["loan"]["setBy"], &told["loan"]["agrees"]), (&json!("staff"), &json!(false)));
    assert_eq!(told["loan"]["earlier"].as_array().map(Vec::len), Some(2));

    let recalls =
        json!({"requestManagement": {"recalls": {"recallReturnInterval": {"duration": 2, "intervalId": "Days"}}}});
    change_policy(&library, recalls).await;
    let recall = json!({"requestType": "Recall", "requestLevel": "Item", "itemId": item,
        "instanceId": library.instance, "holdingsRecordId": library.holdings, "requesterId": other,
        "requestDate": "2026-11-01T00:00:00Z", "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": library.service_point});
    library.desk.post("/circulation/requests", &recall).await.expect(201);
    let told = why(&library, LOANS, &id(&loan)).await.expect(200).json();
    assert_eq!((&told["loan"]["setBy"], &told["loan"]["agrees"]), (&json!("recall"), &json!(true)));
    assert_eq!(told["dates"][0]["because"], "recallReturnInterval");

    // The recall now refuses the renewal, and names the request.
    let refused = library.desk.post(RENEWAL, &renewal).await.expect(200);
    assert_eq!(refused.round_trips(), 1);
    let refusals = refused.json()["refusals"].clone();
    assert_eq!(refusals[0]["code"], "RENEWAL_BLOCKED_BY_RECALL");
    assert_eq!(refusals[0]["because"]["cause"], "request");
    let same = library.desk.post("/circulation/renew-by-id", &renewal).await.expect(422).json();
    assert_eq!(same["errors"][0]["message"], refusals[0]["message"]);
}

#[tokio::test]
async fn a_policy_that_changed_since_is_noticed() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let shorter = json!({"loansPolicy": {"profileId": "Rolling", "period": {"duration": 1, "intervalId": "Days"},
        "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"}});
    change_policy(&library, shorter).await;
    let told = why(&library, LOANS, &id(&loan)).await.expect(200).json();
    assert_eq!(told["loan"]["agrees"], false);
    assert_eq!(second(&told["loan"]["dueDate"]), second(&loan["dueDate"]));
    assert_ne!(second(&told["dueDate"]), second(&loan["dueDate"]));
}

#[tokio::test]
async fn refusals_at_the_desk_have_their_causes_and_change_with_the_facts() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({"materialTypeId": library.map})).await;
    let patron = library.patron("p-1", json!({})).await;
    let block = json!({"type": "Manual", "desc": "Owes money", "staffInformation": "", "patronMessage": "",
        "borrowing": true, "renewals": false, "requests": false, "userId": patron, "id": Uuid::new_v4()});
    library.desk.post("/manualblocks", &block).await.expect(201);
    let told = why_check_out(&library, json!({})).await.expect(200).json();
    let causes: Vec<_> = told["refusals"].as_array().expect("a list").iter().map(|r| &r["because"]).collect();
    let policy = json!({"kind": "loan", "id": library.no_loans, "name": "Reading room"});
    assert_eq!(
        causes,
        [
            &json!({"cause": "manualBlocks", "blocks": [{"reason": "Owes money"}]}),
            &json!({"cause": "policy", "policy": policy})
        ]
    );
    assert_eq!(told.get("dueDate"), None);
    let refused = library.check_out("i-1", "p-1", json!({})).await.expect(422).json();
    assert_eq!(refused["errors"][1]["message"], told["refusals"][1]["message"]);
    let book = why_check_out(&library, json!({"materialTypeId": library.book})).await.expect(200).json();
    assert_eq!(book["refusals"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn an_item_limit_is_counted_for_the_facts_that_are_tried() {
    let library = LendingLibrary::new().await;
    let limited = json!({"name": "One map", "loanable": true, "renewable": false, "loansPolicy": {
        "profileId": "Rolling", "period": {"duration": 1, "intervalId": "Weeks"}, "itemLimit": 1,
        "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"}});
    let limited = id(&library.desk.create("/loan-policy-storage/loan-policies", &limited).await);
    let (all, maps) = (library.policies(&library.loan_policy), library.policies(&limited));
    let rules = format!("priority: t, s, c, b, a, m, g\nfallback-policy: {all}\nm {}: {maps}", library.map);
    library.write_rules(&rules).await.expect(204);
    library.item("m-1", json!({"materialTypeId": library.map})).await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("m-1", "p-1", json!({})).await.expect(201);
    let told = why_check_out(&library, json!({"materialTypeId": library.map})).await.expect(200);
    assert_eq!(told.round_trips(), 2);
    let because = told.json()["refusals"][0]["because"].clone();
    assert_eq!(
        (&because["cause"], &because["limit"], &because["has"]),
        (&json!("itemLimit"), &json!(1.0), &json!(1.0))
    );
    assert_eq!(why_check_out(&library, json!({})).await.expect(200).json()["refusals"], json!([]));
}

#[tokio::test]
async fn an_overdue_fine_is_counted_again() {
    let library = LendingLibrary::new().await;
    library.owner("Desk").await;
    library.charge_by_the_day().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({"loanDate": "2026-01-01T10:00:00Z"})).await.expect(201).json();
    let returned = json!({"checkInDate": "2026-01-25T10:00:00.000Z"});
    library.check_in("i-1", returned).await.expect(200);
    let found = library.desk.query("/accounts", &format!("loanId=={}", id(&loan))).await.expect(200).json();
    let account = &found["accounts"][0];
    let told = why(&library, FEES, &id(account)).await.expect(200);
    assert_eq!(told.round_trips(), 1);
    let told = told.json();
    assert_eq!((&told["fee"]["kind"], &told["fee"]["agrees"]), (&json!("overdueFine"), &json!(true)));
    let fine = &told["fine"];
    assert_eq!(
        (&fine["intervals"], &fine["quantity"], &fine["amount"]),
        (&json!(3.0), &json!(0.25), &account["amount"])
    );
    assert_eq!((&fine["closedHoursCount"], &fine["policy"]["name"]), (&json!(true), &json!("No fines")));

    let path = format!("/overdue-fines-policies/{}", library.overdue_policy);
    library.change(&path, json!({"maxOverdueFine": 0.5})).await;
    let told = why(&library, FEES, &id(account)).await.expect(200).json();
    assert_eq!((&told["fee"]["agrees"], &told["fee"]["computed"]), (&json!(false), &json!(0.5)));

    let (_, damage) = library.damage(loan["userId"].as_str().expect("an id"), 3.0, json!({})).await;
    assert_eq!(why(&library, FEES, &damage).await.expect(200).json()["fee"]["kind"], "byHand");
}

#[tokio::test]
async fn a_request_is_explained_by_its_policy() {
    let library = LendingLibrary::new().await;
    let path = format!("/request-policy-storage/request-policies/{}", library.request_policy);
    let mut policy = library.desk.get(&path).await.expect(200).json();
    policy["requestTypes"] = json!(["Page"]);
    library.desk.put(&path, &policy).await.expect(204);
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let other = library.patron("p-2", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let request = json!({"requestType": "Hold", "requestLevel": "Item", "itemId": item,
        "instanceId": library.instance, "holdingsRecordId": library.holdings, "requesterId": other,
        "requestDate": "2026-11-01T00:00:00Z", "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": library.service_point});
    let told = library.desk.post(REQUEST, &request).await.expect(200);
    assert_eq!(told.round_trips(), 1);
    let told = told.json();
    let policy = json!({"kind": "request", "id": library.request_policy, "name": "All"});
    assert_eq!(told["refusals"][0]["because"], json!({"cause": "policy", "policy": policy}));
    assert_eq!(told["rules"][0]["policy"], policy);
    let refused = library.desk.post("/circulation/requests", &request).await.expect(422).json();
    assert_eq!(refused["errors"][0]["message"], told["refusals"][0]["message"]);
    let listed = library.desk.get("/circulation/requests").await.expect(200).json();
    assert_eq!(listed["totalRecords"], 0, "nothing is placed");
}

#[tokio::test]
async fn what_cannot_be_explained_is_refused() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let nobody = Uuid::new_v4();
    for (path, name) in [(LOANS, "loan"), (FEES, "account")] {
        for id in [nobody.to_string(), "x".to_owned()] {
            let text = why(&library, path, &id).await.expect(404).text;
            assert_eq!(text, format!("{name} record with ID \"{id}\" cannot be found"));
        }
    }
    let path = format!("{}?loanTypeId={nobody}", id(&loan));
    let messages = why(&library, LOANS, &path).await.expect(422).error_messages();
    assert_eq!(messages, [format!("loanTypeId {nobody} does not exist")]);
    let unchecked = library.desk.malformed();
    let answer = unchecked.get(&format!("{LOANS}/{}?loanTypeId=x", id(&loan))).await.expect(422);
    assert!(answer.error_messages()[0].starts_with("must match"));
    let unknown = json!({"locationId": nobody});
    assert_eq!(why_check_out(&library, unknown).await.expect(422).error_messages().len(), 1);
    let empty = unchecked.post(RENEWAL, &json!({})).await.expect(422);
    assert_eq!(empty.error_messages(), ["Renewal request must have an item ID"]);
    // What the desk would refuse is the answer.
    let strangers = json!({"itemBarcode": "?", "userBarcode": "?", "servicePointId": library.service_point});
    let told = library.desk.post(CHECK_OUT, &strangers).await.expect(200).json();
    let messages: Vec<_> = told["refusals"].as_array().expect("a list").iter().map(|r| &r["message"]).collect();
    assert_eq!(messages, ["Could not find user with matching barcode", "No item with barcode ? could be found"]);
}

#[tokio::test]
async fn who_may_do_it_may_ask_why() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let (clerk, stranger) = (clerk(&library, true).await, clerk(&library, false).await);
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    library.desk.post("/_/proxy/tenants/test/install", &enable).await.expect(200);
    let path = format!("{LOANS}/{}", id(&loan));
    clerk.get(&path).await.expect(200);
    stranger.get(&path).await.expect(403);
    stranger.get(&format!("{FEES}/{}", id(&loan))).await.expect(403);
    for route in [CHECK_OUT, RENEWAL, REQUEST] {
        stranger.malformed().post(route, &json!({})).await.expect(403);
    }
}

/// A client of a new user, who may see loans or nothing.
async fn clerk(library: &LendingLibrary, may: bool) -> Client {
    client_with(library, if may { &["circulation.loans.item.get"] } else { &[] }).await
}

/// A client of a new user with these permissions.
pub(super) async fn client_with(library: &LendingLibrary, permissions: &[&str]) -> Client {
    let user = Uuid::new_v4();
    let name = format!("clerk {user}");
    let record = json!({"id": user, "username": name, "active": true, "personal": {"lastName": "Clerk"}});
    library.desk.create("/users", &record).await;
    library.desk.post("/authn/credentials", &json!({"userId": user, "password": "secret"})).await.expect(201);
    library.desk.create("/perms/users", &json!({"userId": user, "permissions": permissions})).await;
    let sent = json!({"username": name, "password": "secret"});
    let answer = library.library.open.post("/authn/login", &sent).await.expect(201);
    library.library.with_token(answer.header("x-okapi-token").expect("a token"))
}
