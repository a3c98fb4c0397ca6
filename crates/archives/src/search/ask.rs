//! What clients ask of the index (contract 8.1): from parameters to a query.

use jiff::Timestamp;
use search::{
    hits::{By, Request, Sort},
    query::Query,
    syntax::{self, Asked, DEEPEST, MOST_WORDS, Meaning},
};
use serde_json::{Map, Value};

use super::{
    fields::{FIELDS, MOMENTS, SORTED_AS, is_known},
    meaning::{Audience, Meant},
};
use crate::refusal::Refusal;

/// Longest query, in bytes.
const LONGEST: usize = 65_536;
/// How many values of a facet an answer has at most.
const VALUES: usize = 100;
/// How many facets an answer has at most.
const FACETS: usize = 32;
/// How many steps an order has at most.
const STEPS: usize = 4;
/// How many words with `~`, and patterns that do not only end in `*`, a search has at most, in all its parameters: each is compared
/// with all words of its field, some hundredths of a second in a large library. Those without a field are looked for in up to
/// six, and count for each.
const COSTLY: usize = 64;
/// The last document that a page can show; narrower searches show the others.
const FURTHEST: usize = 100_000;

/// What a search is asked for.
#[derive(Debug, Clone, Default)]
pub struct Search {
    pub q: Option<String>,
    /// A JSON object.
    pub aq: Option<String>,
    pub types: Vec<String>,
    pub sort: Option<String>,
    pub facets: Vec<String>,
    pub facet_mincount: u64,
    /// A JSON object.
    pub filter: Option<String>,
    pub filter_queries: Vec<String>,
    /// JSON objects with one member each.
    pub filter_terms: Vec<String>,
    pub excluded: Vec<String>,
    pub root_record: Option<String>,
    /// The repository whose records, beside those of none, are searched.
    pub repository: Option<i64>,
    /// From 0.
    pub offset: usize,
    pub limit: usize,
    /// Whether suppressed records are found.
    pub with_suppressed: bool,
    /// Whether only what the public may see is found.
    pub is_public: bool,
    /// Whether only records of no repository, and repositories, are found: nobody has asked who searches.
    pub is_open: bool,
    /// Whether words without a field are looked for in identifiers of containers' collections.
    pub of_containers: bool,
}

/// A request, and the query in it that people wrote, for highlighting.
pub(super) struct Asking {
    pub(super) request: Request,
    pub(super) wanted: Query,
}

impl Search {
    /// Reads the parameters.
    pub(super) fn asking(&self, now: Timestamp) -> Result<Asking, Refusal> {
        let audience = match (self.is_public, self.of_containers) {
            (true, _) => Audience::Public,
            (false, true) => Audience::Containers,
            (false, false) => Audience::Staff,
        };
        let meant = Meant { audience, now };
        if self.offset.saturating_add(self.limit) > FURTHEST {
            let text = format!("Only the first {FURTHEST} documents can be paged through; narrow the search");
            return Err(Refusal::parameter("page", text));
        }
        let wanted = match (&self.q, &self.aq) {
            (Some(q), _) => lucene("q", q, &meant)?,
            (None, Some(aq)) => advanced("aq", aq, false, &meant)?,
            (None, None) => Query::All,
        };
        let mut all = self.visible();
        let phrase = self.q.as_deref().filter(|q| !q.contains(':')).map(|q| q.replace('"', " "));
        let preferred = phrase.map(|value| Query::Phrase { field: "four_part_id".into(), value });
        if let Some(filter) = &self.filter {
            all.push(advanced("filter", filter, true, &meant)?);
        }
        for query in &self.filter_queries {
            all.push(lucene("filter_query", query, &meant)?);
        }
        for term in &self.filter_terms {
            all.push(filter_term(term, &meant)?);
        }
        let filtered = Query::And(vec![wanted.clone(), Query::Filter(Box::new(Query::And(all)))]);
        let query = match preferred {
            Some(phrase) => Query::Prefer(Box::new(filtered), Box::new(Query::Boost(Box::new(phrase), 4.0))),
            None => filtered,
        };
        if query.costly() > COSTLY {
            let text =
                format!("A search has at most {COSTLY} words with ~ and patterns, counted for each field they are in");
            return Err(Refusal::parameter(if self.q.is_some() { "q" } else { "aq" }, text));
        }
        if self.facets.len() > FACETS {
            return Err(Refusal::parameter("facet", format!("More than {FACETS} facets cannot be counted at once")));
        }
        if let Some(unknown) = self.facets.iter().find(|facet| !is_known(facet)) {
            return Err(Refusal::parameter("facet", format!("There is no field '{unknown}'")));
        }
        let request = Request {
            query,
            sort: sort(self.sort.as_deref().unwrap_or_default())?,
            offset: self.offset,
            limit: self.limit,
            facets: self.facets.clone(),
            // Values that no document of the answer has are those of other repositories, too.
            least: self.facet_mincount.max(1),
            most: VALUES,
        };
        Ok(Asking { request, wanted })
    }

