//! Words with typing errors and words near each other are found as a scan of the documents finds them.

use std::sync::Arc;

use proptest::prelude::*;
use search::{
    document::{Document, Values},
    fields::{Fields, Kind},
    hits::Request,
    index::{Reader, Writer},
    query::Query,
};
use serde_json::{Map, json};

/// An index of texts, in several segments.
fn index(texts: &[String]) -> (tempfile::TempDir, Writer) {
    let folder = tempfile::tempdir().expect("a folder");
    let fields = Fields::declare([("text", Kind::Text), ("value", Kind::Exact), ("words", Kind::Words)]);
    let mut writer = Writer::open(folder.path(), Arc::new(fields)).expect("an index");
    for (id, text) in texts.iter().enumerate() {
        let members: Map<_, _> = [("id".to_owned(), json!(id))].into_iter().collect();
        let hidden = Values::from_iter([("text", text), ("value", text), ("words", text)]);
        let id = id.to_string();
        writer.add(&Document { id: id.clone(), source: id.clone(), shown: members.into(), hidden }).expect("added");
        if id.ends_with('7') {
            writer.commit(&id).expect("committed");
        }
    }
    writer.commit("end").expect("committed");
    (folder, writer)
}

fn request(query: Query) -> Request {
    Request { query, sort: Vec::new(), offset: 0, limit: 1000, facets: Vec::new(), least: 1, most: 0 }
}

/// The numbers of the texts found, the best first.
fn ranked(reader: &Reader, query: Query) -> Vec<usize> {
    let hits = reader.search(&request(query)).expect("an answer");
    let ids = hits.documents.iter().map(|document| document["id"].as_u64().expect("a number"));
    ids.map(|id| id as usize).collect()
}

fn found(reader: &Reader, query: Query) -> Vec<usize> {
    let mut ids = ranked(reader, query);
    ids.sort_unstable();
    ids
}

/// In how many letters two words differ, by trying everything.
fn differences(one: &[char], other: &[char]) -> usize {
    let ([a, one_rest @ ..], [b, other_rest @ ..]) = (one, other) else { return one.len() + other.len() };
    if a == b {
        return differences(one_rest, other_rest);
    }
    let mut least =
        differences(one_rest, other_rest).min(differences(one_rest, other)).min(differences(one, other_rest));
    if let ([a, b, one_rest @ ..], [c, d, other_rest @ ..]) = (one, other)
        && a == d
        && b == c
    {
        least = least.min(differences(one_rest, other_rest));
    }
    least + 1
}

fn similar(field: &str, value: &str, edits: u8) -> Query {
    Query::Similar { field: field.into(), value: value.into(), edits }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_with_errors_are_those_of_a_scan(
        texts in prop::collection::vec("[ab]{1,2}[abé]{0,5}", 1..40),
        word in "[abé]{1,6}",
        edits in 0_u8..4,
    ) {
        let (_folder, writer) = index(&texts);
        let is_near = |text: &str, word: &str| {
            let (one, other): (Vec<char>, Vec<char>) = (text.chars().collect(), word.chars().collect());
            let differences = differences(&one, &other);
            differences == 0 || differences <= usize::from(edits.min(2)) && differences < one.len().min(other.len())
        };
        let plain = |text: &str| text.replace('é', "e");
        let expected = |is_found: &dyn Fn(&str) -> bool| {
            let found = texts.iter().enumerate().filter(|(_, text)| is_found(text));
            found.map(|(place, _)| place).collect::<Vec<_>>()
        };
        let reader = writer.reader();
        let of_text = expected(&|text| is_near(&plain(text), &plain(&word)));
        prop_assert_eq!(found(&reader, similar("text", &word, edits)), of_text);
        let whole = expected(&|text| is_near(text, &word));
        prop_assert_eq!(found(&reader, similar("value", &word, edits)), &whole[..]);
        prop_assert_eq!(found(&reader, similar("words", &word, edits)), &whole[..]);
        let others = expected(&|text| !is_near(text, &word));
        prop_assert_eq!(found(&reader, similar("value", &word, edits).negated()), others);
    }

    #[test]
    fn two_words_near_each_other_are_those_of_a_scan(
        texts in prop::collection::vec("([abc] ){0,9}", 1..40),
        places in 0_u32..6,
    ) {
        let (_folder, writer) = index(&texts);
        let is_near = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let of = |wanted: &str| words.iter().enumerate().filter(|(_, word)| **word == wanted).map(|(at, _)| at as i64).collect::<Vec<_>>();
            let (a, b) = (of("a"), of("b"));
            a.iter().any(|a| b.iter().any(|b| (b - a - 1).unsigned_abs() <= u64::from(places)))
        };
        let expected: Vec<usize> = (0..texts.len()).filter(|place| is_near(&texts[*place])).collect();
        for field in ["text", "words"] {
            let near = Query::Near { field: field.into(), value: "a b".into(), places };
            prop_assert_eq!(found(&writer.reader(), near), &expected[..]);
        }
    }
}

#[test]
fn the_nearest_words_count_and_only_so_many() {
    let mut texts: Vec<String> = ('a'..='z').flat_map(|a| ('a'..='c').map(move |b| format!("harbour{a}{b}"))).collect();
    texts.extend(["harbours", "harbour"].map(str::to_owned));
    let (_folder, writer) = index(&texts);
    let found = ranked(&writer.reader(), similar("text", "harbour", 2));
    assert_eq!(found.len(), 50);
    assert_eq!(found[..2], [texts.len() - 1, texts.len() - 2], "the word itself, then one letter more");
}

#[test]
fn long_words_and_distances_are_bounded() {
    let long = "x".repeat(65);
    let (_folder, writer) = index(&[long.clone(), "a b".to_owned(), "12".to_owned()]);
    let reader = writer.reader();
    assert_eq!(found(&reader, similar("text", &long, 2)), [0]);
    assert!(found(&reader, similar("text", &long[1..], 2)).len() == 1, "64 letters may differ from 65");
    assert!(found(&reader, similar("text", &"x".repeat(66), 2)).is_empty(), "longer ones may not");
    let far = Query::Near { field: "text".into(), value: "b a".into(), places: u32::MAX };
    assert_eq!(found(&reader, far), [1]);
    assert!(found(&reader, similar("nothing", "a", 2)).is_empty());
}

#[test]
fn words_too_long_for_an_index_are_not_found_and_hide_nothing() {
    let long = "q".repeat(255);
    let (_folder, writer) = index(&["papers".to_owned(), long.clone(), format!("{long} papers")]);
    let reader = writer.reader();
    let (field, both) = ("text".to_owned(), format!("papers {long}"));
    for value in [long.clone(), both.clone(), "q".repeat(70_000)] {
        assert!(found(&reader, Query::has("text", value.as_str())).is_empty());
        assert!(found(&reader, Query::has("words", value.as_str())).is_empty());
        assert!(found(&reader, similar("text", &value, 2)).is_empty());
        assert!(found(&reader, Query::Phrase { field: field.clone(), value: value.clone() }).is_empty());
        assert!(found(&reader, Query::Near { field: field.clone(), value, places: 9 }).is_empty());
    }
    for pattern in [format!("{long}*"), format!("{long}*x"), format!("?{long}")] {
        assert!(found(&reader, Query::Like { field: field.clone(), pattern: pattern.clone() }).is_empty(), "{pattern}");
    }
    let range = Query::from_to(field, Some(long), None);
    assert!(found(&reader, range).is_empty());
    assert_eq!(found(&reader, Query::has("text", "papers")), [0, 2]);
}
