//! Ordinary records are declared, not coded: a [`Collection`] names a kind of record, its members, and which of them
//! are unique, refer to other records or can be searched. Its table and indexes, five routes, validation, CQL and
//! OpenAPI schema all follow from this declaration.
//!
//! To add a kind of record, add a declaration to the `collections()` of its crate.
//!
//! A collection's table has the columns `id uuid primary key`, `seq bigint` (order of insertion), `doc jsonb` (the
//! record), and one `uuid` column for each [reference](Collection::references), named as in FOLIO: the field in lower
//! case, `materialtypeid`. PostgreSQL generates these columns, unless the collection has [plain](Collection::plain)
//! ones. A [compact](Collection::compact) table has columns instead of `doc`, and the view `loan_record` has the record.
//! [Volatile](Collection::volatile) members are in a table of their own, `item_state` for `item`, and the view
//! `item_record` has both. [`Collection::representation`] is the record as clients see it.

mod declaration;

use std::borrow::Cow;

use refusals::{Refused, Wording};
use serde_json::{Map, Value};

use crate::record::{Breach, Schema};

/// How a FOLIO module formats errors and lists (docs/folio/conventions.md#families-of-modules).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// RAML Module Builder modules: JSON errors for POST, text for PUT and DELETE.
    Rmb,
    /// Spring modules (notes, tags): one JSON error for every method.
    Spring,
}

/// How a field is indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexKind {
    /// B-tree on folded text: ignores case and accents.
    Folded,
    /// B-tree on lower-case text: ignores case only, as FOLIO does for item barcodes.
    CaseFolded,
    /// B-tree on the text itself.
    Exact,
    /// Full-text index for `=`, `all`, `any`.
    Words,
    /// GIN index on the JSON value, for `/@member` on lists of objects.
    Elements,
}

/// A searchable field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Dotted path in the record, or name of a [`Virtual`] field.
    pub field: &'static str,
    pub kind: IndexKind,
}

/// Fields whose combined values are unique within the collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unique {
    /// Dotted paths.
    pub fields: &'static [&'static str],
    /// [`IndexKind::Folded`], [`IndexKind::CaseFolded`] or [`IndexKind::Exact`].
    pub kind: IndexKind,
    /// FOLIO's words when a value is taken, the general ones by default. They may mention `{value}`, `{table}` and
    /// `{expression}`, the unique expression as FOLIO's database prints it.
    pub wording: Option<&'static Wording>,
}

/// A field with the id of another record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Dotted path.
    pub field: &'static str,
    /// Table that must contain the id; `None` if FOLIO does not check it (the column is indexed anyway).
    pub table: Option<&'static str>,
    /// Whether a constraint or index in `sql/replaceable/` begins with the column, so that it needs none of its own.
    pub covered: bool,
    /// Few records have the same id in it, such as the loans of a patron or the items of a holdings record: an index finds
    /// them all, and nothing has to be estimated.
    pub few: bool,
}

impl Reference {
    /// Name of the generated or plain column: the field in lower case, without dots.
    pub fn column(&self) -> String {
        self.field.replace('.', "_").to_lowercase()
    }
}

/// A column of a collection with [plain](Collection::plain) columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// SQL type.
    pub kind: &'static str,
    /// SQL of its value, over `doc`.
    pub value: String,
}

/// A member of a record that a [compact](Collection::compact) table has in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Dotted path.
    pub path: &'static str,
    pub kind: KeptKind,
    /// The column with an exact key, if that has it.
    pub key: Option<&'static str>,
}

/// The type of such a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptKind {
    Uuid,
    Int,
    Text,
}

/// A searchable field computed from the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Virtual {
    /// Its name in CQL.
    pub name: &'static str,
    /// Immutable SQL expression over `doc`, of type text.
    pub sql: &'static str,
    /// Holds identifiers in the form that `carrel.digits` produces; search terms are converted to it.
    pub digits: bool,
}

/// A database constraint defined elsewhere (`sql/replaceable/`), with FOLIO's error for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    pub name: &'static str,
    /// FOLIO's words; their parameters are members of the record.
    pub wording: &'static Wording,
}

/// Another collection whose fields can be searched through foreign keys (`holdingsRecords.instanceId`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// The prefix in CQL, without the dot.
    pub name: &'static str,
    /// Path of joins; each step is (joined table, its column, the column of the previous table). Without a step, the prefix stands
    /// before the fields of the collection itself.
    pub steps: &'static [(&'static str, &'static str, &'static str)],
}

