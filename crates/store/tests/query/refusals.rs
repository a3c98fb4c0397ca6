//! What is refused, and in which words.

use crate::inventory::plan;

#[test]
fn refused_clauses() {
    let rows = [
        ("book", "cql.serverChoice requested, but no serverChoiceIndexes defined."),
        ("title=a?", "? wildcard not allowed in full text query string"),
        ("title=a*b", "* right truncation wildcard must be followed by space or end of string, but found b"),
        ("title all *a", "* right truncation wildcard must be followed by space or end of string, but found a"),
        ("title=a?b*c", "? wildcard not allowed in full text query string"),
        ("title==/regexp a", "CQL: Unsupported modifier regexp"),
        ("nothing==/regexp a", "CQL: Unsupported modifier regexp"),
        ("id==/masked 1", "CQL: Unsupported modifier masked"),
        ("id=*1", "CQL: only right truncation supported for id:  *1"),
        ("id=1*1", "CQL: only right truncation supported for id:  1*1"),
        ("id>1", "CQL: Invalid UUID after 'id>': 1"),
        (
            "id all 1",
            "CQL: Unsupported operator 'all', UUID id only supports '=', '==', and '<>' (possibly with right truncation)",
        ),
        (
            "holdingsRecords.instanceId any 1",
            "CQL: Unsupported operator 'any', UUID instanceId only supports '=', '==', and '<>' (possibly with right truncation)",
        ),
        ("title within 1", "Relation within not implemented yet: title within \"1\""),
        ("title a.b 1", "Relation a.b not implemented yet: title a.b \"1\""),
        ("title=1 prox code=2", "Not implemented yet: org.z3950.zing.cql.CQLProxNode"),
        ("publicationPeriod.start>/number x", "CQL: Invalid number: x"),
        ("identifiers=/@nothing x", "CQL: Unsupported relation modifier @nothing"),
        ("title=/@value x", "CQL: Unsupported relation modifier @value"),
        ("identifiers=/@value>1 x", "CQL: Unsupported comparison for relation modifier @value"),
        ("title=1 sortby title/desc", "CQL: Unsupported modifier desc"),
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
    assert_eq!(plan.undeclared, ["nothing", "item.nope", "title.no", "never"]);
    assert_eq!(plan.order.len(), 1);
}

#[test]
fn queries_too_big_for_a_statement_are_refused() {
    let alternating = "title=a or code=b and ".repeat(1_000) + "title=c";
    assert_eq!(plan("instance", &alternating).unwrap_err().message, "CQL: the query is nested too deeply");
    let countless: Vec<String> = (0..1_001).map(|n| format!("title=={n}*")).collect();
    assert_eq!(plan("instance", &countless.join(" or ")).unwrap_err().message, "CQL: the query has too many terms");
}

/// The terms of a query as alternatives.
fn any(clauses: impl Iterator<Item = String>) -> String {
    clauses.collect::<Vec<_>>().join(" or ")
}

#[test]
fn no_query_compares_each_record_of_a_table_ever_so_often() {
    let different = |count| any((0..count).map(|n| format!("customFields.f{n}>x")));
    assert!(plan("instance", &different(40)).is_ok());
    let refused = [
        different(41),
        // An index on one side of an `or` helps nothing when the other side reads everything.
        format!("{} or customFields.x>1", any((0..40).map(|n| format!("title==a{n}*")))),
        format!(
            "cql.allRecords=1{}",
            (0..41).fold(String::new(), |all, n| all + &format!(" not customFields.f{n}==x"))
        ),
        any((0..21).map(|n| format!("customFields.f{n}=x"))),
        any((0..9).map(|n| format!("holdingsRecords.callNumber>a{n} and title==b"))),
    ];
    for query in refused {
        let message = plan("instance", &query).expect_err(&query).message;
        assert!(message.contains("that no index serves"), "{query}: {message}");
    }
    let accepted = [
        any((0..500).map(|n| format!("identifiers>a{n}"))),
        any((0..500).map(|n| format!("customFields.f==*a{n}"))),
        any((0..500).map(|n| format!("title<>a{n}"))),
        any((0..500).map(|n| format!("publicationPeriod.start>/number {n}"))),
        any((0..500).map(|n| format!("title==a{n}*"))),
        any((0..100).map(|n| format!("title=a{n} and code==b{n}"))),
        any((0..100).map(|n| format!("holdingsRecords.callNumber>a{n}"))),
    ];
    for query in accepted {
        assert!(plan("instance", &query).is_ok(), "{query}");
    }
}
