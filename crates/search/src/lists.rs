//! Ordered lists: the values of a field in their order, from any place on, both ways, with how many documents have them.
//!
//! A value of such a field is an [`entry`]: the row of a list that it stands for, in a group that lists can be narrowed to, and
//! a tail. The dictionary of a segment has its values in order; a walk merges those of all groups and segments that it is
//! asked for, from a place on, so it reads no more of them than it passes on.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, binary_heap::PeekMut},
    io,
    sync::{Arc, PoisonError},
};

use tantivy::{DocId, Searcher, postings::TermInfo, schema::Field as Column, termdict::TermDictionary};

use crate::{
    SearchError,
    index::Reader,
    segment::{FEW, Segment},
    tally::Groups,
    terms::Walk,
};

/// Ends a group and a row.
const END: char = '\0';
/// Ends what a group says of its rows: groups with the same beginning up to it have rows in common.
pub const OF_ROW: char = '\u{1}';

/// A value of an ordered field. All rows of a field have the same number of parts between characters 0, which neither a group
/// nor a tail may have.
pub fn entry(group: &str, row: &str, tail: &str) -> String {
    format!("{group}{END}{row}{END}{tail}")
}

/// Where a walk begins, and which way it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// At the first row that does not come before this.
    From(String),
    /// At the last row that comes before this, and back.
    Before(String),
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub row: String,
    /// What its groups say of it.
    pub group: String,
    /// Different ones, in order, without empty ones.
    pub tails: Vec<String>,
    /// How many documents have it.
    pub documents: u64,
    /// The id of the document, if only one has it.
    pub only: Option<String>,
}

/// One value of a row.
struct OfRow {
    segment: usize,
    group: Arc<str>,
    tail: Vec<u8>,
    found: TermInfo,
}

/// A row with all its values.
pub(crate) struct Found<'a> {
    segments: &'a [Segment<'a>],
    row: &'a [u8],
    values: &'a mut [OfRow],
}

/// The values of one group in one segment, and the one that is next.
struct Head<'a> {
    segment: usize,
    group: Arc<str>,
    is_backward: bool,
    values: Walk<'a>,
    /// The row and the tail.
    next: Vec<u8>,
    row_ends: usize,
}

impl Head<'_> {
    fn advance(&mut self) -> io::Result<bool> {
        if !self.values.advance()? {
            return Ok(false);
        }
        // A walk has no end of its own: it would look through other groups.
        let rest = self.values.key().strip_prefix(self.group.as_bytes());
        let Some([0, rest @ ..]) = rest else { return Ok(false) };
        self.next.clear();
        self.next.extend_from_slice(rest);
        self.row_ends = rest.iter().rposition(|byte| *byte == 0).unwrap_or(rest.len());
        Ok(true)
    }

    fn row(&self) -> &[u8] {
        &self.next[..self.row_ends]
    }

    fn tail(&self) -> &[u8] {
        self.next.get(self.row_ends + 1..).unwrap_or_default()
    }

    fn place(&self) -> (&[u8], &str, &[u8], usize) {
        (self.row(), &self.group, self.tail(), self.segment)
    }
}

impl Ord for Head<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.place().cmp(&other.place());
        // The greatest is on top of a heap.
        if self.is_backward { order } else { order.reverse() }
    }
}

impl PartialOrd for Head<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head<'_> {}

/// What a group says of its rows.
fn of_row(group: &str) -> &str {
    group.split(OF_ROW).next().unwrap_or_default()
}