/// A searchable member of the objects in a list of the record (`links.objectId`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The name in CQL.
    pub name: &'static str,
    pub list: &'static str,
    /// The name in JSON.
    pub member: &'static str,
}

/// A field with a fixed set of values, most of which are rare. Whoever writes a record keeps it in a table (`record_id`, `name`) while
/// its value is rare, so a query for such a value need not scan all records, and changes of the field update no
/// index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uncommon {
    /// The field, such as `status.name`.
    pub field: &'static str,
    /// The frequent values, which are not in the table.
    pub common: &'static [&'static str],
    pub table: &'static str,
}

/// A check of the record alone; it may also fill in computed members.
pub type Check = fn(&mut Map<String, Value>) -> Result<(), Refused>;

/// The declaration of one kind of record.
#[derive(Debug, Clone)]
pub struct Collection {
    /// Path of the collection, such as `/material-types`.
    pub path: &'static str,
    /// Member of a list's answer that holds the records, such as `mtypes`.
    pub list: &'static str,
    /// Table, named as in FOLIO because error texts contain the name, such as `material_type`.
    pub table: &'static str,
    /// Declared members. `id`, `metadata` and, if [versioned](Self::versioned), `_version` are added.
    pub schema: Schema,
    pub indexes: Vec<Index>,
    pub uniques: Vec<Unique>,
    pub constraints: Vec<Constraint>,
    pub references: Vec<Reference>,
    pub virtuals: Vec<Virtual>,
    pub aliases: Vec<Alias>,
    /// Names in queries of members that have others in the record, and those members.
    pub names: Vec<(&'static str, &'static str)>,
    /// FOLIO's class of the records, for modules that refuse queries on fields which it has not, in words that name it.
    pub entity: Option<&'static str>,
    pub members: Vec<Member>,
    pub style: Style,
    /// Lists end with `resultInfo`.
    pub result_info: bool,
    /// Has `_version` and refuses a stale PUT (optimistic locking).
    pub versioned: bool,
    /// Has `metadata`.
    pub metadata: bool,
    /// PUT with an unknown id creates the record.
    pub upsert: bool,
    /// Top-level members stored in a narrow table, so that a frequent change (a check-out) rewrites a few bytes and no
    /// index.
    pub volatile: &'static [&'static str],
    /// A field without an index whose rare values are in a separate table.
    pub uncommon: Option<Uncommon>,
    /// A field of which nearly all records have one of a few values, in lower case. Statements name these in their text,
    /// so that PostgreSQL knows how many records have them, also when it plans without values.
    pub told_apart: Option<(&'static str, &'static [&'static str])>,
    /// Flags that are true of few records, which an index lists.
    pub flags: Vec<&'static str>,
    /// Every statement that writes a record also writes its columns, which the SQL function `{table}_columns` derives
    /// from the record. Generated columns and indexes on expressions would cost each write their preparation: too much
    /// for tables that the desk writes all day (decision 36).
    pub plain: bool,
    /// Its records are composed by the view `{table}_record`; SQL elsewhere makes the table, its columns and indexes, and writes it.
    pub composed: bool,
    /// Has no index by the order of insertion: its lists are short or have another order.
    pub unsequenced: bool,
    /// Fields whose comparison key is in a plain column without an index of its own.
    pub keys: Vec<Index>,
    /// Further plain columns, for rules and indexes in `sql/replaceable/`.
    pub columns: Vec<Column>,
    /// The members that are in columns instead of a document, if there are any: the table is compact (decision 96).
    pub compact: Vec<Kept>,
    /// What the SQL functions that write the records are named after, if more follows from a write than the record:
    /// `loans` for `add_loans`, `add_missing_loans`, `change_loans` and `remove_loans`.
    pub written_as: Option<&'static str>,
    /// Part of the tenant's configuration: each change raises the configuration version.
    pub configuration: bool,
    /// Rarely changed and often read: each change renews the stamp of the tenant's snapshot.
    pub near_static: bool,
    /// A PUT takes the id of its path, whatever the record says.
    pub id_of_path: bool,
    /// What must be unique is refused in the database's own words, as 400 text also to a POST.
    pub database_words: bool,
    /// A DELETE whose query matches all records truncates the table and announces one event.
    pub truncated: bool,
    /// Validation beyond the declaration.
    pub check: Option<Check>,
    /// Methods, of `list get post put delete`, without the standard route: FOLIO does not offer them, or another
    /// handler serves them.
    pub without: &'static [&'static str],
    /// Text of a 404; `Not found` by default, as in RMB.
    pub not_found: Option<&'static str>,
    /// Text of the 400 for a POST that the database refuses, if the module gives no reason.
    pub refused_in_general: Option<&'static Wording>,
    /// Text of the 400 for a DELETE of a record that others name, if the module has its own.
    pub kept: Option<&'static Wording>,
    /// Text of a 404 to GET, if it differs.
    pub not_found_at_read: Option<&'static str>,
    /// SQL of the record as clients see it, if it is not just the stored record; see [`Collection::represented`] and
    /// [`Collection::shown_as`].
    pub represented: Option<Cow<'static, str>>,
    /// Members hidden from queries because clients must not learn their values.
    pub unsearchable: &'static [&'static str],
    pub default_limit: i64,
    /// Status of a successful POST: 201 almost everywhere in FOLIO.
    pub created_status: u16,
}

