//! Refusals of mod-pubsub, in FOLIO's words.

refusals::table! {
    /// Event types, modules that publish or subscribe, the history of events.
    pub TABLE: Text, "docs/folio/events.md#publishers-and-subscribers";
    TYPE_UNKNOWN: "The event type that is read does not exist."
        => 404 "Event Descriptor with event type '{name}' was not found";
    TYPE_DIFFERS: "Another event type has the name."
        => 400 "Event descriptor for event type '{name}' already exists, but the content is different. Existing event \
            descriptor: {known}";
    CHANGED_TYPE_UNKNOWN: "The event type that is changed does not exist."
        => 404 "EventDescriptor with event type '{name}' was not updated";
    DELETED_TYPE_UNKNOWN: "The event type that is deleted does not exist."
        => 404 "EventDescriptor with event type name '{name}' was not found";
    TYPE_IN_USE: "Modules publish events of the type that is deleted, or subscribe to them."
        => 400 "Event type {name} cannot be deleted. Modules [{modules}] are registered as publishers or subscribers \
            for this event type.";
    MODULE_MISSING: "The module that withdraws, or its role, is not named."
        => 400 "ModuleId and moduleRole are required query parameters";
    ROLE_UNKNOWN: "The role of the module is neither publisher nor subscriber."
        => 400 "Invalid moduleRole was specified: {role}. Acceptable moduleRole values are: PUBLISHER, SUBSCRIBER.";
    DATES_MISSING: "The history is asked for without a start and an end."
        => 400 "Start date and End date are required query parameters";
    DATE_INVALID: "The start or the end of the history is not a date."
        => 400 "Supported date formats yyyy-MM-dd, yyyy-MM-dd'T'HH:mm:ss, yyyy-MM-dd'T'HH:mm:ssZZ";
    EVENT_UNKNOWN: "The event has been delivered, or does not exist."
        => 404 "Couldn't find audit message payload for event {id}";
    NO_WEBHOOK: "The module subscribes to no event with a web address." => 404 "Module {module} has no webhook";
}

refusals::table! {
    /// What modules declare of events.
    pub DECLARATIONS: Counted, "docs/folio/events.md#publishers-and-subscribers";
    DECLARED_TYPE_UNKNOWN: "A publisher declares an event type that does not exist."
        => 400 "Event type '{name}' does not exist";
    DECLARED_TYPE_DIFFERS: "A publisher declares an event type otherwise than it is described."
        => 400 "Publisher descriptor does not match existing descriptor for event type '{name}'. To declare a publisher \
            one should use the following descriptor: {known}";
    CALLBACK_INVALID: "The callback address of a subscriber cannot be used." => 400 "{fault}";
}
