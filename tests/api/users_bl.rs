//! Users with what belongs to them, signing in with all of it, resets, rules for passwords
//! (docs/folio/composite-users.md).

use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{Client, Library, library};
use uuid::Uuid;

const PASSWORD: &str = "Long+enough1";

struct Clerk {
    id: Uuid,
    group: Value,
    holder: Value,
    service_point: Value,
}

/// A clerk with credentials, permissions, a group and a service point.
async fn clerk(library: &Library) -> Clerk {
    let id = Uuid::new_v4();
    let group = library
        .open
        .create("/groups", &json!({"group": "staff"}))
        .await;
    let user = json!({"id": id, "username": "clerk", "barcode": "42", "active": true, "patronGroup": group["id"],
        "personal": {"lastName": "Clerk", "email": "clerk@library.example"}});
    library.open.create("/users", &user).await;
    let credentials = json!({"userId": id, "password": PASSWORD});
    library
        .open
        .post("/authn/credentials", &credentials)
        .await
        .expect(201);
    let sent = json!({"userId": id, "permissions": ["tags.all"]});
    let holder = library.open.create("/perms/users", &sent).await;
    let sent = json!({"name": "Desk", "code": "d", "discoveryDisplayName": "Desk"});
    let service_point = library.open.create("/service-points", &sent).await;
    let sent = json!({"userId": id, "servicePointsIds": [service_point["id"]], "defaultServicePointId": service_point["id"]});
    library.open.create("/service-points-users", &sent).await;
    Clerk {
        id,
        group,
        holder,
        service_point,
    }
}

fn credentials() -> Value {
    json!({"username": "Clerk", "password": PASSWORD})
}

#[tokio::test]
async fn a_log_in_answers_the_user_with_everything_the_desk_needs() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let answer = library
        .open
        .post("/bl-users/login", &credentials())
        .await
        .expect(201);
    assert!(answer.header("x-okapi-token").unwrap().starts_with("eyJ"));
    assert!(
        answer.round_trips() <= 3,
        "{} round trips",
        answer.round_trips()
    );
    let body = answer.json();
    assert_eq!(body["user"]["id"], json!(clerk.id));
    assert_eq!(body["patronGroup"], clerk.group);
    assert_eq!(body["permissions"]["id"], clerk.holder["id"]);
    assert_eq!(body["permissions"]["permissions"], json!(["tags.all"]));
    assert_eq!(
        body["servicePointsUser"]["servicePoints"],
        json!([clerk.service_point])
    );
    assert_eq!(
        body["servicePointsUser"]["defaultServicePointId"],
        clerk.service_point["id"]
    );
    assert_eq!(body["tenant"], "test");
    assert!(body.get("proxiesFor").is_none() && body.get("tokenExpiration").is_none());

    let with_expiry = library
        .open
        .post("/bl-users/login-with-expiry", &credentials())
        .await
        .expect(201);
    assert_eq!(with_expiry.headers.get_all("set-cookie").iter().count(), 2);
    assert!(with_expiry.json()["tokenExpiration"]["accessTokenExpiration"].is_string());
}

#[tokio::test]
async fn what_is_answered_can_be_chosen() {
    let library = library().await;
    clerk(&library).await;
    let log_in = |parameters: &str| {
        let (client, path) = (
            library.open.clone(),
            format!("/bl-users/login?{parameters}"),
        );
        async move { client.post(&path, &credentials()).await.expect(201).json() }
    };
    let members = |body: &Value| {
        body.as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        members(&log_in("include=groups").await),
        ["user", "patronGroup", "tenant"]
    );
    assert_eq!(
        members(&log_in("include=perms&include=servicepoints").await),
        ["user", "permissions", "servicePointsUser", "tenant"]
    );
    let expanded = log_in("expandPermissions=true&fullPermissions=true").await;
    let permissions = expanded["permissions"]["permissions"].as_array().unwrap();
    let find = |name: &str| {
        permissions
            .iter()
            .find(|p| p["permissionName"] == name)
            .cloned()
    };
    assert_eq!(
        find("tags.all").unwrap()["grantedTo"],
        json!([expanded["permissions"]["id"]])
    );
    assert_eq!(
        find("tags.collection.get").unwrap()["childOf"],
        json!(["tags.all"])
    );
}

