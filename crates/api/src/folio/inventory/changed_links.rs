//! Which of the links that are sent with an instance say something else than those that it has.

use serde_json::{Map, Value};

/// The lists of links, and the member of each link that names the other instance.
const OTHER_ENDS: &[(&str, &str)] = &[
    ("parentInstances", "superInstanceId"),
    ("childInstances", "subInstanceId"),
    ("precedingTitles", "precedingInstanceId"),
    ("succeedingTitles", "succeedingInstanceId"),
];

/// The lists that change a stored instance. One that says what is stored is not written: pages send all lists with each change of an
/// instance (mod-inventory `AbstractInstances`).
pub(super) fn changed(sent: &Map<String, Value>, stored: &Value) -> Map<String, Value> {
    let changes = |(name, list): &(&String, &Value)| !says_the_same(name, list, &stored[name.as_str()]);
    sent.iter().filter(changes).map(|(name, list)| (name.clone(), list.clone())).collect()
}

fn says_the_same(name: &str, sent: &Value, stored: &Value) -> bool {
    let end = OTHER_ENDS.iter().find(|(list, _)| *list == name).map_or("id", |(_, end)| end);
    let (Some(sent), Some(stored)) = (sent.as_array(), stored.as_array()) else { return false };
    sent.len() == stored.len() && sent.iter().all(|link| stored.iter().any(|other| is_same(end, link, other)))
}

/// A linked title shows what its instance is called now, so only a title of its own counts.
fn is_same(end: &str, sent: &Value, stored: &Value) -> bool {
    let said = |link: &Value, member: &str| {
        let value = link.get(member).filter(|value| !value.is_null());
        value.filter(|value| value.as_array().is_none_or(|list| !list.is_empty())).cloned()
    };
    let is_same = |member: &&str| said(sent, member) == said(stored, member);
    let own = ["title", "hrid", "identifiers"];
    (said(sent, "id").is_none() || is_same(&"id"))
        && [end, "instanceRelationshipTypeId"].iter().all(is_same)
        && (said(sent, end).is_some() || own.iter().all(is_same))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_a_link_says_counts() {
        for (name, sent, stored, same) in [
            ("parentInstances", json!([]), json!([]), true),
            ("parentInstances", json!([]), json!([{"id": "a", "superInstanceId": "p"}]), false),
            (
                "parentInstances",
                json!([{"superInstanceId": "p", "instanceRelationshipTypeId": "t"}]),
                json!([{"id": "a", "superInstanceId": "p", "instanceRelationshipTypeId": "t"}]),
                true,
            ),
            (
                "parentInstances",
                json!([{"superInstanceId": "p", "instanceRelationshipTypeId": "u"}]),
                json!([{"id": "a", "superInstanceId": "p", "instanceRelationshipTypeId": "t"}]),
                false,
            ),
            (
                "childInstances",
                json!([{"id": "b", "subInstanceId": "c"}]),
                json!([{"id": "a", "subInstanceId": "c"}]),
                false,
            ),
            (
                "precedingTitles",
                json!([{"precedingInstanceId": "p", "title": "then"}]),
                json!([{"id": "a", "precedingInstanceId": "p", "title": "now", "identifiers": []}]),
                true,
            ),
            (
                "precedingTitles",
                json!([{"id": "a", "precedingInstanceId": null, "title": "x", "identifiers": []}]),
                json!([{"id": "a", "title": "x"}]),
                true,
            ),
            ("succeedingTitles", json!([{"id": "a", "title": "y"}]), json!([{"id": "a", "title": "x"}]), false),
            ("succeedingTitles", json!([{"title": "x", "hrid": "h"}]), json!([{"id": "a", "title": "x"}]), false),
        ] {
            assert_eq!(says_the_same(name, &sent, &stored), same, "{sent} {stored}");
        }
    }
}
