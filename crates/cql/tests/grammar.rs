//! The grammar, by examples: what a query means (as its canonical text) and how a bad one is refused.

// The helpers of a test may fail by a panic, too.
#![allow(clippy::unwrap_used)]

use cql::{ErrorKind, MAX_DEPTH, parse};

fn canonical(query: &str) -> String {
    match parse(query) {
        Ok(tree) => tree.to_string(),
        Err(error) => panic!("{query}: {error} at {:?}", error.offset),
    }
}

#[test]
fn queries_mean_what_folio_reads_in_them() {
    let table = [
        // Clauses.
        ("cql.allRecords=1", r#"cql.allRecords = "1""#),
        ("name==book", r#"name == "book""#),
        ("  name\t==\r\nbook ", r#"name == "book""#),
        (r#"name == "General \"note\"""#, r#"name == "General \"note\"""#),
        ("barcode==*", r#"barcode == "*""#),
        (r#"name = """#, r#"name = """#),
        ("a<1", r#"a < "1""#),
        ("a<=1", r#"a <= "1""#),
        ("a>1", r#"a > "1""#),
        ("a>=1", r#"a >= "1""#),
        ("a<>1", r#"a <> "1""#),
        ("title ALL x", r#"title all "x""#),
        ("title any x", r#"title any "x""#),
        ("title adj x", r#"title adj "x""#),
        ("title within x", r#"title within "x""#),
        ("title encloses x", r#"title encloses "x""#),
        ("title CQL.exact x", r#"title cql.exact "x""#),
        ("book", r#"cql.serverChoice = "book""#),
        (r#""index name" == x"#, r#""index name" == "x""#),
        // A term of several bare words.
        ("name==General note", r#"name == "General note""#),
        (r#"name==General "old note" text"#, r#"name == "General old note text""#),
        ("name==General note v1.2 all", r#"name == "General note v1.2 all""#),
        (r#"name==General "a.b""#, r#"name == "General a.b""#),
        ("two words", r#"cql.serverChoice = "two words""#),
        // A dotted or relation word in second place is a relation.
        ("a dc.exact b", r#"a dc.exact "b""#),
        ("name==General dc.exact b", r#"General dc.exact "b""#),
        // Quotes and backslashes inside a bare word are literal.
        (r#"name==6"x4""#, r#"name == "6\"x4\"""#),
        (r"name==a\", r#"name == "a\\""#),
        (r"name==a\*", r#"name == "a\*""#),
        (r#"name=="a\\""#, r#"name == "a\\""#),
        // The last pair counts.
        ("a = b = c", r#"b = "c""#),
        ("a == b < c", r#"b < "c""#),
        // Booleans: equal precedence, to the left.
        ("a=1 and b=2 or c=3", r#"a = "1" and b = "2" or c = "3""#),
        ("(a=1 and b=2) or c=3", r#"a = "1" and b = "2" or c = "3""#),
        ("a=1 and (b=2 or c=3)", r#"a = "1" and (b = "2" or c = "3")"#),
        ("a=1 NOT b=2", r#"a = "1" not b = "2""#),
        ("((((a=1))))", r#"a = "1""#),
        ("a=1 Prox/unit=word/distance>3 b=2", r#"a = "1" prox/unit="word"/distance>"3" b = "2""#),
        // Keywords where a term or an index is expected.
        ("or = and", r#"or = "and""#),
        ("a == not and b == sortby", r#"a == "not" and b == "sortby""#),
        ("and and and", r#"cql.serverChoice = "and" and cql.serverChoice = "and""#),
        // One index for several terms.
        (r#"id == (a or b or "c d")"#, r#"id == "a" or id == "b" or id == "c d""#),
        ("id == (a and (b or c))", r#"id == "a" and (id == "b" or id == "c")"#),
        ("id == (a or name = b or c)", r#"id == "a" or name = "b" or id == "c""#),
        ("id ==/number (1 or 2)", r#"id ==/number "1" or id ==/number "2""#),
        // Modifiers.
        ("a =/respectCase/IGNOREACCENTS b", r#"a =/respectcase/ignoreaccents "b""#),
        ("a = / @type = x b", r#"a =/@type="x" "b""#),
        (r#"a =/@type="x y" b"#, r#"a =/@type="x y" "b""#),
        // Sort keys.
        ("a=1 sortby b", r#"a = "1" sortby b"#),
        ("a=1 SortBy b/sort.descending c/number", r#"a = "1" sortby b/sort.descending c/number"#),
        ("a=1 sortby a desc", r#"a = "1" sortby a desc"#),
        ("a=1 sortby and or", r#"a = "1" sortby and or"#),
        (r#"a=1 sortby "b c""#, r#"a = "1" sortby "b c""#),
        // An unterminated string is the end: indexdata/cql-java, `move` in CQLLexer.java and `parseQuery` in
        // CQLParser.java. The dialog "Move request" of ui-requests sends such a query.
        (r#"a==b "c"#, r#"a == "b""#),
        (r#"a==b""#, r#"a == "b\"""#),
        (r#"(a==X) and (b=="A" or b=="B")")"#, r#"a == "X" and (b == "A" or b == "B")"#),
        (r#"a=1 sortby b "c"#, r#"a = "1" sortby b"#),
    ];
    for (query, expected) in table {
        assert_eq!(canonical(query), expected, "{query}");
        assert_eq!(canonical(expected), expected, "canonical text of {query}");
    }
}

#[test]
fn errors_say_what_and_where() {
    let table = [
        ("", "expected index or term, got EOF", 0),
        ("  ", "expected index or term, got EOF", 2),
        ("a=", "expected index or term, got EOF", 2),
        ("a==\"b", "expected index or term, got EOF", 3),
        (r#"a=="b\""#, "expected index or term, got EOF", 3),
        ("a and", "expected index or term, got EOF", 5),
        ("()", "expected index or term, got ')'", 1),
        ("a=/x)", "expected index or term, got ')'", 4),
        ("a==b/x", "expected boolean, got '/'", 4),
        ("a (b)", "expected boolean, got '('", 2),
        ("(a) b", "expected boolean, got word: 'b'", 4),
        ("(a) \"b\"", "expected boolean, got string: \"b\"", 4),
        ("(a) <= b", "expected boolean, got <=", 4),
        ("a b = c", "unexpected relation '='", 4),
        ("a b == c", "unexpected relation '=='", 4),
        ("name==General a.b", "expected index or term, got EOF", 17),
        ("a b <> c", "unexpected relation '<>'", 4),
        ("a)", "junk after end: ')'", 1),
        ("(a", "expected ')', got EOF", 2),
        ("(a \"b)", "expected ')', got EOF", 3),
        ("(a sortby b", "expected ')', got sortby", 3),
        ("a sortby", "no sort keys", 8),
        ("a sortby \"b", "no sort keys", 9),
        ("a sortby )", "expected sort index, got ')'", 9),
        ("a sortby b/", "expected modifier, got EOF", 11),
        ("a =/and b", "expected modifier, got and", 4),
        ("a =/\"x\" b", "expected modifier, got string: \"x\"", 4),
        ("a =/x=", "expected modifier value, got EOF", 6),
        ("a =/x= (b", "expected modifier value, got '('", 7),
        ("ä=", "expected index or term, got EOF", 3),
        ("a==\"\0\"", "character U+0000 is not allowed", 4),
    ];
    for (query, message, offset) in table {
        let error = parse(query).expect_err(query);
        assert_eq!((error.message.as_str(), error.offset), (message, Some(offset)), "{query}");
        assert_eq!(error.kind, ErrorKind::Syntax, "{query}");
    }
}

#[test]
fn a_refused_query_is_answered_in_the_words_of_folio_s_storage() {
    assert_eq!(
        parse("name==").unwrap_err().store_text("name=="),
        "org.folio.cql2pgjson.exception.QueryValidationException: \
         org.z3950.zing.cql.CQLParseException: expected index or term, got EOF: name=="
    );
    assert_eq!(
        parse("> dc = x a=b").unwrap_err().store_text("> dc = x a=b"),
        "org.folio.cql2pgjson.exception.CQLFeatureUnsupportedException: \
         Not implemented yet: org.z3950.zing.cql.CQLPrefixNode: > dc = x a=b"
    );
}

#[test]
fn ten_thousand_terms_are_one_flat_expression() {
    let terms: Vec<String> = (0..10_000).map(|n| format!("term{n}")).collect();
    for query in [format!("id==({})", terms.join(" or ")), format!("id=={}", terms.join(" or id=="))] {
        let tree = parse(&query).unwrap();
        assert_eq!(tree.condition.rest.len(), 9_999);
        assert_eq!(parse(&tree.to_string()).unwrap(), tree);
    }
}

#[test]
fn parentheses_nest_up_to_a_limit() {
    let nested = |depth: usize| format!("{}a=1{}", "b=2 and (".repeat(depth), ")".repeat(depth));
    let deepest = parse(&nested(MAX_DEPTH)).unwrap();
    assert_eq!(parse(&deepest.to_string()).unwrap(), deepest);

    for query in [nested(MAX_DEPTH + 1), nested(1_000), "(".repeat(1_000_000)] {
        let error = parse(&query).unwrap_err();
        assert_eq!(error.message, "more than 256 nested parentheses");
    }
}
