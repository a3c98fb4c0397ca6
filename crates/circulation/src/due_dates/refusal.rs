//! What FOLIO says when a loan policy or a calendar cannot determine the due date.

refusals::table! {
    /// Due dates of new, renewed and recalled loans, and days on the hold shelf.
    pub(crate) TABLE: Circulation, "docs/folio/due-dates.md";
    PROFILE_UNKNOWN: "The loan policy is neither rolling nor fixed."
        => 422 "profile \"{profile}\" in the loan policy is not recognised" [loanPolicyId, loanPolicyName];
    PERIOD_INCOMPLETE: "The period lacks its duration or its interval."
        => 422 "the loan period in the loan policy is not recognised" [loanPolicyId, loanPolicyName];
    INTERVAL_UNKNOWN: "The interval is unknown."
        => 422 "the interval \"{interval}\" in the loan policy is not recognised" [loanPolicyId, loanPolicyName];
    DURATION_INVALID: "The duration cannot be counted."
        => 422 "the duration \"{duration}\" in the loan policy is invalid" [loanPolicyId, loanPolicyName];
    OUTSIDE_RANGES: "No range of the schedule includes the loan date."
        => 422 "loan date falls outside of the date ranges in the loan policy" [loanPolicyId, loanPolicyName];
    RECALL_PERIOD_INCOMPLETE: "A period for recalls lacks its duration or its interval."
        => 422 "the \"{key}\" in the loan policy is not recognized" [loanPolicyId, loanPolicyName];
    RECALL_INTERVAL_UNKNOWN: "The interval of a period for recalls is unknown."
        => 422 "the interval \"{interval}\" in \"{key}\" is not recognized" [loanPolicyId, loanPolicyName];
    RECALL_DURATION_INVALID: "The duration of a period for recalls cannot be counted."
        => 422 "the duration \"{duration}\" in \"{key}\" is invalid" [loanPolicyId, loanPolicyName];
    RENEWAL_PROFILE_UNKNOWN: "At a renewal, the loan policy is neither rolling nor fixed."
        => 422 LOAN_POLICY_PROFILE_NOT_RECOGNIZED "profile \"{profile}\" in the loan policy is not recognised"
           [loanPolicyId, loanPolicyName];
    RENEW_FROM_UNKNOWN: "The policy renews neither from now nor from the current due date."
        => 422 LOAN_POLICY_RENEW_FROM_NOT_RECOGNIZED "cannot determine when to renew from"
           [loanPolicyId, loanPolicyName];
    RENEWAL_PERIOD_INCOMPLETE: "At a renewal, the period lacks its duration or its interval."
        => 422 LOAN_POLICY_RENEWAL_PERIOD_NOT_RECOGNIZED "the loan period in the loan policy is not recognised"
           [loanPolicyId, loanPolicyName];
    RENEWAL_INTERVAL_UNKNOWN: "At a renewal, the interval is unknown."
        => 422 LOAN_POLICY_RENEWAL_PERIOD_INTERVAL_NOT_RECOGNIZED
           "the interval \"{interval}\" in the loan policy is not recognised" [loanPolicyId, loanPolicyName];
    RENEWAL_DURATION_INVALID: "At a renewal, the duration cannot be counted."
        => 422 LOAN_POLICY_RENEWAL_PERIOD_DURATION_INVALID "the duration \"{duration}\" in the loan policy is invalid"
           [loanPolicyId, loanPolicyName];
    RENEWAL_OUTSIDE_RANGES: "No range of the schedule that caps a rolling loan includes the date."
        => 422 RENEWAL_DATE_OUTSIDE_LOAN_POLICY_DATE_RANGES
           "renewal date falls outside of date ranges in the loan policy" [loanPolicyId, loanPolicyName];
    RENEWAL_OUTSIDE_FIXED_RANGES: "No range of the schedule of a fixed loan includes the date."
        => 422 RENEWAL_DATE_OUTSIDE_FIXED_LOAN_POLICY_DATE_RANGES
           "renewal date falls outside of date ranges in fixed loan policy" [loanPolicyId, loanPolicyName];
}
