//! Closed loans and requests are anonymized as the library has configured.

use jiff::SignedDuration;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{LendingLibrary, id};

const JOB: &str = "/circulation/scheduled-anonymize-processing";

/// A closed loan of a new patron; returns its id.
async fn closed_loan(library: &LendingLibrary) -> String {
    let name = Uuid::new_v4().to_string();
    library.item(&name, json!({})).await;
    library.patron(&name, json!({})).await;
    let loan = library.check_out(&name, &name, json!({})).await.expect(201);
    library.check_in(&name, json!({})).await.expect(200);
    id(&loan.json())
}

/// Charges a fee for a loan, paid or open.
async fn fee(library: &LendingLibrary, loan: &str, paid: bool) {
    let user = library.stored("/loan-storage/loans", loan).await["userId"].clone();
    let (status, rest) = if paid { ("Closed", 0) } else { ("Open", 5) };
    let account = json!({"amount": 5, "remaining": rest, "status": {"name": status}, "loanId": loan,
        "paymentStatus": {"name": "Outstanding"}, "userId": user, "feeFineId": Uuid::new_v4(),
        "ownerId": Uuid::new_v4(), "id": Uuid::new_v4()});
    let account = library.desk.create("/accounts", &account).await;
    let now = library.library.clock.now().to_string();
    let action = json!({"accountId": account["id"], "userId": user, "dateAction": now, "balance": rest,
        "amountAction": 5, "typeAction": if paid { "Paid fully" } else { "Fine" }});
    library.desk.create("/feefineactions", &action).await;
}

async fn set(library: &LendingLibrary, value: Value) {
    let setting = json!({"name": "loan_history", "value": value});
    library.desk.create("/circulation/settings", &setting).await;
}

/// The outcome for each loan: `_` for an anonymized one.
async fn outcomes(library: &LendingLibrary, loans: &[&String]) -> Vec<String> {
    let body = library.desk.post(JOB, &json!({})).await.expect(200).json();
    let holds = |ids: &Value, loan: &str| ids.as_array().is_some_and(|ids| ids.contains(&json!(loan)));
    let reason = |loan: &&String| {
        if holds(&body["anonymizedLoans"], loan) {
            return "_".to_owned();
        }
        let errors = body["errors"].as_array().expect("errors").iter();
        let mut of_it = errors.filter(|error| {
            let ids = error["parameters"][0]["value"].as_str().expect("a text");
            holds(&serde_json::from_str(ids).expect("ids"), loan)
        });
        let error = of_it.next().map(|error| error["message"].as_str().expect("a text").to_owned());
        error.unwrap_or_default()
    };
    loans.iter().map(reason).collect()
}

#[tokio::test]
async fn each_setting_anonymizes_the_right_loans() {
    let day = json!({"duration": 1, "intervalId": "Days"});
    let setting = |loan: &str, fees: Option<&str>| {
        json!({"closingType": {"loan": loan, "feeFine": fees}, "treatEnabled": fees.is_some(), "loan": day,
            "feeFine": {"duration": 2, "intervalId": "Days"}})
    };
    let (wait, fees_wait) = ("loanClosedPeriodNotPassed", "intervalAfterFeesAndFinesCloseNotPassed");
    let (open, never) = ("feesAndFinesOpen", "neverAnonymizeLoans");
    let never_fees = "neverAnonymizeLoansWithFeesAndFines";
    // A loan without fees, one with a paid fee and one with an open fee; and the hours since they closed.
    for (setting, hours, expected) in [
        (setting("immediately", None), 0, ["_", "_", "_"]),
        (setting("interval", None), 24, [wait, wait, wait]),
        (setting("interval", None), 25, ["_", "_", "_"]),
        (setting("never", None), 99, ["", "", ""]),
        (json!({}), 99, [never, never, never]),
        (setting("immediately", Some("immediately")), 0, ["_", "_", open]),
        (setting("immediately", Some("interval")), 48, ["_", fees_wait, fees_wait]),
        (setting("interval", Some("interval")), 49, ["_", "_", fees_wait]),
        (setting("interval", Some("immediately")), 1, [wait, "_", open]),
        (setting("interval", Some("never")), 99, ["_", never_fees, never_fees]),
        (setting("never", Some("immediately")), 0, [never, "_", open]),
        (setting("never", Some("never")), 99, [never, never_fees, never_fees]),
    ] {
        let library = LendingLibrary::new().await;
        let plain = closed_loan(&library).await;
        let (paid, owed) = (closed_loan(&library).await, closed_loan(&library).await);
        fee(&library, &paid, true).await;
        fee(&library, &owed, false).await;
        set(&library, setting.clone()).await;
        library.library.clock.advance(SignedDuration::from_hours(hours));
        let outcomes = outcomes(&library, &[&plain, &paid, &owed]).await;
        assert_eq!(outcomes, expected, "{setting} after {hours} h");
    }
}

