//! Single-column results, and rows streamed for answers that do not fit in memory.

use std::{
    error::Error,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::{BufMut, BytesMut};
use futures_util::Stream;
use serde::Serialize;
use serde_json::Value;
use tokio::time::{Sleep, sleep_until};
use tokio_postgres::{
    Row, RowStream,
    types::{FromSql, FromSqlOwned, IsNull, ToSql, Type, to_sql_checked},
};

use super::lease::{Budget, Lease};
use crate::error::StoreError;

/// The first byte of a value of the type jsonb.
const FORMAT_OF_JSONB: u8 = 1;

/// The value of a single-column row. Rows with more columns are read by name, so that a new column cannot shift the
/// others.
pub fn only<T: FromSqlOwned>(row: &Row) -> Result<T, StoreError> {
    match row.columns() {
        [_] => Ok(row.try_get(0)?),
        columns => Err(StoreError::Other(format!("{} columns, not one", columns.len()))),
    }
}

/// A JSON value as the database sends and takes it. Parsing and writing many of them takes processor time, which is not always
/// spent where they are read or sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unparsed(String);

impl Unparsed {
    /// The value as text.
    ///
    /// # Errors
    /// It is no JSON value.
    pub fn of(value: &impl Serialize) -> serde_json::Result<Self> {
        serde_json::to_string(value).map(Self)
    }

    /// The value.
    pub fn parsed(&self) -> Value {
        // PostgreSQL sends no other JSON.
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

impl<'a> FromSql<'a> for Unparsed {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        JsonText::from_sql(kind, raw).map(|JsonText(text)| Self(text.to_owned()))
    }

    fn accepts(kind: &Type) -> bool {
        JsonText::accepts(kind)
    }
}

impl ToSql for Unparsed {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        if *kind == Type::JSONB {
            out.put_u8(FORMAT_OF_JSONB);
        }
        out.put_slice(self.0.as_bytes());
        Ok(IsNull::No)
    }

    fn accepts(kind: &Type) -> bool {
        JsonText::accepts(kind)
    }

    to_sql_checked!();
}

/// The text of a JSON value, where the row has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonText<'a>(pub &'a str);

impl<'a> FromSql<'a> for JsonText<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        // Of jsonb, the version of its format comes first.
        let text = if *kind == Type::JSONB { raw.get(1..).unwrap_or_default() } else { raw };
        Ok(Self(std::str::from_utf8(text)?))
    }

    fn accepts(kind: &Type) -> bool {
        matches!(*kind, Type::JSON | Type::JSONB)
    }
}

/// The rows of a statement, read from the database on demand. They hold the connection until the last row is read;
/// dropping them earlier cancels the statement.
pub struct Rows {
    rows: Pin<Box<RowStream>>,
    lease: Option<Lease>,
    deadline: Option<(Pin<Box<Sleep>>, Duration)>,
}

impl Rows {
    /// `lease` has already started the statement.
    pub(super) fn new(rows: RowStream, lease: Lease, budget: Budget) -> Self {
        let deadline = budget.end();
        Self {
            rows: Box::pin(rows),
            lease: Some(lease),
            deadline: deadline.map(|(end, limit)| (Box::pin(sleep_until(end)), limit)),
        }
    }
}

impl Stream for Rows {
    type Item = Result<Row, StoreError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.lease.is_none() {
            return Poll::Ready(None);
        }
        if let Some((deadline, limit)) = &mut this.deadline
            && deadline.as_mut().poll(context).is_ready()
        {
            this.lease = None;
            return Poll::Ready(Some(Err(StoreError::Late(*limit))));
        }
        match this.rows.as_mut().poll_next(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Some(Ok(row))) => Poll::Ready(Some(Ok(row))),
            Poll::Ready(Some(Err(error))) => {
                this.lease = None;
                Poll::Ready(Some(Err(error.into())))
            }
            Poll::Ready(None) => {
                if let Some(lease) = this.lease.take() {
                    lease.settle();
                }
                Poll::Ready(None)
            }
        }
    }
}
