//! What a record looks like: its members, their kinds, and what a request may say about them.
//!
//! Every kind of record Carrel keeps is declared once, in the notation the contracts use
//! (see [`notation`]): `name*, code*, institutionId*:uuid, isShadow:bool`. From that one declaration
//! come the validation of a request ([`Schema::accept`]), the kinds CQL compares by, and OpenAPI.

mod accept;
mod notation;
mod open_api;

pub use accept::{
    Breach, Rejection, UUID_PATTERN, VERSIONED_UUID_PATTERN, is_uuid, is_versioned_uuid,
    print_instant, read_instant, stored_instant,
};

/// The kind of value a member holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Any text; numbers and booleans are accepted and kept as their text, as Jackson does.
    Text,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A UUID, 8-4-4-4-12 hexadecimal digits.
    Uuid,
    /// An instant; stored and printed as `2020-01-01T00:00:00.000+00:00`.
    DateTime,
    /// One of the listed texts.
    OneOf(Vec<String>),
    /// Any JSON value.
    Any,
    /// An object with whatever members.
    FreeObject,
    /// An object with declared members.
    Object(Schema),
    /// A list of values of one kind.
    List(Box<Kind>),
}

/// One declared member of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The JSON name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// A record without it is refused.
    pub required: bool,
    /// Computed by the server: dropped silently from requests.
    pub computed: bool,
    /// Written out when the request leaves it away.
    pub default: Option<serde_json::Value>,
    /// Longest text accepted, in characters.
    pub max_length: Option<usize>,
}

/// The declared members of a record or of an object inside one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schema {
    fields: Vec<Field>,
    versioned_ids: bool,
    undeclared_members: bool,
}

impl Schema {
    /// Reads a declaration in the notation of [`notation`].
    ///
    /// # Panics
    /// On a mistake in the declaration, which is part of the program: the message shows the place.
    #[must_use]
    pub fn declare(text: &str) -> Self {
        notation::parse(text).unwrap_or_else(|error| panic!("record declaration: {error}"))
    }

    /// The declared members, in order.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The member of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The same members and `_version`.
    #[must_use]
    pub fn with_version(mut self) -> Self {
        self.fields.extend(Self::declare("_version:int").fields);
        self
    }

    /// The same members; identifiers are of the versions 1 to 5 only.
    #[must_use]
    pub fn with_versioned_ids(mut self) -> Self {
        self.versioned_ids = true;
        self
    }

    /// The same members, one of which a record has to have.
    #[must_use]
    pub fn require(mut self, name: &str) -> Self {
        let fields = self.fields.iter_mut();
        fields
            .filter(|field| field.name == name)
            .for_each(|field| field.required = true);
        self
    }

    /// The same members but one.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.fields.retain(|field| field.name != name);
        self
    }

    /// The kind at a dotted path (`personal.lastName`), looking through lists of objects; `None` when
    /// nothing is declared there. A path below free-form JSON is [`Kind::Any`].
    #[must_use]
    pub fn find(&self, path: &str) -> Option<&Kind> {
        let (head, rest) = match path.split_once('.') {
            Some((head, rest)) => (head, Some(rest)),
            None => (path, None),
        };
        let kind = &self.field(head)?.kind;
        match rest {
            None => Some(kind),
            Some(rest) => below(kind, rest),
        }
    }
}

fn below<'a>(kind: &'a Kind, rest: &str) -> Option<&'a Kind> {
    match kind {
        Kind::Object(schema) => schema.find(rest),
        Kind::List(inner) => below(inner, rest),
        Kind::FreeObject | Kind::Any => Some(&Kind::Any),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_through_objects_and_lists() {
        let schema = Schema::declare(
            "personal{lastName*}, notes[{note, staffOnly:bool}], customFields:object",
        );
        assert_eq!(schema.find("personal.lastName"), Some(&Kind::Text));
        assert_eq!(schema.find("notes.staffOnly"), Some(&Kind::Bool));
        assert_eq!(schema.find("customFields.anything"), Some(&Kind::Any));
        assert_eq!(schema.find("personal.title"), None);
        assert_eq!(schema.find("personal.lastName.x"), None);
    }
}
