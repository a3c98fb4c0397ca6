//! Refusals of users and what belongs to them, in FOLIO's words. Those of a user's record are in `patrons::refusal`.

refusals::table! {
    /// Users, departments, address types, pictures, staging users.
    pub TABLE: Storage, "docs/folio/users.md";
    /// The user does not exist.
    USER_UNKNOWN = 404, "{id}";
    /// Another user has the id.
    USER_EXISTS = 422, "User with this id already exists", ["id"];
    /// The id of a changed user differs from that of the path.
    ID_CHANGED = 400, "You cannot change the value of the id field";
    /// Another department has the id.
    DEPARTMENT_EXISTS = 422, "Department with this id already exists", ["id"];
    /// Users belong to the department to delete.
    DEPARTMENT_IN_USE = 400, "Cannot delete departments.id = {id} because id is still referenced from table users.";
    /// Users have addresses of the type to delete.
    ADDRESS_TYPE_IN_USE = 400, "Cannot remove address type '{id}' as it is being used";
    /// The custom field does not exist.
    CUSTOM_FIELD_UNKNOWN = 404, "CustomField not found by id: {id}";
    /// A library of a consortium does not have exactly one record of its tenant.
    NOT_ONE_TENANT = 400, "User-tenant table in member ECS tenant should contain 1 record";
    /// Pictures are not configured.
    PICTURES_NOT_CONFIGURED = 404, "No configuration exist";
    /// The configuration of pictures to change does not exist.
    PICTURE_CONFIGURATION_UNKNOWN = 404, "Not found";
    /// The key that encrypts pictures would change.
    ENCRYPTION_KEY_CHANGED = 400, "Cannot update the Encryption key";
    /// The configuration would allow pictures larger than ten megabytes.
    PICTURE_LIMIT_TOO_GREAT = 500, "Max file size should not exceed more than 10 megabytes";
    /// The picture to replace does not exist.
    OLD_PICTURE_UNKNOWN = 404, "Existing profile picture is not found";
    /// The picture does not exist.
    PICTURE_UNKNOWN = 404, "No profile picture found for id {id}";
    /// The picture to delete does not exist.
    DELETED_PICTURE_UNKNOWN = 404, "Profile picture not found";
    /// The staging user to change does not exist.
    STAGING_USER_UNKNOWN = 404, "No matching user found for update.";
    /// A staging user would be merged, but no address type is named Home.
    NO_HOME_ADDRESS_TYPE = 400, "unable to find address with home as address type";
    /// A staging user would become a user, but there is no group Remote Non-circulating.
    NO_REMOTE_GROUP = 400, "unable to find patron group with Remote Non-circulating as group";
    /// The staging user to merge, or the user to merge it into, does not exist.
    MERGED_USER_UNKNOWN = 404, "{what} with id {id} not found";
}

refusals::table! {
    /// PINs of patrons.
    pub PINS: Text, "docs/folio/users.md";
    /// The id of the patron is not a UUID.
    PIN_OF_NOBODY = 400, "id must be a UUID";
    /// The PIN is missing.
    PIN_MISSING = 400, "pin is missing";
    /// The PIN is not the patron's.
    PIN_WRONG = 422, "The PIN is not the patron's";
}
