//! Agents, subjects, terms and vocabularies, which no repository owns (contract 3.3).

use ::archives::{
    records::{self, Seen},
    refusal::Refusal,
    subjects,
};
use http::Method;
use serde_json::{Value, json};

use super::{
    call::{Call, saved},
    endpoint::{Answer, Endpoints},
    records as generic,
};
use crate::answer::Reply;

/// The types of agents, with their paths.
const AGENTS: [(&str, &str); 4] = [
    ("agent_person", "/agents/people"),
    ("agent_family", "/agents/families"),
    ("agent_corporate_entity", "/agents/corporate_entities"),
    ("agent_software", "/agents/software"),
];
const TERMS: &str = "first_page*:int, last_page*:int, this_page*:int, total*:int, results*[Term]";
const SUBJECT: &str = "subject";
const VOCABULARY: &str = "vocabulary";
/// Who sees how agents can be reached.
const VIEW_CONTACTS: &str = "view_agent_contact_record_global";
/// Who sees in which repositories agents and subjects are used.
const INDEX_SYSTEM: &str = "index_system";
const USE_IN_REPOSITORIES: [&str; 2] = ["used_within_repositories", "used_within_published_repositories"];

pub(super) fn routes(endpoints: &mut Endpoints) {
    for (kind, all) in AGENTS {
        let one = format!("{all}/{{id}}");
        let update: &[&str] = &["update_agent_record"];
        endpoints.add(Method::GET, all, &[], move |call| generic::list(call, kind)).paginated();
        endpoints.add(Method::POST, all, update, move |call| add_agent(call, kind)).takes_record();
        endpoints.add(Method::GET, &one, &[], move |call| generic::get(call, kind)).asks("resolve:texts");
        endpoints.add(Method::POST, &one, update, move |call| change_agent(call, kind)).takes_record();
        endpoints.add(Method::DELETE, &one, &["delete_agent_record"], move |call| generic::remove(call, kind));
        let publish = format!("{one}/publish");
        endpoints.add(Method::POST, &publish, update, move |call| generic::publish(call, kind, true));
    }
    let update: &[&str] = &["update_subject_record"];
    endpoints.add(Method::GET, "/subjects", &[], |call| generic::list(call, SUBJECT)).paginated();
    endpoints.add(Method::POST, "/subjects", update, add_subject).takes_record();
    endpoints.add(Method::GET, "/subjects/{id}", &[], |call| generic::get(call, SUBJECT));
    endpoints.add(Method::POST, "/subjects/{id}", update, change_subject).takes_record();
    let delete: &[&str] = &["delete_subject_record"];
    endpoints.add(Method::DELETE, "/subjects/{id}", delete, |call| generic::remove(call, SUBJECT));
    endpoints
        .add(Method::GET, "/terms", &[], find_terms)
        .asks("q!:text")
        .summary("Find terms by their beginning")
        .gives(TERMS);
    let update: &[&str] = &["update_vocabulary_record"];
    endpoints.add(Method::GET, "/vocabularies", &[], vocabularies).asks("ref_id:text");
    endpoints.add(Method::POST, "/vocabularies", update, |call| generic::add(call, VOCABULARY)).takes_record();
    endpoints.add(Method::GET, "/vocabularies/{id}", &[], |call| generic::get(call, VOCABULARY));
    let change = |call| generic::change(call, VOCABULARY);
    endpoints.add(Method::POST, "/vocabularies/{id}", update, change).takes_record();
    endpoints
        .add(Method::GET, "/vocabularies/{id}/terms", &[], terms)
        .summary("List the terms of a vocabulary")
        .gives("[Term]")
        // A vocabulary that does not exist has none.
        .never_refuses(&[404]);
}

impl Call {
    /// Empties how agents can be reached, and leaves out in which repositories agents and subjects are used, for users who may
    /// not see it.
    pub(super) fn hide_of_authorities(&self, records: &mut Value) {
        let hidden = Hidden {
            contacts: !self.rights.can(VIEW_CONTACTS, None),
            use_in_repositories: !self.rights.can(INDEX_SYSTEM, None),
        };
        if hidden.contacts || hidden.use_in_repositories {
            hidden.hide(records);
        }
    }
}

