//! A terminal tells the properties of an item (19): what it has read from the tag, for the library system to keep. FOLIO has
//! no place for them, so the answer is always that they were not stored, which no terminal takes for a failure of its own.

use super::items;
use crate::{
    transaction::{Answered, Transaction},
    words::Text,
};

/// Says that nothing was stored, or that there is no such item. One round trip.
pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    let found = items::read(transaction).await?;
    Err(transaction.refuse(match found {
        Some(_) => Text::PropertiesNotKept,
        None => Text::ItemUnknown,
    }))
}