#[tokio::test]
async fn a_bare_user_lacks_members_and_bad_requests_are_refused() {
    let library = library().await;
    let user = json!({"username": "bare", "active": true, "personal": {"lastName": "x"}});
    let id = library.open.create("/users", &user).await["id"].clone();
    let sent = json!({"username": "bare", "password": "x"});
    library
        .open
        .post("/authn/credentials", &sent)
        .await
        .expect(201);
    let bare = library
        .open
        .post("/bl-users/login", &sent)
        .await
        .expect(201)
        .json();
    assert_eq!(
        bare.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["user", "tenant"]
    );
    let expanded = library
        .open
        .post("/bl-users/login?expandPermissions=true", &sent)
        .await
        .expect(404);
    assert!(
        expanded.text.starts_with("No record found for query '"),
        "{}",
        expanded.text
    );
    let wrong = json!({"username": "bare", "password": "wrong"});
    library
        .open
        .post("/bl-users/login", &wrong)
        .await
        .expect(422);
    for bad in [
        json!({"username": "bare"}),
        json!({"userId": id, "password": "x"}),
        json!({}),
    ] {
        let refused = library.open.post("/bl-users/login", &bad).await.expect(400);
        assert_eq!(refused.text, "Improperly formatted request");
    }
}

#[tokio::test]
async fn users_are_read_with_what_belongs_to_them() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let proxy = json!({"userId": clerk.id, "proxyUserId": Uuid::new_v4()});
    library.open.create("/proxiesfor", &proxy).await;
    for path in [
        format!("/bl-users/by-id/{}", clerk.id),
        "/bl-users/by-username/CLERK".to_owned(),
    ] {
        let answer = library
            .open
            .get(&format!("{path}?include=groups&include=proxiesfor"))
            .await
            .expect(200);
        assert_eq!(answer.round_trips(), 1);
        let body = answer.json();
        assert_eq!(
            (&body["user"]["barcode"], &body["patronGroup"]["group"]),
            (&json!("42"), &json!("staff"))
        );
        assert_eq!(body["proxiesFor"].as_array().unwrap().len(), 1);
    }
    library
        .open
        .get(&format!("/bl-users/by-id/{}", Uuid::new_v4()))
        .await
        .expect(404);
    library.open.get("/bl-users/by-id/nobody").await.expect(404);
    library
        .open
        .get("/bl-users/by-username/nobody")
        .await
        .expect(404);
    library.open.get("/bl-users/_self").await.expect(400);
    let page = library
        .open
        .query("/bl-users", "username==clerk")
        .await
        .expect(200);
    assert_eq!(page.round_trips(), 1);
    let page = page.json();
    assert_eq!(
        (&page["totalResults"], &page["recordCount"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(page["compositeUsers"][0]["patronGroup"]["group"], "staff");
    assert_eq!(
        page["compositeUsers"][0]["permissions"]["permissions"],
        json!(["tags.all"])
    );
    assert_eq!(page["compositeUsers"][0].get("proxiesFor"), None);
    let bare = json!({"username": "bare", "personal": {"lastName": "x"}});
    library.open.create("/users", &bare).await;
    let list = library
        .open
        .query(
            "/bl-users?include=proxiesfor",
            "cql.allRecords=1 sortby username",
        )
        .await
        .json();
    let members: Vec<Vec<_>> = list["compositeUsers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_object().unwrap().keys().collect())
        .collect();
    assert_eq!(members, [vec!["user"], vec!["user", "proxiesFor"]]);
    let wrong = library.open.query("/bl-users", "username==(").await;
    wrong.expect(400);
}

/// FOLIO announces that composite users can be written, and never served it.
#[tokio::test]
async fn composite_users_are_not_written() {
    let library = library().await;
    let sent = json!({"user": {"username": "x"}});
    let refused = library.open.post("/bl-users", &sent).await.expect(405);
    let text = "API resource does not support this HTTP method (verb)";
    assert_eq!(refused.text, text);
    let path = format!("/bl-users/{}", Uuid::new_v4());
    let refused = library.open.put(&path, &sent).await.expect(404);
    assert_eq!(refused.text, "Resource not found");
}

#[tokio::test]
async fn the_users_own_record_comes_from_the_token() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    library
        .open
        .post("/_/proxy/tenants/test/install", &enable)
        .await
        .expect(200);
    let answer = library
        .open
        .post("/bl-users/login", &credentials())
        .await
        .expect(201);
    let token = answer.header("x-okapi-token").unwrap().to_owned();
    let own = library
        .with_token(&token)
        .get("/bl-users/_self")
        .await
        .expect(200)
        .json();
    assert_eq!(own["user"]["id"], json!(clerk.id));
}

#[tokio::test]
async fn a_user_with_open_transactions_is_not_deleted() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let path = format!("/bl-users/by-id/{}", clerk.id);
    let block = json!({"userId": clerk.id, "desc": "Lost card", "type": "Manual", "expirationDate": "2999-01-01T00:00:00Z",
        "borrowing": true, "renewals": false, "requests": false});
    let block = library.open.create("/manualblocks", &block).await;
    let open = library
        .open
        .get(&format!("{path}/open-transactions"))
        .await
        .expect(200);
    assert_eq!(open.round_trips(), 1);
    assert_eq!(
        open.json(),
        json!({"userId": clerk.id, "userBarcode": "42", "hasOpenTransactions": true, "loans": 0, "requests": 0,
               "feesFines": 0, "proxies": 0, "blocks": 1})
    );
    assert_eq!(
        library.open.delete(&path).await.expect(409).json(),
        open.json()
    );
    let by_name = library
        .open
        .get("/bl-users/by-username/clerk/open-transactions")
        .await
        .expect(200);
    assert_eq!(by_name.json(), open.json());
    let block = format!("/manualblocks/{}", block["id"].as_str().unwrap());
    library.open.delete(&block).await.expect(204);
    library.open.delete(&path).await.expect(204);
    let gone = library.open.delete(&path).await.expect(404);
    assert_eq!(gone.text, format!("User with id '{}' not found", clerk.id));
    let credentials = format!("/authn/credentials-existence?userId={}", clerk.id);
    assert_eq!(
        library.open.get(&credentials).await.json()["credentialsExist"],
        false
    );
    let held = library
        .open
        .query("/perms/users", &format!("userId=={}", clerk.id))
        .await
        .json();
    assert_eq!(held["totalRecords"], 0);
}

#[tokio::test]
async fn a_reset_link_sets_a_password_once_and_in_time() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let link = |user: String| {
        let client = library.open.clone();
        async move {
            client
                .post("/bl-users/password-reset/link", &json!({"userId": user}))
                .await
        }
    };
    let nobody = link(Uuid::new_v4().to_string()).await.expect(422).json();
    assert_eq!(nobody["errors"][0]["code"], "user.not-found");
    let token_of = |text: &str| -> Client {
        let token = text
            .split("/reset-password/")
            .nth(1)
            .unwrap()
            .split('?')
            .next()
            .unwrap();
        library.with_token(token)
    };
    let made = link(clerk.id.to_string()).await.expect(200).json();
    let text = made["link"].as_str().unwrap();
    assert!(
        text.starts_with("http://localhost:3000/reset-password/") && text.ends_with("?tenant=test"),
        "{text}"
    );
    let holder = token_of(text);
    holder
        .post("/bl-users/password-reset/validate", &json!({}))
        .await
        .expect(204);
    let weak = holder
        .post(
            "/bl-users/password-reset/reset",
            &json!({"newPassword": "x"}),
        )
        .await
        .expect(422)
        .json();
    assert_eq!(weak["errors"][0]["code"], "password.length.invalid");
    let good = json!({"newPassword": "Another+one2"});
    holder
        .post("/bl-users/password-reset/reset", &good)
        .await
        .expect(204);
    let again = holder
        .post("/bl-users/password-reset/reset", &good)
        .await
        .expect(422)
        .json();
    assert_eq!(again["errors"][0]["code"], "link.used");
    let sent = json!({"username": "clerk", "password": "Another+one2"});
    library.open.post("/authn/login", &sent).await.expect(201);

    let late = link(clerk.id.to_string()).await.expect(200).json();
    let late = token_of(late["link"].as_str().unwrap());
    library.clock.advance(SignedDuration::from_hours(25));
    let late = late
        .post("/bl-users/password-reset/validate", &json!({}))
        .await
        .expect(422)
        .json();
    assert_eq!(late["errors"][0]["code"], "link.expired");
    let none = library
        .open
        .post("/bl-users/password-reset/validate", &json!({}))
        .await
        .expect(422)
        .json();
    assert_eq!(none["errors"][0]["code"], "link.invalid");
}

