//! Paying, waiving, transferring, refunding and cancelling fees and fines
//! (docs/folio/fees-fines.md#actions-upon-accounts).

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Answer, Client, Library, library};
use uuid::Uuid;

use crate::circulation::lending_library::LendingLibrary;

async fn account(client: &Client, amount: Value) -> String {
    let account = json!({"amount": amount, "remaining": amount, "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"}, "userId": Uuid::new_v4(), "feeFineId": Uuid::new_v4(),
        "ownerId": Uuid::new_v4(), "id": Uuid::new_v4()});
    let created = client.create("/accounts", &account).await;
    created["id"].as_str().unwrap().to_owned()
}

fn body(amount: Value) -> Value {
    json!({"amount": amount, "notifyPatron": false, "servicePointId": Uuid::nil(), "userName": "Librarian",
        "paymentMethod": "Cash", "comments": "STAFF : thanks"})
}

fn cancellation() -> Value {
    json!({"notifyPatron": false, "servicePointId": Uuid::nil(), "userName": "Librarian", "comments": "wrong"})
}

async fn act(client: &Client, id: &str, action: &str, body: &Value) -> Answer {
    client.post(&format!("/accounts/{id}/{action}"), body).await
}

async fn state(client: &Client, id: &str) -> (f64, String, String) {
    let account = client.get(&format!("/accounts/{id}")).await.expect(200);
    let account = account.json();
    let text = |value: &Value| value["name"].as_str().unwrap().to_owned();
    (account["remaining"].as_f64().unwrap(), text(&account["status"]), text(&account["paymentStatus"]))
}

fn is(remaining: f64, status: &str, payment_status: &str) -> (f64, String, String) {
    (remaining, status.into(), payment_status.into())
}

/// The actions of an account, oldest first: type, amount, balance.
async fn movements(client: &Client, id: &str) -> Vec<(String, f64, f64)> {
    let found = client.query("/feefineactions?limit=1000", &format!("accountId=={id}")).await.expect(200).json();
    let movements = found["feefineactions"].as_array().unwrap().iter();
    movements
        .map(|m| {
            (
                m["typeAction"].as_str().unwrap().to_owned(),
                m["amountAction"].as_f64().unwrap(),
                m["balance"].as_f64().unwrap(),
            )
        })
        .collect()
}

#[tokio::test]
async fn an_account_is_paid_in_parts_and_refunded() {
    let library = library().await;
    let client = &library.open;
    let id = account(client, json!(10)).await;
    let paid = act(client, &id, "pay", &body(json!("4.5"))).await.expect(201);
    assert_eq!(paid.round_trips(), 2);
    let answer = paid.json();
    assert_eq!(
        (&answer["accountId"], &answer["amount"], &answer["remainingAmount"]),
        (&json!(id), &json!("4.50"), &json!("5.50"))
    );
    let movement = &answer["feefineactions"][0];
    let stored = format!("/feefineactions/{}", movement["id"].as_str().unwrap());
    assert_eq!(client.get(&stored).await.expect(200).json(), *movement);
    assert_eq!(movement["paymentMethod"], "Cash");
    assert_eq!(state(client, &id).await, is(5.5, "Open", "Paid partially"));

    act(client, &id, "waive", &body(json!(0.5))).await.expect(201);
    act(client, &id, "transfer", &body(json!(5))).await.expect(201);
    assert_eq!(state(client, &id).await, is(0.0, "Closed", "Transferred fully"));
    let closed = act(client, &id, "pay", &body(json!(1))).await.expect(422);
    assert_eq!(closed.json(), json!({"accountId": id, "amount": "1", "errorMessage": "Fee/fine is already closed"}));

    let refunded = act(client, &id, "refund", &body(json!("9.5"))).await.expect(201);
    assert_eq!(refunded.round_trips(), 2);
    assert_eq!(refunded.json()["remainingAmount"], "9.50");
    assert_eq!(state(client, &id).await, is(9.5, "Open", "Refunded fully"));
    let movement = |name: &str, amount, balance| (name.to_owned(), amount, balance);
    assert_eq!(
        movements(client, &id).await,
        [
            movement("Paid partially", 4.5, 5.5),
            movement("Waived partially", 0.5, 5.0),
            movement("Transferred fully", 5.0, 0.0),
            movement("Credited fully", 4.5, 0.0),
            movement("Credited fully", 5.0, 0.0),
            movement("Refunded fully", 4.5, 4.5),
            movement("Refunded fully", 5.0, 9.5),
        ]
    );
}

