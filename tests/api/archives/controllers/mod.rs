//! What the specs of ArchivesSpace's controllers expect, where no other file of these tests holds it
//! (docs/archivesspace/specs.md lists which test holds which spec).

mod accessions;
mod agents;
mod components;
mod contacts;
mod digital_objects;
mod imports;
mod merges;
mod refusals;
mod repositories;
mod resources;
mod rest;
mod settings;
mod users;

use super::*;

/// One agent of each type: where it is added, and the least it needs.
fn agents(name: &str) -> [(&'static str, Value); 4] {
    let named = |member: &str| {
        let mut sent = json!({"names": [{"source": "local", "sort_name_auto_generate": true}]});
        sent["names"][0][member] = name.into();
        sent
    };
    let mut person = named("primary_name");
    person["names"][0]["name_order"] = "direct".into();
    [
        ("/agents/people", person),
        ("/agents/families", named("family_name")),
        ("/agents/corporate_entities", named("primary_name")),
        ("/agents/software", named("software_name")),
    ]
}

fn person(name: &str) -> Value {
    let [(_, person), ..] = agents(name);
    person
}

fn subject(term: &str) -> Value {
    json!({"source": "local", "vocabulary": "/vocabularies/1",
        "terms": [{"term": term, "term_type": "topical", "vocabulary": "/vocabularies/1"}]})
}

fn accession(id: &str) -> Value {
    json!({"id_0": id, "title": format!("Gift {id}"), "accession_date": "2012-05-03"})
}

fn bibliography(text: &str) -> Value {
    json!({"jsonmodel_type": "note_bibliography", "label": "Books", "content": [text], "publish": false})
}

/// Parts that are published with their record.
fn unpublished_parts() -> Value {
    json!({"publish": false, "notes": [bibliography("One")],
        "external_documents": [{"title": "Plan", "location": "https://example.org/plan", "publish": false}]})
}

/// Adds the members of `more` to a record.
fn with(mut record: Value, more: Value) -> Value {
    let members = record.as_object_mut().expect("an object");
    members.extend(more.as_object().cloned().expect("an object"));
    record
}

/// The titles at the top of a tree, in their order.
async fn top(archives: &Archives, root: &str) -> Vec<String> {
    let tree = archives.get(&format!("{root}/tree/root")).await;
    let first = &tree["precomputed_waypoints"][""]["0"];
    if first.is_null() { Vec::new() } else { texts(first, "title") }
}

impl Archives {
    /// Reads a record, changes it and saves it; returns it as it is then.
    async fn edit(&self, uri: &str, change: impl FnOnce(&mut Value)) -> Value {
        let mut record = self.get(uri).await;
        change(&mut record);
        self.admin.post(uri, &record).await.expect(200);
        self.get(uri).await
    }

    /// The status of saving a new record.
    async fn refuses(&self, path: &str, record: &Value) -> u16 {
        self.admin.post(path, record).await.status
    }

    async fn act(&self, path: &str) -> Value {
        self.admin.send(Method::POST, path, None).await.expect(200).json()
    }

    /// A user in groups of a repository, signed in.
    async fn member(&self, name: &str, repository: &str, groups: &[&str]) -> Client {
        let mut all = Vec::new();
        for code in groups {
            let found = self.get(&format!("{repository}/groups?group_code={code}")).await;
            all.push(format!("&groups[]={}", found[0]["uri"].as_str().expect("a group")));
        }
        let path = format!("/users?password={}{}", PASSWORD.replace(' ', "+"), all.concat());
        self.admin.post(&path, &json!({"username": name, "name": name})).await.expect(200);
        signed_in(&self.library, name).await
    }
}
