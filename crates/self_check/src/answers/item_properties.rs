//! Answers an item status update (19), in which a terminal passes on what it read from the item's tag. FOLIO has no
//! place for it, so the answer says that nothing was stored; terminals do not treat that as an error.

use super::items;
use crate::{
    transaction::{Answered, Transaction},
    words::Text,
};

/// One round trip.
pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    let found = items::read(transaction).await?;
    Err(transaction.refuse(match found {
        Some(_) => Text::PropertiesNotKept,
        None => Text::ItemUnknown,
    }))
}
