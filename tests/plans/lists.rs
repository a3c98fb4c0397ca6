//! Queries on every list by every searchable field, in the forms that the field's index serves.

use std::fmt;

use serde_json::Value;
use store::{
    collection::{Collection, Index, IndexKind, Uncommon},
    record::Kind,
};

use crate::filled::Filled;

/// Lists whose table belongs to another collection.
const VIEWS: [(&str, &str); 5] = [
    ("/inventory/items", "item"),
    ("/inventory/instances", "instance"),
    ("/circulation/loans", "loan"),
    ("/circulation/requests", "request"),
    ("/bl-users", "users"),
];

/// Tables large enough for deep pages: a page at the end of a smaller one may well read all of it.
const LARGEST: [&str; 3] = ["instance", "holdings_record", "item"];
/// An offset from which on lists read keys before they read records.
const DEEP: u32 = 2_000;
const ANOTHER_DAY: &str = "2019-05-06T07:08:09.123+00:00";

pub struct Cql {
    pub path: String,
    pub text: String,
}

impl fmt::Display for Cql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.path.contains('?') { '&' } else { '?' };
        write!(f, "GET {}{separator}query={}", self.path, self.text)
    }
}

/// Every query, for every list of a growing table.
pub async fn queries(filled: &Filled) -> Vec<Cql> {
    let mut all = Vec::new();
    for collection in filled.growing() {
        let record = example(filled, collection).await;
        let mut texts = vec!["cql.allRecords=1".to_owned()];
        texts.extend(on_ids(filled, collection, &record));
        texts.extend(indexes(collection).iter().flat_map(|index| on_index("", index, collection, &record)));
        texts.extend(in_the_order_of_another(collection, &record));
        texts.extend(collection.uncommon.map(|kept| on_uncommon("", &kept, collection)));
        texts.extend(collection.flags.iter().map(|flag| format!("{flag}==true")));
        for alias in &collection.aliases {
            let last = alias.steps.last().map_or("", |step| step.0);
            let neighbour = filled.library.app.collection(last).expect("a neighbour");
            let record = example(filled, &neighbour).await;
            let prefix = format!("{}.", alias.name);
            texts.extend(neighbour.uncommon.map(|kept| on_uncommon(&prefix, &kept, &neighbour)));
            texts.extend(neighbour.flags.iter().map(|flag| format!("{prefix}{flag}==true")));
            texts.extend(indexes(&neighbour).iter().flat_map(|index| on_index(&prefix, index, &neighbour, &record)));
        }
        let views = VIEWS.iter().filter(|(_, table)| *table == collection.table).map(|(path, _)| *path);
        for path in views.chain([collection.path]).filter(|path| is_list(filled, path)) {
            all.extend(texts.iter().map(|text| Cql { path: path.to_owned(), text: text.clone() }));
            if !LARGEST.contains(&collection.table) {
                continue;
            }
            let deep = ["cql.allRecords=1", "cql.allRecords=1 sortby id"];
            all.extend(deep.map(|text| Cql { path: format!("{path}?offset={DEEP}"), text: text.to_owned() }));
        }
    }
    assert!(all.len() > 300, "only {} queries", all.len());
    all
}

fn is_list(filled: &Filled, path: &str) -> bool {
    let mut routes = filled.library.app.routes.all().iter();
    routes.any(|route| route.list.is_some() && route.method == "GET" && route.path == path)
}

/// All B-tree and word indexes, including those of unique fields.
fn indexes(collection: &Collection) -> Vec<Index> {
    let uniques = collection.uniques.iter().flat_map(|unique| {
        let first = unique.fields.first();
        first.map(|field| Index { field, kind: unique.kind.clone() })
    });
    collection.indexes.iter().cloned().chain(uniques).collect()
}

/// The newest record: its values are unique, like most values that people search for. Its dates are from another day: all
/// records here were made in the same moment, and whoever searches for that is right to read all of them.
async fn example(filled: &Filled, collection: &Collection) -> Value {
    let mut record = filled.newest(collection).await;
    if let Some(Value::Object(metadata)) = record.get_mut("metadata") {
        metadata.insert("createdDate".into(), ANOTHER_DAY.into());
        metadata.insert("updatedDate".into(), ANOTHER_DAY.into());
    }
    record
}

