//! Plain record keeping is declared, not written: a [`Collection`] says what a kind of record is called,
//! which members it has, which of them are unique, refer to other records or are searched. From that one
//! value come its table and indexes, its five routes, validation, CQL and its part of the OpenAPI document.
//!
//! To add a kind of record, add one declaration to the `collections()` of its crate.
//!
//! A collection's table has the columns `id uuid primary key`, `seq bigint` (order of insertion),
//! `doc jsonb` (the record), `state jsonb` (its [volatile](Collection::volatile) members, for collections that
//! have any) and one generated `uuid` column for each [reference](Collection::references), named like FOLIO's:
//! the field in lower case, `materialtypeid`. The record as clients see it is
//! [`Collection::representation`].

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::record::{Breach, Schema};

/// How a module of FOLIO talks: shapes of errors and of lists (docs/folio/conventions.md#families-of-modules).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// RAML-module-builder modules: JSON errors for POST, text for PUT and DELETE.
    Rmb,
    /// Spring modules (notes, tags): one JSON error, whatever the method.
    Spring,
}

/// How a field is looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexKind {
    /// B-tree on the folded text (case and accents do not count).
    Folded,
    /// B-tree on the lower-case text (accents count), as FOLIO does for item barcodes.
    CaseFolded,
    /// B-tree on the text as it is.
    Exact,
    /// Full-text words, for `=`, `all`, `any`.
    Words,
    /// The JSON value as it is (GIN containment), for `/@sub` on lists of objects.
    Elements,
}

/// A field that is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Dotted path in the record, or the name of a [`Virtual`] field.
    pub field: &'static str,
    /// How it is looked up.
    pub kind: IndexKind,
}

/// Fields whose values together occur once in the collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unique {
    /// Dotted paths.
    pub fields: &'static [&'static str],
    /// [`IndexKind::Folded`], [`IndexKind::CaseFolded`] or [`IndexKind::Exact`].
    pub kind: IndexKind,
    /// What the client is told, when not FOLIO's general text; `{value}` stands for the value.
    pub message: Option<&'static str>,
    /// Parameter key of that error; the field by default.
    pub key: Option<&'static str>,
    /// Code of that error; one that has a code and no key is told without parameters.
    pub code: Option<&'static str>,
}

/// A field that holds the id of another record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Dotted path of the field.
    pub field: &'static str,
    /// Table the id must exist in; `None` when FOLIO does not check it (the column is still indexed).
    pub table: Option<&'static str>,
}

impl Reference {
    /// Name of the generated column: the field in lower case, without dots.
    #[must_use]
    pub fn column(&self) -> String {
        self.field.replace('.', "_").to_lowercase()
    }
}

/// A searchable field that is no member of the record but computed from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Virtual {
    /// The CQL index.
    pub name: &'static str,
    /// Immutable SQL expression over `doc`, of type text.
    pub sql: &'static str,
    /// Holds identifiers as `carrel.digits` writes them; a term is written that way before it is compared.
    pub digits: bool,
}

/// A constraint of the database made elsewhere (`sql/replaceable/`), in FOLIO's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    /// Its name in the database.
    pub name: &'static str,
    /// What the client is told.
    pub message: &'static str,
    /// Parameter key of that error: the field it is about.
    pub key: &'static str,
    /// The code of an error that is told without a parameter, and as 422 to whoever writes the record.
    pub code: Option<&'static str>,
}

/// Another collection whose fields can be searched through a foreign key (`holdingsRecords.instanceId`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// The prefix in CQL, without the dot.
    pub name: &'static str,
    /// Path: each step is (table joined, its column, the column of the table before it).
    pub steps: &'static [(&'static str, &'static str, &'static str)],
}

/// A field of a listed text, most of whose values few records have. Triggers keep those records in a table
/// (`record_id`, `name`), so that a query for such a value reads neither all records nor an index that each change
/// of the field would have to touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uncommon {
    /// The field, `status.name`.
    pub field: &'static str,
    /// The values that most records have; they are not in the table.
    pub common: &'static [&'static str],
    /// The table.
    pub table: &'static str,
}

/// A check that needs nothing but the record; it may also fill in computed members.
pub type Check = fn(&mut Map<String, Value>) -> Result<(), Fault>;

/// What a [`Check`] found wrong: FOLIO's 422 error.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fault {
    /// The sentence.
    pub message: String,
    /// Parameter keys with values.
    pub parameters: Vec<(String, Option<String>)>,
    /// The code, where FOLIO gives one.
    pub code: Option<String>,
    /// FOLIO answers 400 text instead of a JSON error.
    pub as_text: bool,
    /// What else is wrong and is told with it.
    pub others: Vec<Fault>,
}

