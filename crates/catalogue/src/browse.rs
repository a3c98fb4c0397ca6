//! Browsing a list (contract 1.7): a page of its rows, from an anchor on, back from it, or around it.

use std::collections::HashMap;

use search::{
    SearchError,
    index::Reader,
    lists::{Line, Start},
};
use serde_json::{Map, Value, json};
use store::{Session, StoreError, statements::catalogue::NAMED_TITLES};
use uuid::Uuid;

use crate::{
    Catalogue, Failed, Found, Records,
    anchor::Way,
    browse_query::{self, Asked, At, Node},
    browse_settings::{self, Config},
    entries,
    lists::{Algorithm, List},
    refusal::BROWSE_OPTION_UNKNOWN,
    settings::Settings,
};

/// A list is looked through for so many spellings of an anchor.
const SPELLINGS: usize = 100;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowseList {
    pub list: List,
    /// Of call numbers and classification numbers.
    pub option: Option<String>,
    /// In CQL.
    pub query: String,
    pub limit: usize,
    /// Of the rows around an anchor, how many come before it.
    pub preceding: usize,
    /// Whether the anchor is marked.
    pub highlights: bool,
}

/// A row of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Row {
    Line(Line, bool),
    /// It stands where the anchor would be.
    Missing(String),
}

impl Row {
    fn value(&self, list: List) -> String {
        match self {
            Self::Line(line, _) => entries::value(list, line),
            Self::Missing(value) => value.clone(),
        }
    }
}

/// A page of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) rows: Vec<Row>,
    pub(crate) prev: Option<String>,
    pub(crate) next: Option<String>,
    pub(crate) total: u64,
}

/// Reads a list in an order.
struct Reading<'a> {
    reader: &'a Reader,
    browse: &'a BrowseList,
    asked: &'a Asked,
    config: &'a Config,
    tenant: &'a str,
}

impl Reading<'_> {
    fn is_wanted(&self, group: &str) -> bool {
        let list = self.browse.list;
        let types = &self.config.type_ids;
        let is_of_type = || {
            // Of numbers, the type comes first.
            let of = list.grouped_by().first().and_then(|field| list.value_in(group, field));
            of.is_some_and(|of| types.iter().any(|id| id.eq_ignore_ascii_case(&of)))
        };
        let at = At { list, tenant: self.tenant, group, text: "", ignored: None };
        (types.is_empty() || is_of_type()) && self.asked.filters.iter().all(|filter| filter.holds(&at))
    }

    fn lines(&self, order: Algorithm, start: &Start, at_most: usize) -> Result<Vec<Line>, SearchError> {
        self.reader.lines(self.browse.list.column(order), &|group| self.is_wanted(group), start, at_most)
    }

    /// Where the rows of the anchor begin and where they end. The key of a number depends on case, the anchor does not: rows
    /// with other spellings of it are looked up in the order of texts.
    fn around(&self, with_anchor: bool) -> Result<(String, String), SearchError> {
        let (order, anchor) = (self.config.algorithm, &self.asked.anchor);
        let places = |text: &str| (entries::place(order, text, false), entries::place(order, text, true));
        let (mut begins, mut ends) = places(anchor);
        if with_anchor && order != Algorithm::Default {
            let plain = entries::place(Algorithm::Default, anchor, false);
            let lines = self.lines(Algorithm::Default, &Start::From(plain.clone()), SPELLINGS)?;
            let spelt = lines.iter().take_while(|line| line.row.starts_with(&plain));
            let spelt: Vec<_> = spelt.map(|line| places(&entries::value(self.browse.list, line))).collect();
            begins = spelt.iter().map(|(begins, _)| begins).min().unwrap_or(&begins).clone();
            ends = spelt.iter().map(|(_, ends)| ends).max().unwrap_or(&ends).clone();
        }
        Ok((begins, ends))
    }

    /// Up to so many rows before the anchor, the last one first. Where the anchor is left out, subjects and names that are spelt like it
    /// come before it if they say more than the text (mod-search 5.0.13: `SubjectBrowseService`, `ContributorBrowseService` sort by
    /// that, too, and look for what comes before a row without it).
    fn before(
        &self,
        begins: String,
        ends: String,
        with_anchor: bool,
        at_most: usize,
    ) -> Result<Vec<Line>, SearchError> {
        let (list, order) = (self.browse.list, self.config.algorithm);
        if with_anchor || !matches!(list, List::Subjects | List::Contributors) {
            return self.lines(order, &Start::Before(begins), at_most);
        }
        let text = folded_anchor(&self.asked.anchor);
        let mut lines = self.lines(order, &Start::Before(ends), at_most + SPELLINGS)?;
        lines.retain(|line| entries::folded_text(&line.row) != text || entries::says_more(list, line));
        lines.truncate(at_most);
        Ok(lines)
    }

    fn page(&self) -> Result<Page, SearchError> {
        let &BrowseList { list, limit, preceding, highlights, .. } = self.browse;
        let order = self.config.algorithm;
        let value = |row: &Row| row.value(list);
        let plain = |lines: Vec<Line>| lines.into_iter().map(|line| Row::Line(line, false)).collect::<Vec<_>>();
        let mut page = Page { total: self.total()?, ..Page::default() };
        match self.asked.way {
            Way::Forward { with_anchor } => {
                let (begins, ends) = self.around(with_anchor)?;
                let start = Start::From(if with_anchor { begins } else { ends });
                page.rows = plain(self.lines(order, &start, limit + 1)?);
                page.next = past(&mut page.rows, limit).then(|| page.rows.last().map(value)).flatten();
                page.prev = page.rows.first().map(value);
            }
            Way::Backward { with_anchor } => {
                let (begins, ends) = self.around(with_anchor)?;
                let start = Start::Before(if with_anchor { ends } else { begins });
                page.rows = plain(self.lines(order, &start, limit + 1)?);
                page.prev = past(&mut page.rows, limit).then(|| page.rows.last().map(value)).flatten();
                page.rows.reverse();
                page.next = page.rows.last().map(value);
            }
            Way::Around { with_anchor } => {
                let (begins, ends) = self.around(with_anchor)?;
                let start = if with_anchor { begins.clone() } else { ends.clone() };
                let text = folded_anchor(&self.asked.anchor);
                let is_anchor = |line: &Line| with_anchor && entries::folded_text(&line.row) == text;
                let after = self.lines(order, &Start::From(start), limit - preceding + 1)?;
                let is_missing = highlights && !after.iter().any(is_anchor);
                let missing = is_missing.then(|| Row::Missing(self.asked.anchor.clone()));
                let marked = |line: Line| {
                    let is_marked = highlights && is_anchor(&line);
                    Row::Line(line, is_marked)
                };
                let mut after: Vec<Row> = missing.into_iter().chain(after.into_iter().map(marked)).collect();
                page.next = past(&mut after, limit - preceding).then(|| after.last().map(value)).flatten();
                page.rows = plain(self.before(begins, ends, with_anchor, preceding + 1)?);
                page.prev = past(&mut page.rows, preceding).then(|| page.rows.last().map(value)).flatten();
                page.rows.reverse();
                page.rows.append(&mut after);
            }
        }
        Ok(page)
    }

    /// How many rows the list has under the filters.
    fn total(&self) -> Result<u64, SearchError> {
        let tally = self.reader.tally(self.browse.list.column(Algorithm::Default))?;
        let wanted = tally.rows().filter(|(groups, _)| groups.iter().any(|group| self.is_wanted(group)));
        Ok(wanted.map(|(_, rows)| rows).sum())
    }
}

