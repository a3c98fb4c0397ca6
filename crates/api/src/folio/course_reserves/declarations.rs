//! Terms, departments and the like, course listings with their courses and instructors, and reserves
//! (docs/folio/course-reserves.md).

use store::collection::{Collection, IndexKind};

pub(super) const LISTINGS: &str = "coursereserves_courselistings";
pub(super) const COURSES: &str = "coursereserves_courses";
pub(super) const INSTRUCTORS: &str = "coursereserves_instructors";
pub(super) const RESERVES: &str = "coursereserves_reserves";

/// In the order of their references.
pub(in crate::folio) fn collections() -> Vec<Collection> {
    vec![
        Collection::new("/coursereserves/terms", "terms", "coursereserves_terms", "name*, startDate*, endDate*"),
        named("/coursereserves/departments", "departments", "coursereserves_departments"),
        named("/coursereserves/coursetypes", "courseTypes", "coursereserves_coursetypes"),
        named("/coursereserves/roles", "roles", "coursereserves_roles"),
        named("/coursereserves/processingstatuses", "processingStatuses", "coursereserves_processingstates"),
        named("/coursereserves/copyrightstatuses", "copyrightStatuses", "coursereserves_copyrightstates"),
        listings(),
        courses(),
        instructors(),
        reserves(),
    ]
}

fn named(path: &'static str, list: &'static str, table: &'static str) -> Collection {
    Collection::new(path, list, table, "name*, description")
}

const INSTRUCTOR: &str = "userId:uuid, name*, barcode, patronGroup, patronGroupObject~{id:uuid, desc, group}, \
    courseListingId*:uuid";

/// A listing as lists show it; the instructors are read with it.
const LISTING: &str = "course_listing(r.doc)";
/// A listing with the records that it names.
pub(super) const EXPANDED_LISTING: &str = "expanded_course_listing(r.doc)";
/// A course with its department and its listing.
pub(super) const EXPANDED_COURSE: &str = "expanded_course(r.doc)";
/// A reserve with what the catalogue says of its item now.
const RESERVE: &str = "course_reserve(r.doc)";
/// A reserve with the records that it names, too.
pub(super) const EXPANDED_RESERVE: &str = "expanded_course_reserve(r.doc)";

fn listings() -> Collection {
    let members = format!(
        "registrarId, externalId, servicepointId:uuid, servicepointObject~:object, locationId:uuid,
         locationObject~:object, termId*:uuid, termObject~:object, courseTypeId:uuid, courseTypeObject~:object,
         instructorObjects~[{{id:uuid, {INSTRUCTOR}, metadata~:Metadata}}]"
    );
    Collection::new("/coursereserves/courselistings", "courseListings", LISTINGS, &members)
        .reference("termId", "coursereserves_terms")
        .reference("courseTypeId", "coursereserves_coursetypes")
        .broad_loose_reference("locationId")
        // What the page of courses searches in listings besides.
        .words(&["registrarId", "externalId"])
        .virtual_field("instructorObjects", "course_instructors(doc)::text")
        .alias("term", &[("coursereserves_terms", "id", "termid")])
        .alias("courseType", &[("coursereserves_coursetypes", "id", "coursetypeid")])
        .alias("instructor", &[(INSTRUCTORS, "courselistingid", "id")])
        .represented(LISTING)
        .without(&["get", "delete"])
}

fn courses() -> Collection {
    Collection::new(
        "/coursereserves/courses",
        "courses",
        COURSES,
        "name*, description, departmentId*:uuid, departmentObject~:object, courseListingId*:uuid,
         courseListingObject~:object, courseNumber, sectionName, numberOfStudents:int",
    )
    .narrow_reference("courseListingId", LISTINGS)
    .reference("departmentId", "coursereserves_departments")
    .alias("courseListing", &[(LISTINGS, "id", "courselistingid")])
    .alias("department", &[("coursereserves_departments", "id", "departmentid")])
    .folded(&["name"])
    .without(&["list", "get"])
}

/// Their routes are below a listing.
fn instructors() -> Collection {
    Collection::new("/coursereserves/instructors", "instructors", INSTRUCTORS, INSTRUCTOR)
        .narrow_reference("courseListingId", LISTINGS)
        .alias("courseListing", &[(LISTINGS, "id", "courselistingid")])
        .without_routes()
}

fn reserves() -> Collection {
    let members = "courseListingId*:uuid, itemId:uuid, processingStatusId:uuid, processingStatusObject~:object,
         startDate, endDate,
         copiedItem{barcode, temporaryLocationId, temporaryLocationObject~:object, permanentLocationId,
           permanentLocationObject~:object, title,
           contributors[{name, contributorTypeId, contributorTypeText, contributorNameTypeId, primary:bool, ...}],
           publication[{publisher, place, dateOfPublication, role, ...}], callNumber, uri, volume, copy, enumeration, url,
           instanceId, instanceHrid, instanceDiscoverySuppress:bool, holdingsId, ...},
         temporaryLoanTypeId:uuid, temporaryLoanTypeObject~:object,
         copyrightTracking{additionalSectionsUsed:bool, copyrightStatusId:uuid, copyrightStatusObject~:object,
           totalPagesInItem:int, totalPagesUsed:int, percentOfPages, paymentBasis, ...}";
    Collection::new("/coursereserves/reserves", "reserves", RESERVES, members)
        .narrow_reference("courseListingId", LISTINGS)
        .loose_reference("itemId")
        .reference("processingStatusId", "coursereserves_processingstates")
        .reference("copyrightTracking.copyrightStatusId", "coursereserves_copyrightstates")
        .unique_as(&["courseListingId", "itemId"], IndexKind::Exact, None)
        .virtual_field("copiedItem.barcode", "(copied_item(doc)->>'barcode')")
        .virtual_field("copiedItem.title", "(copied_item(doc)->>'title')")
        .virtual_field("copiedItem.callNumber", "(copied_item(doc)->>'callNumber')")
        .virtual_field("copiedItem.volume", "(copied_item(doc)->>'volume')")
        .virtual_field("copiedItem.copy", "(copied_item(doc)->>'copy')")
        .virtual_field("copiedItem.enumeration", "(copied_item(doc)->>'enumeration')")
        .virtual_field("copiedItem.instanceId", "(copied_item(doc)->>'instanceId')")
        .virtual_field("copiedItem.instanceHrid", "(copied_item(doc)->>'instanceHrid')")
        .virtual_field("copiedItem.holdingsId", "(copied_item(doc)->>'holdingsId')")
        .virtual_field("copiedItem.permanentLocationId", "(copied_item(doc)->>'permanentLocationId')")
        .virtual_field("copiedItem.temporaryLocationId", "(copied_item(doc)->>'temporaryLocationId')")
        .alias("courseListing", &[(LISTINGS, "id", "courselistingid")])
        .alias("processingStatus", &[("coursereserves_processingstates", "id", "processingstatusid")])
        .alias("copyrightStatus", &[("coursereserves_copyrightstates", "id", "copyrighttracking_copyrightstatusid")])
        .represented(RESERVE)
        .not_found_at_read("Not found")
        .without(&["list", "post", "put", "delete"])
}
