//! The settings of the sample library: locations, service points, opening hours, policies, rules, limits, fees.
//!
//! Whatever does not depend on the day is data (`data/settings/`) with fixed ids, like FOLIO's own, so that scripts can
//! name them.

mod hours;

use jiff::civil::Date;
use serde_json::{Value, json};
use store::{
    StoreError,
    bundle::{self, Set},
};

use crate::reference::Reference;

/// How a record is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Creates it.
    Add,
    /// Replaces a record that every library has.
    Replace,
}

/// Records of one collection.
#[derive(Debug, Clone)]
pub struct Part {
    pub path: &'static str,
    pub action: Action,
    /// The records as a client would send them.
    pub records: Vec<Value>,
}

impl Part {
    fn add(path: &'static str, records: Vec<Value>) -> Self {
        let action = Action::Add;
        Self { path, action, records }
    }
}

/// A file of records and their collection.
type File = (&'static str, Action, &'static str);

macro_rules! files {
    ($($action:ident $path:literal $file:literal,)*) => {
        &[$(($path, Action::$action, include_str!(concat!("../../data/settings/", $file, ".ndjson")))),*]
    };
}

const UNITS: &[File] = files! {
    Add "/location-units/campuses" "campuses",
    Add "/location-units/libraries" "libraries",
    Add "/service-points" "service-points",
    Add "/locations" "locations",
};

const REST: &[File] = files! {
    Add "/loan-policy-storage/loan-policies" "loan-policies",
    Add "/request-policy-storage/request-policies" "request-policies",
    Add "/overdue-fines-policies" "overdue-fines-policies",
    Add "/lost-item-fees-policies" "lost-item-fees-policies",
    Add "/departments" "departments",
    Add "/owners" "owners",
    Add "/feefines" "feefines",
    Add "/payments" "payments",
    Add "/waives" "waives",
    Add "/refunds" "refunds",
    Add "/transfers" "transfers",
    Replace "/patron-block-conditions" "patron-block-conditions",
    Add "/patron-block-limits" "patron-block-limits",
    Replace "/staff-slips-storage/staff-slips" "staff-slips",
    Add "/circulation/settings" "circulation-settings",
    Add "/configurations/entries" "configuration-entries",
};

/// The collections of course reserves, but reserves; their records are those of `loadSample`.
const COURSES: [&str; 9] = [
    "/coursereserves/terms",
    "/coursereserves/departments",
    "/coursereserves/coursetypes",
    "/coursereserves/roles",
    "/coursereserves/processingstatuses",
    "/coursereserves/copyrightstatuses",
    "/coursereserves/courselistings",
    "/coursereserves/courses",
    "/coursereserves/instructors",
];

/// Every record that sets up the library, in an order in which they can be sent, for a library seen on `today`.
///
/// # Errors
/// If the program's data is damaged.
pub fn parts(reference: &Reference, today: Date) -> Result<Vec<Part>, StoreError> {
    let mut parts = vec![Part::add(INSTITUTIONS, bundled(INSTITUTIONS, reference)?)];
    for file @ (path, ..) in UNITS {
        let mut records = bundled(path, reference)?;
        records.extend(read(file)?.records);
        parts.push(Part::add(path, records));
    }
    parts.push(Part::add("/calendar/calendars", hours::calendars(reference, today)));
    parts.push(Part::add("/fixed-due-date-schedule-storage/fixed-due-date-schedules", vec![hours::semesters(today)]));
    for file in REST {
        parts.push(read(file)?);
    }
    for path in COURSES {
        parts.push(Part::add(path, bundled(path, reference)?));
    }
    parts.push(Part {
        path: "/circulation/rules",
        action: Action::Replace,
        records: vec![json!({"rulesAsText": rules(reference)})],
    });
    Ok(parts)
}

const INSTITUTIONS: &str = "/location-units/institutions";

fn read((path, action, text): &File) -> Result<Part, StoreError> {
    let read = |line| serde_json::from_str(line);
    let records = text.lines().map(read).collect::<Result<_, _>>();
    let damaged = |error| StoreError::Other(format!("the sample library's {path}: {error}"));
    Ok(Part { path, action: *action, records: records.map_err(damaged)? })
}

/// The reserves of `loadSample`, each on another item of the library: an id for each is in `items`.
///
/// # Errors
/// If the program's data is damaged.
pub(crate) fn reserves(reference: &Reference, items: impl Iterator<Item = String>) -> Result<Part, StoreError> {
    let path = "/coursereserves/reserves";
    let on_item = |(mut record, item): (Value, String)| {
        record["itemId"] = item.into();
        record
    };
    Ok(Part::add(path, bundled(path, reference)?.into_iter().zip(items).map(on_item).collect()))
}

/// The bundled sample records of a collection.
fn bundled(path: &str, reference: &Reference) -> Result<Vec<Value>, StoreError> {
    let files = bundle::files(Set::Sample)?;
    let file = files.iter().find(|file| file.path == path);
    let mut records = file.map_or_else(|| Ok(Vec::new()), bundle::File::records)?;
    for record in &mut records {
        serve_online(record, reference);
    }
    Ok(records)
}

/// FOLIO's online location names a service point that its reference data does not have.
fn serve_online(record: &mut Value, reference: &Reference) {
    if record["name"] == "Online" && record.get("primaryServicePoint").is_some() {
        let online = reference.id("service-points/Online");
        record["primaryServicePoint"] = online.into();
        record["servicePointIds"] = json!([online]);
    }
}

/// The names and ids of all records set up here, and of the locations in FOLIO's sample data.
pub(crate) fn named() -> Result<Vec<(&'static str, Value)>, StoreError> {
    let mut named = Vec::new();
    for record in bundle::files(Set::Sample)?.iter().filter(|file| file.path == "/locations").map(bundle::File::records)
    {
        named.extend(record?.into_iter().map(|record| ("/locations", record)));
    }
    for file in UNITS.iter().chain(REST) {
        named.extend(read(file)?.records.into_iter().map(|record| (file.0, record)));
    }
    Ok(named)
}

/// The collection that a letter of the rules language stands for.
const LETTERS: [(char, &str); 8] = [
    ('l', "loan-policies"),
    ('r', "request-policies"),
    ('n', "patron-notice-policies"),
    ('o', "overdue-fines-policies"),
    ('i', "lost-item-fees-policies"),
    ('m', "material-types"),
    ('t', "loan-types"),
    ('g', "groups"),
];

/// The circulation rules, with ids in place of names.
fn rules(reference: &Reference) -> String {
    let text = include_str!("../../data/settings/rules.txt");
    text.lines().map(|line| rule(line, reference) + "\n").collect()
}

fn rule(line: &str, reference: &Reference) -> String {
    let mut printed = String::new();
    let mut collection = "";
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('{') {
        let letter = before.trim_end().chars().last();
        if let Some((_, named)) = LETTERS.iter().find(|(known, _)| Some(*known) == letter) {
            collection = named;
        }
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        printed.push_str(before);
        printed.push_str(reference.id(&format!("{collection}/{name}")));
        rest = after;
    }
    printed + rest
}
