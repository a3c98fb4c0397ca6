//! Reasons to refuse a request, in FOLIO's words.

refusals::table! {
    /// A request that is placed, changed or moved.
    pub(crate) TABLE: Circulation, "docs/folio/requests.md#placing-a-request";
    /// The status is not one of FOLIO's.
    STATUS_UNKNOWN = 400, "Request status must be one of the following: {statuses}";
    /// The request is neither for an item nor for a title, or for a title while title-level requests are off.
    LEVEL_NOT_ALLOWED = 422 REQUEST_LEVEL_IS_NOT_ALLOWED, "Request level must be one of the following: {allowed}",
        ["requestLevel"];
    /// The request is neither for the hold shelf nor for delivery.
    FULFILMENT_NOT_ALLOWED = 422 FULFILLMENT_PREFERENCE_IS_NOT_ALLOWED,
        "Fulfillment preference must be one of the following: Hold Shelf, Delivery", ["fulfillmentPreference"];
    /// The request does not name a title.
    NO_INSTANCE_ID = 422, "Cannot create a request with no instance ID", ["instanceId"];
    /// A request for an item does not name it.
    NO_ITEM_ID = 422, "Cannot create an item level request with no item ID", ["itemId"];
    /// The request names an item without its holdings.
    NO_HOLDINGS_RECORD_ID = 422, "Cannot create a request with item ID but no holdings record ID", ["holdingsRecordId"];
    /// A new request for a title names an item or holdings.
    TITLE_WITH_ITEM = 422 CANNOT_CREATE_PAGE_TLR_WITHOUT_ITEM_ID,
        "Cannot create a title level page request for this instance ID with no item ID", ["itemId", "holdingsRecordId"];
    /// The request has no date.
    NO_REQUEST_DATE = 422, "Cannot create a request with no requestDate", ["requestDate"];
    /// The title does not exist.
    NO_SUCH_INSTANCE = 422, "Instance does not exist", ["instanceId"];
    /// The item does not exist.
    NO_SUCH_ITEM = 422, "Item does not exist", ["itemId"];
    /// No copy of the title is available and can be paged.
    NOTHING_TO_PAGE = 422, "Cannot create page TLR for this instance ID - no pageable available items found", ["instanceId"];
    /// No available copy of the title is at the location that the client names.
    NOTHING_TO_PAGE_THERE = 422,
        "Cannot create page TLR for this instance ID - no pageable available items found in requested location",
        ["itemLocationCode"];
    /// No copy of the title can be recalled.
    NOTHING_TO_RECALL = 422, "Request has no loan or recallable item", ["loan"];
    /// A request for the hold shelf does not name a pickup service point.
    NO_PICKUP_SERVICE_POINT = 422 HOLD_SHELF_REQUESTS_REQUIRE_PICKUP_SERVICE_POINT,
        "Hold shelf fulfillment requests require a Pickup service point", ["id"];
    /// The pickup service point does not exist.
    NO_SUCH_SERVICE_POINT = 422, "Pickup service point does not exist", ["pickupServicePointId"];
    /// The service point is not a pickup location.
    NOT_A_PICKUP_LOCATION = 422 SERVICE_POINT_IS_NOT_PICKUP_LOCATION, "Service point is not a pickup location",
        ["pickupServicePointId"];
    /// The requester does not exist.
    NO_SUCH_REQUESTER = 422, "A valid user and patron group are required. User is null", ["userId"];
    /// The requester has no patron group.
    REQUESTER_WITHOUT_GROUP = 422, "A valid patron group is required. PatronGroup ID is null", ["PatronGroupId"];
    /// The requester is inactive, or the registration has expired.
    REQUESTER_INACTIVE = 422, "Inactive users cannot make requests", ["requesterId", "itemId"];
    /// The requester has an open request for the item.
    ITEM_ALREADY_REQUESTED = 422 ITEM_ALREADY_REQUESTED, "This requester already has an open request for this item",
        ["requesterId", "itemId", "requestId"];
    /// The requester has an open request for the title.
    TITLE_ALREADY_REQUESTED = 422 INSTANCE_ALREADY_REQUESTED,
        "This requester already has an open request for this instance", ["requesterId", "instanceId"];
    /// The requester has an open request for a copy of the title.
    COPY_ALREADY_REQUESTED = 422 ITEM_OF_THIS_INSTANCE_ALREADY_REQUESTED,
        "This requester already has an open request for one of the instance's items", ["requesterId", "instanceId"];
    /// A request for a title is moved to the item that it already has.
    MOVED_TO_SAME_ITEM = 422 MOVING_REQUEST_TO_THE_SAME_ITEM,
        "Not allowed to move title level page request to the same item", ["requesterId", "instanceId"];
    /// The item's status or the request policy does not allow this type, or FOLIO does not know the type.
    KIND_NOT_ALLOWED = 422 REQUEST_NOT_ALLOWED_FOR_PATRON_ITEM_COMBINATION,
        "{requestType} requests are not allowed for this patron and item combination", ["requestType"];
    /// The requester has borrowed the item.
    ITEM_ON_LOAN = 422 REQUESTER_ALREADY_HAS_THIS_ITEM_ON_LOAN, "This requester already has this item on loan",
        ["itemId", "userId", "loanId"];
    /// The requester has borrowed a copy of the title.
    COPY_ON_LOAN = 422 REQUESTER_ALREADY_HAS_LOAN_FOR_ONE_OF_INSTANCES_ITEMS,
        "This requester already has a loan for one of the instance's items", ["itemId", "userId"];
    /// The request policy does not list the pickup service point for this type.
    SERVICE_POINT_NOT_ALLOWED = 422 REQUEST_PICKUP_SERVICE_POINT_IS_NOT_ALLOWED,
        "One or more Pickup locations are no longer available", ["pickupServicePointId", "requestType", "requestPolicyId"];
    /// The request policies allow no hold for any copy of the title.
    TITLE_HOLD_NOT_ALLOWED = 422 REQUEST_NOT_ALLOWED_FOR_PATRON_TITLE_COMBINATION,
        "Hold requests are not allowed for this patron and title combination", ["requesterId", "instanceId"];
    /// A hold or recall of a title of which a copy is available.
    PAGEABLE_ITEM_FOUND = 422 HOLD_AND_RECALL_TLR_NOT_ALLOWED_PAGEABLE_AVAILABLE_ITEM_FOUND,
        "Hold/Recall title level request not allowed: pageable available item found for instance", ["itemId", "instanceId"];
}
