//! The users that the archives start with (contract 1.1).

use api::first_users::enter_first_users;
use http::Method;
use serde_json::{Value, json};
use testkit::{Client, Library, library};

use super::{Archives, anonymous, archives, log_in, texts};

const HIDDEN: [(&str, &str); 3] =
    [("search_indexer", "searchindex"), ("public_anonymous", "publicanonymous"), ("staff_system", "staffsystem")];

async fn enter(library: &Library, password: Option<&str>) {
    let tenant = library.app.tenant(library.tenant).expect("the tenant");
    if let Err(problem) = enter_first_users(&library.app, &tenant, password).await {
        panic!("{problem}");
    }
}

pub(super) async fn started() -> Archives {
    let library = library().await;
    enter(&library, Some("first secret")).await;
    let answer = log_in(&library, "admin", "password=first+secret").await.expect(200);
    let secret = answer.json()["session"].as_str().expect("a session").to_owned();
    let admin = anonymous(&library).with_header("x-archivesspace-session", &secret);
    Archives { library, admin }
}

/// The addresses of the hidden users, by their numbers.
pub(super) async fn hidden(client: &Client) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for number in 1..=10 {
        let path = format!("/users/{number}");
        let answer = client.get(&path).await;
        if answer.status == 200 && answer.json()["is_hidden_user"] == true {
            found.push((path, answer.json()));
        }
    }
    found
}

#[tokio::test]
async fn the_administrator_signs_in_with_the_configured_password() {
    let archives = started().await;
    let me = archives.get("/users/current-user").await;
    assert_eq!(
        (&me["username"], &me["name"], &me["is_admin"], &me["is_system_user"], &me["is_hidden_user"]),
        (&json!("admin"), &json!("Administrator"), &json!(true), &json!(true), &json!(false))
    );
    let agent = archives.get(me["agent_record"]["ref"].as_str().expect("an agent")).await;
    assert_eq!(agent["title"], "Administrator");
    archives.repository("NEW").await;
    // It keeps its password.
    enter(&archives.library, Some("another")).await;
    assert_eq!(log_in(&archives.library, "admin", "password=another").await.status, 403);
    assert_eq!(log_in(&archives.library, "admin", "password=first+secret").await.status, 200);
}

#[tokio::test]
async fn without_a_password_there_is_no_administrator() {
    let library = library().await;
    enter(&library, None).await;
    for form in ["password=admin", "password="] {
        assert_ne!(log_in(&library, "admin", form).await.status, 200, "{form}");
    }
}

#[tokio::test]
async fn a_librarys_own_user_admin_stays_as_it_is() {
    let archives = archives().await;
    enter(&archives.library, Some("another")).await;
    assert_eq!(log_in(&archives.library, "admin", "password=another").await.status, 403);
    assert_eq!(archives.get("/users/current-user").await["is_system_user"], true);
}

#[tokio::test]
async fn hidden_users_are_in_no_list_and_cannot_sign_in() {
    let archives = started().await;
    enter(&archives.library, None).await;
    let listed = archives.get("/users?page=1").await;
    assert_eq!((texts(&listed["results"], "username"), &listed["total"]), (vec!["admin".to_owned()], &json!(1)));
    assert_eq!(archives.get("/users?all_ids=true").await.as_array().map(Vec::len), Some(1));
    let found = hidden(&archives.admin).await;
    let names: Vec<_> = found.iter().map(|(_, user)| user["username"].as_str().unwrap_or_default()).collect();
    assert_eq!(names, HIDDEN.map(|(name, _)| name));
    let ids = found.iter().map(|(path, _)| path.trim_start_matches("/users/")).collect::<Vec<_>>().join(",");
    assert_eq!(archives.get(&format!("/users?id_set={ids}")).await, json!([]));
    for (name, code) in HIDDEN {
        assert_eq!(archives.get(&format!("/users/complete?query={name}")).await, json!([]));
        for form in ["password=admin", "password=x"] {
            assert_eq!(log_in(&archives.library, name, form).await.status, 403, "{name}");
        }
        let groups = archives.get(&format!("/repositories/1/groups?group_code={code}")).await;
        assert_eq!(groups[0]["member_usernames"], json!([name]));
        let taken = archives.admin.post("/users?password=x", &json!({"username": name, "name": "x"})).await;
        assert_eq!(
            taken.expect(400).json()["error"]["username"],
            json!([format!("Username '{name}' is already in use")])
        );
    }
    let indexer = &found[0].1;
    assert_eq!((&indexer["is_admin"], indexer.get("agent_record")), (&json!(false), None));
    let codes = indexer["permissions"]["/repositories/1"].as_array().expect("codes");
    assert!(codes.contains(&json!("index_system")), "{codes:?}");
}

#[tokio::test]
async fn users_of_the_system_stay() {
    let archives = started().await;
    let mut paths: Vec<String> = hidden(&archives.admin).await.into_iter().map(|(path, _)| path).collect();
    paths.push(archives.get("/users/current-user").await["uri"].as_str().expect("an address").to_owned());
    assert_eq!(paths.len(), 4);
    for path in paths {
        let refused = archives.admin.delete(&path).await.expect(403).json();
        assert_eq!(refused, json!({"error": "Access denied"}));
        for action in ["activate", "deactivate"] {
            assert_eq!(archives.admin.get(&format!("{path}/{action}")).await.status, 404, "{path}/{action}");
        }
        archives.get(&path).await;
    }
    let answer = archives.admin.send(Method::POST, "/users/staff_system/become-user", None).await.expect(200).json();
    assert_eq!(answer["user"]["permissions"]["_archivesspace"], json!(["edit_user_self", "mediate_edits"]));
}
