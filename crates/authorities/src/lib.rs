//! Authorities: the names, titles and terms that a library has decided on (docs/folio/authorities.md), as mod-entities-links
//! keeps them.
//!
//! | Topic | Module |
//! |---|---|
//! | kinds of headings, and where a record has them | [`headings`] |
//! | what records have | [`collections`] |
//! | writing authorities, and their archive | [`records`] |
//! | authorities from files | [`loading`] |
//! | files that authorities come from, and their numbers | [`source_files`] |
//! | which fields of instances are linked, and how | [`linking_rules`] |
//! | links of instances, and what changed in what they depend on | [`links`] |
//! | refusals | [`refusal`] |

pub mod collections;
pub mod headings;
pub mod linking_rules;
pub mod links;
pub mod loading;
pub mod records;
pub mod refusal;
pub mod source_files;

use refusals::{Refusal, Refused, Wording};
use store::StoreError;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    #[error("{0}")]
    Refused(Refused),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Refused> for Failed {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<&'static Wording> for Failed {
    fn from(wording: &'static Wording) -> Self {
        Self::Refused(wording.into())
    }
}
