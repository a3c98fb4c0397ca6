//! Answers to searches (contract 8.1): documents with the records they are of.

use std::collections::BTreeMap;

use indexing::Index;
use jiff::Timestamp;
use search::{fields::Kind, highlight::Wanted as Words, hits::Hits, query::Query};
use serde_json::{Map, Value, json};

use super::{
    Archives, Search,
    document::PUBLIC_END,
    fields::FIELDS,
    meaning::is_protected,
    printed::{LARGEST, add_records},
    published_trees,
    resolving::Resolving,
    run::{failed, run},
};
use crate::refusal::Refusal;

/// How found words are marked.
const MARKS: (&str, &str) = ("<span class=\"searchterm\">", "</span>");
/// How many repositories are counted at most.
const REPOSITORIES: usize = 1000;
/// How an answer looks.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// Fields of the documents; empty: all of them.
    pub fields: Vec<String>,
    /// Whether found words are marked.
    pub highlight: bool,
    /// `resolve[]`: `field:other_field@form`, documents to put in.
    pub resolve: Vec<String>,
}

impl Shape {
    /// Refuses what cannot be read, before a search waits for the index.
    pub fn check(&self) -> Result<(), Refusal> {
        self.resolve.iter().try_for_each(|definition| Resolving::read(definition).map(|_| ()))
    }
}

/// An answer.
#[derive(Debug)]
pub struct Found {
    pub body: Value,
    /// Whether the index could not show all that was saved before.
    pub is_behind: bool,
}

/// A search in the form of the search routes. No round trip to the database; one with containers that circulate.
pub async fn find(archives: &Archives, search: &Search, shape: &Shape, now: Timestamp) -> Result<Found, Refusal> {
    let asking = search.asking(now)?;
    let (hits, is_behind) = run(&archives.index, &asking).await?;
    let highlighting = shape.highlight.then(|| highlighted(&hits.documents, &asking.wanted, search.is_public));
    let (total, size) = (hits.total, search.limit);
    let facets = facets(&hits);
    let results = shown(archives, hits.documents, shape, &search.within_reach()).await?;
    let page = search.offset.checked_div(size).unwrap_or(0) + 1;
    let mut body = json!({
        "page_size": size, "first_page": 1, "last_page": total.div_ceil(size.max(1)), "this_page": page,
        "offset_first": search.offset + 1, "offset_last": (search.offset + size).min(total), "total_hits": total});
    // Inside of `json!` they would be copied.
    body["results"] = results.into_iter().map(Value::Object).collect();
    body["facets"] = facets;
    if let Some(highlighting) = highlighting {
        body["highlighting"] = highlighting;
    }
    Ok(Found { body, is_behind })
}

/// The documents with these ids or addresses, in this order.
pub async fn by_ids(
    archives: &Archives,
    ids: &[String],
    search: &Search,
    shape: &Shape,
    now: Timestamp,
) -> Result<Found, Refusal> {
    let mut asking = search.asking(now)?;
    let (of_public, of_staff): (Vec<&String>, Vec<&String>) = ids.iter().partition(|id| id.ends_with(PUBLIC_END));
    // The documents of the public that are asked for by their ids are found, too; the public has no others.
    let of_all = Query::any("uri", of_staff);
    let of_all =
        if search.is_public { of_all } else { Query::And(vec![of_all, Query::has("types", "pui_only").negated()]) };
    let chosen = Query::Or(vec![of_all, Query::any("id", of_public)]);
    let mut visible = vec![chosen];
    if !search.with_suppressed {
        visible.push(Query::has("suppressed", "false"));
    }
    if search.is_public {
        visible.extend([Query::has("publish", "true"), Query::has("types", "pui")]);
    }
    asking.request.query = Query::And(visible);
    let (hits, is_behind) = run(&archives.index, &asking).await?;
    let trees = published_trees::documents(&archives.index, &archives.session, ids).await?;
    let total = hits.total + trees.len();
    let mut results = shown(archives, hits.documents, shape, &search.within_reach()).await?;
    results.extend(trees);
    let place = |document: &Map<String, Value>| {
        let is = |name: &str, id: &String| document.get(name).is_some_and(|value| value == id.as_str());
        ids.iter().position(|id| is("id", id) || is("uri", id)).unwrap_or(ids.len())
    };
    results.sort_by_key(place);
    let size = ids.len();
    let body = json!({
        "page_size": size, "first_page": 1, "last_page": total.div_ceil(size.max(1)), "this_page": 1, "offset_first": 1,
        "offset_last": size.min(total), "total_hits": total, "results": results,
        "facets": {"facet_queries": {}, "facet_fields": {}}});
    Ok(Found { body, is_behind })
}