/// Cuts rows off after so many, and says whether there were more.
fn past(rows: &mut Vec<Row>, limit: usize) -> bool {
    let is_past = rows.len() > limit;
    rows.truncate(limit);
    is_past
}

fn folded_anchor(anchor: &str) -> String {
    let place = entries::place(Algorithm::Default, anchor, false);
    entries::folded_text(&place).to_owned()
}

/// A page of a list.
///
/// # Errors
/// [`SearchError`] if the index cannot be read.
pub(crate) fn page(
    reader: &Reader,
    browse: &BrowseList,
    asked: &Asked,
    config: &Config,
    tenant: &str,
) -> Result<Page, SearchError> {
    // mod-search answers nothing, not even a total.
    if asked.anchor.is_empty() {
        return Ok(Page::default());
    }
    Reading { reader, browse, asked, config, tenant }.page()
}

/// What an option of a list means.
fn config(settings: &Settings, list: List, option: Option<&str>) -> Result<Config, Failed> {
    let option = option.unwrap_or("all");
    let configured = settings.browse.iter().find(|config| config.list == list && config.option == option);
    let known = configured.cloned().or_else(|| browse_settings::usual(list, option));
    known.ok_or_else(|| BROWSE_OPTION_UNKNOWN.with("option", option).into())
}

/// The titles of instances by their ids. One round trip.
async fn titles(session: &Session, ids: &[Uuid]) -> Result<HashMap<String, String>, StoreError> {
    let named: Value = session.value(NAMED_TITLES, &[&ids]).await?;
    Ok(serde_json::from_value(named).unwrap_or_default())
}

impl Catalogue {
    /// Browses a list. A round trip, if titles of numbers that only one instance has are on the page.
    ///
    /// # Errors
    /// [`Failed`] if the query is refused, or the index or the database cannot be read.
    pub async fn browse_list(&self, session: &Session, browse: BrowseList) -> Result<Found<Value>, Failed> {
        let list = browse.list;
        let read = |settings: &Settings| {
            let config = config(settings, list, browse.option.as_deref())?;
            let mut asked = browse_query::browsed(&browse.query, list, &settings.browse)?;
            if settings.without.contains(&list) {
                asked.filters.push(Node::never());
            }
            Ok((config, asked))
        };
        let ((config, asked), reader, is_behind) = self.read(Records::Instances, read).await?;
        let tenant = self.tenant.clone();
        let page =
            self.run(Records::Instances, reader, move |reader| page(reader, &browse, &asked, &config, &tenant)).await?;
        let has_titles = matches!(list, List::Classifications | List::CallNumbers);
        let single = page.rows.iter().filter_map(|row| match row {
            Row::Line(line, _) if has_titles => Uuid::parse_str(line.only.as_ref()?).ok(),
            _ => None,
        });
        let single: Vec<Uuid> = single.collect();
        let titles = if single.is_empty() { HashMap::new() } else { titles(session, &single).await? };
        let items = page.rows.iter().map(|row| match row {
            Row::Line(line, is_anchor) => {
                let title = line.only.as_ref().and_then(|id| titles.get(id));
                entries::shown(list, line, *is_anchor, title.map(String::as_str))
            }
            Row::Missing(value) => entries::missing(list, value),
        });
        let mut body =
            Map::from_iter([("totalRecords".to_owned(), json!(page.total)), ("items".to_owned(), items.collect())]);
        body.extend(page.prev.map(|value| ("prev".to_owned(), value.into())));
        body.extend(page.next.map(|value| ("next".to_owned(), value.into())));
        Ok(Found { body: Value::Object(body), is_behind })
    }
}
