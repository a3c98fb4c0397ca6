//! Why a change in the inventory was refused, in the words and shapes of each kind's routes
//! (docs/folio/inventory.md#refusals-of-the-storage).

use inventory::write::NotWritten;
use refusals::Refused;
use serde_json::{Map, Value};
use store::{StoreError, collection::Collection, named_values};

use super::kind::Kind;
use crate::{
    answer::Problem,
    call::Call,
    collections::{self, Channel},
};

refusals::table! {
    /// Instances, holdings and items, as the storage keeps them.
    pub STORAGE: Storage, "docs/folio/inventory.md#refusals-of-the-storage";
    NOT_FOUND: "The record does not exist." => 404 "Not found";
    HRID_CHANGED: "The HRID differs from the stored one."
        => 400 "The hrid field cannot be changed: new={new}, old={old}";
    NO_HOLDINGS: "A new item names holdings that do not exist."
        => 422 "Holdings record does not exist" [holdingsRecordId];
    NO_HOLDINGS_IN_CHANGE: "A changed item names holdings that do not exist."
        => 400 "holdingsRecordId not found: {holdingsRecordId}";
    LIST_MISSING: "A member is missing: the list of records, an id, a version."
        => 422 ["jakarta.validation.constraints.NotNull.message"] "must not be null" ["{member}"];
    NO_LIST: "A member that must be a list is not one." => 400 "Json content error: {name} must be an array";
    QUERY_MEMBER_WRONG: "A member of a query in a body has the wrong type."
        => 400 "Json content error: {name} must not be {value}";
    UNSAFE_REFUSED: "A batch would skip optimistic locking, which the operator has not allowed."
        => 413 "DB_ALLOW_SUPPRESS_OPTIMISTIC_LOCKING environment variable doesn't allow to disable optimistic locking";
    NOT_LINKED: "A link of titles does not lead from or to the instance."
        => 422 "The precedingInstanceId or succeedingInstanceId should contain instanceId [{instance}]"
           ["precedingInstanceId or succeedingInstanceId"];
    BOUND_ITEM_UNKNOWN: "The item that is bound with others does not exist."
        => 422 ["item.not-found"] "Item not found." [itemId];
    BOUND_HOLDINGS_UNKNOWN: "Holdings that an item is bound with do not exist."
        => 422 ["holding.not-found"] "Holdings record not found." [holdingsRecordId];
    UNIT_ID_CHANGED: "The id of an institution, campus or library would change."
        => 400 "Illegal operation: {unit} ID cannot be changed";
    LOCATION_ID_CHANGED: "The id of a location would change." => 422 "Illegal operation: id cannot be changed" [id];
    SOURCE_FOLIO_CHANGED: "A record that FOLIO ships would get another source."
        => 422 "Illegal operation: Source folio cannot be updated" [source];
    SOURCE_FOLIO_SET: "A record of the library would get the source folio."
        => 422 "Illegal operation: Source field cannot be set to folio" [source];
    SOURCE_CONSORTIUM_SET: "A new record would get the source consortium."
        => 422 "Illegal operation: Source consortium cannot be applied at non-consortium tenant" [source];
    SOURCE_CHANGED: "The source of a record would change to or from consortium."
        => 422 "Illegal operation: Source field cannot be updated at non-consortium tenant" [source];
    HOLDINGS_SOURCE_OF_FOLIO: "The source of holdings to delete is one that FOLIO ships."
        => 400 "Holdings Records Sources with source of folio can not be deleted";
    CALL_NUMBER_TYPE_CHANGED: "A call number type that FOLIO ships would change."
        => 400 "System call number type couldn't be updated";
    CALL_NUMBER_TYPE_DELETED: "The call number type to delete is one that FOLIO ships."
        => 400 "System call number type couldn't be deleted";
    RECORD_TYPE_UNKNOWN: "Records other than instances and holdings are requested."
        => 400 "recordType must not be {type}";
    VIEW_DATE_INVALID: "A date of a view is not a date." => 400 "{name} must be a date, but is {text}";
    ISBN_PARAMETERS: "The ISBN is missing or given in two ways."
        => 400 "Only one of following query params must be specified: isbn, isbn10, isbn13";
    ISBN_MISSING: "The ISBN to convert is missing." => 400 "Isbn must be specified";
    HYPHENS_WRONG: "The parameter hyphens is neither true nor false." => 400 "Hyphens must be true or false";
    ISBN_INVALID: "The ISBN to convert is not valid." => 400 "ISBN value {code} is invalid";
    TOO_MANY_RECORDS: "A batch has too many records."
        => 413 "Expected a maximum of {limit} records to prevent out of memory but got {count}";
}

