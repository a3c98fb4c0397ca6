//! Signing in and out, credentials, lockout, resets (docs/folio/log-in.md).

mod credentials;
mod door;
mod log_in;
mod pins;
mod session;
mod tokens_end;

use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{Answer, Client, Library, library, library_with};
use uuid::Uuid;

const PASSWORD: &str = "a good long password";
/// The same, hashed as libraries do. Tests' own hashes cost next to nothing, so nobody would wait for them.
const HASHED: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$aF1GidlHKEseldfe19AS0w$c1WM9B85AolsKYcyjuTFZtElHNvrgjL1XBajmVlBzgc";

/// A user with credentials.
async fn user(library: &Library, username: &str) -> Uuid {
    let id = Uuid::new_v4();
    let user = json!({"id": id, "username": username, "active": true, "personal": {"lastName": "Reader"}});
    library.open.create("/users", &user).await;
    let credentials = json!({"username": username, "password": PASSWORD});
    let created = library.open.post("/authn/credentials", &credentials).await.expect(201);
    assert_eq!(created.text, "");
    id
}

/// A user whose password takes as long to check as in a library.
async fn slow_user(library: &Library, username: &str) -> Uuid {
    let id = user(library, username).await;
    let tenant = library.app.tenant(library.tenant).expect("the tenant");
    let session = library.app.database.session(&tenant.schema).expect("a session");
    session.execute("UPDATE credential SET hash = $2 WHERE user_id = $1", &[&id, &HASHED]).await.expect("a hash");
    id
}

async fn log_in(library: &Library, username: &str, password: &str) -> Answer {
    let sent = json!({"username": username, "password": password});
    library.open.post("/authn/login-with-expiry", &sent).await
}

fn cookies(answer: &Answer) -> Vec<String> {
    let all = answer.headers.get_all("set-cookie").iter();
    all.map(|value| value.to_str().expect("text").to_owned()).collect()
}

fn value_of<'a>(cookies: &'a [String], name: &str) -> &'a str {
    let cookie = cookies.iter().find_map(|cookie| cookie.strip_prefix(name)?.strip_prefix('='));
    cookie.expect(name).split(';').next().expect("a value")
}

fn with_cookie(library: &Library, cookie: &str) -> Client {
    library.open.with_header("cookie", cookie)
}

async fn configure(library: &Library, code: &str, value: &str) {
    let entry = json!({"module": "LOGIN", "configName": "limits", "code": code, "enabled": true, "value": value});
    library.open.create("/configurations/entries", &entry).await;
}

fn wrong() -> Value {
    json!({"errors": [{"message": "Wrong username or wrong password or account blocked", "type": "error",
        "code": "wrong.username.or.wrong.password.or.account.blocked", "parameters": []}]})
}