    /// What the caller may see, and what was chosen without words.
    fn visible(&self) -> Vec<Query> {
        let mut all = self.within_reach();
        if !self.types.is_empty() {
            all.push(Query::any("types", &self.types));
        }
        if let Some(root) = &self.root_record {
            all.push(Query::Or(vec![Query::has("resource", root), Query::has("digital_object", root)]));
        }
        if !self.excluded.is_empty() {
            all.push(Query::any("id", &self.excluded).negated());
        }
        all
    }

    /// What the caller may see, found or put beside what is found.
    pub(super) fn within_reach(&self) -> Vec<Query> {
        let mut all = vec![Query::has("exclude_by_default", "true").negated()];
        if let Some(repository) = self.repository {
            all.push(Query::any("repository", [format!("/repositories/{repository}"), "global".to_owned()]));
        }
        if self.is_open {
            all.push(Query::Or(vec![Query::has("repository", "global"), Query::has("primary_type", "repository")]));
        }
        if !self.with_suppressed {
            all.push(Query::has("suppressed", "false"));
        }
        if self.is_public {
            all.extend([Query::has("publish", "true"), Query::has("types", "pui")]);
        } else if !self.types.iter().any(|kind| kind.starts_with("pui")) {
            all.push(Query::has("types", "pui_only").negated());
        }
        all
    }
}

fn lucene(name: &str, text: &str, meant: &Meant) -> Result<Query, Refusal> {
    if text.len() > LONGEST {
        return Err(Refusal::parameter(name, format!("A query has at most {LONGEST} bytes")));
    }
    let query = syntax::parse(text, meant).map_err(|refused| Refusal::parameter(name, refused.to_string()))?;
    Ok(query.with_words(&FIELDS))
}

fn filter_term(text: &str, meant: &Meant) -> Result<Query, Refusal> {
    let wrong = || Refusal::parameter("filter_term", "Wanted JSON objects with a field and its value");
    let term: Map<String, Value> = serde_json::from_str(text).map_err(|_| wrong())?;
    let terms = term.iter().map(|(field, value)| {
        let field = meant.field(known("filter_term", named(field).unwrap_or("fullrecord"))?);
        Ok(Query::Phrase { field: field.to_owned(), value: plain(value) })
    });
    Ok(Query::And(terms.collect::<Result<_, Refusal>>()?).with_words(&FIELDS))
}

/// An advanced query. `literal`: its values are taken as they are, as those of filters.
fn advanced(name: &str, text: &str, literal: bool, meant: &Meant) -> Result<Query, Refusal> {
    let wrong = |text: &str| Refusal::parameter(name, text);
    if text.len() > LONGEST {
        return Err(wrong(&format!("A query has at most {LONGEST} bytes")));
    }
    let query: Value = serde_json::from_str(text).map_err(|error| wrong(&format!("Wanted JSON: {error}")))?;
    if !query["query"].is_object() {
        return Err(wrong("Wanted an advanced_query with a query"));
    }
    let mut reading = Advanced { name, literal, meant, parts: 0 };
    Ok(reading.query(&query["query"], 0)?.with_words(&FIELDS))
}

