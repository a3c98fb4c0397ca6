//! What CQL says of a list: from where it is browsed, and what narrows it (contract 1.7), or whose values are counted (1.6).

use cql::{Boolean, Clause, Expression, Relation};
use refusals::{Refusal, Refused};
use search::analysis::folded;

use crate::{
    anchor::{Range, Way, way},
    browse_settings::Config,
    condition::Term,
    lists::{CALL_NUMBER_TYPE, List, SHARED, TENANT},
    meaning::DEEPEST,
    options,
    refusal::{CQL_UNREADABLE, FIELD_UNKNOWN, NO_BROWSING, OPERATOR_UNKNOWN, RELATION_UNKNOWN, SORT_UNKNOWN},
};

/// A condition on the rows of a list.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    /// On what it is browsed by.
    Text {
        relation: Relation,
        anchor: String,
        folded: String,
        is_pattern: bool,
    },
    /// On what it is narrowed by; without values, any.
    Filter {
        field: &'static str,
        values: Vec<String>,
    },
    Everything,
    All(Vec<Node>),
    Any(Vec<Node>),
    Without(Box<Node>, Box<Node>),
}

/// A row that conditions are on, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) list: List,
    pub(crate) tenant: &'a str,
    pub(crate) group: &'a str,
    /// Its text, without case and accents.
    pub(crate) text: &'a str,
    /// Conditions on this field are met.
    pub(crate) ignored: Option<&'a str>,
}

impl Node {
    /// A condition that no row meets.
    pub(crate) fn never() -> Self {
        Self::Any(Vec::new())
    }

    pub(crate) fn holds(&self, at: &At<'_>) -> bool {
        match self {
            Self::Everything => true,
            Self::All(nodes) => nodes.iter().all(|node| node.holds(at)),
            Self::Any(nodes) => nodes.iter().any(|node| node.holds(at)),
            Self::Without(one, other) => one.holds(at) && (other.is_on(at.ignored) || !other.holds(at)),
            Self::Filter { field, .. } if at.ignored == Some(*field) => true,
            Self::Filter { field, values } => {
                let value = match *field {
                    TENANT => Some(at.tenant.to_owned()),
                    SHARED => Some(false.to_string()),
                    field => at.list.value_in(at.group, field),
                };
                values.is_empty()
                    || value
                        .is_some_and(|value| values.iter().any(|one| one == "*" || one.eq_ignore_ascii_case(&value)))
            }
            Self::Text { relation, folded, is_pattern, .. } => {
                let order = at.text.cmp(folded);
                match relation {
                    _ if *is_pattern => is_like(at.text, folded),
                    Relation::NotEqual => order.is_ne(),
                    Relation::Less => order.is_lt(),
                    Relation::LessOrEqual => order.is_le(),
                    Relation::Greater => order.is_gt(),
                    Relation::GreaterOrEqual => order.is_ge(),
                    _ => order.is_eq(),
                }
            }
        }
    }

    fn is_on(&self, field: Option<&str>) -> bool {
        matches!(self, Self::Filter { field: own, .. } if field == Some(*own))
    }

    /// Whether it asks for texts.
    pub(crate) fn has_text(&self) -> bool {
        match self {
            Self::Text { .. } => true,
            Self::Filter { .. } | Self::Everything => false,
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().any(Self::has_text),
            Self::Without(one, other) => one.has_text() || other.has_text(),
        }
    }

    /// Whether it narrows a list: by values of one filter. FOLIO takes no others, nor several in parentheses.
    fn narrows(&self, list: List) -> bool {
        match self {
            Self::Any(nodes) => {
                let mut fields = nodes.iter().map(|node| node.narrowed_by(list));
                let first = fields.next().flatten();
                first.is_some() && fields.all(|field| field == first)
            }
            node => node.narrowed_by(list).is_some(),
        }
    }

