//! The fields of an index, as its owner declares them.

use std::{borrow::Cow, collections::HashMap};

use foldhash::fast::FixedState;
use tantivy::schema::{
    FAST, Field as Column, FieldType, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions,
};

use crate::{
    analysis::{self, COMPOUNDS, FORMS, TEXT, WORDS, without_tags},
    entry::Entry,
};

/// How a field is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// By its words and phrases.
    Text,
    /// By its words and phrases, accents folded in all scripts; a word with an apostrophe or points also without them
    /// ([`crate::analysis::words`]).
    Compounds,
    /// By what stands between blanks.
    Words,
    /// The same, as it is; [`analysis::NO_FORM`] takes a place and is not found.
    Forms,
    /// By its whole value; can be neither counted nor sorted by.
    Value,
    /// By its whole value; can be counted and sorted by.
    Exact,
    /// The same for integers.
    Number,
    /// By its whole value without case and accents; sorted as people sort texts.
    Sorted,
    /// Not at all; can be counted and sorted by.
    Order,
    /// It is what the document is deleted by; by its whole value.
    Source,
    /// Its values are entries of a list that is read in its order ([`crate::lists`]).
    Ordered,
}

impl Kind {
    /// Whether a value is indexed as a whole.
    pub fn is_whole(self) -> bool {
        !matches!(self, Self::Text | Self::Compounds | Self::Words | Self::Forms)
    }

    /// Whether values can be counted and sorted by.
    pub fn is_counted(self) -> bool {
        matches!(self, Self::Exact | Self::Number | Self::Sorted | Self::Order)
    }

    /// A whole value as it is indexed; `None`: no such value can be.
    pub(crate) fn encode(self, value: &str) -> Option<Cow<'_, str>> {
        let encoded = match self {
            Self::Number => Cow::Owned(analysis::ordered(value.trim().parse().ok()?)),
            Self::Sorted => Cow::Owned(analysis::sort_key(value)),
            Self::Ordered => Cow::Borrowed(value),
            _ => Cow::Borrowed(analysis::cut(value)),
        };
        Some(encoded).filter(|encoded| !encoded.is_empty())
    }

    /// The value that was indexed.
    pub(crate) fn decode(self, indexed: &str) -> String {
        match self {
            Self::Number => analysis::unordered(indexed).map_or_else(String::new, |number| number.to_string()),
            _ => indexed.to_owned(),
        }
    }
}

/// All fields of an index.
#[derive(Debug, Clone)]
pub struct Fields {
    pub(crate) schema: Schema,
    /// The unique name of a document.
    pub(crate) id: Column,
    /// What a document is deleted by: several documents can be of one source.
    pub(crate) source: Column,
    /// What is returned of a document.
    pub(crate) stored: Column,
    /// The record that a document is of, of indexes that keep records.
    pub(crate) record: Option<Column>,
    /// Asked for each value of each document.
    by_name: HashMap<String, (Kind, Column), FixedState>,
}

/// Names of the index's own columns; `$` keeps them apart from declared fields.
pub(crate) const ID: &str = "$id";
const SOURCE: &str = "$source";
const STORED_DOCUMENT: &str = "$stored";
const RECORD: &str = "$record";

impl Fields {
    /// The fields with these names and kinds.
    pub fn declare<'a>(declared: impl IntoIterator<Item = (&'a str, Kind)>) -> Self {
        Self::declared(declared, false)
    }

    /// The same of an index that also keeps the records that its documents are of ([`crate::records`]).
    pub fn with_records<'a>(declared: impl IntoIterator<Item = (&'a str, Kind)>) -> Self {
        Self::declared(declared, true)
    }

    fn declared<'a>(declared: impl IntoIterator<Item = (&'a str, Kind)>, keeps_records: bool) -> Self {
        let mut schema = Schema::builder();
        // What is found by a whole value has no length that counts.
        let whole = TextFieldIndexing::default().set_tokenizer("raw").set_fieldnorms(false);
        let whole = TextOptions::default().set_indexing_options(whole.set_index_option(IndexRecordOption::Basic));
        let id = schema.add_text_field(ID, FAST);
        let source = schema.add_text_field(SOURCE, whole.clone());
        let stored = schema.add_text_field(STORED_DOCUMENT, STORED);
        let record = keeps_records.then(|| schema.add_text_field(RECORD, STORED));
        let mut by_name = HashMap::default();
        for (name, kind) in declared {
            let tokenized = |tokenizer, option| {
                let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer).set_index_option(option);
                TextOptions::default().set_indexing_options(indexing)
            };
            let positions = IndexRecordOption::WithFreqsAndPositions;
            let options = match kind {
                Kind::Text => tokenized(TEXT, positions),
                Kind::Compounds => tokenized(COMPOUNDS, positions),
                Kind::Words => tokenized(WORDS, positions),
                Kind::Forms => tokenized(FORMS, positions),
                Kind::Value | Kind::Ordered => whole.clone(),
                Kind::Exact | Kind::Number | Kind::Sorted => whole.clone() | FAST,
                Kind::Order => FAST.into(),
                Kind::Source => {
                    by_name.insert(name.to_owned(), (kind, source));
                    continue;
                }
            };
            by_name.insert(name.to_owned(), (kind, schema.add_text_field(name, options)));
        }
        Self { schema: schema.build(), id, source, stored, record, by_name }
    }

    /// Those of these fields that an index with another schema has in the same form; `None` if it cannot be used at all.
    pub(crate) fn within(&self, schema: &Schema) -> Option<Self> {
        let tokenizers = analysis::tokenizers();
        let is_known = |kind: &FieldType| match kind {
            FieldType::Str(options) => {
                options.get_indexing_options().is_none_or(|indexing| tokenizers.get(indexing.tokenizer()).is_some())
            }
            _ => false,
        };
        if !schema.fields().all(|(_, entry)| is_known(entry.field_type())) {
            return None;
        }
        let same = |column: Column| {
            let wanted = self.schema.get_field_entry(column);
            let found = schema.get_field(wanted.name()).ok()?;
            (schema.get_field_entry(found) == wanted).then_some(found)
        };
        let by_name = self.by_name.iter();
        let by_name = by_name.filter_map(|(name, (kind, column))| Some((name.clone(), (*kind, same(*column)?))));
        let (id, source, stored) = (same(self.id)?, same(self.source)?, same(self.stored)?);
        let record = self.record.and_then(same);
        Some(Self { schema: schema.clone(), id, source, stored, record, by_name: by_name.collect() })
    }

    /// How the field is searched; `None` if there is no such field.
    pub fn kind(&self, name: &str) -> Option<Kind> {
        self.by_name.get(name).map(|(kind, _)| *kind)
    }

    /// Adds a value of a field to an entry; nothing without such a field.
    pub(crate) fn add(&self, entry: &mut Entry, name: &str, value: &str) {
        match self.get(name) {
            Some((Kind::Text, column)) => entry.add(column, &without_tags(value)),
            // It is there already.
            Some((Kind::Source, _)) | None => {}
            Some((kind, column)) if !kind.is_whole() => entry.add(column, value),
            Some((kind, column)) => {
                if let Some(value) = kind.encode(value) {
                    entry.add(column, &value);
                }
            }
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<(Kind, Column)> {
        self.by_name.get(name).copied()
    }

    /// A field that can be searched.
    pub(crate) fn searched(&self, name: &str) -> Option<(Kind, Column)> {
        self.get(name).filter(|(kind, _)| *kind != Kind::Order)
    }
}
