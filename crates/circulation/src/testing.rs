//! Fixtures for decision tests: a small library with two locations, two service points and three policies.

use jiff::Timestamp;
use refusals::ErrorEntry;
use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use crate::{configuration::Configuration, dates::parse_date_time};

/// The parameters of an error, as key and value.
pub fn parameters(entry: &ErrorEntry) -> Vec<(&str, Option<&str>)> {
    let parameters = entry.parameters.iter();
    parameters.map(|(key, value)| (key.as_str(), value.as_deref())).collect()
}

pub const DESK: Uuid = uuid!("00000000-0000-4000-8000-000000000001");
pub(crate) const BRANCH: Uuid = uuid!("00000000-0000-4000-8000-000000000002");
pub(crate) const STACKS: Uuid = uuid!("00000000-0000-4000-8000-000000000011");
pub(crate) const BOOK: Uuid = uuid!("00000000-0000-4000-8000-000000000021");
pub(crate) const DVD: Uuid = uuid!("00000000-0000-4000-8000-000000000022");
pub const MAP: Uuid = uuid!("00000000-0000-4000-8000-000000000023");
pub(crate) const CIRCULATE: Uuid = uuid!("00000000-0000-4000-8000-000000000031");
pub const STAFF: Uuid = uuid!("00000000-0000-4000-8000-000000000041");
pub(crate) const THREE_WEEKS: Uuid = uuid!("00000000-0000-4000-8000-000000000051");
pub(crate) const TWO_DVDS: Uuid = uuid!("00000000-0000-4000-8000-000000000052");
pub(crate) const READING_ROOM: Uuid = uuid!("00000000-0000-4000-8000-000000000053");
pub const REQUESTS: Uuid = uuid!("00000000-0000-4000-8000-000000000061");
pub const NOTICES: Uuid = uuid!("00000000-0000-4000-8000-000000000071");
pub(crate) const FINES: Uuid = uuid!("00000000-0000-4000-8000-000000000081");
pub const LOST: Uuid = uuid!("00000000-0000-4000-8000-000000000091");
pub const INSTANCE: Uuid = uuid!("00000000-0000-4000-8000-0000000000a1");
pub const ITEM: Uuid = uuid!("00000000-0000-4000-8000-0000000000a2");
pub const READER: Uuid = uuid!("00000000-0000-4000-8000-0000000000b1");
pub(crate) const OTHER_READER: Uuid = uuid!("00000000-0000-4000-8000-0000000000b2");
pub(crate) const LIBRARIAN: Uuid = uuid!("00000000-0000-4000-8000-0000000000b3");
pub const CHARGED_OUT: Uuid = uuid!("3d7c52dc-c732-4223-8bf8-e5917801386f");
pub const NOBODY: Uuid = Uuid::nil();

pub fn at(text: &str) -> Timestamp {
    parse_date_time(text).expect("a date")
}

pub fn now() -> Timestamp {
    at("2026-06-01T10:00:00Z")
}

/// Circulation rules: at most two DVDs, no maps, everything else for three weeks.
pub fn rules() -> String {
    let policies = |loan: Uuid| format!("l {loan} r {REQUESTS} n {NOTICES} o {FINES} i {LOST}");
    format!(
        "priority: t, s, c, b, a, m, g\nfallback-policy: {}\nm {DVD} + g all: {}\nm {MAP}: {}\n",
        policies(THREE_WEEKS),
        policies(TWO_DVDS),
        policies(READING_ROOM)
    )
}

fn loan_policy(id: Uuid, name: &str, loanable: bool, limit: Value) -> Value {
    json!({
        "id": id, "name": name, "loanable": loanable, "renewable": true,
        "loansPolicy": {
            "profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE", "itemLimit": limit,
        },
    })
}

