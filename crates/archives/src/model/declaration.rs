//! What a declared record type is made of.

use regex::Regex;
use serde_json::Value;

/// A record type or subrecord of the API, with the properties it inherits (contract section 4).
#[derive(Debug)]
pub struct RecordType {
    /// The name in `jsonmodel_type`, such as `archival_object`.
    pub name: String,
    /// The type whose properties it inherits.
    pub parent: Option<String>,
    /// Where records of the type are, such as `/repositories/:repo_id/resources`; none for a subrecord.
    pub uri: Option<String>,
    /// The properties, inherited ones first.
    pub fields: Fields,
}

/// The properties of a record type or of an object within one.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    /// In the order of the declaration.
    pub properties: Vec<Property>,
}

/// A property of a record.
#[derive(Debug, Clone)]
pub struct Property {
    /// The key in the JSON object.
    pub name: String,
    /// What its value may be.
    pub kind: Kind,
    /// What happens when it is missing.
    pub needed: Needed,
    /// Whether clients only read it: it is dropped from requests.
    pub read_only: bool,
    /// What a record gets that has no value.
    pub default: Option<Value>,
}

/// What happens when a property is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needed {
    /// Nothing.
    No,
    /// The answer carries a warning.
    Warned,
    /// The request is refused.
    Yes,
}

/// What a value may be.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A text.
    Text(Text),
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A day.
    Date,
    /// A point in time.
    DateTime,
    /// An object whose content is not declared.
    Object,
    /// An object with these properties and no type of its own.
    Fields(Fields),
    /// A list of values of one kind, of which there are at least so many.
    Array {
        /// What an item may be.
        of: Box<Kind>,
        /// How many items there are at least; `None` where the declaration says nothing.
        least: Option<usize>,
    },
    /// A record of that type, inside this one.
    Record(String),
    /// A text that is the URI of a record of one of these types.
    Uri(Vec<String>),
    /// A record of that type, or its URI.
    RecordOrUri(String),
    /// A value of one of these kinds; of several record types, `jsonmodel_type` says which.
    AnyOf(Vec<Kind>),
}

/// What a text may be.
#[derive(Debug, Clone, Default)]
pub struct Text {
    /// The value list it is taken from.
    pub list: Option<String>,
    /// The only texts allowed; empty: any.
    pub one_of: Vec<String>,
    /// How many characters it has at least.
    pub least: Option<usize>,
    /// How many characters it has at most.
    pub most: Option<usize>,
    /// What it must match.
    pub pattern: Option<Regex>,
}

impl Fields {
    /// The property of that name.
    pub fn get(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The types a reference may point to, if these are the properties of one: those of its `ref`.
    pub fn targets(&self) -> Option<&[String]> {
        match &self.get("ref")?.kind {
            Kind::Uri(types) => Some(types),
            _ => None,
        }
    }
}

impl RecordType {
    /// Whether records of the type belong to a repository.
    pub fn is_in_repository(&self) -> bool {
        self.uri.as_deref().is_some_and(|uri| uri.starts_with("/repositories/:repo_id/"))
    }
}
