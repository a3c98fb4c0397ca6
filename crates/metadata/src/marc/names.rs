//! Agents: who made the material (1xx, 7xx) and whom it is about (6xx), with the punctuation of names.

use record_xml::json::{is, list, text};
use serde_json::Value;

use super::{Marc, Record, Subfield, shown, source_indicator, subdivision};

/// Adds a field for each agent that readers may see.
pub(super) fn agents(made: &mut Record, record: &Value, options: Marc) {
    let links = list(record, "linked_agents");
    let of_role = |role: &'static str| links.iter().filter(move |link| text(link, "role") == Some(role));
    let main = of_role("creator").find(|link| is(link, "is_primary", true)).or_else(|| of_role("creator").next());
    if let Some(agent) = main.and_then(|link| shown(link, options)) {
        let link = main.unwrap_or(&Value::Null);
        creator(made, agent, ["100", "110"], relator(link, Some("creator"), options));
    }
    let others = of_role("creator").filter(|link| main.is_none_or(|main| !std::ptr::eq(*link, main)));
    for link in others.chain(of_role("source")).filter(|link| !is(link, "is_primary", true)) {
        let otherwise = if text(link, "role") == Some("source") { "former owner" } else { "creator" };
        if let Some(agent) = shown(link, options) {
            creator(made, agent, ["700", "710"], relator(link, Some(otherwise), options));
        }
    }
    for link in of_role("subject") {
        if let Some(agent) = shown(link, options) {
            subject(made, agent, list(link, "terms"), relator(link, None, options));
        }
    }
}

/// What an agent did: the term (`$e`) and the code (`$4`).
struct Relator {
    term: Option<String>,
    code: Option<String>,
}

fn relator(link: &Value, otherwise: Option<&str>, options: Marc) -> Relator {
    match text(link, "relator") {
        Some(code) => {
            let label = options.lists.label("linked_agent_archival_record_relators", code);
            Relator { term: label.map(str::to_owned), code: Some(code.to_owned()) }
        }
        None => Relator { term: otherwise.map(str::to_owned), code: None },
    }
}

