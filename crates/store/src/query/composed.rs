//! Records of compact tables from rows that have their columns: PostgreSQL takes longer to compose a record than to hand over its
//! columns.

use std::convert::Infallible;

use serde_json::{Map, Value};
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::compact::{REST, column};
use crate::{
    collection::{Collection, KeptKind},
    db::Row,
    error::StoreError,
};

/// Composes the records of a compact table as the SQL function `doc(row)` does.
#[derive(Debug)]
pub struct Composed(Vec<Member>);

#[derive(Debug)]
struct Member {
    /// The object that it is a member of, if it is not one of the record itself.
    object: Option<&'static str>,
    name: &'static str,
    kind: KeptKind,
    column: String,
}

impl Composed {
    /// Of this collection, which is compact.
    pub fn of(collection: &Collection) -> Self {
        let members = collection.compact.iter().map(|kept| {
            let (object, name) =
                kept.path.split_once('.').map_or((None, kept.path), |(object, name)| (Some(object), name));
            Member { object, name, kind: kept.kind, column: column(kept) }
        });
        Self(members.collect())
    }

    /// The record of a row that has all columns of members, `id` and `rest` under their own names; `None` if `id` is NULL.
    ///
    /// # Errors
    /// [`StoreError`] if a column is missing.
    pub fn record(&self, row: &Row) -> Result<Option<Map<String, Value>>, StoreError> {
        let Some(id) = row.try_get::<_, Option<Uuid>>("id")? else { return Ok(None) };
        let rest: Option<Json<_>> = row.try_get(REST)?;
        self.compose(id.to_string().into(), rest.map(|Json(rest)| rest), |member| member.value(row)).map(Some)
    }

    /// An SQL expression for the columns of a row as JSON, from which [`Self::record_of`] makes the record.
    pub fn columns(&self, row: &str) -> String {
        let columns = ["id", REST].into_iter().chain(self.0.iter().map(|member| member.column.as_str()));
        let pairs: Vec<_> = columns.map(|column| format!("'{column}', {row}.{column}")).collect();
        format!("json_build_object({})", pairs.join(", "))
    }

    /// The record of a row whose columns were read as JSON.
    pub fn record_of(&self, mut columns: Map<String, Value>) -> Map<String, Value> {
        let mut column = |name: &str| columns.get_mut(name).map(Value::take).filter(|value| !value.is_null());
        let id = column("id").unwrap_or_default();
        let rest = match column(REST) {
            Some(Value::Object(rest)) => Some(rest),
            _ => None,
        };
        let Ok(record) = self.compose(id, rest, |member| Ok::<_, Infallible>(column(&member.column)));
        record
    }

    fn compose<E>(
        &self,
        id: Value,
        rest: Option<Map<String, Value>>,
        mut value: impl FnMut(&Member) -> Result<Option<Value>, E>,
    ) -> Result<Map<String, Value>, E> {
        let mut record = Map::with_capacity(self.0.len());
        record.insert("id".into(), id);
        for member in &self.0 {
            let Some(value) = value(member)? else { continue };
            let holder = match member.object {
                None => Some(&mut record),
                Some(object) => record.entry(object).or_insert_with(|| Map::new().into()).as_object_mut(),
            };
            if let Some(holder) = holder {
                holder.insert(member.name.into(), value);
            }
        }
        record.extend(rest.into_iter().flatten());
        Ok(record)
    }
}

impl Member {
    fn value(&self, row: &Row) -> Result<Option<Value>, StoreError> {
        let column = self.column.as_str();
        Ok(match self.kind {
            KeptKind::Uuid => row.try_get::<_, Option<Uuid>>(column)?.map(|id| id.to_string().into()),
            KeptKind::Int => row.try_get::<_, Option<i32>>(column)?.map(Value::from),
            KeptKind::Text => row.try_get::<_, Option<&str>>(column)?.map(Value::from),
        })
    }
}
