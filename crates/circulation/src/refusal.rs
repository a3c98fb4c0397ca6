//! Refusals that several rules share; the others are beside their rules.

use refusals::Refusal;

refusals::table! {
    /// Circulation.
    pub SHARED: Circulation, "docs/folio/circulation.md#refusals";
    RULES_NOT_APPLICABLE: "The circulation rules are blank or wrong, name a policy that does not exist, or lack a fact \
        about the item or patron."
        => 500 "{message}";
    NOT_AN_OBJECT: "The body is not a JSON object." => 400 "Json content error: not an object";
    NOT_AN_ID: "A member that must be an id is not one." => 422 "must match \"{pattern}\"" ["{member}"];
    ITEM_BARCODE_NOT_FOUND: "The barcode belongs to no item."
        => 422 ITEM_BARCODE_NOT_FOUND "No item with barcode {itemBarcode} exists" [itemBarcode];
    PROXY_FOR_THEMSELVES: "Patron and proxy are the same person."
        => 422 USER_CANNOT_BE_PROXY_FOR_THEMSELVES "User cannot be proxy for themselves" [proxyUserId];
    PROXY_NOT_VALID: "The user is not a proxy of the patron, or no longer one."
        => 422 "proxyUserId is not valid" [proxyUserId];
    TIMETABLE_ABSENT: "The calendars do not say when the service point is open around the date."
        => 422 CALENDAR_TIMETABLE_ABSENT "Calendar timetable is absent for requested date";
}

/// FOLIO's text of a 500: why the circulation rules cannot be applied.
pub(crate) fn not_applicable(text: impl Into<String>) -> Refusal {
    RULES_NOT_APPLICABLE.with("message", text.into())
}

/// A member that must be an id and is not one: 422, in the words of the schema's pattern.
pub(crate) fn not_an_id(member: &'static str) -> Refusal {
    let pattern = "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}$";
    NOT_AN_ID.with("pattern", pattern).with("member", member)
}
