//! Why a change in the inventory was refused, in the words and shapes of each kind's routes
//! (docs/folio/inventory.md#refusals-of-the-storage).

use inventory::write::NotWritten;
use refusals::Refused;
use serde_json::{Map, Value};
use store::{StoreError, collection::Collection};

use super::kind::Kind;
use crate::{
    answer::Problem,
    call::Call,
    collections::{self, Channel},
};

refusals::table! {
    /// Instances, holdings and items, as the storage keeps them.
    pub STORAGE: Storage, "docs/folio/inventory.md#refusals-of-the-storage";
    /// The record does not exist.
    NOT_FOUND = 404, "Not found";
    /// The HRID differs from the stored one.
    HRID_CHANGED = 400, "The hrid field cannot be changed: new={new}, old={old}";
    /// A new item names holdings that do not exist.
    NO_HOLDINGS = 422, "Holdings record does not exist", ["holdingsRecordId"];
    /// A changed item names holdings that do not exist.
    NO_HOLDINGS_IN_CHANGE = 400, "holdingsRecordId not found: {holdingsRecordId}";
    /// A member is missing: the list of records, an id, a version.
    LIST_MISSING = 422 ["jakarta.validation.constraints.NotNull.message"], "must not be null", ["{member}"];
    /// A member that must be a list is not one.
    NO_LIST = 400, "Json content error: {name} must be an array";
    /// A member of a query in a body has the wrong type.
    QUERY_MEMBER_WRONG = 400, "Json content error: {name} must not be {value}";
    /// A batch would skip optimistic locking, which the operator has not allowed.
    UNSAFE_REFUSED = 413,
        "DB_ALLOW_SUPPRESS_OPTIMISTIC_LOCKING environment variable doesn't allow to disable optimistic locking";
    /// A link of titles does not lead from or to the instance.
    NOT_LINKED = 422,
        "The precedingInstanceId or succeedingInstanceId should contain instanceId [{instance}]",
        ["precedingInstanceId or succeedingInstanceId"];
    /// The item that is bound with others does not exist.
    BOUND_ITEM_UNKNOWN = 422 ["item.not-found"], "Item not found.", ["itemId"];
    /// Holdings that an item is bound with do not exist.
    BOUND_HOLDINGS_UNKNOWN = 422 ["holding.not-found"], "Holdings record not found.", ["holdingsRecordId"];
    /// The id of an institution, campus or library would change.
    UNIT_ID_CHANGED = 400, "Illegal operation: {unit} ID cannot be changed";
    /// The id of a location would change.
    LOCATION_ID_CHANGED = 422, "Illegal operation: id cannot be changed", ["id"];
    /// A record that FOLIO ships would get another source.
    SOURCE_FOLIO_CHANGED = 422, "Illegal operation: Source folio cannot be updated", ["source"];
    /// A record of the library would get the source folio.
    SOURCE_FOLIO_SET = 422, "Illegal operation: Source field cannot be set to folio", ["source"];
    /// A record would get the source consortium.
    SOURCE_CONSORTIUM_SET = 422,
        "Illegal operation: Source consortium cannot be applied at non-consortium tenant", ["source"];
    /// The source of holdings to delete is one that FOLIO ships.
    HOLDINGS_SOURCE_OF_FOLIO = 400, "Holdings Records Sources with source of folio can not be deleted";
    /// Records other than instances and holdings are requested.
    RECORD_TYPE_UNKNOWN = 400, "recordType must not be {type}";
    /// The query for the items of holdings has another form.
    NOT_OF_HOLDINGS = 400, "query must be holdingsRecordId==<id>";
    /// A date of a view is not a date.
    VIEW_DATE_INVALID = 400, "{name} must be a date, but is {text}";
    /// The ISBN is missing or given in two ways.
    ISBN_PARAMETERS = 400, "Only one of following query params must be specified: isbn, isbn10, isbn13";
    /// The ISBN to convert is missing.
    ISBN_MISSING = 400, "Isbn must be specified";
    /// The parameter hyphens is neither true nor false.
    HYPHENS_WRONG = 400, "Hyphens must be true or false";
    /// The ISBN to convert is not valid.
    ISBN_INVALID = 400, "ISBN value {code} is invalid";
    /// A batch has too many records.
    TOO_MANY_RECORDS = 413, "Expected a maximum of {limit} records to prevent out of memory but got {count}";
}

