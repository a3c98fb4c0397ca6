//! Lists of the archives' records.

/// How a list is sorted. Equal values are in the order of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// An SQL expression over `archival_record r`; of users, over `archives_user n` and `users u`.
    by: &'static str,
    descending: bool,
}

/// The fields a list can be sorted by, with what they are: the columns that ArchivesSpace's tables of these records have. What a
/// type does not have leaves the order of the ids.
const FIELDS: &[(&str, &str)] = &[
    ("id", "r.id"),
    ("accession_date", "r.doc->>'accession_date'"),
    ("area", "r.doc->>'area'"),
    ("barcode", "r.doc->>'barcode'"),
    ("building", "r.doc->>'building'"),
    ("component_id", "r.doc->>'component_id'"),
    ("create_time", "r.create_time"),
    ("created_by", "r.created_by"),
    ("description", "r.doc->>'description'"),
    ("digital_object_id", "r.doc->>'digital_object_id'"),
    ("display_string", "r.doc->>'display_string'"),
    ("ead_id", "r.doc->>'ead_id'"),
    ("floor", "r.doc->>'floor'"),
    (
        "identifier",
        "concat_ws('-', r.doc->>'identifier', r.doc->>'id_0', r.doc->>'id_1', r.doc->>'id_2', r.doc->>'id_3')",
    ),
    ("indicator", "r.doc->>'indicator'"),
    ("last_modified_by", "r.last_modified_by"),
    ("lock_version", "r.lock_version"),
    ("name", "r.doc->>'name'"),
    ("publish", "r.publish"),
    ("ref_id", "r.doc->>'ref_id'"),
    ("repo_code", "r.doc->>'repo_code'"),
    ("room", "r.doc->>'room'"),
    ("suppressed", "r.suppressed"),
    ("system_mtime", "r.system_mtime"),
    ("title", "r.doc->>'title'"),
    ("user_mtime", "r.user_mtime"),
];

/// The fields that users can be sorted by, with what they are.
const USER_FIELDS: &[(&str, &str)] = &[
    ("id", "n.id"),
    ("username", "lower(u.doc->>'username') COLLATE \"C\""),
    ("name", "lower(archives_user_name(n.profile, u.doc)) COLLATE \"C\""),
    ("email", "u.doc#>>'{personal,email}'"),
    ("first_name", "u.doc#>>'{personal,firstName}'"),
    ("last_name", "u.doc#>>'{personal,lastName}'"),
    ("telephone", "u.doc#>>'{personal,phone}'"),
    ("title", "n.profile->>'title'"),
    ("department", "n.profile->>'department'"),
    ("additional_contact", "n.profile->>'additional_contact'"),
    ("create_time", "n.created"),
    ("user_mtime", "n.changed"),
    ("system_mtime", "n.changed"),
];

impl Sort {
    /// By their ids.
    pub const IDS: Self = Self { by: "r.id", descending: false };

    /// By this field; `None` if a list cannot be sorted by it.
    pub fn by(field: &str, descending: bool) -> Option<Self> {
        Self::of(FIELDS, field, descending)
    }

    /// Of users by this field; `None` if they cannot be sorted by it.
    pub fn of_users(field: &str, descending: bool) -> Option<Self> {
        Self::of(USER_FIELDS, field, descending)
    }

    fn of(fields: &[(&str, &'static str)], field: &str, descending: bool) -> Option<Self> {
        let (_, by) = fields.iter().find(|(name, _)| *name == field)?;
        Some(Self { by, descending })
    }

    fn order(self) -> String {
        format!("{} {}", self.by, if self.descending { "DESC" } else { "ASC" })
    }
}

/// The condition of a list: $1 kind, $2 repository or null, $3 changed since, $4 whether suppressed records are shown. It
/// has to be known whether there is a repository: no index serves a comparison that may be with null.
fn wanted(in_repository: bool) -> String {
    let of = if in_repository { "r.repository = $2::bigint" } else { "r.repository IS NULL AND $2::bigint IS NULL" };
    format!("r.kind = $1 AND {of} AND r.system_mtime >= $3::timestamptz AND ($4::boolean OR NOT r.suppressed)")
}

/// The statement for the ids of a list, with the parameters of [`listing`] but the last two.
pub fn ids(sort: Sort, in_repository: bool) -> String {
    format!("SELECT r.id FROM archival_record r WHERE {} ORDER BY {}, r.id", wanted(in_repository), sort.order())
}

/// The statement for a page of a list: $1 kind, $2 repository or null, $3 changed since, $4 whether suppressed records are
/// shown, $5 how many to skip, $6 how many. Returns their number in all and the records.
pub fn listing(sort: Sort, in_repository: bool) -> String {
    let (wanted, order) = (wanted(in_repository), sort.order());
    let page = format!("{wanted} ORDER BY {order}, r.id OFFSET $5::bigint LIMIT $6::bigint");
    format!(
        "SELECT (SELECT count(*) FROM archival_record r WHERE {wanted}) AS total, {} AS records",
        records(sort, &page)
    )
}

/// The statement for the records of a list that have some ids, $5; with the other parameters of [`listing`].
pub fn chosen(sort: Sort, in_repository: bool) -> String {
    format!("SELECT {} AS records", records(sort, &format!("{} AND r.id = ANY ($5::bigint[])", wanted(in_repository))))
}

/// Those of the records `r` that a condition chooses.
fn records(sort: Sort, chosen: &str) -> String {
    let order = sort.order();
    format!(
        "coalesce((
           SELECT jsonb_agg(a.record ORDER BY a.place)
           FROM (SELECT array_agg(p.kind ORDER BY p.place) AS kinds, array_agg(p.id ORDER BY p.place) AS ids
                 FROM (SELECT r.kind, r.id, row_number() OVER (ORDER BY {order}, r.id) AS place
                       FROM archival_record r WHERE {chosen}) p) p,
                archival_records(p.kinds, p.ids) a), '[]')"
    )
}

