//! The archives' API, as ArchivesSpace's clients call it (contract: reference of the archives' API, sections 1 to 3 and 7).

mod accessions;
mod agent_exports;
mod agents;
mod archivessnake;
mod ark_jobs;
mod attacks;
mod budgets;
mod calculators;
mod changing_jobs;
mod circulating;
mod classifications;
mod clients;
mod containers;
mod controllers;
mod document;
mod enumerations;
mod exports;
mod finding_aids;
mod first_users;
mod harvest;
mod import_types;
mod imports;
mod index;
mod inheritance;
mod jobs;
mod listed;
mod locations;
mod lookups;
mod merges;
mod more_reports;
mod on_the_staff_port;
mod others;
mod preferences;
mod printing;
mod published;
mod records;
mod relations;
mod reports;
mod repositories;
mod round_trips;
mod search;
mod search_by_the_public;
mod search_words;
mod sessions;
mod specs;
mod spreadsheets;
mod subjects;
mod suppressed;
mod transfers;
mod trees;
mod users;

use http::Method;
use serde_json::{Value, json};
use testkit::{Answer, Client, Library, library};
use uuid::Uuid;

const PASSWORD: &str = "a good long password";

/// An empty library whose archives have an administrator, and the administrator's client.
struct Archives {
    library: Library,
    admin: Client,
}

async fn archives() -> Archives {
    with_administrator(library().await).await
}

async fn with_administrator(library: Library) -> Archives {
    user(&library, "admin", &["perms.all"]).await;
    let admin = signed_in(&library, "admin").await;
    Archives { library, admin }
}

/// A user of the library with credentials and permissions on the FOLIO side.
async fn user(library: &Library, username: &str, permissions: &[&str]) -> Uuid {
    let id = Uuid::new_v4();
    let personal = json!({"lastName": "Archivist"});
    let user = json!({"id": id, "username": username, "active": true, "personal": personal});
    library.open.create("/users", &user).await;
    let credentials = json!({"username": username, "password": PASSWORD});
    library.open.post("/authn/credentials", &credentials).await.expect(201);
    library.open.create("/perms/users", &json!({"userId": id, "permissions": permissions})).await;
    id
}

/// A client without a session.
fn anonymous(library: &Library) -> Client {
    Client::new(&library.archives, &[]).of_archives()
}

/// Makes a user a member of a group of a repository.
async fn join(archives: &Archives, repository: &str, code: &str, username: &str) {
    let found = archives.get(&format!("{repository}/groups?group_code={code}")).await;
    let mut group = found[0].clone();
    group["member_usernames"] = json!([username]);
    archives.admin.post(group["uri"].as_str().expect("an address"), &group).await.expect(200);
}

async fn log_in(library: &Library, username: &str, form: &str) -> Answer {
    let client = anonymous(library).with_header("content-type", "application/x-www-form-urlencoded");
    client.send(Method::POST, &format!("/users/{username}/login"), Some(form.into())).await
}

async fn signed_in(library: &Library, username: &str) -> Client {
    let answer = log_in(library, username, &format!("password={}", PASSWORD.replace(' ', "+"))).await.expect(200);
    let secret = answer.json()["session"].as_str().expect("a session").to_owned();
    anonymous(library).with_header("x-archivesspace-session", &secret)
}

impl Archives {
    /// A repository; returns its address.
    async fn repository(&self, code: &str) -> String {
        let sent = json!({"repo_code": code, "name": format!("Library of {code}")});
        uri(&self.admin.post("/repositories", &sent).await.expect(200))
    }

    async fn add(&self, path: &str, record: &Value) -> String {
        uri(&self.admin.post(path, record).await.expect(200))
    }

    async fn get(&self, path: &str) -> Value {
        self.admin.get(path).await.expect(200).json()
    }
}

/// The address of a saved record.
fn uri(answer: &Answer) -> String {
    answer.json()["uri"].as_str().expect("an address").to_owned()
}

/// The least a resource needs.
fn resource(id: &str) -> Value {
    json!({"title": format!("Papers {id}"), "id_0": id, "level": "collection", "finding_aid_language": "eng",
        "finding_aid_script": "Latn",
        "extents": [{"portion": "whole", "number": "3", "extent_type": "linear_feet"}],
        "dates": [{"date_type": "inclusive", "label": "creation", "begin": "1900", "end": "1950"}],
        "lang_materials": [{"language_and_script": {"language": "eng"}}]})
}

/// An archival object of a resource.
fn component(title: &str, resource: &str, parent: Option<&str>) -> Value {
    let mut record = json!({"title": title, "level": "file", "resource": {"ref": resource}});
    if let Some(parent) = parent {
        record["parent"] = json!({"ref": parent});
    }
    record
}

/// The text of members of a list.
fn texts(list: &Value, member: &str) -> Vec<String> {
    let entries = list.as_array().expect("a list").iter();
    entries.map(|entry| entry[member].as_str().unwrap_or_default().to_owned()).collect()
}
