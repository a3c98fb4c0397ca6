//! What holds for every sample library, whatever its seed and size.

// The helpers of a test may fail by a panic, too.
#![allow(clippy::unwrap_used)]

use std::collections::{HashMap, HashSet};

use circulation::rules::{Facts, Matcher, PolicyKind, parse};
use jiff::Timestamp;
use sample::{Library, Plan, barcode::check_digit, inventory::Shelf, loans::terms};
use serde_json::Value;
use store::{
    bundle::{self, Set},
    collection::Collection,
};

fn now() -> Timestamp {
    "2026-11-21T10:00:00Z".parse().unwrap()
}

fn library(seed: u64, instances: u32, items: u32, users: u32) -> Library {
    let plan = Plan { seed, instances, items, users, resources: 0, components: 0, now: now() };
    Library::new(plan).unwrap()
}

/// A whole small library in memory.
struct Whole {
    instances: Vec<Value>,
    holdings: Vec<Value>,
    items: Vec<Value>,
    loans: Vec<Value>,
    users: Vec<Value>,
    others: Vec<Value>,
}

fn whole(library: &Library) -> Whole {
    let shelves: Vec<Shelf> = (0..library.shelves()).map(|n| library.shelf(n)).collect();
    let gather = |of: fn(&Shelf) -> &Vec<Value>| shelves.iter().flat_map(of).cloned().collect();
    let settings = library.settings().unwrap();
    let relations = library.relations();
    let others = settings.iter().chain(&relations);
    Whole {
        instances: gather(|shelf| &shelf.instances),
        holdings: gather(|shelf| &shelf.holdings),
        items: gather(|shelf| &shelf.items),
        loans: gather(|shelf| &shelf.loans),
        users: (0..library.plan.users).map(|n| library.user(n)).collect(),
        others: others.flat_map(|part| part.records.clone()).collect(),
    }
}

impl Whole {
    fn all(&self) -> impl Iterator<Item = &Value> {
        let streams = [&self.instances, &self.holdings, &self.items, &self.loans];
        let rest = [&self.users, &self.others];
        streams.into_iter().chain(rest).flatten()
    }
}

fn text<'a>(record: &'a Value, member: &str) -> &'a str {
    record[member].as_str().unwrap_or_default()
}

fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> (usize, usize) {
    let all: Vec<_> = values.collect();
    let set: HashSet<_> = all.iter().collect();
    (all.len(), set.len())
}

#[test]
fn the_same_plan_gives_the_same_library() {
    let (first, again) = (library(7, 60, 100, 30), library(7, 60, 100, 30));
    for shelf in (0..first.shelves()).rev() {
        assert_eq!(first.shelf(shelf), again.shelf(shelf));
    }
    assert_eq!(first.user(3), again.user(3));
    let other = library(8, 60, 100, 30);
    assert_ne!(first.shelf(0), other.shelf(0));
    assert_ne!(first.user(3), other.user(3));
}

#[test]
fn a_library_is_as_big_as_planned() {
    let sizes = [(0, 0, 0), (1, 1, 1), (19, 0, 3), (20, 21, 0), (41, 40, 5), (100, 1000, 10), (333, 217, 40)];
    for (instances, items, users) in sizes {
        let whole = whole(&library(1, instances, items, users));
        let counted = (whole.instances.len(), whole.items.len(), whole.users.len());
        let planned = (instances as usize, items as usize, users as usize);
        assert_eq!(counted, planned);
    }
}

#[test]
fn ids_barcodes_and_numbers_occur_once() {
    let whole = whole(&library(1, 600, 1000, 400));
    let (count, ids) = distinct(whole.all().map(|record| text(record, "id")));
    // The circulation rules have no id.
    assert_eq!(count - 1, ids - 1);
    for (records, member) in [
        (&whole.instances, "hrid"),
        (&whole.holdings, "hrid"),
        (&whole.items, "hrid"),
        (&whole.items, "barcode"),
        (&whole.users, "barcode"),
        (&whole.users, "username"),
        (&whole.users, "externalSystemId"),
    ] {
        let (count, values) = distinct(records.iter().map(|record| text(record, member)));
        assert_eq!(count, values, "{member}");
    }
}

