//! mod-login's refusals other than log-in errors, in FOLIO's words.

refusals::table! {
    /// Log-in, credentials, resets of passwords.
    pub TABLE: Storage, "docs/folio/log-in.md";
    NOT_SERVED: "The route is not served, because tokens that do not expire are switched off." => 404 "Not found";
    USER_ID_INVALID: "An id of a user is not a UUID." => 400 "Invalid UUID string: {text}";
    NAME_MISSING: "The user is not identified." => 400 "You must provide a username or userId";
    PASSWORD_REQUIRED: "The password is missing at a log-in." => 400 "You must provide a password";
    NEW_PASSWORD_EMPTY: "The new password is empty." => 400 "You must provide a new password that isn't empty";
    CREDENTIALS_INVALID: "The user name or the password is wrong." => 401 "Invalid credentials";
    PASSWORD_MISSING: "New credentials have no password." => 422 "Password is missing or empty" ["'userId'"];
    CREDENTIALS_EXIST: "The user already has credentials."
        => 422 "There already exists credentials for user id '{'userId'}'" ["'userId'"];
    NO_USER_OF_NAME: "No user has that name." => 400 "{doing}: No user found by username {username}";
    USER_ID_MISSING: "The parameter userId is missing." => 400 "Parameter userId is missing";
    NO_CREDENTIALS: "The user has no credentials." => 404 "No credentials for userId {user} found";
    NO_ATTEMPTS: "The user has not failed to log in." => 404 "No user login attempts found for id {id}";
    NO_EVENTS: "Nothing is logged about the user."
        => 404 "Event Config with `userId`: `{user}` was not found in the db";
    EXPIRATION_INVALID: "The expiration of a password reset is not a date." => 400 "expirationTime is no date and time";
    RESET_EXISTS: "There is already a password reset with the id." => 400 "Password action with ID: `{id}` exists already";
    RESET_UNKNOWN: "The password reset to read does not exist."
        => 404 "Password action with ID: `{id}` was not found in the db";
    RESET_OVER: "The password reset to carry out does not exist, or is over."
        => 400 "Password action with ID: `{id}` was not found in the db";
    RESET_PASSWORD_EMPTY: "A password reset has an empty password." => 400 "newPassword is empty";
}

refusals::table! {
    /// Log-in, refresh, log-out.
    pub LOG_IN: LogIn, "docs/folio/log-in.md#log-in-routes";
    LOG_IN_REFUSED: "User and password do not belong together, or the user is inactive or locked out."
        => 422 ["wrong.username.or.wrong.password.or.account.blocked"]
           "Wrong username or wrong password or account blocked";
    REFRESH_REFUSED: "The refresh token is unknown, used or expired."
        => 422 ["token.refresh.unprocessable"] "Authorization server unable to process token refresh request";
    LOG_OUT_REFUSED: "Nobody is named whose tokens could end, or the refresh token is unknown."
        => 422 ["token.logout.unprocessable"] "Authorization server unable to process token logout request";
    COOKIE_UNREADABLE: "The refresh cookie is missing or sent twice." => 400 ["token.parse.failure"] "Bad request";
}
