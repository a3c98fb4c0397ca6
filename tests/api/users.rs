//! Users and the records beside them (docs/folio/users.md).

use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{Client, library};

async fn group(client: &Client) -> String {
    let group = client.create("/groups", &json!({"group": "staff"})).await;
    group["id"].as_str().unwrap().to_owned()
}

fn id(record: &Value) -> &str {
    record["id"].as_str().expect("an id")
}

#[tokio::test]
async fn a_user_is_written_and_read() {
    let library = library().await;
    let client = &library.open;
    let group = group(client).await;
    let sent = json!({"username": " reader ", "barcode": "1", "active": true, "patronGroup": group,
        "personal": {"lastName": "Reader", "firstName": "Ann"}, "expirationDate": "2099-01-01"});
    let answer = client.post("/users", &sent).await.expect(201);
    assert_eq!(answer.round_trips(), 2);
    let user = answer.json();
    assert_eq!(answer.header("location"), Some(id(&user)));
    assert_eq!(user["username"], "reader");
    assert_eq!(user["departments"], json!([]));
    assert_eq!(user["expirationDate"], "2099-01-01T00:00:00.000+00:00");
    assert_eq!(user["createdDate"], user["metadata"]["createdDate"]);

    let path = format!("/users/{}", id(&user));
    let read = client.get(&path).await.expect(200);
    assert_eq!((read.json(), read.round_trips()), (user.clone(), 1));
    let list = client.query("/users", "username==READER").await.expect(200);
    assert_eq!(list.round_trips(), 1);
    assert_eq!(
        list.json(),
        json!({"users": [user], "totalRecords": 1,
            "resultInfo": {"totalRecords": 1, "facets": [], "diagnostics": []}})
    );

    let mut changed = user.clone();
    changed["personal"]["lastName"] = "Writer".into();
    let put = client.put(&path, &changed).await.expect(204);
    assert!(put.round_trips() <= 2);
    assert_eq!(client.get(&path).await.json()["personal"]["lastName"], "Writer");
    client.delete(&path).await.expect(204);
    assert_eq!(client.delete(&path).await.expect(404).text, id(&user));
    assert_eq!(client.get(&path).await.expect(404).text, "Not found");
    assert_eq!(client.put(&path, &user).await.expect(404).text, id(&user));
}

#[tokio::test]
async fn duplicate_users_are_refused() {
    let library = library().await;
    let client = &library.open;
    let first = client.create("/users", &json!({"username": "reader", "barcode": "1", "externalSystemId": "e"})).await;
    let second = client.create("/users", &json!({"username": "writer"})).await;
    let cases = [
        (json!({"id": first["id"]}), "User with this id already exists", "id"),
        (json!({"username": " Reader"}), "User with this username already exists", "username"),
        (json!({"barcode": "1"}), "This barcode has already been taken", "barcode"),
    ];
    let path = format!("/users/{}", id(&second));
    for (sent, message, key) in cases {
        let refused = client.post("/users", &sent).await.expect(422);
        assert_eq!(refused.error_messages(), [message]);
        let parameter = &refused.json()["errors"][0]["parameters"][0];
        assert_eq!(parameter["key"], key);
        if key != "id" {
            let mut sent = sent.clone();
            sent["id"] = second["id"].clone();
            assert_eq!(client.put(&path, &sent).await.expect(400).text, message);
        }
    }
    let external = client.post("/users", &json!({"externalSystemId": "E"})).await.expect(422);
    assert!(external.error_messages()[0].contains("externalSystemId"));
}

#[tokio::test]
async fn what_a_user_refers_to_must_exist() {
    let library = library().await;
    let client = &library.open;
    let nowhere = "11111111-2222-4333-8444-555555555555";
    let home = client.create("/addresstypes", &json!({"addressType": "Home"})).await;
    let user = client.create("/users", &json!({"username": "reader"})).await;
    let path = format!("/users/{}", id(&user));
    let address = |kind: &str| json!({"lastName": "R", "addresses": [{"addressTypeId": kind}]});
    let twice = json!({"lastName": "R", "addresses":
        [{"addressTypeId": home["id"]}, {"addressTypeId": home["id"]}]});
    let cases = [
        (
            json!({"personal": twice}),
            "Users are limited to one address per addresstype".to_owned(),
            "Users are limited to one address per addresstype".to_owned(),
        ),
        (
            json!({"personal": address(nowhere)}),
            "You cannot add addresses with non-existent address types".to_owned(),
            "All addresses types defined for users must be existing".to_owned(),
        ),
        (
            json!({"patronGroup": nowhere}),
            format!("Cannot add {nowhere}. Patron group not found"),
            format!("Cannot add {nowhere}. Patron group not found"),
        ),
        (
            json!({"personal": {"lastName": "R", "dateOfBirth": "0000-01-01"}}),
            "dateOfBirth must be at least 0001-01-01".to_owned(),
            "dateOfBirth must be at least 0001-01-01".to_owned(),
        ),
    ];
    for (mut sent, posted, put) in cases {
        assert_eq!(client.post("/users", &sent).await.expect(400).text, posted);
        sent["id"] = user["id"].clone();
        assert_eq!(client.put(&path, &sent).await.expect(400).text, put);
    }
    let other = json!({"id": nowhere, "username": "reader"});
    let put = client.put(&path, &other).await.expect(400);
    assert_eq!(put.text, "You cannot change the value of the id field");
    let department = json!({"departments": [nowhere]});
    let refused = client.post("/users", &department).await.expect(422);
    assert!(refused.error_messages()[0].contains("does not exist in departments.id"));
}

