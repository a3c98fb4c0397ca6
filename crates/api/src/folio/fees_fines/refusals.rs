//! Refusals of fee/fine types, bills and reports, in FOLIO's words. Those of actions are in `circulation::fees`.

refusals::table! {
    /// Fee/fine types, actual costs, reports.
    pub TABLE: Storage, "docs/folio/fees-fines.md";
    AMOUNT_NEGATIVE: "The amount of an actual cost is negative."
        => 422 ["jakarta.validation.constraints.DecimalMin.message"] "must be greater than or equal to 0" [amount];
}

refusals::table! {
    /// Fee/fine types that the desk itself charges by.
    pub TYPES: Inventory, "docs/folio/fees-fines.md#feefine-types";
    AUTOMATIC_TYPE: "An automatic type is changed or deleted." => 422 "Attempt to change an automatic fee/fine type";
}

refusals::table! {
    /// Reports about fees.
    pub REPORTS: Text, "docs/folio/fees-fines.md#reports";
    NO_START: "A report has an end but no start." => 422 "Start date should not be empty when end date is specified";
    DATES_INVALID: "A date of a report is not a date." => 422 "Invalid startDate or endDate parameter";
}
