//! Notices about fees: overdue fines, items aged to lost, and reminder fees.

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::noticing::{Noticing, mail, upon};
use crate::circulation::lending_library::id;

const REMINDERS: &str = "scheduled-digital-reminders-processing";
const CHARGED: &str = "{{user.firstName}} {{item.barcode}} {{feeCharge.type}} {{feeCharge.amount}} {{feeCharge.owner}}";

fn days(number: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * number)
}

/// A library that charges by the policies `overdue` and `lost`.
async fn charging(overdue: Value, lost: Value) -> Noticing {
    let library = Noticing::new().await;
    let lending = &library.lending;
    lending.owner("Main").await;
    let put = async |path: String, id: &str, mut policy: Value| {
        policy["id"] = id.into();
        lending.desk.put(&path, &policy).await.expect(204);
    };
    put(format!("/overdue-fines-policies/{}", lending.overdue_policy), &lending.overdue_policy, overdue).await;
    put(format!("/lost-item-fees-policies/{}", lending.lost_policy), &lending.lost_policy, lost).await;
    library
}

async fn check_in(library: &Noticing, item: &str, more: Value) {
    let mut body = json!({"checkInDate": library.now().to_string()});
    if let (Some(members), Value::Object(more)) = (body.as_object_mut(), more) {
        members.extend(more);
    }
    library.lending.check_in(item, body).await.expect(200);
}

#[tokio::test]
async fn fine_notices_of_a_session_are_sent_at_its_end() {
    let fines = json!({"name": "A quarter a day", "countClosed": true, "forgiveOverdueFine": false,
        "overdueFine": {"quantity": 0.25, "intervalId": "day"}, "maxOverdueFine": 10});
    let library = charging(fines, json!({"name": "Lost"})).await;
    let body =
        "{{user.firstName}}{{#feeCharges}} {{item.barcode}} {{feeCharge.amount}} {{feeCharge.type}}{{/feeCharges}}";
    let fined = library.template("Fined", body).await;
    library.policy(json!([]), json!([]), json!([upon("Overdue fine returned", &fined)])).await;
    let ann = library.patron("ann").await;
    for barcode in ["1", "2"] {
        library.lending.item(barcode, json!({})).await;
        library.check_out(barcode, "ann").await;
    }
    // 21 days to the end of a day, and two more.
    library.advance(days(24));
    let session = json!({"sessionId": "7c3a5a0c-1b1e-4f0c-9f63-0d5d3a3b9d11"});
    check_in(&library, "1", session.clone()).await;
    check_in(&library, "2", session).await;
    assert_eq!(library.scheduled().await.len(), 2);
    let job = "overdue-fine-scheduled-notices-processing";
    library.process(job).await;
    assert_eq!(library.sent().await, [], "the session is open");
    library.end_session(&ann, "Check-in").await;
    library.process(job).await;
    let sent = library.sent().await;
    assert_eq!(sent.len(), 1, "{sent:?}");
    let (to, text) = &sent[0];
    assert_eq!(to, "ann@example.org");
    let quarters =
        ["0.50", "0.75"].map(|fine| mail("ann", &format!("Fined: ann 1 {fine} Overdue fine 2 {fine} Overdue fine")).1);
    assert!(quarters.contains(text), "{text}");
    assert_eq!(library.scheduled().await, [] as [Value; 0]);
}

#[tokio::test]
async fn ageing_to_lost_and_its_fees_send_notices() {
    let lost = json!({"name": "A hundred", "itemAgedLostOverdue": {"duration": 2, "intervalId": "Days"},
        "patronBilledAfterAgedLost": {"duration": 3, "intervalId": "Days"},
        "chargeAmountItem": {"chargeType": "anotherCost", "amount": 100}, "lostItemProcessingFee": 0,
        "lostItemReturned": "Remove", "feesFinesShallRefunded": {"duration": 6, "intervalId": "Months"}});
    let library = charging(json!({"name": "No fines"}), lost).await;
    let aged = library.template("Aged", "{{user.firstName}} {{item.barcode}} {{item.status}}").await;
    let charged = library.template("Charged", CHARGED).await;
    let body = "{{user.firstName}} {{feeAction.type}} {{feeAction.amount}} {{feeAction.remainingAmount}}";
    let adjusted = library.template("Adjusted", body).await;
    library
        .policy(
            json!([upon("Aged to lost", &aged)]),
            json!([]),
            json!([
                upon("Aged to lost - fine charged", &charged),
                upon("Aged to lost & item returned - fine adjusted", &adjusted),
            ]),
        )
        .await;
    library.patron("ann").await;
    library.lending.item("1", json!({})).await;
    library.check_out("1", "ann").await;
    library.advance(days(24));
    library.process("scheduled-age-to-lost").await;
    library.process("loan-scheduled-notices-processing").await;
    assert_eq!(library.sent().await, [mail("ann", "Aged: ann 1 Aged to lost")]);

    library.advance(days(4));
    library.process("scheduled-age-to-lost-fee-charging").await;
    let fees = "fee-fine-scheduled-notices-processing";
    library.process(fees).await;
    let expected = mail("ann", "Charged: ann 1 Lost item fee 100.00 Main");
    assert_eq!(library.sent_since(1).await, [expected]);

    check_in(&library, "1", json!({})).await;
    library.process(fees).await;
    let sent = library.sent_since(2).await;
    assert_eq!(sent, [mail("ann", "Adjusted: ann Cancelled item returned 100.00 0.00")]);
}