impl Fault {
    /// A fault about one field.
    #[must_use]
    pub fn of(message: impl Into<String>, key: &str, value: Option<&str>) -> Self {
        Self {
            message: message.into(),
            parameters: vec![(key.to_owned(), value.map(str::to_owned))],
            ..Self::default()
        }
    }

    /// A fault told as plain text with status 400.
    #[must_use]
    pub fn text(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            as_text: true,
            ..Self::default()
        }
    }

    /// This fault and another, told together.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.others.push(other);
        self
    }

    /// The same fault with a code.
    #[must_use]
    pub fn coded(mut self, code: &str) -> Self {
        self.code = Some(code.to_owned());
        self
    }
}

/// A kind of record Carrel keeps.
#[derive(Debug, Clone)]
pub struct Collection {
    /// Path of the collection, `/material-types`.
    pub path: &'static str,
    /// Member of a list's answer that holds the records, `mtypes`.
    pub list: &'static str,
    /// Table, named like FOLIO's (its name appears in error texts), `material_type`.
    pub table: &'static str,
    /// Declared members. `id`, `metadata` and (when [versioned](Self::versioned)) `_version` are added here.
    pub schema: Schema,
    /// Fields that are searched.
    pub indexes: Vec<Index>,
    /// What must be unique.
    pub uniques: Vec<Unique>,
    /// Further constraints of the table.
    pub constraints: Vec<Constraint>,
    /// Ids of other records.
    pub references: Vec<Reference>,
    /// Computed searchable fields.
    pub virtuals: Vec<Virtual>,
    /// Searchable neighbours.
    pub aliases: Vec<Alias>,
    /// Shapes of errors and lists.
    pub style: Style,
    /// Lists end with `resultInfo`.
    pub result_info: bool,
    /// Carries `_version` and refuses a stale PUT (optimistic locking).
    pub versioned: bool,
    /// Carries `metadata`.
    pub metadata: bool,
    /// PUT of an unknown id creates the record.
    pub upsert: bool,
    /// Top-level members kept in the column `state`, so that a frequent change (a check-out) rewrites a few
    /// bytes and no index.
    pub volatile: &'static [&'static str],
    /// A field that no index covers and whose uncommon values are looked up elsewhere.
    pub uncommon: Option<Uncommon>,
    /// Part of the tenant's configuration: a change raises the configuration version.
    pub configuration: bool,
    /// All records go at once when a query finds them all: quickly, and told as one event.
    pub truncated: bool,
    /// Rules beyond the declaration.
    pub check: Option<Check>,
    /// HTTP methods not offered in the common way (another handler has them, or FOLIO does not offer them):
    /// of `list get post put delete`.
    pub without: &'static [&'static str],
    /// Text of a 404; RMB's `Not found` by default.
    pub not_found: Option<&'static str>,
    /// What a POST that the database refuses tells, as 400 text, where the module does not say why.
    pub refused_in_general: Option<&'static str>,
    /// Text of a 404 of GET where it is another.
    pub not_found_at_read: Option<&'static str>,
    /// SQL of the record as clients see it, when it is not the stored record alone; see
    /// [`Collection::represented`] and [`Collection::shown_as`].
    pub represented: Option<Cow<'static, str>>,
    /// Members that no query reaches, because clients may not learn them.
    pub unsearchable: &'static [&'static str],
    /// Default `limit` of a list.
    pub default_limit: i64,
    /// Status of a good POST: 201 in nearly all of FOLIO.
    pub created_status: u16,
}

impl Collection {
    /// Declares a collection with the members in the notation of [`crate::record`].
    ///
    /// # Panics
    /// On a mistake in the declaration.
    #[must_use]
    pub fn new(path: &'static str, list: &'static str, table: &'static str, members: &str) -> Self {
        Self {
            path,
            list,
            table,
            schema: Schema::declare(&format!("id:uuid, {members}, metadata~:object")),
            indexes: Vec::new(),
            uniques: Vec::new(),
            constraints: Vec::new(),
            references: Vec::new(),
            virtuals: Vec::new(),
            aliases: Vec::new(),
            style: Style::Rmb,
            result_info: false,
            versioned: false,
            metadata: true,
            upsert: false,
            volatile: &[],
            uncommon: None,
            configuration: false,
            truncated: false,
            unsearchable: &[],
            check: None,
            without: &[],
            not_found: None,
            not_found_at_read: None,
            refused_in_general: None,
            represented: None,
            default_limit: 10,
            created_status: 201,
        }
    }

