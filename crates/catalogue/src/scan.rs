//! A plain scan of records, and the property that the index finds what it finds: for random queries, and after random saves,
//! deletes, restarts and kills.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use search::{
    analysis::{Language, folded, words},
    index::Writer,
};
use serde_json::{Value, json};

use crate::{
    answer::Expanded,
    document::{EMPTY, Names, document},
    meaning,
    options::{self, INSTANCES, Kind, SearchOption},
    settings::Settings,
};

/// A query as a tree.
#[derive(Debug, Clone)]
enum Tree {
    Clause { option: &'static str, relation: &'static str, term: String },
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Not(Box<Tree>, Box<Tree>),
}

impl Tree {
    fn cql(&self) -> String {
        match self {
            Self::Clause { option, relation, term } => format!("{option} {relation} \"{term}\""),
            Self::And(one, other) => format!("({}) and ({})", one.cql(), other.cql()),
            Self::Or(one, other) => format!("({}) or ({})", one.cql(), other.cql()),
            Self::Not(one, other) => format!("({}) not ({})", one.cql(), other.cql()),
        }
    }

    fn finds(&self, record: &Record) -> bool {
        match self {
            Self::Clause { option, relation, term } => clause(record, option, relation, term),
            Self::And(one, other) => one.finds(record) && other.finds(record),
            Self::Or(one, other) => one.finds(record) || other.finds(record),
            Self::Not(one, other) => one.finds(record) && !other.finds(record),
        }
    }
}

/// The columns of a document with their values.
type Record = BTreeMap<String, Vec<String>>;

fn record(title: &Expanded, names: &Names) -> Record {
    let mut record = Record::from([("id".to_owned(), vec![title.id().to_owned()])]);
    for (column, value) in document(&title.title(), names).hidden.iter() {
        record.entry(column.to_owned()).or_default().push(value.to_owned());
    }
    record
}

fn values<'a>(record: &'a Record, column: &str) -> &'a [String] {
    record.get(column).map_or(&[], Vec::as_slice)
}

fn clause(record: &Record, name: &str, relation: &str, term: &str) -> bool {
    let options = INSTANCES.named(&options::spelt(name));
    let all = || options.iter().all(|option| matches!(option.kind, Kind::Term | Kind::Raw));
    let whole = |kind: Kind| {
        let text = if kind == Kind::Raw { term.to_owned() } else { folded(term) };
        if text.is_empty() { EMPTY.to_owned() } else { text }
    };
    let column = |option: &SearchOption| match option.kind {
        Kind::Text | Kind::Plain | Kind::Words => option.whole,
        _ => option.name,
    };
    if term.contains('*') {
        let matches = |option: &&SearchOption| {
            values(record, column(option)).iter().any(|value| like(value, &whole(option.kind)))
        };
        return options.iter().any(matches);
    }
    if all() {
        let has = |option: &&SearchOption| values(record, option.name).contains(&whole(option.kind));
        let found = options.iter().any(has);
        let compared = |by: fn(&str, &str) -> bool| {
            let value_of = |option: &SearchOption| whole(option.kind);
            options.iter().any(|option| values(record, option.name).iter().any(|value| by(value, &value_of(option))))
        };
        return match relation {
            "=" if term.is_empty() => options.iter().any(|option| !values(record, option.name).is_empty()),
            "<>" => !found,
            ">=" => compared(|value, term| value >= term),
            "<" => compared(|value, term| value < term) && !found,
            _ => found,
        };
    }
    match relation {
        "=" if term.is_empty() => options.iter().any(|option| !values(record, column(option)).is_empty()),
        "==" if term.is_empty() => {
            options.iter().any(|option| values(record, column(option)).iter().any(|value| value == EMPTY))
        }
        "==" => options.iter().any(|option| phrase(record, option, term)),
        "all" | "adj" if term.trim().is_empty() => true,
        "any" => term.split_whitespace().any(|chunk| has_word(record, &options, chunk, false)),
        _ => {
            let passes_over = matches!(relation, "=" | "<>") && !Language::English.forms(term).is_empty();
            let mut chunks = term.split_whitespace().filter(|chunk| is_asked(&options, chunk)).peekable();
            let found = chunks.peek().is_some() && chunks.all(|chunk| has_word(record, &options, chunk, passes_over));
            found != (relation == "<>")
        }
    }
}

fn is_asked(options: &[&SearchOption], chunk: &str) -> bool {
    options.iter().any(|option| option.kind == Kind::Words) || !words(chunk).is_empty()
}

