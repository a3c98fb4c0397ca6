//! Collects what an answer needs of the documents found, all at once: their number, those of the page, and counts of values.

use std::collections::HashMap;

use tantivy::{
    DocId, Score, SegmentOrdinal, SegmentReader,
    collector::{Collector, SegmentCollector},
};

use crate::{
    facets::{Counting, SegmentCounting},
    ranking::{Ranked, Ranking, SegmentRanking},
};

/// Documents whose values are counted at once.
const AT_ONCE: usize = 1024;

/// What is collected.
pub(crate) struct Collecting {
    /// `None` if no document is wanted.
    pub(crate) page: Option<Ranking>,
    /// `None` for fields whose values cannot be counted.
    pub(crate) facets: Vec<Option<Counting>>,
}

/// What was collected.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) total: usize,
    /// In their order.
    pub(crate) page: Vec<Ranked<String>>,
    /// As asked for.
    pub(crate) facets: Vec<HashMap<String, u64>>,
}

pub(crate) struct SegmentCollecting {
    total: usize,
    page: Option<SegmentRanking>,
    facets: Vec<Option<SegmentCounting>>,
    /// Documents whose values are not counted yet.
    documents: Vec<DocId>,
}

impl Collector for Collecting {
    type Fruit = Collected;
    type Child = SegmentCollecting;

    fn for_segment(&self, segment: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<SegmentCollecting> {
        let page = self.page.as_ref().map(|page| page.for_segment(segment, reader)).transpose()?;
        let counting = |facet: &Option<Counting>| facet.as_ref().map(|facet| facet.for_segment(reader)).transpose();
        let facets = self.facets.iter().map(counting).collect::<tantivy::Result<_>>()?;
        Ok(SegmentCollecting { total: 0, page, facets, documents: Vec::with_capacity(AT_ONCE) })
    }

    fn requires_scoring(&self) -> bool {
        self.page.as_ref().is_some_and(Ranking::requires_scoring)
    }

    fn merge_fruits(&self, segments: Vec<Collected>) -> tantivy::Result<Collected> {
        let mut all = Collected { facets: vec![HashMap::new(); self.facets.len()], ..Collected::default() };
        for segment in segments {
            all.total += segment.total;
            all.page.extend(segment.page);
            for (all, counts) in all.facets.iter_mut().zip(segment.facets) {
                counts.into_iter().for_each(|(value, count)| *all.entry(value).or_insert(0) += count);
            }
        }
        if let Some(page) = &self.page {
            page.arrange(&mut all.page);
        }
        Ok(all)
    }
}

impl SegmentCollecting {
    fn count(&mut self) {
        self.facets.iter_mut().flatten().for_each(|facet| facet.count(&self.documents));
        self.documents.clear();
    }
}

impl SegmentCollector for SegmentCollecting {
    type Fruit = Collected;

    fn collect(&mut self, document: DocId, score: Score) {
        self.total += 1;
        if let Some(page) = &mut self.page {
            page.collect(document, score);
        }
        if !self.facets.is_empty() {
            self.documents.push(document);
            if self.documents.len() == AT_ONCE {
                self.count();
            }
        }
    }

    fn harvest(mut self) -> Collected {
        self.count();
        let counts = self.facets.into_iter().map(|facet| facet.map(SegmentCounting::harvest).unwrap_or_default());
        let page = self.page.map(SegmentRanking::harvest).unwrap_or_default();
        Collected { total: self.total, page, facets: counts.collect() }
    }
}
