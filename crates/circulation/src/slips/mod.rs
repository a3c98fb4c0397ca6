//! Template contexts for staff slips (docs/folio/check-in.md#staff-slip-context).

mod countries;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    configuration::Configuration,
    dates::{computed, parse_date_time},
    records::{Address, Instance, Item, Patron, QueuedRequest, Request},
};

/// The context for the slips of a check-in at `service_point`.
pub fn context(
    item: &Item,
    instance: &Instance,
    fulfilled: Option<&QueuedRequest>,
    service_point: Uuid,
    configuration: &Configuration,
    now: Timestamp,
) -> Value {
    let now = computed(now).to_string();
    let mut slip = Map::new();
    let mut described = describe(item, instance, configuration);
    described.insert("lastCheckedInDateTime".into(), now.clone().into());
    let destination = item.in_transit_destination_service_point_id;
    if let Some(to) = configuration.service_point(destination) {
        described.insert("toServicePoint".into(), to.name.clone().into());
    }
    if let Some(from) = configuration.service_point(Some(service_point)) {
        described.insert("fromServicePoint".into(), from.name.clone().into());
    }
    slip.insert("item".into(), described.into());
    if let Some(queued) = fulfilled {
        slip.insert("request".into(), request(&queued.request, configuration));
        if let Some(patron) = &queued.requester {
            let address_type = queued.request.delivery_address_type_id();
            slip.insert("requester".into(), requester(patron, address_type, configuration));
        }
    }
    slip.insert("currentDateTime".into(), now.into());
    Value::Object(slip)
}

/// The context for the slip that staff at `service_point` use to find the requested item.
pub fn of_request(
    item: Option<&Item>,
    instance: &Instance,
    queued: &QueuedRequest,
    service_point: Uuid,
    configuration: &Configuration,
    now: Timestamp,
) -> Value {
    let mut slip = Map::new();
    let mut described = match item {
        Some(item) => describe_wanted(item, instance, configuration),
        None => describe_title(instance),
    };
    if let Some(point) = configuration.service_point(Some(service_point)) {
        let name = point.name.clone().into();
        described.insert("effectiveLocationPrimaryServicePointName".into(), name);
    }
    slip.insert("item".into(), described.into());
    slip.insert("request".into(), request(&queued.request, configuration));
    if let Some(patron) = &queued.requester {
        let address_type = queued.request.delivery_address_type_id();
        let person = requester(patron, address_type, configuration);
        slip.insert("requester".into(), person);
    }
    slip.insert("currentDateTime".into(), computed(now).to_string().into());
    Value::Object(slip)
}

/// A requested item, with the place and time of its last check-in.
fn describe_wanted(item: &Item, instance: &Instance, configuration: &Configuration) -> Map<String, Value> {
    let mut described = describe(item, instance, configuration);
    let last = item.last_check_in.as_ref();
    let checked_in = last.and_then(|last| last.date_time.as_deref());
    if let Some(moment) = checked_in.and_then(parse_date_time) {
        let moment = computed(moment).to_string();
        described.insert("lastCheckedInDateTime".into(), moment.into());
    }
    let from = last.and_then(|last| last.service_point_id);
    if let Some(from) = configuration.service_point(from) {
        described.insert("fromServicePoint".into(), from.name.clone().into());
    }
    described
}

/// Sort key for walking the shelves: location, shelving order, title. Unknown values sort as `_`.
pub fn walk(slip: &Value) -> [String; 3] {
    let known = |member: &str| slip["item"][member].as_str().unwrap_or("_").to_owned();
    [known("effectiveLocationSpecific"), known("shelvingOrder"), known("title")]
}

fn joined<T: AsRef<str>>(parts: impl IntoIterator<Item = T>) -> String {
    let parts: Vec<String> = parts.into_iter().map(|part| part.as_ref().to_owned()).collect();
    parts.join("; ")
}

/// `item`: the item with its title and location.
pub(crate) fn describe(item: &Item, instance: &Instance, configuration: &Configuration) -> Map<String, Value> {
    let call_number = item.effective_call_number_components.clone().unwrap_or_default();
    let loan_type = item.loan_type_id().and_then(|id| configuration.loan_types.get(&id));
    let mut described = describe_title(instance);
    described.extend(members(json!({
        "barcode": item.barcode,
        "status": item.status.name(),
        "enumeration": item.enumeration,
        "volume": item.volume,
        "chronology": item.chronology,
        "yearCaption": joined(&item.year_caption),
        "materialType": configuration.material_type(item.material_type_id),
        "loanType": loan_type,
        "copy": item.copy_number.as_deref().unwrap_or_default(),
        "numberOfPieces": item.number_of_pieces,
        "displaySummary": item.display_summary,
        "descriptionOfPieces": item.description_of_pieces,
        "accessionNumber": item.accession_number,
        "administrativeNotes": joined(&item.administrative_notes),
    })));
    described.extend(location(item, configuration));
    described.extend(members(json!({
        "callNumber": call_number.call_number,
        "callNumberPrefix": call_number.prefix,
        "callNumberSuffix": call_number.suffix,
        "shelvingOrder": item.effective_shelving_order,
    })));
    described
}