#[tokio::test]
async fn the_token_of_a_reset_link_opens_nothing_else() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let made = library
        .open
        .post(
            "/bl-users/password-reset/link",
            &json!({"userId": clerk.id}),
        )
        .await
        .expect(200);
    let link = made.json()["link"].as_str().unwrap().to_owned();
    let token = link
        .split("/reset-password/")
        .nth(1)
        .unwrap()
        .split('?')
        .next()
        .unwrap()
        .to_owned();
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    library
        .open
        .post("/_/proxy/tenants/test/install", &enable)
        .await
        .expect(200);
    let holder = library.with_token(&token);
    holder.get("/users").await.expect(401);
    holder.get("/bl-users/_self").await.expect(400);
    holder
        .post("/bl-users/password-reset/validate", &json!({}))
        .await
        .expect(204);
}

#[tokio::test]
async fn ones_own_password_is_changed_by_the_rules() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let change = |old: &str, new: &str| {
        let (client, id) = (library.open.clone(), clerk.id);
        let sent = json!({"userId": id, "username": "clerk", "password": old, "newPassword": new});
        async move {
            client
                .post("/bl-users/settings/myprofile/password", &sent)
                .await
        }
    };
    let weak = change(PASSWORD, "Long+enough").await.expect(400).json();
    assert_eq!(weak["errors"][0]["message"], "password.number.invalid");
    let same = change(PASSWORD, PASSWORD).await.expect(400).json();
    assert_eq!(
        same["errors"][0]["message"],
        "password.lastTenPasswords.invalid"
    );
    assert_eq!(
        change("wrong", "Another+one2").await.expect(401).text,
        "Invalid credentials"
    );
    change(PASSWORD, "Another+one2").await.expect(204);
    change("Another+one2", PASSWORD).await.expect(400);
}

