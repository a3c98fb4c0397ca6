//! Staged users: people who registered themselves, to be made or merged into patrons
//! (docs/folio/users.md#staged-users).

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    record::{print_instant, read_instant},
    statements::patrons::{STAGED_USER, STAGED_USER_MERGED},
};
use uuid::Uuid;

/// FOLIO's id of the contact type e-mail.
const BY_EMAIL: &str = "002";

const MINORS: &str = "Basic -- Minor (INTERNAL)";
const NEW_PATRONS: &str = "Remote Non-circulating";

pub type Record = Map<String, Value>;

/// What merging a staged user depends on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    pub staged: Option<Record>,
    /// The existing patron to merge into.
    pub user: Option<Record>,
    /// The address type `Home`.
    pub home: Option<Uuid>,
    /// The patron group: [`required_group`], or that of the existing patron.
    pub group: Option<Record>,
}

/// One round trip.
pub async fn find(session: &Session, staged: Uuid, user: Option<Uuid>) -> Result<Found, StoreError> {
    let row = session.get(STAGED_USER, &[&staged, &user]).await?;
    let record = |column: &str| match row.get::<_, Option<Value>>(column) {
        Some(Value::Object(record)) => Some(record),
        _ => None,
    };
    Ok(Found { staged: record("staged"), user: record("patron"), home: row.get("home"), group: record("patron_group") })
}

/// The name of the group that a staged user needs to become a patron; one who is known and no minor keeps theirs.
pub fn required_group(staged: &Record, known: bool) -> Option<&'static str> {
    if staged.get("minor").and_then(Value::as_bool) == Some(true) {
        return Some(MINORS);
    }
    (!known).then_some(NEW_PATRONS)
}

/// Writes the patron and removes the staged user. One round trip.
pub async fn write(session: &Session, staged: Uuid, user: Uuid, record: Record) -> Result<(), StoreError> {
    session.execute(STAGED_USER_MERGED, &[&staged, &user, &Value::Object(record)]).await?;
    Ok(())
}

/// Completes a new staged user.
pub fn complete(staged: &mut Record) {
    staged.insert("externalSystemId".into(), Uuid::new_v4().to_string().into());
    staged.entry("status").or_insert_with(|| "TIER-1".into());
    staged.entry("isEmailVerified").or_insert_with(|| false.into());
}

/// The staged user with the changes of a request. The identity stays, and as in FOLIO whatever is not sent or an empty
/// list.
pub fn changed(stored: &Record, mut sent: Record) -> Record {
    for name in ["id", "externalSystemId"] {
        sent.shift_remove(name);
    }
    if let Some(Value::Object(contact)) = sent.get_mut("contactInfo") {
        contact.shift_remove("email");
    }
    let mut changed = stored.clone();
    for (name, value) in sent {
        match (changed.get_mut(&name), value) {
            (Some(Value::Object(kept)), Value::Object(new)) => kept.extend(new),
            (_, Value::Array(new)) if new.is_empty() => {}
            (_, value) => {
                changed.insert(name, value);
            }
        }
    }
    changed
}

