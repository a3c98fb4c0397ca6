//! Refusals of users and what belongs to them, in FOLIO's words. Those of a user's record are in `patrons::refusal`.

refusals::table! {
    /// Users, departments, address types, pictures, staging users.
    pub TABLE: Storage, "docs/folio/users.md";
    USER_UNKNOWN: "The user does not exist." => 404 "{id}";
    USER_EXISTS: "Another user has the id." => 422 "User with this id already exists" [id];
    ID_CHANGED: "The id of a changed user differs from that of the path."
        => 400 "You cannot change the value of the id field";
    DEPARTMENT_EXISTS: "Another department has the id." => 422 "Department with this id already exists" [id];
    DEPARTMENT_IN_USE: "Users belong to the department to delete."
        => 400 "Cannot delete departments.id = {id} because id is still referenced from table users.";
    ADDRESS_TYPE_IN_USE: "Users have addresses of the type to delete."
        => 400 "Cannot remove address type '{id}' as it is being used";
    CUSTOM_FIELD_UNKNOWN: "The custom field does not exist." => 404 "CustomField not found by id: {id}";
    NOT_ONE_TENANT: "A library of a consortium does not have exactly one record of its tenant."
        => 400 "User-tenant table in member ECS tenant should contain 1 record";
    PICTURES_NOT_CONFIGURED: "Pictures are not configured." => 404 "No configuration exist";
    PICTURE_CONFIGURATION_UNKNOWN: "The configuration of pictures to change does not exist." => 404 "Not found";
    ENCRYPTION_KEY_CHANGED: "The key that encrypts pictures would change." => 400 "Cannot update the Encryption key";
    PICTURE_LIMIT_TOO_GREAT: "The configuration would allow pictures larger than ten megabytes."
        => 500 "Max file size should not exceed more than 10 megabytes";
    OLD_PICTURE_UNKNOWN: "The picture to replace does not exist." => 404 "Existing profile picture is not found";
    PICTURE_UNKNOWN: "The picture does not exist." => 404 "No profile picture found for id {id}";
    DELETED_PICTURE_UNKNOWN: "The picture to delete does not exist." => 404 "Profile picture not found";
    STAGING_USER_UNKNOWN: "The staging user to change does not exist."
        => 404 "No matching user found for update.";
    NO_HOME_ADDRESS_TYPE: "A staging user would be merged, but no address type is named Home."
        => 400 "unable to find address with home as address type";
    NO_GROUP_TO_JOIN: "A staging user would become a user, but the group for minors or for other new patrons is missing."
        => 400 "unable to find patron group with {group} as group";
    MERGED_USER_UNKNOWN: "The staging user to merge, or the user to merge it into, does not exist."
        => 404 "{what} with id {id} not found";
}

refusals::table! {
    /// PINs of patrons.
    pub PINS: Text, "docs/folio/users.md";
    PIN_OF_NOBODY: "The id of the patron is not a UUID." => 400 "id must be a UUID";
    PIN_MISSING: "The PIN is missing." => 400 "pin is missing";
    PIN_WRONG: "The PIN is not the patron's." => 422 "The PIN is not the patron's";
}
