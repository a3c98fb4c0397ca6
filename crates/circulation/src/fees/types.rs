//! The fee/fine types that FOLIO charges automatically (docs/folio/fees-fines.md#feefine-types).

use uuid::{Uuid, uuid};

/// For late returns.
pub(crate) const OVERDUE_FINE: Uuid = uuid!("9523cb96-e752-40c2-89da-60f3961a488d");
/// For replacing an item.
pub(crate) const REPLACEMENT_PROCESSING_FEE: Uuid = uuid!("d20df2fb-45fd-4184-b238-0d25747ffdd9");
/// For a lost item at its set cost.
pub(crate) const LOST_ITEM_FEE: Uuid = uuid!("cf238f9f-7018-47b7-b815-bb2db798e19f");
/// For processing a lost item.
pub(crate) const LOST_ITEM_PROCESSING_FEE: Uuid = uuid!("c7dede15-aa48-45ed-860b-f996540180e0");
/// For a lost item at its actual cost.
pub(crate) const LOST_ITEM_ACTUAL_COST: Uuid = uuid!("73785370-d3bd-4d92-942d-ae2268e02ded");
/// For reminders.
pub(crate) const REMINDER_FEE: Uuid = uuid!("6b830703-f828-4e38-a0bb-ee81deacbd03");

/// Whether this is an automatic type, which clients cannot change.
pub fn is_automatic(id: Uuid) -> bool {
    [
        OVERDUE_FINE,
        REPLACEMENT_PROCESSING_FEE,
        LOST_ITEM_FEE,
        LOST_ITEM_PROCESSING_FEE,
        LOST_ITEM_ACTUAL_COST,
        REMINDER_FEE,
    ]
    .contains(&id)
}