/// However the item was lost: mod-circulation asks only whether fees were given back because it was returned.
#[tokio::test]
async fn who_returns_what_was_declared_lost_hears_of_the_fees() {
    let lost = json!({"name": "A hundred", "chargeAmountItem": {"chargeType": "anotherCost", "amount": 100},
        "lostItemProcessingFee": 10, "chargeAmountItemPatron": true, "lostItemReturned": "Remove",
        "feesFinesShallRefunded": {"duration": 6, "intervalId": "Months"}});
    let library = charging(json!({"name": "No fines"}), lost).await;
    let body = "{{user.firstName}} {{feeAction.type}} {{feeAction.amount}}";
    let adjusted = library.template("Adjusted", body).await;
    library
        .policy(json!([]), json!([]), json!([upon("Aged to lost & item returned - fine adjusted", &adjusted)]))
        .await;
    library.patron("ann").await;
    library.lending.item("1", json!({})).await;
    let loan = library.check_out("1", "ann").await;
    let path = format!("/circulation/loans/{}/declare-item-lost", id(&loan));
    library.lending.desk.post(&path, &json!({"servicePointId": library.lending.service_point})).await.expect(204);
    check_in(&library, "1", json!({})).await;
    library.process("fee-fine-scheduled-notices-processing").await;
    let sent = library.sent().await;
    assert!(!sent.is_empty(), "nothing was sent");
    let cancelled = |(_, text): &(String, String)| text.contains("ann Cancelled item returned");
    assert!(sent.iter().all(cancelled), "{sent:?}");
}

#[tokio::test]
async fn staff_can_notify_a_patron_of_a_charge_and_a_payment() {
    let library = Noticing::new().await;
    let body = "{{user.firstName}} {{feeCharge.type}} {{feeCharge.amount}} {{feeAction.type}} {{feeAction.amount}}";
    let (charged, done) = (library.template("Charged", body).await, library.template("Done", body).await);
    let desk = &library.lending.desk;
    let owner = desk.create("/owners", &json!({"owner": "Main", "defaultActionNoticeId": done})).await;
    let kind = json!({"feeFineType": "Copies", "automatic": false, "ownerId": owner["id"], "chargeNoticeId": charged});
    let kind = desk.create("/feefines", &kind).await;
    let ann = library.patron("ann").await;
    let account = json!({"amount": 5.0, "remaining": 5.0, "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"}, "userId": ann, "feeFineId": kind["id"], "ownerId": owner["id"],
        "feeFineType": "Copies", "feeFineOwner": "Main", "id": uuid::Uuid::new_v4()});
    let account = desk.create("/accounts", &account).await;
    let charge = json!({"accountId": account["id"], "userId": ann, "typeAction": "Copies", "amountAction": 5.0,
        "balance": 5.0, "notify": true, "dateAction": "2026-11-22T10:00:00Z"});
    desk.create("/feefineactions", &charge).await;
    assert_eq!(library.sent().await, [mail("ann", "Charged: ann Copies 5.00  ")]);
    let pay = |notify: bool| {
        json!({"amount": "2.00", "notifyPatron": notify, "servicePointId": library.lending.service_point,
            "userName": "librarian", "paymentMethod": "Cash"})
    };
    let path = format!("/accounts/{}/pay", id(&account));
    let paid = desk.post(&path, &pay(true)).await.expect(201);
    assert_eq!(paid.round_trips(), 2);
    desk.post(&path, &pay(false)).await.expect(201);
    let expected = mail("ann", "Done: ann Copies 5.00 Paid partially 2.00");
    assert_eq!(library.sent_since(1).await, [expected]);
}

