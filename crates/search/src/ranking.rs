//! The first documents in an order.

use std::{borrow::Borrow, cmp::Ordering, collections::BinaryHeap, sync::Arc};

use tantivy::{DocAddress, DocId, Score, SegmentOrdinal, SegmentReader, columnar::StrColumn};

use crate::{
    columns::Columns,
    fields::{Fields, ID, Kind},
};

/// What the documents found are sorted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// How well they fit the query.
    Relevance,
    /// A field with whole values; documents without one come last.
    Field(String),
}

/// One step of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    pub by: By,
    pub descending: bool,
}

/// Keeps the first documents in an order.
pub(crate) struct Ranking {
    /// Columns with the sense of their order; `None` is the relevance.
    steps: Arc<[(Option<String>, bool)]>,
    wanted: usize,
}

impl Ranking {
    /// The order of a request, with so many documents.
    pub(crate) fn of(fields: &Fields, sort: &[Sort], wanted: usize) -> Self {
        let mut steps: Vec<(Option<String>, bool)> = Vec::new();
        for Sort { by, descending } in sort {
            match by {
                By::Relevance => steps.push((None, !descending)),
                By::Field(name) if fields.kind(name).is_some_and(Kind::is_counted) => {
                    steps.push((Some(name.clone()), *descending));
                }
                By::Field(_) => {}
            }
        }
        if steps.is_empty() {
            steps.push((None, false));
        } else {
            steps.push((Some(ID.to_owned()), false));
        }
        Self { steps: steps.into(), wanted }
    }
}

/// What one step orders a document by.
#[derive(Debug, Clone, PartialEq)]
enum Rank<T> {
    Score(Score),
    Value(Option<T>),
}

/// A document among those kept.
#[derive(Debug, Clone)]
pub(crate) struct Ranked<T> {
    ranks: Vec<Rank<T>>,
    pub(crate) at: DocAddress,
    steps: Arc<[(Option<String>, bool)]>,
}

impl<T: Ord> Rank<T> {
    /// Documents without a value come last, whichever way the others are sorted.
    fn order(&self, other: &Self, turned: bool) -> Ordering {
        match (self, other) {
            (Self::Score(one), Self::Score(other)) if turned => one.total_cmp(other),
            (Self::Score(one), Self::Score(other)) => other.total_cmp(one),
            (Self::Value(Some(one)), Self::Value(Some(other))) if turned => other.cmp(one),
            (Self::Value(Some(one)), Self::Value(Some(other))) => one.cmp(other),
            (Self::Value(Some(_)), _) => Ordering::Less,
            (_, Self::Value(Some(_))) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }
}

impl<T: Ord> Ranked<T> {
    /// Where it stands to a document, whose ranks are found one by one: most documents differ in the first.
    fn order<R: Borrow<Rank<T>>>(&self, ranks: impl Iterator<Item = R>, at: DocAddress) -> Ordering {
        let of_steps = self.ranks.iter().zip(ranks).zip(self.steps.iter());
        let mut of_steps = of_steps.map(|((one, other), (_, turned))| one.order(other.borrow(), *turned));
        of_steps.find(|order| order.is_ne()).unwrap_or_else(|| self.at.cmp(&at))
    }
}

impl<T: Ord> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order(other.ranks.iter(), other.at)
    }
}

impl<T: Ord> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> PartialEq for Ranked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: Ord> Eq for Ranked<T> {}

/// The first documents of a segment.
pub(crate) struct SegmentRanking {
    segment: SegmentOrdinal,
    columns: Vec<Option<Option<StrColumn>>>,
    steps: Arc<[(Option<String>, bool)]>,
    wanted: usize,
    /// The last of those kept is on top.
    kept: BinaryHeap<Ranked<u64>>,
}

impl Ranking {
    pub(crate) fn for_segment(
        &self,
        columns: &Columns,
        segment: SegmentOrdinal,
        reader: &SegmentReader,
    ) -> tantivy::Result<SegmentRanking> {
        let column = |(name, _): &(Option<String>, bool)| match name {
            Some(name) => columns.get(name, reader).map(Some),
            None => Ok(None),
        };
        let columns = self.steps.iter().map(column).collect::<tantivy::Result<_>>()?;
        let (steps, wanted) = (Arc::clone(&self.steps), self.wanted);
        Ok(SegmentRanking { segment, columns, steps, wanted, kept: BinaryHeap::new() })
    }

    /// Whether documents are ordered by their relevance.
    pub(crate) fn requires_scoring(&self) -> bool {
        self.steps.iter().any(|(name, _)| name.is_none())
    }

    /// Puts the documents of all segments in their order, and leaves out those that are not wanted.
    pub(crate) fn arrange(&self, found: &mut Vec<Ranked<String>>) {
        found.sort_unstable();
        found.truncate(self.wanted);
    }
}

impl SegmentRanking {
    pub(crate) fn collect(&mut self, doc: DocId, score: Score) {
        // Of several values the one that comes first in the order counts.
        let first = |column: &StrColumn, turned: bool| {
            let values = column.term_ords(doc);
            if turned { values.max() } else { values.min() }
        };
        let ranks = self.columns.iter().zip(self.steps.iter()).map(|(column, (_, turned))| match column {
            None => Rank::Score(score),
            Some(column) => Rank::Value(column.as_ref().and_then(|column| first(column, *turned))),
        });
        let at = DocAddress::new(self.segment, doc);
        if self.kept.len() >= self.wanted {
            if self.kept.peek().is_none_or(|last| last.order(ranks.clone(), at).is_le()) {
                return;
            }
            self.kept.pop();
        }
        let ranks = ranks.collect();
        self.kept.push(Ranked { ranks, at, steps: Arc::clone(&self.steps) });
    }

    pub(crate) fn harvest(self) -> Vec<Ranked<String>> {
        let Self { columns, kept, .. } = self;
        let text = |place: usize, value: u64| {
            let mut text = String::new();
            let column = columns.get(place)?.as_ref()?.as_ref()?;
            column.ord_to_str(value, &mut text).unwrap_or(false).then_some(text)
        };
        let spelt = |ranked: Ranked<u64>| {
            let ranks = ranked.ranks.into_iter().enumerate().map(|(place, rank)| match rank {
                Rank::Score(score) => Rank::Score(score),
                Rank::Value(value) => Rank::Value(value.and_then(|value| text(place, value))),
            });
            Ranked { ranks: ranks.collect(), at: ranked.at, steps: ranked.steps }
        };
        kept.into_iter().map(spelt).collect()
    }
}