#[tokio::test]
async fn groups_departments_and_address_types_in_use_cannot_be_deleted() {
    let library = library().await;
    let client = &library.open;
    let group = group(client).await;
    let department = client.create("/departments", &json!({"name": "History", "code": "H"})).await;
    let home = client.create("/addresstypes", &json!({"addressType": "Home"})).await;
    let (department, home) = (id(&department).to_owned(), id(&home).to_owned());
    let user = json!({"username": "reader", "patronGroup": group, "departments": [department],
        "personal": {"lastName": "R", "addresses": [{"addressTypeId": home}]}});
    let user = client.create("/users", &user).await;

    let refusals = [
        (
            format!("/groups/{group}"),
            format!("Cannot delete groups.id = {group} because id is still referenced from table users."),
        ),
        (
            format!("/departments/{department}"),
            format!("Cannot delete departments.id = {department} because id is still referenced from table users."),
        ),
        (format!("/addresstypes/{home}"), format!("Cannot remove address type '{home}' as it is being used")),
    ];
    for (path, text) in &refusals {
        let refused = client.delete(path).await.expect(400);
        assert_eq!((&refused.text, refused.round_trips()), (text, 1));
    }
    let read = client.get(&format!("/departments/{department}")).await.expect(200);
    assert_eq!((&read.json()["usageNumber"], read.round_trips()), (&json!(1), 1));
    let list = client.get("/departments").await.expect(200).json();
    assert_eq!(list["departments"][0]["usageNumber"], 1);

    client.delete(&format!("/users/{}", id(&user))).await.expect(204);
    for (path, _) in &refusals {
        client.delete(path).await.expect(204);
        assert_eq!(client.delete(path).await.expect(404).text, "Not found");
    }
}

/// The id of a department is a checked parameter: it is refused before the body is read.
#[tokio::test]
async fn the_id_of_a_department_is_a_parameter() {
    let library = library().await;
    let client = &library.open;
    let path = "/departments/invalid-id";
    for answer in [client.get(path).await, client.put(path, &json!({})).await, client.delete(path).await] {
        let refused = answer.expect(400);
        let text = "'departmentId' parameter is incorrect. parameter value {invalid-id} is not valid: must match";
        assert!(refused.text.starts_with(text), "{}", refused.text);
    }
}

#[tokio::test]
async fn departments_and_groups_are_unique() {
    let library = library().await;
    let client = &library.open;
    group(client).await;
    let message = "lower(f_unaccent(jsonb ->> 'group'::text)) value already exists in table groups: staff";
    let again = client.post("/groups", &json!({"group": "Staff"})).await.expect(422);
    assert_eq!(again.error_messages(), [message]);
    let other = json!({"group": "Alumni", "patronGroupId": "7"});
    let other = client.create("/groups", &other).await;
    let kept = client.get(&format!("/groups/{}", id(&other))).await;
    assert_eq!(kept.expect(200).json()["patronGroupId"], "7");
    let first = client.create("/departments", &json!({"name": "History", "code": "H"})).await;
    let second = client.create("/departments", &json!({"name": "Art", "code": "A"})).await;
    let path = format!("/departments/{}", id(&second));
    for (sent, field) in [
        (json!({"name": "history", "code": "X"}), "name"),
        (json!({"name": "X", "code": "h"}), "code"),
        (json!({"id": first["id"], "name": "X", "code": "X"}), "id"),
    ] {
        let message = format!("Department with this {field} already exists");
        let posted = client.post("/departments", &sent).await.expect(422);
        assert_eq!(posted.error_messages(), std::slice::from_ref(&message));
        assert_eq!(posted.json()["errors"][0]["parameters"][0]["key"], field);
        if field != "id" {
            let put = client.put(&path, &sent).await.expect(422);
            assert_eq!(put.error_messages(), [message]);
        }
    }
}