/// A charge is what names no payment method and no action, whatever it and the type of its account are called.
#[tokio::test]
async fn a_charge_need_not_be_called_as_its_type() {
    let library = Noticing::new().await;
    let (of_type, of_owner) = (library.template("Of type", "x").await, library.template("Of owner", "x").await);
    let done = library.template("Done", "{{feeAction.type}} {{feeCharge.additionalInfo}}").await;
    let desk = &library.lending.desk;
    let owner = json!({"owner": "Main", "defaultChargeNoticeId": of_owner, "defaultActionNoticeId": done});
    let owner = desk.create("/owners", &owner).await;
    let ann = library.patron("ann").await;
    let act = async |account: &Value, members: Value| {
        let mut movement = json!({"accountId": account["id"], "userId": ann, "amountAction": 5.0, "balance": 5.0,
            "notify": true, "dateAction": "2026-11-22T10:00:00Z", "comments": "PATRON : sorry"});
        movement.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        desk.create("/feefineactions", &movement).await;
    };
    let sent = [
        json!({"feeFineType": "X", "ownerId": owner["id"], "chargeNoticeId": of_type}),
        json!({"feeFineType": "Y",
        "ownerId": owner["id"]}),
    ];
    for (kind, called) in sent.iter().zip(["Overdue fine", "Y"]) {
        let kind = desk.create("/feefines", kind).await;
        let account = json!({"amount": 5.0, "remaining": 5.0, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
            "userId": ann, "feeFineId": kind["id"], "ownerId": owner["id"], "id": uuid::Uuid::new_v4()});
        let account = desk.create("/accounts", &account).await;
        act(&account, json!({"typeAction": called})).await;
        act(&account, json!({"typeAction": "Paid partially", "paymentMethod": "Cash", "comments": "PATRON : thanks"}))
            .await;
        act(&account, json!({"typeAction": "Staff info only", "comments": "STAFF : known"})).await;
    }
    let paid = mail("ann", "Done: Paid partially sorry");
    assert_eq!(library.sent().await, [mail("ann", "Of type: x"), paid.clone(), mail("ann", "Of owner: x"), paid]);
    let log =
        desk.query("/audit-data/circulation/logs?limit=100", "object==Notice sortby date").await.expect(200).json();
    let told = |one: &Value| {
        (one["description"].as_str().unwrap().to_owned(), one["linkToIds"].get("noticePolicyId").cloned())
    };
    let told: Vec<_> = log["logRecords"].as_array().unwrap().iter().map(told).collect();
    for expected in
        ["Template: Of type. Triggering event: Overdue fine.", "Template: Done. Triggering event: Paid partially."]
    {
        assert!(told.contains(&(expected.to_owned(), None)), "{told:?}");
    }
}

/// Two reminders: a free one after a day, and one for 2.00 a week later.
async fn reminding() -> (Noticing, Value) {
    let library = Noticing::new().await;
    let (first, second) = (
        library.template("First reminder", "{{user.firstName}} {{item.barcode}}").await,
        library.template("Second reminder", CHARGED).await,
    );
    let lending = &library.lending;
    lending.owner("Main").await;
    let reminder = |interval: i64, unit: &str, fee: f64, template: &str| {
        json!({"interval": interval, "timeUnitId": unit, "reminderFee": fee, "noticeFormat": "Email",
            "noticeTemplateId": template})
    };
    let policy = json!({"id": lending.overdue_policy, "name": "Reminders", "countClosed": true,
        "reminderFeesPolicy": {"countClosed": true, "allowRenewalOfItemsWithReminderFees": true,
            "reminderSchedule": [reminder(1, "day", 0.0, &first), reminder(1, "week", 2.0, &second)]}});
    let path = format!("/overdue-fines-policies/{}", lending.overdue_policy);
    lending.desk.put(&path, &policy).await.expect(204);
    library.patron("ann").await;
    library.lending.item("1", json!({})).await;
    let loan = library.check_out("1", "ann").await;
    (library, loan)
}

/// Opens the desk on every day: no reminder is sent on a closed one.
async fn open(library: &Noticing) {
    library.lending.open("Every day", "MONDAY", "SUNDAY").await;
}

#[tokio::test]
async fn no_reminder_is_sent_on_a_closed_day() {
    let (library, _) = reminding().await;
    library.advance(days(23));
    library.process(REMINDERS).await;
    assert_eq!(library.sent().await, []);
    let waiting = library.scheduled().await;
    open(&library).await;
    library.process(REMINDERS).await;
    assert_eq!(library.sent().await, [mail("ann", "First reminder: ann 1")]);
    assert_ne!(library.scheduled().await, waiting);
}

