//! Refusals of circulation's smaller routes, in FOLIO's words. Those of the use cases are beside their rules, in the
//! crate `circulation`.

refusals::table! {
    /// Around the desk.
    pub DESK: Circulation, "docs/folio/circulation.md#endpoints";
    NO_SUCH_RECORD: "The loan or request to read does not exist." => 404 "{name} record with ID \"{id}\" cannot be found";
    SESSIONS_NOT_LISTED: "The list of sessions that end is missing."
        => 400 "Json content error: endSessions is no list";
    NO_PATRON_ID: "A session that ends names no patron."
        => 422 "End patron session request must have patron id" [patronId];
    NO_ACTION_TYPE: "A session that ends has no action type."
        => 422 "End patron session request must have action type" [actionType];
    ACTION_TYPE_UNKNOWN: "The action type of a session that ends is not one of FOLIO's."
        => 422 "Invalid patron action type value" [actionType];
    LOAN_IDS_NOT_LISTED: "The ids of the loans to anonymize are not a list."
        => 400 "Json content error: loanIds is no list";
    QUERY_EMPTY: "A search for the items of a title has no query." => 400 "query is empty";
    PARAMETER_MISSING: "A query of the circulation rules lacks a parameter."
        => 400 "required query parameter missing: {name}";
    PARAMETER_NOT_AN_ID: "A parameter of a query of the circulation rules is not a UUID."
        => 400 "invalid uuid format of {name}, expecting {pattern} but it is {text}";
    PARAMETERS_WRONG: "Parameters of a query for allowed service points are unreadable or contradict each other."
        => 400 "{faults}";
    PRINT_INVALID: "A print event lacks a member or has an invalid one."
        => 422 "Print Event Request  JSON is invalid" [""];
    PRINT_NOT_CONFIGURED: "The library has not said whether prints are logged."
        => 422 "No configuration found for print event feature" [""];
    PRINT_CONFIGURED_TWICE: "The library has said several times whether prints are logged."
        => 422 "Multiple configurations found for print event feature" [""];
    PRINT_DISABLED: "The library does not log prints." => 422 "print event feature is disabled for this tenant" [""];
    PRINTED_REQUEST_UNKNOWN: "A printed request does not exist." => 422 "invalid request found" [""];
}

refusals::table! {
    /// Circulation settings.
    pub SETTINGS: Inventory, "docs/folio/settings.md";
    SETTING_INVALID: "The setting lacks a member, or has one of another name or type."
        => 422 "Circulation setting JSON is invalid" [""];
    SETTING_ID_INVALID: "The id is not a UUID." => 422 "Circulation setting ID is not a valid UUID" [""];
}

refusals::table! {
    /// Circulation's storage.
    pub STORED: Storage, "docs/folio/desk-records.md";
    MISSING: "A member or parameter is missing." => 422 "must not be null" ["{member}"];
    LIMIT_UNREADABLE: "The time limit of sessions is not a date."
        => 422 "Date cannot be parsed" [session_inactivity_time_limit];
    STORED_ACTION_TYPE_UNKNOWN: "The action type of expired sessions is not one of FOLIO's."
        => 422 "Invalid action type value" [action_type];
    NOTICE_POLICY_IN_USE: "The circulation rules name the notice policy to delete."
        => 400 "Cannot delete in use notice policy";
    LIST_EMPTY: "A list is empty."
        => 422 ["jakarta.validation.constraints.Size.message"] "size must be between 1 and 2147483647" ["{member}"];
    LISTED_ID_INVALID: "An id in a list is not a UUID."
        => 422 ["elements in list must match pattern"] "elements in list must match pattern" [requestIds];
    REQUESTER_NAME_BLANK: "The name of the requester is blank."
        => 422 ["jakarta.validation.constraints.Pattern.message"] "must match \"{pattern}\"" [requesterName];
    RULES_WITH_NUL: "The circulation rules contain a NUL character."
        => 400 "Json content error: rulesAsText contains a NUL character";
}

refusals::table! {
    /// Locks of patrons, figures behind blocks.
    pub TEXTS: Text, "docs/folio/patron-blocks.md#user-summary";
    LOCK_TOO_LONG: "A lock would last too long." => 400 "ttlMs is out of range";
    LOCK_TAKEN: "Another client has locked the patron." => 503 "Unable to acquire lock";
    LOCK_OF_NOBODY: "A list of locks is requested without the id of a patron." => 422 "Invalid Parameters";
    LOCK_UNKNOWN: "The lock does not exist." => 404 "Not found";
    LOCK_ID_INVALID: "The id of a lock is not a UUID." => 400 "Invalid lock id";
    USER_ID_INVALID: "The id of a patron is not a UUID." => 400 "{what}: \"{text}\"";
    NO_SUMMARY: "The patron has neither loans nor fees." => 404 "User summary for user ID {user} not found";
    COUNTING_WITHOUT_USER: "A recount of one patron's loans and fees lacks the id of the patron."
        => 422 "UserId is required for synchronization job with scope: USER";
    COUNTING_UNKNOWN: "The recount does not exist." => 404 "This synchronization request does not exist";
}
