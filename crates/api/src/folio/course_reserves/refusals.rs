//! Refusals of course reserves, in FOLIO's words.

refusals::table! {
    /// Course listings, courses, instructors and reserves.
    pub TABLE: Storage, "docs/folio/course-reserves.md";
    LISTING_UNKNOWN: "The listing does not exist; FOLIO's text ends so." => 404 "No courselisting exists with id '{id}\"";
    COURSE_UNKNOWN: "The course does not exist." => 404 "No Course exists with id '{id}'";
    RESERVE_UNKNOWN: "The reserve does not exist." => 404 "Reserve with id '{id}' not found";
    LISTING_DIFFERS: "A record that is added below a listing names another."
        => 422 "listingId should be {listing}" [listingId];
    NO_ITEM: "A reserve names neither an item nor a barcode."
        => 422 "Must provide item id or item barcode to populate copied items" [itemId];
    BARCODE_UNKNOWN: "No item has the barcode." => 400 "No item found for barcode {barcode}";
    ITEM_UNKNOWN: "The item does not exist."
        => 400 "Expected status code 200 for GET request to url /item-storage/items/{item}, got 404: Not found";
    ITEM_IN_USE: "The item is on reserve for the listing already."
        => 422 "itemId {itemId} is already in use for courseListing {listing}" [itemId];
}