    /// The filter that it is, with values that are no patterns.
    fn narrowed_by(&self, list: List) -> Option<&'static str> {
        match self {
            Self::Filter { field, values } if !values.iter().any(|value| value.contains('*')) => {
                list.is_narrowed_by(field).then_some(*field)
            }
            _ => None,
        }
    }

    /// The values of a field that are asked for.
    pub(crate) fn selected(&self, of: &str) -> Vec<&str> {
        match self {
            Self::Filter { field, values } if *field == of => values.iter().map(String::as_str).collect(),
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().flat_map(|node| node.selected(of)).collect(),
            Self::Without(one, _) => one.selected(of),
            _ => Vec::new(),
        }
    }
}

/// Whether a text is like a pattern, in which `*` is any text and `?` any character.
fn is_like(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut at, mut asked) = (0, 0);
    // After the last `*`: where the pattern goes on, and how much of the text is taken to be before that.
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(asked) {
            Some('*') => {
                star = Some((asked + 1, at));
                asked += 1;
            }
            Some(c) if *c == '?' || *c == text[at] => (at, asked) = (at + 1, asked + 1),
            _ => {
                let Some((after, before)) = star else { return false };
                star = Some((after, before + 1));
                (at, asked) = (before + 1, after);
            }
        }
    }
    pattern[asked..].iter().all(|c| *c == '*')
}

/// What is browsed.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) anchor: String,
    pub(crate) way: Way,
    pub(crate) filters: Vec<Node>,
}

/// Reads conditions on a list. Its order is its own.
///
/// # Errors
/// What cannot be read, an order, and fields and relations that do not exist.
pub(crate) fn read(query: &str, list: List, configs: &[Config]) -> Result<Node, Refused> {
    let unreadable = |_| CQL_UNREADABLE.with("query", query).with("resource", list.resource());
    let parsed = cql::parse(query).map_err(unreadable)?;
    if let Some(key) = parsed.sort.first() {
        return Err(SORT_UNKNOWN.with("sortField", &*options::spelt(key.index())).into());
    }
    Reading { query, list, configs }.expression(&parsed.condition, 0)
}

/// Reads from where a list is browsed.
///
/// # Errors
/// The same, and queries of another form.
pub(crate) fn browsed(query: &str, list: List, configs: &[Config]) -> Result<Asked, Refused> {
    let parts = match read(query, list, configs)? {
        Node::All(parts) => parts,
        node => vec![node],
    };
    let (anchors, filters): (Vec<Node>, Vec<Node>) = parts.into_iter().partition(|part| !part.narrows(list));
    let invalid = || NO_BROWSING.with("query", query);
    let [anchor] = anchors.as_slice() else { return Err(invalid().into()) };
    let ranges: Option<Vec<Range>> = match anchor {
        Node::Any(nodes) => nodes.iter().map(range).collect(),
        node => range(node).map(|range| vec![range]),
    };
    let (anchor, way) = way(&ranges.ok_or_else(invalid)?, query)?.ok_or_else(invalid)?;
    Ok(Asked { anchor, way, filters })
}

fn range(node: &Node) -> Option<Range> {
    let Node::Text { relation, anchor, is_pattern: false, .. } = node else { return None };
    Range::of(relation, anchor)
}

struct Reading<'a> {
    query: &'a str,
    list: List,
    configs: &'a [Config],
}

