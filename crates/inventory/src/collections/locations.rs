//! Institutions, campuses, libraries, locations and service points (docs/folio/locations-and-service-points.md).

use refusals::Refused;
use serde_json::{Map, Value};
use store::{
    collection::{Collection, IndexKind},
    record::text,
};

use crate::{location, refusal::SERVICE_POINT_EXISTS, service_point};

pub(super) fn collections() -> Vec<Collection> {
    vec![institutions(), campuses(), libraries(), service_points(), locations(), service_points_users()]
}

fn institutions() -> Collection {
    unit("/location-units/institutions", "locinsts", "locinstitution", "")
}

fn campuses() -> Collection {
    unit("/location-units/campuses", "loccamps", "loccampus", ", institutionId*:uuid")
        .reference("institutionId", "locinstitution")
}

fn libraries() -> Collection {
    unit("/location-units/libraries", "loclibs", "loclibrary", ", campusId*:uuid").reference("campusId", "loccampus")
}

fn unit(path: &'static str, list: &'static str, table: &'static str, parent: &str) -> Collection {
    Collection::new(path, list, table, &format!("name*, code*{parent}, isShadow:bool=false"))
        .unique(&["name"])
        .folded(&["code"])
        .configuration()
        .without(&["list", "put"])
}

const SERVICE_POINT: &str = "name*, code*, discoveryDisplayName*, description, shelvingLagTime:int,
    pickupLocation:bool, holdShelfExpiryPeriod{duration*:int, intervalId*:(Minutes|Hours|Days|Weeks|Months)},
    holdShelfClosedLibraryDateManagement:(Keep_the_current_due_date|Move_to_the_end_of_the_previous_open_day|\
Move_to_the_end_of_the_next_open_day|Keep_the_current_due_date_time|\
Move_to_end_of_current_service_point_hours|Move_to_beginning_of_next_open_service_point_hours)\
=Keep_the_current_due_date,
    defaultCheckInActionForUseAtLocation:(Keep_on_hold_shelf|Close_loan_and_return_item|Ask_for_action),
    staffSlips[{id*:uuid, printByDefault*:bool}], ecsRequestRouting:bool=false";

fn service_points() -> Collection {
    Collection::new("/service-points", "servicepoints", "service_point", SERVICE_POINT)
        .unique_as(&["name"], IndexKind::Folded, SERVICE_POINT_EXISTS)
        .unique_as(&["code"], IndexKind::Folded, SERVICE_POINT_EXISTS)
        .configuration()
        .without(&["list", "put"])
        .checked(check_hold_shelf)
}

fn check_hold_shelf(record: &mut Map<String, Value>) -> Result<(), Refused> {
    let pickup = record.get("pickupLocation").and_then(Value::as_bool).unwrap_or_default();
    let name = text(record, "name").unwrap_or_default();
    service_point::check_hold_shelf(name, pickup, record.contains_key("holdShelfExpiryPeriod"))
}

const LOCATION: &str = "name*, code*, description, discoveryDisplayName, isActive:bool,
    institutionId*:uuid, institution~:any, campusId*:uuid, campus~:any, libraryId*:uuid, library~:any,
    details:object, primaryServicePoint*:uuid, primaryServicePointObject~:any, servicePointIds[uuid],
    isFloatingCollection:bool, isShadow:bool=false";

fn locations() -> Collection {
    Collection::new("/locations", "locations", "location", LOCATION)
        .unique(&["name"])
        .unique(&["code"])
        .reference("institutionId", "locinstitution")
        .reference("campusId", "loccampus")
        .reference("libraryId", "loclibrary")
        .broad_loose_reference("primaryServicePoint")
        .configuration()
        .without(&["list", "put"])
        .checked(check_service_points)
}

fn check_service_points(record: &mut Map<String, Value>) -> Result<(), Refused> {
    let ids = record.get("servicePointIds").and_then(Value::as_array);
    let ids: Vec<&str> = ids.into_iter().flatten().filter_map(Value::as_str).collect();
    location::check_service_points(&ids, text(record, "primaryServicePoint"))
}

fn service_points_users() -> Collection {
    Collection::new(
        "/service-points-users",
        "servicePointsUsers",
        "service_point_user",
        "userId*:uuid, servicePointsIds[uuid], defaultServicePointId:uuid",
    )
    .unique(&["userId"])
    .reference("defaultServicePointId", "service_point")
    .index(&IndexKind::Elements, &["servicePointsIds"])
}
