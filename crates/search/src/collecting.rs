//! Collects what an answer needs of the documents found, all at once: their number, those of the page, and counts of values.

use tantivy::{
    BitSet, DocId, Score, SegmentOrdinal, SegmentReader,
    collector::{Collector, SegmentCollector},
};

use crate::{
    columns::Columns,
    facets::{Counted, Counting, SegmentCounting},
    ranking::{Ranked, Ranking, SegmentRanking},
};

/// What is collected.
pub(crate) struct Collecting<'a> {
    pub(crate) columns: &'a Columns,
    /// `None` if no document is wanted.
    pub(crate) page: Option<Ranking>,
    /// `None` for fields whose values cannot be counted.
    pub(crate) facets: &'a [Option<Counting>],
}

/// What was collected.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) total: usize,
    /// In their order.
    pub(crate) page: Vec<Ranked<String>>,
    /// As asked for.
    pub(crate) facets: Vec<Counted>,
}

pub(crate) struct SegmentCollecting {
    total: usize,
    page: Option<SegmentRanking>,
    facets: Vec<Option<SegmentCounting>>,
    /// Whose values are counted; `None` without facets.
    found: Option<BitSet>,
}

impl Collector for Collecting<'_> {
    type Fruit = Collected;
    type Child = SegmentCollecting;

    fn for_segment(&self, segment: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<SegmentCollecting> {
        let page = self.page.as_ref().map(|page| page.for_segment(self.columns, segment, reader)).transpose()?;
        let counting =
            |facet: &Option<Counting>| facet.as_ref().map_or(Ok(None), |facet| facet.for_segment(self.columns, reader));
        let facets = self.facets.iter().map(counting).collect::<tantivy::Result<Vec<_>>>()?;
        let found = facets.iter().any(Option::is_some).then(|| BitSet::with_max_value(reader.max_doc()));
        Ok(SegmentCollecting { total: 0, page, facets, found })
    }

    fn requires_scoring(&self) -> bool {
        self.page.as_ref().is_some_and(Ranking::requires_scoring)
    }

    fn merge_fruits(&self, segments: Vec<tantivy::Result<Collected>>) -> tantivy::Result<Collected> {
        let facets = self.facets.iter().map(|_| Counted::default()).collect();
        let mut all = Collected { facets, ..Collected::default() };
        for segment in segments {
            let segment = segment?;
            all.total += segment.total;
            all.page.extend(segment.page);
            all.facets.iter_mut().zip(segment.facets).for_each(|(all, counted)| all.add(counted));
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
            |facet: Option<SegmentCounting>| facet.map_or_else(|| Ok(Counted::default()), |facet| facet.count(&found));
        let facets = self.facets.into_iter().map(counts).collect::<tantivy::Result<_>>()?;
        let page = self.page.map(SegmentRanking::harvest).unwrap_or_default();
        Ok(Collected { total: self.total, page, facets })
    }
}
