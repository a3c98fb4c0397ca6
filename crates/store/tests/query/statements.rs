//! The SQL of each kind of clause: stable in shape, and on exactly the expressions that are indexed.

use store::query::sql::Parameter::{self, Text, Texts};

use crate::inventory::{plan, statement};

const FOLDED_TITLE: &str = r#"(left(carrel.fold((doc->>'title')), 600) COLLATE "C")"#;
const BARCODE: &str = r#"(left(lower((doc->>'barcode')), 600) COLLATE "C")"#;

fn condition(table: &str, query: &str) -> (String, Vec<Parameter>) {
    let mut parameters = Vec::new();
    let plan = plan(table, query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let sql = plan.condition.sql().numbered(&mut parameters);
    (sql, parameters)
}

fn text(text: &str) -> Parameter {
    Text(text.to_owned())
}

#[test]
fn conditions_compare_the_indexed_expressions_with_values() {
    let last = '\u{10FFFF}';
    let rows: Vec<(&str, &str, String, Vec<Parameter>)> = vec![
        ("item", "barcode==X-1", format!("{BARCODE} = $1::text"), vec![text("x-1")]),
        ("item", "barcode==Ö", format!("{BARCODE} = lower($1::text)"), vec![text("Ö")]),
        ("item", "barcode==X*", format!("{BARCODE} >= $1::text AND {BARCODE} < $2::text"),
            vec![text("x"), Text(format!("x{last}"))]),
        ("instance", "title==(A or b)", format!("{FOLDED_TITLE} = ANY($1::text[])"),
            vec![Texts(vec!["a".into(), "b".into()])]),
        ("instance", "title==é", format!("{FOLDED_TITLE} = carrel.fold($1::text)"), vec![text("é")]),
        ("instance", "title=Sea", "carrel.words((doc->>'title')) @@ carrel.phrase($1::text)".into(), vec![text("Sea")]),
        ("instance", "title=(a or b)", "carrel.words((doc->>'title')) @@ carrel.any_phrase($1::text[])".into(),
            vec![Texts(vec!["a".into(), "b".into()])]),
        ("item", "status.name==Open and barcode==x",
            format!(r#"(carrel.fold((state->'status'->>'name')) COLLATE "C") = $1::text AND {BARCODE} = $2::text"#),
            vec![text("open"), text("x")]),
        ("item", "instance.title=sea",
            "holdingsrecordid IN (SELECT id FROM holdings_record WHERE instanceid IN (SELECT id FROM instance WHERE \
             carrel.words((doc->>'title')) @@ carrel.phrase($1::text)))".into(), vec![text("sea")]),
        ("instance", "cql.allRecords=1 not code=\"\"", "(((doc->>'code') IS NOT NULL) IS NOT TRUE)".into(), vec![]),
        ("instance", "code==a or title=b and title=c",
            r#"((left(carrel.fold((doc->>'code')), 600) COLLATE "C") = $1::text OR carrel.words((doc->>'title')) @@ carrel.phrase($2::text)) AND carrel.words((doc->>'title')) @@ carrel.phrase($3::text)"#.into(),
            vec![text("a"), text("b"), text("c")]),
        ("instance", r#""customFields.a'b"<1"#, r#"((doc->'customFields'->>'a''b') COLLATE "C") < $1::text"#.into(), vec![text("1")]),
        ("instance", "identifiers>(a or b)", r#"((doc->>'identifiers') COLLATE "C") > ANY($1::text[])"#.into(),
            vec![Texts(vec!["a".into(), "b".into()])]),
        ("instance", "title<(B or a)", format!("{FOLDED_TITLE} < ANY($1::text[])"), vec![Texts(vec!["b".into(), "a".into()])]),
        ("instance", "title<>a or title<>b", format!("{FOLDED_TITLE} <> ANY($1::text[])"),
            vec![Texts(vec!["a".into(), "b".into()])]),
        ("instance", "languages==(*a or *b)",
            r#"(carrel.fold((doc->>'languages')) COLLATE "C") LIKE ANY($1::text[])"#.into(),
            vec![Texts(vec!["%a".into(), "%b".into()])]),
        ("instance", "publicationPeriod.start>/number (1 or 2)",
            "carrel.number((doc->'publicationPeriod'->>'start')) > ANY($1::text[]::numeric[])".into(),
            vec![Texts(vec!["1".into(), "2".into()])]),
        ("instance", "cql.allRecords=1", "TRUE".into(), vec![]),
        ("instance", "nothing==1", "FALSE".into(), vec![]),
    ];
    for (table, query, sql, parameters) in rows {
        assert_eq!(condition(table, query), (sql, parameters), "{query}");
    }
}

#[test]
fn any_number_of_ids_is_one_parameter() {
    let ids: Vec<String> = (0..10_000).map(|n| crate::inventory::id(n).to_string()).collect();
    for query in [format!("id==({})", ids.join(" or ")), format!("id=={}", ids.join(" or id=="))] {
        let (sql, parameters) = condition("item", &query);
        assert_eq!(sql, "id = ANY($1::uuid[])");
        assert!(matches!(&parameters[..], [Parameter::Uuids(found)] if found.len() == 10_000));
    }
}

#[test]
fn values_in_place_are_literals() {
    let plan = plan(
        "item",
        r#"barcode=="o'\\;--" or id==(00000001-0000-4000-8000-000000000000 or 00000002-0000-4000-8000-000000000000)"#,
    )
    .unwrap();
    assert_eq!(
        plan.condition.sql().inlined(),
        format!(
            "{BARCODE} = 'o''\\;--'::text OR id = ANY(ARRAY['00000001-0000-4000-8000-000000000000',\
                 '00000002-0000-4000-8000-000000000000']::uuid[])"
        )
    );
}

#[test]
fn queries_of_one_shape_have_one_text() {
    for (one, other) in [
        ("barcode==1", "barcode==2"),
        ("status.name==a sortby barcode", "status.name==b sortby barcode"),
        ("id==00000001*", "id==00000002*"),
    ] {
        let (one, other) = (statement("item", one, 10, 0), statement("item", other, 500, 20));
        assert_eq!(one.sql, other.sql);
        assert_ne!(one.parameters, other.parameters);
    }
}
