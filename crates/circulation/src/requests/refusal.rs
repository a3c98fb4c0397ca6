//! Reasons to refuse to change, move, reorder or fill requests, in FOLIO's words.

refusals::table! {
    /// A request that exists, a queue, or a request for any item of a title.
    pub TABLE: Circulation, "docs/folio/requests.md#changing-a-request";
    /// The request does not exist.
    NO_SUCH_REQUEST = 404, "requests record with ID \"{id}\" cannot be found";
    /// The request is closed.
    ALREADY_CLOSED = 422 REQUEST_ALREADY_CLOSED, "The Request has already been closed", ["id"];
    /// The patron's comments differ from those of the request.
    COMMENTS_CHANGED = 422, "Patron comments are not allowed to change", ["existingPatronComments"];
    /// The request moves to an item of another title.
    OTHER_TITLE = 422, "Request can only be moved to an item with the same instance ID", ["itemId", "instanceId"];
    /// A request for a title moves while title-level requests are off.
    TITLES_DISABLED = 422, "Can not process TLR - TLR feature is disabled", ["requestId"];
    /// A hold of a title moves, or a request becomes one.
    HOLD_OF_TITLE = 422, "Not allowed to move from/to Hold TLR", ["requestId"];
    /// Nobody has requested the item or title whose queue is reordered.
    NO_QUEUE = 404, "{owner} record with ID \"{id}\" cannot be found";
    /// An item's queue is reordered while title-level requests are on, or a title's while they are off.
    WRONG_QUEUE = 422, "Refuse to reorder request queue, TLR feature status is {state}.", ["{member}"];
    /// The new positions are not 1, 2, 3 and so on.
    POSITIONS_WITH_GAPS = 422, "Positions must have sequential order.", ["newPosition"];
    /// The new order lists other requests than the queue.
    OTHER_REQUESTS = 422, "There is inconsistency between provided reordered queue and existing queue.";
    /// A page would leave the first position.
    PAGE_NOT_FIRST = 422, "Page requests can not be displaced from position 1.", ["newPosition"];
    /// A request for an item whose item is on its way would leave the first position.
    BEGUN_NOT_FIRST = 422, "Requests can not be displaced from position 1 when fulfillment begun.", ["newPosition"];
    /// A request for a title whose item is on its way would leave the first positions.
    BEGUN_NOT_AT_TOP = 422, "Requests can not be displaced from top positions when fulfillment begun.", ["newPosition"];
    /// A request for any item of a title lacks a member.
    MEMBER_MISSING = 422, "Request must have {what}", ["{member}"];
    /// The title has no holdings.
    NO_HOLDINGS = 422, "There are no holdings for this instance", ["holdingsRecords"];
    /// The title has no items.
    NO_ITEMS = 422, "There are no items for this instance", ["items"];
    /// The requester has an open request for an item of the title.
    ANY_ITEM_ALREADY_REQUESTED = 422, "This requester already has an open request for an item of this instance",
        ["requesterId", "itemId", "instanceId"];
    /// The circulation rules cannot be applied to one of the items that are tried.
    RULES_FAILED_FOR_ITEM = 422, "{message}";
    /// Allowed service points are requested for an instance, request or user that does not exist.
    UNKNOWN_RECORD = 422, "{what} with ID {id} was not found";
    /// Allowed service points are requested for an item that does not exist.
    UNKNOWN_ITEM = 422, "Item with id={id} cannot be found";
    /// The request that gets the returned item does not name a pickup service point.
    NO_PICKUP_SERVICE_POINT = 422,
        "Failed to check in item due to the highest priority request missing a pickup service point",
        ["pickupServicePointId"];
}
