//! Reasons to refuse records of circulation, in the words of FOLIO's storage.

refusals::table! {
    /// Records of circulation: policies, loans, requests, settings.
    pub TABLE: Storage, "docs/folio/policies.md";
    /// A number is negative.
    NEGATIVE = 422, "must be greater than or equal to 0", ["{member}"];
    /// A range of a fixed due date schedule ends before it begins, or something is due before it ends.
    SCHEDULE_NOT_VALID = 422, "Unable to save fixed loan date. Date range not valid {why}", ["schedules"];
    /// The item limit is zero or less.
    LIMIT_TOO_SMALL = 422, "must be greater than or equal to 1", ["loansPolicy.itemLimit"];
    /// The item limit is greater than 9999.
    LIMIT_TOO_GREAT = 422, "must be less than or equal to 9999", ["loansPolicy.itemLimit"];
    /// A fixed loan policy has the alternate renewal period for holds that it uses.
    HOLDS_PERIOD_OF_FIXED = 422,
        "Alternate Renewal Loan Period for Holds is not allowed for policies with Fixed profile",
        ["alternateRenewalLoanPeriod"];
    /// A fixed loan policy has the renewal period that it uses.
    RENEWAL_PERIOD_OF_FIXED = 422, "Period in RenewalsPolicy is not allowed for policies with Fixed profile", ["period"];
    /// A fixed loan policy, or one that does not allow loans, has no schedule.
    NO_FIXED_SCHEDULE = 422,
        "Fixed due date cannot be null if loanable is {loanable} and profile is of type fixed", ["fixedDueDateScheduleId"];
    /// A fixed loan policy lacks the schedule for renewals of a different period, or a policy without them has one.
    ALTERNATE_SCHEDULE_NOT_VALID = 422,
        "Alternate fixed due date cannot be {alternateFixedDueDateScheduleId} if renewable is {renewable}, different period \
         is {different} and profile is {profile}", ["alternateFixedDueDateScheduleId"];
    /// The quantity of an overdue fine is negative.
    QUANTITY_NEGATIVE = 422, "Quantity must not be negative.", ["{member}"];
    /// An amount of a lost item fee policy is negative.
    AMOUNT_NEGATIVE = 422, "The value must greater than or equal to 0", ["{member}"];
    /// An option of a patron notice policy does not suit the event, its time or the frequency.
    OPTION_NOT_VALID = 422, "This option is not valid for selected {selected}", ["{member}"];
    /// A request for an item does not name it.
    REQUEST_WITHOUT_ITEM = 422, "Item ID in item level request should not be absent", ["itemId"];
    /// A request for an item does not name its holdings.
    REQUEST_WITHOUT_HOLDINGS = 422, "Holdings record ID in item level request should not be absent", ["holdingsRecordId"];
    /// A request for a title names an item without holdings, or holdings without an item.
    REQUEST_WITH_HALF_ITEM = 422, "Title level request must have both itemId and holdingsRecordId or neither", ["itemId"];
    /// An open loan names no borrower.
    OPEN_WITHOUT_BORROWER = 422, "Open loan must have a user ID", ["userId"];
    /// A date of a loan is not a date.
    DATE_UNREADABLE = 400, "{which} date must be a date time (in RFC3339 format)";
    /// A staff slip has no name or no template.
    SLIP_INCOMPLETE = 400, "{which} is a required property";
}
