//! A page of the circulation log, in one statement (decision 59): its entries are in `circulation_log`, but those of check-outs,
//! returns and ageing, which are versions of loans in `loan_history`. Each part is walked in the order of the page and gives as many keys
//! as the page needs; only the entries of the page are made.

use cql::{Boolean, Expression, Operand, Relation, TermSet};
use uuid::Uuid;

use super::{
    EXACT_UP_TO, Plan, QueryError, Statement, compare,
    list::{ListRequest, planned},
    order::{Order, OrderColumn},
    sql::{Fragment, Parameter},
    target::Target,
    words,
};
use crate::{collection::Collection, db::Session, query::Page, record::Kind};

/// The entries that the history of loans tells, with the columns of `circulation_log`. A version's document is made once, and only
/// if something asks for it.
const LENDING: &str = "(SELECT lending_entry_id(h.id, p.part) AS id, p.part::bigint AS seq, h.id AS version, h.loan_id, \
    h.lending, h.createddate_exact AS date_exact, \
    left(carrel.fold(lending_action(h.lending, p.part)), 600) COLLATE \"C\" AS action_fold, \
    left(carrel.fold(CASE p.part WHEN 2 THEN 'N/A' ELSE 'Loan' END), 600) COLLATE \"C\" AS object_fold, \
    h.service_point::text COLLATE \"C\" AS servicepointid_lower, \
    lending_entry(d.doc, h.lending, h.service_point, p.part) AS doc \
    FROM loan_history_record h CROSS JOIN LATERAL \
      unnest(CASE h.lending WHEN 1 THEN ARRAY[1] WHEN 4 THEN ARRAY[1] \
        WHEN 2 THEN ARRAY[2, 3] WHEN 3 THEN ARRAY[4, 5] END) AS p (part) \
    CROSS JOIN LATERAL (SELECT h.doc OFFSET 0) AS d WHERE h.lending IS NOT NULL)";

/// The loans of those entries: what is there, and what was removed.
const LENT: &str = "(SELECT id, itemid, userid FROM loan UNION ALL SELECT id, itemid, userid FROM removed_loan)";

/// The members of an item in an entry: words that every one of those entries has.
const MEMBERS_OF_ITEMS: [&str; 5] = ["itembarcode", "itemid", "instanceid", "holdingid", "loanid"];

/// The actions of those entries.
const LENDING_ACTIONS: [&str; 5] = ["checked out", "checked out through override", "checked in", "closed loan", AGEING];
/// The rarest of them, which an index finds.
const AGEING: &str = "age to lost";

/// Totals up to this number are counted exactly if nothing else is asked for.
const COUNTED_ALONE: i64 = 200_000;

/// A page of the log.
///
/// # Errors
/// [`QueryError`].
pub async fn log_page(
    session: &Session,
    collection: &Collection,
    request: &ListRequest<'_>,
) -> Result<Page, QueryError> {
    let plan = planned(&[], collection, request)?;
    let query = request.cql.and_then(|text| cql::parse(text).ok());
    let required = query.as_ref().map(|query| required(&query.condition)).unwrap_or_default();
    let (lending, written) = (Lending::of(&required), written(&required));
    let statement = statement(&plan, &lending, &written, request.limit, request.offset);
    let row = session.get(&statement.sql, &statement.values()).await?;
    Ok(Page {
        records: row.get("records"),
        total: (request.totals != "none").then(|| row.get("total")),
        undeclared: plan.undeclared,
        stamp: None,
    })
}

/// Which entries of the history can match a query at all.
#[derive(Debug, PartialEq)]
enum Lending {
    All,
    /// Those that satisfy the conditions, which indexes serve.
    Where(Vec<Fragment>),
    Nothing,
}

/// What every match satisfies: the operands of `and`.
fn required(condition: &Expression) -> Vec<TermSet<'_>> {
    let operands = condition.operands();
    if operands.iter().any(|(boolean, _)| matches!(boolean, Some(Boolean::Or | Boolean::Prox))) {
        return Vec::new();
    }
    let demanded = operands.into_iter().filter(|(boolean, _)| *boolean != Some(Boolean::Not));
    let sets = demanded.flat_map(|(_, operand)| match operand {
        Operand::Nested(expression) => required(expression),
        Operand::Terms(set) => vec![set],
    });
    sets.filter(|set| set.modifiers.is_empty()).collect()
}

/// What an index finds of the written entries that satisfy all this: those with the barcode or id of an item.
fn written(required: &[TermSet<'_>]) -> Vec<Fragment> {
    let is_of_items = |set: &&TermSet<'_>| {
        set.index == "items" && matches!(set.relation, Relation::Equal | Relation::Adj | Relation::All)
    };
    let values = |set: &TermSet<'_>| {
        let terms = set.terms.iter().map(|term| match words::search_text(term).ok()?.as_str() {
            "*" => None,
            search => named_value(search),
        });
        let terms: Vec<String> = terms.collect::<Option<_>>()?;
        Some(Fragment::new("r.item_values @@ carrel.any_values(").bind(Parameter::Texts(terms)).sql(")"))
    };
    required.iter().filter(is_of_items).filter_map(values).collect()
}

