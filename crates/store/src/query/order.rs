//! `sortby` (docs/folio/cql.md#sorting): folded text, numbers as numbers, ids as ids; records without the
//! value come last, or first in descending order, as PostgreSQL does by itself.

use cql::{Error, Options, SortKey};

use crate::collection::{Collection, IndexKind};

use super::target::Target;
use super::{expression, id_column};

/// One column of the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderColumn {
    /// What is compared.
    pub sql: String,
    pub descending: bool,
}

/// The column for a sort key; `None` for a field that nobody declared, which orders nothing.
///
/// # Errors
/// An unknown modifier.
pub fn column(collection: &Collection, key: &SortKey) -> Result<Option<OrderColumn>, Error> {
    let options = Options::read(&key.modifiers)?;
    let sql = match id_column(collection, key.index()) {
        Some(column) => Some(column.name),
        None => Target::find(collection, key.index())
            .map(|target| value(collection, key.index(), &target, &options)),
    };
    Ok(sql.map(|sql| OrderColumn {
        sql,
        descending: options.descending,
    }))
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