/// `item` when only the title is known.
pub(crate) fn describe_title(instance: &Instance) -> Map<String, Value> {
    members(json!({
        "title": instance.title,
        "instanceHrid": instance.hrid,
        "primaryContributor": instance.primary_contributor(),
        "allContributors": joined(instance.contributors.iter().map(|c| &c.name)),
        "datesOfPublication": joined(instance.dates_of_publication()),
        "editions": joined(&instance.editions),
        "physicalDescriptions": joined(&instance.physical_descriptions),
        "seriesStatements": joined(instance.series.iter().map(|s| &s.value)),
    }))
}

fn location(item: &Item, configuration: &Configuration) -> Map<String, Value> {
    let Some(location) = configuration.location(item.effective_location_id) else {
        return Map::new();
    };
    let mut described = members(json!({
        "effectiveLocationSpecific": location.name,
        "effectiveLocationLibrary": location.library_name,
        "effectiveLocationCampus": location.campus_name,
        "effectiveLocationInstitution": location.institution_name,
        "effectiveLocationDiscoveryDisplayName": location.discovery_display_name,
    }));
    if let Some(primary) = configuration.service_point(location.primary_service_point) {
        let name = primary.name.clone().into();
        described.insert("effectiveLocationPrimaryServicePointName".into(), name);
    }
    described
}

/// `request`: dates, pickup service point or delivery address type, and comments.
pub(crate) fn request(request: &Request, configuration: &Configuration) -> Value {
    let date = |moment: Option<Timestamp>| Some(computed(moment?).to_string());
    let pickup = configuration.service_point(request.pickup_point());
    let address_type = request.delivery_address_type_id();
    let address_type = address_type.and_then(|id| configuration.address_types.get(&id));
    let known = members(json!({
        "requestID": request.id(),
        "servicePointPickup": pickup.map(|point| &point.name),
        "requestDate": date(request.request_date()),
        "requestExpirationDate": date(request.expiration_date()),
        "holdShelfExpirationDate": date(request.hold_shelf_expiration_date()),
        "additionalInfo": request.cancellation_comment(),
        "deliveryAddressType": address_type,
        "patronComments": request.patron_comments(),
    }));
    known.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

/// `requester` and `user`: a patron.
pub(crate) fn requester(patron: &Patron, address_type: Option<Uuid>, configuration: &Configuration) -> Value {
    let name = &patron.personal;
    let group = patron.patron_group.and_then(|id| configuration.patron_groups.get(&id));
    let departments = patron.departments.iter().filter_map(|id| configuration.departments.get(id));
    let mut shown = members(json!({
        "firstName": name.first_name,
        "preferredFirstName": name.preferred_first_name.as_ref().or(name.first_name.as_ref()),
        "lastName": name.last_name,
        "middleName": name.middle_name,
        "barcode": patron.barcode,
        "patronGroup": group.map(|found| found.group.as_str()).unwrap_or_default(),
        "departments": joined(departments),
    }));
    let addresses = &name.addresses;
    let type_name = |address: &Address| {
        let id = address.address_type_id?;
        configuration.address_types.get(&id).cloned()
    };
    if let Some(primary) = addresses.iter().find(|address| address.primary_address) {
        shown.extend(primary_address(primary, type_name(primary)));
    }
    let delivery = addresses.iter().find(|a| address_type.is_some() && a.address_type_id == address_type);
    if let Some(delivery) = delivery {
        shown.extend(delivery_address(delivery, type_name(delivery)));
    }
    Value::Object(shown)
}

fn primary_address(address: &Address, type_name: Option<String>) -> Map<String, Value> {
    members(json!({
        "primaryAddressLine1": address.address_line1,
        "primaryAddressLine2": address.address_line2,
        "primaryCity": address.city,
        "primaryStateProvRegion": address.region,
        "primaryZipPostalCode": address.postal_code,
        "primaryCountry": address.country_id.as_deref().and_then(countries::name),
        "primaryDeliveryAddressType": type_name,
    }))
}

fn delivery_address(address: &Address, type_name: Option<String>) -> Map<String, Value> {
    members(json!({
        "addressLine1": address.address_line1,
        "addressLine2": address.address_line2,
        "city": address.city,
        "region": address.region,
        "postalCode": address.postal_code,
        "countryId": address.country_id,
        "addressType": type_name,
    }))
}

fn members(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
