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
}

/// The column of a sort key; `None` for an undeclared field, which does not affect the order.
///
/// # Errors
/// An unknown modifier.
pub fn column(collection: &Collection, key: &SortKey) -> Result<Option<OrderColumn>, Error> {
    let options = Options::read(&key.modifiers)?;
    let sql = match id_column(collection, key.index()) {
        Some(column) => Some(column.name),
        None => Target::find(collection, key.index()).map(|target| value(collection, key.index(), &target, &options)),
    };
    Ok(sql.map(|sql| OrderColumn { sql, descending: options.descending }))
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
