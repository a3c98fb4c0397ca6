//! What the public must not find out by searching (contract 8.1, 8.2): words of notes that are not published.

use super::{
    search::{Collection, collection},
    *,
};

/// The public's client of a collection with a note that is not published ("Mouldy lighthouse").
async fn public(all: &Collection) -> Client {
    user(&all.archives.library, "public_anonymous", &["perms.all"]).await;
    signed_in(&all.archives.library, "public_anonymous").await
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn advanced(query: Value) -> String {
    encoded(&json!({"jsonmodel_type": "advanced_query", "query": query}).to_string())
}

#[tokio::test]
async fn unpublished_notes_are_not_searched() {
    let all = collection().await;
    // A summary is also made of notes that are not published.
    let mut hidden = all.archives.get(&all.resource).await;
    hidden["notes"][0]["publish"] = json!(false);
    hidden["notes"][0]["content"] = json!(["Secret cellar"]);
    hidden["notes"].as_array_mut().expect("notes").push(json!({"jsonmodel_type": "note_singlepart", "type": "physloc",
        "publish": true, "content": ["Northern harbour shelf"]}));
    all.archives.admin.post(&all.resource, &hidden).await.expect(200);
    let public = public(&all).await;
    let hits = async |query: &str| {
        let found = public.get(&format!("/search?page=1&type[]=resource&{query}")).await.expect(200).json();
        found["total_hits"].as_u64().expect("a number")
    };
    let field = |name: &str, value: &str, literal: bool| json!({"jsonmodel_type": "field_query", "field": name, "value": value, "literal": literal});
    let either = |query: Value| json!({"jsonmodel_type": "boolean_query", "op": "OR", "subqueries": [query]});
    for hidden in ["lighthouse", "cellar"] {
        for name in ["notes", "keyword", "fullrecord", "summary"] {
            for literal in [false, true] {
                let query = field(name, hidden, literal);
                assert_eq!(hits(&format!("aq={}", advanced(query.clone()))).await, 0, "{name} {hidden}");
                assert_eq!(hits(&format!("filter={}", advanced(either(query)))).await, 0, "{name} {hidden}");
            }
            let term = encoded(&json!({name: hidden}).to_string());
            assert_eq!(hits(&format!("filter_term[]={term}")).await, 0, "{name} {hidden}");
            let range = json!({"jsonmodel_type": "range_query", "field": name, "from": hidden, "to": hidden});
            assert_eq!(hits(&format!("aq={}", advanced(range))).await, 0, "{name} {hidden}");
        }
        for query in [
            hidden.to_owned(),
            format!("notes:{hidden}"),
            format!("notes:(x OR {hidden})"),
            format!("notes:\"{hidden}\""),
            format!("notes:{}*", &hidden[..4]),
            format!("notes:[{hidden} TO {hidden}]"),
            format!("fullrecord:{hidden}"),
            format!("summary:{hidden}"),
        ] {
            assert_eq!(hits(&format!("q={}", encoded(&query))).await, 0, "{query}");
            assert_eq!(hits(&format!("filter_query[]={}", encoded(&query))).await, 0, "{query}");
        }
        assert_eq!(all.hits(&format!("type[]=resource&q=notes:{hidden}")).await, 1, "the staff finds it");
    }
    // What is published is found in the same fields.
    assert_eq!(hits(&format!("aq={}", advanced(field("notes", "shelf", false)))).await, 1);
    assert_eq!(hits("q=notes:shelf").await, 1);
    assert_eq!(hits("q=fullrecord:shelf").await, 1);
    assert_eq!(hits("q=notes:*").await, 1);
    public.get("/search?page=1&sort=notes%20asc").await.expect(400);
}

#[tokio::test]
async fn unpublished_notes_are_not_shown_by_marks_and_facets() {
    let all = collection().await;
    let mut record = all.archives.get(&all.resource).await;
    record["notes"][1]["content"] = json!(["Mouldy maps"]);
    all.archives.admin.post(&all.resource, &record).await.expect(200);
    let public = public(&all).await;
    let found = public.get("/search?page=1&q=maps&hl=true&facet[]=notes").await.expect(200).json();
    let marked = &found["highlighting"][&all.resource];
    assert!(marked["title"].is_array() && !marked.to_string().contains("Mouldy"), "{marked}");
    assert!(!found["facets"].to_string().contains("ouldy"), "{}", found["facets"]);
    let of_staff = all.found("q=mouldy&hl=true").await["highlighting"][&all.resource].clone();
    assert!(of_staff["notes"].to_string().contains("Mouldy</span> maps"), "{of_staff}");
}

#[tokio::test]
async fn whether_there_are_unpublished_notes_is_not_told() {
    let all = collection().await;
    let mut record = all.archives.get(&all.resource).await;
    record["notes"][0]["publish"] = json!(false);
    all.archives.admin.post(&all.resource, &record).await.expect(200);
    let public = public(&all).await;
    let empty = json!({"jsonmodel_type": "field_query", "field": "notes", "comparator": "empty"});
    for query in ["q=(*:*%20NOT%20notes:*)".to_owned(), format!("aq={}", advanced(empty))] {
        let found = public.get(&format!("/search?page=1&type[]=resource&{query}")).await.expect(200).json();
        assert_eq!(found["total_hits"], 1, "{query}");
        assert_eq!(all.hits(&format!("type[]=resource&{query}")).await, 0, "{query}");
    }
}
