//! Reasons to refuse to change, move, reorder or fill requests, in FOLIO's words.

refusals::table! {
    /// A request that exists, a queue, or a request for any item of a title.
    pub TABLE: Circulation, "docs/folio/requests.md#changing-a-request";
    NO_SUCH_REQUEST: "The request does not exist." => 404 "requests record with ID \"{id}\" cannot be found";
    ALREADY_CLOSED: "The request is closed." => 422 REQUEST_ALREADY_CLOSED "The Request has already been closed" [id];
    COMMENTS_CHANGED: "The patron's comments differ from those of the request."
        => 422 "Patron comments are not allowed to change" [existingPatronComments];
    OTHER_TITLE: "The request moves to an item of another title."
        => 422 "Request can only be moved to an item with the same instance ID" [itemId, instanceId];
    TITLES_DISABLED: "A request for a title moves while title-level requests are off."
        => 422 "Can not process TLR - TLR feature is disabled" [requestId];
    HOLD_OF_TITLE: "A hold of a title moves, or a request becomes one."
        => 422 "Not allowed to move from/to Hold TLR" [requestId];
    NO_QUEUE: "Nobody has requested the item or title whose queue is reordered."
        => 404 "{owner} record with ID \"{id}\" cannot be found";
    WRONG_QUEUE: "An item's queue is reordered while title-level requests are on, or a title's while they are off."
        => 422 "Refuse to reorder request queue, TLR feature status is {state}." ["{member}"];
    POSITIONS_WITH_GAPS: "The new positions are not 1, 2, 3 and so on."
        => 422 "Positions must have sequential order." [newPosition];
    OTHER_REQUESTS: "The new order lists other requests than the queue."
        => 422 "There is inconsistency between provided reordered queue and existing queue.";
    PAGE_NOT_FIRST: "A page would leave the first position."
        => 422 "Page requests can not be displaced from position 1." [newPosition];
    BEGUN_NOT_FIRST: "A request for an item whose item is on its way would leave the first position."
        => 422 "Requests can not be displaced from position 1 when fulfillment begun." [newPosition];
    BEGUN_NOT_AT_TOP: "A request for a title whose item is on its way would leave the first positions."
        => 422 "Requests can not be displaced from top positions when fulfillment begun." [newPosition];
    MEMBER_MISSING: "A request for any item of a title lacks a member." => 422 "Request must have {what}" ["{member}"];
    NO_HOLDINGS: "The title has no holdings." => 422 "There are no holdings for this instance" [holdingsRecords];
    NO_ITEMS: "The title has no items." => 422 "There are no items for this instance" [items];
    ANY_ITEM_ALREADY_REQUESTED: "The requester has an open request for an item of the title."
        => 422 "This requester already has an open request for an item of this instance"
           [requesterId, itemId, instanceId];
    RULES_FAILED_FOR_ITEM: "The circulation rules cannot be applied to one of the items that are tried."
        => 422 "{message}";
    UNKNOWN_RECORD: "Allowed service points are requested for an instance, request or user that does not exist."
        => 422 "{what} with ID {id} was not found";
    UNKNOWN_ITEM: "Allowed service points are requested for an item that does not exist."
        => 422 "Item with id={id} cannot be found";
    NO_PICKUP_SERVICE_POINT: "The request that gets the returned item does not name a pickup service point."
        => 422 "Failed to check in item due to the highest priority request missing a pickup service point"
           [pickupServicePointId];
}