impl Reading<'_> {
    fn expression(&self, expression: &Expression, depth: usize) -> Result<Node, Refused> {
        let mut node = self.clause(&expression.first)?;
        let mut changes = depth;
        let mut last = None;
        for joined in &expression.rest {
            let next = self.expression(&joined.operand, depth + 1)?;
            // Each change makes the tree deeper; so does each `not`.
            changes += usize::from(last != Some(joined.boolean) || joined.boolean == Boolean::Not);
            last = Some(joined.boolean);
            if changes > DEEPEST {
                return Err(NO_BROWSING.with("query", self.query).into());
            }
            node = match joined.boolean {
                Boolean::And => Node::All(with(node, next, true)),
                Boolean::Or => Node::Any(with(node, next, false)),
                Boolean::Not => Node::Without(Box::new(node), Box::new(next)),
                Boolean::Prox => return Err(OPERATOR_UNKNOWN.with("operator", "PROX").into()),
            };
        }
        Ok(node)
    }

    fn clause(&self, clause: &Clause) -> Result<Node, Refused> {
        let (name, relation) = (clause.index(), clause.relation());
        if (name, clause.term()) == ("cql.allRecords", "1") {
            return Ok(Node::Everything);
        }
        let term = Term::of(clause.term(), &[]);
        let unknown = match relation {
            Relation::Within => Some("within"),
            Relation::Encloses => Some("encloses"),
            Relation::Named(name) => Some(&**name),
            _ => None,
        };
        let filter = self.list.filter(name);
        if filter.is_none() && name != self.list.target() {
            return Err(self.refused(name).into());
        }
        if let Some(relation) = unknown.filter(|_| !term.is_pattern) {
            return Err(RELATION_UNKNOWN.with("relation", relation).into());
        }
        if term.is_pattern && term.text.chars().all(|c| c == '*') && filter.is_none() {
            return Ok(Node::Everything);
        }
        let Some(field) = filter else {
            let folded = folded(&term.text);
            return Ok(Node::Text {
                relation: relation.clone(),
                anchor: term.text,
                folded,
                is_pattern: term.is_pattern,
            });
        };
        let values =
            match self.configs.iter().find(|config| {
                field == CALL_NUMBER_TYPE && config.list == List::CallNumbers && config.option == term.text
            }) {
                Some(config) => config.type_ids.clone(),
                None => vec![term.text],
            };
        match relation {
            Relation::Less | Relation::LessOrEqual | Relation::Greater | Relation::GreaterOrEqual => {
                Err(NO_BROWSING.with("query", self.query).into())
            }
            Relation::NotEqual => {
                Ok(Node::Without(Box::new(Node::Everything), Box::new(Node::Filter { field, values })))
            }
            _ => Ok(Node::Filter { field, values }),
        }
    }

    /// Why a field cannot be asked for.
    fn refused(&self, name: &str) -> Refusal {
        match self.list.others().contains(&name) {
            true => NO_BROWSING.with("query", self.query),
            false => FIELD_UNKNOWN.with("field", name),
        }
    }
}

