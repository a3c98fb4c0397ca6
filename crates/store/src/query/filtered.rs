//! The page of a list with a condition: few matches are fetched and sorted, very many are met by walking in order.
//!
//! How many there are decides, and the statement finds that out itself, so that one text serves all values. Each of its
//! steps runs only if the ones before did not answer:
//!
//! 1. With an index for the condition, or for a part of it, the first rows are fetched that it finds. If those are all,
//!    the matches among them are sorted.
//! 2. If the statistics, or a sample, expect very many, the table is walked in order for a limited number of rows. A
//!    full page found there is the page, whatever was expected.
//! 3. Otherwise matches are fetched up to a limit, counted and sorted, unless far more are expected.
//! 4. If there are more, the walk has no limit.
//!
//! Each step costs its preparation. Where few records can match, such as the loans of a patron, there are only the last two.

use std::borrow::Cow;

use super::order::Order;
use super::planner::Plan;
use super::sql::Parameter;
use super::writer::{EXACT_UP_TO, FEW, Found, Writer};

/// Up to this many matches that an index finds are fetched to be sorted: half a second at most.
const SORTED: i64 = 200_000;
/// A walk is tried if this many matches are expected: three times what is counted, so that an estimate that is somewhat
/// too high does not replace a number that would have been exact.
const MANY: i64 = 3 * EXACT_UP_TO;
/// Rows that a walk reads for each row of the page and before it: enough where one record in thirty matches.
const STEPS: i64 = 64;
/// The same for a page among the first ones, however short.
const FIRST_STEPS: i64 = 8_192;
const FIRST: i64 = 1_000;
const MOST_STEPS: i64 = 1 << 40;

/// The page of the records that match the plan's condition.
pub(super) fn filtered(writer: &mut Writer<'_>, plan: &Plan, limit: i64, offset: i64) -> Found {
    let steps = steps(limit, offset, plan.condition.comparisons());
    let is_few = plan.condition.is_few();
    let is_served = plan.condition.unserved() == 0;
    let has_statistics = is_served && !plan.condition.is_of_others();
    // PostgreSQL refuses a parameter that no text mentions, and only a walk mentions those of the range.
    let walks = writer.order.is_walkable() && !is_few;
    let key = writer.order.first().filter(|_| walks);
    let range = key.and_then(|key| plan.condition.about(key));
    let range = range.map_or_else(String::new, |range| {
        let range = range.numbered(&mut writer.parameters);
        format!(" AND {range}")
    });
    let narrowed = plan.condition.served_part().filter(|_| !is_few);
    let narrowed = narrowed.map(|part| match is_served {
        true => writer.condition.clone(),
        false => part.numbered(&mut writer.parameters),
    });
    let explained = writer.bind(Parameter::Text(plan.condition.sql().inlined()));
    let searched = writer.searched();
    let (limit, offset) = (writer.bind_number(limit), writer.bind_number(offset));
    let parts = Parts {
        table: writer.collection.table,
        estimate: format!(
            "carrel.row_estimate('{}', '{searched}', {explained}, {has_statistics}",
            writer.collection.table
        ),
        searched,
        relation: writer.collection.relation(),
        record: writer.collection.representation(),
        condition: &writer.condition,
        order: &writer.order,
        range,
        steps,
        is_served: is_served || is_few,
        walks,
        narrowed,
        limit,
        offset,
    };
    parts.found()
}

/// The limit of a walk: a power of two, so that few texts serve all pages. Words are dear to find.
fn steps(limit: i64, offset: i64, comparisons: usize) -> i64 {
    let rows = limit.saturating_add(offset);
    if rows <= FIRST {
        return if comparisons > 1 { FIRST_STEPS / 2 } else { FIRST_STEPS };
    }
    let steps = u64::try_from(rows.saturating_mul(STEPS).min(MOST_STEPS)).unwrap_or_default();
    i64::try_from(steps.next_power_of_two()).unwrap_or(MOST_STEPS)
}

struct Parts<'a> {
    table: &'a str,
    /// What is searched.
    searched: Cow<'a, str>,
    /// What records are read from.
    relation: Cow<'a, str>,
    record: &'a str,
    condition: &'a str,
    order: &'a Order,
    /// The part of the condition that limits the order's first key.
    range: String,
    steps: i64,
    is_served: bool,
    /// Whether a walk may meet the page.
    walks: bool,
    /// The condition as far as an index serves it.
    narrowed: Option<String>,
    /// A call of the estimate without its last argument, the number that is known.
    estimate: String,
    limit: String,
    offset: String,
}