/// As in FOLIO: what the patron got before does not count against what the patron gets now, only against the sum.
#[tokio::test]
async fn every_refund_goes_to_the_patron_first() {
    let library = library().await;
    let client = &library.open;
    let id = account(client, json!(11)).await;
    act(client, &id, "pay", &body(json!("6.0"))).await.expect(201);
    act(client, &id, "transfer", &body(json!("5.0"))).await.expect(201);
    for (amount, owed) in [("4.0", 4.0), ("4.0", 8.0), ("3.0", 11.0)] {
        let refunded = act(client, &id, "refund", &body(json!(amount))).await.expect(201).json();
        let told = |one: &Value| (one["transactionInformation"].clone(), one["balance"].as_f64());
        let told: Vec<_> = refunded["feefineactions"].as_array().unwrap().iter().map(told).collect();
        let before = owed - amount.parse::<f64>().unwrap();
        let expected = [(json!("Refund to patron"), Some(before)), (json!("Refunded to patron"), Some(owed))];
        assert_eq!(told, expected);
        act(client, &id, "refund", &body(json!("7.5"))).await.expect(422);
    }
}

#[tokio::test]
async fn every_check_answers_as_its_action_would() {
    let library = library().await;
    let client = &library.open;
    let id = account(client, json!(10)).await;
    let unknown = Uuid::new_v4();
    let too_much = "Requested amount exceeds remaining amount";
    let refund = "Refund amount must be greater than zero and less than or equal to Selected amount";
    for action in ["pay", "waive", "transfer", "refund"] {
        let exceeded = if action == "refund" { refund } else { too_much };
        for (amount, message) in [
            ("ten", "Invalid amount entered"),
            ("0", "Amount must be positive"),
            ("-1", "Amount must be positive"),
            ("10.01", exceeded),
        ] {
            let refused = act(client, &id, action, &body(json!(amount))).await.expect(422);
            let expected = json!({"accountId": id, "amount": amount, "errorMessage": message});
            assert_eq!(refused.json(), expected, "{action} {amount}");
            let check = format!("check-{action}");
            let checked = act(client, &id, &check, &json!({"amount": amount})).await;
            let checked = checked.expect(422);
            assert_eq!(checked.round_trips(), 1);
            let expected = json!({"accountId": id, "amount": amount, "allowed": false, "errorMessage": message});
            assert_eq!(checked.json(), expected, "{check} {amount}");
        }
        for (path, body) in [(action.to_owned(), body(json!(1))), (format!("check-{action}"), json!({"amount": 1}))] {
            for unknown in [unknown.to_string(), "no-id".to_owned()] {
                let missing = act(client, &unknown, &path, &body).await.expect(404);
                assert_eq!(missing.text, format!("Fee/fine ID {unknown} not found"));
            }
            act(client, &id, &path, &json!({})).await.expect(422);
            act(client, &id, &path, &json!([])).await.expect(400);
        }
    }
    for action in ["pay", "waive", "transfer"] {
        let allowed = act(client, &id, &format!("check-{action}"), &json!({"amount": "3"})).await;
        assert_eq!(
            allowed.expect(200).json(),
            json!({"accountId": id, "amount": "3.00", "allowed": true, "remainingAmount": "7.00"})
        );
    }
    assert!(movements(client, &id).await.is_empty());
}

