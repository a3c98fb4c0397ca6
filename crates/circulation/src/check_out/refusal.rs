//! Reasons to refuse a check-out, in FOLIO's words.

refusals::table! {
    /// A check-out.
    pub(crate) TABLE: Circulation, "docs/folio/check-out.md#checks";
    LOAN_DATE_INVALID: "The loan date is not a date." => 400 "loan date must be a date time (in RFC3339 format)";
    NO_SERVICE_POINT: "The body does not name a service point."
        => 422 "Check out must be performed at a service point" [servicePointId];
    USER_NOT_FOUND: "The barcode of patron or proxy belongs to no user."
        => 422 USER_BARCODE_NOT_FOUND "Could not find user with matching barcode" ["{member}"];
    PATRON_INACTIVE: "The patron is inactive, or the registration has expired."
        => 422 "Cannot check out to inactive user" [userBarcode];
    PATRON_STATUS_UNKNOWN: "The record of the patron does not say whether they are active."
        => 422 "Cannot determine if user is active or not" [userBarcode];
    PROXY_INACTIVE: "The proxy is inactive, or the registration has expired."
        => 422 "Cannot check out via inactive proxying user" [proxyUserBarcode];
    PROXY_STATUS_UNKNOWN: "The record of the proxy does not say whether they are active."
        => 422 "Cannot determine if proxying user is active or not" [proxyUserBarcode];
    PROXY_NOT_ALLOWED: "The user is not a proxy of the patron, or no longer one."
        => 422 "Cannot check out item via proxy when relationship is invalid" [proxyUserBarcode];
    ITEM_NOT_FOUND: "The barcode belongs to no item."
        => 422 "No item with barcode {itemBarcode} could be found" [itemBarcode];
    ALREADY_CHECKED_OUT: "The item has the status Checked out." => 422 "Item is already checked out" [itemBarcode];
    STATUS_FORBIDS: "The item is lost, claimed returned or an intellectual item."
        => 422 "{title} ({materialType}) (Barcode: {itemBarcode}) has the item status {status} and cannot be checked \
            out" [itemBarcode];
    HAS_OPEN_LOAN: "The item has an open loan."
        => 422 ITEM_HAS_OPEN_LOAN "Cannot check out item that already has an open loan" [itemBarcode];
    REQUESTED_BY_ANOTHER: "Another patron is first in the queue."
        => 422 "{title} (Barcode: {barcode}) cannot be checked out to user {patron} because it has been requested by \
            another patron" [userBarcode];
    LIMIT_OF_GROUP_MATERIAL_LOAN: "The patron has reached the policy's item limit, and the rule tests group, material \
        type and loan type."
        => 422 ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE_LOAN_TYPE
           "Patron has reached maximum limit of {itemLimit} items for combination of patron group, material type and \
            loan type" [itemBarcode, itemLimit];
    LIMIT_OF_GROUP_MATERIAL: "The patron has reached the policy's item limit, and the rule tests group and material \
        type."
        => 422 ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE
           "Patron has reached maximum limit of {itemLimit} items for combination of patron group and material type"
           [itemBarcode, itemLimit];
    LIMIT_OF_GROUP_LOAN: "The patron has reached the policy's item limit, and the rule tests group and loan type."
        => 422 ITEM_LIMIT_PATRON_GROUP_LOAN_TYPE
           "Patron has reached maximum limit of {itemLimit} items for combination of patron group and loan type"
           [itemBarcode, itemLimit];
    LIMIT_OF_MATERIAL_LOAN: "The patron has reached the policy's item limit, and the rule tests material type and loan \
        type."
        => 422 ITEM_LIMIT_MATERIAL_TYPE_LOAN_TYPE
           "Patron has reached maximum limit of {itemLimit} items for combination of material type and loan type"
           [itemBarcode, itemLimit];
    LIMIT_OF_MATERIAL: "The patron has reached the policy's item limit, and the rule tests the material type."
        => 422 ITEM_LIMIT_MATERIAL_TYPE "Patron has reached maximum limit of {itemLimit} items for material type"
           [itemBarcode, itemLimit];
    LIMIT_OF_LOAN: "The patron has reached the policy's item limit, and the rule tests the loan type."
        => 422 ITEM_LIMIT_LOAN_TYPE "Patron has reached maximum limit of {itemLimit} items for loan type"
           [itemBarcode, itemLimit];
    NOT_LOANABLE: "The loan policy does not allow loans, or the forced policy does not exist."
        => 422 ITEM_NOT_LOANABLE "Item is not loanable" [itemBarcode, loanPolicyId, loanPolicyName];
    OVERRIDE_WITHOUT_COMMENT: "A block is overridden without a comment."
        => 422 "Override should be performed with the comment specified" [comment];
    OVERRIDE_WITHOUT_DUE_DATE: "A loan against the policy names no due date."
        => 422 "Override should be performed with due date specified" [dueDate];
    DUE_DATE_NOT_AFTER_LOAN_DATE: "A loan against the policy ends before it begins."
        => 422 "Due date should be later than loan date" [dueDate];
    PATRON_LOCKED: "A client has locked the patron for a check-out." => 422 "unable to acquire lock" [""];
}