#[test]
fn numbers_end_where_the_library_says() {
    let library = library(1, 100, 160, 10);
    let whole = whole(&library);
    let kinds = [(&whole.instances, "in"), (&whole.holdings, "ho"), (&whole.items, "it")];
    for ((records, prefix), last) in kinds.into_iter().zip(library.last_numbers()) {
        let number = |record: &Value| text(record, "hrid")[2..].parse::<u64>().unwrap();
        assert!(records.iter().all(|record| number(record) <= last));
        assert!(records.iter().all(|record| text(record, "hrid").starts_with(prefix)));
    }
}

#[test]
fn check_digits_are_right() {
    let whole = whole(&library(1, 400, 600, 200));
    for record in whole.items.iter().chain(&whole.users) {
        let (body, check) = text(record, "barcode").split_at(13);
        assert_eq!(check_digit(body).to_string(), check, "{record}");
    }
    let isbn = "8261054f-be78-422d-bd51-4ed9f33c3422";
    let identifiers = whole.instances.iter();
    let identifiers = identifiers.flat_map(|instance| instance["identifiers"].as_array().unwrap());
    let isbns: Vec<_> = identifiers
        .filter(|identifier| text(identifier, "identifierTypeId") == isbn)
        .map(|identifier| text(identifier, "value").trim_end_matches(" (pbk.)"))
        .collect();
    assert!(isbns.len() > 200);
    for value in isbns {
        assert!(inventory::isbn::is_isbn13(value), "{value}");
    }
}

/// Every id in a record, with the member that has it.
fn named_ids<'a>(value: &'a Value, member: &'a str, found: &mut Vec<(&'a str, &'a str)>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                named_ids(value, name, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| named_ids(value, member, found)),
        Value::String(text) if store::record::is_uuid(text) => found.push((member, text)),
        _ => {}
    }
}

#[test]
fn every_id_that_is_named_exists() {
    let whole = whole(&library(1, 400, 700, 300));
    let bundled = [Set::Seed, Set::Reference].map(|set| bundle::files(set).unwrap());
    let bundled = bundled.concat();
    let bundled: Vec<_> = bundled.iter().flat_map(|file| file.records().unwrap()).collect();
    let known: HashSet<_> = whole.all().chain(&bundled).map(|record| text(record, "id")).collect();
    for record in whole.all() {
        let mut ids = Vec::new();
        named_ids(record, "", &mut ids);
        for (member, id) in ids.into_iter().filter(|(member, _)| *member != "id") {
            assert!(known.contains(id), "{member} {id} of {record}");
        }
    }
}

#[test]
fn an_item_is_checked_out_exactly_when_it_has_an_open_loan() {
    let whole = whole(&library(1, 1000, 1600, 400));
    let open = whole.loans.iter().filter(|loan| loan["status"]["name"] == "Open");
    let mut open_loans: HashMap<&str, u32> = HashMap::new();
    for loan in open {
        *open_loans.entry(text(loan, "itemId")).or_default() += 1;
    }
    for item in &whole.items {
        let out = item["status"]["name"] == "Checked out";
        let loans = open_loans.get(text(item, "id")).copied().unwrap_or_default();
        assert_eq!(loans, u32::from(out), "{item}");
    }
    assert!(open_loans.len() > 20, "{} open loans", open_loans.len());
}

#[test]
fn loans_are_made_by_active_patrons_and_lie_in_the_past() {
    let library = library(1, 1000, 1600, 400);
    let whole = whole(&library);
    let active: HashSet<_> =
        whole.users.iter().filter(|user| user["active"] == true).map(|user| text(user, "id")).collect();
    assert!(active.len() < whole.users.len() && active.len() > 350);
    let mut overdue = 0;
    for loan in &whole.loans {
        let instant = |member| text(loan, member).parse::<Timestamp>();
        assert!(active.contains(text(loan, "userId")));
        let (loaned, due) = (instant("loanDate").unwrap(), instant("dueDate").unwrap());
        assert!(loaned < now() && loaned < due, "{loan}");
        match loan["status"]["name"].as_str() {
            Some("Open") => overdue += usize::from(due < now()),
            _ => assert!(instant("returnDate").unwrap() < now() && instant("returnDate").unwrap() > loaned),
        }
    }
    assert!(overdue > 0, "some loans are overdue");
    assert!(whole.loans.len() > overdue * 10, "but most are not");
}

