//! `sortby` (docs/folio/cql.md#sorting): folded text, numbers as numbers, ids as ids. As PostgreSQL does by default,
//! records without the value come last, or first in descending order.

use cql::{Error, Options, SortKey};

use crate::collection::{Collection, IndexKind};

use super::target::Target;
use super::{expression, id_column};

/// One sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderColumn {
    pub sql: String,
    pub descending: bool,
    /// An index gives the order.
    pub indexed: bool,
}

/// The column of a sort key on that field; `None` for an undeclared field, which does not affect the order.
///
/// # Errors
/// An unknown modifier.
pub fn column(collection: &Collection, field: &str, key: &SortKey) -> Result<Option<OrderColumn>, Error> {
    let field = collection.member_of(field);
    let options = Options::read(&key.modifiers)?;
    let descending = options.descending;
    if let Some(column) = id_column(collection, field) {
        return Ok(Some(OrderColumn { sql: column.name, descending, indexed: true }));
    }
    Ok(Target::find(collection, field).map(|target| {
        let sql = value(collection, field, &target, &options);
        let indexed = target.key.as_ref() == Some(&sql) && expression::gives_order(collection, field);
        OrderColumn { sql, descending, indexed }
    }))
}

impl OrderColumn {
    /// The same column of the neighbour whose id is in the record's column `reference`. It is looked up for each record
    /// to be sorted, so no index gives the order.
    pub(super) fn of_neighbour(self, neighbour: &Collection, reference: &str) -> Self {
        let sql = format!("(SELECT {} FROM {} WHERE id = r.{reference})", self.sql, neighbour.relation());
        Self { sql, indexed: false, ..self }
    }
}

fn value(collection: &Collection, field: &str, target: &Target, options: &Options<'_>) -> String {
    if options.number && expression::computed(collection, field).is_none() {
        return expression::json(collection, field);
    }
    match (options.respect_case, options.respect_accents) {
        (false, false) => target.key.clone().unwrap_or_else(|| target.whole()),
        (false, true) => folded(target, &IndexKind::CaseFolded),
        (true, true) => folded(target, &IndexKind::Exact),
        (true, false) => format!("(carrel.unaccented({}) COLLATE \"C\")", target.text),
    }
}

fn folded(target: &Target, kind: &IndexKind) -> String {
    format!("({} COLLATE \"C\")", expression::whole(&target.text, kind))
}

/// The order of a list; records with equal keys come in the order of insertion.
pub(super) struct Order {
    columns: Vec<OrderColumn>,
    /// The first key is the record's id, which settles the order.
    by_id: bool,
}

impl Order {
    pub(super) fn of(columns: &[OrderColumn]) -> Self {
        let by_id = columns.first().is_some_and(|first| first.sql == "id");
        Self { columns: columns.to_vec(), by_id }
    }

    /// Whether an index leads from each record to the next; others are sorted by the further keys in small groups.
    pub(super) fn is_walkable(&self) -> bool {
        self.columns.first().is_none_or(|first| first.indexed)
    }

    /// The first key's SQL.
    pub(super) fn first(&self) -> Option<&str> {
        self.columns.first().map(|first| first.sql.as_str())
    }

    /// The column by which a walk finds its records again, and the columns that it reads beside the keys.
    pub(super) fn place(&self) -> (&'static str, &'static str) {
        match self.columns.is_empty() {
            true => ("seq", "r.seq"),
            false if self.by_id => ("id", "r.id"),
            false => ("id", "r.id, r.seq"),
        }
    }

    /// The keys as additional columns of a subquery.
    pub(super) fn keys(&self) -> String {
        let key = |(number, column): (usize, &OrderColumn)| format!(", {} AS key{number}", column.sql);
        self.columns.iter().enumerate().map(key).collect()
    }

    pub(super) fn key_names(&self) -> String {
        (0..self.columns.len()).map(|number| format!(", key{number}")).collect()
    }

    /// Orders by the key columns of that subquery.
    pub(super) fn by_key(&self, prefix: &str) -> String {
        if let (true, Some(id)) = (self.by_id, self.columns.first()) {
            return format!("{prefix}key0{}", direction(id));
        }
        let key = |(number, column): (usize, &OrderColumn)| format!("{prefix}key{number}{}, ", direction(column));
        let keys: String = self.columns.iter().enumerate().map(key).collect();
        format!("{keys}{prefix}seq")
    }

    /// Orders by expressions on the record, so that an index can be used.
    pub(super) fn by_value(&self) -> String {
        if let (true, Some(id)) = (self.by_id, self.columns.first()) {
            return format!("r.id{}", direction(id));
        }
        let key = |column: &OrderColumn| format!("{}{}, ", column.sql, direction(column));
        let keys: String = self.columns.iter().map(key).collect();
        format!("{keys}r.seq")
    }
}

fn direction(column: &OrderColumn) -> &'static str {
    if column.descending { " DESC" } else { "" }
}
