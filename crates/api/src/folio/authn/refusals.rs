//! mod-login's refusals other than log-in errors, in FOLIO's words.

refusals::table! {
    /// Log-in, credentials, resets of passwords.
    pub TABLE: Storage, "docs/folio/log-in.md";
    /// The route is not served, because tokens that do not expire are switched off.
    NOT_SERVED = 404, "Not found";
    /// An id of a user is not a UUID.
    USER_ID_INVALID = 400, "Invalid UUID string: {text}";
    /// The user is not identified.
    NAME_MISSING = 400, "You must provide a username or userId";
    /// The password is missing at a log-in.
    PASSWORD_REQUIRED = 400, "You must provide a password";
    /// The new password is empty.
    NEW_PASSWORD_EMPTY = 400, "You must provide a new password that isn't empty";
    /// The user name or the password is wrong.
    CREDENTIALS_INVALID = 401, "Invalid credentials";
    /// New credentials have no password.
    PASSWORD_MISSING = 422, "Password is missing or empty", ["'userId'"];
    /// The user already has credentials.
    CREDENTIALS_EXIST = 422, "There already exists credentials for user id '{'userId'}'", ["'userId'"];
    /// No user has that name.
    NO_USER_OF_NAME = 400, "{doing}: No user found by username {username}";
    /// The parameter userId is missing.
    USER_ID_MISSING = 400, "Parameter userId is missing";
    /// The user has no credentials.
    NO_CREDENTIALS = 404, "No credentials for userId {user} found";
    /// The user has not failed to log in.
    NO_ATTEMPTS = 404, "No user login attempts found for id {id}";
    /// Nothing is logged about the user.
    NO_EVENTS = 404, "Event Config with `userId`: `{user}` was not found in the db";
    /// The expiration of a password reset is not a date.
    EXPIRATION_INVALID = 400, "expirationTime is no date and time";
    /// There is already a password reset with the id.
    RESET_EXISTS = 400, "Password action with ID: `{id}` exists already";
    /// The password reset to read does not exist.
    RESET_UNKNOWN = 404, "Password action with ID: `{id}` was not found in the db";
    /// The password reset to carry out does not exist, or is over.
    RESET_OVER = 400, "Password action with ID: `{id}` was not found in the db";
    /// A password reset has an empty password.
    RESET_PASSWORD_EMPTY = 400, "newPassword is empty";
}
