//! Refusals of mod-users-bl, in FOLIO's words.

refusals::table! {
    /// Composite users, log-in with the composite.
    pub TABLE: Text, "docs/folio/composite-users.md";
    TOKEN_MISSING: "The caller asks for themselves without a token." => 400 "Token missing";
    NO_RECORD: "The user does not exist, or has no permissions to unfold." => 404 "No record found for query '{query}'";
    USER_UNKNOWN: "The user who is deleted, or whose open transactions are counted, does not exist."
        => 404 "User with id '{id}' not found";
    USERNAME_UNKNOWN: "The user whose open transactions are counted does not exist."
        => 404 "Users with username '{username}' not found";
    LOG_IN_INCOMPLETE: "A log-in lacks the name or the password." => 400 "Improperly formatted request";
    NOT_CREATED: "A composite user is created." => 405 "API resource does not support this HTTP method (verb)";
    NOT_REPLACED: "A composite user is replaced." => 404 "Resource not found";
}

refusals::table! {
    /// Links that reset passwords, one's own password.
    pub PASSWORDS: Counted, "docs/folio/composite-users.md#reset-links";
    LINK_FOR_NOBODY: "The user who shall get a link does not exist."
        => 422 ["user.not-found"] "User with id '{id}' not found";
    NO_USERNAME: "The user who shall get a link has no user name."
        => 422 ["user.absent-username"] "User without username cannot reset password";
    LINK_INVALID: "The token of a link cannot be read." => 422 ["link.invalid"] "Invalid token.";
    LINK_OF_NOBODY: "The user of a link does not exist." => 422 ["link.invalid"] "User with id '{id}' not found";
    LINK_USED: "A link has been used." => 422 ["link.used"] "PasswordResetAction with id = {id} is not found";
    TOKEN_EXPIRED: "The token of a link has expired." => 422 ["link.expired"] "PasswordResetAction is expired";
    LINK_EXPIRED: "A link has expired." => 422 ["link.expired"] "PasswordResetAction with id = {id} is expired";
    RULE_BROKEN: "The new password breaks a rule." => 422 ["{rule}"] "{rule}";
    RULE_BROKEN_BY_USER: "One's own new password breaks a rule." => 400 ["{rule}"] "{rule}";
}
