//! The structure of a record: its members, their kinds, and what a request may contain.
//!
//! Each kind of record is declared once, in the notation of the contract (see [`notation`]): `name*, code*,
//! institutionId*:uuid, isShadow:bool`. Request validation ([`Schema::accept`]), CQL comparisons and OpenAPI follow
//! from this declaration.

mod accept;
mod ids;
mod notation;
mod open_api;
mod rejection;
mod values;

pub use ids::{UUID_PATTERN, VERSIONED_UUID_PATTERN, is_uuid, is_versioned_uuid};
pub use open_api::Side;
pub use rejection::{Breach, Rejection};
pub use values::{print_exactly, print_instant, read_instant, stored_instant, text};

/// The kind of value a member holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Any text; numbers and booleans are accepted and stored as text, as Jackson does.
    Text,
    Bool,
    Integer,
    Number,
    /// 8-4-4-4-12 hexadecimal digits.
    Uuid,
    /// An instant; stored and printed as `2020-01-01T00:00:00.000+00:00`.
    DateTime,
    /// One of the listed texts.
    OneOf(Vec<String>),
    /// Any JSON value.
    Any,
    /// An object with any members.
    FreeObject,
    /// A record whose schema the API document has under this name. A request may contain any object here: what it is
    /// checked against is up to its route.
    Named(String),
    /// A value of one of these kinds, in answers.
    Either(Vec<Kind>),
    /// An object with declared members.
    Object(Schema),
    /// A list of values of one kind.
    List(Box<Kind>),
}

/// A declared member of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: String,
    pub kind: Kind,
    pub required: bool,
    /// Required of a request; an answer may lack it, because anonymization removes it.
    pub removable: bool,
    /// Computed by the server: silently dropped from requests.
    pub computed: bool,
    /// An answer may have null here.
    pub nullable: bool,
    /// Stored if the request omits the member.
    pub default: Option<serde_json::Value>,
    /// Maximum length in characters.
    pub max_length: Option<usize>,
}

/// The declared members of a record or of a nested object.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schema {
    fields: Vec<Field>,
    versioned_ids: bool,
    undeclared_members: bool,
}

impl Kind {
    /// Reads the declaration of a whole body, which need not be an object, in the notation of [`notation`].
    ///
    /// # Panics
    /// As [`Schema::declare`].
    pub fn declare(text: &str) -> Self {
        notation::parse_body(text).unwrap_or_else(|error| panic!("body declaration: {error}"))
    }

    /// The names of the schemas it refers to.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Named(name) => vec![name],
            Self::Either(kinds) => kinds.iter().flat_map(Self::names).collect(),
            Self::Object(schema) => schema.fields.iter().flat_map(|field| field.kind.names()).collect(),
            Self::List(element) => element.names(),
            _ => Vec::new(),
        }
    }
}

impl Schema {
    /// Parses a declaration in the notation of [`notation`].
    ///
    /// # Panics
    /// On a mistake in the declaration, which is part of the program; the message shows its position.
    pub fn declare(text: &str) -> Self {
        notation::parse(text).unwrap_or_else(|error| panic!("record declaration: {error}"))
    }

    /// The declared members, in order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Adds `_version`.
    #[must_use]
    pub fn with_version(mut self) -> Self {
        self.fields.extend(Self::declare("_version:int").fields);
        self
    }

    /// Restricts ids to UUIDs of versions 1 to 5.
    #[must_use]
    pub fn with_versioned_ids(mut self) -> Self {
        self.versioned_ids = true;
        self
    }

    /// Makes a member required.
    #[must_use]
    pub fn require(mut self, name: &str) -> Self {
        let fields = self.fields.iter_mut();
        fields.filter(|field| field.name == name).for_each(|field| field.required = true);
        self
    }

    /// Adds the members of `more`; they replace members of the same name.
    #[must_use]
    pub fn and(mut self, more: &str) -> Self {
        let more = Self::declare(more);
        self.undeclared_members |= more.undeclared_members;
        for field in more.fields {
            match self.fields.iter_mut().find(|known| known.name == field.name) {
                Some(known) => *known = field,
                None => self.fields.push(field),
            }
        }
        self
    }

    /// Adds a member of that kind.
    #[must_use]
    pub fn with(mut self, name: &str, kind: &Kind) -> Self {
        let fields = Self::declare(name).fields.into_iter();
        self.fields.extend(fields.map(|field| Field { kind: kind.clone(), ..field }));
        self
    }

    /// Makes all members optional.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.fields.iter_mut().for_each(|field| field.required = false);
        self
    }

    /// Removes members, separated by commas.
    #[must_use]
    pub fn without(mut self, names: &str) -> Self {
        self.fields.retain(|field| names.split(',').all(|name| name.trim() != field.name));
        self
    }

    /// The kind at a dotted path (`personal.lastName`), through lists of objects; `None` if it is undeclared. A path
    /// below free-form JSON is [`Kind::Any`].
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
        Kind::FreeObject | Kind::Named(_) | Kind::Any => Some(&Kind::Any),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_through_objects_and_lists() {
        let schema = Schema::declare("personal{lastName*}, notes[{note, staffOnly:bool}], customFields:object");
        assert_eq!(schema.find("personal.lastName"), Some(&Kind::Text));
        assert_eq!(schema.find("notes.staffOnly"), Some(&Kind::Bool));
        assert_eq!(schema.find("customFields.anything"), Some(&Kind::Any));
        assert_eq!(schema.find("personal.title"), None);
        assert_eq!(schema.find("personal.lastName.x"), None);
    }
}
