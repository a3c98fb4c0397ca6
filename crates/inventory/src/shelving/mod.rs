//! Shelving order: the key that sorts items as they are on the shelf (docs/folio/shelving-order.md).
//!
//! Each classification scheme has its own key; [`sortable`] has the parts they share.

mod dewey;
mod library_of_congress;
mod sortable;
mod sudoc;

use crate::call_number::{CallNumber, not_blank};

/// The call number type of the Library of Congress classification.
pub const LIBRARY_OF_CONGRESS: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
/// The call number type of the National Library of Medicine classification.
pub(crate) const NATIONAL_LIBRARY_OF_MEDICINE: &str = "054d460d-d6b9-4469-9e37-7a78a2266655";
/// The call number type of the Dewey decimal classification.
pub const DEWEY: &str = "03dd64d0-5626-4ecd-8ece-4531e0069f35";
/// The call number type of the Superintendent of Documents classification.
pub(crate) const SUPERINTENDENT_OF_DOCUMENTS: &str = "fc388041-6cd0-4806-8a74-ebe3b9ab4c6e";

/// The members of an item that sort copies with the same call number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Piece<'a> {
    pub volume: Option<&'a str>,
    pub enumeration: Option<&'a str>,
    pub chronology: Option<&'a str>,
    pub copy_number: Option<&'a str>,
}

/// The shelving order of an item with this effective call number; `None` without a number.
pub(crate) fn shelving_order(call_number: CallNumber<'_>, piece: Piece<'_>) -> Option<String> {
    let number = not_blank(call_number.call_number)?;
    let parts = [Some(number), piece.volume, piece.enumeration, piece.chronology, piece.copy_number];
    let parts: Vec<&str> = parts.into_iter().filter_map(not_blank).map(str::trim).collect();
    let mut order = shelf_key(call_number.type_id, &parts.join(" "));
    if let Some(suffix) = not_blank(call_number.suffix) {
        order.push(' ');
        order.push_str(suffix.trim());
    }
    Some(order)
}

fn shelf_key(type_id: Option<&str>, text: &str) -> String {
    let scheme = match type_id {
        Some(LIBRARY_OF_CONGRESS | NATIONAL_LIBRARY_OF_MEDICINE) => Scheme::LibraryOfCongress,
        Some(DEWEY) => Scheme::Dewey,
        Some(SUPERINTENDENT_OF_DOCUMENTS) => Scheme::Documents,
        _ => return text.to_owned(),
    };
    shelving_key(scheme, text)
}

/// A scheme that numbers are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Also that of the National Library of Medicine.
    LibraryOfCongress,
    Dewey,
    /// Of the Superintendent of Documents.
    Documents,
}

/// The key of a number in a scheme, whatever the number is.
pub fn shelving_key(scheme: Scheme, number: &str) -> String {
    let key = match scheme {
        Scheme::LibraryOfCongress => library_of_congress::key(number),
        Scheme::Dewey => dewey::key(number),
        Scheme::Documents => sudoc::key(number),
    };
    key.trim().to_owned()
}

#[cfg(test)]
mod tests;