/// The words of a column, and what they are without signs.
fn tokens(record: &Record, column: &str) -> BTreeSet<String> {
    let all = values(record, column).iter().flat_map(|value| words(value));
    all.flat_map(|word| word.parts.into_iter().chain(word.joined)).collect()
}

/// `passes_over`: a word that says nothing in English is in each text in English.
fn has_word(record: &Record, options: &[&SearchOption], chunk: &str, passes_over: bool) -> bool {
    options.iter().any(|option| {
        if option.kind == Kind::Words {
            let found = values(record, option.name).iter().any(|v| v.split_whitespace().any(|w| w == folded(chunk)));
            return found;
        }
        let asked = words(chunk);
        let there = tokens(record, option.name);
        let has = |word: &search::analysis::Word| {
            word.parts.iter().all(|part| there.contains(part))
                || word.joined.as_ref().is_some_and(|joined| there.contains(joined))
        };
        let forms = Language::English.forms(chunk);
        let marks: BTreeSet<&str> =
            values(record, option.forms).iter().flat_map(|value| value.split_whitespace()).collect();
        let by_form = match forms.is_empty() {
            true => passes_over && marks.contains("eng:"),
            false => forms.iter().all(|form| marks.contains(format!("eng:{form}").as_str())),
        };
        !asked.is_empty() && (asked.iter().all(has) || option.kind == Kind::Text && by_form)
    })
}

fn phrase(record: &Record, option: &SearchOption, term: &str) -> bool {
    is_there(record, option, term) || option.kind == Kind::Text && has_forms(record, option, term)
}

/// Whether a text in English has the basic forms of the phrase, with any word in place of one that says nothing.
fn has_forms(record: &Record, option: &SearchOption, term: &str) -> bool {
    let asked: Vec<Option<String>> =
        Language::English.places(term).into_iter().skip_while(|place| place.is_none()).collect();
    let is_at = |places: &[&str]| {
        let mut pairs = places.iter().zip(&asked);
        pairs.all(|(mark, form)| form.as_ref().is_none_or(|form| *mark == format!("eng:{form}")))
    };
    !asked.is_empty()
        && values(record, option.forms).iter().any(|value| {
            let marks: Vec<&str> = value.split_whitespace().collect();
            marks.windows(asked.len()).any(is_at)
        })
}

fn is_there(record: &Record, option: &SearchOption, term: &str) -> bool {
    let asked: Vec<String> = if option.kind == Kind::Words {
        folded(term).split_whitespace().map(str::to_owned).collect()
    } else {
        words(term).into_iter().flat_map(|word| word.parts).collect()
    };
    let is_at = |places: &[Vec<String>]| places.iter().zip(&asked).all(|(place, word)| place.contains(word));
    let is_in = |value: &String| places(option, value).windows(asked.len()).any(is_at);
    !asked.is_empty() && values(record, option.name).iter().any(is_in)
}

/// What stands at each place of a text: a part of a word, and at the first of them the word without its signs.
fn places(option: &SearchOption, text: &str) -> Vec<Vec<String>> {
    if option.kind == Kind::Words {
        return folded(text).split_whitespace().map(|word| vec![word.to_owned()]).collect();
    }
    let of_word = |word: search::analysis::Word| {
        let mut places: Vec<Vec<String>> = word.parts.into_iter().map(|part| vec![part]).collect();
        places[0].extend(word.joined);
        places
    };
    words(text).into_iter().flat_map(of_word).collect()
}

/// Whether a text is like a pattern with `*` and `?`.
fn like(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    fn at(text: &[char], pattern: &[char]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some(('*', rest)) => (0..=text.len()).any(|skipped| at(&text[skipped..], rest)),
            Some(('?', rest)) => !text.is_empty() && at(&text[1..], rest),
            Some((c, rest)) => text.first() == Some(c) && at(&text[1..], rest),
        }
    }
    at(&text, &pattern)
}

const WORDS: &[&str] = &[
    "sea",
    "seas",
    "The",
    "maps",
    "mapping",
    "pang'ok",
    "pangok",
    "Déjà",
    "deja",
    "wi-fi",
    "1984",
    "Shakespeare's",
    "&",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..4).prop_map(|words| words.join(" "))
}