    /// One field is unique, case and accents not counting.
    #[must_use]
    pub fn unique(self, fields: &'static [&'static str]) -> Self {
        self.unique_as(Unique {
            fields,
            kind: IndexKind::Folded,
            message: None,
            key: None,
            code: None,
        })
    }

    /// A unique with its own kind or message.
    #[must_use]
    pub fn unique_as(mut self, unique: Unique) -> Self {
        self.uniques.push(unique);
        self
    }

    /// A constraint made in `sql/replaceable/` and how a breach of it is told.
    #[must_use]
    pub fn constraint(
        mut self,
        name: &'static str,
        message: &'static str,
        key: &'static str,
    ) -> Self {
        self.constraints.push(Constraint {
            name,
            message,
            key,
            code: None,
        });
        self
    }

    /// The same for a breach that is told with a code.
    #[must_use]
    pub fn coded_constraint(
        mut self,
        name: &'static str,
        message: &'static str,
        code: &'static str,
    ) -> Self {
        self.constraints.push(Constraint {
            name,
            message,
            key: "",
            code: Some(code),
        });
        self
    }

    /// The field holds the id of a record of `table`.
    #[must_use]
    pub fn reference(mut self, field: &'static str, table: &'static str) -> Self {
        self.references.push(Reference {
            field,
            table: Some(table),
        });
        self
    }

    /// The field holds an id that is looked up but not checked.
    #[must_use]
    pub fn loose_reference(mut self, field: &'static str) -> Self {
        self.references.push(Reference { field, table: None });
        self
    }

    /// The fields are searched in that way.
    #[must_use]
    pub fn index(mut self, kind: &IndexKind, fields: &[&'static str]) -> Self {
        self.indexes.extend(fields.iter().map(|field| Index {
            field,
            kind: kind.clone(),
        }));
        self
    }

    /// The fields are compared as folded text.
    #[must_use]
    pub fn folded(self, fields: &[&'static str]) -> Self {
        self.index(&IndexKind::Folded, fields)
    }

    /// The fields are searched by words.
    #[must_use]
    pub fn words(self, fields: &[&'static str]) -> Self {
        self.index(&IndexKind::Words, fields)
    }

    /// A computed searchable field.
    #[must_use]
    pub fn virtual_field(mut self, name: &'static str, sql: &'static str) -> Self {
        self.virtuals.push(Virtual {
            name,
            sql,
            digits: false,
        });
        self
    }

    /// A computed searchable field of identifiers whose hyphens and spaces do not count.
    #[must_use]
    pub fn digits_field(mut self, name: &'static str, sql: &'static str) -> Self {
        self.virtuals.push(Virtual {
            name,
            sql,
            digits: true,
        });
        self
    }

    /// Fields of another collection are searchable under a prefix.
    #[must_use]
    pub fn alias(
        mut self,
        name: &'static str,
        steps: &'static [(&'static str, &'static str, &'static str)],
    ) -> Self {
        self.aliases.push(Alias { name, steps });
        self
    }

    /// Carries `_version` with optimistic locking.
    #[must_use]
    pub fn versioned(mut self) -> Self {
        self.versioned = true;
        self.schema = self.schema.with_version();
        self
    }

    /// Lists end with `resultInfo`.
    #[must_use]
    pub fn with_result_info(mut self) -> Self {
        self.result_info = true;
        self
    }

    /// Takes only identifiers of the versions 1 to 5 (docs/folio/circulation.md#stored-records).
    #[must_use]
    pub fn with_versioned_ids(mut self) -> Self {
        self.schema = self.schema.with_versioned_ids();
        self
    }

    /// Has no `metadata`.
    #[must_use]
    pub fn without_metadata(mut self) -> Self {
        self.metadata = false;
        self.schema = self.schema.without("metadata");
        self
    }

    /// A request that brings a record has to say its id.
    #[must_use]
    pub fn with_required_id(mut self) -> Self {
        self.schema = self.schema.require("id");
        self
    }

    /// PUT of an unknown id creates.
    #[must_use]
    pub fn upserting(mut self) -> Self {
        self.upsert = true;
        self
    }

    /// These members change often; see [`Self::volatile`].
    #[must_use]
    pub fn volatile(mut self, members: &'static [&'static str]) -> Self {
        self.volatile = members;
        self
    }

    /// Uncommon values of a field are looked up; see [`Uncommon`].
    #[must_use]
    pub fn uncommon(mut self, uncommon: Uncommon) -> Self {
        self.uncommon = Some(uncommon);
        self
    }

    /// A change of these records changes how the desk decides.
    #[must_use]
    pub fn configuration(mut self) -> Self {
        self.configuration = true;
        self
    }

    /// All records go at once when a query finds them all. No other table may have a foreign key to them.
    #[must_use]
    pub fn truncated(mut self) -> Self {
        self.truncated = true;
        self
    }

    /// Rules beyond the declaration.
    #[must_use]
    pub fn checked(mut self, check: Check) -> Self {
        self.check = Some(check);
        self
    }

    /// Spring-style errors.
    #[must_use]
    pub fn spring(mut self) -> Self {
        self.style = Style::Spring;
        self
    }

    /// Leaves these of `list get post put delete` to other handlers.
    #[must_use]
    pub fn without(mut self, methods: &'static [&'static str]) -> Self {
        self.without = methods;
        self
    }

    /// Text of a 404.
    #[must_use]
    pub fn not_found(mut self, text: &'static str) -> Self {
        self.not_found = Some(text);
        self
    }

    /// Text of a 404 of GET where it is another than that of PUT and DELETE.
    #[must_use]
    pub fn not_found_at_read(mut self, text: &'static str) -> Self {
        self.not_found_at_read = Some(text);
        self
    }

    /// A POST that the database refuses tells no more than this, as 400 text.
    #[must_use]
    pub fn refused_in_general(mut self, text: &'static str) -> Self {
        self.refused_in_general = Some(text);
        self
    }

    /// The record has members computed at reading: a JSON expression over a row of the table named `r`, like
    /// `r.doc || jsonb_build_object('usageNumber', (SELECT ...))`.
    #[must_use]
    pub fn represented(mut self, sql: &'static str) -> Self {
        self.represented = Some(sql.into());
        self
    }

    /// The same records at another path and in another form: `sql` is a JSON expression over a row of the table
    /// named `r`. Queries keep their meaning. Nothing is written through such a view.
    #[must_use]
    pub fn shown_as(mut self, path: &'static str, list: &'static str, sql: String) -> Self {
        (self.path, self.list) = (path, list);
        self.represented = Some(sql.into());
        self.result_info = false;
        self
    }

    /// Queries treat these members as if nobody had declared them.
    #[must_use]
    pub fn unsearchable(mut self, members: &'static [&'static str]) -> Self {
        self.unsearchable = members;
        self
    }

    /// Default `limit` of a list.
    #[must_use]
    pub fn default_limit(mut self, limit: i64) -> Self {
        self.default_limit = limit;
        self
    }

    /// Status of a good POST.
    #[must_use]
    pub fn created_status(mut self, status: u16) -> Self {
        self.created_status = status;
        self
    }

    /// SQL for the record as clients see it, over a row of the table named `r`.
    #[must_use]
    pub fn representation(&self) -> &str {
        if let Some(sql) = &self.represented {
            sql
        } else if self.volatile.is_empty() {
            "r.doc"
        } else {
            "(r.doc || r.state)"
        }
    }

    /// The column a top-level member is kept in.
    #[must_use]
    pub fn column_of(&self, path: &str) -> &'static str {
        let head = path.split('.').next().unwrap_or(path);
        if self.volatile.contains(&head) {
            "state"
        } else {
            "doc"
        }
    }

    /// The reference declared on that field.
    #[must_use]
    pub fn reference_on(&self, field: &str) -> Option<&Reference> {
        self.references
            .iter()
            .find(|reference| reference.field == field)
    }

    /// Splits a record into what the columns `doc` and `state` hold.
    #[must_use]
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

/// A breach as FOLIO's schema validation words it.
impl Breach {
    /// The 422 message, its code and the parameter's key and value.
    #[must_use]
    pub fn in_words(&self) -> (String, &'static str, String, String) {
        const NOT_NULL: &str = "jakarta.validation.constraints.NotNull.message";
        const PATTERN: &str = "jakarta.validation.constraints.Pattern.message";
        const SIZE: &str = "jakarta.validation.constraints.Size.message";
        match self {
            Breach::Missing { path } => (
                "must not be null".into(),
                NOT_NULL,
                path.clone(),
                "null".into(),
            ),
            Breach::Pattern {
                path,
                value,
                pattern,
            } => (
                format!("must match \"{pattern}\""),
                PATTERN,
                path.clone(),
                value.clone(),
            ),
            Breach::TooLong { path, value, max } => (
                format!("size must be between 0 and {max}"),
                SIZE,
                path.clone(),
                value.clone(),
            ),
            Breach::Unknown { name } => (
                format!("Unrecognized field \"{name}\""),
                "-1",
                name.clone(),
                String::new(),
            ),
        }
    }
}
