//! Reasons to refuse records of the inventory, in FOLIO's words.

refusals::table! {
    /// Instances, holdings, items, locations and service points.
    pub TABLE: Storage, "docs/folio/inventory.md#refusals-of-the-storage";
    NOT_TO_BE_MARKED: "The item's status does not allow this mark."
        => 422 "Item is not allowed to be marked as {marked}" ["status.name"];
    STATUS_MISSING: "An item has no status." => 422 "Status is a required field" [status];
    STATUS_UNKNOWN: "The status is not one of FOLIO's." => 422 "Undefined status specified" ["status.name"];
    CLAIMED_ITEM_MISSING: "An edit would make an item missing that is claimed returned."
        => 422 "Claimed returned item cannot be marked as missing" ["status.name"];
    ORDER_OUT_OF_RANGE: "The order of an item is too great or too small."
        => 400 "Json content error: order is out of range";
    NOTE_TOO_LONG: "A note is longer than 32,000 characters."
        => 422 "A note has exceeded the 32,000 character limit." ["{member}"];
    PREFIX_NOT_VALID: "The prefix of an HRID is too long or has characters other than letters, digits, full stops and hyphens."
        => 422 "must match \"{pattern}\"" ["{member}"];
    START_NUMBER_NOT_VALID: "The start number of an HRID is out of range." => 422 "must be {bound}" ["{member}"];
    NO_SERVICE_POINTS: "A location has no service points."
        => 422 "A location must have at least one Service Point assigned." [servicePointIds];
    SERVICE_POINT_TWICE: "A location lists a service point twice."
        => 422 "A Service Point can only appear once on a Location." [servicePointIds];
    PRIMARY_SERVICE_POINT_NOT_LISTED: "The primary service point of a location is not one of its service points."
        => 422 "A Location's Primary Service point must be included as a Service Point." [primaryServicePoint];
    NO_EXPIRY_PERIOD: "A pickup location has no expiry period for its hold shelf."
        => 422 "Hold shelf expiry period must be specified when service point can be used for pickup." [name];
    EXPIRY_PERIOD_WITHOUT_PICKUP: "A service point that is not a pickup location has an expiry period."
        => 422 "Hold shelf expiry period cannot be specified when service point cannot be used for pickup" [name];
    LINK_WITHOUT_INSTANCE: "A link of titles has no instance at either end."
        => 422 "The precedingInstanceId and succeedingInstanceId can't be empty at the same time" [precedingInstanceId];
    ITEM_OF_ARCHIVES: "The item is a container of the archives, and would get another barcode or other holdings."
        => 422 "The item is a container of the archives: its barcode and its holdings change there" [barcode];
    HOLDINGS_OF_ARCHIVES: "The holdings are of a collection of the archives, and would get another title, location or call number."
        => 422 "The holdings are of a collection of the archives: their title, location and call number change there" [id];
    INSTANCE_OF_ARCHIVES: "The instance is a collection of the archives, and would get another title."
        => 422 "The instance is a collection of the archives: its title changes there" [title];
    HRID_TAKEN: "Another record has the HRID." => 422 "HRID value already exists in table {table}: {value}" ["{expression}"];
    STATISTICAL_CODE_LISTED: "Records list the statistical code that is deleted."
        => 400 "foreign_key_violation: Key (id)=({id}) is still referenced from table \"{user}\".";
    SERVICE_POINT_EXISTS: "Another service point has the name or the code." => 422 "Service Point Exists" [name];
}
