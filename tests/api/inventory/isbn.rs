use serde_json::json;
use testkit::library;

#[tokio::test]
async fn isbns_are_checked_and_converted() {
    let library = library().await;
    let c = &library.open;
    for (query, valid) in
        [("isbn13=9781930110991", true), ("isbn10=1-930110-99-5", true), ("isbn=1-930110-99--5", false)]
    {
        let answer = c.get(&format!("/isbn/validator?{query}")).await.expect(200);
        assert_eq!(answer.json(), json!({"isValid": valid}));
    }
    let ten = c.get("/isbn/convertTo10?isbn=9781930110991&hyphens=true").await.expect(200);
    assert_eq!(ten.json(), json!({"isbn": "1-930110-99-5"}));
    let thirteen = c.get("/isbn/convertTo13?isbn=1930110995").await.expect(200);
    assert_eq!(thirteen.json(), json!({"isbn": "9781930110991"}));
    for (path, text) in [
        ("/isbn/convertTo10", "Isbn must be specified"),
        ("/isbn/convertTo13?isbn=9781930110991&hyphens=123", "Hyphens must be true or false"),
        ("/isbn/convertTo13?isbn=1930211099", "ISBN value 1930211099 is invalid"),
        ("/isbn/validator", "Only one of following query params must be specified: isbn, isbn10, isbn13"),
    ] {
        assert_eq!(c.get(path).await.expect(400).text, text);
    }
}