/// The rules know the present password, too: they are asked only by who has told it.
#[tokio::test]
async fn the_rules_tell_nobody_else_what_the_password_is() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let change = async |user: Uuid, old: &str, new: &str| {
        let sent = json!({"userId": user, "password": old, "newPassword": new});
        let path = "/bl-users/settings/myprofile/password";
        let refused = library.open.post(path, &sent).await.expect(401);
        assert_eq!(refused.text, "Invalid credentials", "{old} {new}");
    };
    change(Uuid::new_v4(), PASSWORD, "Another+one2").await;
    for new in [PASSWORD, "short", "Another+one2", PASSWORD, PASSWORD] {
        change(clerk.id, "a guess", new).await;
    }
    // Five were wrong: the user is locked, and the right one is answered like any other.
    change(clerk.id, PASSWORD, "Another+one2").await;
    change(clerk.id, PASSWORD, PASSWORD).await;
    let user = library.open.get(&format!("/users/{}", clerk.id)).await;
    assert_eq!(user.json()["active"], false);
}

#[tokio::test]
async fn a_reset_link_sets_one_password_however_often_it_is_used_at_once() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let sent = json!({"userId": clerk.id});
    let link = async || {
        let made = library.open.post("/bl-users/password-reset/link", &sent);
        let made = made.await.expect(200).json();
        let link = made["link"].as_str().unwrap().to_owned();
        let token = link.split(['/', '?']).find(|part| part.contains('.'));
        library.with_token(token.expect("a token"))
    };
    let (other, holder) = (link().await, link().await);
    let new = |number: usize| format!("Another+one{number}");
    let mut all = tokio::task::JoinSet::new();
    for number in 0..8 {
        let (holder, sent) = (holder.clone(), json!({"newPassword": new(number)}));
        all.spawn(async move {
            let answer = holder.post("/bl-users/password-reset/reset", &sent).await;
            (number, answer)
        });
    }
    let mut set = Vec::new();
    while let Some(answer) = all.join_next().await {
        let (number, answer) = answer.unwrap();
        if answer.status == 204 {
            set.push(number);
        } else {
            let code = answer.expect(422).json()["errors"][0]["code"].clone();
            assert_eq!(code, "link.used");
        }
    }
    assert_eq!(set.len(), 1, "{set:?} were set");
    let good = json!({"username": "clerk", "password": new(set[0])});
    library.open.post("/authn/login", &good).await.expect(201);
    // A link that was made before is over with it.
    let late = other
        .post("/bl-users/password-reset/validate", &json!({}))
        .await;
    assert_eq!(late.expect(422).json()["errors"][0]["code"], "link.used");
}