struct Advanced<'m> {
    name: &'m str,
    literal: bool,
    meant: &'m Meant,
    parts: usize,
}

impl Advanced<'_> {
    fn refused(&self, text: impl Into<String>) -> Refusal {
        Refusal::parameter(self.name, text)
    }

    fn query(&mut self, query: &Value, depth: usize) -> Result<Query, Refusal> {
        self.parts += 1;
        if depth > DEEPEST || self.parts > MOST_WORDS {
            return Err(self.refused(format!("An advanced query has at most {MOST_WORDS} parts in {DEEPEST} levels")));
        }
        let found = match query["jsonmodel_type"].as_str() {
            Some("boolean_query") | None if query["subqueries"].is_array() => return self.boolean(query, depth),
            Some("field_query") => self.field(query)?,
            Some("boolean_field_query") => {
                let field = self.named(query)?;
                Query::has(field, plain(self.required(query, "value")?))
            }
            Some("range_query") => {
                let field = self.named(query)?;
                let bound = |name: &str| Some(plain(&query[name])).filter(|text| !text.is_empty() && text != "*");
                let (from, to) = (bound("from"), bound("to"));
                self.meant.query(Some(&field), Asked::Range(from.as_deref(), to.as_deref()))
            }
            Some("date_field_query") => self.date(query)?,
            other => return Err(self.refused(format!("Unknown query type: {}", other.unwrap_or("none")))),
        };
        Ok(if query["negated"] == true { found.negated() } else { found })
    }

    fn boolean(&mut self, query: &Value, depth: usize) -> Result<Query, Refusal> {
        let parts = query["subqueries"].as_array().into_iter().flatten();
        let parts: Vec<Query> = parts.map(|part| self.query(part, depth + 1)).collect::<Result<_, _>>()?;
        match query["op"].as_str() {
            _ if parts.is_empty() => Err(self.refused("At least 1 item(s) is required")),
            Some("OR") => Ok(Query::Or(parts)),
            Some("AND") | None => Ok(Query::And(parts)),
            // The first without the others; one alone is what is not wanted.
            Some("NOT") => {
                let mut parts = parts.into_iter();
                let first = parts.next().into_iter();
                if parts.len() == 0 {
                    return Ok(Query::And(first.map(Query::negated).collect()));
                }
                Ok(Query::And(first.chain(parts.map(Query::negated)).collect()))
            }
            Some(other) => Err(self.refused(format!("Unknown operator: {other}"))),
        }
    }

    /// A member that must be there.
    fn required<'q>(&self, query: &'q Value, member: &str) -> Result<&'q Value, Refusal> {
        let value = &query[member];
        if value.is_null() {
            Err(self.refused(format!("{member}: Property is required but was missing")))
        } else {
            Ok(value)
        }
    }

    /// The name of the field.
    fn name<'q>(&self, query: &'q Value) -> Result<&'q str, Refusal> {
        Ok(self.required(query, "field")?.as_str().unwrap_or_default())
    }

    fn named(&self, query: &Value) -> Result<String, Refusal> {
        let name = self.name(query)?;
        Ok(self.meant.field(known(self.name, named(name).unwrap_or("fullrecord"))?).to_owned())
    }

    /// What is looked for; something must be, if not for what has no value (ArchivesSpace's `check_field_query`).
    fn value(&self, query: &Value) -> Result<String, Refusal> {
        let value = plain(&query["value"]);
        if value.is_empty() {
            return Err(self.refused("Must specify either a value or use the 'empty' comparator"));
        }
        Ok(value)
    }

    fn field(&self, query: &Value) -> Result<Query, Refusal> {
        let field = named(self.name(query)?);
        if query["comparator"] == "empty" {
            let present = Query::Present { field: self.named(query)? };
            return Ok(present.negated());
        }
        if let Some(field) = field {
            known(self.name, field)?;
        }
        let value = self.value(query)?;
        if self.literal || query["literal"] == true {
            return Ok(self.meant.query(field, Asked::Phrase(&value)));
        }
        let within = Within { field, meant: self.meant };
        // A whole value with blanks is a value, too.
        let words = syntax::parse(&value.replace(':', " "), &within);
        let words = words.map_err(|refused| self.refused(refused.to_string()))?;
        match field.filter(|field| FIELDS.kind(field).is_some_and(search::fields::Kind::is_whole)) {
            Some(field) => Ok(Query::Or(vec![words, Query::has(self.meant.field(field), value)])),
            None => Ok(words),
        }
    }

    fn date(&self, query: &Value) -> Result<Query, Refusal> {
        let field = self.named(query)?;
        if query["comparator"] == "empty" {
            return Ok(Query::Present { field }.negated());
        }
        let unit = match query["precision"].as_str().unwrap_or("day") {
            "day" => "DAY",
            "month" => "MONTH",
            "year" => "YEAR",
            other => return Err(self.refused(format!("Unknown precision: {other}"))),
        };
        let value = self.value(query)?;
        let day = self.meant.moment(&value).filter(|_| !value.starts_with("NOW"));
        let day = day.ok_or_else(|| self.refused(format!("Not a valid date: {value}")))?;
        let day = day.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let (after, before) = (format!("{day}+1{unit}"), format!("{day}-1MILLISECOND"));
        let last = format!("{day}+1{unit}-1MILLISECOND");
        let (from, to) = match query["comparator"].as_str().unwrap_or("equal") {
            "greater_than" => (Some(after.as_str()), None),
            "lesser_than" => (None, Some(before.as_str())),
            "equal" => (Some(day.as_str()), Some(last.as_str())),
            other => return Err(self.refused(format!("Unknown comparator: {other}"))),
        };
        if !MOMENTS.contains(&field.as_str()) {
            return Err(self.refused(format!("'{field}' has no dates")));
        }
        Ok(self.meant.query(Some(&field), Asked::Range(from, to)))
    }
}

