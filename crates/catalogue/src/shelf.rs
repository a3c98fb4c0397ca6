//! The property that a page of a list is what a plain sorted list has there: for random anchors, filters and orders, and after
//! random saves and deletes.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use search::{analysis::folded, index::Writer};
use serde_json::{Value, json};

use crate::{
    answer::Expanded,
    browse::{BrowseList, Page, Row, page},
    browse_query::browsed,
    browse_settings::Config,
    document::{Names, document},
    entries,
    lists::{Algorithm, List},
    options::INSTANCES,
};

const TENANT: &str = "diku";

/// What an instance has in a list.
struct Had {
    /// What it is sorted by: key, text, and what makes rows with the same text different.
    sort: Vec<String>,
    value: String,
    shown: Value,
    /// Fields with their values; an empty one is missing.
    fields: Vec<(&'static str, String)>,
    tail: String,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().trim().to_owned()
}

/// A missing id comes last.
fn last(id: &str) -> String {
    if id.is_empty() { "~".to_owned() } else { id.to_owned() }
}

/// An object without empty texts.
fn object(members: &[(&str, &str)]) -> Value {
    let members = members.iter().filter(|(_, value)| !value.is_empty());
    members.map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect()
}

fn had(list: List, order: Algorithm, title: &Expanded) -> Vec<Had> {
    let of = |name: &str| title.instance[name].as_array().cloned().unwrap_or_default();
    let sort = |value: &str, rest: &[&str]| {
        let own = [order.key(value), folded(value)];
        own.into_iter().chain(rest.iter().map(|part| (*part).to_owned())).collect::<Vec<_>>()
    };
    let found: Vec<Had> = match list {
        List::Subjects => of("subjects")
            .iter()
            .map(|one| {
                let [value, authority, source, kind] =
                    ["value", "authorityId", "sourceId", "typeId"].map(|name| text(&one[name]));
                Had {
                    sort: sort(&value, &[&last(&authority), &value, &last(&source), &last(&kind)]),
                    shown: object(&[
                        ("value", &value),
                        ("authorityId", &authority),
                        ("sourceId", &source),
                        ("typeId", &kind),
                    ]),
                    value,
                    fields: vec![("sourceId", source), ("typeId", kind)],
                    tail: String::new(),
                }
            })
            .collect(),
        List::Contributors => of("contributors")
            .iter()
            .map(|one| {
                let members = ["name", "authorityId", "contributorNameTypeId", "contributorTypeId"];
                let [value, authority, name_type, tail] = members.map(|name| text(&one[name]));
                Had {
                    sort: sort(&value, &[&last(&authority), &value, &last(&name_type)]),
                    shown: object(&[
                        ("name", &value),
                        ("authorityId", &authority),
                        ("contributorNameTypeId", &name_type),
                    ]),
                    value,
                    fields: vec![("contributorNameTypeId", name_type)],
                    tail,
                }
            })
            .collect(),
        List::Classifications => of("classifications")
            .iter()
            .map(|one| {
                let [value, kind] = ["classificationNumber", "classificationTypeId"].map(|name| text(&one[name]));
                Had {
                    sort: sort(&value, &[&value, &last(&kind)]),
                    shown: object(&[("classificationNumber", &value), ("classificationTypeId", &kind)]),
                    value,
                    fields: vec![("typeId", kind)],
                    tail: String::new(),
                }
            })
            .collect(),
        List::CallNumbers => title
            .items
            .iter()
            .map(|item| {
                let number = &item["effectiveCallNumberComponents"];
                let [plain, prefix, suffix, kind] =
                    ["callNumber", "prefix", "suffix", "typeId"].map(|name| text(&number[name]));
                let value = [&*plain, &*suffix].join(" ").trim().to_owned();
                Had {
                    sort: sort(&value, &[&plain, &prefix, &suffix, &last(&kind)]),
                    shown: object(&[
                        ("fullCallNumber", &value),
                        ("callNumber", &plain),
                        ("callNumberPrefix", &prefix),
                        ("callNumberSuffix", &suffix),
                        ("callNumberTypeId", &kind),
                    ]),
                    value: if plain.is_empty() { plain } else { value },
                    fields: vec![
                        ("callNumberTypeId", kind),
                        ("instances.locationId", text(&item["effectiveLocationId"])),
                    ],
                    tail: String::new(),
                }
            })
            .collect(),
    };
    found.into_iter().filter(|had| !had.value.is_empty()).collect()
}

/// A row of the plain list.
#[derive(Default)]
struct Plain {
    sort: Vec<String>,
    value: String,
    shown: Value,
    ids: BTreeSet<String>,
    tails: BTreeSet<String>,
}

/// Rows as clients read them, prev, next, total.
type Expected = (Vec<Value>, Option<String>, Option<String>, usize);

/// How a random list is browsed.
#[derive(Debug, Clone)]
struct Way {
    list: List,
    order: Algorithm,
    /// Types of the option.
    types: Vec<String>,
    relations: &'static [&'static str],
    anchor: String,
    filter: Option<(&'static str, Vec<String>)>,
    limit: usize,
    preceding: usize,
    highlights: bool,
}

impl Way {
    fn cql(&self) -> String {
        let ranges =
            self.relations.iter().map(|relation| format!("{} {relation} \"{}\"", self.list.target(), self.anchor));
        let ranges = ranges.collect::<Vec<_>>().join(" or ");
        match &self.filter {
            Some((field, values)) => format!("({ranges}) and {field}==({})", values.join(" or ")),
            None => ranges,
        }
    }

