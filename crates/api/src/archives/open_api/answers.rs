//! Answers that are no records, and refusals. They have names in the API document, as record types do.

/// In the notation of [`store::record`].
pub(super) const ANSWERS: [(&str, &str); 20] = [
    (
        "Saved",
        "status*:(Created|Updated), id*:int, lock_version*:int, stale*?:bool, uri*, warnings*:any",
    ),
    ("Updated", "status*:(Updated), id*:int, lock_version*:int, stale*?:bool"),
    ("Suppressed", "status*:(Suppressed), id*:int, suppressed_state*:bool"),
    ("Deleted", "status*:(Deleted), id*:int"),
    ("Moved", "status*:(Moved), id*:int, merge_destination*:int"),
    ("Merged", "status*:(Merged), id*:int, selections*:any, merge_destination_uri*, deleted_uris*[], result:object"),
    ("Done", "status*"),
    ("Link", "ref*, _resolved:object"),
    ("SignedIn", "session*, user*:User, expire_after_seconds:int"),
    (
        "TreeRoot",
        "uri*, jsonmodel_type*, title*?, parsed_title*:any, slugged_url*?, suppressed*:bool, has_digital_instance*:bool,
         child_count*:int, waypoints*:int, waypoint_size*:int, precomputed_waypoints*:object, identifier, level,
         containers[object], digital_object_type?, file_uri_summary",
    ),
    (
        "TreeNode",
        "uri*, jsonmodel_type*, title*?, position*:int, has_digital_instance*:bool, child_count*:int, waypoints*:int,
         waypoint_size*:int, precomputed_waypoints*:object, identifier?",
    ),
    (
        "TreeChild",
        "uri*, jsonmodel_type*, title*?, parsed_title*:any, slugged_url*?, suppressed*:bool, has_digital_instance*:bool,
         child_count*:int, waypoints*:int, waypoint_size*:int, position*:int, parent_id?:int, identifier?, level?,
         dates[{type, label, expression, begin, end}], containers[object], label, file_uri_summary",
    ),
    (
        "SearchResults",
        "page_size*:int, first_page*:int, last_page*:int, this_page*:int, offset_first*:int, offset_last*:int,
         total_hits*:int, results*[object], facets*:object, highlighting:object",
    ),
    (
        "SolrResults",
        "responseHeader*{status*:int, params*{start*, rows*}}, response*{numFound*:int, start*:int, numFoundExact*:bool, docs*[object]},
         facet_counts*:object",
    ),
    (
        "Room",
        "container_profile*:Link, total_spaces_available*:int, total_containers_of_type*:int,
         locations_with_space*[object], locations_without_space*[object], uncalculatable_locations*[object]",
    ),
    ("Titled", "uri*, jsonmodel_type, title?, id:int"),
    ("Refusal", "error*:text|Messages, warning:Messages, invalid_object, uri"),
    ("Reason", "error*"),
    ("Labels", "[]"),
    ("SessionOver", "code*:(SESSION_GONE|SESSION_EXPIRED), error*"),
];

/// Objects whose members have names that no declaration knows: what each of them is.
pub(super) const MAPS: [(&str, &str); 2] = [
    // What is wrong, by member or parameter.
    ("Messages", "[]"),
    // What is in the way, by the address of a record.
    ("Conflicts", "[{json_property, message}]"),
];
