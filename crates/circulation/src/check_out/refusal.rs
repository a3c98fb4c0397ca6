//! Reasons to refuse a check-out, in FOLIO's words.

refusals::table! {
    /// A check-out.
    pub(crate) TABLE: Circulation, "docs/folio/check-out.md#checks";
    /// The loan date is not a date.
    LOAN_DATE_INVALID = 400, "loan date must be a date time (in RFC3339 format)";
    /// The body does not name a service point.
    NO_SERVICE_POINT = 422, "Check out must be performed at a service point", ["servicePointId"];
    /// The barcode of patron or proxy belongs to no user.
    USER_NOT_FOUND = 422 USER_BARCODE_NOT_FOUND, "Could not find user with matching barcode", ["{member}"];
    /// The patron is inactive, or the registration has expired.
    PATRON_INACTIVE = 422, "Cannot check out to inactive user", ["userBarcode"];
    /// The record of the patron does not say whether they are active.
    PATRON_STATUS_UNKNOWN = 422, "Cannot determine if user is active or not", ["userBarcode"];
    /// The proxy is inactive, or the registration has expired.
    PROXY_INACTIVE = 422, "Cannot check out via inactive proxying user", ["proxyUserBarcode"];
    /// The record of the proxy does not say whether they are active.
    PROXY_STATUS_UNKNOWN = 422, "Cannot determine if proxying user is active or not", ["proxyUserBarcode"];
    /// The user is not a proxy of the patron, or no longer one.
    PROXY_NOT_ALLOWED = 422, "Cannot check out item via proxy when relationship is invalid", ["proxyUserBarcode"];
    /// The barcode belongs to no item.
    ITEM_NOT_FOUND = 422, "No item with barcode {itemBarcode} could be found", ["itemBarcode"];
    /// The item has the status Checked out.
    ALREADY_CHECKED_OUT = 422, "Item is already checked out", ["itemBarcode"];
    /// The item is lost, claimed returned or an intellectual item.
    STATUS_FORBIDS = 422, "{title} ({materialType}) (Barcode: {itemBarcode}) has the item status {status} and cannot be \
        checked out", ["itemBarcode"];
    /// The item has an open loan.
    HAS_OPEN_LOAN = 422 ITEM_HAS_OPEN_LOAN, "Cannot check out item that already has an open loan", ["itemBarcode"];
    /// Another patron is first in the queue.
    REQUESTED_BY_ANOTHER = 422, "{title} (Barcode: {barcode}) cannot be checked out to user {patron} because it has been \
        requested by another patron", ["userBarcode"];
    /// The patron has reached the policy's item limit, and the rule tests group, material type and loan type.
    LIMIT_OF_GROUP_MATERIAL_LOAN = 422 ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE_LOAN_TYPE,
        "Patron has reached maximum limit of {itemLimit} items for combination of patron group, material type and loan type",
        ["itemBarcode", "itemLimit"];
    /// The patron has reached the policy's item limit, and the rule tests group and material type.
    LIMIT_OF_GROUP_MATERIAL = 422 ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE,
        "Patron has reached maximum limit of {itemLimit} items for combination of patron group and material type",
        ["itemBarcode", "itemLimit"];
    /// The patron has reached the policy's item limit, and the rule tests group and loan type.
    LIMIT_OF_GROUP_LOAN = 422 ITEM_LIMIT_PATRON_GROUP_LOAN_TYPE,
        "Patron has reached maximum limit of {itemLimit} items for combination of patron group and loan type",
        ["itemBarcode", "itemLimit"];
    /// The patron has reached the policy's item limit, and the rule tests material type and loan type.
    LIMIT_OF_MATERIAL_LOAN = 422 ITEM_LIMIT_MATERIAL_TYPE_LOAN_TYPE,
        "Patron has reached maximum limit of {itemLimit} items for combination of material type and loan type",
        ["itemBarcode", "itemLimit"];
    /// The patron has reached the policy's item limit, and the rule tests the material type.
    LIMIT_OF_MATERIAL = 422 ITEM_LIMIT_MATERIAL_TYPE,
        "Patron has reached maximum limit of {itemLimit} items for material type", ["itemBarcode", "itemLimit"];
    /// The patron has reached the policy's item limit, and the rule tests the loan type.
    LIMIT_OF_LOAN = 422 ITEM_LIMIT_LOAN_TYPE,
        "Patron has reached maximum limit of {itemLimit} items for loan type", ["itemBarcode", "itemLimit"];
    /// The loan policy does not allow loans, or the forced policy does not exist.
    NOT_LOANABLE = 422 ITEM_NOT_LOANABLE, "Item is not loanable", ["itemBarcode", "loanPolicyId", "loanPolicyName"];
    /// A block is overridden without a comment.
    OVERRIDE_WITHOUT_COMMENT = 422, "Override should be performed with the comment specified", ["comment"];
    /// A loan against the policy names no due date.
    OVERRIDE_WITHOUT_DUE_DATE = 422, "Override should be performed with due date specified", ["dueDate"];
    /// A loan against the policy ends before it begins.
    DUE_DATE_NOT_AFTER_LOAN_DATE = 422, "Due date should be later than loan date", ["dueDate"];
    /// A client has locked the patron for a check-out.
    PATRON_LOCKED = 422, "unable to acquire lock", [""];
}
