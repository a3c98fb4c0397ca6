//! What FOLIO says when a loan policy or a calendar cannot determine the due date.

refusals::table! {
    /// Due dates of new, renewed and recalled loans, and days on the hold shelf.
    pub(crate) TABLE: Circulation, "docs/folio/due-dates.md";
    /// The loan policy is neither rolling nor fixed.
    PROFILE_UNKNOWN = 422, "profile \"{profile}\" in the loan policy is not recognised",
        ["loanPolicyId", "loanPolicyName"];
    /// The period lacks its duration or its interval.
    PERIOD_INCOMPLETE = 422, "the loan period in the loan policy is not recognised", ["loanPolicyId", "loanPolicyName"];
    /// The interval is unknown.
    INTERVAL_UNKNOWN = 422, "the interval \"{interval}\" in the loan policy is not recognised",
        ["loanPolicyId", "loanPolicyName"];
    /// The duration cannot be counted.
    DURATION_INVALID = 422, "the duration \"{duration}\" in the loan policy is invalid",
        ["loanPolicyId", "loanPolicyName"];
    /// No range of the schedule includes the loan date.
    OUTSIDE_RANGES = 422, "loan date falls outside of the date ranges in the loan policy",
        ["loanPolicyId", "loanPolicyName"];
    /// A period for recalls lacks its duration or its interval.
    RECALL_PERIOD_INCOMPLETE = 422, "the \"{key}\" in the loan policy is not recognized",
        ["loanPolicyId", "loanPolicyName"];
    /// The interval of a period for recalls is unknown.
    RECALL_INTERVAL_UNKNOWN = 422, "the interval \"{interval}\" in \"{key}\" is not recognized",
        ["loanPolicyId", "loanPolicyName"];
    /// The duration of a period for recalls cannot be counted.
    RECALL_DURATION_INVALID = 422, "the duration \"{duration}\" in \"{key}\" is invalid",
        ["loanPolicyId", "loanPolicyName"];
    /// At a renewal, the loan policy is neither rolling nor fixed.
    RENEWAL_PROFILE_UNKNOWN = 422 LOAN_POLICY_PROFILE_NOT_RECOGNIZED,
        "profile \"{profile}\" in the loan policy is not recognised", ["loanPolicyId", "loanPolicyName"];
    /// The policy renews neither from now nor from the current due date.
    RENEW_FROM_UNKNOWN = 422 LOAN_POLICY_RENEW_FROM_NOT_RECOGNIZED, "cannot determine when to renew from",
        ["loanPolicyId", "loanPolicyName"];
    /// At a renewal, the period lacks its duration or its interval.
    RENEWAL_PERIOD_INCOMPLETE = 422 LOAN_POLICY_RENEWAL_PERIOD_NOT_RECOGNIZED,
        "the loan period in the loan policy is not recognised", ["loanPolicyId", "loanPolicyName"];
    /// At a renewal, the interval is unknown.
    RENEWAL_INTERVAL_UNKNOWN = 422 LOAN_POLICY_RENEWAL_PERIOD_INTERVAL_NOT_RECOGNIZED,
        "the interval \"{interval}\" in the loan policy is not recognised", ["loanPolicyId", "loanPolicyName"];
    /// At a renewal, the duration cannot be counted.
    RENEWAL_DURATION_INVALID = 422 LOAN_POLICY_RENEWAL_PERIOD_DURATION_INVALID,
        "the duration \"{duration}\" in the loan policy is invalid", ["loanPolicyId", "loanPolicyName"];
    /// No range of the schedule that caps a rolling loan includes the date.
    RENEWAL_OUTSIDE_RANGES = 422 RENEWAL_DATE_OUTSIDE_LOAN_POLICY_DATE_RANGES,
        "renewal date falls outside of date ranges in the loan policy", ["loanPolicyId", "loanPolicyName"];
    /// No range of the schedule of a fixed loan includes the date.
    RENEWAL_OUTSIDE_FIXED_RANGES = 422 RENEWAL_DATE_OUTSIDE_FIXED_LOAN_POLICY_DATE_RANGES,
        "renewal date falls outside of date ranges in fixed loan policy", ["loanPolicyId", "loanPolicyName"];
}