fn on_ids(filled: &Filled, collection: &Collection, record: &Value) -> Vec<String> {
    let id = filled.ids[collection.table];
    let other = uuid::Uuid::from_u128(1);
    let mut texts = vec![
        format!("id=={id}"),
        format!("id==({id} or {other})"),
        format!("id=={id} or id=={other}"),
        format!("id=={id} sortby metadata.createdDate"),
    ];
    for reference in &collection.references {
        let value = text(record, reference.field).unwrap_or_else(|| other.to_string());
        let field = reference.field;
        texts.push(format!("{field}=={value}"));
        texts.push(format!("{field}==({value} or {other}) and id<>{other}"));
    }
    texts
}

fn on_index(prefix: &str, index: &Index, collection: &Collection, record: &Value) -> Vec<String> {
    let field = format!("{prefix}{}", index.field);
    // No member has a computed field's value: a word of one copy.
    let value =
        text(record, index.field).unwrap_or_else(|| "copy 1717".into()).replace(['"', '*', '?', '\\', '^'], " ");
    let start: String = value.chars().take(12).collect();
    let words: Vec<&str> = value.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3).collect();
    let word = words.last().copied().unwrap_or("seventeen");
    match index.kind {
        IndexKind::Folded | IndexKind::CaseFolded | IndexKind::Exact => {
            let mut texts = vec![
                format!("{field}==\"{value}\""),
                format!("{field}==\"{start}*\""),
                format!("{field}==(\"{value}\" or \"{word}\")"),
            ];
            if prefix.is_empty() {
                texts.push(format!("cql.allRecords=1 sortby {field}"));
                texts.push(format!("{field}==\"{start}*\" sortby {field}/sort.descending"));
            }
            texts
        }
        IndexKind::Words => vec![
            format!("{field}=\"{word}\""),
            format!("{field}=\"{word}*\""),
            format!("{field} all \"{word} {word}\""),
            format!("{field} any \"{word} nowhere\""),
            format!("{field}=(\"{word}\" or \"nowhere\")"),
        ],
        IndexKind::Elements => on_elements(&field, collection.schema.find(index.field), word),
    }
}

/// Words, in the order of a field that has an index of its own: either index may lead to the page.
fn in_the_order_of_another(collection: &Collection, record: &Value) -> Option<String> {
    let indexes = indexes(collection);
    let words = indexes.iter().find(|index| index.kind == IndexKind::Words)?;
    let ordered = indexes.iter().find(|index| !matches!(index.kind, IndexKind::Words | IndexKind::Elements))?;
    let on_words = on_index("", words, collection, record).into_iter().next()?;
    Some(format!("{on_words} sortby {}", ordered.field))
}

/// All values that are not common, as a list of terms.
fn on_uncommon(prefix: &str, kept: &Uncommon, collection: &Collection) -> String {
    let Some(Kind::OneOf(values)) = collection.schema.find(kept.field) else {
        panic!("{} has no listed values", kept.field);
    };
    let uncommon = values.iter().filter(|value| !kept.common.contains(&value.as_str()));
    let terms: Vec<String> = uncommon.map(|value| format!("\"{value}\"")).collect();
    format!("{prefix}{}==({})", kept.field, terms.join(" or "))
}

/// The index on a list of objects serves the ids in them.
fn on_elements(field: &str, kind: Option<&Kind>, word: &str) -> Vec<String> {
    let Some(Kind::List(element)) = kind else {
        return Vec::new();
    };
    let Kind::Object(schema) = element.as_ref() else {
        return Vec::new();
    };
    let ids = schema.fields().iter().filter(|member| member.kind == Kind::Uuid);
    let id = uuid::Uuid::from_u128(1);
    ids.map(|member| format!("{field}=/@{}={id} {word}", member.name)).collect()
}

/// The first text at a dotted path, inside lists too.
fn text(record: &Value, path: &str) -> Option<String> {
    match (record, path.split_once('.')) {
        (Value::Array(values), _) => values.iter().find_map(|value| text(value, path)),
        (_, Some((head, rest))) => text(record.get(head)?, rest),
        (_, None) => match record.get(path)? {
            Value::String(text) => Some(text.clone()),
            Value::Array(values) => values
                .iter()
                .flat_map(|value| value.get("value").or(value.get("name")))
                .find_map(|value| value.as_str().map(str::to_owned)),
            other => Some(other.to_string()),
        },
    }
}