/// Words of a value are looked for in its field.
struct Within<'m> {
    field: Option<&'m str>,
    meant: &'m Meant,
}

impl Meaning for Within<'_> {
    fn is_field(&self, _: &str) -> bool {
        false
    }

    fn query(&self, _: Option<&str>, asked: Asked<'_>) -> Query {
        self.meant.query(self.field, asked)
    }
}

/// The index field of a field's name in advanced queries; `None`: all words.
fn named(name: &str) -> Option<&str> {
    match name {
        "" | "keyword" => None,
        "creators" => Some("creators_text"),
        "subjects" => Some("subjects_text"),
        "published" => Some("publish"),
        name => Some(name),
    }
}

fn known<'n>(parameter: &str, name: &'n str) -> Result<&'n str, Refusal> {
    if is_known(name) { Ok(name) } else { Err(Refusal::parameter(parameter, format!("There is no field '{name}'"))) }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn sort(text: &str) -> Result<Vec<Sort>, Refusal> {
    let wrong = |text: String| Refusal::parameter("sort", text);
    let steps: Vec<&str> = text.split(',').map(str::trim).filter(|step| !step.is_empty()).collect();
    if steps.len() > STEPS {
        return Err(wrong(format!("An order has at most {STEPS} fields")));
    }
    let step = |step: &&str| {
        let (name, sense) = step.split_once(char::is_whitespace).unwrap_or((step, "asc"));
        let descending = match sense.trim().to_ascii_lowercase().as_str() {
            "asc" => false,
            "desc" => true,
            other => return Err(wrong(format!("must be either 'asc' or 'desc' but given: {other}"))),
        };
        let sorted = SORTED_AS.iter().find(|(field, _)| *field == name);
        let by = match sorted.map_or(name, |(_, sorted)| sorted) {
            "score" => By::Relevance,
            "title" => By::Field("title_sort".to_owned()),
            name if !is_known(name) => return Err(wrong(format!("There is no field '{name}'"))),
            name if FIELDS.kind(name).is_some_and(|kind| !kind.is_whole()) => {
                return Err(wrong(format!("Documents cannot be sorted by '{name}'")));
            }
            name => By::Field(name.to_owned()),
        };
        Ok(Sort { by, descending })
    };
    steps.iter().map(step).collect()
}
