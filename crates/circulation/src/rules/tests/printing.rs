//! Printing a tree and parsing the output returns the same tree; the parser never panics.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::{
    Criterium, Fallback, LineOrder, Matcher, Name, Names, Policies, Priority, Rule, RuleSet, Test, Weighing, parse,
};
use super::facts;

fn names() -> impl Strategy<Value = Name> {
    // At least two characters, because single letters may be reserved. No keyword contains a digit.
    "[a-z0-9A-Z-]{1,6}[0-9]".prop_map(|text| Name::new(&text))
}

fn policies() -> impl Strategy<Value = Policies> {
    [names(), names(), names(), names(), names()].prop_map(Policies::new)
}

fn tests() -> impl Strategy<Value = Test> {
    let names = prop_oneof![
        Just(Names::All),
        vec(names(), 1..4).prop_map(Names::AnyOf),
        vec(names(), 1..4).prop_map(Names::NoneOf),
    ];
    (select(Criterium::ALL.to_vec()), names).prop_map(|(letter, names)| Test { letter, names })
}

fn priorities() -> impl Strategy<Value = Priority> {
    let seven = Just(Criterium::ALL.to_vec()).prop_shuffle();
    let line = select(vec![LineOrder::First, LineOrder::Last]);
    (0..5, seven, line).prop_map(|(shape, seven, line)| {
        let seven = std::array::from_fn(|index| seven[index]);
        let (criterium, number) = (Weighing::Criterium(seven), Weighing::NumberOfCriteria);
        let weighings = match shape {
            0 => vec![],
            1 => vec![criterium],
            2 => vec![number],
            3 => vec![criterium, number],
            _ => vec![number, criterium],
        };
        Priority { weighings, line }
    })
}

/// Blank lines before a rule, change of indentation, tests and policies.
type Sketch = (u32, usize, Vec<Test>, Option<Policies>);

fn sketches() -> impl Strategy<Value = Vec<Sketch>> {
    let sketch = (1..4u32, 0..4usize, vec(tests(), 1..4), proptest::option::of(policies()));
    vec(sketch, 0..20)
}

fn rule_sets() -> impl Strategy<Value = RuleSet> {
    (priorities(), policies(), sketches()).prop_map(|(priority, fallback, sketches)| {
        let fallback_last = priority.weighings.is_empty() && priority.line == LineOrder::First;
        let mut line = if fallback_last { 1 } else { 2 };
        let mut rules: Vec<Rule> = Vec::new();
        for (gap, depth, tests, policies) in sketches {
            line += gap;
            let depth = rules.last().map_or(0, |last| depth.min(last.depth + 1));
            rules.push(Rule { line, depth, tests, policies });
        }
        give_policies_to_leaves(&mut rules, &fallback);
        let fallback = Fallback { line: if fallback_last { line + 1 } else { 2 }, policies: fallback };
        RuleSet { priority, fallback, rules }
    })
}

fn give_policies_to_leaves(rules: &mut [Rule], policies: &Policies) {
    for index in 0..rules.len() {
        let is_head = rules.get(index + 1).is_some_and(|next| next.depth > rules[index].depth);
        if !is_head && rules[index].policies.is_none() {
            rules[index].policies = Some(policies.clone());
        }
    }
}

proptest! {
    #[test]
    fn parsing_what_was_printed_gives_the_same_tree(rules in rule_sets()) {
        let text = rules.to_string();
        prop_assert_eq!(parse(&text), Ok(rules), "{}", text);
    }

    #[test]
    fn the_best_rule_is_the_first_of_all(rules in rule_sets()) {
        let matcher = Matcher::new(&rules);
        let facts = facts("m book a uni");
        prop_assert_eq!(matcher.all(&facts)[0], matcher.best(&facts));
    }

    #[test]
    fn any_text_is_parsed_or_refused_with_a_place(
        text in "([a-z!:+,() #/\t\r\n-]|priority|first-line|fallback-policy| l aa r bb n cc o dd i ee|\\PC){0,80}"
    ) {
        if let Err(error) = parse(&text) {
            prop_assert!(error.line >= 1 && !error.message.is_empty());
        }
    }
}