/// What a caller does not see of agents and subjects.
struct Hidden {
    contacts: bool,
    use_in_repositories: bool,
}

impl Hidden {
    /// Hides it in a value, at any depth.
    fn hide(&self, value: &mut Value) {
        match value {
            Value::Array(entries) => entries.iter_mut().for_each(|entry| self.hide(entry)),
            Value::Object(members) => {
                if self.use_in_repositories {
                    members.retain(|name, _| !USE_IN_REPOSITORIES.contains(&name.as_str()));
                }
                for (name, member) in members {
                    if name == "agent_contacts" && self.contacts { *member = json!([]) } else { self.hide(member) }
                }
            }
            _ => {}
        }
    }
}

/// Who may not see contacts cannot add them.
async fn add_agent(call: Call, kind: &'static str) -> Answer {
    let body = call.json()?;
    let has_contacts = body["agent_contacts"].as_array().is_some_and(|contacts| !contacts.is_empty());
    if has_contacts && !call.rights.can(VIEW_CONTACTS, None) {
        return Err(Refusal::Denied.into());
    }
    generic::add(call, kind).await
}

/// Who may not see contacts leaves them as they are.
async fn change_agent(call: Call, kind: &'static str) -> Answer {
    let mut checked = call.record(kind)?;
    if !call.rights.can(VIEW_CONTACTS, None) {
        let mut stored = records::get(&call.session, call.place(kind), call.id(), Seen::All).await?;
        checked.record.insert("agent_contacts".to_owned(), stored["agent_contacts"].take());
    }
    generic::replace(&call, kind, checked).await
}

async fn add_subject(call: Call) -> Answer {
    let checked = call.record(SUBJECT)?;
    let warnings = checked.warnings.clone();
    let id = subjects::add(&call.session, checked, &call.author()).await?;
    Ok(saved("Created", call.place(SUBJECT), id, 0, &warnings))
}

async fn change_subject(call: Call) -> Answer {
    let checked = call.record(SUBJECT)?;
    let warnings = checked.warnings.clone();
    let version = subjects::change(&call.session, call.id(), checked, &call.author()).await?;
    Ok(saved("Updated", call.place(SUBJECT), call.id(), version, &warnings))
}

async fn find_terms(call: Call) -> Answer {
    let beginning = call.parameters.text("q").unwrap_or_default();
    Ok(Reply::json(&subjects::find_terms(&call.session, beginning).await?))
}

async fn terms(call: Call) -> Answer {
    Ok(Reply::json(&subjects::terms_of(&call.session, call.id()).await?))
}

async fn vocabularies(call: Call) -> Answer {
    Ok(Reply::json(&subjects::vocabularies(&call.session, call.parameters.text("ref_id")).await?))
}

#[cfg(test)]
mod tests {
    use ::archives::model::record_type;

    use super::*;

    #[test]
    fn agents_are_where_their_types_say() {
        for (kind, path) in AGENTS {
            assert_eq!(record_type(kind).and_then(|of| of.uri.as_deref()), Some(path));
        }
    }

    #[test]
    fn what_few_may_see_is_hidden_at_any_depth() {
        let agent = json!({"title": "A", "agent_contacts": [{"name": "A", "email": "a@example.org"}],
            "used_within_repositories": ["/repositories/2"], "used_within_published_repositories": []});
        let records = json!([agent, {"linked_agents": [{"ref": "/agents/people/1", "_resolved": agent}]}]);
        let shown = |contacts, use_in_repositories| {
            let mut records = records.clone();
            Hidden { contacts, use_in_repositories }.hide(&mut records);
            records
        };
        let hidden = json!({"title": "A", "agent_contacts": []});
        let all = json!([hidden, {"linked_agents": [{"ref": "/agents/people/1", "_resolved": hidden}]}]);
        assert_eq!(shown(true, true), all);
        assert_eq!(shown(true, false)[0]["used_within_repositories"], json!(["/repositories/2"]));
        assert_eq!(shown(false, true)[0]["agent_contacts"][0]["name"], "A");
    }
}
