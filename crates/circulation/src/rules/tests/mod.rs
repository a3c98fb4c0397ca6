//! Tests of the rules language: choosing, errors and printing.

mod choosing;
mod errors;
mod printing;

use super::{Facts, Matcher, Name, Place, parse};

/// Expands `P0`…`P9` to full policy lists, as in the examples (docs/folio/circulation-rules.md#examples).
fn with_policies(text: &str) -> String {
    (0..10).fold(text.to_owned(), |text, n| {
        let list = format!("l P{n} r r{n} n n{n} o o{n} i i{n}");
        text.replace(&format!("P{n}"), &list)
    })
}

fn matcher(text: &str) -> Matcher {
    Matcher::new(&parse(&with_policies(text)).expect("a valid text"))
}

/// Facts from a description such as `m book g staff t reserve s main a uni b campus c law`; without `a`, the location
/// is unknown.
fn facts(described: &str) -> Facts {
    let words: Vec<&str> = described.split_whitespace().collect();
    let value = |letter: &str| words.chunks(2).find(|pair| pair[0] == letter).map(|p| p[1]);
    let id = |letter: &str| Name::new(value(letter).unwrap_or("other")).id();
    Facts {
        material_type: id("m"),
        loan_type: id("t"),
        patron_group: id("g"),
        location: id("s"),
        place: value("a").map(|_| Place { institution: id("a"), campus: id("b"), library: id("c") }),
    }
}