/// Conditions that are joined as those before the last are; what is in parentheses stays together.
fn with(node: Node, next: Node, of_all: bool) -> Vec<Node> {
    let mut nodes = match node {
        Node::All(nodes) if of_all => nodes,
        Node::Any(nodes) if !of_all => nodes,
        node => vec![node],
    };
    nodes.push(next);
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::ANCHORS_DIFFER;

    fn asked(query: &str) -> Result<Asked, Refused> {
        browsed(query, List::Subjects, &[])
    }

    fn deep(part: &str) -> String {
        format!("value >= x {}", [part; 5000].join(" "))
    }

    #[test]
    fn one_range_or_two_around_an_anchor_are_browsed() {
        let (with, without) = (true, false);
        for (query, anchor, way, filters) in [
            ("value >= \"Fan tasy\"", "Fan tasy", Way::Forward { with_anchor: with }, 0),
            ("value > x", "x", Way::Forward { with_anchor: without }, 0),
            ("value <= x", "x", Way::Backward { with_anchor: with }, 0),
            ("value < \"x\\*\"", "x*", Way::Backward { with_anchor: without }, 0),
            ("value >= x or value < x", "x", Way::Around { with_anchor: with }, 0),
            ("value < x or value >= x", "x", Way::Around { with_anchor: with }, 0),
            ("value > x or value < x", "x", Way::Around { with_anchor: without }, 0),
            ("value > x or value <= x", "x", Way::Around { with_anchor: without }, 0),
            ("(value >= x or value < x) and typeId==a", "x", Way::Around { with_anchor: with }, 1),
            ("value >= x and typeId==(a or b) and instances.shared==false", "x", Way::Forward { with_anchor: with }, 2),
            ("(typeId==a or typeId==b) and value < x", "x", Way::Backward { with_anchor: without }, 1),
            ("(sourceId==a and typeId==b) and value < x", "x", Way::Backward { with_anchor: without }, 2),
        ] {
            let asked = asked(query).unwrap_or_else(|refused| panic!("{query}: {refused}"));
            assert_eq!((&*asked.anchor, asked.way, asked.filters.len()), (anchor, way, filters), "{query}");
        }
        for query in [
            "value = x",
            "value == x",
            "value <> x",
            "value >= \"x*\"",
            "value >= x or value > x",
            "value >= x and value < x",
            "value >= x or value < x or value <= x",
            "value >= x or typeId==a",
            "value >= x not typeId==a",
            "value >= x and typeId<>a",
            "value >= x and typeId>a",
            "value >= x and typeId=*",
            "value >= x and (typeId==a or sourceId==b)",
            "value >= x and (typeId==a and sourceId==b)",
            "value >= x and (typeId==a or (typeId==b or typeId==c))",
            "value >= x and authorityId==a",
            "typeId==a",
            "cql.allRecords=1",
            &deep("and typeId==a or typeId==a"),
            &deep("not typeId==a"),
        ] {
            assert!(asked(query).is_err_and(|refused| refused.has(&[NO_BROWSING])), "{query}");
        }
        for (query, wording) in [
            ("value >= x or value < y", ANCHORS_DIFFER),
            ("value >= x sortby value", SORT_UNKNOWN),
            ("number >= x sortby value", SORT_UNKNOWN),
            ("value >= ", CQL_UNREADABLE),
            ("number >= x", FIELD_UNKNOWN),
            ("value >= x prox value < x", OPERATOR_UNKNOWN),
            ("value within x", RELATION_UNKNOWN),
        ] {
            assert!(asked(query).is_err_and(|refused| refused.has(&[wording])), "{query}");
        }
        for (query, list) in [
            ("number >= a and typeId==x", List::Classifications),
            ("callNumber > HB", List::CallNumbers),
            ("fullCallNumber > HB and callNumberPrefix==x", List::CallNumbers),
        ] {
            let refused = browsed(query, list, &[]);
            assert!(refused.is_err_and(|refused| refused.has(&[NO_BROWSING])), "{query}");
        }
        assert!(browsed("number >= a and instances.shared==false", List::Classifications, &[]).is_ok());
    }

    #[test]
    fn conditions_hold_for_rows() {
        let group = "src\u{2}~";
        let at = At { list: List::Subjects, tenant: "diku", group, text: "folk music", ignored: None };
        for (query, is_met, is_met_ignoring_the_source) in [
            ("sourceId==src", true, true),
            ("sourceId==(a or SRC)", true, true),
            ("sourceId==a", false, true),
            ("sourceId<>a", true, true),
            ("sourceId<>src", false, true),
            ("typeId==a or sourceId==a", false, true),
            ("typeId==\"*\"", false, false),
            ("sourceId==\"*\"", true, true),
            ("instances.tenantId==diku and instances.shared==false", true, true),
            ("instances.shared==true", false, false),
            ("value=\"FOLK Musíc\"", true, true),
            ("value=\"fol*m?sic\"", true, true),
            ("value=\"*usic\" and value=\"*o*\"", true, true),
            ("value=\"fol*m?ic\"", false, false),
            ("value=* not sourceId==a", true, true),
            ("value > folk and value < g", true, true),
        ] {
            let node = read(query, List::Subjects, &[]).unwrap_or_else(|refused| panic!("{query}: {refused}"));
            assert_eq!(node.holds(&at), is_met, "{query}");
            let ignoring = At { ignored: Some("sourceId"), ..at };
            assert_eq!(node.holds(&ignoring), is_met_ignoring_the_source, "{query}");
        }
    }
}
