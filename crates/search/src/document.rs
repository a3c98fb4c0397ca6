//! What is added to an index.

use serde_json::{Map, Value};

/// A document.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Unique.
    pub id: String,
    /// What it is deleted by.
    pub source: String,
    /// What is returned of it.
    pub shown: Shown,
    /// Values of further fields.
    pub hidden: Values,
}

/// What is returned of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// An object; members with the names of fields are indexed.
    Members(Map<String, Value>),
    /// The same, and the record that the document is of: JSON that is kept beside it ([`crate::records`]).
    MembersOf(Map<String, Value>, String),
    /// JSON, as it is.
    Text(String),
}

impl Document {
    /// About how many bytes it has beside its further fields.
    pub(crate) fn bytes(&self) -> usize {
        let shown = match &self.shown {
            Shown::Text(text) | Shown::MembersOf(_, text) => text.len(),
            Shown::Members(_) => 0,
        };
        self.id.len() + self.source.len() + shown
    }
}

impl From<Map<String, Value>> for Shown {
    fn from(members: Map<String, Value>) -> Self {
        Self::Members(members)
    }
}

/// Values of fields, all in one piece of memory: a document can have hundreds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    texts: String,
    /// Fields, with where their values end.
    ends: Vec<(&'static str, usize)>,
}

impl Values {
    /// For about so many values of about so many bytes in all.
    pub fn with_capacity(values: usize, bytes: usize) -> Self {
        Self { texts: String::with_capacity(bytes), ends: Vec::with_capacity(values) }
    }

    /// Adds a value of a field.
    pub fn push(&mut self, field: &'static str, value: &str) {
        self.push_with(field, |texts| texts.push_str(value));
    }

    /// Adds a value that is written at the end of a text.
    pub fn push_with(&mut self, field: &'static str, write: impl FnOnce(&mut String)) {
        write(&mut self.texts);
        self.ends.push((field, self.texts.len()));
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Of how many bytes they are in all.
    pub(crate) fn bytes(&self) -> usize {
        self.texts.len()
    }

    /// The fields with their values, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let mut begins = 0;
        self.ends.iter().map(move |(field, ends)| (*field, &self.texts[std::mem::replace(&mut begins, *ends)..*ends]))
    }
}

impl<T: AsRef<str>> FromIterator<(&'static str, T)> for Values {
    fn from_iter<I: IntoIterator<Item = (&'static str, T)>>(values: I) -> Self {
        let mut all = Self::default();
        values.into_iter().for_each(|(field, value)| all.push(field, value.as_ref()));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_as_they_were_added() {
        let mut values = Values::from_iter([("title", "Dune"), ("subject", "")]);
        values.push_with("subject", |texts| texts.push_str("Deserts"));
        assert_eq!(values.iter().collect::<Vec<_>>(), [("title", "Dune"), ("subject", ""), ("subject", "Deserts")]);
        assert_eq!(Values::default().iter().next(), None);
    }
}
