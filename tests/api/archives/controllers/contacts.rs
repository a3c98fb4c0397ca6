//! How agents can be reached is told to, and written by, those with a right of its own.

use super::*;

const CONTACTS: &str = "view_agent_contact_record";

fn contacts() -> Value {
    json!([{"name": "Front desk", "city": "Harbour"}, {"name": "Back door", "city": "Hill"}])
}

/// A group that may see contacts, but not change agents.
async fn limited(archives: &Archives, repository: &str) -> Client {
    let group = json!({"group_code": "sees-contacts", "description": "Sees contacts",
        "grants_permissions": ["view_repository", "update_resource_record", CONTACTS]});
    archives.add(&format!("{repository}/groups"), &group).await;
    archives.member("limited", repository, &["sees-contacts"]).await
}

struct Staff {
    archives: Archives,
    /// Manages agents and sees contacts.
    archivist: Client,
    /// Manages agents only.
    intern: Client,
    /// Sees contacts only.
    limited: Client,
}

async fn staff() -> Staff {
    let archives = archives().await;
    let repository = archives.repository("CON").await;
    let archivist = archives.member("archivist", &repository, &["repository-archivists"]).await;
    let intern = archives.member("intern", &repository, &["repository-advanced-data-entry"]).await;
    let limited = limited(&archives, &repository).await;
    Staff { archives, archivist, intern, limited }
}

fn named(agent: &Value, number: usize) -> Value {
    let mut agent = agent.clone();
    for name in ["primary_name", "family_name", "software_name"] {
        if agent["names"][0][name].is_string() {
            agent["names"][0][name] = format!("Name {number}").into();
        }
    }
    agent
}

fn cities(agent: &Value) -> Vec<String> {
    texts(&agent["agent_contacts"], "city")
}

#[tokio::test]
async fn only_who_sees_contacts_and_manages_agents_adds_them() {
    let Staff { archives, archivist, intern, limited } = staff().await;
    for (path, agent) in agents("A") {
        let with_contacts = with(agent, json!({"agent_contacts": contacts()}));
        intern.post(path, &with_contacts).await.expect(403);
        limited.post(path, &with_contacts).await.expect(403);
        let uri = uri(&archivist.post(path, &with_contacts).await.expect(200));
        assert_eq!(cities(&archivist.get(&uri).await.expect(200).json()), ["Harbour", "Hill"]);
        for (client, seen) in [(&archivist, 2), (&limited, 2), (&intern, 0)] {
            let id = uri.rsplit('/').next().expect("an id");
            let listed = client.get(&format!("{path}?id_set={id}")).await.expect(200).json();
            assert_eq!(cities(&listed[0]).len(), seen, "{path}");
        }
        archives.admin.delete(&uri).await.expect(200);
    }
}

#[tokio::test]
async fn contacts_are_added_to_an_agent_by_those_who_see_them() {
    let Staff { archives, archivist, intern, limited } = staff().await;
    for (path, agent) in agents("A") {
        let uri = archives.add(path, &agent).await;
        let added = async |client: &Client, status: u16| {
            let mut record = client.get(&uri).await.expect(200).json();
            record["agent_contacts"] = contacts();
            client.post(&uri, &record).await.expect(status);
            cities(&archives.get(&uri).await)
        };
        // Dropped without a word.
        assert_eq!(added(&intern, 200).await, Vec::<String>::new());
        assert_eq!(added(&limited, 403).await, Vec::<String>::new());
        assert_eq!(added(&archivist, 200).await, ["Harbour", "Hill"]);
    }
}

#[tokio::test]
async fn contacts_stay_when_somebody_saves_who_does_not_see_them() {
    let Staff { archives, archivist, intern, .. } = staff().await;
    for (path, agent) in agents("A") {
        let uri = archives.add(path, &with(agent.clone(), json!({"agent_contacts": contacts()}))).await;
        for (number, none) in [json!([]), Value::Null].into_iter().enumerate() {
            let saved = async |client: &Client, number: usize| {
                let mut record = client.get(&uri).await.expect(200).json();
                record["agent_contacts"] = none.clone();
                let names = named(&agent, number)["names"][0].clone();
                record["names"].as_array_mut().expect("names").push(names);
                client.post(&uri, &record).await.expect(200);
                let after = archives.get(&uri).await;
                (after["names"].as_array().map(Vec::len), cities(&after).len())
            };
            assert_eq!(saved(&intern, 10 * number).await, (Some(2 * number + 2), 2), "{path}");
            assert_eq!(saved(&archivist, 10 * number + 1).await, (Some(2 * number + 3), 0), "{path}");
            archives.edit(&uri, |record| record["agent_contacts"] = contacts()).await;
        }
    }
}