    fn takes(&self, had: &Had) -> bool {
        let value = |field: &str| had.fields.iter().find(|(name, _)| *name == field).map(|(_, value)| value);
        let kind = if self.list == List::CallNumbers { "callNumberTypeId" } else { "typeId" };
        let is_of_type = self.types.is_empty() || value(kind).is_some_and(|kind| self.types.contains(kind));
        let is_filtered =
            self.filter.as_ref().is_none_or(|(field, values)| value(field).is_some_and(|of| values.contains(of)));
        is_of_type && is_filtered
    }

    fn rows(&self, titles: &BTreeMap<String, Expanded>) -> Vec<Plain> {
        let mut rows: BTreeMap<Vec<String>, Plain> = BTreeMap::new();
        for title in titles.values() {
            for had in had(self.list, self.order, title).into_iter().filter(|had| self.takes(had)) {
                let row = rows.entry(had.sort.clone()).or_default();
                (row.sort, row.value, row.shown) = (had.sort, had.value, had.shown);
                row.ids.insert(title.id().to_owned());
                row.tails.extend(Some(had.tail).filter(|tail| !tail.is_empty()));
            }
        }
        rows.into_values().collect()
    }

    /// The page of the plain list.
    fn page(&self, titles: &BTreeMap<String, Expanded>) -> Expected {
        let rows = self.rows(titles);
        let anchor = [self.order.key(&self.anchor), folded(&self.anchor)];
        let is_included = self.relations.contains(&">=") || self.relations == ["<="];
        let is_anchor = |row: &Plain| is_included && row.sort[1] == anchor[1];
        let begins =
            rows.iter().position(is_anchor).unwrap_or_else(|| rows.partition_point(|row| row.sort[..2] < anchor[..]));
        let ends = match rows.iter().rposition(is_anchor) {
            Some(last) => last + 1,
            None => rows.partition_point(|row| row.sort[..2] <= anchor[..]),
        };
        let shown = |row: &Plain, is_marked: bool| {
            let mut shown = row.shown.clone();
            if self.list == List::Contributors {
                shown["contributorTypeId"] = json!(row.tails);
            }
            if is_marked || self.list == List::Contributors {
                shown["isAnchor"] = is_marked.into();
            }
            shown["totalRecords"] = row.ids.len().into();
            (shown, row.value.clone())
        };
        let back = |before: &[&Plain], limit: usize| {
            let from = before.len().saturating_sub(limit);
            let found: Vec<_> = before[from..].iter().map(|row| shown(row, false)).collect();
            let prev = (from > 0).then(|| found.first().map(|(_, value)| value.clone())).flatten();
            (found, prev)
        };
        let forth = |found: Vec<(Value, String)>, limit: usize| {
            let next = (found.len() > limit && limit > 0).then(|| found[limit - 1].1.clone());
            (found.into_iter().take(limit).collect::<Vec<_>>(), next)
        };
        let (found, prev, next) = match self.relations {
            [">"] | [">="] => {
                let from = if is_included { begins } else { ends };
                let (found, next) = forth(rows[from..].iter().map(|row| shown(row, false)).collect(), self.limit);
                let prev = found.first().map(|(_, value)| value.clone());
                (found, prev, next)
            }
            ["<"] | ["<="] => {
                let before: Vec<&Plain> = rows[..if is_included { ends } else { begins }].iter().collect();
                let (found, prev) = back(&before, self.limit);
                let next = found.last().map(|(_, value)| value.clone());
                (found, prev, next)
            }
            _ => {
                let from = if is_included { begins } else { ends };
                let mut after: Vec<_> =
                    rows[from..].iter().map(|row| shown(row, self.highlights && is_anchor(row))).collect();
                if self.highlights && !rows.iter().any(is_anchor) {
                    after.insert(0, (entries::missing(self.list, &self.anchor), self.anchor.clone()));
                }
                let (after, next) = forth(after, self.limit - self.preceding);
                let mut before: Vec<&Plain> = rows[..begins].iter().collect();
                if !is_included && matches!(self.list, List::Subjects | List::Contributors) {
                    let ids = ["authorityId", "sourceId", "typeId", "contributorNameTypeId"];
                    let says_more =
                        |row: &&Plain| !row.tails.is_empty() || ids.iter().any(|id| row.shown.get(id).is_some());
                    before.extend(rows[begins..ends].iter().filter(says_more));
                }
                let (mut found, prev) = back(&before, self.preceding);
                found.extend(after);
                (found, prev, next)
            }
        };
        (found.into_iter().map(|(shown, _)| shown).collect(), prev, next, rows.len())
    }
}

const TEXTS: &[&str] = &[
    "Folk",
    "folk",
    "Fölk",
    "Folk music",
    "folk-music",
    "Aa",
    "a a",
    "z",
    "394.1 O41b",
    "394.1 o41B",
    "394.01 O41b",
    "QA76.73 .R87",
    "qa76.73 .r87",
    "QA 9 .B",
    "T22.19/2:V88/989",
    "PN2 .A6 1999",
    "PN2 .A6",
    "éa",
    "0",
    "(",
];

fn texts() -> impl Strategy<Value = String> {
    prop::sample::select(TEXTS).prop_map(str::to_owned)
}

fn id() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![json!("t1"), json!("t2"), json!("t10"), Value::Null])
}

