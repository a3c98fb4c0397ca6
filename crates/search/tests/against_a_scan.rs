//! The index answers as a plain scan of its documents does, whatever was added, deleted, committed and reopened.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use proptest::prelude::*;
use search::{
    SearchError,
    document::{Document, Values},
    fields::{Fields, Kind},
    hits::{By, Hits, Request, Sort},
    index::Writer,
    inspect::{Inspected, inspect},
    query::Query,
};
use serde_json::json;

const WORDS: [&str; 6] = ["maps", "letters", "harbour", "Éclair", "box 9", "Box 10"];

fn fields() -> Arc<Fields> {
    let declared =
        [("title", Kind::Text), ("title_sort", Kind::Sorted), ("subject", Kind::Exact), ("year", Kind::Number)];
    Arc::new(Fields::declare(declared))
}

fn document(id: u8, title: &str, subjects: &[&str], year: i64) -> Document {
    let shown = json!({"id": id.to_string(), "title": title, "subject": subjects, "year": year});
    Document {
        id: format!("{id:03}"),
        source: format!("record/{id}"),
        shown: shown.as_object().cloned().expect("an object").into(),
        hidden: Values::from_iter([("title_sort", title)]),
    }
}

fn all(query: Query) -> Request {
    let sort = vec![Sort { by: By::Field("title_sort".into()), descending: false }];
    Request { query, sort, offset: 0, limit: 1000, facets: vec!["subject".into(), "year".into()], least: 1, most: 100 }
}

fn ids(hits: &Hits) -> Vec<String> {
    hits.documents.iter().map(|document| document["id"].as_str().expect("an id").to_owned()).collect()
}

#[derive(Debug, Clone)]
enum Step {
    Add(u8, Vec<usize>, Vec<usize>, i64),
    Delete(u8),
    Commit,
    Reopen,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let some = || prop::collection::vec(0..WORDS.len(), 0..3);
    let step = prop_oneof![
        6 => (0..12u8, some(), some(), -2000..2100i64).prop_map(|(id, title, subjects, year)| Step::Add(id, title, subjects, year)),
        2 => (0..12u8).prop_map(Step::Delete),
        2 => Just(Step::Commit),
        1 => Just(Step::Reopen),
    ];
    prop::collection::vec(step, 1..40)
}

type Plain = BTreeMap<u8, (String, Vec<&'static str>, i64)>;

fn compare(writer: &Writer, plain: &Plain) {
    let reader = writer.reader();
    let found = reader.search(&all(Query::All)).expect("an answer");
    assert_eq!(found.total, plain.len());
    let mut sorted: Vec<_> = plain.iter().collect();
    sorted.sort_by_key(|(id, (title, ..))| {
        // Documents without a title have no key and come last.
        (title.is_empty(), search::analysis::sort_key(title), **id)
    });
    assert_eq!(ids(&found), sorted.iter().map(|(id, _)| id.to_string()).collect::<Vec<_>>());
    for word in WORDS {
        let mut of_subject: Vec<_> = ids(&reader.search(&all(Query::has("subject", word))).expect("an answer"));
        of_subject.sort();
        let mut expected: Vec<_> = plain
            .iter()
            .filter(|(_, (_, subjects, _))| subjects.contains(&word))
            .map(|(id, _)| id.to_string())
            .collect();
        expected.sort();
        let counted = found.facets[0].1.iter().find(|(value, _)| value == word).map_or(0, |(_, count)| *count);
        assert_eq!((counted as usize, &of_subject), (expected.len(), &expected), "{word}");
        let titled =
            reader.search(&all(Query::Phrase { field: "title".into(), value: word.into() })).expect("an answer");
        let expected = plain.values().filter(|(title, ..)| title.contains(word)).count();
        assert_eq!(titled.total, expected, "{word}");
    }
    let range = Query::from_to("year", Some("-50".into()), Some("1900".into()));
    let expected = plain.values().filter(|(.., year)| (-50..=1900).contains(year)).count();
    assert_eq!(reader.search(&all(range)).expect("an answer").total, expected);
    let pages = (0..plain.len())
        .step_by(5)
        .flat_map(|offset| ids(&reader.search(&Request { offset, limit: 5, ..all(Query::All) }).expect("a page")));
    let pages: Vec<_> = pages.collect();
    assert_eq!(pages, ids(&found));
}

fn run(directory: &Path, steps: &[Step]) {
    let mut writer = Writer::open(directory, fields()).expect("an index");
    let (mut now, mut committed) = (Plain::new(), Plain::new());
    let mut commits = 0;
    for step in steps {
        match step {
            Step::Add(id, title, subjects, year) => {
                let title = title.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(", ");
                let mut subjects: Vec<_> = subjects.iter().map(|word| WORDS[*word]).collect();
                subjects.dedup();
                if subjects.len() == 2 && subjects[0] == subjects[1] {
                    subjects.pop();
                }
                writer.delete(&format!("record/{id}"));
                writer.add(&document(*id, &title, &subjects, *year)).expect("added");
                now.insert(*id, (title, subjects, *year));
            }
            Step::Delete(id) => {
                writer.delete(&format!("record/{id}"));
                now.remove(id);
            }
            Step::Commit => {
                commits += 1;
                writer.commit(&commits.to_string()).expect("committed");
                committed = now.clone();
            }
            Step::Reopen => {
                // What was not committed is lost, as the position says.
                drop(writer);
                writer = Writer::open(directory, fields()).expect("the index");
                assert_eq!(writer.position().unwrap_or("0"), commits.to_string());
                now = committed.clone();
            }
        }
        if !matches!(step, Step::Add(..) | Step::Delete(_)) {
            compare(&writer, &committed);
        }
    }
    writer.commit("end").expect("committed");
    compare(&writer, &now);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_index_answers_as_a_scan_does(steps in steps()) {
        let directory = tempfile::tempdir().expect("a directory");
        run(directory.path(), &steps);
    }
}

#[test]
fn a_damaged_index_is_told() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut writer = Writer::open(directory.path(), fields()).expect("an index");
    writer.add(&document(1, "maps", &["maps"], 1900)).expect("added");
    writer.commit("1").expect("committed");
    writer.close().expect("closed");
    assert!(inspected(directory.path(), &fields()).is_ok());
    for file in std::fs::read_dir(directory.path()).expect("files") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|kind| kind == "store") {
            let mut bytes = std::fs::read(&path).expect("bytes");
            bytes[2] ^= 0xFF;
            std::fs::write(&path, bytes).expect("written");
        }
    }
    // That is found when all is read.
    let writer = Writer::open(directory.path(), fields()).expect("an index");
    assert!(matches!(writer.check(), Err(SearchError::Unusable(_))));
    assert!(matches!(inspected(directory.path(), &fields()), Err(SearchError::Unusable(_))));
    drop(writer);
    std::fs::write(directory.path().join("meta.json"), "{").expect("written");
    assert!(matches!(Writer::open(directory.path(), fields()), Err(SearchError::Unusable(_))));
    assert!(matches!(inspected(directory.path(), &fields()), Err(SearchError::Unusable(_))));
}

