//! Lists that are browsed: subjects, contributors, classification numbers and call numbers.

use super::*;

const AUTHOR: &str = "6e09d47d-95e2-4d8a-831b-f777b8ef6d81";
const EDITOR: &str = "9deb29d1-3e71-4951-9413-a80adac703d0";
pub(super) const CORPORATE_NAME: &str = "2e48e713-17f3-4c13-a9f8-23845bb210aa";
pub(super) const LC: &str = "ce176ace-a53e-4b4d-aa89-725ed7b2edac";
pub(super) const DEWEY: &str = "42471af9-7d25-4f3a-bf78-60d29dcf463b";
const LC_CALL_NUMBER: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
pub(super) const DEWEY_CALL_NUMBER: &str = "03dd64d0-5626-4ecd-8ece-4531e0069f35";
pub(super) const ANNEX: &str = "53cf956f-c1df-410b-8bea-27f712cca7c0";
const AUTHORITY: &str = "11111111-0000-4000-8000-000000000001";
pub(super) const SOURCE: &str = "11111111-0000-4000-8000-000000000002";
pub(super) const SUBJECT_TYPE: &str = "11111111-0000-4000-8000-000000000003";

pub(super) const SUBJECTS: &str = "/browse/subjects/instances";
const CONTRIBUTORS: &str = "/browse/contributors/instances";

impl Searched {
    /// A page, which takes so many round trips.
    async fn browse(&self, path: &str, query: &str, round_trips: u32) -> Value {
        let answer = self.client.query(path, query).await.expect(200);
        assert!(answer.headers.get("x-carrel-search-behind").is_none(), "the index is behind");
        assert_eq!(answer.round_trips(), round_trips, "{path} {query}");
        answer.json()
    }

    /// The values of a page, the anchor in brackets and a value without records with a question mark; then prev and next.
    async fn values(&self, path: &str, query: &str) -> String {
        let round_trips = u32::from(path.contains("number"));
        let page = self.client.query(path, query).await.expect(200);
        assert!(page.round_trips() <= round_trips, "{path} {query}");
        let page = page.json();
        let names = ["value", "name", "classificationNumber", "fullCallNumber"];
        let items = page["items"].as_array().expect("a list").iter().map(|item| {
            let value = names.iter().find_map(|name| item[*name].as_str()).expect("a value");
            let missing = if item["totalRecords"] == 0 { "?" } else { "" };
            if item["isAnchor"] == true { format!("[{value}{missing}]") } else { format!("{value}{missing}") }
        });
        let items = items.collect::<Vec<_>>().join(", ");
        let end = |name: &str| page[name].as_str().unwrap_or("-").to_owned();
        format!("{} | {items} | {}", end("prev"), end("next"))
    }

    pub(super) async fn total_of(&self, path: &str, query: &str) -> u64 {
        self.client.query(path, query).await.expect(200).json()["totalRecords"].as_u64().expect("a number")
    }
}

/// Instances with subjects that come after all of the sample.
pub(super) async fn with_subjects() -> Searched {
    let all = Searched::new().await;
    for (path, id) in [("/subject-sources", SOURCE), ("/subject-types", SUBJECT_TYPE)] {
        all.client.create(path, &json!({"id": id, "name": "Zzb", "source": "local"})).await;
    }
    for subjects in [
        json!([{"value": "Zzb apples"}, {"value": "Zzb Éclairs"}]),
        json!([{"value": "Zzb apples"}, {"value": "zzb Bread", "sourceId": SOURCE}]),
        json!([{"value": "Zzb cake", "authorityId": AUTHORITY}, {"value": "Zzb cake", "typeId": SUBJECT_TYPE},
            {"value": "Zzb cake"}, {"value": "Zzb cake"}, {"value": "   "}]),
    ] {
        all.instance(json!({"subjects": subjects})).await;
    }
    all
}

