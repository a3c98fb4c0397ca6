//! Closed loans that forget who had them, as the library has set.

use jiff::SignedDuration;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{LendingLibrary, id};

const JOB: &str = "/circulation/scheduled-anonymize-processing";

/// A loan of a patron of its own, closed now; its id.
async fn closed_loan(library: &LendingLibrary) -> String {
    let name = Uuid::new_v4().to_string();
    library.item(&name, json!({})).await;
    library.patron(&name, json!({})).await;
    let loan = library.check_out(&name, &name, json!({})).await.expect(201);
    library.check_in(&name, json!({})).await.expect(200);
    id(&loan.json())
}

/// A fee of a loan, paid now or still open.
async fn fee(library: &LendingLibrary, loan: &str, paid: bool) {
    let user = library.stored("/loan-storage/loans", loan).await["userId"].clone();
    let (status, rest) = if paid { ("Closed", 0) } else { ("Open", 5) };
    let account = json!({"amount": 5, "remaining": rest, "status": {"name": status}, "loanId": loan,
        "paymentStatus": {"name": "Outstanding"}, "userId": user, "feeFineId": Uuid::new_v4(),
        "ownerId": Uuid::new_v4()});
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

/// What the job says of each loan: `_` for one that was anonymized.
async fn told(library: &LendingLibrary, loans: &[&String]) -> Vec<String> {
    let body = library.desk.post(JOB, &json!({})).await.expect(200).json();
    let holds =
        |ids: &Value, loan: &str| ids.as_array().is_some_and(|ids| ids.contains(&json!(loan)));
    let reason = |loan: &&String| {
        if holds(&body["anonymizedLoans"], loan) {
            return "_".to_owned();
        }
        let errors = body["errors"].as_array().expect("errors").iter();
        let mut of_it = errors.filter(|error| {
            let ids = error["parameters"][0]["value"].as_str().expect("a text");
            holds(&serde_json::from_str(ids).expect("ids"), loan)
        });
        let error = of_it
            .next()
            .map(|error| error["message"].as_str().expect("a text").to_owned());
        error.unwrap_or_default()
    };
    loans.iter().map(reason).collect()
}

#[tokio::test]
async fn each_setting_lets_go_what_it_says() {
    let day = json!({"duration": 1, "intervalId": "Days"});
    let setting = |loan: &str, fees: Option<&str>| {
        json!({"closingType": {"loan": loan, "feeFine": fees}, "treatEnabled": fees.is_some(), "loan": day,
            "feeFine": {"duration": 2, "intervalId": "Days"}})
    };
    let (wait, fees_wait) = (
        "loanClosedPeriodNotPassed",
        "intervalAfterFeesAndFinesCloseNotPassed",
    );
    let (open, never) = ("feesAndFinesOpen", "neverAnonymizeLoans");
    let never_fees = "neverAnonymizeLoansWithFeesAndFines";
    // A loan without fees, one with a paid and one with an open fee; and the hours since they closed.
    for (setting, hours, expected) in [
        (setting("immediately", None), 0, ["_", "_", "_"]),
        (setting("interval", None), 24, [wait, wait, wait]),
        (setting("interval", None), 25, ["_", "_", "_"]),
        (setting("never", None), 99, ["", "", ""]),
        (json!({}), 99, [never, never, never]),
        (
            setting("immediately", Some("immediately")),
            0,
            ["_", "_", open],
        ),
        (
            setting("immediately", Some("interval")),
            48,
            ["_", fees_wait, fees_wait],
        ),
        (
            setting("interval", Some("interval")),
            49,
            ["_", "_", fees_wait],
        ),
        (
            setting("interval", Some("immediately")),
            1,
            [wait, "_", open],
        ),
        (
            setting("interval", Some("never")),
            99,
            ["_", never_fees, never_fees],
        ),
        (setting("never", Some("immediately")), 0, [never, "_", open]),
        (
            setting("never", Some("never")),
            99,
            [never, never_fees, never_fees],
        ),
    ] {
        let library = LendingLibrary::new().await;
        let plain = closed_loan(&library).await;
        let (paid, owed) = (closed_loan(&library).await, closed_loan(&library).await);
        fee(&library, &paid, true).await;
        fee(&library, &owed, false).await;
        set(&library, setting.clone()).await;
        library
            .library
            .clock
            .advance(SignedDuration::from_hours(hours));
        let told = told(&library, &[&plain, &paid, &owed]).await;
        assert_eq!(told, expected, "{setting} after {hours} h");
    }
}

#[tokio::test]
async fn the_timer_does_what_a_client_may_ask_for_and_the_past_stays() {
    let library = LendingLibrary::new().await;
    let loan = closed_loan(&library).await;
    let item = library.item("out", json!({})).await;
    library.patron("p", json!({})).await;
    let open = id(&library
        .check_out("out", "p", json!({}))
        .await
        .expect(201)
        .json());
    set(&library, json!({"closingType": {"loan": "immediately"}})).await;
    library.library.run_jobs().await;
    library.library.clock.advance(SignedDuration::from_hours(1));
    library.library.run_jobs().await;
    let stored = library.stored("/loan-storage/loans", &loan).await;
    assert_eq!(
        (stored.get("userId"), &stored["action"]),
        (None, &json!("checkedin"))
    );
    let kept = library.stored("/loan-storage/loans", &open).await;
    assert!(
        kept["userId"].is_string() && kept["itemId"] == json!(item),
        "open loans are left alone"
    );
    let history = library
        .desk
        .query(
            "/loan-storage/loan-history?limit=100",
            &format!("loan.id=={loan}"),
        )
        .await;
    let history = history.json()["loansHistory"]
        .as_array()
        .expect("a list")
        .clone();
    assert_eq!(history.len(), 3, "lent, returned, anonymized");
    assert!(
        history
            .iter()
            .all(|entry| entry["loan"].get("userId").is_none())
    );
}

#[tokio::test]
async fn storage_anonymizes_what_it_is_told_to() {
    let library = LendingLibrary::new().await;
    let (first, second) = (closed_loan(&library).await, closed_loan(&library).await);
    library.item("out", json!({})).await;
    library.patron("p", json!({})).await;
    let open = id(&library
        .check_out("out", "p", json!({}))
        .await
        .expect(201)
        .json());
    let path = "/anonymize-storage-loans";
    let sent = json!({"loanIds": [first, "not valid", open]});
    let done = library.desk.post(path, &sent).await.expect(200).json();
    assert_eq!(done["anonymizedLoans"], json!([first]));
    assert_eq!(
        done["notAnonymizedLoans"],
        json!([{"reason": "invalidLoanIds", "loanIds": ["not valid"]},
            {"reason": "anonymizeStorageLoansNotClosed", "loanIds": [open]}])
    );
    for nothing in [
        json!({}),
        json!({"loanIds": []}),
        json!({"loanIds": ["x", null]}),
    ] {
        let refused = library.desk.post(path, &nothing).await.expect(422);
        assert_eq!(refused.error_messages(), ["Please provide valid loanIds"]);
    }
    let user = library.stored("/loan-storage/loans", &second).await["userId"].clone();
    let path = format!(
        "/loan-storage/loans/anonymize/{}",
        user.as_str().expect("an id")
    );
    library.desk.post(&path, &json!({})).await.expect(204);
    assert_eq!(
        library
            .stored("/loan-storage/loans", &second)
            .await
            .get("userId"),
        None
    );
    let refused = library
        .desk
        .post("/loan-storage/loans/anonymize/x", &json!({}))
        .await;
    assert_eq!(
        refused.expect(422).error_messages(),
        ["Invalid user ID, should be a UUID"]
    );
}
