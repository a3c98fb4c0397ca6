//! Rows from the target itself, page by page.

use std::{
    borrow::Cow,
    collections::HashSet,
    time::{Duration, Instant},
};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{DataError, pool::Row};
use crate::{
    access::Access,
    client::{Answer, Connection},
    progress::Progress,
    workload::{
        DataSet, Draw, Paging,
        template::{Slot, Values},
    },
};

/// Records per page: FOLIO still answers fast.
const LIMIT: usize = 1000;
/// The largest page of ArchivesSpace.
const PAGE_SIZE: usize = 250;
/// When drawing takes long, this many rows suffice, or as many as the workload needs.
const ENOUGH: usize = 1000;
/// Interval of progress messages.
const REPORT_EVERY: Duration = Duration::from_secs(1);

/// The drawn rows.
pub(super) struct Drawn {
    pub rows: Vec<Row>,
    /// The first path requested.
    pub path: String,
    /// Why there may be more, for the report.
    pub cut_short: Option<String>,
}

/// Draws the rows of a data set, without duplicates. Skips records that lack a column.
pub(super) async fn draw(
    set: &DataSet,
    draw: &Draw,
    access: &Access,
    before: &[Vec<Row>],
    progress: &dyn Progress,
) -> Result<Drawn, DataError> {
    let now = Instant::now();
    let mut drawer = Drawer {
        set: &set.name,
        draw,
        access,
        progress,
        least: set.least.max(ENOUGH),
        began: now,
        reported: now,
        rows: Vec::new(),
        known: HashSet::new(),
    };
    progress.drawing(&format!("drawing {:?}", set.name));
    let none: Row = Row::from([]);
    let each = draw.each.map_or(std::slice::from_ref(&none), |each| before[each].as_slice());
    let mut first = String::new();
    for row in each {
        if drawer.enough() {
            break;
        }
        let mut path = String::new();
        // A row always has all its columns.
        let _ = draw.path.fill(&mut path, &OneRow(row));
        drawer.list(&path).await?;
        if first.is_empty() {
            first = path;
        }
    }
    Ok(drawer.drawn(first))
}

/// The list's path ordered by id, after the given id.
fn beyond(path: &str, last: Option<&str>) -> String {
    let (list, parameters) = path.split_once('?').unwrap_or((path, ""));
    let (mut condition, mut others) = (None, String::new());
    for parameter in parameters.split('&').filter(|text| !text.is_empty()) {
        match parameter.strip_prefix("query=") {
            Some("" | "cql.allRecords=1") => {}
            Some(text) => condition = Some(format!("({text})")),
            None => {
                others.push('&');
                others.push_str(parameter);
            }
        }
    }
    let last = last.map(|last| {
        let last = utf8_percent_encode(last, NON_ALPHANUMERIC);
        format!("id%3E%22{last}%22")
    });
    let query = match (condition, last) {
        (Some(condition), Some(last)) => format!("{condition}%20and%20{last}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "cql.allRecords=1".to_owned(),
    };
    format!("{list}?query={query}%20sortby%20id{others}")
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
    progress: &'a dyn Progress,
    /// Drawing may end early with this many rows.
    least: usize,
    began: Instant,
    reported: Instant,
    rows: Vec<Row>,
    known: HashSet<Row>,
}

impl Drawer<'_> {
    async fn list(&mut self, path: &str) -> Result<(), DataError> {
        let connected = self.access.target.connect().await;
        let mut connection = connected.map_err(|failure| self.unreachable(path, failure))?;
        let (mut page, mut last) = (0, None);
        while self.rows.len() < self.draw.most && !self.enough() {
            let paged = self.paged(path, page, last.as_deref());
            let records = self.page(&mut connection, &paged).await?;
            self.take(&records);
            self.say();
            let full = match self.draw.paging {
                Paging::Key | Paging::Offset => LIMIT.min(self.draw.most),
                Paging::Page => PAGE_SIZE,
                Paging::Whole => usize::MAX,
            };
            if records.len() < full {
                break;
            }
            if self.draw.paging == Paging::Key {
                last = Some(self.key(&paged, &records)?);
            }
            page += 1;
        }
        Ok(())
    }

    /// Whether drawing takes too long and there are enough rows.
    fn enough(&self) -> bool {
        self.rows.len() >= self.least && self.began.elapsed() >= self.draw.within
    }

    fn say(&mut self) {
        if self.reported.elapsed() >= REPORT_EVERY {
            self.reported = Instant::now();
            let (set, rows) = (self.set, self.rows.len());
            self.progress.drawing(&format!("drawing {set:?}: {rows} rows"));
        }
    }

    fn drawn(self, path: String) -> Drawn {
        let (set, rows) = (self.set, self.rows.len());
        let took = self.began.elapsed().as_secs_f64();
        self.progress.drawing(&format!("{rows} rows of {set:?} in {took:.1} s"));
        let cut_short = (rows < self.draw.most && self.enough()).then(|| {
            format!(
                "only {rows} rows of {set:?} were drawn, because that took {took:.1} s; --data '{set}=FILE.csv' gives more"
            )
        });
        Drawn { rows: self.rows, path, cut_short }
    }

    /// The id after which the next page starts.
    fn key(&self, path: &str, records: &[Value]) -> Result<String, DataError> {
        let last = records.last().and_then(|record| record["id"].as_str());
        last.map(str::to_owned).ok_or_else(|| DataError::NoList {
            set: self.set.to_owned(),
            path: path.to_owned(),
            detail: "records without ids; use paging = \"offset\", which needs none".to_owned(),
        })
    }

    fn paged(&self, path: &str, page: usize, last: Option<&str>) -> String {
        let separator = if path.contains('?') { '&' } else { '?' };
        match self.draw.paging {
            Paging::Key => {
                let limit = LIMIT.min(self.draw.most);
                format!("{}&limit={limit}", beyond(path, last))
            }
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
        let list = parsed.filter(|_| answer.status == 200).and_then(|mut body| {
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
        let mut row: Vec<String> = self.draw.pointers.iter().map(value).collect::<Option<_>>()?;
        for (column, from, to) in &self.draw.replaced {
            row.push(row[*column].replace(from, to));
        }
        Some(row.into())
    }

    fn unreachable(&self, path: &str, failure: crate::client::Failure) -> DataError {
        DataError::Unreachable { set: self.set.to_owned(), path: path.to_owned(), failure }
    }

    fn no_list(&self, path: &str, answer: &Answer) -> DataError {
        let list =
            if self.draw.list.is_empty() { "a list".to_owned() } else { format!("a list at {}", self.draw.list) };
        let detail = format!("{} without {list}: {}", answer.status, answer.excerpt(200));
        DataError::NoList { set: self.set.to_owned(), path: path.to_owned(), detail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_continues_after_an_id() {
        for (path, last, expected) in [
            ("/a", None, "/a?query=cql.allRecords=1%20sortby%20id"),
            ("/a", Some("x-1"), "/a?query=id%3E%22x%2D1%22%20sortby%20id"),
            ("/a?query=cql.allRecords=1", Some("x"), "/a?query=id%3E%22x%22%20sortby%20id"),
            ("/a?query=b==1%20or%20c==2&full=true", None, "/a?query=(b==1%20or%20c==2)%20sortby%20id&full=true"),
            (
                "/a?full=true&query=b==1%20or%20c==2",
                Some("x"),
                "/a?query=(b==1%20or%20c==2)%20and%20id%3E%22x%22%20sortby%20id&full=true",
            ),
        ] {
            assert_eq!(beyond(path, last), expected);
        }
    }
}
