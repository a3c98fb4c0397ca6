//! Service point calendars (docs/folio/calendars.md); `circulation::calendars` computes opening hours from them.

use store::collection::{Collection, IndexKind};

const DAYS: &str = "(MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY)";

pub(super) fn calendars() -> Collection {
    let members = format!(
        "name*, startDate*, endDate*, assignments*[uuid],
         normalHours*[{{startDay*:{DAYS}, startTime*, endDay*:{DAYS}, endTime*}}],
         exceptions*[{{name, startDate*, endDate*, openings*[{{startDate*, startTime*, endDate*, endTime*}}]}}]"
    );
    Collection::new("/calendar/calendars", "calendars", "calendars", &members)
        .index(&IndexKind::Elements, &["assignments"])
        .configuration()
        .without_routes()
}
