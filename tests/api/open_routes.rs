//! What is open to everyone, and that nothing else is (docs/folio/gateway.md#open-routes).

use api::{platform::timers, route::RUN_TIMERS};
use serde_json::{Value, json};
use testkit::{Client, Library, library};
use uuid::Uuid;

/// Routes without a permission in FOLIO's descriptors or in Carrel's own: signing in and out, what a reset link opens,
/// and what reveals nothing about anyone.
const OPEN: &[&str] = &[
    "GET /_/version",
    "GET /_/proxy/health",
    "POST /authn/login",
    "POST /authn/login-with-expiry",
    "POST /authn/refresh",
    "POST /authn/logout",
    "POST /authn/logout-all",
    "POST /authn/update",
    "GET /bl-users/_self",
    "POST /bl-users/login",
    "POST /bl-users/login-with-expiry",
    "POST /bl-users/forgotten/password",
    "POST /bl-users/forgotten/username",
    "POST /bl-users/password-reset/validate",
    "POST /bl-users/password-reset/reset",
    "POST /bl-users/settings/myprofile/password",
    "GET /tenant/rules",
];

async fn user_with(library: &Library, name: &str, permissions: &[&str]) -> Client {
    let id = Uuid::new_v4();
    let user = json!({"id": id, "username": name, "active": true, "personal": {"lastName": "Clerk"}});
    library.open.create("/users", &user).await;
    let credentials = json!({"userId": id, "password": "secret"});
    let given = library.open.post("/authn/credentials", &credentials).await;
    given.expect(201);
    let holder = json!({"userId": id, "permissions": permissions});
    library.open.create("/perms/users", &holder).await;
    let sent = json!({"username": name, "password": "secret"});
    let answer = library.open.post("/authn/login", &sent).await.expect(201);
    library.with_token(answer.header("x-okapi-token").expect("a token"))
}

async fn ask_for_tokens(library: &Library) {
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    let path = "/_/proxy/tenants/test/install";
    library.open.post(path, &enable).await.expect(200);
}

#[tokio::test]
async fn no_route_is_open_by_mistake() {
    let library = library().await;
    let open = library.app.routes.all().iter();
    let open = open.filter(|route| route.required.is_empty());
    let open: Vec<_> = open.map(|route| format!("{} {}", route.method, route.path)).collect();
    let unknown: Vec<_> = open.iter().filter(|route| !OPEN.contains(&route.as_str())).collect();
    assert!(unknown.is_empty(), "anybody may call {unknown:?}");
    let closed: Vec<_> = OPEN.iter().filter(|route| !open.iter().any(|open| open == *route)).collect();
    assert!(closed.is_empty(), "no longer open: {closed:?}");
}

/// The jobs of all timers, and mod-email's job, which Carrel schedules itself.
#[tokio::test]
async fn only_the_gateway_runs_its_jobs() {
    let library = &library().await;
    let clerk = user_with(library, "clerk", &["users.all", "okapi.proxy.tenants.timers.list"]).await;
    let operator = user_with(library, "operator", &[RUN_TIMERS]).await;
    ask_for_tokens(library).await;
    let served = |path: &&str| {
        let post = "POST".parse().expect("a method");
        library.app.routes.find(&post, path).is_some()
    };
    let jobs: Vec<_> = timers::paths().filter(served).chain(["/delayedTask/retryFailedEmails"]).collect();
    assert_eq!(jobs.len(), 20);
    for path in jobs {
        let absent = library.open.post(path, &Value::Null).await.expect(400);
        let missing = format!("Token missing, access requires permission: {RUN_TIMERS}");
        assert_eq!(absent.text, missing, "{path}");
        let refused = clerk.post(path, &json!({})).await.expect(403);
        assert!(refused.text.ends_with(RUN_TIMERS), "{path}: {}", refused.text);
        let ran = operator.post(path, &json!({})).await;
        assert!(ran.status < 300, "{path}: {} {}", ran.status, ran.text);
    }
}

/// docs/folio/okapi.md#ones-own-tenant.
#[tokio::test]
async fn users_see_the_modules_of_their_own_tenant_only() {
    let library = &library().await;
    let reader = user_with(library, "reader", &[]).await;
    let operator = user_with(library, "operator", &[RUN_TIMERS]).await;
    ask_for_tokens(library).await;
    let own = "/_/proxy/tenants/test";
    let timers = reader.get(&format!("{own}/timers")).await.expect(200).json();
    let timer = timers[0]["id"].as_str().expect("a timer");
    for rest in ["modules", "modules/okapi-6.2.0", "interfaces", "interfaces/users"] {
        let answer = reader.get(&format!("{own}/{rest}")).await;
        assert!([200, 404].contains(&answer.status), "{rest}: {}", answer.text);
        let other = reader.get(&format!("/_/proxy/tenants/supertenant/{rest}")).await;
        other.expect(403);
        let absent = library.open.get(&format!("{own}/{rest}")).await;
        absent.expect(400);
    }
    let one = format!("{own}/timers/{timer}");
    reader.get(&one).await.expect(200);
    let delay = json!({"routingEntry": {"unit": "minute", "delay": "7"}});
    let refused = reader.patch(&one, &delay).await.expect(403);
    assert!(refused.text.ends_with(RUN_TIMERS), "{}", refused.text);
    operator.patch(&one, &delay).await.expect(204);
    let with_id = json!({"id": timer, "routingEntry": {}});
    operator.patch(&format!("{own}/timers"), &with_id).await.expect(204);
    let others = operator.get("/_/proxy/tenants/supertenant/timers").await.expect(403);
    assert!(others.text.ends_with("okapi.proxy.tenants.timers.list"), "{}", others.text);
}

/// FOLIO lets everyone do it. The mark has the effect of an edit of the instance.
#[tokio::test]
async fn marking_an_instance_deleted_needs_permission_to_edit_it() {
    let library = &library().await;
    let reader = user_with(library, "reader", &["inventory.instances.item.delete"]).await;
    let cataloguer = user_with(library, "cataloguer", &["inventory.instances.item.put"]).await;
    ask_for_tokens(library).await;
    let path = format!("/inventory/instances/{}/mark-deleted", Uuid::new_v4());
    reader.delete(&path).await.expect(403);
    cataloguer.delete(&path).await.expect(404);
}