#[tokio::test]
async fn cancelled_accounts_are_closed() {
    let library = library().await;
    let client = &library.open;
    let id = account(client, json!(10)).await;
    act(client, &id, "pay", &body(json!(2))).await.expect(201);
    let cancelled = act(client, &id, "cancel", &cancellation()).await.expect(201);
    assert_eq!(cancelled.round_trips(), 2);
    let answer = cancelled.json();
    assert_eq!((answer.get("amount"), &answer["remainingAmount"]), (None, &json!("0.00")));
    assert_eq!(state(client, &id).await, is(0.0, "Closed", "Cancelled as error"));
    let again = act(client, &id, "cancel", &cancellation()).await.expect(422);
    assert_eq!(again.json()["errorMessage"], "Fee/fine is already closed");
    let missing = Uuid::new_v4().to_string();
    act(client, &missing, "cancel", &cancellation()).await.expect(404);
    let mut odd = cancellation();
    odd["cancellationReason"] = "Because".into();
    let open = account(client, json!(1)).await;
    act(client, &open, "cancel", &odd).await.expect(422);
    act(client, &open, "cancel", &json!({"userName": "x"})).await.expect(422);
}

#[tokio::test]
async fn several_accounts_are_paid_at_once() {
    let library = library().await;
    let client = &library.open;
    let mut ids = Vec::new();
    for amount in [1, 10, 10] {
        ids.push(account(client, json!(amount)).await);
    }
    let bulk = |action: &str| format!("/accounts-bulk/{action}");
    let with_ids = |mut body: Value| {
        body["accountIds"] = json!(ids);
        body
    };
    let checked = client.post(&bulk("check-pay"), &with_ids(json!({"amount": "10"}))).await;
    assert_eq!(
        checked.expect(200).json(),
        json!({"accountIds": ids, "amount": "10", "allowed": true, "remainingAmount": "11.00"})
    );
    let paid = client.post(&bulk("pay"), &with_ids(body(json!("10")))).await.expect(201);
    assert_eq!(paid.round_trips(), 2);
    let answer = paid.json();
    assert_eq!((&answer["amount"], answer["feefineactions"].as_array().unwrap().len()), (&json!("10.00"), 3));
    let mut remaining = Vec::new();
    for id in &ids {
        remaining.push(state(client, id).await.0);
    }
    assert_eq!(remaining, [0.0, 5.5, 5.5]);
    let closed = client.post(&bulk("waive"), &with_ids(body(json!("1")))).await.expect(422);
    assert_eq!(closed.json(), json!({"accountIds": ids, "amount": "1", "errorMessage": "Fee/fine is already closed"}));
    let refunded = client.post(&bulk("refund"), &with_ids(body(json!("10")))).await.expect(201);
    assert_eq!(refunded.json()["feefineactions"].as_array().unwrap().len(), 6);
    client.post(&bulk("transfer"), &with_ids(body(json!("21")))).await.expect(201);
    let mut one_missing = cancellation();
    one_missing["accountIds"] = json!([ids[0], "missing"]);
    let missing = client.post(&bulk("cancel"), &one_missing).await;
    assert_eq!(missing.expect(404).text, "Fee/fine ID missing not found");
    // Only a single account can be cancelled with a reason.
    let mut for_a_reason = with_ids(cancellation());
    for_a_reason["cancellationReason"] = "Cancelled item returned".into();
    let unknown = client.post(&bulk("cancel"), &for_a_reason).await;
    let message = unknown.expect(422).error_messages().join(" ");
    assert!(message.starts_with("Unrecognized field \"cancellationReason\""), "{message}");
    let refused = client.post(&bulk("check-refund"), &with_ids(json!({"amount": "99"}))).await;
    assert_eq!(refused.expect(422).json()["allowed"], false);
}

#[tokio::test]
async fn every_action_is_checked_and_done_for_several_accounts() {
    let library = library().await;
    let client = &library.open;
    let id = account(client, json!(10)).await;
    let with_ids = |mut body: Value| {
        body["accountIds"] = json!([id]);
        body
    };
    let bulk = |action: &str| format!("/accounts-bulk/{action}");
    for action in ["check-waive", "check-transfer"] {
        let checked = client.post(&bulk(action), &with_ids(json!({"amount": "4"}))).await.expect(200).json();
        assert_eq!(checked["remainingAmount"], "6.00", "{action}");
    }
    client.post(&bulk("waive"), &with_ids(body(json!("1")))).await.expect(201);
    client.post(&bulk("transfer"), &with_ids(body(json!("4")))).await.expect(201);
    let checked = client.post(&bulk("check-refund"), &with_ids(json!({"amount": "4"}))).await.expect(200).json();
    assert_eq!(checked["allowed"], true);
    let one = format!("/accounts/{id}/check-refund");
    assert_eq!(client.post(&one, &json!({"amount": "4"})).await.expect(200).json()["allowed"], true);
    let cancelled = with_ids(cancellation());
    client.post(&bulk("cancel"), &cancelled).await.expect(201);
    assert_eq!(state(client, &id).await.0, 0.0);
}

