//! Typed access to the columns of a row.

use postgres_types::{FromSqlOwned, Json};
use serde::de::DeserializeOwned;
use store::StoreError;

/// Reads columns by name; an unexpected type is an error, not a panic.
pub(super) trait Columns {
    /// Reads a column.
    fn column<T: FromSqlOwned>(&self, name: &str) -> Result<T, StoreError>;

    /// Reads a JSON column as a record; `None` for NULL.
    fn record<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError>;
}

impl Columns for store::db::Row {
    fn column<T: FromSqlOwned>(&self, name: &str) -> Result<T, StoreError> {
        self.try_get(name).map_err(StoreError::from)
    }

    fn record<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let value: Option<Json<T>> = self.column(name)?;
        Ok(value.map(|Json(record)| record))
    }
}