#[test]
fn the_members_are_those_that_are_declared() {
    let whole = whole(&library(1, 200, 300, 50));
    let accept = |collection: &Collection, records: &[Value]| {
        for record in records {
            let accepted = collection.schema.accept(record.clone());
            assert!(accepted.is_ok(), "{record}: {accepted:?}");
        }
    };
    accept(&inventory::collections::instances(), &whole.instances);
    accept(&inventory::collections::holdings(), &whole.holdings);
    accept(&inventory::collections::items(), &whole.items);
    accept(&desk::collections::loans(), &whole.loans);
}

#[test]
fn loans_follow_the_circulation_rules() {
    let library = library(1, 1, 1, 1);
    let settings = library.settings().unwrap();
    let rules = settings.iter().find(|part| part.path == "/circulation/rules");
    let rules = parse(text(&rules.unwrap().records[0], "rulesAsText")).unwrap();
    let matcher = Matcher::new(&rules);
    let materials = ["book", "dvd", "electronic resource", "microform", "sound recording", "text", "video recording"];
    let loan_types = ["Can circulate", "Course reserves", "Reading room"];
    for material in materials {
        for loan_type in loan_types {
            for group in ["faculty", "graduate", "staff", "undergrad"] {
                let id = |name: String| library.reference.id(&name).parse().unwrap();
                let found = matcher.best(&Facts {
                    material_type: id(format!("material-types/{material}")),
                    loan_type: id(format!("loan-types/{loan_type}")),
                    patron_group: id(format!("groups/{group}")),
                    location: id("locations/Main Library".into()),
                    place: None,
                });
                let expected = terms(material, loan_type, group);
                let policy = expected.map_or("In the reading room only", |terms| terms.loan);
                let policy = library.reference.id(&format!("loan-policies/{policy}")).to_owned();
                let case = format!("{material}, {loan_type}, {group}");
                assert_eq!(found.policies.get(PolicyKind::Loan).as_str(), policy, "{case}");
                if let Some(terms) = expected {
                    let overdue = library.reference.id(&format!("overdue-fines-policies/{}", terms.overdue));
                    assert_eq!(found.policies.get(PolicyKind::OverdueFine).as_str(), overdue, "{case}");
                    let lost = library.reference.id(&format!("lost-item-fees-policies/{}", terms.lost));
                    assert_eq!(found.policies.get(PolicyKind::LostItem).as_str(), lost, "{case}");
                }
            }
        }
    }
}

/// FOLIO's migration tools read the time zone and the patron look-up members there.
#[test]
fn tools_that_read_configuration_entries_find_them() {
    let settings = library(1, 0, 0, 0).settings().unwrap();
    let part = settings.iter().find(|part| part.path == "/configurations/entries");
    let entries = &part.expect("configuration entries").records;
    let value = |module: &str, name: &str| -> Value {
        let is_it = |entry: &&Value| entry["module"] == module && entry["configName"] == name;
        let entry = entries.iter().find(is_it).expect(name);
        serde_json::from_str(text(entry, "value")).expect("JSON in a text")
    };
    assert_eq!(value("ORG", "localeSettings")["timezone"], "UTC");
    let checkout = value("CHECKOUT", "other_settings");
    assert_eq!(checkout["prefPatronIdentifier"], "barcode");
    // The desk's own setting agrees.
    let desk = settings.iter().find(|part| part.path == "/circulation/settings");
    let desk = desk.expect("settings").records.iter();
    let own = desk.clone().find(|setting| setting["name"] == "other_settings");
    assert_eq!(own.expect("other_settings")["value"], checkout);
}