impl Found<'_> {
    pub(crate) fn row(&self) -> &[u8] {
        self.row
    }

    /// How many values it has, those of deleted documents counted.
    pub(crate) fn values(&self) -> u64 {
        self.values.len() as u64
    }

    /// The groups that documents have it in, in order.
    pub(crate) fn groups(&self) -> Result<Vec<Arc<str>>, SearchError> {
        let mut groups: Vec<Arc<str>> = Vec::new();
        for value in self.values.iter() {
            if groups.last() != Some(&value.group) && self.segments[value.segment].has(&value.found)? {
                groups.push(Arc::clone(&value.group));
            }
        }
        Ok(groups)
    }

    /// The row as documents have it; `None` if none has.
    fn line(self) -> Result<Option<Line>, SearchError> {
        self.values.sort_by_key(|value| value.segment);
        let (mut documents, mut last) = (0, None);
        let mut tails: Vec<&[u8]> = Vec::new();
        for values in self.values.chunk_by(|one, other| one.segment == other.segment) {
            let place = values[0].segment;
            let segment = &self.segments[place];
            if let [value] = values
                && value.found.doc_freq > FEW
            {
                // Which one it is, if it is only one, is read below.
                match segment.alive(&value.found)? {
                    0 => continue,
                    1 => {}
                    several => {
                        documents += u64::from(several);
                        tails.push(&value.tail);
                        continue;
                    }
                }
            }
            let mut all: Vec<DocId> = Vec::new();
            for value in values {
                let before = all.len();
                all.extend(segment.having(&value.found)?);
                if all.len() > before {
                    tails.push(&value.tail);
                }
            }
            if values.len() > 1 {
                all.sort_unstable();
                all.dedup();
            }
            documents += all.len() as u64;
            last = all.last().map(|document| (segment, *document)).or(last);
        }
        if documents == 0 {
            return Ok(None);
        }
        tails.sort_unstable();
        tails.dedup();
        tails.retain(|tail| !tail.is_empty());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let group = self.values.first().map_or("", |value| of_row(&value.group)).to_owned();
        let only = match last.filter(|_| documents == 1) {
            Some((segment, document)) => segment.id(document)?,
            None => None,
        };
        let tails = tails.into_iter().map(text).collect();
        Ok(Some(Line { row: text(self.row), group, tails, documents, only }))
    }
}

/// The groups in a dictionary: each is found by a look past the one before.
fn groups(values: &TermDictionary) -> io::Result<Vec<Arc<str>>> {
    let mut found = Vec::new();
    let mut from = Vec::new();
    loop {
        let mut stream = values.range().ge(&from).into_stream()?;
        if !stream.advance() {
            return Ok(found);
        }
        let group = stream.key().split(|byte| *byte == 0).next().unwrap_or_default();
        found.push(Arc::from(&*String::from_utf8_lossy(group)));
        from = [group, &[1]].concat();
    }
}

