//! Answers in the form in which Solr answers (contract 8.1): thousands of documents with the records they are of, as
//! ArchivesSnake expects them. The records are read while the answer is sent.

use std::{future::ready, vec};

use futures_util::{Stream, StreamExt, stream};
use jiff::Timestamp;
use search::query::Query;
use serde_json::{Map, Value};

use super::{
    Archives, Search, Shape,
    answer::{facets, shown},
    run::run,
};
use crate::refusal::Refusal;

/// How many documents are completed at once.
const AT_ONCE: usize = 250;

/// A search in the form in which Solr answers, in parts, and whether something may be missing. No round trip; one for 250
/// documents with containers that circulate.
pub async fn raw(
    archives: Archives,
    search: &Search,
    shape: Shape,
    now: Timestamp,
) -> Result<(impl Stream<Item = Result<String, Refusal>> + Send + use<>, bool), Refusal> {
    let (hits, is_behind) = run(&archives.index, &search.asking(now)?).await?;
    // ArchivesSpace's staff application compares the number found with these rows, to warn that an answer is cut off.
    let head = format!(
        r#"{{"responseHeader":{{"status":0,"params":{{"start":"{1}","rows":"{2}"}}}},"response":{{"numFound":{0},"start":{1},"numFoundExact":true,"docs":["#,
        hits.total, search.offset, search.limit
    );
    let tail = format!(r#"]}},"facet_counts":{}}}"#, facets(&hits));
    let mut documents = hits.documents.into_iter();
    let pages: Vec<Vec<_>> = std::iter::from_fn(|| {
        let page: Vec<_> = documents.by_ref().take(AT_ONCE).collect();
        (!page.is_empty()).then_some(page)
    })
    .collect();
    let within_reach = search.within_reach();
    let (pages, tail) = (pages.into_iter(), Some(tail));
    let writing = Writing { archives, shape, within_reach, pages, tail, has_begun: false };
    let rest = stream::unfold(writing, |mut writing| async move {
        let part = writing.next().await?;
        Some((part, writing))
    });
    Ok((stream::once(ready(Ok(head))).chain(rest), is_behind))
}

struct Writing {
    archives: Archives,
    shape: Shape,
    within_reach: Vec<Query>,
    pages: vec::IntoIter<Vec<Map<String, Value>>>,
    tail: Option<String>,
    has_begun: bool,
}

impl Writing {
    /// The next part; `None` after the last, and after a failure.
    async fn next(&mut self) -> Option<Result<String, Refusal>> {
        let Some(page) = self.pages.next() else { return self.tail.take().map(Ok) };
        let documents = match shown(&self.archives, page, &self.shape, &self.within_reach).await {
            Ok(documents) => documents,
            Err(refusal) => {
                (self.pages, self.tail) = (vec![].into_iter(), None);
                return Some(Err(refusal));
            }
        };
        let mut text = String::new();
        for document in documents {
            if self.has_begun {
                text.push(',');
            }
            self.has_begun = true;
            text.push_str(&Value::Object(document).to_string());
        }
        Some(Ok(text))
    }
}