/// What is seen of an index from outside.
fn inspected(directory: &Path, fields: &Fields) -> Result<Inspected, SearchError> {
    inspect(directory, fields, true).map(|found| found.expect("an index"))
}

#[test]
fn an_index_for_other_fields_is_searched_by_those_it_has() {
    let directory = tempfile::tempdir().expect("a directory");
    // The year is searched otherwise now, and the subject is new.
    let older = [("gone", Kind::Exact), ("title", Kind::Text), ("title_sort", Kind::Sorted), ("year", Kind::Text)];
    let mut writer = Writer::open(directory.path(), Arc::new(Fields::declare(older))).expect("an index");
    writer.add(&document(1, "maps", &["maps"], 1900)).expect("added");
    writer.commit("1").expect("committed");
    writer.close().expect("closed");
    let seen = inspected(directory.path(), &fields()).expect("an index");
    assert_eq!(seen, Inspected { position: Some("1".to_owned()), documents: 1, is_older: true });

    let mut writer = Writer::open(directory.path(), fields()).expect("the index");
    assert!(writer.is_older());
    writer.add(&document(2, "letters", &["maps"], 1901)).expect("added");
    writer.commit("2").expect("committed");
    let titles = |query| ids(&writer.reader().search(&all(query)).expect("an answer"));
    assert_eq!(titles(Query::All), ["2", "1"]);
    assert_eq!(titles(Query::has("title", "letters")), ["2"]);
    for missing in [Query::has("subject", "maps"), Query::has("year", "1900")] {
        assert!(titles(missing).is_empty());
    }
    drop(writer);
    // What lacks the columns of every index is none.
    let strange =
        std::fs::read_to_string(directory.path().join("meta.json")).expect("an index").replace("$id", "$other");
    std::fs::write(directory.path().join("meta.json"), strange).expect("written");
    assert!(matches!(Writer::open(directory.path(), fields()), Err(SearchError::Unusable(_))));
    assert!(matches!(inspected(directory.path(), &fields()), Err(SearchError::Unusable(_))));
}

#[test]
fn patterns_match_words_and_values() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut writer = Writer::open(directory.path(), fields()).expect("an index");
    writer.add(&document(1, "Éclairs & letters", &["New York (N.Y.)"], 1900)).expect("added");
    writer.commit("1").expect("committed");
    let count = |field: &str, pattern: &str| {
        let query = Query::Like { field: field.into(), pattern: pattern.into() };
        writer.reader().search(&all(query)).expect("an answer").total
    };
    for (field, pattern, expected) in [
        ("title", "ÉCL*", 1),
        ("title", "*tters", 1),
        ("title", "l?tt*s", 1),
        ("title", "x*", 0),
        ("subject", "New*", 1),
        ("subject", "new*", 0),
        ("subject", "*(N.Y.)", 1),
        ("nothing", "*", 0),
    ] {
        assert_eq!(count(field, pattern), expected, "{field}:{pattern}");
    }
}

