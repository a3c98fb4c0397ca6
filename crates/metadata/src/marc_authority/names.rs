//! Names: 1xx the authorized one, 4xx others, 5xx those of related agents.

use record_xml::{
    Lists,
    json::{is, list, resolved, text},
};
use serde_json::Value;

use crate::marc::{Record, Subfield};

/// The names of an agent.
pub(super) fn names(made: &mut Record, agent: &Value) {
    let kind = text(agent, "jsonmodel_type").unwrap_or_default();
    let all = list(agent, "names");
    let main = all.iter().position(|name| is(name, "is_primary", true));
    let main = main.or_else(|| all.iter().position(|name| is(name, "authorized", true)));
    if let Some(name) = main.map(|main| &all[main]) {
        heading(made, kind, name, ["100", "110", "111"], Vec::new());
    }
    let others = all.iter().enumerate().filter(|(place, name)| Some(*place) != main && !is(name, "authorized", true));
    let parallel = all.iter().flat_map(|name| list(name, "parallel_names"));
    for name in others.map(|(_, name)| name).chain(parallel) {
        heading(made, kind, name, ["400", "410", "411"], Vec::new());
    }
}

/// The authorized names of related agents, with what they are to this one.
pub(super) fn related(made: &mut Record, agent: &Value, lists: &dyn Lists) {
    for link in list(agent, "related_agents") {
        let Some(other) = resolved(link) else { continue };
        let Some(name) = list(other, "names").iter().find(|name| is(name, "authorized", true)) else { continue };
        let kind = text(other, "jsonmodel_type").unwrap_or_default();
        let relation = vec![('w', relation_code(link).to_string()), ('i', relation_text(link, lists))];
        heading(made, kind, name, ["500", "510", "511"], relation);
    }
}

/// `$w`: what kind of relation it is.
fn relation_code(link: &Value) -> char {
    match text(link, "specific_relator").or(text(link, "relator")) {
        Some("is_earlier_form_of") => 'a',
        Some("is_later_form_of") => 'b',
        Some("Acronym") => 'd',
        Some("Musical composition") => 'f',
        Some("Broader term") => 'g',
        Some("Narrower term") => 'h',
        _ => 'r',
    }
}

/// `$i`: the relation in words.
fn relation_text(link: &Value, lists: &dyn Lists) -> String {
    let labelled = |list: &str, value: &str| lists.label(list, value).unwrap_or(value).to_owned();
    let specific = text(link, "specific_relator").map(|value| labelled("agent_relationship_specific_relator", value));
    let general = || {
        let list = format!("{}_relator", text(link, "jsonmodel_type").unwrap_or_default());
        text(link, "relator").map(|value| labelled(&list, value))
    };
    specific.or_else(|| text(link, "description").map(str::to_owned)).or_else(general).unwrap_or_default()
}

/// A field with a name; `tags` are those of people and families, of corporate bodies and of meetings.
fn heading(made: &mut Record, kind: &str, name: &Value, tags: [&'static str; 3], before: Vec<Subfield>) {
    let (tag, first, of_name) = match kind {
        "agent_person" => (tags[0], if text(name, "name_order") == Some("direct") { '0' } else { '1' }, person(name)),
        "agent_family" => (tags[0], '3', family(name)),
        "agent_corporate_entity" => {
            (if is(name, "conference_meeting", true) { tags[2] } else { tags[1] }, '2', corporate(name))
        }
        _ => return,
    };
    let subfields = before.into_iter().chain(of_name);
    made.add_all(tag, [first, ' '], subfields.collect());
}

fn members(name: &Value, of: &[(char, &str)]) -> Vec<Subfield> {
    of.iter().filter_map(|(code, member)| Some((*code, text(name, member)?.to_owned()))).collect()
}

fn person(name: &Value) -> Vec<Subfield> {
    let parts: Vec<&str> = ["primary_name", "rest_of_name"].iter().filter_map(|part| text(name, part)).collect();
    let others = [('b', "number"), ('c', "title"), ('d', "dates"), ('g', "qualifier"), ('q', "fuller_form")];
    [('a', parts.join(", "))].into_iter().chain(members(name, &others)).collect()
}

fn corporate(name: &Value) -> Vec<Subfield> {
    members(
        name,
        &[
            ('a', "primary_name"),
            ('b', "subordinate_name_1"),
            ('q', "subordinate_name_2"),
            ('n', "number"),
            ('d', "dates"),
            ('c', "location"),
            ('g', "qualifier"),
        ],
    )
}

/// The name of a family, and in parentheses its type, place, dates and qualifier with colons between them.
fn family(name: &Value) -> Vec<Subfield> {
    let words: Vec<&str> = ["prefix", "family_name"].iter().filter_map(|part| text(name, part)).collect();
    let mut subfields = vec![('a', words.join(" "))];
    let kind = text(name, "family_type");
    if let Some(kind) = kind {
        subfields[0].1.push_str(&format!(" ({kind}"));
    }
    let others = members(name, &[('c', "location"), ('d', "dates"), ('g', "qualifier")]);
    for (place, (code, text)) in others.into_iter().enumerate() {
        let opens = if place == 0 && kind.is_none() { "(" } else { "" };
        if place > 0 || kind.is_some() {
            subfields[place].1.push_str(" : ");
        }
        subfields.push((code, format!("{opens}{text}")));
    }
    if kind.is_some() || subfields.len() > 1 {
        let last = subfields.len() - 1;
        subfields[last].1.push(')');
    }
    subfields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_family_has_one_pair_of_parentheses() {
        for (name, wanted) in [
            (
                json!({"prefix": "The Great", "family_name": "Gibb", "family_type": "Family", "location": "Isle of Man",
                    "dates": "1946-present", "qualifier": "Musicians"}),
                "a The Great Gibb (Family : |c Isle of Man : |d 1946-present : |g Musicians)",
            ),
            (json!({"family_name": "Gibb", "family_type": "Family"}), "a Gibb (Family)"),
            (json!({"family_name": "Gibb", "location": "Isle of Man"}), "a Gibb|c (Isle of Man)"),
            (
                json!({"family_name": "Gibb", "location": "Isle of Man", "dates": "1946-", "qualifier": "Musicians"}),
                "a Gibb|c (Isle of Man : |d 1946- : |g Musicians)",
            ),
            (json!({"family_name": "Gibb", "family_type": "Family", "dates": "1946-"}), "a Gibb (Family : |d 1946-)"),
            (json!({"family_name": "Gibb"}), "a Gibb"),
        ] {
            let written: Vec<String> = family(&name).iter().map(|(code, text)| format!("{code} {text}")).collect();
            assert_eq!(written.join("|"), wanted);
        }
    }
}