/// A field for someone who made the material; `tags` are those of people and families, and of corporate bodies.
fn creator(made: &mut Record, agent: &Value, tags: [&'static str; 2], relator: Relator) {
    let Some((kind, first)) = kind_and_indicator(agent) else { return };
    let tag = if kind == Kind::CorporateEntity { tags[1] } else { tags[0] };
    made.add_all(tag, [first, ' '], name(kind, agent, &[], relator));
}

/// A field for someone whom the material is about.
fn subject(made: &mut Record, agent: &Value, terms: &[Value], relator: Relator) {
    let shown = &agent["display_name"];
    let second = source_indicator(text(shown, "source"));
    let (tag, first, mut subfields) = match kind_and_indicator(agent) {
        Some((kind, first)) => {
            let tag = if kind == Kind::CorporateEntity { "610" } else { "600" };
            (tag, first, name(kind, agent, terms, relator))
        }
        None => {
            let software = text(shown, "software_name").unwrap_or_default();
            ("653", ' ', vec![('a', software.to_owned())])
        }
    };
    if subfields.iter().any(|(code, _)| matches!(code, 'v' | 'x' | 'y' | 'z')) {
        subfields.retain(|(code, _)| *code != '0');
    }
    if second == '7' {
        let source =
            text(shown, "source").or_else(|| list(agent, "names").first().and_then(|name| text(name, "source")));
        subfields.extend(source.map(|source| ('2', source.to_owned())));
    }
    made.add_all(tag, [first, second], subfields);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Person,
    Family,
    CorporateEntity,
}

/// The kind of an agent and the first indicator of its name; `None` for software.
fn kind_and_indicator(agent: &Value) -> Option<(Kind, char)> {
    let direct = text(&agent["display_name"], "name_order") == Some("direct");
    match text(agent, "agent_type").or(text(agent, "jsonmodel_type"))? {
        "agent_person" => Some((Kind::Person, if direct { '0' } else { '1' })),
        "agent_family" => Some((Kind::Family, '3')),
        "agent_corporate_entity" => Some((Kind::CorporateEntity, '2')),
        _ => None,
    }
}

/// The subfields of a name with its punctuation, then the relator's code and the identifiers.
fn name(kind: Kind, agent: &Value, terms: &[Value], relator: Relator) -> Vec<Subfield> {
    let name = &agent["display_name"];
    let mut subfields = match kind {
        Kind::Person => person(name, relator.term),
        Kind::Family => given([
            ('a', text(name, "family_name").map(str::to_owned)),
            ('d', text(name, "dates").map(str::to_owned)),
            ('c', text(name, "qualifier").map(str::to_owned)),
            ('e', relator.term),
        ]),
        Kind::CorporateEntity => given([
            ('a', text(name, "primary_name").map(str::to_owned)),
            ('b', text(name, "subordinate_name_1").map(str::to_owned)),
            ('b', text(name, "subordinate_name_2").map(str::to_owned)),
            ('e', relator.term),
            ('g', text(name, "qualifier").map(in_parentheses)),
            ('n', text(name, "number").map(in_parentheses)),
        ]),
    };
    let narrower = terms.iter().filter_map(|term| Some((subdivision(term)?, text(term, "term")?.to_owned())));
    subfields.extend(narrower);
    let before_comma: &[char] = match kind {
        Kind::Person => &['c', 'd', 'e'],
        Kind::Family => &['d', 'c', 'e'],
        Kind::CorporateEntity => &['e', 'n', 'g'],
    };
    before_comma.iter().for_each(|code| comma_before(&mut subfields, *code));
    if kind == Kind::CorporateEntity {
        full_stops_of_parts(&mut subfields);
    }
    if let Some((_, last)) = subfields.last_mut()
        && !last.ends_with(['.', ')'])
    {
        last.push('.');
    }
    subfields.extend(relator.code.map(|code| ('4', code)));
    subfields.extend(identifiers(kind, agent).into_iter().map(|id| ('0', id.to_owned())));
    subfields
}

fn person(name: &Value, term: Option<String>) -> Vec<Subfield> {
    let between = if text(name, "name_order") == Some("direct") { " " } else { ", " };
    let parts: Vec<&str> = ["primary_name", "rest_of_name"].iter().filter_map(|part| text(name, part)).collect();
    let titles: Vec<&str> = ["prefix", "title", "suffix"].iter().filter_map(|part| text(name, part)).collect();
    given([
        ('a', Some(parts.join(between))),
        ('b', text(name, "number").map(str::to_owned)),
        ('c', Some(titles.join(", "))),
        ('d', text(name, "dates").map(str::to_owned)),
        ('e', term),
        ('g', text(name, "qualifier").map(in_parentheses)),
        ('q', text(name, "fuller_form").map(in_parentheses)),
    ])
}

fn given<const N: usize>(subfields: [(char, Option<String>); N]) -> Vec<Subfield> {
    let there = subfields.into_iter().filter_map(|(code, text)| Some((code, text?)));
    there.filter(|(_, text)| !text.is_empty()).collect()
}

fn in_parentheses(text: &str) -> String {
    format!("({text})")
}

fn comma_before(subfields: &mut [Subfield], code: char) {
    let place = subfields.iter().position(|(of, _)| *of == code);
    if let Some(before) = place.and_then(|place| place.checked_sub(1))
        && !subfields[before].1.ends_with(',')
    {
        subfields[before].1.push(',');
    }
}

/// Each part of a corporate name ends in a full stop, unless a subdivision or other punctuation follows.
fn full_stops_of_parts(subfields: &mut [Subfield]) {
    for place in 0..subfields.len() {
        let next = subfields.get(place + 1).map(|(code, _)| *code);
        let (code, text) = &mut subfields[place];
        let subdivided = next.is_some_and(|code| matches!(code, 'v' | 'x' | 'y' | 'z'));
        if matches!(code, 'a' | 'b') && !subdivided && !text.ends_with(['.', ',']) {
            text.push('.');
        }
    }
}

/// The first identifier of the agent's record, and the one of its name. A corporate body has one of both.
fn identifiers(kind: Kind, agent: &Value) -> Vec<&str> {
    let of_record = list(agent, "agent_record_identifiers").first().and_then(|id| text(id, "record_identifier"));
    let of_name = list(agent, "names").iter().find_map(|name| text(name, "authority_id"));
    match kind {
        Kind::CorporateEntity => of_record.or(of_name).into_iter().collect(),
        Kind::Person | Kind::Family => {
            of_record.into_iter().chain(of_name.filter(|id| of_record != Some(*id))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(kind: Kind, name_of: Value, terms: &Value, term: Option<&str>) -> String {
        let agent = json!({"display_name": name_of, "names": [], "agent_record_identifiers": []});
        let relator = Relator { term: term.map(str::to_owned), code: Some("aut".to_owned()) };
        let subfields = name(kind, &agent, terms.as_array().expect("terms"), relator);
        subfields.iter().map(|(code, text)| format!("${code}{text}")).collect()
    }

    #[test]
    fn names_have_their_punctuation() {
        let none = json!([]);
        let person = json!({"primary_name": "Dick", "rest_of_name": "Philip K.", "name_order": "inverted", "number": "II",
            "prefix": "Dr.", "title": "Sir", "dates": "1928-1982", "qualifier": "author", "fuller_form": "Philip Kindred"});
        let family = json!({"family_name": "Gibb", "dates": "1946-", "qualifier": "musicians"});
        let corporate = json!({"primary_name": "Bureau", "subordinate_name_1": "Lamps", "subordinate_name_2": "Wicks",
            "qualifier": "1900", "number": "2"});
        let narrower = json!([{"term_type": "topical", "term": "Travel"}, {"term_type": "occupation", "term": "x"}]);
        for (kind, name_of, terms, term, wanted) in [
            (
                Kind::Person,
                &person,
                &none,
                Some("Author"),
                "$aDick, Philip K.$bII,$cDr., Sir,$d1928-1982,$eAuthor$g(author)$q(Philip Kindred)$4aut",
            ),
            (Kind::Person, &json!({"primary_name": "Homer", "name_order": "direct"}), &none, None, "$aHomer.$4aut"),
            (Kind::Family, &family, &none, Some("Donor"), "$aGibb,$d1946-,$cmusicians,$eDonor.$4aut"),
            (
                Kind::CorporateEntity,
                &corporate,
                &none,
                Some("Author"),
                "$aBureau.$bLamps.$bWicks,$eAuthor,$g(1900),$n(2)$4aut",
            ),
            (Kind::CorporateEntity, &json!({"primary_name": "Bureau"}), &narrower, None, "$aBureau$xTravel.$4aut"),
            (Kind::CorporateEntity, &json!({"primary_name": "Bureau"}), &none, None, "$aBureau.$4aut"),
        ] {
            assert_eq!(written(kind, name_of.clone(), terms, term), wanted);
        }
    }
}
