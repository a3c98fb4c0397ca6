//! What a CQL index refers to: a member of the record, a computed field, or an id column.

use crate::collection::{Collection, IndexKind};
use crate::record::Kind;

use super::expression;

/// The text that a clause compares.
#[derive(Debug, Clone)]
pub struct Target {
    /// SQL of the value as text.
    pub text: String,
    /// SQL of the value as stored in a B-tree, if it has one.
    pub key: Option<String>,
    /// How the text is folded for comparison.
    pub folding: IndexKind,
    /// Each value occurs in at most one record.
    pub unique: bool,
    /// The value is always a single word (a flag, a number, an id), so a word search is a comparison.
    pub one_word: bool,
    /// Its words are indexed.
    pub has_words: bool,
    /// Terms are identifiers, compared without hyphens.
    pub digits: bool,
}

impl Target {
    /// The field with this name; `None` if it is undeclared or hidden from queries.
    pub fn find(collection: &Collection, field: &str) -> Option<Self> {
        if collection.unsearchable.contains(&field) {
            return None;
        }
        let computed = expression::computed(collection, field);
        let kind = match computed {
            Some(_) => &Kind::Text,
            None => collection.schema.find(field)?,
        };
        let ordered = expression::ordered_kind(collection, field);
        Some(Self {
            text: expression::text(collection, field),
            key: ordered.map(|kind| expression::indexed(collection, field, kind)),
            folding: ordered.cloned().unwrap_or_else(|| natural_folding(kind)),
            unique: expression::is_unique(collection, field),
            one_word: matches!(kind, Kind::Bool | Kind::Integer | Kind::Uuid),
            has_words: expression::has_index(collection, field, &IndexKind::Words),
            digits: computed.is_some_and(|computed| computed.digits),
        })
    }

    /// A text without an index of its own.
    #[must_use]
    pub(crate) fn unindexed(text: String, kind: &Kind) -> Self {
        Self {
            text,
            key: None,
            folding: natural_folding(kind),
            unique: false,
            one_word: false,
            has_words: false,
            digits: false,
        }
    }

    /// The folded value at full length.
    pub fn whole(&self) -> String {
        format!("({} COLLATE \"C\")", expression::whole(&self.text, &self.folding))
    }
}

/// Values that cannot have accents need no unaccenting.
fn natural_folding(kind: &Kind) -> IndexKind {
    match kind {
        Kind::Bool | Kind::Integer | Kind::Number | Kind::Uuid | Kind::DateTime => IndexKind::CaseFolded,
        _ => IndexKind::Folded,
    }
}
