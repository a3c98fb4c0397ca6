//! Alternatives of one index become a set; everything else keeps its place.

// The helpers of a test may fail by a panic, too.
#![allow(clippy::unwrap_used)]

use cql::{Operand, parse};

/// The operands as text: `op index relation [terms]`, or `op (nested)`.
fn operands(query: &str) -> Vec<String> {
    let tree = parse(query).unwrap();
    let show = |(boolean, operand): &(Option<cql::Boolean>, Operand<'_>)| {
        let operator = boolean.map(|b| format!("{b} ")).unwrap_or_default();
        match operand {
            Operand::Terms(set) => {
                format!("{operator}{} {} {:?}", set.index, set.relation, set.terms)
            }
            Operand::Nested(nested) => format!("{operator}({nested})"),
        }
    };
    tree.condition.operands().iter().map(show).collect()
}

#[test]
fn neighbours_joined_by_or_become_one_set() {
    let table: [(&str, &[&str]); 17] = [
        ("id==(a or b or c)", &[r#"id == ["a", "b", "c"]"#]),
        ("id==a or id==b", &[r#"id == ["a", "b"]"#]),
        ("id==(a or b) and x==1", &[r#"id == ["a", "b"]"#, r#"and x == ["1"]"#]),
        ("x==1 and id==(a or b)", &[r#"x == ["1"]"#, r#"and id == ["a", "b"]"#]),
        ("id==(a or b) or id==(c or d) or (id==e or id==f)", &[r#"id == ["a", "b", "c", "d", "e", "f"]"#]),
        ("x==1 not id==(a or b) not id==c", &[r#"x == ["1"]"#, r#"not id == ["a", "b", "c"]"#]),
        ("x==1 and (id==a or y==b)", &[r#"x == ["1"]"#, r#"and (id == "a" or y == "b")"#]),
        ("x==1 and (id==a and id==b)", &[r#"x == ["1"]"#, r#"and (id == "a" and id == "b")"#]),
        // A leading star in parentheses applies to everything.
        ("x==1 or id=(* or b)", &[r#"x == ["1"]"#, r#"or (id = "*" or id = "b")"#]),
        ("x==1 or id==a or id==b", &[r#"x == ["1"]"#, r#"or id == ["a", "b"]"#]),
        ("x==1 or id==a or x==2 or id==b", &[r#"x == ["1", "2"]"#, r#"or id == ["a", "b"]"#]),
        ("id==a and x==1 or id==b or id==c", &[r#"id == ["a"]"#, r#"and x == ["1"]"#, r#"or id == ["b", "c"]"#]),
        // (x and a) or b is not x and (a or b).
        ("x==1 and id==a or id==b", &[r#"x == ["1"]"#, r#"and id == ["a"]"#, r#"or id == ["b"]"#]),
        ("id==a or id=b", &[r#"id == ["a"]"#, r#"or id = ["b"]"#]),
        ("id==a or id==/number b", &[r#"id == ["a"]"#, r#"or id == ["b"]"#]),
        (
            "id==a not id==b not x==1 not id==c or id==d",
            &[r#"id == ["a"]"#, r#"not id == ["b", "c"]"#, r#"not x == ["1"]"#, r#"or id == ["d"]"#],
        ),
        ("id==a not id==b", &[r#"id == ["a"]"#, r#"not id == ["b"]"#]),
    ];
    for (query, expected) in table {
        assert_eq!(operands(query), expected, "{query}");
    }
}