async fn balance(library: &Library, user: &str) -> String {
    let tenant = library.app.tenant(library.tenant).unwrap();
    let session = library.app.session(&tenant).unwrap();
    let sql = "SELECT fee_balance::text FROM patron_counters WHERE user_id = $1";
    let user = Uuid::parse_str(user).unwrap();
    session.get(sql, &[&user]).await.unwrap().get(0)
}

/// Forty clients each pay a cent more than a fortieth, singly and in bulk; exactly the debt is collected.
#[tokio::test]
async fn simultaneous_payments_add_up() {
    let library = library().await;
    let client = &library.open;
    let ids = [account(client, json!(8)).await, account(client, json!(8)).await];
    let pay = |place: usize| {
        let ids = &ids;
        async move {
            let amount = body(json!("0.41"));
            let answer = if place.is_multiple_of(4) {
                let mut amount = amount;
                amount["accountIds"] = json!(ids);
                client.post("/accounts-bulk/pay", &amount).await
            } else {
                act(client, &ids[place % 2], "pay", &amount).await
            };
            assert!([201, 422].contains(&answer.status), "{}", answer.text);
            if answer.status == 201 { 41 } else { 0 }
        }
    };
    let cents: i64 = join_all((0..40).map(pay)).await.into_iter().sum();
    let mut left = 0;
    for id in &ids {
        let moved = movements(client, id).await;
        let paid: f64 = moved.iter().map(|(_, amount, _)| amount).sum();
        let (remaining, ..) = state(client, id).await;
        assert_eq!(((8.0 - paid) * 100.0).round(), (remaining * 100.0).round());
        left += (remaining * 100.0).round() as i64;
        let owner = client.get(&format!("/accounts/{id}")).await.json();
        let counted = balance(&library, owner["userId"].as_str().unwrap()).await;
        assert_eq!(counted, format!("{remaining:.2}"));
    }
    assert_eq!(left, 1600 - cents);
}

/// Reports write dates as the library does, and name the policies of the loan whose ids they show.
#[tokio::test]
async fn reports_speak_the_librarys_language() {
    let library = LendingLibrary::new().await;
    let desk = &library.desk;
    let locale = json!({"module": "ORG", "configName": "localeSettings", "enabled": true,
        "value": "{\"locale\":\"de-DE\",\"timezone\":\"Europe/Berlin\",\"currency\":\"EUR\"}"});
    desk.create("/configurations/entries", &locale).await;
    library.item("1", json!({})).await;
    let patron = library.patron("ann", json!({})).await;
    let loan = library.check_out("1", "ann", json!({})).await.expect(201).json();
    let (_, account) = library.damage(&patron, 5.0, json!({"loanId": loan["id"]})).await;
    act(desk, &account, "pay", &body(json!(5))).await.expect(201);
    let owner = desk.get(&format!("/accounts/{account}")).await.json()["ownerId"].clone();
    let asked = json!({"startDate": "2020-01-01", "feeFineOwner": owner});
    let report = desk.post("/feefine-reports/financial-transactions-detail", &asked).await.expect(200).json();
    let row = &report["reportData"][0];
    let date = row["actionDate"].as_str().unwrap();
    assert_eq!((&date[2..3], &date[5..6], &date[8..10], date.len()), (".", ".", ", ", 15), "{date}");
    for (kind, path, id) in [
        ("loan", "/loan-policy-storage/loan-policies", &library.loan_policy),
        ("overdueFine", "/overdue-fines-policies", &library.overdue_policy),
        ("lostItem", "/lost-item-fees-policies", &library.lost_policy),
    ] {
        assert_eq!(row[format!("{kind}PolicyId")], json!(id));
        assert_eq!(row[format!("{kind}PolicyName")], library.stored(path, id).await["name"]);
    }
}

