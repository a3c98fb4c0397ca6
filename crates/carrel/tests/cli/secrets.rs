//! What no log has, whatever it is asked for.

use serde_json::json;

use super::kill::{Desk, make_library};
use super::search::until_found;
use super::support::{Carrel, command, data_dir, send};

#[tokio::test]
async fn the_most_detailed_log_has_no_records_queries_passwords_or_tokens() {
    let dir = data_dir();
    make_library(dir.path());
    let mut command = command(dir.path());
    command.arg("--log-level=trace");
    let carrel = Carrel::start_with(command);
    let desk = Desk::open(&carrel).await;
    let record = json!({"username": "whoever", "active": true, "personal": {"lastName": "Ofarecord"}});
    let login = json!({"username": "whoever", "password": "Ofalogin1!"});
    for (path, body) in [("users", &record), ("authn/credentials", &login), ("authn/login", &login)] {
        let request = desk.http.post(format!("{}/{path}", desk.base)).header("x-okapi-tenant", "diku");
        let request = request.header("x-okapi-token", &desk.token).header("content-type", "application/json");
        let answer = request.body(body.to_string()).send().await.expect("an answer");
        assert!(answer.status().is_success(), "{path}: {}", answer.text().await.expect("a text"));
    }
    desk.get("/users?query=barcode==ofaquery").await;
    assert_eq!(until_found(&desk, "title==ofaquery").await, 0);

    send("TERM", carrel.process.id());
    let (_, log) = carrel.end();
    assert!(log.contains("\"route\":\"/authn/login\""), "{log}");
    let text = log.to_lowercase();
    for secret in ["ofarecord", "ofalogin", "ofaquery", &desk.token.to_lowercase(), "token-key"] {
        let told = text.lines().find(|line| line.contains(secret));
        assert_eq!(told, None, "{secret}");
    }
}