#[tokio::test]
async fn subjects_are_browsed_from_an_anchor_both_ways() {
    let all = with_subjects().await;
    for (parameters, query, expected) in [
        ("limit=3", "value >= zzb", "Zzb apples | Zzb apples, zzb Bread, Zzb cake | Zzb cake"),
        ("limit=9", "value > \"ZZB APPLES\"", "zzb Bread | zzb Bread, Zzb cake, Zzb cake, Zzb cake, Zzb Éclairs | -"),
        ("limit=2", "value >= \"zzb eclairs\"", "Zzb Éclairs | Zzb Éclairs | -"),
        ("limit=2", "value > \"zzb eclairs\"", "- |  | -"),
        ("limit=2", "value < \"zzb cake\"", "Zzb apples | Zzb apples, zzb Bread | zzb Bread"),
        ("limit=2", "value <= \"zzb bread\"", "Zzb apples | Zzb apples, zzb Bread | zzb Bread"),
        (
            "limit=4",
            "value >= \"zzb bread\" or value < \"zzb bread\"",
            "World music. | World music., Zzb apples, [zzb Bread], Zzb cake | Zzb cake",
        ),
        (
            "limit=4",
            "value < \"zzb dough\" or value >= \"zzb dough\"",
            "Zzb cake | Zzb cake, Zzb cake, [zzb dough?], Zzb Éclairs | -",
        ),
        (
            "limit=6&precedingRecordsCount=4",
            "value > \"zzb cake\" or value < \"zzb cake\"",
            "Zzb apples | Zzb apples, zzb Bread, Zzb cake, Zzb cake, [zzb cake?], Zzb Éclairs | -",
        ),
        (
            "limit=4&precedingRecordsCount=1&highlightMatch=false",
            "value > \"zzb cake\" or value < \"zzb cake\"",
            "Zzb cake | Zzb cake, Zzb Éclairs | -",
        ),
        (
            "limit=2",
            "value > \"zzb apples\" or value < \"zzb apples\"",
            "World music. | World music., [zzb apples?] | zzb apples",
        ),
        (
            "limit=4&highlightMatch=false",
            "value > \"zzb dough\" or value < \"zzb dough\"",
            "Zzb cake | Zzb cake, Zzb cake, Zzb Éclairs | -",
        ),
        (
            "limit=2&highlightMatch=false",
            "value >= \"zzb eclairs\" or value < \"zzb eclairs\"",
            "Zzb cake | Zzb cake, Zzb Éclairs | -",
        ),
        ("limit=3", "value >= \"\"", "- |  | -"),
        ("limit=0", "value >= zzb", "- |  | -"),
    ] {
        let found = all.values(&format!("{SUBJECTS}?{parameters}"), query).await;
        assert_eq!(found, expected, "{parameters} {query}");
    }
    let nothing = all.browse(SUBJECTS, "value >= \"\" or value < \"\"", 0).await;
    assert_eq!(nothing, json!({"totalRecords": 0, "items": []}));
}

