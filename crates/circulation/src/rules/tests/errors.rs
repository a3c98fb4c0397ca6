//! Every error message with its position (docs/folio/circulation-rules.md#reading-and-replacing).

use super::super::{Name, PolicyKind, RulesError, parse, parse_checking};
use super::with_policies;

const HEADER: &str = "priority: last-line\nfallback-policy: P0\n";

fn refusal(text: &str) -> RulesError {
    parse(&with_policies(text)).expect_err("an error")
}

#[track_caller]
fn assert_refused(text: &str, message: &str, line: u32, column: u32) {
    let found = refusal(text);
    assert_eq!((found.line, found.column), (line, column), "{text:?}: {found}");
    assert!(found.message.starts_with(message), "{text:?}: {found}");
}

#[test]
fn the_priority_line() {
    let fallback = "\nfallback-policy: P0";
    for (priority, message, column) in [
        ("t g m a b c", "7 letters expected, found only 6", 11),
        ("t g m a b c s s", "Only 7 letters expected, found 8", 11),
        ("t g m a b s s", "Duplicate letter s", 23),
        ("number-of-criteria, number-of-criteria, last-line", "Duplicate priority type", 31),
        ("criterium(t s c b a m g), criterium(t s c b a m g), last-line", "Duplicate priority type", 37),
        ("number-of-criteria", "mismatched input '\\n' expecting ','", 29),
        ("t, s, c, b, a, m, g, last-line", "mismatched input 'last-line'", 32),
        ("middle-line", "mismatched input 'middle-line'", 11),
    ] {
        assert_refused(&format!("priority: {priority}{fallback}"), message, 1, column);
    }
    assert_refused("fallback-policy: P0", "mismatched input 'fallback-policy' expecting 'priority'", 1, 1);
    assert_refused("! fallback-policy: P0", "mismatched input '!'", 1, 1);
    assert_refused("  priority: last-line", "mismatched input 'INDENT'", 1, 3);
    assert_refused("", "mismatched input '<EOF>' expecting 'priority'", 1, 1);
}

#[test]
fn the_fallback() {
    let rule = "m book: P1";
    for (text, message, line, column) in [
        (
            format!("priority: first-line\nfallback-policy: P0\n{rule}"),
            "For 'priority: first-line' the fallback-policy must be after the last rule.",
            3,
            1,
        ),
        (format!("priority: last-line\n{rule}"), "mismatched input 'm' expecting {'fallback-policy'", 2, 1),
        (
            "priority: first-line\nm book: l aa r bb".to_owned(),
            "mismatched input '<EOF>' expecting {'fallback-policy'",
            2,
            18,
        ),
        (format!("{HEADER}m book\n  fallback-policy: P1"), "mismatched input 'fallback-policy'", 4, 3),
        ("priority: t, s, c, b, a, m, g\nfallback-policy".to_owned(), "Policy missing", 2, 16),
        (
            "priority: last-line\nfallback-policy: l aa r bb o cc i dd\n".to_owned(),
            "Must have a fallback policy of type n",
            2,
            0,
        ),
        (
            "priority: last-line\nfallback-policy: l aa r bb n cc r dd o ee i ff".to_owned(),
            "Only one fallback policy of type r is allowed",
            2,
            0,
        ),
    ] {
        assert_refused(&text, message, line, column);
    }
}

#[test]
fn the_rules() {
    for (rule, message, line, column) in [
        ("m: P1", "Name missing.", 3, 2),
        ("m + g staff: P1", "Name missing.", 3, 3),
        ("m a: P1", "no viable alternative at input 'ma'", 3, 3),
        ("m book !dvd: P1", "A '!' must precede each name or no name.", 3, 9),
        ("m !book dvd: P1", "A '!' must precede each name or no name.", 3, 12),
        ("m book:", "Policy missing after ':'", 3, 8),
        ("m book: l", "Name missing.", 3, 10),
        ("m book", "Policy missing", 3, 1),
        ("g visitor\n   m book", "Policy missing", 4, 4),
        ("m book: l aa l bb r cc n dd o ee i ff", "Only one policy of type l allowed", 3, 6),
        ("m book: l aa r bb n cc o dd o ee i ff", "Only one policy of type o allowed", 3, 6),
        ("m book: l aa n bb o cc i dd", "Must contain one of each policy type, missing type r", 3, 6),
        ("m book: l aa r bb n cc o dd", "Must contain one of each policy type, missing type i", 3, 6),
        ("  \t m book: P1", "Tabulator character is not allowed, use spaces instead.", 3, 4),
        ("m book ö: P1", "token recognition error at: 'ö'", 3, 8),
        ("m book\n    g a-b: P1\n  g c-d: P2", "mismatched input 'INDENT'", 5, 3),
        ("m \0: P1", "token recognition error at: '\0'", 3, 3),
    ] {
        assert_refused(&format!("{HEADER}{rule}"), message, line, column);
    }
}

#[test]
fn grammar_comes_before_faults_and_the_first_fault_wins() {
    assert_refused(&format!("{HEADER}m book\nm dvd:"), "Policy missing after ':'", 4, 7);
    assert_refused(&format!("{HEADER}m book: l aa\nm dvd"), "Must contain one of each", 3, 6);
}

#[test]
fn unknown_policies_are_named_by_their_letter() {
    let text = with_policies(&format!("{HEADER}m book: P1"));
    let missing_in = |kind: PolicyKind, missing: &str| {
        let exists = move |k: PolicyKind, name: &Name| k != kind || name.as_str() != missing;
        parse_checking(&text, &exists).expect_err("an error")
    };
    for (kind, name, message, line, column) in [
        (PolicyKind::Loan, "P1", "The policy l does not exist", 3, 6),
        (PolicyKind::Notice, "n1", "The policy n does not exist", 3, 6),
        (PolicyKind::LostItem, "i0", "The policy i does not exist", 2, 15),
    ] {
        let message = message.to_owned();
        assert_eq!(missing_in(kind, name), RulesError { message, line, column });
    }
    assert!(parse_checking(&text, &|_, _| true).is_ok());
}

#[test]
fn comments_blank_lines_and_spaces_are_free() {
    for text in [
        "\n\n# rules\npriority: last-line\n\n   # indented\nfallback-policy: P0\n\n",
        "priority   :   last-line # why\r\nfallback-policy   :   P0\r\nm book   :   P1\r\n",
        "priority:t s c b a m g\nfallback-policy:P0\n/ a comment\nm book\n\n  # deeper\n  g staff: P1\n\n\nm dvd: P2",
    ] {
        assert_eq!(parse(&with_policies(text)).err(), None, "{text:?}");
    }
}
