//! What is wrong with a calendar, in FOLIO's words. The parameters are the members of the calendar that the answer
//! repeats.

refusals::table! {
    /// A calendar. The answer lists all faults in `errors`, with their parameters in `_parameters`.
    pub TABLE: Text, "docs/folio/calendars.md#faults-of-a-calendar";
    /// A parameter or the body cannot be read.
    PARAMETER_INVALID = 400 invalidParameter, "One of the parameters was the incorrect type: {detail}";
    /// A calendar does not exist.
    NOT_FOUND = 404 calendarNotFound, "No calendar was found with the specified query", ["query"];
    /// The calendar has no name.
    NO_NAME = 400 calendarNoName, "Please provide a non-empty calendar name", ["name"];
    /// The calendar ends before it starts.
    ENDS_BEFORE_START = 400 calendarInvalidDateRange, "Start date ({start}) cannot be after end date ({end})",
        ["startDate", "endDate"];
    /// Another calendar of the same service point includes some of the days.
    OVERLAP = 409 calendarDateOverlap, "This calendar overlaps with another calendar (“{name}” from {start} to {end})",
        ["assignments", "startDate", "endDate"];
    /// Opening hours overlap.
    HOURS_OVERLAP = 400 calendarInvalidNormalOpenings, "The following openings conflict with each other: {openings}",
        ["normalHours"];
    /// An exception has no name.
    EXCEPTION_WITHOUT_NAME = 400 calendarInvalidExceptionName, "At least one exception is missing a name", ["exceptions"];
    /// An exception ends before it starts.
    EXCEPTION_ENDS_BEFORE_START = 400 calendarInvalidExceptionDateOrder,
        "The start date ({start}) is after the end date ({end}) for exception “{name}”", ["exceptions"];
    /// An exception has days outside the calendar.
    EXCEPTION_OUTSIDE = 400 calendarInvalidExceptionDateBoundary,
        "The exception “{name}” ({start} to {end}) is not fully enclosed by the calendar's start and end dates ({first} to \
         {last})", ["exceptions"];
    /// Exceptions overlap.
    EXCEPTIONS_OVERLAP = 400 calendarInvalidExceptions, "The following exceptions conflict with each other: {exceptions}",
        ["exceptions"];
    /// An exception opens on days that it does not include.
    OPENINGS_OUTSIDE = 400 calendarInvalidExceptionOpeningBoundary,
        "The exception “{name}” has {number} outside of the exception's bounds: {openings}", ["exceptions"];
    /// Openings of an exception overlap.
    OPENINGS_OVERLAP = 400 calendarInvalidExceptionOpenings,
        "The following openings within “{name}” conflict with each other: {openings}", ["exceptions"];
}
