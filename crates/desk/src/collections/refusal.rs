//! Reasons to refuse records of circulation, in the words of FOLIO's storage.

refusals::table! {
    /// Records of circulation: policies, loans, requests, settings.
    pub TABLE: Storage, "docs/folio/policies.md";
    NEGATIVE: "A number is negative." => 422 "must be greater than or equal to 0" ["{member}"];
    SCHEDULE_NOT_VALID: "A range of a fixed due date schedule ends before it begins, or something is due before it \
        ends."
        => 422 "Unable to save fixed loan date. Date range not valid {why}" [schedules];
    LIMIT_TOO_SMALL: "The item limit is zero or less."
        => 422 "must be greater than or equal to 1" ["loansPolicy.itemLimit"];
    LIMIT_TOO_GREAT: "The item limit is greater than 9999."
        => 422 "must be less than or equal to 9999" ["loansPolicy.itemLimit"];
    HOLDS_PERIOD_OF_FIXED: "A fixed loan policy has the alternate renewal period for holds that it uses."
        => 422 "Alternate Renewal Loan Period for Holds is not allowed for policies with Fixed profile"
           [alternateRenewalLoanPeriod];
    RENEWAL_PERIOD_OF_FIXED: "A fixed loan policy has the renewal period that it uses."
        => 422 "Period in RenewalsPolicy is not allowed for policies with Fixed profile" [period];
    NO_FIXED_SCHEDULE: "A fixed loan policy, or one that does not allow loans, has no schedule."
        => 422 "Fixed due date cannot be null if loanable is {loanable} and profile is of type fixed"
           [fixedDueDateScheduleId];
    ALTERNATE_SCHEDULE_NOT_VALID: "A fixed loan policy lacks the schedule for renewals of a different period, or a policy without them has one."
        => 422 "Alternate fixed due date cannot be {alternateFixedDueDateScheduleId} if renewable is {renewable}, \
            different period is {different} and profile is {profile}" [alternateFixedDueDateScheduleId];
    QUANTITY_NEGATIVE: "The quantity of an overdue fine is negative."
        => 422 "Quantity must not be negative." ["{member}"];
    AMOUNT_NEGATIVE: "An amount of a lost item fee policy is negative."
        => 422 "The value must greater than or equal to 0" ["{member}"];
    INTERVAL_TOO_SHORT: "An interval of a notice is zero or less."
        => 422 "must be greater than or equal to 1" ["{member}"];
    INTERVAL_TOO_LONG: "An interval of a notice is greater than 100."
        => 422 "must be less than or equal to 100" ["{member}"];
    OPTION_NOT_VALID: "An option of a patron notice policy does not suit the event, its time or the frequency."
        => 422 "This option is not valid for selected {selected}" ["{member}"];
    REQUEST_WITHOUT_ITEM: "A request for an item does not name it."
        => 422 "Item ID in item level request should not be absent" [itemId];
    REQUEST_WITHOUT_HOLDINGS: "A request for an item does not name its holdings."
        => 422 "Holdings record ID in item level request should not be absent" [holdingsRecordId];
    REQUEST_WITH_HALF_ITEM: "A request for a title names an item without holdings, or holdings without an item."
        => 422 "Title level request must have both itemId and holdingsRecordId or neither" [itemId];
    OPEN_WITHOUT_BORROWER: "An open loan names no borrower." => 422 "Open loan must have a user ID" [userId];
    DATE_UNREADABLE: "A date of a loan is not a date." => 400 "{which} date must be a date time (in RFC3339 format)";
    SLIP_INCOMPLETE: "A staff slip has no name or no template." => 400 "{which} is a required property";
    PREFERENCES_EXIST: "The user has request preferences already."
        => 422 "Request preference for specified user already exists" [userId];
    PLACE_TAKEN: "Another request has the place in the queue."
        => 422 "Cannot have more than one request with the same position in the queue" [itemId];
    ITEM_ON_LOAN: "The item has another open loan." => 422 "Cannot have more than one open loan for the same item" [itemId];
    ITEM_OF_LOAN_UNKNOWN: "The item of an open loan does not exist."
        => 422 "Open loan must have an existing item" [itemId];
    BORROWER_UNKNOWN: "The borrower of an open loan does not exist."
        => 422 "Open loan must have an existing user" [userId];
}

refusals::table! {
    /// Policies and requests, where errors have codes.
    pub CODED: Inventory, "docs/folio/policies.md";
    NOTICE_POLICY_NAME_TAKEN: "Another patron notice policy has the name."
        => 422 ["duplicate.name"] "'{value}' name in not unique";
    OVERDUE_FINE_POLICY_NAME_TAKEN: "Another overdue fine policy has the name."
        => 422 ["feesfines.policy.overdue.duplicate"]
           "The Overdue fine policy name entered already exists. Please enter a different name.";
    LOST_ITEM_FEE_POLICY_NAME_TAKEN: "Another lost item fee policy has the name."
        => 422 ["feesfines.policy.lost.duplicate"]
           "The Lost item fee policy name entered already exists. Please enter a different name.";
    PICKUP_LOCATION_GONE: "A service point that a request policy allows is no pickup location."
        => 422 INVALID_ALLOWED_SERVICE_POINT "One or more Pickup locations are no longer available";
    CANCELLATION_REASON_UNKNOWN: "The cancellation reason of a request does not exist."
        => 422 INVALID_CANCELLATION_REASON "Cancellation reason does not exist";
}
