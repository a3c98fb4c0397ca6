//! Refusals of mod-settings and mod-audit, in FOLIO's words.

refusals::table! {
    /// Settings entries, locale, base URL.
    pub TABLE: Text, "docs/folio/configuration-and-settings.md#settings-entries";
    FORBIDDEN: "The caller may not read or write in the scope, or the key is taken." => 403 "Forbidden";
    NOT_FOUND: "The entry does not exist, or the caller may not see it." => 404 "Not Found";
    ID_CHANGED: "The id of an entry differs from that of the path." => 400 "id mismatch";
    ID_SENT: "An entry that is uploaded has an id." => 400 "No id must supplied for upload";
    MEMBER_MISSING: "A member is missing."
        => 400 "[Bad Request] Validation error for body application/json: provided object should contain property {name}";
    MEMBER_UNKNOWN: "A member is unknown."
        => 400 "[Bad Request] Validation error for body application/json: Provided object contains unexpected \
            additional property: {name}";
    VALUE_WRONG: "A value does not match the pattern of its member."
        => 400 "[Bad Request] Validation error for body application/json: Provided value don't match pattern";
    TEXT_TOO_LONG: "A text is too long."
        => 400 "[Bad Request] Validation error for body application/json: provided string should have size <= {most}";
    LOCALE_INCOMPLETE: "The locale lacks a member." => 400 "{name} missing";
    NUMBERING_UNKNOWN: "The numbering system is none of FOLIO's."
        => 400 "numberingSystem must be latn or arab, or not defined";
    BASE_URL_MISSING: "The base URL is missing or blank." => 400 "baseUrl is missing";
    BASE_URL_WITH_SLASH: "The base URL ends with a slash." => 400 "baseUrl must not end with a slash";
}

refusals::table! {
    /// Audit settings.
    pub AUDIT: Counted, "docs/folio/configuration-and-settings.md#audit-settings";
    GROUP_UNKNOWN: "The group of settings does not exist." => 404 notFound "Setting group with id '{group}' not found";
    SETTING_UNKNOWN: "The setting does not exist."
        => 404 notFound "Setting with key '{key}' in group '{group}' not found";
    NOT_PERMITTED: "The caller lacks the permission of the group or setting."
        => 403 unauthorized "Permission '{permission}' required to perform this operation";
    PATH_DIFFERS: "The group or the key of a setting differs from that of the path."
        => 422 validation "Setting group id or key does not match the path parameters";
    NO_TEXT: "The value of a text setting is no text." => 422 validation "Setting value should be a string";
    NO_NUMBER: "The value of a number setting is no whole number."
        => 422 validation "Setting value should be an integer";
    NO_TRUTH_VALUE: "The value of a yes-or-no setting is neither true nor false."
        => 422 validation "Setting value should be a boolean";
}

refusals::table! {
    /// Configuration entries, addresses of a tenant.
    pub STORED: Storage, "docs/folio/configuration-and-settings.md";
    NAME_MISSING: "The address has no name." => 400 "name missing";
    ADDRESS_NAME_TAKEN: "Another address has the name." => 422 "name already exists" [name];
    CONFIGURATION_EXISTS: "Another enabled entry has the module, name, code and user."
        => 422 "Cannot have more than one tenant or user record with the same module, config name and code"
           [module, configName, code, userId];
}