fn title(number: u8) -> impl Strategy<Value = Expanded> {
    let one = || prop::collection::vec((texts(), id(), id(), id()), 0..4);
    let suffix = prop::sample::select(vec!["", "B", " cd "]);
    let items = prop::collection::vec((texts(), suffix, id(), id()), 0..3);
    (one(), one(), one(), items).prop_map(move |(subjects, names, numbers, items)| {
        let list = |of: Vec<(String, Value, Value, Value)>, members: [&str; 4]| -> Value {
            of.into_iter()
                .map(|(value, one, two, three)| {
                    json!({members[0]: value, members[1]: one, members[2]: two, members[3]: three})
                })
                .collect()
        };
        Expanded {
            instance: json!({
                "id": format!("00000000-0000-4000-8000-0000000000{number:02x}"),
                "subjects": list(subjects, ["value", "authorityId", "sourceId", "typeId"]),
                "contributors": list(names, ["name", "authorityId", "contributorNameTypeId", "contributorTypeId"]),
                "classifications": list(numbers, ["classificationNumber", "classificationTypeId", "x", "y"]),
            }),
            holdings: Vec::new(),
            items: items
                .into_iter()
                .map(|(number, suffix, kind, place)| {
                    json!({"effectiveLocationId": place, "effectiveCallNumberComponents":
                        {"callNumber": number, "prefix": suffix, "suffix": suffix, "typeId": kind}})
                })
                .collect(),
            is_bound_with: false,
        }
    })
}

