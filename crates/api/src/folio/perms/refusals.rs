//! Refusals of permissions and of users who hold them, in FOLIO's words.

refusals::table! {
    /// Permissions and permission users.
    pub TABLE: Storage, "docs/folio/permissions.md";
    USER_HAS_RECORD: "The user already has a permission record."
        => 400 "lower(f_unaccent(jsonb ->> 'userId'::text)) value already exists in table permissions_users: {user}";
    NO_UUID_IN_JAVA: "An id of a record that is changed or made is not a UUID." => 400 "Invalid UUID string: {text}";
    NO_UUID_IN_SQL: "The id of a permission record, which is looked up, is not a UUID."
        => 400 "ERROR: invalid input syntax for type uuid: \"{text}\" (22P02)";
    INDEX_FIELD_UNKNOWN: "indexField is neither id nor userId." => 400 "Invalid value '{field}' for indexField";
    BELOW_ONE: "A page is empty or begins before the first record."
        => 400 "'{name}' parameter is incorrect. parameter value {value} is not valid: must be greater than or equal to 1";
    NO_USER: "The permission record to read does not exist." => 404 "No user with {named}";
    NO_PERMISSIONS_USER: "The permission record to change or delete does not exist."
        => 404 "No permissions user found with id {id}";
    NO_USER_TO_LIST: "The user whose permissions are listed has no permission record." => 404 "No user found by {named}";
    NO_USER_TO_GRANT: "The user who would get a permission has no permission record." => 400 "User with {named} does not exist";
    NO_USER_TO_WITHDRAW: "The user who would lose a permission has no permission record." => 404 "User with {named} does not exist";
    HELD_ALREADY: "The user already has the permission."
        => 422 "User with {named} already has permission {permission}" ["'userId'"];
    NOT_HELD: "The user does not have the permission being withdrawn."
        => 400 "User with {named} does not contain {permission}";
    NO_SUCH_NAME: "The permission being granted does not exist."
        => 400 "Permission by name '{permission}' does not exist";
    DUMMY_GRANTED: "The permission being granted is a dummy."
        => 400 "'{permission}' is flagged as a dummy permission and cannot be assigned to a user";
    DUMMY_ADDED: "A permission record would get a dummy." => 400 "Cannot add permissions flagged as 'dummy' to users";
    CHANGED_MEANWHILE: "Someone else changed the record at the same time."
        => 409 "Somebody else has changed this permission user at the same moment";
    NOT_OWNED: "The caller may not grant permissions that they do not have." => 403 "{message}";
    SUBS_UNKNOWN: "A new set of permissions names some that do not exist."
        => 422 "Attempting to add non-existent permissions {names} as sub-permissions to permission \
            {'permissionName'}" ["'permissionName'"];
    SUBS_UNKNOWN_IN_CHANGE: "A changed set of permissions names new ones that do not exist."
        => 422 "Unable to update derived fields: Attempting to add non-existent permissions {names} as sub-permissions \
            to permission {permission}" [id];
    NAME_TAKEN: "Another permission has the name."
        => 422 "Permission with name {'permissionName'} already exists" ["'permissionName'"];
    NO_PERMISSION: "The permission does not exist." => 404 "No permission found to match id {id}";
    PERMISSION_ID_CHANGED: "The id of a changed permission differs from that of the path." => 400 "Invalid id value";
    PERMISSION_NAME_CHANGED: "The name of a permission would change." => 400 "permission name property cannot change";
    IMMUTABLE_CHANGED: "A permission of a module would be changed." => 400 "cannot change an immutable permission";
    IMMUTABLE_DELETED: "A permission of a module would be deleted." => 400 "cannot delete an immutable permission";
}
