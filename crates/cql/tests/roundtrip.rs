//! Property tests: printed queries parse to the same tree, and nothing makes the parser panic.

use cql::{Boolean, Clause, Expression, Joined, Modifier, Query, Relation, SortKey, parse};
use proptest::collection::vec;
use proptest::prelude::*;

fn comparison() -> impl Strategy<Value = Relation> {
    prop::sample::select(vec![
        Relation::Equal,
        Relation::Exact,
        Relation::NotEqual,
        Relation::Less,
        Relation::LessOrEqual,
        Relation::Greater,
        Relation::GreaterOrEqual,
    ])
}

fn relation() -> impl Strategy<Value = Relation> {
    let words = prop::sample::select(vec![
        Relation::Any,
        Relation::All,
        Relation::Adj,
        Relation::Within,
        Relation::Encloses,
        Relation::Named("dc.exact".into()),
    ]);
    prop_oneof![comparison(), words]
}

/// Any text a query may contain; NUL is not one of them.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z.]{0,8}",
        r#"[ab"\\*? ()/<>=.]{0,8}"#,
        "\\PC{0,6}",
        prop::sample::select(vec!["and", "OR", "sortby", "all", ""]).prop_map(str::to_owned),
    ]
}

fn modifier() -> impl Strategy<Value = Modifier> {
    let name = "@?[a-z]{4,9}(\\.[a-z]{1,3})?"
        .prop_filter("a keyword is no modifier", |name| !["prox", "sortby"].contains(&name.as_str()));
    (name, prop::option::of((comparison(), text()))).prop_map(|(name, value)| match value {
        Some((comparison, value)) => Modifier::with_value(&name, comparison, &value),
        None => Modifier::new(&name),
    })
}

fn clause() -> impl Strategy<Value = Clause> {
    let index = prop_oneof!["[a-z]{1,5}(\\.[a-zA-Z]{1,5})?", text()];
    (index, relation(), vec(modifier(), 0..3), text())
        .prop_map(|(index, relation, modifiers, term)| Clause::new(&index, relation, modifiers, &term))
}

fn boolean() -> impl Strategy<Value = Boolean> {
    prop::sample::select(vec![Boolean::And, Boolean::Or, Boolean::Not, Boolean::Prox])
}

fn expression() -> impl Strategy<Value = Expression> {
    let leaf = clause().prop_map(Expression::from);
    leaf.prop_recursive(4, 24, 4, |inner| {
        let joined = (boolean(), vec(modifier(), 0..2), inner).prop_map(|(boolean, modifiers, operand)| Joined {
            boolean,
            modifiers,
            operand,
        });
        (clause(), vec(joined, 0..4)).prop_map(|(first, rest)| Expression { first, rest })
    })
}

fn query() -> impl Strategy<Value = Query> {
    let key = (text(), vec(modifier(), 0..2)).prop_map(|(index, modifiers)| SortKey::new(&index, modifiers));
    (expression(), vec(key, 0..3)).prop_map(|(condition, sort)| Query { condition, sort })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_trees_parse_to_themselves(query in query()) {
        prop_assert_eq!(parse(&query.to_string()), Ok(query));
    }

    #[test]
    fn what_parses_prints_to_the_same_tree(text in r#"([ab]|and|or|not|==|=|<|/|\(|\)|"|\\|\*| |sortby|\.){0,24}"#) {
        if let Ok(tree) = parse(&text) {
            prop_assert_eq!(parse(&tree.to_string()), Ok(tree));
        }
    }

    #[test]
    fn any_text_is_read_or_refused_inside_its_bounds(text in "\\PC{0,40}") {
        if let Err(error) = parse(&text) {
            prop_assert!(error.offset.is_some_and(|offset| text.is_char_boundary(offset)));
        }
    }
}