#[tokio::test]
async fn a_row_is_a_subject_with_its_authority_source_and_type() {
    let all = with_subjects().await;
    let page =
        all.browse(&format!("{SUBJECTS}?limit=10"), "value >= \"Zzb apples\" or value < \"Zzb apples\"", 0).await;
    let total = page["totalRecords"].as_u64().expect("a number");
    let after: Vec<Value> = page["items"].as_array().expect("a list").iter().skip(5).cloned().collect();
    assert_eq!(
        json!(after),
        json!([
            {"value": "Zzb apples", "isAnchor": true, "totalRecords": 2},
            {"value": "zzb Bread", "sourceId": SOURCE, "totalRecords": 1},
            {"value": "Zzb cake", "authorityId": AUTHORITY, "totalRecords": 1},
            {"value": "Zzb cake", "typeId": SUBJECT_TYPE, "totalRecords": 1},
            {"value": "Zzb cake", "totalRecords": 1},
        ])
    );
    for (filter, values, count) in [
        (format!("sourceId=={SOURCE}"), "zzb Bread", 1),
        (format!("typeId==\"{SUBJECT_TYPE}\""), "Zzb cake", 1),
        (format!("(sourceId=={SOURCE} or sourceId=={AUTHORITY})"), "zzb Bread", 1),
        (format!("typeId==({SUBJECT_TYPE} or {SOURCE}) and instances.shared==false"), "Zzb cake", 1),
        (format!("sourceId=={SOURCE} and instances.tenantId=={TENANT}"), "zzb Bread", 1),
        (format!("sourceId=={SOURCE} and instances.tenantId==other"), "", 0),
        ("instances.shared==true".to_owned(), "", 0),
    ] {
        let query = format!("(value >= \"Zzb\" or value < \"Zzb\") and {filter}");
        let path = format!("{SUBJECTS}?highlightMatch=false");
        assert_eq!(all.values(&path, &query).await, format!("- | {values} | -"), "{filter}");
        assert_eq!(all.total_of(&path, &query).await, count, "{filter}");
    }
    // What is saved and deleted is seen by the next page.
    let id = all
        .instance(json!({"discoverySuppress": true, "staffSuppress": true, "subjects": [{"value": "Zzb baking"}]}))
        .await;
    let query = "value > \"zzb apples\"";
    let page = all.browse(&format!("{SUBJECTS}?limit=1"), query, 0).await;
    assert_eq!(page["items"], json!([{"value": "Zzb baking", "totalRecords": 1}]));
    assert_eq!(page["totalRecords"], total + 1);
    all.change(&format!("/instance-storage/instances/{id}"), "subjects", json!([{"value": "Zzb apples"}])).await;
    let page = all.browse(&format!("{SUBJECTS}?limit=1"), "value >= \"zzb apples\"", 0).await;
    assert_eq!((&page["items"][0]["totalRecords"], &page["totalRecords"]), (&json!(3), &json!(total)));
    all.client.delete(&format!("/instance-storage/instances/{id}")).await.expect(204);
    let page = all.browse(&format!("{SUBJECTS}?limit=1"), "value >= \"zzb apples\"", 0).await;
    assert_eq!(page["items"][0]["totalRecords"], 2);
}

/// Names in other scripts' letters are typed without their signs.
#[tokio::test]
async fn names_are_found_without_the_signs_of_their_romanization() {
    let all = Searched::new().await;
    let names = ["Gogolʹ, Nikolaĭ", "ʻAbd al-Raḥmān", "Muḥammad ibn ʿAbd Allāh", "D’Annunzio", "“Zzq” 1914–1918"];
    let contributors: Vec<Value> =
        names.iter().map(|name| json!({"name": name, "contributorNameTypeId": PERSONAL_NAME})).collect();
    all.instance(json!({"title": "Zzromanized", "contributors": contributors})).await;
    for (typed, name) in [
        ("gogol, nikolai", names[0]),
        ("Abd al-Rahman", names[1]),
        ("Muhammad ibn Abd Allah", names[2]),
        ("D'Annunzio", names[3]),
        ("\\\"Zzq\\\" 1914-1918", names[4]),
    ] {
        let query = format!("name >= \"{typed}\" or name < \"{typed}\"");
        let page = all.client.query(&format!("{CONTRIBUTORS}?limit=2"), &query).await.expect(200).json();
        let anchor = page["items"].as_array().expect("a list").iter().find(|item| item["isAnchor"] == true);
        assert_eq!(
            anchor.map(|item| (&item["name"], &item["totalRecords"])),
            Some((&json!(name), &json!(1))),
            "{typed}"
        );
        assert_eq!(all.total(&format!("contributors all \"{typed}\"")).await, 1, "{typed}");
    }
}