/// It is 21 November 2026; payments at one desk, a waiver and a refund.
#[tokio::test]
async fn reports_list_payments_waives_and_refunds() {
    let library = library().await;
    let client = &library.open;
    let owner = client.create("/owners", &json!({"owner": "Desk"})).await;
    let service_point = Uuid::nil().to_string();
    let id = account(client, json!(10)).await;
    let mut record = client.get(&format!("/accounts/{id}")).await.json();
    record["ownerId"] = owner["id"].clone();
    record["feeFineOwner"] = "Desk".into();
    record["feeFineType"] = "Lost key".into();
    client.put(&format!("/accounts/{id}"), &record).await.expect(204);
    for (action, amount) in [("pay", 6), ("waive", 1), ("refund", 2)] {
        act(client, &id, action, &body(json!(amount))).await.expect(201);
    }
    let today = library.clock.now().to_string()[..10].to_owned();
    let report = |name: &str| format!("/feefine-reports/{name}");

    let asked = json!({"startDate": today, "endDate": today, "createdAt": service_point});
    let drawer = client.post(&report("cash-drawer-reconciliation"), &asked).await.expect(200);
    assert!(drawer.round_trips() <= 3);
    let drawer = drawer.json();
    assert_eq!(drawer["reportData"].as_array().unwrap().len(), 1);
    assert_eq!(drawer["reportData"][0]["paidAmount"], "6.00");
    assert_eq!(drawer["reportData"][0]["additionalStaffInfo"], "thanks");
    assert_eq!(
        drawer["reportStats"]["bySource"],
        json!([{"name": "Librarian", "totalAmount": "6.00", "totalCount": "1"},
            {"name": "Source totals", "totalAmount": "6.00", "totalCount": "1"}])
    );
    let mut other_day = asked.clone();
    other_day["startDate"] = "2000-01-01".into();
    other_day["endDate"] = "2000-01-01".into();
    let empty = client.post(&report("cash-drawer-reconciliation"), &other_day).await.expect(200);
    assert_eq!(empty.round_trips(), 2);
    assert_eq!(empty.json()["reportData"], json!([]));
    let sources = json!({"createdAt": service_point});
    let sources = client.post(&report("cash-drawer-reconciliation/sources"), &sources).await;
    assert_eq!(sources.expect(200).json(), json!({"sources": ["Librarian"]}));

    let refunds = client.post(&report("refund"), &json!({"startDate": today})).await.expect(200).json();
    assert_eq!(refunds["reportData"][0]["refundAmount"], "2.00");
    assert_eq!(refunds["reportData"][0]["paidAmount"], "6.00");
    assert_eq!(refunds["reportData"][0]["feeFineOwner"], "Desk");

    let detail = json!({"startDate": today, "feeFineOwner": owner["id"]});
    let detail = client.post(&report("financial-transactions-detail"), &detail).await.expect(200).json();
    let actions: Vec<_> = detail["reportData"].as_array().unwrap().iter().map(|row| row["action"].clone()).collect();
    assert_eq!(actions, ["Payment", "Waive", "Refund"]);
    assert_eq!(detail["reportStats"]["byRefundReason"][0]["totalAmount"], "2.00");

    for (name, asked, message) in [
        ("refund", json!({"endDate": today}), "Start date should not be empty when end date is specified"),
        ("refund", json!({"startDate": "soon"}), "Invalid startDate or endDate parameter"),
        (
            "financial-transactions-detail",
            json!({"startDate": "soon", "feeFineOwner": owner["id"]}),
            "Invalid startDate or endDate parameter",
        ),
    ] {
        assert_eq!(client.post(&report(name), &asked).await.expect(422).text, message);
    }
    client.post(&report("cash-drawer-reconciliation"), &json!({})).await.expect(422);
}
