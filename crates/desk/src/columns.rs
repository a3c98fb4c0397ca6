//! Columns of a row as typed values.

use postgres_types::{FromSqlOwned, Json};
use serde::de::DeserializeOwned;
use store::StoreError;

/// A row whose columns are read without panicking on an unexpected type.
pub(super) trait Columns {
    /// A column.
    fn column<T: FromSqlOwned>(&self, index: usize) -> Result<T, StoreError>;

    /// A JSON column as a record; none for NULL.
    fn record<T: DeserializeOwned>(&self, index: usize) -> Result<Option<T>, StoreError>;
}

impl Columns for store::db::Row {
    fn column<T: FromSqlOwned>(&self, index: usize) -> Result<T, StoreError> {
        self.try_get(index).map_err(StoreError::from)
    }

    fn record<T: DeserializeOwned>(&self, index: usize) -> Result<Option<T>, StoreError> {
        let value: Option<Json<T>> = self.column(index)?;
        Ok(value.map(|Json(record)| record))
    }
}