#[tokio::test]
async fn the_timer_anonymizes_as_a_client_can_and_keeps_the_history() {
    let library = LendingLibrary::new().await;
    let loan = closed_loan(&library).await;
    let item = library.item("out", json!({})).await;
    library.patron("p", json!({})).await;
    let open = id(&library.check_out("out", "p", json!({})).await.expect(201).json());
    set(&library, json!({"closingType": {"loan": "immediately"}})).await;
    library.library.run_jobs().await;
    library.library.clock.advance(SignedDuration::from_hours(1));
    library.library.run_jobs().await;
    let stored = library.stored("/loan-storage/loans", &loan).await;
    assert_eq!((stored.get("userId"), &stored["action"]), (None, &json!("checkedin")));
    let kept = library.stored("/loan-storage/loans", &open).await;
    assert!(kept["userId"].is_string() && kept["itemId"] == json!(item), "open loans are left alone");
    let history = library.desk.query("/loan-storage/loan-history?limit=100", &format!("loan.id=={loan}")).await;
    let history = history.json()["loansHistory"].as_array().expect("a list").clone();
    assert_eq!(history.len(), 3, "checked out, checked in, anonymized");
    assert!(history.iter().all(|entry| entry["loan"].get("userId").is_none()));
}

#[tokio::test]
async fn storage_anonymizes_the_given_loans() {
    let library = LendingLibrary::new().await;
    let (first, second) = (closed_loan(&library).await, closed_loan(&library).await);
    library.item("out", json!({})).await;
    library.patron("p", json!({})).await;
    let open = id(&library.check_out("out", "p", json!({})).await.expect(201).json());
    let path = "/anonymize-storage-loans";
    let stranger = "00000000-0000-4000-8000-000000000000";
    let sent = json!({"loanIds": [first, "not valid", open, stranger]});
    let done = library.desk.post(path, &sent).await.expect(200);
    assert_eq!(done.round_trips(), 1);
    assert_eq!(
        done.json(),
        json!({"anonymizedLoans": [first, open, stranger],
            "notAnonymizedLoans": [{"reason": "invalidLoanIds", "loanIds": ["not valid"]}]})
    );
    for (loan, kept) in [(&first, false), (&open, true)] {
        let loan = library.stored("/loan-storage/loans", loan).await;
        assert_eq!(loan.get("userId").is_some(), kept);
    }
    for nothing in [json!({}), json!({"loanIds": []}), json!({"loanIds": ["x", null]})] {
        let refused = library.desk.post(path, &nothing).await.expect(422);
        assert_eq!(refused.error_messages(), ["Please provide valid loanIds"]);
    }
    let user = library.stored("/loan-storage/loans", &second).await["userId"].clone();
    let path = format!("/loan-storage/loans/anonymize/{}", user.as_str().expect("an id"));
    library.desk.post(&path, &json!({})).await.expect(204);
    assert_eq!(library.stored("/loan-storage/loans", &second).await.get("userId"), None);
    let refused = library.desk.post("/loan-storage/loans/anonymize/x", &json!({})).await;
    assert_eq!(refused.expect(422).error_messages(), ["Invalid user ID, should be a UUID"]);
}

const REQUESTS: &str = "/circulation/scheduled-request-anonymize-processing";

/// Creates closed requests of a patron, last changed `days` ago.
async fn closed_requests(library: &LendingLibrary, patron: &str, count: i32, days: i64) {
    let changed = library.library.clock.now() - SignedDuration::from_hours(24 * days);
    let request = json!({"status": "Closed - Filled", "requestType": "Hold", "requestLevel": "Item",
        "instanceId": library.instance, "requesterId": patron, "proxyUserId": patron,
        "requester": {"lastName": "Reader", "barcode": "p-1"}, "fulfillmentPreference": "Delivery",
        "deliveryAddressTypeId": patron,
        "metadata": {"updatedDate": changed.strftime("%Y-%m-%dT%H:%M:%S.%3f+00:00").to_string()}});
    let sql = "SELECT add_requests(array_agg($1::jsonb || jsonb_build_object('id', n.id)))
        FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)) n";
    let made = library.session().execute(sql, &[&request, &count]).await;
    made.expect("requests");
}

/// The number of requests that mention the patron in any member.
async fn naming(library: &LendingLibrary, patron: &str) -> i64 {
    let sql = "SELECT count(*) FROM request WHERE doc::text LIKE '%' || $1 || '%' OR doc::text LIKE '%Reader%'";
    let row = library.session().get(sql, &[&patron]).await;
    row.expect("a count").get(0)
}

async fn forget_requests(library: &LendingLibrary, value: Value) {
    let setting = json!({"name": "requestAnonymization", "value": value});
    library.desk.create("/circulation/settings", &setting).await;
}

/// The progress that the job for requests last reported.
async fn progress(library: &LendingLibrary) -> Value {
    let sql = "SELECT coalesce(progress, 'null') FROM job WHERE kind = $1";
    let row = library.session().get(sql, &[&REQUESTS]).await;
    row.expect("a job").get(0)
}