#[tokio::test]
async fn users_are_found_by_the_desks_queries() {
    let library = library().await;
    let client = &library.open;
    let group = group(client).await;
    let people = [
        json!({"username": "ann", "barcode": "b-1", "externalSystemId": "x1", "active": true,
            "patronGroup": group, "personal": {"lastName": "Müller", "firstName": "Ann",
            "email": "ann@library.example"}}),
        json!({"username": "bob", "barcode": "b-2", "externalSystemId": "x2", "active": false,
            "personal": {"lastName": "Writer", "firstName": "Bob"}}),
    ];
    for person in &people {
        client.create("/users", person).await;
    }
    for (cql, expected) in [
        ("barcode==\"b-1\"", vec!["ann"]),
        ("externalSystemId==x2", vec!["bob"]),
        ("personal.lastName==muller", vec!["ann"]),
        ("personal.lastName=\"mul*\"", vec!["ann"]),
        ("keywords=\"wri*\"", vec!["bob"]),
        ("keywords all \"ann muller\"", vec!["ann"]),
        ("active==true", vec!["ann"]),
        ("active==\"false\"", vec!["bob"]),
        ("patronGroup.group==staff", vec!["ann"]),
        (&format!("patronGroup=={group}"), vec!["ann"]),
        ("(username=\"a*\" or personal.firstName=\"a*\" or customFields=\"a*\") sortby username", vec!["ann"]),
        ("cql.allRecords=1 sortby personal.lastName/sort.descending", vec!["bob", "ann"]),
        ("noSuchField==x", vec![]),
    ] {
        let list = client.query("/users", cql).await.expect(200).json();
        let found: Vec<_> = list["users"].as_array().unwrap().iter().map(|u| u["username"].clone()).collect();
        assert_eq!(found, expected, "{cql}");
    }
}

#[tokio::test]
async fn users_are_sorted_by_the_name_of_their_group() {
    let library = library().await;
    let client = &library.open;
    for (name, group) in [("ann", "Undergraduate"), ("bob", "alumni"), ("cid", "Staff")] {
        let group = client.create("/groups", &json!({"group": group})).await;
        client.create("/users", &json!({"username": name, "patronGroup": group["id"], "active": true})).await;
    }
    client.create("/users", &json!({"username": "dan", "active": true})).await;
    for (cql, expected) in [
        ("cql.allRecords=1 sortby patronGroup.group", ["bob", "cid", "ann", "dan"]),
        ("active==true sortby patronGroup.group/sort.descending", ["dan", "ann", "cid", "bob"]),
        ("username=\"\" sortby active patronGroup.group/sort.ascending username", ["bob", "cid", "ann", "dan"]),
    ] {
        let answer = client.query("/users", cql).await.expect(200);
        assert_eq!(answer.round_trips(), 1);
        let list = answer.json();
        let found: Vec<_> = list["users"].as_array().unwrap().iter().map(|user| user["username"].clone()).collect();
        assert_eq!(found, expected, "{cql}");
    }
}

#[tokio::test]
async fn users_are_deleted_by_a_query() {
    let library = library().await;
    let client = &library.open;
    for name in ["ann", "andy", "bob"] {
        client.create("/users", &json!({"username": name})).await;
    }
    let refused = client.delete("/users").await.expect(400);
    assert_eq!(refused.text, "Expected CQL but query parameter is empty");
    client.delete("/users?query=username%3D%3Dan*").await.expect(204);
    let left = client.get("/users").await.json();
    assert_eq!((&left["totalRecords"], &left["users"][0]["username"]), (&json!(1), &json!("bob")));
}

#[tokio::test]
async fn registrations_expire() {
    let library = library().await;
    let client = &library.open;
    let soon = (library.clock.now() + SignedDuration::from_hours(1)).to_string();
    for (name, active, expires) in [("ann", true, Some(&soon)), ("bob", true, None)] {
        let mut user = json!({"username": name, "active": active});
        if let Some(date) = expires {
            user["expirationDate"] = date.as_str().into();
        }
        client.create("/users", &user).await;
    }
    client.post("/users/expire/timer", &json!({})).await.expect(204);
    let active = client.query("/users", "active==true").await.json();
    assert_eq!(active["totalRecords"], 2);
    library.clock.advance(SignedDuration::from_hours(2));
    let expired = client.post("/users/expire/timer", &json!({})).await.expect(204);
    assert_eq!(expired.round_trips(), 1);
    let active = client.query("/users", "active==true").await.json();
    assert_eq!(active["users"][0]["username"], "bob");
    assert_eq!(active["totalRecords"], 1);
}

#[tokio::test]
async fn a_proxy_relationship_is_unique() {
    let library = library().await;
    let client = &library.open;
    let (ann, bob) = ("11111111-2222-4333-8444-555555555551", "11111111-2222-4333-8444-555555555552");
    let proxy = json!({"userId": ann, "proxyUserId": bob, "requestForSponsor": "Yes",
        "notificationsTo": "Proxy", "status": "Active"});
    client.create("/proxiesfor", &proxy).await;
    let again = client.post("/proxiesfor", &proxy).await.expect(422);
    assert_eq!(again.error_messages(), ["Proxy relationship already exists"]);
    assert_eq!(again.json()["errors"][0]["parameters"][0]["key"], "proxyFor");
    let found = client.query("/proxiesfor", &format!("(userId=={ann})")).await.json();
    assert_eq!(found["totalRecords"], 1);
}
