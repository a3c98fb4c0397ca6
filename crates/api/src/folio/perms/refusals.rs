//! Refusals of permissions and of users who hold them, in FOLIO's words.

refusals::table! {
    /// Permissions and permission users.
    pub TABLE: Storage, "docs/folio/permissions.md";
    /// The user already has a permission record.
    USER_HAS_RECORD = 400,
        "lower(f_unaccent(jsonb ->> 'userId'::text)) value already exists in table permissions_users: {user}";
    /// The permission record to read does not exist.
    NO_USER = 404, "No user with {named}";
    /// The permission record to change or delete does not exist.
    NO_PERMISSIONS_USER = 404, "No permissions user found with id {id}";
    /// The user whose permissions are listed has no permission record.
    NO_USER_TO_LIST = 404, "No user found by {named}";
    /// The user who would get a permission has no permission record.
    NO_USER_TO_GRANT = 400, "User with {named} does not exist";
    /// The user who would lose a permission has no permission record.
    NO_USER_TO_WITHDRAW = 404, "User with {named} does not exist";
    /// The user already has the permission.
    HELD_ALREADY = 422, "User with {named} already has permission {permission}", ["'userId'"];
    /// The user does not have the permission being withdrawn.
    NOT_HELD = 400, "User with {named} does not contain {permission}";
    /// The permission being granted does not exist.
    NO_SUCH_NAME = 400, "Permission by name '{permission}' does not exist";
    /// The permission being granted is a dummy.
    DUMMY_GRANTED = 400, "'{permission}' is flagged as a dummy permission and cannot be assigned to a user";
    /// A permission record would get a dummy.
    DUMMY_ADDED = 400, "Cannot add permissions flagged as 'dummy' to users";
    /// Someone else changed the record at the same time.
    CHANGED_MEANWHILE = 409, "Somebody else has changed this permission user at the same moment";
    /// The caller may not grant permissions that they do not have.
    NOT_OWNED = 403, "{message}";
    /// The permission does not exist.
    NO_PERMISSION = 404, "No permission found to match id {id}";
    /// The id of a changed permission differs from that of the path.
    PERMISSION_ID_CHANGED = 400, "Invalid id value";
    /// The name of a permission would change.
    PERMISSION_NAME_CHANGED = 400, "permission name property cannot change";
    /// A permission of a module would be changed.
    IMMUTABLE_CHANGED = 400, "cannot change an immutable permission";
    /// A permission of a module would be deleted.
    IMMUTABLE_DELETED = 400, "cannot delete an immutable permission";
}