#[tokio::test]
async fn contributors_are_browsed_by_their_names() {
    let all = Searched::new().await;
    let name = |name: &str, name_type: &str, kind: Option<&str>, authority: Option<&str>| {
        let mut one = json!({"name": name, "contributorNameTypeId": name_type});
        for (member, value) in [("contributorTypeId", kind), ("authorityId", authority)] {
            if let Some(value) = value {
                one[member] = value.into();
            }
        }
        one
    };
    for contributors in [
        json!([
            name("Zzc, Ada", PERSONAL_NAME, Some(AUTHOR), None),
            name("Zzc, Ada", PERSONAL_NAME, Some(EDITOR), None)
        ]),
        json!([
            name("Zzc, Ada", PERSONAL_NAME, Some(AUTHOR), Some(AUTHORITY)),
            name("Zzc House", CORPORATE_NAME, None, None)
        ]),
        json!([name("Zzc, Ada", PERSONAL_NAME, Some(AUTHOR), None)]),
    ] {
        all.instance(json!({"contributors": contributors})).await;
    }
    let page = all.browse(CONTRIBUTORS, "name >= \"zzc\" or name < \"zzc\"", 0).await;
    let items = page["items"].as_array().expect("a list");
    let from = items.iter().position(|item| item["isAnchor"] == true).expect("the anchor");
    assert!(items[..from].iter().all(|item| item["isAnchor"] == false));
    assert_eq!(
        json!(items[from..]),
        json!([
            {"name": "zzc", "contributorTypeId": [], "isAnchor": true, "totalRecords": 0},
            {"name": "Zzc House", "contributorNameTypeId": CORPORATE_NAME, "contributorTypeId": [], "isAnchor": false, "totalRecords": 1},
            {"name": "Zzc, Ada", "contributorNameTypeId": PERSONAL_NAME, "contributorTypeId": [AUTHOR], "authorityId": AUTHORITY,
                "isAnchor": false, "totalRecords": 1},
            {"name": "Zzc, Ada", "contributorNameTypeId": PERSONAL_NAME, "contributorTypeId": [AUTHOR, EDITOR], "isAnchor": false,
                "totalRecords": 2},
        ])
    );
    let query = "name < \"zzc house\" or name > \"zzc house\"";
    let path = format!("{CONTRIBUTORS}?limit=3&precedingRecordsCount=1");
    assert_eq!(all.values(&path, query).await, "Zzc House | Zzc House, [zzc house?], Zzc, Ada | Zzc, Ada");
    let query = format!("(name >= zzc or name < zzc) and contributorNameTypeId=={CORPORATE_NAME}");
    assert!(all.values(CONTRIBUTORS, &query).await.ends_with("[zzc?], Zzc House | -"));
    let personal = all.total_of(CONTRIBUTORS, &format!("name >= zzc and contributorNameTypeId=={PERSONAL_NAME}")).await;
    assert!(personal < page["totalRecords"].as_u64().expect("a number"));
}

