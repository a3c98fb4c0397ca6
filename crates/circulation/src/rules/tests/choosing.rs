//! Which rule wins: first the documented examples (docs/folio/circulation-rules.md#examples), then edge cases.

use super::super::{AppliedRuleConditions, PolicyKind, parse};
use super::{facts, matcher};

/// Asserts the winning loan policy for each described item and patron.
fn assert_winners(text: &str, expected: &[(&str, &str)]) {
    let matcher = matcher(text);
    for (described, policy) in expected {
        let best = matcher.best(&facts(described));
        assert_eq!(best.policies.get(PolicyKind::Loan).as_str(), *policy, "{described}");
        let all = matcher.all(&facts(described));
        assert_eq!(all.first(), Some(&best), "the list begins with the winner: {described}");
        assert_eq!(all.last().map(|m| m.conditions), Some(AppliedRuleConditions::default()));
    }
}

fn lines(text: &str, described: &str) -> Vec<u32> {
    let found = matcher(text);
    found.all(&facts(described)).iter().map(|m| m.line).collect()
}

fn conditions(text: &str, described: &str) -> (bool, bool, bool) {
    let found = matcher(text).best(&facts(described)).conditions;
    (found.material_type, found.loan_type, found.patron_group)
}

const EXAMPLE_1: &str = "priority: t, s, c, b, a, m, g
fallback-policy: P0
m book: P1
g staff: P2
m book + g staff: P3";

#[test]
fn example_1_weighs_criterium_then_number_of_criteria() {
    assert_winners(
        EXAMPLE_1,
        &[("m book g staff", "P3"), ("m book g student", "P1"), ("m dvd g staff", "P2"), ("m dvd g student", "P0")],
    );
    assert_eq!(lines(EXAMPLE_1, "m book g staff"), [5, 3, 4, 2]);
}

#[test]
fn example_2_all_weighs_as_much_as_a_name() {
    let rules = "\nfallback-policy: P0\nm book: P1\ng staff: P2\nm all: P3";
    for priority in ["last-line", "criterium(t,s,c,b,a,m,g), last-line"] {
        let text = format!("priority: {priority}{rules}");
        let both = [("m book g staff", "P3"), ("m dvd g student", "P3")];
        assert_winners(&text, &both);
    }
    let weighed = format!("priority: criterium(t,s,c,b,a,m,g), last-line{rules}");
    assert_eq!(lines(&weighed, "m book g staff"), [5, 3, 4, 2]);
}

#[test]
fn example_3_first_line_prefers_the_head() {
    let text = "priority: first-line
m book: P1
    g staff: P2
fallback-policy: P0";
    assert_winners(text, &[("m book g staff", "P1"), ("m dvd g staff", "P0")]);
    assert_eq!(lines(text, "m book g staff"), [2, 3, 4]);
    let bare_head = text.replace("m book: P1", "m book");
    assert_winners(&bare_head, &[("m book g staff", "P2"), ("m book g student", "P0")]);
}

#[test]
fn example_4_blocks_and_negations() {
    let text = "priority: number-of-criteria, criterium(t,s,c,b,a,m,g), last-line
fallback-policy: P0
s main-1 main-2
    g !visitor: P1
    t reserve + m !dvd !cd: P2
    g all: P3";
    assert_winners(
        text,
        &[
            ("s main-1 t reserve m book g staff", "P2"),
            ("s main-1 t reserve m dvd g staff", "P3"),
            ("s main-2 m book g staff", "P3"),
            ("s main-1 m book g visitor", "P3"),
            ("s other t reserve m book g staff", "P0"),
        ],
    );
    assert_eq!(lines(text, "s main-1 t reserve m book g staff"), [5, 6, 4, 2]);
}

const EXAMPLE_5: &str = "priority: criterium(t,s,c,b,a,m,g), number-of-criteria, last-line
fallback-policy: P0
a uni: P1
b campus-1 + c all: P2
c law + m book: P3
a !uni: P4";

#[test]
fn example_5_an_unknown_location_matches_no_test_of_its_place() {
    assert_winners(
        EXAMPLE_5,
        &[
            ("m book a uni b campus-1 c law", "P3"),
            ("m dvd a uni b campus-1 c law", "P2"),
            ("m dvd a uni b campus-2 c law", "P1"),
            ("m dvd a other b campus-2 c law", "P4"),
            ("m book", "P0"),
        ],
    );
    let found = conditions(EXAMPLE_5, "m book a uni b campus-1 c law");
    assert_eq!(found, (true, false, false), "materialTypeMatch only");
}

#[test]
fn conditions_count_the_heads_and_all() {
    let text = "priority: last-line\nfallback-policy: P0\nm all\n  t reserve\n    g !staff: P1\ns main: P2";
    assert_eq!(conditions(text, "t reserve g student"), (true, true, true));
    assert_eq!(conditions(text, "t reserve g student s main"), (false, false, false));
    assert_eq!(conditions(text, "t other"), (false, false, false));
}

#[test]
fn a_single_weighing_comes_before_the_line() {
    let text = "priority: number-of-criteria, first-line
fallback-policy: P0
m book: P1
g student: P2
m dvd: P3
     g visitor: P4";
    assert_winners(text, &[("m book g student", "P1"), ("m dvd g student", "P2"), ("m dvd g visitor", "P4")]);
}

#[test]
fn names_that_are_ids_compare_as_ids() {
    let text = "priority: last-line
fallback-policy: P0
m 1A54B431-2E4F-452D-9CAE-9CEE66C9A892: P1";
    assert_winners(text, &[("m 1a54b431-2e4f-452d-9cae-9cee66c9a892", "P1")]);
}

#[test]
fn ten_thousand_rules_and_deep_blocks_are_no_burden() {
    let mut text = String::from("priority: last-line\nfallback-policy: P0\n");
    (0..10_000).for_each(|n| text.push_str(&format!("m type-{n} + g staff: P1\n")));
    (0..1_000).for_each(|depth| text.push_str(&format!("{}m book\n", " ".repeat(depth))));
    text.push_str(&format!("{}g staff: P2\n", " ".repeat(1_000)));
    assert_winners(&text, &[("m book g staff", "P2"), ("m type-9999 g staff", "P1")]);
    assert!(parse(&"m ".repeat(100_000)).is_err());
}
