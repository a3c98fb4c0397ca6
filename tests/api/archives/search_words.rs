//! What words of queries find (contract 8.1): Lucene's syntax in its corners, and what is refused.

use super::{
    search::{Collection, collection},
    *,
};

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

impl Collection {
    async fn asked(&self, query: &str) -> u64 {
        self.hits(&format!("q={}", encoded(query))).await
    }
}

#[tokio::test]
async fn words_with_typing_errors_are_found() {
    let all = collection().await;
    for title in ["walrus green tall shiny hammock", "walnuts", "Sea wall"] {
        all.component(title).await;
    }
    for (query, expected) in [
        ("walrs", 0),
        ("walrs~1", 1),
        ("walrs~", 2),
        ("wlaurs~", 1),
        ("wlaurs~1", 0),
        ("title:walrs~1", 1),
        ("wlrus~2 hamock~", 1),
        ("wall~1", 2),
        ("wall~0", 1),
        ("walrs~0.7", 1),
        ("walrs~0.9", 0),
        ("walrus~0", 1),
        ("walr*~1", 1),
        ("-walrs~1 AND hammock", 0),
        ("subjects:Harbors~", 1),
        ("subjects:harbors~", 1),
        ("primary_type:resuorce~1", 1),
        ("years:1951~", 0),
        ("years:1911~", 1),
    ] {
        assert_eq!(all.asked(query).await, expected, "{query}");
    }
    let marked = all.found("q=walrs~1&hl=true").await["highlighting"].to_string();
    assert!(marked.contains(r#"<span class=\"searchterm\">walrus</span> green"#), "{marked}");
    let query = json!({"query": {"jsonmodel_type": "field_query", "field": "title", "value": "walrs~1"}});
    assert_eq!(all.hits(&format!("aq={}", encoded(&query.to_string()))).await, 1);
}

#[tokio::test]
async fn the_nearest_word_comes_first() {
    let all = collection().await;
    for title in ["walnutty", "walruses", "walrus"] {
        all.component(title).await;
    }
    assert_eq!(all.titles("q=walrus~2").await, ["walrus", "walruses"]);
}

#[tokio::test]
async fn so_many_words_may_have_errors() {
    let all = collection().await;
    let many = |word: &str, many: usize| encoded(&format!("{word} ").repeat(many));
    for word in ["wxyzvw~", "*wxyzvw", "wx?zvw~"] {
        assert_eq!(all.hits(&format!("q={}", many(word, 16))).await, 0, "{word}");
    }
    assert_eq!(all.hits(&format!("q={}", many("wxyzvw*", 100))).await, 0);
    let part = json!({"jsonmodel_type": "field_query", "field": "title", "value": "a~ b~ ".repeat(10)});
    let parts = vec![part; 4];
    let query = json!({"query": {"jsonmodel_type": "boolean_query", "op": "OR", "subqueries": parts}});
    let filters = format!("q={0}&filter_query[]={0}", many("x~", 9));
    for (parameter, query) in [
        ("q", format!("q={}", many("wxyzvw~", 17))),
        ("q", format!("q={}", many("*wxyzvw", 17))),
        ("q", filters),
        ("aq", format!("aq={}", encoded(&query.to_string()))),
    ] {
        let path = format!("{}/search?page=1&{query}", all.repository);
        let refused = all.archives.admin.get(&path).await.expect(400).json();
        let told = "A search has at most 64 words with ~ and patterns, counted for each field they are in";
        assert_eq!(refused, json!({"error": {parameter: [told]}}));
    }
}

#[tokio::test]
async fn words_near_each_other_are_found() {
    let all = collection().await;
    all.component("walrus green tall shiny hammock").await;
    for (query, expected) in [
        ("\"walrus hammock\"", 0),
        ("\"walrus hammock\"~2", 0),
        ("\"walrus hammock\"~3", 1),
        ("\"walrus hammock\"~10", 1),
        ("\"walrus hammock\"~99999999999", 1),
        ("title:\"walrus hammock\"~10", 1),
        ("\"walrus tall\"~1", 1),
        ("\"green walrus\"~1", 0),
        ("\"green walrus\"~2", 1),
        ("\"walrus tall hammock\"~2", 1),
        ("\"walrus hammock\"~", 0),
        ("\"walrus\"~3", 1),
        ("\"walrus nothing\"~10", 0),
        ("hammock -\"walrus tall\"~1", 0),
        ("primary_type:\"archival_object\"~3 AND walrus", 1),
    ] {
        assert_eq!(all.asked(query).await, expected, "{query}");
    }
    let marked = all.found(&format!("q={}&hl=true", encoded("\"walrus tall\"~2"))).await["highlighting"].to_string();
    assert!(marked.contains(r#"<span class=\"searchterm\">tall</span>"#), "{marked}");
}

#[tokio::test]
async fn words_too_long_for_the_index_find_nothing() {
    let all = collection().await;
    for long in [255, 300, 5_000] {
        let long = "q".repeat(long);
        for query in [long.clone(), format!("maps {long}"), format!("\"maps {long}\""), format!("title:{long}*")] {
            assert_eq!(all.asked(&query).await, 0, "{query}");
        }
        assert_eq!(all.asked(&format!("maps OR {long}")).await, 1);
        assert_eq!(all.asked(&format!("maps -{long}")).await, 1);
    }
    assert_eq!(all.hits(&format!("q=maps&filter_query[]={}", "q".repeat(255))).await, 0);
}

#[tokio::test]
async fn advanced_queries_say_what_they_look_for() {
    let all = collection().await;
    let of = |kind: &str, more: Value| {
        let mut query = json!({"jsonmodel_type": kind, "field": "create_time"});
        query.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        query
    };
    let no_value = "Must specify either a value or use the 'empty' comparator";
    let no_field = "field: Property is required but was missing";
    let no_part = "At least 1 item(s) is required";
    for (query, told) in [
        (of("field_query", json!({})), no_value),
        (of("field_query", json!({"value": ""})), no_value),
        (of("field_query", json!({"value": "", "comparator": "contains", "literal": true})), no_value),
        (of("field_query", json!({"value": "", "negated": true})), no_value),
        (of("date_field_query", json!({})), no_value),
        (of("field_query", json!({"field": null, "value": "x"})), no_field),
        (of("date_field_query", json!({"field": null, "comparator": "empty"})), no_field),
        (of("range_query", json!({"field": null, "from": "1"})), no_field),
        (of("boolean_field_query", json!({"field": null, "value": true})), no_field),
        (of("boolean_field_query", json!({})), "value: Property is required but was missing"),
        (of("date_field_query", json!({"value": "", "comparator": "equal"})), no_value),
        (json!({"jsonmodel_type": "boolean_query", "op": "AND", "subqueries": []}), no_part),
        (
            json!({"jsonmodel_type": "boolean_query", "op": "OR", "subqueries": [
            {"jsonmodel_type": "boolean_query", "op": "NOT", "subqueries": []}]}),
            no_part,
        ),
    ] {
        for parameter in ["aq", "filter"] {
            let sent = encoded(&json!({"jsonmodel_type": "advanced_query", "query": query}).to_string());
            let path = format!("{}/search?page=1&{parameter}={sent}", all.repository);
            let refused = all.archives.admin.get(&path).await.expect(400).json();
            assert_eq!(refused, json!({"error": {parameter: [told]}}), "{query}");
        }
    }
    for query in
        [of("field_query", json!({"comparator": "empty"})), of("date_field_query", json!({"comparator": "empty"}))]
    {
        let sent = encoded(&json!({"jsonmodel_type": "advanced_query", "query": query}).to_string());
        assert_eq!(all.hits(&format!("aq={sent}")).await, 0);
    }
}

#[tokio::test]
async fn collection_management_is_found_by_the_title_of_its_record() {
    let all = collection().await;
    let mut managed = resource("W");
    managed["title"] = json!("Alpha W");
    managed["collection_management"] = json!({"processors": "Joe", "processing_priority": "high"});
    let managed = all.archives.add(&format!("{}/resources", all.repository), &managed).await;
    for query in ["alpha", "W", "title:alpha", "\"alpha w\""] {
        let query = format!("{query} AND primary_type:collection_management");
        let found = all.found(&format!("q={}", encoded(&query))).await;
        assert_eq!((&found["total_hits"], &found["results"][0]["parent_id"]), (&json!(1), &json!(managed)), "{query}");
    }
    assert_eq!(all.asked("alpha").await, 2);
}

#[tokio::test]
async fn what_has_no_words_finds_nothing() {
    let all = collection().await;
    for title in ["Letters & maps", "Letters"] {
        all.component(title).await;
    }
    for query in [
        "…",
        "!!!",
        "---",
        "¶",
        "😀",
        "\"\"",
        "\"…\"",
        "title:\"...\"",
        "title:😀",
        "title:…*",
        "(… OR ---)",
        "\"",
        "~",
    ] {
        assert_eq!(all.asked(query).await, 0, "{query}");
        assert_eq!(all.hits(&format!("q=letters&filter_query[]={}", encoded(query))).await, 0, "{query}");
    }
    for (query, expected) in [
        ("letters …", 2),
        ("letters & maps", 1),
        ("letters OR …", 2),
        ("letters -…", 2),
        ("&", 1),
        ("letters - maps", 1),
    ] {
        assert_eq!(all.asked(query).await, expected, "{query}");
    }
    let of = |field: &str| json!({"jsonmodel_type": "field_query", "field": field, "value": "---"});
    for field in ["keyword", "title", "level"] {
        let sent = encoded(&json!({"query": of(field)}).to_string());
        assert_eq!(all.hits(&format!("aq={sent}")).await, 0, "{field}");
        assert_eq!(all.hits(&format!("filter={sent}")).await, 0, "{field}");
        assert_eq!(all.hits(&format!("filter_term[]={}", encoded(&json!({field: "---"}).to_string()))).await, 0);
    }
}

#[tokio::test]
async fn words_of_scripts_without_blanks_are_found_within_others() {
    let all = collection().await;
    for title in ["中國人民政治協商會議文件", "日本語 東京 写真 ひらがなカタカナ", "한국어 Papers東京"]
    {
        all.component(title).await;
    }
    for (query, expected) in [
        ("人民", 1),
        ("\"人民\"", 1),
        ("title:人民", 1),
        ("民人", 0),
        ("人民 文件", 1),
        ("人民*", 1),
        ("*人民*", 1),
        ("人?政", 1),
        ("日本", 1),
        ("写", 1),
        ("ひら", 1),
        ("カナ", 1),
        ("東京", 2),
        ("papers", 1),
        ("한국어", 1),
        ("한국", 0),
        ("中國人民政治協商會議文件", 1),
    ] {
        assert_eq!(all.asked(query).await, expected, "{query}");
    }
}
