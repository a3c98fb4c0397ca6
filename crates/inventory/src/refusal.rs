//! Reasons to refuse records of the inventory, in FOLIO's words.

refusals::table! {
    /// Instances, holdings, items, locations and service points.
    pub TABLE: Storage, "docs/folio/inventory.md#refusals-of-the-storage";
    /// The item's status does not allow this mark.
    NOT_TO_BE_MARKED = 422, "Item is not allowed to be marked as {marked}", ["status.name"];
    /// An item has no status.
    STATUS_MISSING = 422, "Status is a required field", ["status"];
    /// The status is not one of FOLIO's.
    STATUS_UNKNOWN = 422, "Undefined status specified", ["status.name"];
    /// An edit would make an item missing that is claimed returned.
    CLAIMED_ITEM_MISSING = 422, "Claimed returned item cannot be marked as missing", ["status.name"];
    /// The order of an item is too great or too small.
    ORDER_OUT_OF_RANGE = 400, "Json content error: order is out of range";
    /// A note is longer than 32,000 characters.
    NOTE_TOO_LONG = 422, "A note has exceeded the 32,000 character limit.", ["{member}"];
    /// The prefix of an HRID is too long or has characters other than letters, digits, full stops and hyphens.
    PREFIX_NOT_VALID = 422, "must match \"{pattern}\"", ["{member}"];
    /// The start number of an HRID is out of range.
    START_NUMBER_NOT_VALID = 422, "must be {bound}", ["{member}"];
    /// A location has no service points.
    NO_SERVICE_POINTS = 422, "A location must have at least one Service Point assigned.", ["servicePointIds"];
    /// A location lists a service point twice.
    SERVICE_POINT_TWICE = 422, "A Service Point can only appear once on a Location.", ["servicePointIds"];
    /// The primary service point of a location is not one of its service points.
    PRIMARY_SERVICE_POINT_NOT_LISTED = 422,
        "A Location's Primary Service point must be included as a Service Point.", ["primaryServicePoint"];
    /// A pickup location has no expiry period for its hold shelf.
    NO_EXPIRY_PERIOD = 422, "Hold shelf expiry period must be specified when service point can be used for pickup.", ["name"];
    /// A service point that is not a pickup location has an expiry period.
    EXPIRY_PERIOD_WITHOUT_PICKUP = 422,
        "Hold shelf expiry period cannot be specified when service point cannot be used for pickup", ["name"];
    /// A link of titles has no instance at either end.
    LINK_WITHOUT_INSTANCE = 422,
        "The precedingInstanceId and succeedingInstanceId can't be empty at the same time", ["precedingInstanceId"];
}
