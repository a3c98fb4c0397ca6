//! Refusals of circulation's smaller routes, in FOLIO's words. Those of the use cases are beside their rules, in the
//! crate `circulation`.

refusals::table! {
    /// Around the desk.
    pub DESK: Circulation, "docs/folio/circulation.md#endpoints";
    /// The record does not exist.
    NO_SUCH_RECORD = 404, "{name} record with ID \"{id}\" cannot be found";
    /// The list of sessions that end is missing.
    SESSIONS_NOT_LISTED = 400, "Json content error: endSessions is no list";
    /// A session that ends names no patron.
    NO_PATRON_ID = 422, "End patron session request must have patron id", ["patronId"];
    /// A session that ends has no action type.
    NO_ACTION_TYPE = 422, "End patron session request must have action type", ["actionType"];
    /// The action type of a session that ends is not one of FOLIO's.
    ACTION_TYPE_UNKNOWN = 422, "Invalid patron action type value", ["actionType"];
    /// The ids of the loans to anonymize are not a list.
    LOAN_IDS_NOT_LISTED = 400, "Json content error: loanIds is no list";
    /// A search for the items of a title has no query.
    QUERY_EMPTY = 400, "query is empty";
    /// A query of the circulation rules lacks a parameter.
    PARAMETER_MISSING = 400, "required query parameter missing: {name}";
    /// A parameter of a query of the circulation rules is not a UUID.
    PARAMETER_NOT_AN_ID = 400, "invalid uuid format of {name}, expecting {pattern} but it is {text}";
    /// Parameters of a query for allowed service points are unreadable or contradict each other.
    PARAMETERS_WRONG = 400, "{faults}";
    /// A print event lacks a member or has an invalid one.
    PRINT_INVALID = 422, "Print Event Request  JSON is invalid";
    /// The library has not said whether prints are logged.
    PRINT_NOT_CONFIGURED = 422, "No configuration found for print event feature";
    /// The library has said several times whether prints are logged.
    PRINT_CONFIGURED_TWICE = 422, "Multiple configurations found for print event feature";
    /// The library does not log prints.
    PRINT_DISABLED = 422, "print event feature is disabled for this tenant";
    /// A printed request does not exist.
    PRINTED_REQUEST_UNKNOWN = 422, "invalid request found";
}

refusals::table! {
    /// Circulation settings.
    pub SETTINGS: Inventory, "docs/folio/settings.md";
    /// The setting lacks a member, or has one of another name or type.
    SETTING_INVALID = 422, "Circulation setting JSON is invalid", [""];
    /// The id is not a UUID.
    SETTING_ID_INVALID = 422, "Circulation setting ID is not a valid UUID", [""];
}

refusals::table! {
    /// Circulation's storage.
    pub STORED: Storage, "docs/folio/desk-records.md";
    /// A member or parameter is missing.
    MISSING = 422, "must not be null", ["{member}"];
    /// The time limit of sessions is not a date.
    LIMIT_UNREADABLE = 422, "Date cannot be parsed", ["session_inactivity_time_limit"];
    /// The action type of expired sessions is not one of FOLIO's.
    STORED_ACTION_TYPE_UNKNOWN = 422, "Invalid action type value", ["action_type"];
    /// The circulation rules name the notice policy to delete.
    NOTICE_POLICY_IN_USE = 400, "Cannot delete in use notice policy";
    /// A list is empty.
    LIST_EMPTY = 422 ["jakarta.validation.constraints.Size.message"], "size must be between 1 and 2147483647", ["{member}"];
    /// An id in a list is not a UUID.
    LISTED_ID_INVALID = 422 ["elements in list must match pattern"], "elements in list must match pattern", ["requestIds"];
    /// The name of the requester is blank.
    REQUESTER_NAME_BLANK = 422 ["jakarta.validation.constraints.Pattern.message"], "must match \"{pattern}\"",
        ["requesterName"];
    /// The circulation rules contain a NUL character.
    RULES_WITH_NUL = 400, "Json content error: rulesAsText contains a NUL character";
}

refusals::table! {
    /// Locks of patrons, figures behind blocks.
    pub TEXTS: Text, "docs/folio/patron-blocks.md#user-summary";
    /// A lock would last too long.
    LOCK_TOO_LONG = 400, "ttlMs is out of range";
    /// Another client has locked the patron.
    LOCK_TAKEN = 503, "Unable to acquire lock";
    /// A list of locks is requested without the id of a patron.
    LOCK_OF_NOBODY = 422, "Invalid Parameters";
    /// The lock does not exist.
    LOCK_UNKNOWN = 404, "Not found";
    /// The id of a lock is not a UUID.
    LOCK_ID_INVALID = 400, "Invalid lock id";
    /// The id of a patron is not a UUID.
    USER_ID_INVALID = 400, "{what}: \"{text}\"";
    /// The patron has neither loans nor fees.
    NO_SUMMARY = 404, "User summary for user ID {user} not found";
    /// A recount of one patron's loans and fees lacks the id of the patron.
    COUNTING_WITHOUT_USER = 422, "UserId is required for synchronization job with scope: USER";
    /// The recount does not exist.
    COUNTING_UNKNOWN = 404, "This synchronization request does not exist";
}