fn way() -> impl Strategy<Value = Way> {
    let of = |list, orders: Vec<Algorithm>, fields: Vec<&'static str>| {
        let ids = prop::collection::vec(prop::sample::select(vec!["t1".to_owned(), "t2".to_owned()]), 1..3);
        let filter = prop::option::of((prop::sample::select(fields), ids));
        (Just(list), prop::sample::select(orders), filter)
    };
    let numbers = || Algorithm::ALL.iter().map(|(_, algorithm)| *algorithm).collect::<Vec<_>>();
    let list = prop_oneof![
        of(List::Subjects, vec![Algorithm::Default], vec!["sourceId", "typeId"]),
        of(List::Contributors, vec![Algorithm::Default], vec!["contributorNameTypeId"]),
        of(List::Classifications, numbers(), vec!["typeId"]),
        of(List::CallNumbers, numbers(), vec!["callNumberTypeId", "instances.locationId"]),
    ];
    let relations: Vec<&'static [&'static str]> =
        vec![&[">"], &[">="], &["<"], &["<="], &[">=", "<"], &["<", ">="], &[">", "<"]];
    let anchor = prop_oneof![4 => texts(), 1 => prop::sample::select(vec!["folk b", "FOLK B", "394.1 O41b B", "A", "zz", "5"]).prop_map(str::to_owned)];
    let types = prop::sample::select(vec![vec![], vec!["t1".to_owned()], vec!["t2".to_owned(), "t10".to_owned()]]);
    (list, prop::sample::select(relations), anchor, types, 1_usize..12, 0_usize..12, any::<bool>()).prop_map(
        |((list, order, filter), relations, anchor, types, limit, preceding, highlights)| {
            let has_types = matches!(list, List::Classifications | List::CallNumbers);
            let types = if has_types { types } else { Vec::new() };
            let filter = filter.filter(|(field, _)| list.is_narrowed_by(field));
            Way { list, order, types, relations, anchor, filter, limit, preceding: preceding % limit, highlights }
        },
    )
}

fn shown(page: &Page, list: List) -> Vec<Value> {
    let rows = page.rows.iter().map(|row| match row {
        Row::Line(line, is_anchor) => entries::shown(list, line, *is_anchor, None),
        Row::Missing(value) => entries::missing(list, value),
    });
    rows.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_page_is_what_a_sorted_list_has(
        steps in prop::collection::vec((0_u8..10).prop_flat_map(|number| (title(number), 0_u8..8)), 1..24),
        ways in prop::collection::vec(way(), 40),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = Writer::open(folder.path(), INSTANCES.fields.clone()).expect("an index");
        let names = Names { tenant: TENANT.to_owned(), ..Names::default() };
        let mut titles: BTreeMap<String, Expanded> = BTreeMap::new();
        for (place, (title, then)) in steps.into_iter().enumerate() {
            writer.delete(title.id());
            if then == 0 {
                titles.remove(title.id());
            } else {
                writer.add(&document(&title.title(), &names)).expect("a document");
                titles.insert(title.id().to_owned(), title);
            }
            if then < 3 {
                writer.commit(&place.to_string()).expect("a commit");
            }
        }
        writer.commit("last").expect("a commit");
        for way in ways {
            let browse = BrowseList {
                list: way.list,
                option: None,
                query: way.cql(),
                limit: way.limit,
                preceding: way.preceding,
                highlights: way.highlights,
            };
            let (option, algorithm, type_ids) = ("all".to_owned(), way.order, way.types.clone());
            let config = Config { list: way.list, option, algorithm, type_ids };
            let asked = browsed(&browse.query, way.list, &[]).unwrap_or_else(|refused| panic!("{}: {refused}", browse.query));
            let found = page(&writer.reader(), &browse, &asked, &config, TENANT).expect("a page");
            let (rows, prev, next, total) = way.page(&titles);
            prop_assert_eq!(shown(&found, way.list), rows, "{:?}", way);
            prop_assert_eq!((found.prev, found.next, found.total), (prev, next, total as u64), "{:?}", way);
        }
        writer.close().expect("the end");
    }
}
