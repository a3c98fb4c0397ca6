//! `/circulation/items-by-instance`.

use serde_json::json;

use super::{LendingLibrary, id};

const PATH: &str = "/circulation/items-by-instance";

#[tokio::test]
async fn a_title_comes_with_its_items() {
    let library = LendingLibrary::new().await;
    let first = library.item("i-1", json!({})).await;
    let second = library.item("i-2", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-2", "p-1", json!({})).await.expect(201);
    let query = format!("(id=={})", library.instance);
    let answer = library.desk.query(PATH, &query).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let title = answer.json();
    assert_eq!(title["title"], "A title");
    assert_eq!(title["tenantId"], title["items"][0]["tenantId"]);
    let items = title["items"].as_array().expect("items");
    let shown: Vec<_> = items.iter().map(|item| (id(item), item["status"]["name"].clone())).collect();
    assert_eq!(shown, [(first, json!("Available")), (second, json!("Checked out"))]);
    assert_eq!(items[0]["callNumber"], "QA 1");
    assert_eq!(items[0]["location"], json!({"name": "Stacks"}));
    assert_eq!(items[0]["instanceId"], *library.instance);
}

#[tokio::test]
async fn an_unknown_title_gives_nothing_and_a_missing_query_a_refusal() {
    let library = LendingLibrary::new().await;
    let nothing = format!("(id=={})", library.location);
    let answer = library.desk.query(PATH, &nothing).await.expect(200);
    assert_eq!(answer.json(), json!({}));
    assert_eq!(library.desk.get(PATH).await.expect(400).text, "query is empty");
    library.desk.query(PATH, "id==").await.expect(400);
}