#[tokio::test]
async fn who_has_forgotten_something_learns_nothing_of_who_is_known() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let ask = async |id: &str| {
        for path in [
            "/bl-users/forgotten/password",
            "/bl-users/forgotten/username",
        ] {
            let told = library.open.post(path, &json!({ "id": id })).await;
            assert_eq!(told.expect(204).text, "", "{id}");
        }
    };
    ask("clerk").await;
    ask("CLERK@library.example").await;
    ask("nobody").await;
    let path = format!("/users/{}", clerk.id);
    let mut user = library.open.get(&path).await.json();
    user["active"] = false.into();
    library.open.put(&path, &user).await.expect(204);
    ask("clerk").await;
}

#[tokio::test]
async fn passwords_are_checked_by_rules_clients_can_change() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let validate = |password: &str| {
        let (client, sent) = (
            library.open.clone(),
            json!({"userId": clerk.id, "password": password}),
        );
        async move {
            client
                .post("/password/validate", &sent)
                .await
                .expect(200)
                .json()
        }
    };
    assert_eq!(
        validate("Another+one2").await,
        json!({"result": "valid", "messages": []})
    );
    assert_eq!(
        validate("x").await,
        json!({"result": "invalid", "messages": ["password.length.invalid"]})
    );
    assert_eq!(validate("Clerk+cl3rk").await["result"], "valid");
    assert_eq!(
        validate("A+9clerkxx").await["messages"],
        json!(["password.usernameDuplicate.invalid"])
    );
    let unknown = json!({"userId": Uuid::new_v4(), "password": "x"});
    library
        .open
        .post("/password/validate", &unknown)
        .await
        .expect(404);
    let check = json!({"username": "new", "password": "x"});
    let checked = library
        .open
        .post("/password/check", &check)
        .await
        .expect(200)
        .json();
    assert!(checked["messages"].as_array().unwrap().len() > 3);

    let rules = library
        .open
        .get("/tenant/rules?limit=100")
        .await
        .expect(200)
        .json();
    assert_eq!(rules["totalRecords"], 10);
    let length = rules["rules"]
        .as_array()
        .unwrap()
        .iter()
        .find(|rule| rule["name"] == "password_length")
        .unwrap();
    let mut length = length.clone();
    let path = format!("/tenant/rules/{}", length["id"].as_str().unwrap());
    length["state"] = "Disabled".into();
    library.open.put("/tenant/rules", &length).await.expect(200);
    assert_eq!(
        library.open.get(&path).await.expect(200).json()["state"],
        "Disabled"
    );
    assert_eq!(validate("Ab+1").await["result"], "valid");
    let made = library.open.post("/tenant/rules", &no_x()).await;
    made.expect(200);
    assert_eq!(validate("Ab+1x").await["messages"], json!(["no.x"]));
}