/// Documents of a filter are kept from the second search on.
#[test]
fn a_filter_that_is_used_again_finds_the_same() {
    let directory = tempfile::tempdir().expect("a folder");
    let mut writer = Writer::open(directory.path(), fields()).expect("an index");
    for number in 0..2_000_u16 {
        let shown = json!({"title": WORDS[usize::from(number % 6)], "subject": [WORDS[usize::from(number % 4)]]});
        let shown = shown.as_object().cloned().expect("an object").into();
        let id = format!("{number:04}");
        writer.add(&Document { source: id.clone(), id, shown, hidden: Values::default() }).expect("a document");
    }
    writer.commit("1").expect("a commit");
    // Of twelve documents in a row two have this title, one of them not this subject.
    let found = |writer: &Writer| {
        let filter = Query::has("subject", "maps").negated();
        let query = Query::And(vec![Query::has("title", "maps"), Query::Filter(Box::new(filter))]);
        let hits = writer.reader().search(&Request { sort: Vec::new(), ..all(query) }).expect("hits");
        (hits.total, hits.facets[0].1.clone())
    };
    let expected = (0..2_000).filter(|number| number % 6 == 0 && number % 4 != 0).count();
    for _ in 0..3 {
        assert_eq!(found(&writer), (expected, vec![("harbour".to_owned(), expected as u64)]));
    }
    writer.delete("0006");
    writer.commit("2").expect("a commit");
    assert_eq!(found(&writer).0, expected - 1);
}

/// Values of a field are numbered, unless a segment has very many of them.
#[test]
fn fields_with_many_values_are_counted_like_others() {
    const MANY: u16 = 17_000;
    let directory = tempfile::tempdir().expect("a folder");
    let mut writer = Writer::open(directory.path(), fields()).expect("an index");
    let add = |writer: &mut Writer, number: u16, subjects: &[&str]| {
        let shown = json!({"title": "maps", "subject": subjects, "year": number % 3});
        let (shown, id) = (shown.as_object().cloned().expect("an object").into(), format!("{number:05}"));
        writer.add(&Document { source: id.clone(), id, shown, hidden: Values::default() }).expect("a document");
    };
    for number in 0..MANY {
        add(&mut writer, number, &["of all", &format!("of {number}")]);
    }
    writer.commit("1").expect("a commit");
    let counted = |writer: &Writer, query: Query| {
        let hits = writer.reader().search(&Request { most: 3, ..all(query) }).expect("hits");
        hits.facets.into_iter().map(|(_, values)| values).collect::<Vec<_>>()
    };
    let owned = |values: &[(&str, u64)]| values.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect();
    let expected: Vec<Vec<(String, u64)>> = vec![
        owned(&[("of all", 17_000), ("of 0", 1), ("of 1", 1)]),
        owned(&[("0", 5_667), ("1", 5_667), ("2", 5_666)]),
    ];
    assert_eq!(counted(&writer, Query::All), expected);
    for number in MANY..MANY + 10 {
        add(&mut writer, number, &["of all", "of 1"]);
    }
    writer.delete("00000");
    writer.commit("2").expect("a commit");
    for _ in 0..3 {
        assert_eq!(counted(&writer, Query::All)[0], owned(&[("of all", 17_009), ("of 1", 11), ("of 10", 1)]));
        assert_eq!(counted(&writer, Query::has("subject", "of 1"))[0], owned(&[("of 1", 11), ("of all", 11)]));
    }
}

/// Tends an index until it has at most so many segments.
fn until_merged(writer: &mut Writer, most: usize) {
    let (reader, began) = (writer.reader(), Instant::now());
    while reader.segments() > most {
        assert!(began.elapsed() < Duration::from_secs(60), "still {} segments", reader.segments());
        writer.tend().expect("the index");
        std::thread::yield_now();
    }
}

#[test]
fn the_files_of_an_index_that_was_built_are_merged_once_it_is_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut building = Writer::build(folder.path(), fields()).expect("an index");
    for id in 0..10 {
        building.add(&document(id, "maps", &[], 1900)).expect("a document");
        building.commit(&id.to_string()).expect("a commit");
    }
    drop(building);
    let mut writer = Writer::open(folder.path(), fields()).expect("an index");
    let reader = writer.reader();
    assert_eq!((reader.segments(), writer.position()), (10, Some("9")));
    until_merged(&mut writer, 1);
    assert_eq!((reader.documents(), writer.position()), (10, Some("9")));
    assert_eq!(reader.search(&all(Query::All)).expect("an answer").total, 10);
}

#[test]
fn records_that_are_saved_one_by_one_and_again_become_few_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = Writer::open(folder.path(), fields()).expect("an index");
    let reader = writer.reader();
    for id in 1..=60 {
        for saved in [0, id] {
            writer.delete(&format!("record/{saved}"));
            writer.add(&document(saved, "maps", &[], 1900)).expect("a document");
            writer.commit(&format!("{id} {saved}")).expect("a commit");
        }
        writer.tend().expect("the index");
    }
    until_merged(&mut writer, 8);
    assert_eq!((reader.documents(), writer.position()), (61, Some("60 60")));
}
