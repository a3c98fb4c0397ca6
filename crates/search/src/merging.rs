//! Which segments of an index are merged, and when. What is saved is a segment of its own until then, and a search looks into each.
//!
//! tantivy throws the work of a merge away if all documents of one of its segments were deleted meanwhile, as happens to a record that is
//! saved again. By itself it begins a merge before a commit deletes what it replaces, and merges small segments with large ones, which
//! takes a minute for a million documents: at a busy desk that would never succeed.

use std::{
    pin::Pin,
    task::{Context, Waker},
};

use tantivy::{
    FutureResult, IndexWriter, SegmentMeta,
    index::SegmentId,
    indexer::{LogMergePolicy, MergeCandidate, MergePolicy},
};

use crate::entry::Entry;

/// Segments with fewer documents are of one size.
const SMALL: u32 = 500;
/// Segments are of one size if one has at most so many times as many documents as another, as a power of two.
const SIZE: f64 = 1.5;
/// So many segments of one size become one.
const MANY: usize = 8;

fn policy() -> LogMergePolicy {
    let mut policy = LogMergePolicy::default();
    policy.set_min_layer_size(SMALL);
    policy.set_level_log_size(SIZE);
    policy.set_min_num_segments(MANY);
    policy
}

/// The merges of an index that go on.
#[derive(Default)]
pub(crate) struct Merges(Vec<Merge>);

struct Merge {
    of: Vec<SegmentId>,
    end: FutureResult<Option<SegmentMeta>>,
}

impl Merges {
    /// Begins to merge segments that are committed and of one size, if there are many. A merge that failed is tried again.
    pub(crate) fn begin(&mut self, writer: &mut IndexWriter<Entry>, mut segments: Vec<SegmentMeta>) {
        let mut context = Context::from_waker(Waker::noop());
        self.0.retain_mut(|merge| Pin::new(&mut merge.end).poll(&mut context).is_pending());
        segments.retain(|segment| !self.0.iter().any(|merge| merge.of.contains(&segment.id())));
        for MergeCandidate(of) in policy().compute_merge_candidates(&segments) {
            let end = writer.merge(&of);
            self.0.push(Merge { of, end });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tantivy::{Index, schema::Schema};

    use super::*;

    /// How many documents each segment has that is merged.
    fn merged(documents: &[u32]) -> BTreeSet<Vec<u32>> {
        let index = Index::create_in_ram(Schema::builder().build());
        let metas: Vec<_> =
            documents.iter().map(|many| index.new_segment_meta(SegmentId::generate_random(), *many)).collect();
        let many = |id: &SegmentId| metas.iter().find(|meta| meta.id() == *id).expect("a segment").max_doc();
        let of = |MergeCandidate(ids): MergeCandidate| {
            let mut of: Vec<u32> = ids.iter().map(many).collect();
            of.sort_unstable();
            of
        };
        policy().compute_merge_candidates(&metas).into_iter().map(of).collect()
    }

    #[test]
    fn what_was_just_saved_is_not_merged_with_an_index_that_was_built() {
        let mut documents = vec![15_900; 118];
        documents.extend([1, 3]);
        assert_eq!(merged(&documents), BTreeSet::from([vec![15_900; 118]]));
    }

    #[test]
    fn small_segments_are_merged_with_segments_that_take_a_moment() {
        let documents = [1, 1, 1, 2, 8, 8, 400, 1_400, 4_000, 20_000, 1_000_000];
        assert_eq!(merged(&documents), BTreeSet::from([vec![1, 1, 1, 2, 8, 8, 400, 1_400]]));
    }

    #[test]
    fn few_segments_stay() {
        assert_eq!(merged(&[1; 7]), BTreeSet::new());
        assert_eq!(merged(&[]), BTreeSet::new());
    }
}