/// How many published records of types there are, in each of the repositories.
pub async fn counts(
    index: &Index,
    types: &[String],
    repositories: &[String],
    search: &Search,
    now: Timestamp,
) -> Result<(BTreeMap<String, BTreeMap<String, usize>>, bool), Refusal> {
    let mut all = BTreeMap::new();
    let mut is_behind = false;
    for repository in repositories {
        let mut of_repository = BTreeMap::new();
        for kind in types {
            let mut asking = search.asking(now)?;
            let within =
                Query::Or(vec![Query::has("repository", repository), Query::has("used_within_repository", repository)]);
            let wanted = [within, Query::has("types", kind), Query::has("publish", "true")];
            asking.request.query = Query::And([vec![asking.request.query], wanted.to_vec()].concat());
            asking.request.limit = 0;
            let (hits, behind) = run(index, &asking).await?;
            is_behind |= behind;
            of_repository.insert(kind.clone(), hits.total);
        }
        all.insert(repository.clone(), of_repository);
    }
    Ok((all, is_behind))
}

/// The addresses of all repositories that clients see.
pub async fn repositories(index: &Index, now: Timestamp) -> Result<Vec<String>, Refusal> {
    let search = Search { types: vec!["repository".to_owned()], limit: REPOSITORIES, ..Search::default() };
    let (hits, _) = run(index, &search.asking(now)?).await?;
    Ok(hits.documents.iter().filter_map(|document| document["uri"].as_str().map(str::to_owned)).collect())
}

/// A search as a table with a column for each field.
pub async fn csv(
    archives: &Archives,
    search: &Search,
    shape: &Shape,
    now: Timestamp,
) -> Result<(Vec<u8>, bool), Refusal> {
    let (hits, is_behind) = run(&archives.index, &search.asking(now)?).await?;
    if hits.total > search.limit {
        let text = format!(
            "A table has at most {} lines, and this would have {}; narrow the search",
            search.limit, hits.total
        );
        return Err(Refusal::BadRequest(text));
    }
    let documents = shown(archives, hits.documents, shape, &search.within_reach()).await?;
    let mut fields = shape.fields.clone();
    if fields.is_empty() {
        for name in documents.iter().flat_map(Map::keys) {
            if !fields.contains(name) {
                fields.push(name.clone());
            }
        }
    }
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(&fields).map_err(|error| failed(&error))?;
    for document in &documents {
        let cells = fields.iter().map(|field| cell(document.get(field)));
        table.write_record(cells).map_err(|error| failed(&error))?;
    }
    Ok((table.into_inner().map_err(|error| failed(&error))?, is_behind))
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(values)) => {
            let values = values.iter().map(|value| cell(Some(value)).replace(',', "\\,"));
            values.collect::<Vec<_>>().join(",")
        }
        Some(other) => other.to_string(),
    }
}

pub(super) fn facets(hits: &Hits) -> Value {
    let fields = hits.facets.iter().map(|(field, values)| {
        let flat: Vec<Value> = values.iter().flat_map(|(value, count)| [json!(value), json!(count)]).collect();
        (field.clone(), Value::Array(flat))
    });
    json!({"facet_queries": {}, "facet_fields": fields.collect::<Map<_, _>>()})
}

/// Found words in the texts of documents. The public is not shown those of fields that it is not to search.
fn highlighted(documents: &[Map<String, Value>], wanted: &Query, is_public: bool) -> Value {
    let words = Words::of(wanted);
    let is_shown = |field: &str| FIELDS.kind(field) == Some(Kind::Text) && !(is_public && is_protected(field));
    let of_document = |document: &Map<String, Value>| {
        let texts = document.iter().filter(|(field, _)| is_shown(field));
        let marked = texts.filter_map(|(field, value)| {
            let values = match value {
                Value::Array(values) => values.iter().filter_map(Value::as_str).collect(),
                value => value.as_str().into_iter().collect::<Vec<_>>(),
            };
            let first = values.into_iter().find_map(|text| words.mark(text, MARKS, field == "title"))?;
            Some((field.clone(), json!([first])))
        });
        marked.collect::<Map<_, _>>()
    };
    let all = documents
        .iter()
        .map(|document| (document["id"].as_str().unwrap_or_default().to_owned(), Value::Object(of_document(document))));
    Value::Object(all.collect())
}

/// The documents as clients see them.
pub(super) async fn shown(
    archives: &Archives,
    documents: Vec<Map<String, Value>>,
    shape: &Shape,
    within_reach: &[Query],
) -> Result<Vec<Map<String, Value>>, Refusal> {
    let is_wanted = |field: &str| shape.fields.is_empty() || shape.fields.iter().any(|wanted| wanted == field);
    let (mut documents, mut room) = (documents, LARGEST);
    if is_wanted("json") && !documents.is_empty() {
        add_records(archives, &mut documents, &mut room).await?;
    }
    for definition in &shape.resolve {
        Resolving::read(definition)?.put(archives, &mut documents, within_reach, &mut room).await?;
    }
    if !shape.fields.is_empty() {
        for document in &mut documents {
            document.retain(|field, _| {
                is_wanted(field)
                    || matches!(field.as_str(), "uri" | "jsonmodel_type")
                    || field.starts_with("_resolved_")
            });
        }
    }
    Ok(documents)
}
