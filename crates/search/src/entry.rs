//! A document as it goes into the index. It has hundreds of values: they are parts of one text, and sorted by their columns, so that the
//! thread that writes the index, which building a new one waits for, has nothing left to do with them but to read them.

use std::{iter::Empty, ops::Range, slice};

use tantivy::schema::{
    Field as Column,
    document::{Document, ReferenceValue, ReferenceValueLeaf, Value},
};

/// Values of columns.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    texts: String,
    values: Vec<(Column, Range<usize>)>,
}

impl Entry {
    /// For about so many values of about so many bytes in all.
    pub(crate) fn with_capacity(values: usize, bytes: usize) -> Self {
        Self { texts: String::with_capacity(bytes), values: Vec::with_capacity(values) }
    }

    pub(crate) fn add(&mut self, column: Column, value: &str) {
        let begins = self.texts.len();
        self.texts.push_str(value);
        self.values.push((column, begins..self.texts.len()));
    }

    /// The values by their columns; those of one stay in the order in which they were added.
    pub(crate) fn sorted(mut self) -> Self {
        self.values.sort_by_key(|(column, _)| *column);
        self
    }
}

impl Document for Entry {
    type Value<'a> = Text<'a>;
    type FieldsValuesIter<'a> = Texts<'a>;

    fn iter_fields_and_values(&self) -> Texts<'_> {
        Texts { texts: &self.texts, values: self.values.iter() }
    }
}

/// The values of an entry.
pub(crate) struct Texts<'a> {
    texts: &'a str,
    values: slice::Iter<'a, (Column, Range<usize>)>,
}

impl<'a> Iterator for Texts<'a> {
    type Item = (Column, Text<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (column, at) = self.values.next()?;
        Some((*column, Text(&self.texts[at.clone()])))
    }
}

/// A value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'a>(&'a str);

impl<'a> Value<'a> for Text<'a> {
    type ArrayIter = Empty<Self>;
    type ObjectIter = Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(ReferenceValueLeaf::Str(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sorted_by_their_columns() {
        let [one, other] = [1, 2].map(Column::from_field_id);
        let mut entry = Entry::default();
        [(other, "b"), (one, "ü"), (other, ""), (one, "a")]
            .iter()
            .for_each(|(column, value)| entry.add(*column, value));
        let entry = entry.sorted();
        let values: Vec<_> = entry.iter_fields_and_values().map(|(column, text)| (column, text.0)).collect();
        assert_eq!(values, [(one, "ü"), (one, "a"), (other, "b"), (other, "")]);
    }
}