#[tokio::test]
async fn reminders_of_a_closed_branch_hold_up_no_others() {
    let (library, _) = reminding().await;
    open(&library).await;
    let lending = &library.lending;
    lending.item("2", json!({})).await;
    let elsewhere = json!({"loanDate": library.now().to_string(), "servicePointId": lending.branch});
    let closed = lending.check_out("2", "ann", elsewhere).await.expect(201).json();
    assert_eq!(library.scheduled().await.len(), 2);
    let copies = "INSERT INTO scheduled_notice (id, doc)
        SELECT n.id, s.doc || jsonb_build_object('id', n.id, 'nextRunTime', '2026-01-01T00:00:00.000+00:00')
        FROM scheduled_notice s, (SELECT gen_random_uuid() AS id FROM generate_series(1, 400)) n WHERE s.doc->>'loanId' = $1";
    assert_eq!(lending.session().execute(copies, &[&id(&closed)]).await.expect("copies"), 400);
    library.advance(days(23));
    library.process(REMINDERS).await;
    assert_eq!(library.sent().await, [mail("ann", "First reminder: ann 1")]);
}

#[tokio::test]
async fn reminders_are_sent_and_billed_in_turn() {
    let (library, loan) = reminding().await;
    open(&library).await;
    let scheduled = library.scheduled().await;
    assert_eq!(scheduled.len(), 1);
    assert_eq!(scheduled[0]["triggeringEvent"], "Due date - with reminder fee");
    library.advance(days(22));
    library.process(REMINDERS).await;
    assert_eq!(library.sent().await, [], "a day after the due date");
    library.advance(days(1));
    library.process(REMINDERS).await;
    library.process(REMINDERS).await;
    assert_eq!(library.sent().await, [mail("ann", "First reminder: ann 1")]);
    let lending = &library.lending;
    let stored = lending.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(stored["action"], "reminderFee");
    assert_eq!(stored["reminders"]["lastFeeBilled"]["number"], 1);
    let accounts = || lending.desk.query("/accounts", "feeFineType==\"Reminder fee\"");
    assert_eq!(accounts().await.expect(200).json()["totalRecords"], 0, "it costs nothing");

    library.advance(days(7));
    library.process(REMINDERS).await;
    let expected = mail("ann", "Second reminder: ann 1 Reminder fee 2.00 Main");
    assert_eq!(library.sent_since(1).await, [expected]);
    let found = accounts().await.expect(200).json();
    let account = &found["accounts"][0];
    assert_eq!((&account["amount"], &account["remaining"]), (&json!(2.0), &json!(2.0)));
    assert_eq!(account["feeFineId"], "6b830703-f828-4e38-a0bb-ee81deacbd03");
    assert_eq!(account["status"]["name"], "Open");
    let movements = lending.desk.query("/feefineactions", &format!("accountId=={}", id(account))).await;
    let movement = &movements.expect(200).json()["feefineactions"][0];
    assert_eq!(movement["comments"], "STAFF: Reminder fee 2");
    assert_eq!((&movement["source"], &movement["typeAction"]), (&json!("System"), &json!("Reminder fee")));
    let stored = lending.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(stored["reminders"]["lastFeeBilled"]["number"], 2);
    assert_eq!(library.scheduled().await, [] as [Value; 0], "there are two");
}

#[tokio::test]
async fn a_new_due_date_restarts_the_reminders() {
    let (library, loan) = reminding().await;
    open(&library).await;
    library.advance(days(23));
    library.process(REMINDERS).await;
    let path = format!("/circulation/loans/{}/change-due-date", id(&loan));
    let due = library.now() + days(5);
    library.lending.desk.post(&path, &json!({"dueDate": due.to_string()})).await.expect(204);
    let scheduled = library.scheduled().await;
    assert_eq!(scheduled.len(), 1);
    let expected = (due + days(1)).strftime("%Y-%m-%dT%H:%M:%S.%3f+00:00").to_string();
    assert_eq!(scheduled[0]["nextRunTime"], expected);
    let stored = library.lending.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(stored.get("reminders"), None);
    check_in(&library, "1", json!({})).await;
    library.advance(days(30));
    library.process(REMINDERS).await;
    assert_eq!(library.sent().await.len(), 1, "the item is back");
    assert_eq!(library.scheduled().await, [] as [Value; 0]);
}
