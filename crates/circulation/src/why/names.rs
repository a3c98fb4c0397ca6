//! Names for ids in an explanation, from the configuration, and how it writes moments.

use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{configuration::Configuration, dates::computed, rules::PolicyKind};

/// The name of a policy.
pub(super) fn policy(kind: PolicyKind, id: Uuid, configuration: &Configuration) -> Option<&str> {
    match kind {
        PolicyKind::Loan => configuration.loan_policies.get(&id).map(|policy| policy.name.as_str()),
        PolicyKind::Request => configuration.request_policies.get(&id).map(|policy| policy.name.as_str()),
        PolicyKind::Notice => configuration.notice_policies.get(&id).map(|policy| policy.name.as_str()),
        PolicyKind::OverdueFine => configuration.overdue_fine_policies.get(&id).map(|policy| policy.name.as_str()),
        PolicyKind::LostItem => configuration.lost_item_policies.get(&id).map(|policy| policy.name.as_str()),
    }
}

/// Id and name of a policy; its kind as in addresses of settings.
pub(super) fn named_policy(kind: PolicyKind, id: Uuid, configuration: &Configuration) -> Value {
    json!({"kind": kind_name(kind), "id": id, "name": policy(kind, id, configuration)})
}

/// What an answer calls a kind of policy.
pub(super) fn kind_name(kind: PolicyKind) -> &'static str {
    match kind {
        PolicyKind::Loan => "loan",
        PolicyKind::Request => "request",
        PolicyKind::Notice => "notice",
        PolicyKind::OverdueFine => "overdueFine",
        PolicyKind::LostItem => "lostItem",
    }
}

/// A moment, as computed ones are written (docs/folio/circulation.md#dates).
pub(super) fn moment(moment: Timestamp) -> String {
    computed(moment).to_string()
}

/// Id and name of something.
pub(super) fn named(id: Uuid, name: Option<&str>) -> Value {
    json!({"id": id, "name": name})
}

/// A line of the circulation rules with names in place of ids, for people; an id that nothing has stays.
pub(super) fn readable(line: &str, configuration: &Configuration) -> String {
    let words = line.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    let named = words.map(|word| {
        let text = word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
        let id = Some(text).filter(|text| text.len() == 36).and_then(|text| Uuid::try_parse(text).ok());
        match id.and_then(|id| name_of(id, configuration)) {
            Some(name) => word.replacen(text, &format!("“{name}”"), 1),
            None => word.to_owned(),
        }
    });
    named.collect()
}

/// The name of whatever the rules can name.
fn name_of(id: Uuid, configuration: &Configuration) -> Option<&str> {
    let group = configuration.patron_groups.get(&id).map(|group| group.group.as_str());
    let of_types =
        || configuration.material_types.get(&id).or_else(|| configuration.loan_types.get(&id)).map(String::as_str);
    let of_places = || {
        let location = configuration.locations.get(&id).map(|location| location.name.as_str());
        location.or_else(|| {
            configuration.locations.values().find_map(|location| {
                let parts = [
                    (location.library_id, &location.library_name),
                    (location.campus_id, &location.campus_name),
                    (location.institution_id, &location.institution_name),
                ];
                parts.into_iter().find(|(part, _)| *part == id).and_then(|(_, name)| name.as_deref())
            })
        })
    };
    let of_policies = || PolicyKind::ALL.into_iter().find_map(|kind| policy(kind, id, configuration));
    group.or_else(of_types).or_else(of_places).or_else(of_policies)
}
