//! Lists of authorities in the order of their headings, from a place on (contract 1.7). The query is a range of headings, or
//! two around one place, and may have filters.

use cql::{Boolean, Clause, Expression, Relation};
use refusals::Refused;
use search::{
    nearby::{Nearby, Place},
    query::Query,
};
use serde_json::{Value, json};
use store::Session;

use super::{
    answer::Row,
    options::{AUTHORITIES, HEADING, LISTED},
};
use crate::{
    Catalogue, Failed, Found, Records,
    anchor::{Range, Way, way},
    condition::Term,
    meaning::{self, DEEPEST},
    options,
    refusal::{CQL_UNREADABLE, NO_BROWSING, SORTED_BROWSING},
    settings::Settings,
};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browse {
    /// In CQL.
    pub query: String,
    /// Rows in the answer.
    pub limit: usize,
    /// Of them, rows before the place, where it is asked for rows around it.
    pub preceding: usize,
    /// Whether the row at the place is marked, and one inserted if there is none.
    pub highlight: bool,
    /// Whether rows have all that is searched.
    pub expand_all: bool,
}

/// A query that was read.
#[derive(Debug, PartialEq)]
struct Asked {
    place: String,
    way: Way,
    filter: Query,
}

/// Conditions with what joins them.
enum Node<'q> {
    One(&'q Clause),
    All(Vec<Node<'q>>),
    Any(Vec<Node<'q>>),
}

impl<'q> Node<'q> {
    fn of(expression: &'q Expression, depth: usize) -> Option<Self> {
        let mut node = Self::One(&expression.first);
        let mut changes = depth;
        for joined in &expression.rest {
            let next = Self::of(&joined.operand, depth + 1)?;
            node = match (node, joined.boolean) {
                (Self::All(mut all), Boolean::And) => {
                    all.push(next);
                    Self::All(all)
                }
                (Self::Any(mut any), Boolean::Or) => {
                    any.push(next);
                    Self::Any(any)
                }
                (node, boolean) => {
                    changes += 1;
                    match boolean {
                        Boolean::And => Self::All(vec![node, next]),
                        Boolean::Or => Self::Any(vec![node, next]),
                        _ => return None,
                    }
                }
            };
            if changes > DEEPEST {
                return None;
            }
        }
        Some(node)
    }

    /// The conditions that must all hold.
    fn parts(self) -> Vec<Self> {
        match self {
            Self::All(all) => all,
            node => vec![node],
        }
    }

    /// The query of values of one filter; `None`: it is something else. FOLIO takes no others, nor several in parentheses.
    fn filter(&self, settings: &Settings) -> Result<Option<Query>, Refused> {
        Ok(match self {
            Self::One(clause) => {
                let named = AUTHORITIES.named(&options::spelt(clause.index()));
                let is_filter = named.iter().any(|option| option.is_filter())
                    && *clause.relation() != Relation::NotEqual
                    && !Term::of(clause.term(), &named).is_pattern;
                match is_filter {
                    true => Some(meaning::clause(clause, &AUTHORITIES, settings)?),
                    false => None,
                }
            }
            Self::All(_) => None,
            Self::Any(any) => {
                let mut names = any.iter().map(|node| match node {
                    Self::One(clause) => Some(clause.index()),
                    _ => None,
                });
                let first = names.next().flatten();
                if first.is_none() || names.any(|name| name != first) {
                    return Ok(None);
                }
                let queries: Result<Option<Vec<_>>, _> = any.iter().map(|node| node.filter(settings)).collect();
                queries?.map(Query::Or)
            }
        })
    }

    /// The range of headings that it is.
    fn range(&self) -> Option<Range> {
        let Self::One(clause) = self else { return None };
        if clause.index() != HEADING {
            return None;
        }
        let term = Term::of(clause.term(), &AUTHORITIES.named(HEADING));
        Range::of(clause.relation(), &term.text).filter(|_| !term.is_pattern)
    }
}

/// The place of a list, and which way it goes.
fn place(node: &Node<'_>, query: &str) -> Result<Option<(String, Way)>, Refused> {
    let ranges: Option<Vec<Range>> = match node {
        Node::Any(nodes) => nodes.iter().map(Node::range).collect(),
        node => node.range().map(|range| vec![range]),
    };
    ranges.map_or(Ok(None), |ranges| way(&ranges, query))
}

/// Reads a query.
fn read(query: &str, settings: &Settings) -> Result<Asked, Refused> {
    let unreadable = |_| CQL_UNREADABLE.with("query", query).with("resource", AUTHORITIES.name);
    let parsed = cql::parse(query).map_err(unreadable)?;
    let invalid = || NO_BROWSING.with("query", query);
    let node = Node::of(&parsed.condition, 0).ok_or_else(invalid)?;
    // It is refused as that of a search is.
    meaning::read(query, &AUTHORITIES, settings)?;
    if !parsed.sort.is_empty() {
        return Err(SORTED_BROWSING.with("query", query).into());
    }
    let mut found = None;
    let mut filters = vec![Query::has(LISTED, "true")];
    for part in node.parts() {
        match (place(&part, query)?, &found) {
            (Some(place), None) => found = Some(place),
            (Some(_), Some(_)) => return Err(invalid().into()),
            (None, _) => filters.push(Query::Filter(Box::new(part.filter(settings)?.ok_or_else(invalid)?))),
        }
    }
    let (place, way) = found.ok_or_else(invalid)?;
    let filter = if filters.len() == 1 { filters.remove(0) } else { Query::And(filters) };
    Ok(Asked { place, way, filter })
}

/// How many rows are looked for: one more than shown tells whether the list goes on.
fn wanted(asked: Asked, browse: &Browse) -> Place {
    let (limit, preceding) = (browse.limit, browse.preceding.min(browse.limit));
    let (before, at, after) = match asked.way {
        Way::Forward { with_anchor } => (0, if with_anchor { limit } else { 0 }, limit + 1),
        Way::Backward { with_anchor } => (limit + 1, if with_anchor { limit } else { 0 }, 0),
        Way::Around { with_anchor } => {
            let succeeding = limit - preceding;
            (preceding + 1, if with_anchor { succeeding } else { 0 }, succeeding + 1)
        }
    };
    let value = crate::document::whole(options::Kind::Term, &asked.place);
    Place { query: asked.filter, field: HEADING.to_owned(), value, before, at, after }
}

/// A row: a heading, or the place of one that is not there.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    heading: String,
    is_anchor: bool,
    row: Option<Row>,
}

/// A part of a list.
#[derive(Debug, Default, PartialEq)]
struct Lines {
    lines: Vec<Line>,
    prev: Option<String>,
    next: Option<String>,
}

/// What is shown of what is near the place, and where the list goes on.
fn arranged(near: Nearby, place: &str, way: Way, browse: &Browse) -> Lines {
    let lines = |documents: Vec<_>, is_anchor| {
        documents.into_iter().map(Row::of).map(move |row| Line {
            heading: row.heading().unwrap_or_default().to_owned(),
            is_anchor,
            row: Some(row),
        })
    };
    let heading = |lines: &[Line], at: usize| lines.get(at).map(|line| line.heading.clone());
    let (limit, preceding) = (browse.limit, browse.preceding.min(browse.limit));
    match way {
        Way::Forward { .. } => {
            let mut all: Vec<Line> = lines(near.at, false).chain(lines(near.after, false)).collect();
            let next = (all.len() > limit && limit > 0).then(|| heading(&all, limit - 1)).flatten();
            let prev = heading(&all, 0);
            all.truncate(limit);
            Lines { lines: all, prev, next }
        }
        Way::Backward { .. } => {
            let all: Vec<Line> = lines(near.before, false).chain(lines(near.at, false)).collect();
            let first = all.len().saturating_sub(limit);
            let prev = (first > 0 && limit > 0).then(|| heading(&all, first)).flatten();
            let next = all.last().map(|line| line.heading.clone());
            Lines { lines: all[first..].to_vec(), prev, next }
        }
        Way::Around { with_anchor } => {
            let succeeding = limit - preceding;
            let before: Vec<Line> = lines(near.before, false).collect();
            let first = before.len().saturating_sub(preceding);
            let prev = (first > 0 && preceding > 0).then(|| heading(&before, first)).flatten();
            let mut after: Vec<Line> = lines(near.at, browse.highlight).collect();
            if browse.highlight && (!with_anchor || after.is_empty()) {
                after = vec![Line { heading: place.to_owned(), is_anchor: true, row: None }];
            }
            after.extend(lines(near.after, false));
            let next = (after.len() > succeeding && succeeding > 0).then(|| heading(&after, succeeding - 1)).flatten();
            after.truncate(succeeding);
            let mut all = before[first..].to_vec();
            all.extend(after);
            Lines { lines: all, prev, next }
        }
    }
}

impl Catalogue {
    /// A part of the list of headings, those that are decided or lead to decided ones. No round trip, or one for rows with
    /// everything that is searched.
    ///
    /// # Errors
    /// [`Failed`] if the query is refused, or the index or the database cannot be read.
    pub async fn browse_authorities(&self, session: &Session, browse: &Browse) -> Result<Found<Value>, Failed> {
        let asked = read(&browse.query, &Settings::default())?;
        if asked.place.is_empty() {
            return Ok(Found { body: json!({"totalRecords": 0, "items": []}), is_behind: false });
        }
        let (reader, mut is_behind) = self.reader(Records::Authorities).await?;
        let (anchor, way) = (asked.place.clone(), asked.way);
        let place = wanted(asked, browse);
        let near = self.run(Records::Authorities, reader, move |reader| reader.nearby(&place)).await?;
        let total = near.total;
        let Lines { lines, prev, next } = arranged(near, &anchor, way, browse);
        let rows: Vec<&Row> = lines.iter().filter_map(|line| line.row.as_ref()).collect();
        let shown = self.show_rows(session, &rows, browse.expand_all, true).await?;
        is_behind |= shown.is_behind;
        let mut shown = shown.body.into_iter();
        let items: Vec<Value> = lines
            .iter()
            .map(|line| {
                let mut item = json!({"headingRef": line.heading});
                if line.is_anchor {
                    item["isAnchor"] = true.into();
                }
                if let Some(authority) = line.row.as_ref().and_then(|_| shown.next()) {
                    item["authority"] = authority;
                }
                item
            })
            .collect();
        let mut body = json!({"totalRecords": total, "items": items});
        for (name, value) in [("prev", prev), ("next", next)] {
            if let Some(value) = value {
                body[name] = value.into();
            }
        }
        Ok(Found { body, is_behind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::ANCHORS_DIFFER;

    fn way(query: &str) -> Option<(String, Way)> {
        read(query, &Settings::default()).ok().map(|asked| (asked.place, asked.way))
    }

    #[test]
    fn queries_are_ranges_with_filters() {
        let x = |way| Some(("x".to_owned(), way));
        for (query, expected) in [
            ("headingRef > x", x(Way::Forward { with_anchor: false })),
            ("headingRef >= \"x\"", x(Way::Forward { with_anchor: true })),
            ("headingRef < x", x(Way::Backward { with_anchor: false })),
            ("headingRef <= x", x(Way::Backward { with_anchor: true })),
            ("headingRef > x or headingRef < x", x(Way::Around { with_anchor: false })),
            ("headingRef < x or headingRef >= x", x(Way::Around { with_anchor: true })),
            (
                "(headingRef >= x or headingRef < x) and headingType==(\"Topical\" or \"Genre\") and shared==false",
                x(Way::Around { with_anchor: true }),
            ),
            ("isTitleHeadingRef==false and (headingRef >= x or headingRef < x)", x(Way::Around { with_anchor: true })),
            ("headingRef > x and metadata.createdDate > 2020-01-01", x(Way::Forward { with_anchor: false })),
            ("headingRef > \"\"", Some((String::new(), Way::Forward { with_anchor: false }))),
        ] {
            assert_eq!(way(query), expected, "{query}");
        }
        for query in [
            "headingRef = x",
            "headingRef > x*",
            "headingType==Topical",
            "headingRef > x and id==1",
            "headingRef > x and headingType<>Topical",
            "headingRef > x and headingType=*",
            "headingRef > x and (headingType==Topical or sourceFileId==1)",
            "headingRef > x and (headingType==Topical and sourceFileId==1)",
            "headingRef > x and headingRef < y",
            "headingRef > x or headingType==Topical",
            "headingRef > x or headingRef >= x",
            "headingRef > x not headingType==Topical",
            "headingRef > x or headingRef < x or headingRef < x",
        ] {
            let refused = read(query, &Settings::default());
            assert!(refused.is_err_and(|refused| refused.has(&[NO_BROWSING])), "{query}");
        }
        let refused = |query: &str| read(query, &Settings::default()).expect_err(query);
        assert!(refused("headingRef > x sortby headingRef").has(&[SORTED_BROWSING]));
        assert!(refused("headingRef > x or headingRef < y").has(&[ANCHORS_DIFFER]));
        assert!(refused("headingRef > x and (").has(&[CQL_UNREADABLE]));
        let deep = (0..10_000).map(|n| if n % 2 == 0 { " or shared==true" } else { " and shared==true" });
        assert!(refused(&format!("headingRef > x{}", deep.collect::<String>())).has(&[NO_BROWSING]));
    }
}