impl Lending {
    fn of(required: &[TermSet<'_>]) -> Self {
        let mut found = Self::All;
        required.iter().for_each(|set| found.narrow_by(set));
        found
    }

    fn narrow_by(&mut self, set: &TermSet<'_>) {
        let literals: Option<Vec<_>> = set.terms.iter().map(|term| cql::literal(term)).collect();
        match (set.index, set.relation, literals) {
            ("id", Relation::Equal | Relation::Exact, Some(ids)) => self.require(of_ids(&ids)),
            ("action", Relation::Exact, Some(actions)) => {
                let mut actions: Vec<_> = actions.iter().map(|action| action.to_lowercase()).collect();
                actions.retain(|action| LENDING_ACTIONS.contains(&action.as_str()));
                if actions.is_empty() {
                    *self = Self::Nothing;
                } else if actions.iter().all(|action| action == AGEING) {
                    self.require(Fragment::new("r.lending = 3"));
                }
            }
            ("items", Relation::Equal | Relation::Exact, Some(terms)) => {
                if let Some(named) = terms.iter().map(|term| named_value(term)).collect() {
                    self.require(of_items(named));
                }
            }
            ("userBarcode", Relation::Exact, _) => self.require(of_borrowers(&set.terms)),
            _ => {}
        }
    }

    fn require(&mut self, condition: Fragment) {
        match self {
            Self::All => *self = Self::Where(vec![condition]),
            Self::Where(conditions) => conditions.push(condition),
            Self::Nothing => {}
        }
    }

    /// The part of the condition of the derived entries, with its parameters.
    fn sql(&self, parameters: &mut Vec<Parameter>) -> String {
        match self {
            Self::All => String::new(),
            Self::Nothing => " AND FALSE".to_owned(),
            Self::Where(conditions) => and_all(conditions, parameters),
        }
    }
}

fn and_all(conditions: &[Fragment], parameters: &mut Vec<Parameter>) -> String {
    conditions.iter().map(|condition| format!(" AND {}", condition.numbered(parameters))).collect()
}

/// Versions whose entries may have one of the ids: `lending_entry_id` turns the last bit of that of the second entry.
fn of_ids(terms: &[String]) -> Fragment {
    let ids = terms.iter().filter_map(|term| term.parse::<Uuid>().ok());
    let ids = ids.flat_map(|id| [id, Uuid::from_u128(id.as_u128() ^ 1)]).collect();
    Fragment::new("r.version = ANY (").bind(Parameter::Uuids(ids)).sql(")")
}

/// What a term names besides members; nothing if it fits entries whatever their values.
fn named_value(term: &str) -> Option<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_value = |word: &&str| !MEMBERS_OF_ITEMS.contains(&bare(word).as_str());
    // Blanks as PostgreSQL knows them.
    let words = term.split(|c: char| c.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let values: Vec<_> = words.filter(is_value).collect();
    (!values.is_empty()).then(|| values.join(" "))
}

/// Loans of items with one of the barcodes; items, their holdings and titles, or loans with one of the terms as their id.
fn of_items(terms: Vec<String>) -> Fragment {
    let ids = terms.iter().filter_map(|term| term.parse().ok()).collect();
    Fragment::new("r.loan_id IN (WITH named AS (SELECT unnest(")
        .bind(Parameter::Uuids(ids))
        .sql(") AS id), about AS (SELECT i.id FROM item i ")
        .sql("WHERE carrel.case_folded_key(i.doc->>'barcode') COLLATE \"C\" = ANY (ARRAY(SELECT carrel.case_folded_key(t) FROM unnest(")
        .bind(Parameter::Texts(terms))
        .sql(") AS t)) UNION ALL SELECT n.id FROM named n UNION ALL SELECT i.id FROM item i WHERE i.holdingsrecordid IN (")
        .sql("SELECT h.id FROM holdings_record h WHERE h.instanceid IN (SELECT n.id FROM named n) ")
        .sql(&format!("UNION ALL SELECT n.id FROM named n)) SELECT l.id FROM {LENT} l "))
        .sql("WHERE l.itemid IN (SELECT a.id FROM about a) UNION ALL SELECT n.id FROM named n)")
}

/// Loans of patrons whose barcode is one of the terms.
fn of_borrowers(terms: &[&str]) -> Fragment {
    let barcode = Target::unindexed("(u.doc->>'barcode')".into(), &Kind::Text);
    Fragment::new(format!("r.loan_id IN (SELECT l.id FROM {LENT} l WHERE l.userid IN (SELECT u.id FROM users u WHERE "))
        .then(compare::equals(&barcode, terms).sql())
        .sql("))")
}

fn statement(plan: &Plan, lending: &Lending, written: &[Fragment], limit: i64, offset: i64) -> Statement {
    let mut parameters = Vec::new();
    let condition = plan.condition.sql().numbered(&mut parameters);
    let narrowed = lending.sql(&mut parameters);
    let written = and_all(written, &mut parameters);
    let by_date = [OrderColumn { sql: "(date_exact)".into(), descending: false, indexed: true }];
    let order = Order::of(if plan.order.is_empty() { &by_date } else { &plan.order });
    let mut bind = |number: i64| {
        parameters.push(Parameter::Integer(number));
        format!("${}::bigint", parameters.len())
    };
    let (rows, limited, skipped) = (bind(limit.saturating_add(offset)), bind(limit), bind(offset));
    let most = bind(if limit == 0 { COUNTED_ALONE } else { EXACT_UP_TO } + 1);
    let (keys, by_value) = (order.keys(), order.by_value());
    let (by_key, of_page) = (order.by_key(""), order.by_key("page."));
    // Versions settle the order of their entries, so that each page goes on where the one before it ended.
    let sql = format!(
        "WITH found AS MATERIALIZED (\
         (SELECT r.id, r.seq, NULL::uuid AS version{keys} FROM circulation_log r WHERE ({condition}){written} \
          ORDER BY {by_value} LIMIT {rows}) UNION ALL \
         (SELECT r.id, r.seq, r.version{keys} FROM {LENDING} r WHERE ({condition}){narrowed} \
          ORDER BY {by_value}, r.version LIMIT {rows})), \
         page AS MATERIALIZED (SELECT * FROM found ORDER BY {by_key}, version LIMIT {limited} OFFSET {skipped}), \
         counted AS MATERIALIZED (SELECT \
          (SELECT count(*) FROM (SELECT FROM circulation_log r WHERE ({condition}){written} LIMIT {most}) AS stored) + \
          (SELECT count(*) FROM (SELECT FROM {LENDING} r WHERE ({condition}){narrowed} LIMIT {most}) AS lent) AS number) \
         SELECT '[' || coalesce((SELECT string_agg(\
           ('{{\"userBarcode\": \"-\"}}'::jsonb || coalesce(e.doc, lending_entry(h.doc, h.lending, h.service_point, page.seq::int)))::text, ',' \
           ORDER BY {of_page}, page.version) \
          FROM page LEFT JOIN circulation_log e ON page.version IS NULL AND e.id = page.id \
          LEFT JOIN loan_history_record h ON h.id = page.version), '') || ']' AS records, \
         (SELECT greatest(number, (SELECT {skipped} + count(*) FROM page HAVING count(*) > 0)) FROM counted) AS total"
    );
    Statement { sql, parameters }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lending(query: &str) -> Lending {
        Lending::of(&required(&cql::parse(query).expect("CQL").condition))
    }

    #[test]
    fn a_query_narrows_what_is_read_from_the_history_of_loans() {
        let conditions = |query: &str| match lending(query) {
            Lending::All => Some(0),
            Lending::Where(conditions) => Some(conditions.len()),
            Lending::Nothing => None,
        };
        for (query, expected) in [
            ("cql.allRecords=1", Some(0)),
            ("items=\"123\" and date>=\"2026\"", Some(1)),
            ("(userBarcode==\"*12*\" and items=\"123\") sortby date/sort.descending", Some(2)),
            ("(items=1 or items=2) and action==\"Patron info added\"", None),
            ("(items=1 or items=2) and action==\"Checked in\"", Some(1)),
            ("action==(Renewed or Billed)", None),
            ("action==(Renewed or \"Checked out\")", Some(0)),
            ("action==\"Age to lost\"", Some(1)),
            ("action==(\"Age to lost\" or Renewed)", Some(1)),
            ("action==(\"Age to lost\" or \"Checked in\")", Some(0)),
            ("action==\"*out*\"", Some(0)),
            ("items=1 or description==\"*x*\"", Some(0)),
            ("date>2026 not items=1", Some(0)),
            ("items=\"12*\"", Some(0)),
            ("items=\"\"", Some(0)),
            ("items=holdingId", Some(0)),
            ("items=(1 or \"\")", Some(0)),
            ("items=\"@loanId 1\"", Some(1)),
        ] {
            assert_eq!(conditions(query), expected, "{query}");
        }
    }

    #[test]
    fn written_entries_are_found_by_the_values_of_their_items() {
        for (query, expected) in [
            ("items=\"123\" and date>=\"2026\"", 1),
            ("items all \"Shelf 7\"", 1),
            ("items=12*", 1),
            ("items=(1 or 2) and action==Renewed", 1),
            ("items=\"@loanId 1\"", 1),
            ("items=1 or items=2", 1),
            ("items=1 or action==Renewed", 0),
            ("items==\"*12*\"", 0),
            ("items any \"1 2\"", 0),
            ("items=holdingId", 0),
            ("items=\"\"", 0),
            ("items=*", 0),
            ("date>2026 not items=1", 0),
        ] {
            let parsed = cql::parse(query).expect("CQL");
            assert_eq!(written(&required(&parsed.condition)).len(), expected, "{query}");
        }
    }
}
