//! Lists of the archives' records.

/// How a list is sorted. Equal values are in the order of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// An SQL expression over `archival_record r`.
    by: &'static str,
    descending: bool,
}

/// The fields a list can be sorted by, with what they are.
const FIELDS: &[(&str, &str)] = &[
    ("id", "r.id"),
    ("title", "r.doc->>'title'"),
    ("display_string", "r.doc->>'display_string'"),
    ("created_by", "r.created_by"),
    ("last_modified_by", "r.last_modified_by"),
    ("create_time", "r.create_time"),
    ("user_mtime", "r.user_mtime"),
    ("system_mtime", "r.system_mtime"),
];

impl Sort {
    /// By this field; `None` if a list cannot be sorted by it.
    pub fn by(field: &str, descending: bool) -> Option<Self> {
        let (_, by) = FIELDS.iter().find(|(name, _)| *name == field)?;
        Some(Self { by, descending })
    }

    /// Whether the last come first.
    pub fn is_descending(self) -> bool {
        self.descending
    }
}

/// The condition of a list: $1 kind, $2 repository or null, $3 changed since, $4 whether suppressed records are shown. It
/// has to be known whether there is a repository: no index serves a comparison that may be with null.
fn wanted(in_repository: bool) -> String {
    let of = if in_repository { "r.repository = $2::bigint" } else { "r.repository IS NULL AND $2::bigint IS NULL" };
    format!("r.kind = $1 AND {of} AND r.system_mtime >= $3::timestamptz AND ($4::boolean OR NOT r.suppressed)")
}

/// The statement for the ids of a list, with the parameters of [`listing`] but the last two.
pub fn ids(in_repository: bool) -> String {
    format!("SELECT r.id FROM archival_record r WHERE {} ORDER BY r.id", wanted(in_repository))
}

/// The statement for a page of a list: $1 kind, $2 repository or null, $3 changed since, $4 whether suppressed records are
/// shown, $5 how many to skip, $6 how many. Returns their number in all and the records.
pub fn listing(sort: Sort, in_repository: bool) -> String {
    let Sort { by, descending } = sort;
    let direction = if descending { "DESC" } else { "ASC" };
    let wanted = wanted(in_repository);
    format!(
        "SELECT (SELECT count(*) FROM archival_record r WHERE {wanted}) AS total,
                coalesce((
                  SELECT jsonb_agg(a.record ORDER BY a.place)
                  FROM (SELECT array_agg(p.kind ORDER BY p.place) AS kinds, array_agg(p.id ORDER BY p.place) AS ids
                        FROM (SELECT r.kind, r.id, row_number() OVER (ORDER BY {by} {direction}, r.id) AS place
                              FROM archival_record r WHERE {wanted}
                              ORDER BY {by} {direction}, r.id OFFSET $5::bigint LIMIT $6::bigint) p) p,
                       archival_records(p.kinds, p.ids) a), '[]') AS records"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_sorted_only_by_known_fields() {
        assert!(listing(Sort::by("title", true).expect("a field"), true).contains("r.doc->>'title' DESC, r.id"));
        assert!(Sort::by("title; DROP TABLE loan", false).is_none());
        assert!(Sort::by("", false).is_none());
    }
}