#[tokio::test]
async fn classification_numbers_are_browsed_as_their_option_says() {
    let all = Searched::new().await;
    let number = |number: &str, kind: &str| json!({"classificationNumber": number, "classificationTypeId": kind});
    for (title, numbers) in [
        ("One", json!([number("ZB9 .A6", LC), number("ZB76.5 .A6", LC)])),
        ("Two", json!([number("ZB10 .A6", LC), number("ZB9 .A6", LC), number("zb9 .b", DEWEY)])),
    ] {
        all.instance(json!({"title": title, "classifications": numbers})).await;
    }
    let path = |option: &str| {
        format!(
            "/browse/classification-numbers/{option}/instances?limit=6&precedingRecordsCount=1&highlightMatch=false"
        )
    };
    // As texts, and as numbers on shelves.
    assert_eq!(
        all.values(&path("all"), "number >= \"ZB\"").await,
        "ZB10 .A6 | ZB10 .A6, ZB76.5 .A6, ZB9 .A6, zb9 .b | -"
    );
    assert_eq!(
        all.values(&path("lc"), "number >= \"ZB\"").await,
        "ZB9 .A6 | ZB9 .A6, zb9 .b, ZB10 .A6, ZB76.5 .A6 | -"
    );
    assert_eq!(all.values(&path("lc"), "number < \"zb10 .a6\"").await.split(" | ").last(), Some("zb9 .b"));
    let page = all.browse(&path("all"), "number >= \"ZB76\"", 1).await;
    assert_eq!(
        page["items"],
        json!([
            {"classificationNumber": "ZB76.5 .A6", "classificationTypeId": LC, "instanceTitle": "One", "totalRecords": 1},
            {"classificationNumber": "ZB9 .A6", "classificationTypeId": LC, "totalRecords": 2},
            {"classificationNumber": "zb9 .b", "classificationTypeId": DEWEY, "instanceTitle": "Two", "totalRecords": 1},
        ])
    );
    let config = "/browse/config/instance-classification/lc";
    let only = json!({"id": "lc", "shelvingAlgorithm": "lc", "typeIds": [LC]});
    assert_eq!(all.client.put(config, &only).await.expect(200).text, "");
    assert_eq!(all.values(&path("lc"), "number >= \"ZB\"").await, "ZB9 .A6 | ZB9 .A6, ZB10 .A6, ZB76.5 .A6 | -");
    all.client.put(config, &json!({"id": "lc", "shelvingAlgorithm": "default", "typeIds": [LC]})).await.expect(200);
    assert_eq!(all.values(&path("lc"), "number >= \"ZB\"").await, "ZB10 .A6 | ZB10 .A6, ZB76.5 .A6, ZB9 .A6 | -");
    // A list that is turned off is empty.
    let off = json!({"feature": "browse.classifications", "enabled": false});
    all.client.post("/search/config/features", &off).await.expect(200);
    assert_eq!(all.values(&path("all"), "number >= \"ZB\"").await, "- |  | -");
    assert_eq!(all.total_of(&path("all"), "number >= \"ZB\"").await, 0);
}