refusals::table! {
    /// Instances, holdings and items, as mod-inventory serves them.
    pub BUSINESS: Inventory, "docs/folio/inventory-business.md#errors-of-the-business-routes";
    /// The item does not exist.
    ITEM_NOT_FOUND = 404, "No item found";
    /// The instance does not exist.
    INSTANCE_NOT_FOUND = 404, "Instance not found";
    /// The holdings do not exist.
    HOLDINGS_NOT_FOUND = 404, "Not Found";
    /// Another item has the barcode.
    BARCODE_TAKEN = 400, "Barcode must be unique, {barcode} is already assigned to another item";
    /// The HRID of an item differs from the stored one.
    ITEM_HRID_CHANGED = 422, "HRID can not be updated", ["hrid"];
    /// The HRID of an instance or of holdings differs from the stored one.
    RECORD_HRID_CHANGED = 422, "HRID change detected: existing={old}, updated={hrid}", ["hrid"];
    /// The body is not an object.
    NO_OBJECT = 400, "Json content error: expected a JSON object";
    /// A new instance has no title.
    TITLE_MISSING = 400, "Title must be provided for an instance";
    /// A preceding or succeeding title names neither an instance nor a title.
    LINKED_TITLE_MISSING = 422, "Title is required for unconnected {side} title", ["{member}"];
    /// A member of a move or of a change of ownership is missing.
    FIELD_REQUIRED = 422, "{member} is a required field", ["{member}"];
    /// The ids of what moves are missing.
    IDS_REQUIRED = 422, "{message}", ["{member}"];
    /// Records move to the tenant that owns them.
    SAME_TENANT = 422, "{member} field cannot be equal to source tenant id", ["{member}"];
    /// The library belongs to no consortium.
    NO_CONSORTIUM = 400, "{tenant} tenant is not in consortia";
    /// A member would change that only the MARC record may change.
    FIELDS_BLOCKED = 422, "{who}, these fields are blocked and can not be updated: {fields}";
}

/// The refusal of a request that came over `channel`.
pub fn problem(call: &Call, kind: Kind, channel: Channel, refused: NotWritten) -> Problem {
    match refused {
        NotWritten::Rejected(rejection) => rejection.into(),
        NotWritten::Refused(refused) => refused.into(),
        NotWritten::NotFound(_) => Refused::from(NOT_FOUND).into(),
        NotWritten::Stale { id, stored, sent } => {
            let version = sent.map_or(Value::Null, Value::from);
            let record = Map::from_iter([("_version".to_owned(), version)]);
            collections::stale(id, stored, &record)
        }
        NotWritten::HridChanged { new, old } => {
            HRID_CHANGED.with("new", new).with("old", old).into()
        }
        NotWritten::NoHoldings(id) => {
            let wording = match channel {
                Channel::Put => NO_HOLDINGS_IN_CHANGE,
                _ => NO_HOLDINGS,
            };
            wording.with("holdingsRecordId", id).into()
        }
        NotWritten::Store(error, records) => match kind.collection(call) {
            Ok(collection) => refused_by_database(&collection, kind, channel, error, &records),
            Err(problem) => problem,
        },
    }
}

fn refused_by_database(
    collection: &Collection,
    kind: Kind,
    channel: Channel,
    error: StoreError,
    records: &[Map<String, Value>],
) -> Problem {
    // A POST of an instance is the one route that shows the database's own words.
    if kind == Kind::Instances && channel == Channel::Post {
        return match error {
            StoreError::ForeignKey { detail, .. } => Problem::bad_request(detail),
            error => {
                let culprit = culprit(collection, &error, records);
                collections::refused(error, collection, &culprit, Channel::Put)
            }
        };
    }
    let culprit = culprit(collection, &error, records);
    collections::refused(error, collection, &culprit, channel)
}

/// The record of a batch that the database refused: the one that holds the value PostgreSQL names. An HRID that
/// the database gave itself is entered.
fn culprit(
    collection: &Collection,
    error: &StoreError,
    records: &[Map<String, Value>],
) -> Map<String, Value> {
    let detail = match error {
        StoreError::Duplicate { detail, .. } | StoreError::ForeignKey { detail, .. } => {
            detail.as_str()
        }
        _ => return Map::new(),
    };
    let Some(named) = detail.split_once(")=(").and_then(|(_, rest)| rest.rsplit_once(") ")) else {
        return records.first().cloned().unwrap_or_default();
    };
    let named = named.0.to_lowercase();
    let holds = |record: &&Map<String, Value>| holds_value(collection, record, &named);
    let mut record = records.iter().find(holds).or(records.first()).cloned().unwrap_or_default();
    if !record.contains_key("hrid") {
        record.insert("hrid".into(), named.into());
    }
    record
}

fn holds_value(collection: &Collection, record: &Map<String, Value>, value: &str) -> bool {
    let unique = collection.uniques.iter().flat_map(|unique| unique.fields.iter().copied());
    let references = collection.references.iter().map(|reference| reference.field);
    unique.chain(references).chain(["id"]).any(|field| {
        let found = at(record, field).and_then(Value::as_str);
        found.is_some_and(|text| text.to_lowercase() == value)
    })
}

/// The value at a dotted path.
fn at<'a>(record: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    let mut names = path.split('.');
    let first = record.get(names.next()?);
    names.fold(first, |value, name| value?.get(name))
}
