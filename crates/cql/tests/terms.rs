//! Masking and modifiers.

// The helpers of a test may fail by a panic, too.
#![allow(clippy::unwrap_used)]

use cql::{Modifier, Options, Piece, Relation, Subfield, escape, has_wildcard, literal, pieces, quote};

#[test]
fn masks_are_read_piece_by_piece() {
    use Piece::{AnyOne, AnyRun, Char};
    let table: [(&str, &[Piece]); 6] = [
        ("a*", &[Char('a'), AnyRun]),
        ("?b", &[AnyOne, Char('b')]),
        (r"\*\?", &[Char('*'), Char('?')]),
        (r"\\*", &[Char('\\'), AnyRun]),
        (r"\a", &[Char('a')]),
        (r"a\", &[Char('a'), Char('\\')]),
    ];
    for (term, expected) in table {
        assert_eq!(pieces(term).collect::<Vec<_>>(), expected, "{term}");
    }
}

#[test]
fn a_term_without_wildcards_stands_for_one_text() {
    assert_eq!(literal(r"a\*b").as_deref(), Some("a*b"));
    assert_eq!(literal("a*b"), None);
    assert!(has_wildcard("a?"));
    assert!(!has_wildcard(r"a\?"));
}

#[test]
fn escaping_is_undone_by_reading() {
    for text in ["", "plain", r#"a*b?c\d"e^f"#, "\\", "ünïcode"] {
        assert_eq!(literal(&escape(text)).as_deref(), Some(text));
        let query = format!("title == {}", quote(text));
        let tree = cql::parse(&query).unwrap();
        assert_eq!(literal(tree.condition.first.term()).as_deref(), Some(text), "{query}");
    }
}

#[test]
fn known_modifiers_are_read_and_the_last_one_wins() {
    let modifiers = [
        Modifier::new("respectCase"),
        Modifier::new("number"),
        Modifier::new("sort.descending"),
        Modifier::new("string"),
        Modifier::new("@value"),
        Modifier::with_value("@identifierTypeId", Relation::Equal, "x"),
    ];
    let options = Options::read(&modifiers).unwrap();
    let expected = Options {
        descending: true,
        respect_case: true,
        subfields: vec![
            Subfield { name: "value", value: None },
            Subfield { name: "identifiertypeid", value: Some("x") },
        ],
        ..Options::default()
    };
    assert_eq!(options, expected);
}

#[test]
fn other_modifiers_are_refused() {
    let unknown = [Modifier::new("RegExp")];
    assert_eq!(Options::read(&unknown).unwrap_err().message, "CQL: Unsupported modifier regexp");
    let compared = [Modifier::with_value("@a", Relation::Less, "1")];
    assert_eq!(Options::read(&compared).unwrap_err().message, "CQL: Unsupported comparison for relation modifier @a");
}