#[tokio::test]
async fn call_numbers_of_items_are_browsed() {
    let all = Searched::new().await;
    let one = all.instance(json!({"title": "One"})).await;
    let two = all.instance(json!({"title": "Two", "discoverySuppress": true})).await;
    let mut holdings = Vec::new();
    for (instance, place) in [(&one, MAIN_LIBRARY), (&one, ANNEX), (&two, ANNEX)] {
        holdings.push(all.holdings(instance, json!({"permanentLocationId": place})).await);
    }
    let number = |number: &str, kind: &str| json!({"itemLevelCallNumber": number, "itemLevelCallNumberTypeId": kind});
    for (place, item) in [
        (0, number("ZC9 .A6", LC_CALL_NUMBER)),
        (1, number("ZC9 .A6", LC_CALL_NUMBER)),
        (2, number("ZC9 .A6", LC_CALL_NUMBER)),
        (2, number("ZC10 .A6", LC_CALL_NUMBER)),
        (2, number("zc10 .b", DEWEY_CALL_NUMBER)),
        (
            0,
            json!({"itemLevelCallNumber": "ZC9 .A6", "itemLevelCallNumberPrefix": "Over",
                "itemLevelCallNumberSuffix": "CD", "discoverySuppress": true}),
        ),
        (0, json!({"itemLevelCallNumber": "  "})),
    ] {
        all.item(&holdings[place], item).await;
    }
    let path = |option: &str| format!("/browse/call-numbers/{option}/instances?limit=6&highlightMatch=false");
    let (all_after, lc_after) = ("ZC10 .A6, zc10 .b, ZC9 .A6, ZC9 .A6 CD", "ZC9 .A6, ZC9 .A6 CD, ZC10 .A6, zc10 .b");
    for (option, expected) in
        [("all", all_after), ("other", all_after), ("lc", lc_after), ("nlm", lc_after), ("sudoc", lc_after)]
    {
        let found = all.values(&path(option), "fullCallNumber >= \"ZC\"").await;
        // In the order of documents, numbers of other kinds follow.
        let page = found.split(" | ").nth(1).unwrap_or_default();
        assert!(page == expected || option == "sudoc" && page.starts_with(expected), "{option}: {page}");
    }
    // Copies of one title count once; the title is there if there is no other.
    let page = all.browse(&path("lc"), "fullCallNumber >= \"zc9 .a6\"", 1).await;
    assert_eq!(
        page["items"],
        json!([
            {"fullCallNumber": "ZC9 .A6", "callNumber": "ZC9 .A6", "callNumberTypeId": LC_CALL_NUMBER, "totalRecords": 2},
            {"fullCallNumber": "ZC9 .A6 CD", "callNumber": "ZC9 .A6", "callNumberPrefix": "Over", "callNumberSuffix": "CD",
                "instanceTitle": "One", "totalRecords": 1},
            {"fullCallNumber": "ZC10 .A6", "callNumber": "ZC10 .A6", "callNumberTypeId": LC_CALL_NUMBER, "instanceTitle": "Two",
                "totalRecords": 1},
            {"fullCallNumber": "zc10 .b", "callNumber": "zc10 .b", "callNumberTypeId": DEWEY_CALL_NUMBER, "instanceTitle": "Two",
                "totalRecords": 1},
        ])
    );
    for (filter, expected) in [
        (format!("callNumberTypeId=={LC_CALL_NUMBER}"), "ZC10 .A6, ZC9 .A6"),
        (format!("callNumberTypeId==({LC_CALL_NUMBER} or {DEWEY_CALL_NUMBER})"), "ZC10 .A6, zc10 .b, ZC9 .A6"),
        (format!("instances.locationId=={MAIN_LIBRARY}"), "ZC9 .A6, ZC9 .A6 CD"),
        (format!("instances.locationId=={ANNEX} and callNumberTypeId=={DEWEY_CALL_NUMBER}"), "zc10 .b"),
        ("callNumberTypeId==lc".to_owned(), all_after),
    ] {
        let found = all.values(&path("all"), &format!("(fullCallNumber >= \"ZC\") and {filter}")).await;
        assert_eq!(found.split(" | ").nth(1), Some(expected), "{filter}");
    }
    // At one location, only its titles count.
    let query = format!("fullCallNumber >= \"zc9 .a6\" and instances.locationId=={MAIN_LIBRARY}");
    let page = all.browse(&path("lc"), &query, 1).await;
    assert_eq!((&page["items"][0]["totalRecords"], &page["items"][0]["instanceTitle"]), (&json!(1), &json!("One")));
    let config = json!({"id": "lc", "shelvingAlgorithm": "lc", "typeIds": [LC_CALL_NUMBER]});
    all.client.put("/browse/config/instance-call-number/lc", &config).await.expect(200);
    let found = all.values(&path("lc"), "fullCallNumber >= \"ZC\"").await;
    assert_eq!(found.split(" | ").nth(1), Some("ZC9 .A6, ZC10 .A6"));
    let found = all.values(&path("all"), "fullCallNumber >= \"ZC\" and callNumberTypeId==lc").await;
    assert_eq!(found.split(" | ").nth(1), Some("ZC10 .A6, ZC9 .A6"));
    // A title that is lent is still there, and one whose items move is elsewhere.
    let item = all.client.query("/item-storage/items", "itemLevelCallNumberPrefix==Over").await.expect(200).json();
    let item = format!("/item-storage/items/{}", id(&item["items"][0]));
    all.change(&item, "permanentLocationId", json!(ANNEX)).await;
    let query = format!("fullCallNumber >= \"ZC\" and instances.locationId=={ANNEX}");
    let found = all.values(&path("all"), &query).await;
    assert_eq!(found.split(" | ").nth(1), Some(all_after));
    all.client.delete(&item).await.expect(204);
    let found = all.values(&path("all"), "fullCallNumber >= \"ZC\"").await;
    assert_eq!(found.split(" | ").nth(1), Some("ZC10 .A6, zc10 .b, ZC9 .A6"));
}