#[tokio::test]
async fn the_timer_anonymizes_all_due_requests_and_resumes_after_a_stop() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    library.hold(&item, &patron, 1, json!({})).await;
    closed_requests(&library, &patron, 11_003, 31).await;
    closed_requests(&library, &patron, 700, 29).await;
    library.library.run_jobs().await;
    library.library.clock.advance(SignedDuration::from_hours(1));
    library.library.run_jobs().await;
    assert_eq!(naming(&library, &patron).await, 11_704, "the library has not enabled it yet");

    forget_requests(&library, json!({"mode": "delayed", "delay": 30, "delayUnit": "Day(s)"})).await;
    // A process that handles one batch and then dies.
    let at = library.library.clock.now().to_string();
    let batch = "SELECT anonymize_due_requests($1, '30 days', '{}', 5000)";
    let row = library.session().get(batch, &[&at]).await.expect("a batch");
    assert_eq!(row.get::<_, i64>(0), 5_000);
    assert_eq!(naming(&library, &patron).await, 6_704);

    library.library.clock.advance(SignedDuration::from_hours(1));
    library.library.run_jobs().await;
    assert_eq!(naming(&library, &patron).await, 701, "the young ones and the open one");
    assert_eq!(progress(&library).await, json!({"anonymized": 6_003}));

    library.library.clock.advance(SignedDuration::from_hours(24));
    library.library.run_jobs().await;
    assert_eq!(naming(&library, &patron).await, 1, "the open one");
}

#[tokio::test]
async fn two_simultaneous_runs_share_the_requests() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    closed_requests(&library, &patron, 6_000, 0).await;
    forget_requests(&library, json!({"mode": "immediately"})).await;
    let body = json!({});
    let (one, other) = (library.desk.post(REQUESTS, &body), library.desk.post(REQUESTS, &body));
    for answer in futures_util::future::join_all([one, other]).await {
        let answer = answer.expect(204);
        let trips = answer.round_trips();
        assert!(trips <= 4, "{trips}: the setting, two batches and their end");
    }
    assert_eq!(naming(&library, &patron).await, 0);
}

/// Creates closed loans of a patron.
async fn closed_loans(library: &LendingLibrary, patron: &str, count: i32) {
    let loan = json!({"status": {"name": "Closed"}, "action": "checkedin", "userId": patron,
        "loanDate": "2026-01-01T00:00:00Z", "systemReturnDate": "2026-02-01T00:00:00.000+00:00"});
    let sql = "SELECT add_loans(array_agg($1::jsonb || jsonb_build_object('id', n.id, 'itemId', gen_random_uuid())))
        FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)) n";
    let made = library.session().execute(sql, &[&loan, &count]).await;
    made.expect("loans");
}

#[tokio::test]
async fn a_user_with_many_loans_is_anonymized_five_thousand_at_a_time() {
    let library = LendingLibrary::new().await;
    let (patron, other) = (library.patron("p-1", json!({})).await, library.patron("p-2", json!({})).await);
    closed_loans(&library, &patron, 5_001).await;
    closed_loans(&library, &other, 1).await;
    let path = format!("/loan-anonymization/by-user/{patron}");
    for expected in [5_000, 1, 0] {
        let done = library.desk.post(&path, &json!({})).await.expect(200);
        assert_eq!(done.round_trips(), 2);
        let done = done.json();
        assert_eq!(done["anonymizedLoans"].as_array().map(Vec::len), Some(expected));
        assert_eq!(done["errors"], json!([]));
    }
    let sql = "SELECT (SELECT count(*) FROM loan l WHERE l.doc ? 'userId'),
        (SELECT count(*) FROM loan_history WHERE loan->>'userId' = $1 OR replaced->>'userId' = $1)";
    let row = library.session().get(sql, &[&patron]).await.expect("counts");
    assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1)), (1, 0), "the other's loan is left");
}

#[tokio::test]
async fn loans_with_fees_count_among_the_five_thousand() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    closed_loans(&library, &patron, 5_001).await;
    // The first by id, so that it is in every batch.
    let sql = "SELECT min(id::text) FROM loan";
    let row = library.session().get(sql, &[]).await.expect("a loan");
    let with_fee: String = row.get(0);
    fee(&library, &with_fee, true).await;
    let path = format!("/loan-anonymization/by-user/{patron}");
    let kept = json!([{"message": "haveAssociatedFeesAndFines",
        "parameters": [{"key": "loanIds", "value": json!([with_fee]).to_string()}]}]);
    for expected in [4_999, 1, 0] {
        let done = library.desk.post(&path, &json!({})).await.expect(200).json();
        assert_eq!(done["anonymizedLoans"].as_array().map(Vec::len), Some(expected));
        assert_eq!(done["errors"], kept);
    }
}
