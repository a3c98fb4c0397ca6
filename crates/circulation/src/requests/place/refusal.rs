//! Reasons to refuse a request, in FOLIO's words.

refusals::table! {
    /// A request that is placed, changed or moved.
    pub(crate) TABLE: Circulation, "docs/folio/requests.md#placing-a-request";
    STATUS_UNKNOWN: "The status is not one of FOLIO's." => 400 "Request status must be one of the following: {statuses}";
    LEVEL_NOT_ALLOWED: "The request is neither for an item nor for a title, or for a title while title-level requests \
        are off."
        => 422 REQUEST_LEVEL_IS_NOT_ALLOWED "Request level must be one of the following: {allowed}" [requestLevel];
    FULFILMENT_NOT_ALLOWED: "The request is neither for the hold shelf nor for delivery."
        => 422 FULFILLMENT_PREFERENCE_IS_NOT_ALLOWED
           "Fulfillment preference must be one of the following: Hold Shelf, Delivery" [fulfillmentPreference];
    NO_INSTANCE_ID: "The request does not name a title."
        => 422 "Cannot create a request with no instance ID" [instanceId];
    NO_ITEM_ID: "A request for an item does not name it."
        => 422 "Cannot create an item level request with no item ID" [itemId];
    NO_HOLDINGS_RECORD_ID: "The request names an item without its holdings."
        => 422 "Cannot create a request with item ID but no holdings record ID" [holdingsRecordId];
    TITLE_WITH_ITEM: "A new request for a title names an item or holdings."
        => 422 CANNOT_CREATE_PAGE_TLR_WITHOUT_ITEM_ID
           "Cannot create a title level page request for this instance ID with no item ID" [itemId, holdingsRecordId];
    NO_REQUEST_DATE: "The request has no date." => 422 "Cannot create a request with no requestDate" [requestDate];
    NO_SUCH_INSTANCE: "The title does not exist." => 422 "Instance does not exist" [instanceId];
    NO_SUCH_ITEM: "The item does not exist." => 422 "Item does not exist" [itemId];
    NOTHING_TO_PAGE: "No copy of the title is available and can be paged."
        => 422 "Cannot create page TLR for this instance ID - no pageable available items found" [instanceId];
    NOTHING_TO_PAGE_THERE: "No available copy of the title is at the location that the client names."
        => 422 "Cannot create page TLR for this instance ID - no pageable available items found in requested location"
           [itemLocationCode];
    NOTHING_TO_RECALL: "No copy of the title can be recalled." => 422 "Request has no loan or recallable item" [loan];
    NO_PICKUP_SERVICE_POINT: "A request for the hold shelf does not name a pickup service point."
        => 422 HOLD_SHELF_REQUESTS_REQUIRE_PICKUP_SERVICE_POINT
           "Hold shelf fulfillment requests require a Pickup service point" [id];
    NO_SUCH_SERVICE_POINT: "The pickup service point does not exist."
        => 422 "Pickup service point does not exist" [pickupServicePointId];
    NOT_A_PICKUP_LOCATION: "The service point is not a pickup location."
        => 422 SERVICE_POINT_IS_NOT_PICKUP_LOCATION "Service point is not a pickup location" [pickupServicePointId];
    NO_SUCH_REQUESTER: "The requester does not exist."
        => 422 "A valid user and patron group are required. User is null" [userId];
    REQUESTER_WITHOUT_GROUP: "The requester has no patron group."
        => 422 "A valid patron group is required. PatronGroup ID is null" [PatronGroupId];
    REQUESTER_INACTIVE: "The requester is inactive, or the registration has expired."
        => 422 "Inactive users cannot make requests" [requesterId, itemId];
    ITEM_ALREADY_REQUESTED: "The requester has an open request for the item."
        => 422 ITEM_ALREADY_REQUESTED "This requester already has an open request for this item"
           [requesterId, itemId, requestId];
    TITLE_ALREADY_REQUESTED: "The requester has an open request for the title."
        => 422 INSTANCE_ALREADY_REQUESTED "This requester already has an open request for this instance"
           [requesterId, instanceId];
    COPY_ALREADY_REQUESTED: "The requester has an open request for a copy of the title."
        => 422 ITEM_OF_THIS_INSTANCE_ALREADY_REQUESTED
           "This requester already has an open request for one of the instance's items" [requesterId, instanceId];
    MOVED_TO_SAME_ITEM: "A request for a title is moved to the item that it already has."
        => 422 MOVING_REQUEST_TO_THE_SAME_ITEM "Not allowed to move title level page request to the same item"
           [requesterId, instanceId];
    KIND_NOT_ALLOWED: "The item's status or the request policy does not allow this type, or FOLIO does not know the \
        type."
        => 422 REQUEST_NOT_ALLOWED_FOR_PATRON_ITEM_COMBINATION
           "{requestType} requests are not allowed for this patron and item combination" [requestType];
    ITEM_ON_LOAN: "The requester has borrowed the item."
        => 422 REQUESTER_ALREADY_HAS_THIS_ITEM_ON_LOAN "This requester already has this item on loan"
           [itemId, userId, loanId];
    COPY_ON_LOAN: "The requester has borrowed a copy of the title."
        => 422 REQUESTER_ALREADY_HAS_LOAN_FOR_ONE_OF_INSTANCES_ITEMS
           "This requester already has a loan for one of the instance's items" [itemId, userId];
    SERVICE_POINT_NOT_ALLOWED: "The request policy does not list the pickup service point for this type."
        => 422 REQUEST_PICKUP_SERVICE_POINT_IS_NOT_ALLOWED "One or more Pickup locations are no longer available"
           [pickupServicePointId, requestType, requestPolicyId];
    TITLE_HOLD_NOT_ALLOWED: "The request policies allow no hold for any copy of the title."
        => 422 REQUEST_NOT_ALLOWED_FOR_PATRON_TITLE_COMBINATION
           "Hold requests are not allowed for this patron and title combination" [requesterId, instanceId];
    PAGEABLE_ITEM_FOUND: "A hold or recall of a title of which a copy is available."
        => 422 HOLD_AND_RECALL_TLR_NOT_ALLOWED_PAGEABLE_AVAILABLE_ITEM_FOUND
           "Hold/Recall title level request not allowed: pageable available item found for instance"
           [itemId, instanceId];
}