fn no_x() -> Value {
    json!({"name": "no_x", "type": "RegExp", "validationType": "Strong", "state": "Enabled", "moduleName": "m",
        "orderNo": 0, "expression": "[^x]*", "errMessageId": "no.x"})
}

/// Clients find a rule that they have made by its `id`, and change it by that.
#[tokio::test]
async fn rules_for_passwords_are_known_by_id() {
    let library = library().await;
    let client = &library.open;
    let path = "/tenant/rules";
    let rules = client.get("/tenant/rules?limit=100").await.expect(200);
    let rules = rules.json();
    let repeated = rules["rules"].as_array().unwrap().iter();
    let repeated = repeated
        .clone()
        .find(|rule| rule["name"] == "no_repeatable_password");
    assert_eq!(
        repeated.unwrap()["id"],
        "0ff6678f-53cd-4a32-9937-504c28f14077"
    );

    let made = client.post(path, &no_x()).await.expect(200);
    assert_eq!(made.header("location"), None);
    let made = made.json();
    assert!(made["id"].is_string() && made.get("ruleId").is_none());
    let one = format!("{path}/{}", made["id"].as_str().unwrap());
    assert_eq!(client.get(&one).await.expect(200).json(), made);

    // POST leaves the name as it is, PUT does not.
    let mut changed = no_x();
    changed["id"] = made["id"].clone();
    changed["name"] = "other".into();
    changed["orderNo"] = 7.into();
    let posted = client.post(path, &changed).await.expect(200).json();
    assert_eq!(
        (&posted["name"], &posted["orderNo"]),
        (&json!("no_x"), &json!(7))
    );
    assert_eq!(posted["id"], made["id"]);
    let put = client.put(path, &changed).await.expect(200).json();
    assert_eq!(put["name"], "other");
    assert_eq!(client.get(&one).await.json(), put);

    // Clients of earlier releases name it so in a PUT; a POST makes another one.
    let mut older = no_x();
    older["ruleId"] = made["id"].clone();
    let put = client.put(path, &older).await.expect(200).json();
    assert_eq!((&put["id"], &put["name"]), (&made["id"], &json!("no_x")));
    assert!(put.get("ruleId").is_none());
    older["name"] = "another".into();
    let another = client.post(path, &older).await.expect(200).json();
    assert_ne!(another["id"], made["id"]);

    let page = client.get("/tenant/rules?limit=2").await.expect(200).json();
    assert_eq!(page["totalRecords"], 2);
    assert_eq!(page["rules"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn rules_for_passwords_that_cannot_be_kept_are_refused_in_one_error() {
    let library = library().await;
    let client = &library.open;
    let path = "/tenant/rules";
    client.post(path, &no_x()).await.expect(200);
    let again = client.post(path, &no_x()).await.expect(422).json();
    let told = json!({"message": "Key (name)=(no_x) already exists.", "type": "-2",
        "parameters": [{"key": "name", "value": "no_x"}]});
    assert_eq!(again, told);
    let mut unknown = no_x();
    unknown["id"] = json!(Uuid::new_v4());
    for answer in [
        client.post(path, &unknown).await,
        client.put(path, &unknown).await,
    ] {
        assert_eq!(answer.expect(404).json()["message"], "Rule not found");
    }
    let query = client.query(path, "invalid").await.expect(422).json();
    assert!(query["message"].is_string(), "{query}");
    let bare = json!({"name": "y", "type": "RegExp", "validationType": "Soft", "state": "Enabled", "orderNo": 1});
    let missing = client.post(path, &bare).await.expect(422);
    assert_eq!(
        missing.error_messages(),
        [
            "moduleName must not be null",
            "errMessageId must not be null"
        ]
    );
}
