//! What is wrong with a calendar, in FOLIO's words. The parameters are the members of the calendar that the answer
//! repeats.

refusals::table! {
    /// A calendar. The answer lists all faults in `errors`, with their parameters in `_parameters`.
    pub TABLE: Text, "docs/folio/calendars.md#faults-of-a-calendar";
    PARAMETER_INVALID: "A parameter or the body cannot be read."
        => 400 invalidParameter "One of the parameters was the incorrect type: {detail}";
    NOT_FOUND: "A calendar does not exist."
        => 404 calendarNotFound "No calendar was found with the specified query" [query];
    NO_NAME: "The calendar has no name." => 400 calendarNoName "Please provide a non-empty calendar name" [name];
    ENDS_BEFORE_START: "The calendar ends before it starts."
        => 400 calendarInvalidDateRange "Start date ({start}) cannot be after end date ({end})" [startDate, endDate];
    OVERLAP: "Another calendar of the same service point includes some of the days."
        => 409 calendarDateOverlap "This calendar overlaps with another calendar (“{name}” from {start} to {end})"
           [assignments, startDate, endDate];
    HOURS_OVERLAP: "Opening hours overlap."
        => 400 calendarInvalidNormalOpenings "The following openings conflict with each other: {openings}"
           [normalHours];
    EXCEPTION_WITHOUT_NAME: "An exception has no name."
        => 400 calendarInvalidExceptionName "At least one exception is missing a name" [exceptions];
    EXCEPTION_ENDS_BEFORE_START: "An exception ends before it starts."
        => 400 calendarInvalidExceptionDateOrder
           "The start date ({start}) is after the end date ({end}) for exception “{name}”" [exceptions];
    EXCEPTION_OUTSIDE: "An exception has days outside the calendar."
        => 400 calendarInvalidExceptionDateBoundary
           "The exception “{name}” ({start} to {end}) is not fully enclosed by the calendar's start and end dates \
            ({first} to {last})" [exceptions];
    EXCEPTIONS_OVERLAP: "Exceptions overlap."
        => 400 calendarInvalidExceptions "The following exceptions conflict with each other: {exceptions}" [exceptions];
    OPENINGS_OUTSIDE: "An exception opens on days that it does not include."
        => 400 calendarInvalidExceptionOpeningBoundary
           "The exception “{name}” has {number} outside of the exception's bounds: {openings}" [exceptions];
    OPENINGS_OVERLAP: "Openings of an exception overlap."
        => 400 calendarInvalidExceptionOpenings
           "The following openings within “{name}” conflict with each other: {openings}" [exceptions];
}
