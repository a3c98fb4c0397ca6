//! Composite users, signing in with them, password resets, password rules (docs/folio/composite-users.md).

mod composite;
mod password_rules;
mod resets;

use serde_json::{Value, json};
use testkit::Library;
use uuid::Uuid;

const PASSWORD: &str = "Long+enough1";

struct Clerk {
    id: Uuid,
    group: Value,
    holder: Value,
    service_point: Value,
}

/// A library clerk with credentials, permissions, a group and a service point.
async fn clerk(library: &Library) -> Clerk {
    let id = Uuid::new_v4();
    let group = library.open.create("/groups", &json!({"group": "staff"})).await;
    let user = json!({"id": id, "username": "clerk", "barcode": "42", "active": true, "patronGroup": group["id"],
        "personal": {"lastName": "Clerk", "email": "clerk@library.example"}});
    library.open.create("/users", &user).await;
    let credentials = json!({"userId": id, "password": PASSWORD});
    library.open.post("/authn/credentials", &credentials).await.expect(201);
    let sent = json!({"userId": id, "permissions": ["tags.all"]});
    let holder = library.open.create("/perms/users", &sent).await;
    let sent = json!({"name": "Desk", "code": "d", "discoveryDisplayName": "Desk"});
    let service_point = library.open.create("/service-points", &sent).await;
    let sent =
        json!({"userId": id, "servicePointsIds": [service_point["id"]], "defaultServicePointId": service_point["id"]});
    library.open.create("/service-points-users", &sent).await;
    Clerk { id, group, holder, service_point }
}

fn credentials() -> Value {
    json!({"username": "Clerk", "password": PASSWORD})
}
