//! Collects what an answer needs of the documents found, all at once: their number, those of the page, and counts of values.

use std::collections::HashMap;

use tantivy::{
    BitSet, DocId, Score, SegmentOrdinal, SegmentReader,
    collector::{Collector, SegmentCollector},
};

use crate::{
    facets::{Counting, SegmentCounting},
    ranking::{Ranked, Ranking, SegmentRanking},
};

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
    /// Whose values are counted; `None` without facets.
    found: Option<BitSet>,
}

impl Collector for Collecting {
    type Fruit = Collected;
    type Child = SegmentCollecting;

    fn for_segment(&self, segment: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<SegmentCollecting> {
        let page = self.page.as_ref().map(|page| page.for_segment(segment, reader)).transpose()?;
        let counting = |facet: &Option<Counting>| facet.as_ref().map_or(Ok(None), |facet| facet.for_segment(reader));
        let facets = self.facets.iter().map(counting).collect::<tantivy::Result<Vec<_>>>()?;
        let found = facets.iter().any(Option::is_some).then(|| BitSet::with_max_value(reader.max_doc()));
        Ok(SegmentCollecting { total: 0, page, facets, found })
    }

    fn requires_scoring(&self) -> bool {
        self.page.as_ref().is_some_and(Ranking::requires_scoring)
    }

    fn merge_fruits(&self, segments: Vec<tantivy::Result<Collected>>) -> tantivy::Result<Collected> {
        let mut all = Collected { facets: vec![HashMap::new(); self.facets.len()], ..Collected::default() };
        for segment in segments {
            let segment = segment?;
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

impl SegmentCollector for SegmentCollecting {
    type Fruit = tantivy::Result<Collected>;

    fn collect(&mut self, document: DocId, score: Score) {
        self.total += 1;
        if let Some(page) = &mut self.page {
            page.collect(document, score);
        }
        if let Some(found) = &mut self.found {
            found.insert(document);
        }
    }

    fn harvest(self) -> tantivy::Result<Collected> {
        let found = self.found.unwrap_or_else(|| BitSet::with_max_value(0));
        let counts =
            |facet: Option<SegmentCounting>| facet.map_or_else(|| Ok(HashMap::new()), |facet| facet.count(&found));
        let facets = self.facets.into_iter().map(counts).collect::<tantivy::Result<_>>()?;
        let page = self.page.map(SegmentRanking::harvest).unwrap_or_default();
        Ok(Collected { total: self.total, page, facets })
    }
}