fn title(id: u8) -> impl Strategy<Value = Expanded> {
    let language = prop::sample::select(vec![json!(["eng"]), json!(["eng", "fre"]), json!(["lat"]), json!([])]);
    let list = || prop::collection::vec(text(), 0..3);
    let source = prop::sample::select(vec!["MARC", "FOLIO"]);
    let item = (prop::sample::select(vec!["Available", "Checked out"]), text(), any::<bool>());
    let items = prop::collection::vec(item, 0..3);
    (text(), language, list(), list(), source, items).prop_map(
        move |(title, languages, names, values, source, items)| {
            let items = items.iter().map(|(status, barcode, suppressed)| {
            json!({"id": "i", "status": {"name": status}, "barcode": barcode, "discoverySuppress": suppressed})
        });
            let named =
                |name: &str, texts: &[String]| -> Value { texts.iter().map(|text| json!({name: text})).collect() };
            Expanded {
                instance: json!({"id": format!("00000000-0000-4000-8000-0000000000{id:02x}"), "title": title, "languages": languages, "contributors": named("name", &names),
                "identifiers": named("value", &values), "subjects": named("value", &values), "source": source}),
                holdings: Vec::new(),
                items: items.collect(),
                is_bound_with: false,
            }
        },
    )
}

fn tree() -> impl Strategy<Value = Tree> {
    let option = prop::sample::select(vec![
        "keyword",
        "title",
        "contributors",
        "subjects",
        "identifiers.value",
        "source",
        "items.status.name",
        "items.barcode",
        "languages",
        "discoverySuppress",
        "item.discoverySuppress",
        "authorityId",
    ]);
    let relation = prop::sample::select(vec!["=", "==", "<>", "all", "any", "adj"]);
    let term = prop_oneof![
        4 => text().prop_map(|text| text.replace('&', "")),
        1 => prop::sample::select(vec!["*", "sea*", "*ap*", "d?j*", "MARC", "Available", "true", "eng"])
            .prop_map(str::to_owned),
    ];
    let clause = (option, relation, term).prop_map(|(option, relation, term)| Tree::Clause { option, relation, term });
    clause.prop_recursive(3, 12, 2, |inner| {
        let two = || (inner.clone(), inner.clone()).prop_map(|(one, other)| (Box::new(one), Box::new(other)));
        prop_oneof![
            two().prop_map(|(one, other)| Tree::And(one, other)),
            two().prop_map(|(one, other)| Tree::Or(one, other)),
            two().prop_map(|(one, other)| Tree::Not(one, other)),
        ]
    })
}

#[derive(Debug, Clone)]
enum Step {
    Save(Expanded),
    Delete(u8),
    Commit,
    /// A commit, and the end of the process, orderly.
    Restart,
    /// What was not committed is lost; the next process reads it again.
    Kill,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0_u8..12).prop_flat_map(title).prop_map(Step::Save),
        1 => (0_u8..12).prop_map(Step::Delete),
        1 => Just(Step::Commit),
        1 => Just(Step::Restart),
        1 => Just(Step::Kill),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_index_finds_what_a_scan_finds(
        steps in prop::collection::vec(step(), 1..30),
        trees in prop::collection::vec(tree(), 20),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || Writer::open(folder.path(), INSTANCES.fields.clone()).expect("an index");
        let mut writer = open();
        let names = Names { tenant: "diku".to_owned(), ..Names::default() };
        let mut records: BTreeMap<String, Record> = BTreeMap::new();
        let mut committed = records.clone();
        for (place, step) in steps.iter().enumerate() {
            match step {
                Step::Save(title) => {
                    writer.delete(title.id());
                    writer.add(&document(&title.title(), &names)).expect("a document");
                    records.insert(title.id().to_owned(), record(title, &names));
                }
                Step::Delete(id) => {
                    let id = format!("00000000-0000-4000-8000-0000000000{id:02x}");
                    writer.delete(&id);
                    records.remove(&id);
                }
                Step::Commit => writer.commit(&place.to_string()).expect("a commit"),
                Step::Restart => {
                    writer.commit(&place.to_string()).expect("a commit");
                    writer.close().expect("the end");
                    writer = open();
                }
                Step::Kill => {
                    drop(writer);
                    writer = open();
                    records.clone_from(&committed);
                }
            }
            if matches!(step, Step::Commit | Step::Restart) {
                committed.clone_from(&records);
            }
        }
        writer.commit("last").expect("a commit");
        for tree in trees {
            let cql = tree.cql();
            let asked = meaning::read(&cql, &INSTANCES, &Settings::default());
            let asked = asked.unwrap_or_else(|refused| panic!("{cql}: {refused}"));
            let mut found = BTreeSet::new();
            writer.reader().each(&asked.query(), None, |id| found.insert(id)).expect("ids");
            let scanned: BTreeSet<String> =
                records.iter().filter(|(_, record)| tree.finds(record)).map(|(id, _)| id.clone()).collect();
            prop_assert_eq!(found, scanned, "{}", cql);
        }
        writer.close().expect("the end");
    }
}