/// The statement for the numbers of all users: $1 changed since. `sort` is one of users.
pub fn user_ids(sort: Sort) -> String {
    format!(
        "SELECT n.id FROM archives_user n JOIN users u ON u.id = n.user_id
         WHERE n.changed >= $1::timestamptz AND NOT n.is_hidden ORDER BY {}, n.id",
        sort.order()
    )
}

/// The statement for users as a GET returns them, and how many there are in all: $1 changed since, $2 how many to skip, $3
/// how many, $4 their numbers if only `some` are wanted. `sort` is one of users.
pub fn users(some: bool, sort: Sort) -> String {
    let order = sort.order();
    let of = if some { "AND n.id = ANY ($4::bigint[])" } else { "" };
    format!(
        "SELECT (SELECT count(*) FROM archives_user n WHERE n.changed >= $1::timestamptz AND NOT n.is_hidden) AS total,
                coalesce((SELECT jsonb_agg(r.record ORDER BY r.place)
                          FROM archives_user_records(ARRAY(
                            SELECT n.id FROM archives_user n JOIN users u ON u.id = n.user_id
                            WHERE n.changed >= $1::timestamptz AND NOT n.is_hidden {of}
                            ORDER BY {order}, n.id OFFSET $2::bigint LIMIT $3::bigint)) r), '[]') AS records"
    )
}

/// Members by which records of a kind are found, with the condition on `archival_record r`; `{}` is the parameter.
const LOOKUPS: &[(&str, &str, &str)] = &[
    (
        "resource",
        "identifier",
        "r.id IN (SELECT k.id FROM archival_key k
       WHERE k.scope = format('resource/%s/id_0', $1::bigint) AND k.value = ANY ({}::text[]))",
    ),
    (
        "resource",
        "ark",
        "r.id IN (SELECT k.id FROM archival_key k
       WHERE k.scope = 'ark' AND k.kind = 'resource' AND k.value = ANY ({}::text[]))",
    ),
    (
        "archival_object",
        "ark",
        "r.id IN (SELECT k.id FROM archival_key k
       WHERE k.scope = 'ark' AND k.kind = 'archival_object' AND k.value = ANY ({}::text[]))",
    ),
    ("archival_object", "ref_id", "r.doc->>'ref_id' = ANY ({}::text[])"),
    ("archival_object", "component_id", "r.doc ? 'component_id' AND r.doc->>'component_id' = ANY ({}::text[])"),
    (
        "digital_object",
        "digital_object_id",
        "r.id IN (SELECT k.id FROM archival_key k
       WHERE k.scope = format('digital_object/%s/digital_object_id', $1::bigint) AND k.value = ANY ({}::text[]))",
    ),
    (
        "digital_object_component",
        "component_id",
        "r.doc ? 'component_id' AND r.doc->>'component_id' = ANY ({}::text[])",
    ),
    ("top_container", "indicator", "r.doc->>'indicator' = ANY ({}::text[])"),
    (
        "top_container",
        "barcode",
        "r.id IN (SELECT k.id FROM archival_key k
       WHERE k.scope = format('top_container/%s/barcode', $1::bigint) AND k.value = ANY ({}::text[]))",
    ),
];

/// The statement for the addresses of records of a kind that have one of the values in each of these members: $1
/// repository, $2 whether suppressed records are shown, $3 how many at most, from $4 on the values of each member. `None` if
/// records of the kind are not found by one of them.
pub fn found_by(kind: &str, members: &[&str]) -> Option<String> {
    let conditions = members.iter().enumerate().map(|(place, member)| {
        let (of, _, condition) = LOOKUPS.iter().find(|(of, name, _)| *of == kind && name == member)?;
        Some((*of, condition.replace("{}", &format!("${}", place + 4))))
    });
    let conditions: Vec<_> = conditions.collect::<Option<_>>()?;
    let (kind, _) = conditions.first()?;
    let all: Vec<&str> = conditions.iter().map(|(_, condition)| condition.as_str()).collect();
    Some(format!(
        "SELECT archival_uri(r.kind, r.repository, r.id) AS uri FROM archival_record r
         WHERE r.kind = '{kind}' AND r.repository = $1::bigint AND ($2::boolean OR NOT r.suppressed) AND {}
         ORDER BY r.id LIMIT $3::bigint",
        all.join(" AND ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_only_by_known_members() {
        let both = found_by("archival_object", &["ref_id", "component_id"]).expect("a statement");
        assert!(both.contains("r.doc->>'ref_id' = ANY ($4::text[])") && both.contains("= ANY ($5::text[])"), "{both}");
        assert_eq!(found_by("archival_object", &["barcode"]), None);
        assert_eq!(found_by("archival_object", &[]), None);
        assert_eq!(found_by("agent_person", &["ref_id"]), None);
    }

    #[test]
    fn a_list_is_sorted_only_by_known_fields() {
        assert!(listing(Sort::by("title", true).expect("a field"), true).contains("r.doc->>'title' DESC, r.id"));
        assert!(users(false, Sort::of_users("username", true).expect("a field")).contains("COLLATE \"C\" DESC, n.id"));
        assert!(Sort::by("username", false).is_none() && Sort::of_users("display_string", false).is_none());
        assert!(Sort::by("title; DROP TABLE loan", false).is_none());
        assert!(Sort::by("", false).is_none());
    }
}
