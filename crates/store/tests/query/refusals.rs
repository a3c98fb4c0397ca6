//! What is refused, and in which words.

use crate::catalogue::plan;

#[test]
fn refused_clauses() {
    let rows = [
        (
            "book",
            "cql.serverChoice requested, but no serverChoiceIndexes defined.",
        ),
        (
            "title=a?",
            "? wildcard not allowed in full text query string",
        ),
        (
            "title=a*b",
            "* right truncation wildcard must be followed by space or end of string, but found b",
        ),
        (
            "title all *a",
            "* right truncation wildcard must be followed by space or end of string, but found a",
        ),
        (
            "title=a?b*c",
            "? wildcard not allowed in full text query string",
        ),
        ("title==/regexp a", "CQL: Unsupported modifier regexp"),
        ("nothing==/regexp a", "CQL: Unsupported modifier regexp"),
        ("id==/masked 1", "CQL: Unsupported modifier masked"),
        ("id=*1", "CQL: only right truncation supported for id:  *1"),
        (
            "id=1*1",
            "CQL: only right truncation supported for id:  1*1",
        ),
        ("id>1", "CQL: Invalid UUID after 'id>': 1"),
        (
            "id all 1",
            "CQL: Unsupported operator 'all', UUID id only supports '=', '==', and '<>' (possibly with right truncation)",
        ),
        (
            "holdingsRecords.instanceId any 1",
            "CQL: Unsupported operator 'any', UUID instanceId only supports '=', '==', and '<>' (possibly with right truncation)",
        ),
        (
            "title within 1",
            "Relation within not implemented yet: title within \"1\"",
        ),
        (
            "title a.b 1",
            "Relation a.b not implemented yet: title a.b \"1\"",
        ),
        (
            "title=1 prox code=2",
            "Not implemented yet: org.z3950.zing.cql.CQLProxNode",
        ),
        (
            "publicationPeriod.start>/number x",
            "CQL: Invalid number: x",
        ),
        (
            "identifiers=/@nothing x",
            "CQL: Unsupported relation modifier @nothing",
        ),
        (
            "title=/@value x",
            "CQL: Unsupported relation modifier @value",
        ),
        (
            "identifiers=/@value>1 x",
            "CQL: Unsupported comparison for relation modifier @value",
        ),
        (
            "title=1 sortby title/desc",
            "CQL: Unsupported modifier desc",
        ),
    ];
    for (query, message) in rows {
        let error = plan("instance", query).expect_err(query);
        assert_eq!(error.message, message, "{query}");
    }
    let error = plan("instance", "title==/regexp a").unwrap_err();
    assert_eq!(
        error.store_text("q"),
        "org.folio.cql2pgjson.exception.CQLFeatureUnsupportedException: CQL: Unsupported modifier regexp: q"
    );
}

#[test]
fn undeclared_fields_are_named_once() {
    let query = "nothing==x or nothing=y and item.nope==1 not title.no=z sortby never title";
    let plan = plan("instance", query).unwrap();
    assert_eq!(
        plan.undeclared,
        ["nothing", "item.nope", "title.no", "never"]
    );
    assert_eq!(plan.order.len(), 1);
}

#[test]
fn what_a_statement_cannot_hold_is_refused() {
    let alternating = "title=a or code=b and ".repeat(1_000) + "title=c";
    assert_eq!(
        plan("instance", &alternating).unwrap_err().message,
        "CQL: the query is nested too deeply"
    );
    let countless: Vec<String> = (0..40_000).map(|n| format!("title<{n}")).collect();
    assert_eq!(
        plan("instance", &countless.join(" or "))
            .unwrap_err()
            .message,
        "CQL: the query has too many terms"
    );
}