/// The patron that a staged user becomes: a new one, or the existing `user` with the staged user's data.
pub fn patron(
    staged: &Record,
    user: Option<&Record>,
    id: Uuid,
    home: Uuid,
    group: Option<&Record>,
    now: Timestamp,
) -> Record {
    let mut patron = user.cloned().unwrap_or_else(|| {
        let mut new = Map::new();
        new.insert("type".into(), "patron".into());
        for list in ["departments", "proxyFor"] {
            new.insert(list.into(), json!([]));
        }
        new
    });
    patron.insert("id".into(), id.to_string().into());
    patron.insert("active".into(), true.into());
    for name in ["preferredEmailCommunication", "externalSystemId"] {
        patron.extend(staged.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    let enrolled = staged.get("metadata").and_then(|metadata| metadata.get("updatedDate"));
    patron.extend(enrolled.map(|date| ("enrollmentDate".to_owned(), date.clone())));
    if let Some(group) = group {
        patron.extend(group.get("id").map(|id| ("patronGroup".to_owned(), id.clone())));
        let expires = enrolled.and_then(Value::as_str).and_then(|date| expires(date, group));
        patron.extend(expires.map(|date| ("expirationDate".to_owned(), date.into())));
    }
    let personal = patron.remove("personal").and_then(|personal| match personal {
        Value::Object(personal) => Some(personal),
        _ => None,
    });
    let personal = merged_personal(staged, personal.unwrap_or_default(), home);
    patron.insert("personal".into(), personal.into());
    let now = print_instant(now);
    patron.insert("updatedDate".into(), now.clone().into());
    patron.entry("createdDate").or_insert_with(|| now.into());
    patron
}

/// When a patron of the group expires who enrolled then; nothing if the group does not say after how many days.
fn expires(enrolled: &str, group: &Record) -> Option<String> {
    let days = group.get("expirationOffsetInDays").and_then(Value::as_i64)?;
    let end = read_instant(enrolled)?.checked_add(SignedDuration::from_hours(days.checked_mul(24)?)).ok()?;
    Some(print_instant(end))
}

fn merged_personal(staged: &Record, mut personal: Record, home: Uuid) -> Record {
    for (group, names) in [
        ("contactInfo", &["email", "phone", "mobilePhone"][..]),
        ("generalInfo", &["firstName", "lastName", "middleName", "preferredFirstName"]),
    ] {
        for name in names {
            match staged.get(group).and_then(|info| info.get(name)) {
                Some(value) => personal.insert((*name).to_owned(), value.clone()),
                None => personal.shift_remove(*name),
            };
        }
    }
    personal.insert("preferredContactTypeId".into(), BY_EMAIL.into());
    let addresses = personal.remove("addresses").and_then(|list| match list {
        Value::Array(addresses) => Some(addresses),
        _ => None,
    });
    let addresses = merged_addresses(staged, addresses.unwrap_or_default(), home);
    personal.insert("addresses".into(), addresses.into());
    personal
}

/// The staged user's address becomes the home address and the primary one.
fn merged_addresses(staged: &Record, mut addresses: Vec<Value>, home: Uuid) -> Vec<Value> {
    for address in &mut addresses {
        address["primaryAddress"] = false.into();
    }
    let home = home.to_string();
    let place = addresses.iter().position(|address| address["addressTypeId"] == home.as_str());
    let id = place.and_then(|place| addresses[place].get("id").cloned());
    let mut address = Map::new();
    address.insert("id".into(), id.unwrap_or_else(|| Uuid::new_v4().to_string().into()));
    let info = staged.get("addressInfo");
    for (ours, theirs) in [
        ("countryId", "country"),
        ("addressLine1", "addressLine0"),
        ("addressLine2", "addressLine1"),
        ("city", "city"),
        ("region", "province"),
        ("postalCode", "zip"),
    ] {
        let value = info.and_then(|info| info.get(theirs));
        address.extend(value.map(|value| (ours.to_owned(), value.clone())));
    }
    address.insert("addressTypeId".into(), home.into());
    address.insert("primaryAddress".into(), true.into());
    match place {
        Some(place) => addresses[place] = address.into(),
        None => addresses.push(address.into()),
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(value: Value) -> Record {
        value.as_object().unwrap().clone()
    }

    fn staged() -> Record {
        record(json!({"externalSystemId": "x", "generalInfo": {"firstName": "Ann", "lastName": "Reader"},
            "contactInfo": {"email": "ann@library.example"}, "addressInfo": {"addressLine0": "Street 1", "zip": "7"},
            "preferredEmailCommunication": ["Support"], "metadata": {"updatedDate": "2024-01-01T00:00:00.000+00:00"}}))
    }

    #[test]
    fn a_staged_user_becomes_a_new_patron() {
        let (id, home) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let group = record(json!({"id": "g", "expirationOffsetInDays": 60}));
        let patron = patron(&staged(), None, id, home, Some(&group), Timestamp::UNIX_EPOCH);
        assert_eq!(patron["expirationDate"], "2024-03-01T00:00:00.000+00:00");
        assert_eq!(patron["enrollmentDate"], "2024-01-01T00:00:00.000+00:00");
        assert_eq!((&patron["active"], &patron["type"]), (&json!(true), &json!("patron")));
        assert_eq!(patron["patronGroup"], "g");
        let personal = &patron["personal"];
        assert_eq!((&personal["lastName"], &personal["preferredContactTypeId"]), (&json!("Reader"), &json!("002")));
        let address = &personal["addresses"][0];
        assert_eq!((&address["addressLine1"], &address["postalCode"]), (&json!("Street 1"), &json!("7")));
        assert_eq!((&address["addressTypeId"], &address["primaryAddress"]), (&json!(home), &json!(true)));
    }

    #[test]
    fn an_existing_patron_keeps_what_the_staged_user_lacks() {
        let (id, home, work) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(4));
        let known = record(
            json!({"username": "ann", "barcode": "7", "expirationDate": "2030-01-01T00:00:00.000+00:00", "personal": {"lastName": "Old", "pronouns": "she",
            "addresses": [{"id": "w", "addressTypeId": work, "primaryAddress": true}, {"id": "h", "addressTypeId": home}]}}),
        );
        let group = record(json!({"id": "g"}));
        let patron = patron(&staged(), Some(&known), id, home, Some(&group), Timestamp::UNIX_EPOCH);
        assert_eq!(patron["expirationDate"], known["expirationDate"]);
        assert_eq!((&patron["username"], &patron["barcode"]), (&json!("ann"), &json!("7")));
        assert_eq!(patron["personal"]["pronouns"], "she");
        let addresses = patron["personal"]["addresses"].as_array().unwrap();
        assert_eq!(addresses.len(), 2);
        assert_eq!(addresses[0]["primaryAddress"], false);
        assert_eq!((&addresses[1]["id"], &addresses[1]["primaryAddress"]), (&json!("h"), &json!(true)));
    }

    #[test]
    fn the_identity_of_a_staged_user_does_not_change() {
        let sent = record(json!({"id": "other", "externalSystemId": "other", "status": "TIER-2",
            "generalInfo": {"firstName": "Anne"}, "preferredEmailCommunication": [],
            "contactInfo": {"email": "other@library.example", "phone": "1"}}));
        let changed = changed(&staged(), sent);
        assert_eq!((&changed["externalSystemId"], &changed["status"]), (&json!("x"), &json!("TIER-2")));
        assert_eq!(changed["contactInfo"], json!({"email": "ann@library.example", "phone": "1"}));
        assert_eq!(changed["generalInfo"], json!({"firstName": "Anne", "lastName": "Reader"}));
        assert_eq!(changed["preferredEmailCommunication"], json!(["Support"]));
    }
}
