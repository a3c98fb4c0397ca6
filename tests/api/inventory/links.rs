//! Links between records (docs/folio/inventory-links-and-views.md).

use serde_json::json;

use super::{SmallInventory, small_inventory::id};

const NOBODY: &str = "11111111-1111-4111-8111-111111111111";

#[tokio::test]
async fn the_titles_of_an_instance_are_replaced_as_a_whole() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let other = id(&c.create("/instance-storage/instances", &inventory.new_instance()).await);
    let path = format!("/preceding-succeeding-titles/instances/{}", inventory.instance);
    let set = |titles| json!({"precedingSucceedingTitles": titles});
    let first = json!([{"precedingInstanceId": inventory.instance, "title": "Later"},
        {"succeedingInstanceId": inventory.instance, "precedingInstanceId": other}]);
    c.put(&path, &set(first)).await.expect(204);
    let total = c.get("/preceding-succeeding-titles").await.json()["totalRecords"].clone();
    assert_eq!(total, 2);
    let second = json!([{"precedingInstanceId": inventory.instance, "title": "Last"}]);
    c.put(&path, &set(second)).await.expect(204);
    let titles = c.get("/preceding-succeeding-titles").await.json();
    assert_eq!(
        (&titles["totalRecords"], &titles["precedingSucceedingTitles"][0]["title"]),
        (&json!(1), &json!("Last"))
    );
    c.put(&path, &set(json!([{"precedingInstanceId": other, "title": "x"}]))).await.expect(422);
    let absent = format!("/preceding-succeeding-titles/instances/{NOBODY}");
    let titles = set(json!([{"precedingInstanceId": NOBODY, "title": "x"}]));
    assert_eq!(c.put(&absent, &titles).await.expect(404).text, "Instance not found");
    let neither = c.post("/preceding-succeeding-titles", &json!({"title": "x"})).await.expect(422);
    let message = "The precedingInstanceId and succeedingInstanceId can't be empty at the same time";
    assert_eq!(neither.error_messages(), [message]);
}

#[tokio::test]
async fn an_item_is_bound_with_other_holdings() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({})).await;
    let other = id(&c.create("/holdings-storage/holdings", &inventory.new_holdings()).await);
    let bind = |contents: Vec<&String>| {
        let contents: Vec<_> = contents.into_iter().map(|id| json!({"holdingsRecordId": id})).collect();
        json!({"itemId": item["id"], "boundWithContents": contents})
    };
    let path = "/inventory-storage/bound-withs";
    let parts = async || c.get("/inventory-storage/bound-with-parts").await.json()["totalRecords"].clone();
    c.put(path, &bind(vec![&other])).await.expect(204);
    assert_eq!(parts().await, 2);
    c.put(path, &bind(vec![&other, &inventory.holdings])).await.expect(204);
    assert_eq!(parts().await, 2);
    let shown = c.get(&format!("/inventory/items/{}", item["id"].as_str().unwrap())).await.json();
    assert_eq!((&shown["isBoundWith"], shown["boundWithTitles"].as_array().unwrap().len()), (&json!(true), 2));
    let brief = &shown["boundWithTitles"][0];
    assert!(brief["briefHoldingsRecord"]["hrid"].is_string() && brief["briefInstance"]["title"].is_string());

    let by = async |holdings: &String, more: &str| {
        let path = format!("/inventory/items-by-holdings-id?query=holdingsRecordId=={holdings}{more}");
        c.get(&path).await.expect(200).json()["totalRecords"].clone()
    };
    assert_eq!(by(&other, "").await, 1);
    assert_eq!(by(&other, "&relations=onlyBoundWiths").await, 1);
    assert_eq!(by(&inventory.holdings, "&relations=onlyBoundWithsSkipDirectlyLinkedItem").await, 0);

    let twice = json!({"itemId": item["id"], "holdingsRecordId": other});
    c.post("/inventory-storage/bound-with-parts", &twice).await.expect(422);
    c.put(path, &bind(vec![&inventory.holdings])).await.expect(204);
    assert_eq!(parts().await, 0);
    let absent = NOBODY.to_owned();
    let refused = c.put(path, &bind(vec![&absent])).await.expect(422).json();
    let (message, code) = ("Holdings record not found.", "holding.not-found");
    assert_eq!((&refused["errors"][0]["message"], &refused["errors"][0]["code"]), (&json!(message), &json!(code)));
    let refused = c.put(path, &json!({"itemId": NOBODY, "boundWithContents": []})).await.expect(422).json();
    let (message, code) = ("Item not found.", "item.not-found");
    assert_eq!((&refused["errors"][0]["message"], &refused["errors"][0]["code"]), (&json!(message), &json!(code)));
}

#[tokio::test]
async fn items_of_holdings_are_asked_for_by_them_alone() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for _ in 0..2 {
        inventory.item(json!({})).await;
    }
    let path = "/inventory/items-by-holdings-id";
    let own = format!("query=holdingsRecordId=={}", inventory.holdings);
    // What is no number counts as absent, and too many items are cut.
    for (page, shown) in
        [("", 2), ("&offset=string&limit=string", 2), ("&limit=&offset=", 2), ("&limit=10001", 2), ("&limit=1", 1)]
    {
        let items = c.get(&format!("{path}?{own}{page}")).await.expect(200).json();
        assert_eq!((items["items"].as_array().unwrap().len(), &items["totalRecords"]), (shown, &json!(2)), "{page}");
    }
    let by = "Items must be retrieved by 'holdingsRecordId' from this API";
    let relations = "The only valid values of the request parameter 'relations' are: 'onlyBoundWiths' and \
        'onlyBoundWithsSkipDirectlyLinkedItem'";
    for (query, refusal) in [
        ("", format!("{by}. Query was: null")),
        ("?query=id==1", format!("{by}. Query was: id==1")),
        ("?query=id==1&relations=x", format!("{by}. Query was: id==1")),
        (
            "?query=holdingsRecordId==1+or+id==2",
            format!("{by}: query=holdingsRecordId==[a UUID]. Query was: holdingsRecordId==1 or id==2"),
        ),
        ("?query=holdingsRecordId==1&relations=x", relations.to_owned()),
        ("?query=holdingsRecordId==1&relations=", relations.to_owned()),
    ] {
        assert_eq!(c.get(&format!("{path}{query}")).await.expect(400).text, refusal, "{query}");
    }
}

#[tokio::test]
async fn links_that_are_not_there_and_ids_that_are_none() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    c.delete(&format!("/instance-storage/instance-relationships/{NOBODY}")).await.expect(204);
    let title = json!({"precedingInstanceId": inventory.instance, "title": "A title"});
    let refused = c.put("/preceding-succeeding-titles/abc", &title).await.expect(422);
    assert!(refused.error_messages()[0].starts_with("Invalid UUID format of id"));
    c.delete("/preceding-succeeding-titles/abc").await.expect(400);
}
