//! Other forms of inventory records: SQL expressions over a row `r` of their table.

use std::sync::LazyLock;

/// An item as mod-inventory shows it.
pub const ITEM: &str = crate::statements::inventory::ITEM;
/// An item with all records it refers to, in full.
pub const ITEM_DEREFERENCED: &str = crate::statements::inventory::ITEM_DEREFERENCED;
/// An instance as mod-inventory shows it.
pub const INSTANCE: &str = crate::statements::inventory::INSTANCE;

/// An instance with its holdings and items; with `bound`, also the items bound with its holdings.
pub fn instance_view(bound: bool) -> String {
    crate::statements::inventory::INSTANCE_VIEW.replace("{bound}", &bound.to_string())
}

/// Reads instances as [`instance_view`] shows them, items bound with their holdings included, in the order of the ids `$1`.
pub static TITLES: LazyLock<String> =
    LazyLock::new(|| crate::statements::catalogue::TITLES.replace("{view}", &instance_view(true)));

/// The parts an instance set may include: member, query parameter of the same name, and SQL.
const SET: &[(&str, &str)] = &[
    ("instance", "r.doc"),
    (
        "holdingsRecords",
        "(SELECT coalesce(jsonb_agg(h.doc ORDER BY h.seq), '[]') FROM holdings_record h WHERE h.instanceid = r.id)",
    ),
    (
        "items",
        "(SELECT coalesce(jsonb_agg(i.doc || i.state ORDER BY i.seq), '[]')
          FROM item_record i JOIN holdings_record h ON h.id = i.holdingsrecordid WHERE h.instanceid = r.id)",
    ),
    (
        "precedingTitles",
        "(SELECT coalesce(jsonb_agg(t.doc ORDER BY t.seq), '[]') FROM preceding_succeeding_title t
          WHERE t.succeedinginstanceid = r.id)",
    ),
    (
        "succeedingTitles",
        "(SELECT coalesce(jsonb_agg(t.doc ORDER BY t.seq), '[]') FROM preceding_succeeding_title t
          WHERE t.precedinginstanceid = r.id)",
    ),
    (
        "superInstanceRelationships",
        "(SELECT coalesce(jsonb_agg(l.doc ORDER BY l.seq), '[]') FROM instance_relationship l
          WHERE l.subinstanceid = r.id)",
    ),
    (
        "subInstanceRelationships",
        "(SELECT coalesce(jsonb_agg(l.doc ORDER BY l.seq), '[]') FROM instance_relationship l
          WHERE l.superinstanceid = r.id)",
    ),
];

/// An instance set with the parts selected by `wanted`.
pub fn instance_set(wanted: impl Fn(&str) -> bool) -> String {
    let members = SET.iter().filter(|(name, _)| wanted(name));
    let members: String = members.map(|(name, sql)| format!(", '{name}', {sql}")).collect();
    format!("jsonb_build_object('id', r.id{members})")
}
