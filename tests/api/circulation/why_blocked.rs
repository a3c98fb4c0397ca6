//! `/carrel/why/patrons/{id}`: which limits block a patron.

use serde_json::{Value, json};
use testkit::Answer;
use uuid::Uuid;

use super::{
    LendingLibrary,
    blocks::{CHARGED_OUT, blocks, limit},
    why::client_with,
};

const PATRONS: &str = "/carrel/why/patrons";

async fn why(library: &LendingLibrary, patron: &str) -> Answer {
    library.desk.get(&format!("{PATRONS}/{patron}")).await
}

/// A patron with two items, whose group may have one.
async fn blocked(library: &LendingLibrary) -> String {
    let patron = library.patron("p-1", json!({})).await;
    for item in ["i-1", "i-2"] {
        library.item(item, json!({})).await;
        library.check_out(item, "p-1", json!({})).await.expect(201);
    }
    limit(library, CHARGED_OUT, json!(1)).await;
    patron
}

#[tokio::test]
async fn a_block_is_explained_by_its_limit_and_goes_when_as_much_comes_back() {
    let library = LendingLibrary::new().await;
    let patron = blocked(&library).await;
    // The first answer after a change of the settings reads them again.
    why(&library, &patron).await.expect(200);
    let told = why(&library, &patron).await.expect(200);
    assert_eq!(told.round_trips(), 1);
    let told = told.json();
    assert_eq!(told["facts"], json!({"patronGroup": {"id": library.group, "name": "staff"}}));
    let limit = &told["limits"][0];
    assert_eq!((&limit["limit"], &limit["has"]), (&json!(1.0), &json!(2.0)));
    assert_eq!(limit["message"], format!("Blocked by {CHARGED_OUT}"));
    let stops = json!([{"action": "borrowing", "less": 2.0}, {"action": "renewals", "less": 1.0}]);
    assert_eq!(limit["stops"], stops);

    library.check_in("i-1", json!({})).await.expect(200);
    let renewals_again = json!([{"action": "borrowing", "less": 1.0}]);
    assert_eq!(why(&library, &patron).await.json()["limits"][0]["stops"], renewals_again);
    assert_eq!(blocks(&library, &patron).await[0]["blockRenewals"], false);
    library.check_in("i-2", json!({})).await.expect(200);
    assert_eq!(blocks(&library, &patron).await, json!([]));
}

#[tokio::test]
async fn another_patron_group_has_its_own_limits() {
    let library = LendingLibrary::new().await;
    let patron = blocked(&library).await;
    let faculty = library.desk.create("/groups", &json!({"group": "faculty"})).await["id"].clone();
    let faculty = faculty.as_str().expect("an id");
    let tried = format!("{patron}?patronGroupId={faculty}");
    let told = why(&library, &tried).await.expect(200).json();
    assert_eq!((&told["facts"]["patronGroup"]["name"], &told["limits"]), (&json!("faculty"), &json!([])));
    let more = json!({"id": Uuid::new_v4(), "patronGroupId": faculty, "conditionId": CHARGED_OUT, "value": 50});
    library.desk.create("/patron-block-limits", &more).await;
    let told = why(&library, &tried).await.expect(200).json();
    let limit = &told["limits"][0];
    assert_eq!((&limit["limit"], &limit["has"], &limit["stops"]), (&json!(50.0), &json!(2.0), &json!([])));
    assert_ne!(blocks(&library, &patron).await, json!([]), "nothing is changed");
}

#[tokio::test]
async fn who_or_what_is_unknown_is_refused() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    assert_eq!(why(&library, &patron).await.expect(200).json()["limits"], json!([]));
    for id in [Uuid::new_v4().to_string(), "x".to_owned()] {
        let text = why(&library, &id).await.expect(404).text;
        assert_eq!(text, format!("user record with ID \"{id}\" cannot be found"));
    }
    let nobody = Uuid::new_v4();
    let tried = why(&library, &format!("{patron}?patronGroupId={nobody}")).await.expect(422);
    assert_eq!(tried.error_messages(), [format!("patronGroupId {nobody} does not exist")]);
    let malformed = library.desk.malformed().get(&format!("{PATRONS}/{patron}?patronGroupId=x")).await.expect(422);
    assert!(malformed.error_messages()[0].starts_with("must match"));
}

#[tokio::test]
async fn who_may_see_the_blocks_may_ask_why() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    let (clerk, stranger) = (
        client_with(&library, &["patron-blocks.automated-patron-blocks.collection.get"]).await,
        client_with(&library, &[]).await,
    );
    let enable: Value = json!([{"id": "mod-authtoken", "action": "enable"}]);
    library.desk.post("/_/proxy/tenants/test/install", &enable).await.expect(200);
    let path = format!("{PATRONS}/{patron}");
    clerk.get(&path).await.expect(200);
    stranger.get(&path).await.expect(403);
}