pub fn records() -> Value {
    json!({
        "rules": rules(),
        "loanPolicies": [
            loan_policy(THREE_WEEKS, "Three weeks", true, Value::Null),
            loan_policy(TWO_DVDS, "Two DVDs", true, json!(2)),
            loan_policy(READING_ROOM, "Reading room", false, Value::Null),
        ],
        "requestPolicies": [{"id": REQUESTS, "name": "All", "requestTypes": ["Hold", "Recall", "Page"]}],
        "noticePolicies": [{"id": NOTICES, "name": "None"}],
        "overdueFinePolicies": [{"id": FINES, "name": "No fines"}],
        "lostItemPolicies": [{"id": LOST, "name": "No fees"}],
        "servicePoints": [
            {"id": DESK, "name": "Desk", "code": "d", "discoveryDisplayName": "The desk", "pickupLocation": true,
             "holdShelfExpiryPeriod": {"duration": 3, "intervalId": "Days"}},
            {"id": BRANCH, "name": "Branch", "code": "b", "discoveryDisplayName": "The branch", "pickupLocation": true},
        ],
        "locations": [{"id": STACKS, "name": "Stacks", "code": "st", "institutionId": NOBODY, "campusId": NOBODY,
            "libraryId": NOBODY, "primaryServicePoint": DESK, "servicePointIds": [DESK]}],
        "libraries": [{"id": NOBODY, "name": "Main library"}],
        "patronGroups": [{"id": STAFF, "group": "staff"}],
        "materialTypes": [{"id": BOOK, "name": "book"}, {"id": DVD, "name": "dvd"}, {"id": MAP, "name": "map"}],
        "loanTypes": [{"id": CIRCULATE, "name": "Can circulate"}],
        "blockConditions": [{"id": CHARGED_OUT, "name": "Maximum", "blockBorrowing": true, "blockRenewals": false,
            "blockRequests": false, "message": "Too many items"}],
        "blockLimits": [{"id": NOBODY, "patronGroupId": STAFF, "conditionId": CHARGED_OUT, "value": 5}],
        "locale": {"timezone": "UTC"},
    })
}

pub fn configuration() -> Configuration {
    Configuration::read(7, &records())
}

/// The same library with title-level requests.
pub(crate) fn with_titles(records: Value, allowed: bool) -> Value {
    let value = json!({"titleLevelRequestsFeatureEnabled": allowed});
    with(records, json!({"circulationSettings": [{"name": "TLR", "value": value}]}))
}

/// An available book.
pub fn item() -> Value {
    json!({
        "id": ITEM, "_version": 3, "barcode": "i-1", "status": {"name": "Available"},
        "holdingsRecordId": NOBODY, "materialTypeId": BOOK, "permanentLoanTypeId": CIRCULATE,
        "effectiveLocationId": STACKS,
        "effectiveCallNumberComponents": {"callNumber": "QA 1", "prefix": "f", "suffix": null},
    })
}

pub fn instance() -> Value {
    json!({"id": INSTANCE, "title": "A title", "hrid": "in1",
        "contributors": [{"name": "Author, First", "primary": true}, {"name": "Author, Second"}]})
}

/// A patron in the patron group staff.
pub fn patron(id: Uuid) -> Value {
    json!({"id": id, "barcode": "p-1", "username": "reader", "active": true, "patronGroup": STAFF,
        "personal": {"lastName": "Reader", "firstName": "One"}})
}

/// An open hold on the item, for pickup at the desk.
pub fn request(id: u128, requester: Uuid, position: i64) -> Value {
    json!({
        "request": {
            "id": Uuid::from_u128(id), "requestLevel": "Item", "requestType": "Hold",
            "requestDate": "2026-05-01T00:00:00.000+00:00", "status": "Open - Not yet filled",
            "itemId": ITEM, "instanceId": INSTANCE, "requesterId": requester, "position": position,
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": DESK,
        },
        "requester": patron(requester),
    })
}

/// Merges `members` into `base`.
pub fn with(mut base: Value, members: Value) -> Value {
    if let (Some(base), Value::Object(members)) = (base.as_object_mut(), members) {
        base.extend(members);
    }
    base
}
