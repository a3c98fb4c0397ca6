//! Refusals of the gateway's administration, in Okapi's words. Those of installations stand in `crate::platform`.

refusals::table! {
    /// Tenants, modules, timers, discovery.
    pub TABLE: Text, "docs/folio/okapi.md";
    NOT_FOUND: "The tenant, module, timer or whatever is named does not exist." => 404 "{name}";
    TENANT_ID_CHANGED: "The id of a tenant differs from that of the path." => 400 "Tenant.id={sent} id={id} must match";
    SUPERTENANT_DELETED: "The tenant of the platform is deleted." => 400 "Can not delete the superTenant {id}";
    ACTION_UNKNOWN: "A step of an installation is none of Okapi's." => 400 "Not supported: action = {action}";
    MODULE_ID_INVALID: "The id of a module has no version." => 400 "Module id '{id}' is not a product and a version";
    MODULE_EXISTS: "Another descriptor has the id." => 400 "create: module {id} already exists";
    PATTERN_INVALID: "A handler of a new module has a pathPattern that no path has." => 400 "{fault}";
    INTERFACES_MISSING: "A new module requires interfaces that no known module provides." => 400 "{missing}";
    MODULE_UNKNOWN: "The module that is deleted does not exist." => 404 "delete: module {id} does not exist";
    MODULE_BUILT_IN: "A module of this program is deleted." => 400 "delete: module {id} is part of this program";
    MODULE_IN_USE: "A tenant has the module that is deleted." => 400 "delete: module {id} is used by tenant {tenant}";
    JOB_UNKNOWN: "The job that is run is no timer's, or does not wait." => 404 "Waiting job of a timer {kind} not found";
    TIMER_MISSING: "A change names no timer." => 400 "id of the timer is missing";
    SCHEDULE_INVALID: "The schedule of a timer cannot be read." => 400 "{fault}";
    SERVICE_MISSING: "A deployment names no module." => 400 "Needs srvcId";
    SERVICE_EMPTY: "A deployment names a module with an empty id." => 400 "Empty srvcId not allowed";
    INSTANCE_MISSING: "A deployment that runs elsewhere has no id." => 400 "Needs instId";
    NODE_MISSING: "A deployment has a descriptor, but names no node." => 400 "missing nodeId";
    NODE_UNKNOWN: "The node does not exist." => 404 "Node {name} not found";
    INSTANCE_EXISTS: "Another deployment has the id." => 400 "Duplicate instance {id}";
    NAME_MISSING: "An environment entry has no name." => 400 "missing name";
    VALUE_MISSING: "An environment entry has no value." => 400 "missing value";
}
