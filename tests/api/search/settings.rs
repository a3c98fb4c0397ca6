//! Languages and features.

use super::*;

#[tokio::test]
async fn words_are_searched_in_the_basic_forms_of_configured_languages() {
    let all = Searched::new().await;
    all.instance(json!({"title": "Alte Häuser", "languages": ["ger"]})).await;
    let languages = "/search/config/languages";
    let listed = all.client.get(languages).await.expect(200).json();
    assert_eq!(listed, json!({"languageConfigs": [{"code": "eng"}], "totalRecords": 1}));
    assert_eq!(all.total("title=\"alte haus\"").await, 0);
    let german = json!({"code": "ger"});
    assert_eq!(all.client.post(languages, &german).await.expect(200).json(), german);
    assert_eq!(all.total("title=\"alte haus\"").await, 1);
    let changed = json!({"code": "ger", "languageAnalyzer": "german"});
    assert_eq!(all.client.put("/search/config/languages/ger", &changed).await.expect(200).json(), changed);
    for code in ["fre", "ita", "spa"] {
        all.client.post(languages, &json!({"code": code})).await.expect(200);
    }
    for (code, status, message) in [
        ("rus", 422, "Tenant is allowed to have only 5 languages configured"),
        ("lat", 422, "Language has no analyzer available"),
        ("english", 400, "must match \"[a-zA-Z]{3}\""),
    ] {
        let refused = all.client.post(languages, &json!({"code": code})).await.expect(status).json();
        assert_eq!(refused["errors"][0]["message"], message);
        assert_eq!(refused["errors"][0]["parameters"], json!([{"key": "code", "value": code}]));
    }
    let other = all.client.put("/search/config/languages/ger", &json!({"code": "fre"})).await.expect(422).json();
    assert_eq!(other["errors"][0]["message"], "Request body language code must be the same as in the URL");
    all.client.put("/search/config/languages/rus", &json!({"code": "rus"})).await.expect(404);
    all.client.post(languages, &json!({})).await.expect(400);
    all.client.delete("/search/config/languages/ger").await.expect(204);
    assert_eq!(all.total("title=\"alte haus\"").await, 0);
}

#[tokio::test]
async fn features_are_configured() {
    let all = Searched::new().await;
    all.instance(json!({"title": "Zzfeature"})).await;
    let (features, one) = ("/search/config/features", "/search/config/features/search.all.fields");
    assert_eq!(all.client.get(features).await.expect(200).json(), json!({"features": [], "totalRecords": 0}));
    assert_eq!(all.total("cql.all=zzfeature").await, 1);
    let unknown =
        all.client.put(one, &json!({"feature": "search.all.fields", "enabled": true})).await.expect(404).json();
    assert_eq!(unknown["errors"][0]["message"], "Feature configuration not found for id: search.all.fields");
    let off = json!({"feature": "search.all.fields", "enabled": false});
    assert_eq!(all.client.post(features, &off).await.expect(200).json(), off);
    assert_eq!(all.total("cql.all=zzfeature").await, 0);
    let twice = all.client.post(features, &off).await.expect(400).json();
    assert_eq!(twice["errors"][0]["message"], "Feature configuration already exists");
    assert_eq!(twice["errors"][0]["parameters"], json!([{"key": "feature", "value": "search.all.fields"}]));
    let differs =
        all.client.put(one, &json!({"feature": "browse.call-numbers", "enabled": true})).await.expect(400).json();
    assert_eq!(differs["errors"][0]["message"], "Request body feature must be the same as in the URL");
    all.client.put(one, &json!({"feature": "search.all.fields", "enabled": true})).await.expect(200);
    assert_eq!(all.total("cql.all=zzfeature").await, 1);
    all.client.delete(one).await.expect(204);
    all.client.delete(one).await.expect(404);
    all.client.post(features, &json!({"feature": "nothing", "enabled": true})).await.expect(400);
    all.client.post(features, &json!({"feature": "search.all.fields"})).await.expect(400);
}