impl Parts<'_> {
    fn found(&self) -> Found {
        let (relation, record) = (&self.relation, self.record);
        let mut steps = Vec::new();
        if let Some(narrowed) = &self.narrowed {
            steps.push(self.few(narrowed));
        }
        if self.walks {
            steps.extend([self.expected(), self.walked()]);
        }
        steps.push(self.matches());
        steps.push(self.page());
        let by_page_key = self.order.by_key("page.");
        let count = self.count();
        Found {
            with: format!("WITH {} ", steps.join(", ")),
            records: format!(
                "SELECT ({record})::text AS record FROM page JOIN {relation} r ON r.id = page.id ORDER BY {by_page_key}"
            ),
            total: match self.walks {
                true => format!(
                    "SELECT CASE WHEN filled THEN (SELECT greatest(number, {} + {} + 1) FROM expected) ELSE ({count}) END \
                     FROM shown",
                    self.limit, self.offset
                ),
                false => count,
            },
        }
    }

    /// A query of the number of matches if no walk met the page: what was counted, or an estimate that is not less than
    /// what the page shows. A page that is not full ends the list.
    fn count(&self) -> String {
        let Self { searched, condition, estimate, limit, offset, .. } = self;
        format!(
            "SELECT CASE WHEN NOT more THEN number WHEN here = {limit} \
             THEN {estimate}, greatest(number, {offset} + here + 1)) WHEN here > 0 THEN {offset} + here \
             ELSE (SELECT count(*) FROM {searched} r WHERE {condition}) END \
             FROM counted, (SELECT count(*) AS here FROM page) AS page_shown"
        )
    }

    /// The first rows that an index finds, which of them match, and whether there are more.
    fn few(&self, narrowed: &str) -> String {
        let Self { searched, condition, .. } = self;
        let (keys, key_names) = (self.order.keys(), self.order.key_names());
        let rows = match self.is_served {
            true => {
                format!("SELECT r.id, r.seq, TRUE AS matches{keys} FROM {searched} r WHERE {narrowed} LIMIT {FEW} + 1")
            }
            false => format!(
                "SELECT id, seq, ({condition}) AS matches{key_names} \
                 FROM (SELECT r.*{keys} FROM {searched} r WHERE {narrowed} LIMIT {FEW} + 1) AS r"
            ),
        };
        format!("few AS MATERIALIZED ({rows}), first AS MATERIALIZED (SELECT count(*) > {FEW} AS many FROM few)")
    }

    /// SQL: whether the first rows are not all.
    fn many(&self) -> &'static str {
        if self.narrowed.is_some() { "(SELECT many FROM first)" } else { "TRUE" }
    }

    /// How many matches are expected, if there can be many.
    fn expected(&self) -> String {
        let Self { table, estimate, .. } = self;
        let many = self.many();
        format!(
            "expected AS MATERIALIZED (SELECT CASE WHEN {many} AND c.reltuples > {MANY} THEN {estimate}, 0) \
             ELSE 0 END AS number, c.reltuples AS of_all FROM pg_class c WHERE c.oid = '{table}'::regclass)"
        )
    }

    /// The page and one row more, met by a walk, and whether that row was met.
    fn walked(&self) -> String {
        let Self { searched, condition, range, steps, limit, offset, .. } = self;
        let (keys, key_names) = (self.order.keys(), self.order.key_names());
        let (by_key, by_value) = (self.order.by_key(""), self.order.by_value());
        // A walk that reads more than a quarter of the matches is no better than to fetch all of them.
        let pays = match self.is_served {
            true => format!(" AND (number > {SORTED} OR number::float8 * number > 4 * of_all * ({limit} + {offset}))"),
            false => String::new(),
        };
        format!(
            "walked AS MATERIALIZED (SELECT id, seq{key_names} FROM (SELECT r.*{keys} FROM {searched} r \
             WHERE (SELECT number > {MANY} AND number::float8 * {steps} > 2 * of_all * ({limit} + {offset}){pays} FROM expected){range} \
             ORDER BY {by_value} LIMIT {steps}) AS r WHERE {condition} \
             ORDER BY {by_key} LIMIT {limit} + 1 OFFSET {offset}), \
             shown AS MATERIALIZED (SELECT count(*) > {limit} AS filled FROM walked)"
        )
    }

    /// The matches up to a limit, unless the page is known, and whether there are more.
    fn matches(&self) -> String {
        let Self { searched, condition, limit, offset, .. } = self;
        let (keys, key_names) = (self.order.keys(), self.order.key_names());
        let at_most = if self.is_served { SORTED } else { EXACT_UP_TO };
        let bound = format!("greatest({at_most}, {limit} + {offset})");
        let (mut gate, mut far_more) = (self.many().to_owned(), String::new());
        if self.walks {
            let expects = format!("number > {SORTED} FROM expected");
            gate.push_str(&format!(" AND NOT (SELECT filled FROM shown) AND NOT (SELECT {expects})"));
            far_more = format!(" OR (SELECT {expects}) AND NOT (SELECT filled FROM shown)");
        }
        let few = match self.narrowed {
            Some(_) => {
                format!(
                    "(SELECT id, seq{key_names} FROM few WHERE matches AND NOT (SELECT many FROM first)) UNION ALL "
                )
            }
            None => String::new(),
        };
        format!(
            "found AS MATERIALIZED ({few}\
             (SELECT r.id, r.seq{keys} FROM {searched} r WHERE {gate} AND ({condition}) LIMIT {bound} + 1)), \
             counted AS MATERIALIZED (SELECT count(*) AS number, count(*) > {bound}{far_more} AS more FROM found)"
        )
    }

    /// The page's ids and keys.
    fn page(&self) -> String {
        let Self { searched, condition, limit, offset, .. } = self;
        let (keys, key_names) = (self.order.keys(), self.order.key_names());
        let (by_key, by_value) = (self.order.by_key(""), self.order.by_value());
        let walked = match self.walks {
            true => format!(
                "(SELECT id, seq{key_names} FROM walked WHERE (SELECT filled FROM shown) ORDER BY {by_key} LIMIT {limit}) \
                 UNION ALL "
            ),
            false => String::new(),
        };
        format!(
            "page AS MATERIALIZED ({walked}(SELECT id, seq{key_names} FROM found WHERE NOT (SELECT more FROM counted) \
             ORDER BY {by_key} LIMIT {limit} OFFSET {offset}) UNION ALL \
             (SELECT r.id, r.seq{keys} FROM {searched} r WHERE (SELECT more FROM counted) AND ({condition}) \
             ORDER BY {by_value} LIMIT {limit} OFFSET {offset}))"
        )
    }
}
