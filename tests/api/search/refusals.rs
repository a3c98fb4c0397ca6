//! Each refusal of a search (docs/folio/search.md#refusals).

use super::*;

#[tokio::test]
async fn searches_are_refused_as_mod_search_refuses_them() {
    let all = Searched::new().await;
    let all_records = "query=cql.allRecords%3D1";
    let query = |cql: &str| format!("/search/instances?query={}", crate::support::encoded(cql));
    let unparsed = "Failed to parse cql query [cql: 'title=(', resource: instance]";
    for (path, status, message, parameter, code) in [
        (
            format!("/search/instances?{all_records}&limit=500&offset=9501"),
            400,
            "The sum of limit and offset should not exceed 10000.",
            json!(["offset + limit", "10001"]),
            "validation_error",
        ),
        (
            format!("/search/instances?{all_records}&limit=501"),
            400,
            "searchInstances.limit must be less than or equal to 500",
            Value::Null,
            "validation_error",
        ),
        (
            format!("/search/instances?{all_records}&limit=-1"),
            400,
            "searchInstances.limit must be greater than or equal to 0",
            Value::Null,
            "validation_error",
        ),
        (
            format!("/search/instances?{all_records}&offset=-1"),
            400,
            "searchInstances.offset must be greater than or equal to 0",
            Value::Null,
            "validation_error",
        ),
        (
            format!("/search/instances?{all_records}&offset=10000"),
            400,
            "searchInstances.offset must be less than or equal to 9999",
            Value::Null,
            "validation_error",
        ),
        (
            "/search/instances".to_owned(),
            400,
            "Required request parameter 'query' for method parameter type String is not present",
            Value::Null,
            "validation_error",
        ),
        (query("title=("), 400, unparsed, Value::Null, "service_error"),
        (
            query("nothing=x"),
            400,
            "Invalid search field provided in the CQL query",
            json!(["field", "nothing"]),
            "validation_error",
        ),
        (
            query("word"),
            400,
            "Invalid search field provided in the CQL query",
            json!(["field", "cql.serverChoice"]),
            "validation_error",
        ),
        (
            query("title=x sortby hrid"),
            400,
            "Sort field not found or cannot be used.",
            json!(["sortField", "hrid"]),
            "validation_error",
        ),
        (
            query("title within x"),
            400,
            "Failed to parse CQL query. Comparator 'within' is not supported.",
            Value::Null,
            "service_error",
        ),
        (
            query("title encloses x"),
            400,
            "Failed to parse CQL query. Comparator 'encloses' is not supported.",
            Value::Null,
            "service_error",
        ),
        (
            query("title=a prox title=b"),
            400,
            "Failed to parse CQL query. Operator 'PROX' is not supported.",
            Value::Null,
            "service_error",
        ),
        (query("keyword > x"), 400, "", Value::Null, "service_error"),
        (
            query("notes.note > x"),
            400,
            "Query is not supported yet [operator(s): [>], field(s): [notes.note]]",
            Value::Null,
            "service_error",
        ),
        (
            query("title=x sortby title/sort.up"),
            400,
            "Failed to parse CQL query. [error: 'CQL: Unsupported modifier sort.up']",
            Value::Null,
            "service_error",
        ),
        (
            query("metadata.createdDate >= 12-12-2020"),
            422,
            "Invalid date format",
            json!(["metadata.createdDate", "12-12-2020"]),
            "validation_error",
        ),
        (
            format!("/search/instances/facets?{all_records}&facet=title"),
            400,
            "Invalid facet value",
            json!(["facet", "title"]),
            "validation_error",
        ),
        (
            format!("/search/instances/facets?{all_records}&facet=source:x"),
            400,
            "Invalid facet name format, must be '{facetName}' or '{facetName}:{facetLimit}'",
            json!(["facet", "source:x"]),
            "validation_error",
        ),
        (
            format!("/search/instances/facets?{all_records}&facet=source:0"),
            400,
            "[size] must be greater than 0. Found [0] in [source]",
            Value::Null,
            "validation_error",
        ),
        (
            format!("/search/instances/facets?{all_records}&facet=source:9999999999"),
            400,
            "Invalid facet name format, must be '{facetName}' or '{facetName}:{facetLimit}'",
            json!(["facet", "source:9999999999"]),
            "validation_error",
        ),
        (
            format!("/search/instances/facets?{all_records}"),
            400,
            "Required request parameter 'facet' for method parameter type List is not present",
            Value::Null,
            "validation_error",
        ),
        (
            format!("/search/nothing/facets?{all_records}&facet=source"),
            400,
            "Unexpected value 'nothing'",
            Value::Null,
            "validation_error",
        ),
        (
            "/search/instances/ids?query=nothing%3D1".to_owned(),
            400,
            "Invalid search field provided in the CQL query",
            json!(["field", "nothing"]),
            "validation_error",
        ),
        (format!("/search/instances?{all_records}&expandAll=perhaps"), 400, "", Value::Null, "validation_error"),
        (format!("/search/instances?{all_records}&limit=many"), 400, "", Value::Null, "validation_error"),
        (
            "/search/consortium/items".to_owned(),
            400,
            "The request allowed only for central tenant of consortium environment",
            json!(["tenantId", TENANT]),
            "validation_error",
        ),
    ] {
        let answer = all.client.get(&path).await.expect(status).json();
        let error = &answer["errors"][0];
        assert!(message.is_empty() || error["message"] == message, "{path}: {error}");
        assert_eq!((&error["code"], &answer["total_records"]), (&json!(code), &json!(1)), "{path}");
        if let [key, value] = parameter.as_array().map_or(&[][..], Vec::as_slice) {
            assert_eq!(error["parameters"], json!([{"key": key, "value": value}]), "{path}");
        }
    }
}

/// A tree that becomes deeper with each change of operators would need a stack without end.
#[tokio::test]
async fn queries_that_change_between_operators_without_end_are_refused() {
    let all = Searched::new().await;
    let query = |start: &str, joined: &str, many: usize| {
        format!("/search/instances?query={}", crate::support::encoded(format!("{start}{}", joined.repeat(many))))
    };
    for path in
        [query("keyword=a", " and keyword=a or keyword=a", 500), query("keyword=a", " not keyword=a or keyword=a", 500)]
    {
        let answer = all.client.get(&path).await.expect(400).json();
        assert!(
            answer["errors"][0]["message"].as_str().is_some_and(|m| m.starts_with("Failed to parse cql")),
            "{answer}"
        );
    }
    for wide in [query("keyword=a", " or keyword=a", 500), query("keyword=a", " not keyword=b", 500)] {
        all.client.get(&wide).await.expect(200);
    }
}
