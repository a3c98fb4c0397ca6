//! How circulation represents a request (docs/folio/requests.md#how-a-request-is-shown): the stored record with members
//! from related records.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    configuration::Configuration,
    dates::recomputed,
    records::{Address, Instance, Item, Patron, Request},
    representation::{present, service_point},
};

/// A request and its related records, as read from the database.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RequestRow {
    /// The stored record.
    pub request: Request,
    /// Version of the configuration to take names from.
    pub version: i64,
    /// The item; absent while a title-level request has none.
    pub item: Option<Item>,
    /// The instance.
    pub instance: Option<Title>,
    /// Due date of the item's open loan.
    pub due_date: Option<String>,
    /// The requester.
    pub requester: Option<Patron>,
    /// The proxy.
    pub proxy: Option<Patron>,
    /// The user who last printed its slip.
    pub printer: Option<Patron>,
}

/// The instance of a request, as shown with it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Title {
    #[serde(flatten)]
    instance: Instance,
    identifiers: Vec<Value>,
    publication: Vec<Value>,
}

impl Title {
    /// ID of the instance.
    pub fn id(&self) -> Uuid {
        self.instance.id
    }

    /// The instance as circulation uses it.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Identifiers, each with type and value.
    pub fn identifiers(&self) -> Vec<Value> {
        let identifiers = self.identifiers.iter();
        identifiers.map(|id| json!({"identifierTypeId": id["identifierTypeId"], "value": id["value"]})).collect()
    }
}

/// Represents the request for clients.
pub fn request(row: &RequestRow, configuration: &Configuration) -> Value {
    let mut shown = row.request.record().clone();
    shown.shift_remove("searchIndex");
    let metadata = shown.shift_remove("metadata");
    if let Some(item) = &row.item {
        shown.insert("item".into(), of_item(item, configuration));
    }
    if let Some(title) = &row.instance {
        shown.insert("instance".into(), of_title(title));
    }
    if let Some(due) = &row.due_date {
        shown.insert("loan".into(), json!({"dueDate": recomputed(due)}));
    }
    for (member, person) in [("requester", &row.requester), ("proxy", &row.proxy)] {
        if let Some(patron) = person {
            shown.insert(member.into(), of_patron(patron, configuration));
        }
    }
    delivery_address(&mut shown, row);
    if let Some(found) = configuration.service_point(row.request.pickup_point()) {
        shown.insert("pickupServicePoint".into(), service_point(found));
    }
    last_print_requester(&mut shown, row.printer.as_ref());
    shown.extend(metadata.map(|value| ("metadata".to_owned(), value)));
    Value::Object(shown)
}

fn of_item(item: &Item, configuration: &Configuration) -> Value {
    let location = configuration.location(item.effective_location_id);
    let retrieval = location.and_then(|location| location.primary_service_point);
    let loan_type = item.loan_type_id();
    let call_number = item.effective_call_number_components.as_ref();
    let components =
        call_number.map(|c| present(json!({"callNumber": c.call_number, "prefix": c.prefix, "suffix": c.suffix})));
    let place = location.map(|location| {
        present(json!({"name": location.name, "libraryName": location.library_name,
            "code": location.code}))
    });
    present(json!({
        "barcode": item.barcode,
        "location": place,
        "enumeration": item.enumeration,
        "volume": item.volume,
        "chronology": item.chronology,
        "displaySummary": item.display_summary,
        "loanTypeId": loan_type,
        "loanTypeName": loan_type.and_then(|id| configuration.loan_types.get(&id)),
        "status": item.status.name(),
        "callNumber": call_number.and_then(|c| c.call_number.as_ref()),
        "callNumberComponents": components,
        "copyNumber": item.copy_number,
        "itemEffectiveLocationId": item.effective_location_id,
        "itemEffectiveLocationName": location.map(|location| &location.name),
        "retrievalServicePointId": retrieval,
        "retrievalServicePointName": configuration.service_point(retrieval).map(|found| &found.name),
    }))
}

fn of_title(title: &Title) -> Value {
    let contributors: Vec<_> = title.instance.contributors.iter().map(|c| json!({"name": c.name})).collect();
    json!({
        "title": title.instance.title,
        "identifiers": title.identifiers(),
        "contributorNames": contributors,
        "publication": title.publication,
        "editions": title.instance.editions,
    })
}

fn of_patron(patron: &Patron, configuration: &Configuration) -> Value {
    let name = &patron.personal;
    let group = patron.patron_group.and_then(|id| {
        let group = configuration.patron_groups.get(&id)?;
        Some(json!({"id": id, "group": group.group, "desc": group.desc}))
    });
    present(json!({
        "lastName": name.last_name,
        "firstName": name.first_name,
        "middleName": name.middle_name,
        "barcode": patron.barcode,
        "patronGroup": group,
        "patronGroupId": patron.patron_group,
    }))
}

/// Adds the user who last printed the slip, by name (docs/folio/requests.md#how-a-request-is-shown).
fn last_print_requester(shown: &mut Map<String, Value>, printer: Option<&Patron>) {
    let details = shown.get_mut("printDetails").and_then(Value::as_object_mut);
    if let (Some(details), Some(printer)) = (details, printer) {
        let name = &printer.personal;
        let name = present(json!({
            "firstName": name.first_name,
            "lastName": name.last_name,
            "middleName": name.middle_name,
        }));
        details.insert("lastPrintRequester".into(), name);
    }
}

/// Adds the requester's address of the requested type.
fn delivery_address(shown: &mut Map<String, Value>, row: &RequestRow) {
    let Some(kind) = row.request.delivery_address_type_id() else {
        return;
    };
    let requester = row.requester.as_ref();
    let addresses = requester.map(|patron| patron.personal.addresses.as_slice()).unwrap_or_default();
    if let Some(address) = addresses.iter().find(|a| a.address_type_id == Some(kind)) {
        shown.insert("deliveryAddress".into(), of_address(address));
    }
}

fn of_address(address: &Address) -> Value {
    present(json!({
        "addressTypeId": address.address_type_id,
        "addressLine1": address.address_line1,
        "addressLine2": address.address_line2,
        "city": address.city,
        "region": address.region,
        "postalCode": address.postal_code,
        "countryId": address.country_id,
    }))
}