impl Collection {
    /// SQL of the record as clients see it, over a table row `r`.
    pub fn representation(&self) -> &str {
        if let Some(sql) = &self.represented {
            sql
        } else if self.volatile.is_empty() {
            "r.doc"
        } else {
            "(r.doc || r.state)"
        }
    }

    /// Whether its table is [compact](Self::compact).
    pub(crate) fn is_compact(&self) -> bool {
        !self.compact.is_empty()
    }

    /// Whether a view composes the records.
    pub(crate) fn is_composed(&self) -> bool {
        self.composed || self.is_compact()
    }

    /// The relation to read records from: the table, or the view that has the volatile members, too, or composes the records.
    pub fn relation(&self) -> Cow<'static, str> {
        match self.volatile.is_empty() && !self.is_composed() {
            true => self.table.into(),
            false => format!("{}_record", self.table).into(),
        }
    }

    /// The fields with an index, and those whose key is only in a column.
    pub fn keyed(&self) -> impl Iterator<Item = &Index> {
        self.indexes.iter().chain(&self.keys)
    }

    /// The column of [`Self::relation`] that has a top-level member.
    pub fn column_of(&self, path: &str) -> &'static str {
        let head = path.split('.').next().unwrap_or(path);
        if self.volatile.contains(&head) { "state" } else { "doc" }
    }

    /// Whether answers may come from the tenant's snapshot (decision 37): they are made of near-static records only. The
    /// configuration's are.
    pub fn is_near_static(&self) -> bool {
        (self.configuration || self.near_static) && self.represented.is_none() && self.aliases.is_empty()
    }

    /// The member, computed field or id that a query calls by this name.
    pub(crate) fn member_of<'n>(&self, name: &'n str) -> &'n str {
        self.names.iter().find(|(known, _)| *known == name).map_or(name, |(_, member)| member)
    }

    pub fn reference_on(&self, field: &str) -> Option<&Reference> {
        self.references.iter().find(|reference| reference.field == field)
    }

    /// Splits a record into the contents of the columns `doc` and `state`.
    pub fn split(&self, mut record: Map<String, Value>) -> (Value, Value) {
        let mut state = Map::new();
        for name in self.volatile {
            if let Some(value) = record.shift_remove(*name) {
                state.insert((*name).to_owned(), value);
            }
        }
        (Value::Object(record), Value::Object(state))
    }
}

/// The wording of FOLIO's schema validation.
impl Breach {
    /// Message, code, and the parameter's key and value.
    pub fn in_words(&self) -> (String, &'static str, String, String) {
        const NOT_NULL: &str = "jakarta.validation.constraints.NotNull.message";
        const PATTERN: &str = "jakarta.validation.constraints.Pattern.message";
        const ELEMENTS: &str = "elements in list must match pattern";
        const SIZE: &str = "jakarta.validation.constraints.Size.message";
        match self {
            Breach::Missing { path } => ("must not be null".into(), NOT_NULL, path.clone(), "null".into()),
            Breach::Pattern { path, value, pattern } => {
                (format!("must match \"{pattern}\""), PATTERN, path.clone(), value.clone())
            }
            Breach::Listed { path, values, .. } => {
                (ELEMENTS.into(), ELEMENTS, path.clone(), format!("[{}]", values.join(", ")))
            }
            Breach::TooLong { path, value, max } => {
                (format!("size must be between 0 and {max}"), SIZE, path.clone(), value.clone())
            }
            Breach::Unknown { name } => (format!("Unrecognized field \"{name}\""), "-1", name.clone(), String::new()),
        }
    }
}
