//! Rows from the target itself, page by page.

use std::{borrow::Cow, collections::HashSet};

use serde_json::Value;

use super::{DataError, pool::Row};
use crate::{
    access::Access,
    client::{Answer, Connection},
    workload::{
        Draw, Paging,
        template::{Slot, Values},
    },
};

/// Records a page: what FOLIO still answers fast.
const LIMIT: usize = 1000;
/// The largest page of ArchivesSpace.
const PAGE_SIZE: usize = 250;

/// The rows, and the first path that was asked for. Records that lack a column are passed over; no row comes twice.
pub(super) async fn draw(
    set: &str,
    draw: &Draw,
    access: &Access,
    before: &[Vec<Row>],
) -> Result<(Vec<Row>, String), DataError> {
    let mut drawer = Drawer {
        set,
        draw,
        access,
        rows: Vec::new(),
        known: HashSet::new(),
    };
    let none: Row = Row::from([]);
    let each = draw
        .each
        .map_or(std::slice::from_ref(&none), |each| before[each].as_slice());
    let mut first = String::new();
    for row in each {
        let mut path = String::new();
        // A column of a row is always there.
        let _ = draw.path.fill(&mut path, &OneRow(row));
        drawer.list(&path).await?;
        if first.is_empty() {
            first = path;
        }
    }
    Ok((drawer.rows, first))
}

struct OneRow<'a>(&'a Row);

impl Values for OneRow<'_> {
    fn value(&self, slot: Slot) -> Option<Cow<'_, str>> {
        match slot {
            Slot::Row { column, .. } => self.0.get(column).map(Cow::from),
            _ => None,
        }
    }
}

struct Drawer<'a> {
    set: &'a str,
    draw: &'a Draw,
    access: &'a Access,
    rows: Vec<Row>,
    known: HashSet<Row>,
}

impl Drawer<'_> {
    async fn list(&mut self, path: &str) -> Result<(), DataError> {
        let connected = self.access.target.connect().await;
        let mut connection = connected.map_err(|failure| self.unreachable(path, failure))?;
        let mut page = 0;
        while self.rows.len() < self.draw.most {
            let paged = self.paged(path, page);
            let records = self.page(&mut connection, &paged).await?;
            self.take(&records);
            let full = match self.draw.paging {
                Paging::Offset => LIMIT.min(self.draw.most),
                Paging::Page => PAGE_SIZE,
                Paging::Whole => usize::MAX,
            };
            if records.len() < full {
                break;
            }
            page += 1;
        }
        Ok(())
    }

    fn paged(&self, path: &str, page: usize) -> String {
        let separator = if path.contains('?') { '&' } else { '?' };
        match self.draw.paging {
            Paging::Offset => {
                let limit = LIMIT.min(self.draw.most);
                format!("{path}{separator}limit={limit}&offset={}", page * limit)
            }
            Paging::Page => format!("{path}{separator}page={}&page_size={PAGE_SIZE}", page + 1),
            Paging::Whole => path.to_owned(),
        }
    }

    async fn page(&self, connection: &mut Connection, path: &str) -> Result<Vec<Value>, DataError> {
        let answer = self.access.get(connection, path).await;
        let answer = answer.map_err(|failure| self.unreachable(path, failure))?;
        let parsed: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let list = parsed
            .filter(|_| answer.status == 200)
            .and_then(|mut body| {
                let list = body.pointer_mut(&self.draw.list)?;
                Some(list.as_array_mut()?.split_off(0))
            });
        list.ok_or_else(|| self.no_list(path, &answer))
    }

    fn take(&mut self, records: &[Value]) {
        for record in records {
            let Some(row) = self.row(record) else {
                continue;
            };
            if self.rows.len() < self.draw.most && self.known.insert(Row::clone(&row)) {
                self.rows.push(row);
            }
        }
    }

    fn row(&self, record: &Value) -> Option<Row> {
        let value = |pointer: &String| match record.pointer(pointer)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let mut row: Vec<String> = self
            .draw
            .pointers
            .iter()
            .map(value)
            .collect::<Option<_>>()?;
        for (column, from, to) in &self.draw.replaced {
            row.push(row[*column].replace(from, to));
        }
        Some(row.into())
    }

    fn unreachable(&self, path: &str, failure: crate::client::Failure) -> DataError {
        DataError::Unreachable {
            set: self.set.to_owned(),
            path: path.to_owned(),
            failure,
        }
    }

    fn no_list(&self, path: &str, answer: &Answer) -> DataError {
        let list = if self.draw.list.is_empty() {
            "a list".to_owned()
        } else {
            format!("a list at {}", self.draw.list)
        };
        let said = format!("{} without {list}: {}", answer.status, answer.excerpt(200));
        DataError::NoList {
            set: self.set.to_owned(),
            path: path.to_owned(),
            said,
        }
    }
}