refusals::table! {
    /// Instances, holdings and items, as mod-inventory serves them.
    pub BUSINESS: Inventory, "docs/folio/inventory-business.md#errors-of-the-business-routes";
    ITEM_NOT_FOUND: "The item does not exist." => 404 "No item found";
    INSTANCE_NOT_FOUND: "The instance does not exist." => 404 "Instance not found";
    MARKED_NOT_FOUND: "The instance to mark as deleted does not exist." => 404 "Not Found";
    HOLDINGS_NOT_FOUND: "The holdings do not exist." => 404 "Holdings not found";
    BARCODE_TAKEN: "Another item has the barcode."
        => 400 "Barcode must be unique, {barcode} is already assigned to another item";
    HRID_UPDATED: "The HRID differs from the stored one." => 422 "HRID can not be updated" [hrid];
    PAGE_NOT_NUMERIC: "The limit or the offset of a list is not a number."
        => 400 "limit and offset must be numeric when supplied";
    QUERY_MISSING: "Records to delete are not named by a query." => 400 "query parameter is required";
    NOT_BY_HOLDINGS: "The query for the items of holdings names no holdings."
        => 400 "Items must be retrieved by 'holdingsRecordId' from this API. Query was: {query}";
    NOT_BY_HOLDINGS_ALONE: "The query for the items of holdings has another form."
        => 400 "Items must be retrieved by 'holdingsRecordId' from this API: query=holdingsRecordId==[a UUID]. Query was: {query}";
    RELATIONS_UNKNOWN: "Items of holdings are requested by other relations."
        => 400 "The only valid values of the request parameter 'relations' are: 'onlyBoundWiths' and 'onlyBoundWithsSkipDirectlyLinkedItem'";
    NO_OBJECT: "The body is not an object." => 400 "Json content error: expected a JSON object";
    TITLE_MISSING: "A new instance has no title." => 400 "Title must be provided for an instance";
    LINKED_TITLE_MISSING: "A preceding or succeeding title names neither an instance nor a title."
        => 422 "Title is required for unconnected {side} title" ["{member}"];
    FIELD_REQUIRED: "A member of a move or of a change of ownership is missing."
        => 422 "{member} is a required field" ["{member}"];
    IDS_REQUIRED: "The ids of what moves are missing." => 422 "{message}" ["{member}"];
    SAME_TENANT: "Records move to the tenant that owns them."
        => 422 "{member} field cannot be equal to source tenant id" ["{member}"];
    NO_CONSORTIUM: "The library belongs to no consortium." => 400 "{tenant} tenant is not in consortia";
    FIELDS_BLOCKED: "A member would change that only the MARC record may change."
        => 422 "{who}, these fields are blocked and can not be updated: {fields}";
}

refusals::table! {
    /// Moving records.
    pub MOVES: Sentences, "docs/folio/inventory-business.md#moving-records";
    TARGET_UNKNOWN: "The record that others move to does not exist." => 422 "{target} with id={id} not found";
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
        NotWritten::HridChanged { new, old } => HRID_CHANGED.with("new", new).with("old", old).into(),
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
            StoreError::NoSuchListed { detail, .. } => Problem::bad_request(detail),
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
fn culprit(collection: &Collection, error: &StoreError, records: &[Map<String, Value>]) -> Map<String, Value> {
    let detail = match error {
        StoreError::Duplicate { detail, .. } | StoreError::ForeignKey { detail, .. } => detail.as_str(),
        _ => return Map::new(),
    };
    let Some(named) = named_values(detail) else {
        return records.first().cloned().unwrap_or_default();
    };
    let named = named.to_lowercase();
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
