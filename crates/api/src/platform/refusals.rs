//! Refusals of tenants and of installations, in Okapi's words.

refusals::table! {
    /// The life cycle of a tenant.
    pub TABLE: Text, "docs/folio/okapi.md#tenant-ids";
    ID_WITH_UNDERSCORE: "The id of a tenant has an underscore." => 400 "Tenant id must not contain underscore: {id}";
    ID_WITH_MINUS: "The id of a tenant has a minus." => 400 "Tenant id must not contain minus: {id}";
    ID_TOO_LONG: "The id of a tenant is too long." => 400 "Tenant id must not exceed 31 characters: {id}";
    ID_BEGINS_WITH_DIGIT: "The id of a tenant begins with a digit."
        => 400 "Tenant id must not start with a digit: {id}";
    ID_INVALID: "The id of a tenant is empty or has other characters."
        => 400 "Invalid tenant id, may only contain a-z and 0-9 and must match '{pattern}' but it is {id}";
    TENANT_EXISTS: "Another tenant has the id." => 400 "Duplicate tenant id {id}";
    TENANT_UNKNOWN: "Modules are installed for a tenant that does not exist." => 404 "{id}";
    MODULE_UNKNOWN: "The module that is enabled does not exist." => 404 "Module {id} not found";
    INTERFACES_MISSING: "A module requires interfaces that no module of the tenant provides." => 400 "{missing}";
    PERMISSION_TAKEN: "A module defines a permission that a user or another module has."
        => 400 "POST request for {module} /_/tenantpermissions failed with 400: Collision! A Permission \
            named {name} is already defined: {record}";
}
