//! `/automated-patron-blocks/handlers` and `/automated-patron-blocks/synchronization`.

use serde_json::{Value, json};
use uuid::Uuid;

use super::LendingLibrary;

const PATH: &str = "/automated-patron-blocks/synchronization";

/// Two patrons with a loan each and wrong counters.
async fn miscounted(library: &LendingLibrary) -> [String; 2] {
    let mut patrons = Vec::new();
    for name in ["a", "b"] {
        library.item(name, json!({})).await;
        patrons.push(library.patron(name, json!({})).await);
        library.check_out(name, name, json!({})).await.expect(201);
    }
    let wrong = "UPDATE patron_counters SET open_loans = 7, fee_balance = 3";
    library.session().execute(wrong, &[]).await.expect("wrong");
    patrons.try_into().expect("two")
}

async fn counted(library: &LendingLibrary, patron: &str) -> (i32, String) {
    let sql = "SELECT open_loans, fee_balance::text FROM patron_counters WHERE user_id = $1";
    let patron = Uuid::parse_str(patron).expect("an id");
    let row = library.session().get(sql, &[&patron]).await.expect("counters");
    (row.get(0), row.get(1))
}

async fn asked(library: &LendingLibrary, body: Value) -> String {
    let job = library.desk.create(&format!("{PATH}/job"), &body).await;
    assert_eq!((&job["status"], &job["scope"]), (&json!("open"), &body["scope"]));
    let path = format!("{PATH}/job/{}", job["id"].as_str().expect("an id"));
    assert_eq!(library.desk.get(&path).await.expect(200).json()["status"], "open");
    path
}

#[tokio::test]
async fn the_counters_of_one_or_all_patrons_are_rebuilt() {
    let library = LendingLibrary::new().await;
    let [first, second] = miscounted(&library).await;
    let path = asked(&library, json!({"scope": "user", "userId": first})).await;
    library.desk.post(&format!("{PATH}/start"), &json!({})).await.expect(202);
    library.library.run_jobs().await;
    let job = library.desk.get(&path).await.json();
    assert_eq!(
        (&job["status"], &job["totalNumberOfLoans"], &job["numberOfProcessedLoans"]),
        (&json!("done"), &json!(1), &json!(1))
    );
    assert_eq!(counted(&library, &first).await, (1, "0.00".into()));
    assert_eq!(counted(&library, &second).await.0, 7);
    let path = asked(&library, json!({"scope": "full"})).await;
    library.library.run_jobs().await;
    let job = library.desk.get(&path).await.json();
    assert_eq!((&job["status"], &job["numberOfProcessedLoans"]), (&json!("done"), &json!(2)));
    assert_eq!(counted(&library, &second).await, (1, "0.00".into()));
}

#[tokio::test]
async fn impossible_synchronizations_are_refused() {
    let library = LendingLibrary::new().await;
    let post = async |body: Value| library.desk.post(&format!("{PATH}/job"), &body).await;
    let absent = post(json!({"scope": "user"})).await.expect(422);
    assert_eq!(absent.text, "UserId is required for synchronization job with scope: USER");
    post(json!({})).await.expect(422);
    post(json!({"scope": "some"})).await.expect(400);
    for id in [Uuid::new_v4().to_string(), "x".into()] {
        let missing = library.desk.get(&format!("{PATH}/job/{id}")).await.expect(404);
        assert_eq!(missing.text, "This synchronization request does not exist");
    }
}

#[tokio::test]
async fn events_are_read_and_acknowledged() {
    let library = LendingLibrary::new().await;
    let (user, loan) = (Uuid::new_v4(), Uuid::new_v4());
    let due = "2026-12-01T00:00:00.000+00:00";
    let plain = json!({"userId": user, "loanId": loan, "more": 1});
    let dated = json!({"userId": user, "loanId": loan, "dueDate": due, "dueDateChangedByRecall": false});
    for (event, body) in [
        ("item-checked-out", &dated),
        ("item-checked-in", &plain),
        ("item-declared-lost", &plain),
        ("item-aged-to-lost", &plain),
        ("item-claimed-returned", &plain),
        ("loan-closed", &plain),
        ("loan-due-date-changed", &dated),
        ("fee-fine-balance-changed", &json!({"feeFineId": loan, "balance": 2.5, "userId": user})),
    ] {
        let path = format!("/automated-patron-blocks/handlers/{event}");
        library.desk.post(&path, body).await.expect(204);
        let mut wrong = body.clone();
        wrong["userId"] = "x".into();
        library.desk.post(&path, &wrong).await.expect(422);
        library.desk.send(http::Method::POST, &path, Some(b"not json".to_vec())).await.expect(400);
    }
}