impl Reader {
    /// Up to so many rows of the groups that are wanted, in the order of the walk. A row counts documents of these groups
    /// only. Of a field that has no order there are none.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn lines(
        &self,
        field: &str,
        wanted: &dyn Fn(&str) -> bool,
        start: &Start,
        at_most: usize,
    ) -> Result<Vec<Line>, SearchError> {
        let mut lines = Vec::new();
        if at_most > 0 {
            self.walk(&self.searcher(), field, wanted, start, &mut |found| {
                lines.extend(found.line()?);
                Ok(lines.len() < at_most)
            })?;
        }
        Ok(lines)
    }

    fn groups(&self, searcher: &Searcher, segment: &Segment<'_>, column: Column) -> io::Result<Groups> {
        let known = || self.tallies.groups.lock().unwrap_or_else(PoisonError::into_inner);
        let id = segment.reader.segment_id();
        if let Some(groups) = known().get(&(id, column)) {
            return Ok(Arc::clone(groups));
        }
        let groups: Groups = groups(segment.values.terms())?.into();
        let mut known = known();
        known.retain(|(id, _), _| searcher.segment_readers().iter().any(|reader| reader.segment_id() == *id));
        known.insert((id, column), Arc::clone(&groups));
        Ok(groups)
    }

    /// Passes on rows, also those that no document has any more, until it is told to stop.
    pub(crate) fn walk(
        &self,
        searcher: &Searcher,
        field: &str,
        wanted: &dyn Fn(&str) -> bool,
        start: &Start,
        take: &mut dyn FnMut(Found<'_>) -> Result<bool, SearchError>,
    ) -> Result<(), SearchError> {
        let Some((_, column)) = self.fields().get(field) else { return Ok(()) };
        let mut segments = Vec::new();
        for reader in searcher.segment_readers() {
            segments.push(Segment::of(reader, column)?);
        }
        let mut heads = BinaryHeap::new();
        for (place, segment) in segments.iter().enumerate() {
            for group in self.groups(searcher, segment, column)?.iter().filter(|group| wanted(group)) {
                let at = |row: &str| format!("{group}{END}{row}");
                let terms = segment.values.terms();
                let (is_backward, values) = match start {
                    Start::From(row) => (false, Walk::from(terms, at(row))?),
                    Start::Before(row) => (true, Walk::before(terms, at(row))?),
                };
                let group = Arc::clone(group);
                let mut head = Head { segment: place, group, is_backward, values, next: Vec::new(), row_ends: 0 };
                if head.advance()? {
                    heads.push(head);
                }
            }
        }
        let (mut row, mut values): (Vec<u8>, Vec<OfRow>) = (Vec::new(), Vec::new());
        while let Some(mut head) = heads.peek_mut() {
            let is_next = match values.first() {
                Some(OfRow { group, .. }) => head.row() != row || of_row(&head.group) != of_row(group),
                None => false,
            };
            if is_next {
                if !take(Found { segments: &segments, row: &row, values: &mut values })? {
                    return Ok(());
                }
                values.clear();
            }
            if values.is_empty() {
                row.clear();
                row.extend_from_slice(head.row());
            }
            let (group, tail, found) = (Arc::clone(&head.group), head.tail().to_vec(), head.values.documents());
            values.push(OfRow { segment: head.segment, group, tail, found });
            if !head.advance()? {
                PeekMut::pop(head);
            }
        }
        if !values.is_empty() {
            take(Found { segments: &segments, row: &row, values: &mut values })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::{
        document::{Document, Shown},
        fields::{Fields, Kind},
        index::Writer,
    };

    /// Group, row, tail.
    type Value = (&'static str, &'static str, &'static str);

    fn value() -> impl Strategy<Value = Value> {
        let group = prop::sample::select(vec!["", "a", "a\u{1}x", "a\u{1}y", "b", "b\u{1}x", "~"]);
        let row = prop::sample::select(vec!["", "1", "10", "2", "a", "aa", "ab", "b", "ä", "zz"]);
        (group, row, prop::sample::select(vec!["", "t", "u"]))
    }

    /// All rows of a group that are wanted, from a place on.
    fn expected(documents: &BTreeMap<u8, Vec<Value>>, wanted: &str, start: &Start) -> Vec<Line> {
        let mut rows = BTreeMap::new();
        for (id, values) in documents {
            for (group, row, tail) in values.iter().filter(|(group, ..)| group.ends_with(wanted)) {
                let none = (BTreeSet::new(), BTreeSet::new());
                let (tails, ids): &mut (BTreeSet<&str>, BTreeSet<u8>) =
                    rows.entry((*row, of_row(group))).or_insert(none);
                tails.extend(Some(*tail).filter(|tail| !tail.is_empty()));
                ids.insert(*id);
            }
        }
        let mut lines: Vec<Line> = rows
            .into_iter()
            .map(|((row, group), (tails, ids))| Line {
                row: row.to_owned(),
                group: group.to_owned(),
                tails: tails.into_iter().map(str::to_owned).collect(),
                documents: ids.len() as u64,
                only: ids.first().filter(|_| ids.len() == 1).map(u8::to_string),
            })
            .filter(|line| match start {
                Start::From(row) => line.row.as_bytes() >= row.as_bytes(),
                Start::Before(row) => line.row.as_bytes() < row.as_bytes(),
            })
            .collect();
        if matches!(start, Start::Before(_)) {
            lines.reverse();
        }
        lines
    }

    #[test]
    fn deleted_documents_do_not_count_among_many() {
        let folder = tempfile::tempdir().expect("a folder");
        let fields = Arc::new(Fields::declare([("list", Kind::Ordered)]));
        let mut writer = Writer::open(folder.path(), fields).expect("an index");
        for id in 0..1_000 {
            let hidden = [("list", entry("a", if id % 2 == 0 { "even" } else { "odd" }, ""))].into_iter().collect();
            let (id, shown) = (format!("{id:03}"), Shown::Text("{}".to_owned()));
            writer.add(&Document { id: id.clone(), source: id, shown, hidden }).expect("a document");
        }
        writer.commit("1").expect("a commit");
        let counts = |writer: &Writer| {
            let lines = writer.reader().lines("list", &|_| true, &Start::From(String::new()), 10).expect("lines");
            assert!(lines.iter().all(|line| line.only.is_some() == (line.documents == 1)));
            lines.into_iter().map(|line| (line.row, line.documents)).collect::<Vec<_>>()
        };
        // First few are deleted, then most, then all but one, then all.
        for (deleted, even, odd) in [(0..21, 489, 490), (21..900, 50, 50), (900..999, 0, 1), (999..1_000, 0, 0)] {
            deleted.for_each(|id| writer.delete(&format!("{id:03}")));
            writer.commit(&even.to_string()).expect("a commit");
            let expected = [("even".to_owned(), even), ("odd".to_owned(), odd)];
            assert_eq!(counts(&writer), expected.into_iter().filter(|(_, count)| *count > 0).collect::<Vec<_>>());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn a_walk_finds_what_a_sorted_list_has(
            steps in prop::collection::vec((0_u8..8, prop::collection::vec(value(), 0..6), 0_u8..4), 1..24),
            at in prop::sample::select(vec!["", "0", "1", "10", "a", "ab", "abc", "b", "zz", "~"]),
            wanted in prop::sample::select(vec!["", "x", "a"]),
            at_most in 1_usize..30,
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let fields = Arc::new(Fields::declare([("list", Kind::Ordered)]));
            let mut writer = Writer::open(folder.path(), fields).expect("an index");
            let mut documents: BTreeMap<u8, Vec<Value>> = BTreeMap::new();
            for (place, (id, values, then)) in steps.iter().enumerate() {
                writer.delete(&id.to_string());
                documents.remove(id);
                if *then > 0 {
                    let hidden = values.iter().map(|(group, row, tail)| ("list", entry(group, row, tail)));
                    let (hidden, shown) = (hidden.collect(), Shown::Text("{}".to_owned()));
                    let document = Document { id: id.to_string(), source: id.to_string(), shown, hidden };
                    writer.add(&document).expect("a document");
                    documents.insert(*id, values.clone());
                }
                if *then > 2 {
                    writer.commit(&place.to_string()).expect("a commit");
                }
            }
            writer.commit("last").expect("a commit");
            let reader = writer.reader();
            for start in [Start::From(at.to_owned()), Start::Before(at.to_owned())] {
                let lines = reader.lines("list", &|group| group.ends_with(wanted), &start, at_most).expect("lines");
                let mut all = expected(&documents, wanted, &start);
                all.truncate(at_most);
                prop_assert_eq!(lines, all, "{:?}", start);
            }
            let total = expected(&documents, wanted, &Start::From(String::new())).len();
            let tally = reader.tally("list").expect("a tally");
            let fitting = tally.rows().filter(|(groups, _)| groups.iter().any(|group| group.ends_with(wanted)));
            prop_assert_eq!(fitting.map(|(_, rows)| rows).sum::<u64>(), total as u64);
            writer.close().expect("the end");
        }
    }
}
