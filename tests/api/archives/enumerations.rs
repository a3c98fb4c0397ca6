//! Value lists: read, added, changed, and values given up for others (contract 3.3, 5).

use serde_json::{Value, json};
use testkit::Client;

use super::{Archives, anonymous, archives, resource, signed_in, uri, user};

impl Archives {
    async fn value_list(&self, name: &str) -> Value {
        self.get(&format!("/config/enumerations/names/{name}")).await
    }

    /// Gives a list other values; returns the status.
    async fn give_values(&self, list: &Value, values: &[&str]) -> u16 {
        let mut list = list.clone();
        list["values"] = json!(values);
        self.admin.post(list["uri"].as_str().expect("an address"), &list).await.status
    }
}

fn values(list: &Value) -> Vec<&str> {
    list["values"].as_array().expect("values").iter().filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn every_library_starts_with_the_same_lists() {
    let archives = archives().await;
    let anyone = anonymous(&archives.library);
    let all = anyone.get("/config/enumerations").await.expect(200).json();
    assert_eq!(all.as_array().map(Vec::len), Some(101));
    let list = archives.value_list("extent_portion").await;
    assert_eq!(values(&list), ["whole", "part"]);
    assert_eq!((&list["default_value"], &list["editable"]), (&json!("whole"), &json!(false)));
    assert_eq!(list["relationships"], json!(["portion"]));
    assert_eq!(list["jsonmodel_type"], "enumeration");
    let first = &list["enumeration_values"][0];
    assert_eq!(
        (&first["value"], &first["position"], &first["suppressed"]),
        (&json!("whole"), &json!(0), &json!(false))
    );
    assert_eq!(archives.get(list["uri"].as_str().expect("an address")).await, list);
    assert_eq!(archives.get(first["uri"].as_str().expect("an address")).await, *first);
    let instance = archives.value_list("instance_instance_type").await;
    assert_eq!(instance["readonly_values"], json!(["digital_object"]));
    let csv = anyone.get("/config/enumerations/csv").await.expect(200);
    assert!(csv.header("content-type").is_some_and(|kind| kind.starts_with("text/csv")));
    let text = csv.text;
    assert_eq!(text.lines().next(), Some("Enumeration code,Enumeration,Value code,Value,Position,Read-only"));
    assert!(text.lines().any(|line| line == "extent_portion,extent_portion,whole,Whole,0,0"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("instance_instance_type,") && line.ends_with(",1")));
    assert_eq!(anyone.get("/config/enumerations/9999").await.status, 404);
    let missing = anyone.get("/config/enumerations/names/none").await.expect(404).json();
    assert_eq!(missing, json!({"error": "Enumeration not found"}));
    assert_eq!(anyone.get("/config/enumeration_values/99999").await.status, 404);
}

#[tokio::test]
async fn who_may_not_is_refused() {
    let archives = archives().await;
    user(&archives.library, "reader", &[]).await;
    let reader = signed_in(&archives.library, "reader").await;
    let list = json!({"name": "shelf_mark", "values": ["a"]});
    for client in [anonymous(&archives.library), reader] {
        for path in ["/config/enumerations", "/config/enumerations/1", "/config/enumeration_values/1"] {
            assert_eq!(client.post(path, &list).await.status, 403, "{path}");
        }
        let migration = json!({"enum_uri": "/config/enumerations/1", "from": "a", "to": "b"});
        assert_eq!(client.post("/config/enumerations/migration", &migration).await.status, 403);
        let position = "/config/enumeration_values/1/position?position=1";
        assert_eq!(client.post(position, &json!({})).await.status, 403);
        let suppressed = "/config/enumeration_values/1/suppressed?suppressed=true";
        assert_eq!(client.post(suppressed, &json!({})).await.status, 403);
    }
}

#[tokio::test]
async fn a_list_is_added_and_changed() {
    let archives = archives().await;
    let new = json!({"name": "shelf_mark", "values": ["abc", "def"], "default_value": "def"});
    let saved = archives.admin.post("/config/enumerations", &new).await.expect(200);
    assert_eq!((&saved.json()["status"], &saved.json()["lock_version"]), (&json!("Created"), &json!(0)));
    let taken = archives.admin.post("/config/enumerations", &new).await.expect(400).json();
    assert_eq!(taken["error"]["name"], json!(["Must be unique"]));
    let missing = archives.admin.post("/config/enumerations", &json!({"name": "x"})).await.expect(400).json();
    assert_eq!(missing["error"]["values"], json!(["Property is required but was missing"]));

    let list = archives.get(&uri(&saved)).await;
    assert_eq!((values(&list), &list["default_value"]), (vec!["abc", "def"], &json!("def")));
    assert_eq!(archives.give_values(&list, &["def", "ghi", " jkl "]).await, 200);
    assert_eq!(archives.give_values(&list, &["abc"]).await, 409, "the version is no longer the newest");
    let list = archives.value_list("shelf_mark").await;
    assert_eq!((values(&list), &list["lock_version"]), (vec!["def", "ghi", "jkl"], &json!(1)));
    let mut unsuitable = list.clone();
    unsuitable["default_value"] = json!("banana");
    archives.admin.post(&uri(&saved), &unsuitable).await.expect(200);
    let list = archives.value_list("shelf_mark").await;
    assert_eq!(list["default_value"], Value::Null, "a default that is not on the list is none");
    let mut versionless = list.clone();
    versionless.as_object_mut().expect("an object").remove("lock_version");
    assert_eq!(archives.admin.post(&uri(&saved), &versionless).await.status, 409);
}

#[tokio::test]
async fn fixed_lists_and_fixed_values_stay() {
    let archives = archives().await;
    let fixed = archives.value_list("date_type").await;
    assert_eq!(archives.give_values(&fixed, &["single"]).await, 403);
    // With a default value, that is changed and the values are not.
    let mut fixed = archives.value_list("extent_portion").await;
    fixed["default_value"] = json!("part");
    fixed["values"] = json!(["whole", "part", "half"]);
    archives.admin.post(fixed["uri"].as_str().expect("an address"), &fixed).await.expect(200);
    let now = archives.value_list("extent_portion").await;
    assert_eq!((values(&now), &now["default_value"]), (vec!["whole", "part"], &json!("part")));
    let instance = archives.value_list("instance_instance_type").await;
    assert_eq!(archives.give_values(&instance, &["audio"]).await, 403);
    let migration = json!({"enum_uri": fixed["uri"], "from": "whole", "to": "part"});
    let refused = archives.admin.post("/config/enumerations/migration", &migration).await.expect(400).text;
    assert!(refused.contains("Can't migrate values for non-editable enumeration"), "{refused}");
    let migration = json!({"enum_uri": instance["uri"], "from": "digital_object", "to": "audio"});
    let refused = archives.admin.post("/config/enumerations/migration", &migration).await.expect(400).text;
    assert!(refused.contains("Can't transfer from a read-only enumeration value"), "{refused}");
}

/// A resource with an extent of the type.
fn of_extent(id: &str, kind: &str) -> Value {
    let mut sent = resource(id);
    sent["extents"][0]["extent_type"] = json!(kind);
    sent
}

#[tokio::test]
async fn records_have_the_values_that_are_on_the_list() {
    let archives = archives().await;
    let repository = archives.repository("VAL").await;
    let path = format!("{repository}/resources");
    let refused = archives.admin.post(&path, &of_extent("1", "miles")).await.expect(400).json();
    let text = refused["error"]["extents/0/extent_type"][0].as_str().expect("a message").to_owned();
    assert!(text.starts_with("Invalid value 'miles'.  Must be one of: cassettes, "), "{text}");

    let list = archives.value_list("extent_extent_type").await;
    let with_miles: Vec<&str> = values(&list).into_iter().chain(["miles"]).collect();
    assert_eq!(archives.give_values(&list, &with_miles).await, 200);
    let added = archives.add(&path, &of_extent("1", "miles")).await;

    let list = archives.value_list("extent_extent_type").await;
    let without: Vec<&str> = values(&list).into_iter().filter(|value| *value != "miles").collect();
    let mut change = list.clone();
    change["values"] = json!(without);
    let used = archives.admin.post(list["uri"].as_str().expect("an address"), &change).await.expect(409).json();
    assert_eq!(used, json!({"error": "Can't delete a value that's in use: miles"}));
    // A title with the word is no use of the value.
    let mut titled = of_extent("2", "reels");
    titled["title"] = json!("leaves");
    archives.add(&path, &titled).await;
    let unused: Vec<&str> = values(&list).into_iter().filter(|value| *value != "leaves").collect();
    assert_eq!(archives.give_values(&list, &unused).await, 200);

    archives.admin.delete(&added).await.expect(200);
    let list = archives.value_list("extent_extent_type").await;
    assert_eq!(
        archives.give_values(&list, &without.into_iter().filter(|value| *value != "leaves").collect::<Vec<_>>()).await,
        200
    );
    assert!(!values(&archives.value_list("extent_extent_type").await).contains(&"miles"));
}

async fn migrate(client: &Client, list: &Value, from: &str, to: &str) -> testkit::Answer {
    let migration = json!({"enum_uri": list["uri"], "from": from, "to": to});
    client.post("/config/enumerations/migration", &migration).await
}

#[tokio::test]
async fn a_value_is_given_up_for_another() {
    let archives = archives().await;
    let repository = archives.repository("MIG").await;
    let path = format!("{repository}/resources");
    let one = archives.add(&path, &of_extent("1", "reels")).await;
    let before = archives.get(&one).await;
    let list = archives.value_list("extent_extent_type").await;
    let after = migrate(&archives.admin, &list, "reels", "volumes").await.expect(200).json();
    assert!(!values(&after).contains(&"reels"));
    let places: Vec<i64> = after["enumeration_values"]
        .as_array()
        .expect("values")
        .iter()
        .filter_map(|one| one["position"].as_i64())
        .collect();
    assert_eq!(places, (0..places.len() as i64).collect::<Vec<_>>());
    let record = archives.get(&one).await;
    assert_eq!(record["extents"][0]["extent_type"], "volumes");
    assert_eq!(record["lock_version"], before["lock_version"]);
    for (from, to) in [("reels", "volumes"), ("volumes", "reels")] {
        let refused = migrate(&archives.admin, &list, from, to).await.expect(404).text;
        assert!(refused.contains("Can't find a value 'reels'"), "{refused}");
    }
    assert_eq!(migrate(&archives.admin, &json!({"uri": "/config/enumerations/9999"}), "a", "b").await.status, 404);
}

#[tokio::test]
async fn a_subject_that_would_be_as_another_stops_the_migration() {
    let archives = archives().await;
    let subject = |source: &str, term: &str| {
        json!({"source": source, "vocabulary": "/vocabularies/1",
            "terms": [{"term": term, "term_type": "topical", "vocabulary": "/vocabularies/1"}]})
    };
    let kept = archives.add("/subjects", &subject("mesh", "Maps")).await;
    let moved = archives.add("/subjects", &subject("tgn", "Letters")).await;
    let list = archives.value_list("subject_source").await;
    migrate(&archives.admin, &list, "tgn", "mesh").await.expect(200);
    assert_eq!(archives.get(&moved).await["source"], "mesh");
    // Its identity has moved, too.
    assert_eq!(archives.admin.post("/subjects", &subject("mesh", "Letters")).await.status, 400);
    let other = archives.add("/subjects", &subject("aat", "Maps")).await;
    let refused = migrate(&archives.admin, &list, "aat", "mesh").await.expect(400).json();
    assert_eq!(refused["error"]["conflicting_record"], json!([kept]));
    assert_eq!(archives.get(&other).await["source"], "aat", "nothing has moved");
    assert!(values(&archives.value_list("subject_source").await).contains(&"aat"));
}

#[tokio::test]
async fn values_change_their_places_and_are_suppressed() {
    let archives = archives().await;
    let new = json!({"name": "shelf_mark", "values": ["a", "b", "c"]});
    let list = archives.admin.post("/config/enumerations", &new).await.expect(200);
    let value = async |place: usize| archives.get(&uri(&list)).await["enumeration_values"][place].clone();
    let of = value(0).await["uri"].as_str().expect("an address").to_owned();
    let moved = archives.admin.post(&format!("{of}/position?position=2"), &json!({})).await.expect(200).json();
    assert_eq!((&moved["status"], &moved["id"]), (&json!("Updated"), &value(2).await["id"]));
    assert_eq!(values(&archives.value_list("shelf_mark").await), ["c", "b", "a"]);
    archives.admin.post(&format!("{of}/position?position=99"), &json!({})).await.expect(200);
    assert_eq!(values(&archives.value_list("shelf_mark").await), ["c", "b", "a"]);

    let hidden = archives.admin.post(&format!("{of}/suppressed?suppressed=true"), &json!({})).await.expect(200).json();
    assert_eq!((&hidden["status"], &hidden["suppressed_state"]), (&json!("Suppressed"), &json!(true)));
    let now = archives.value_list("shelf_mark").await;
    assert_eq!((values(&now), now["enumeration_values"].as_array().map(Vec::len)), (vec!["c", "b"], Some(3)));
    // It stays when others change.
    assert_eq!(archives.give_values(&now, &["c", "b", "d"]).await, 200);
    let now = archives.value_list("shelf_mark").await;
    assert_eq!((values(&now), now["enumeration_values"].as_array().map(Vec::len)), (vec!["c", "b", "d"], Some(4)));
    archives.admin.post(&format!("{of}/suppressed?suppressed=false"), &json!({})).await.expect(200);
    assert_eq!(values(&archives.value_list("shelf_mark").await), ["c", "b", "a", "d"]);

    let mut renamed = archives.get(&of).await;
    renamed["value"] = json!("z");
    archives.admin.post(&of, &renamed).await.expect(200);
    assert_eq!(archives.admin.post(&of, &renamed).await.status, 409);
    let mut renamed = archives.get(&of).await;
    renamed["value"] = json!("b");
    assert_eq!(archives.admin.post(&of, &renamed).await.status, 400);
    assert_eq!(values(&archives.value_list("shelf_mark").await), ["c", "b", "z", "d"]);
    assert_eq!(
        archives.admin.post("/config/enumeration_values/99999/position?position=1", &json!({})).await.status,
        404
    );
}

/// A resource whose extent is counted in this.
fn counted_in(id: &str, kind: &str) -> Value {
    let mut record = resource(id);
    record["extents"][0]["extent_type"] = kind.into();
    record
}

const LIST: &str = "extent_extent_type";

#[tokio::test]
async fn a_value_saved_while_it_leaves_its_list_is_found_or_refused() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let resources = format!("{repository}/resources");
    let list = archives.value_list(LIST).await;
    let before: Vec<String> = values(&list).into_iter().map(str::to_owned).collect();
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    assert_eq!(archives.give_values(&list, &[&before[..], &["scrolls"]].concat()).await, 200);
    let list = archives.value_list(LIST).await;

    // Somebody is saving a record with the value, and has not committed.
    let app = &archives.library.app;
    let tenant = app.tenant(archives.library.tenant).expect("the tenant");
    // With connections of their own, because the test holds some.
    let database = app.database.with_connections(4);
    let session = database.session(&tenant.schema).expect("a session");
    let real = archives.add(&resources, &resource("1")).await;
    let real = real.rsplit('/').next().expect("an id");
    let with_scrolls = "jsonb_set(r.doc, '{extents,0,extent_type}', '\"scrolls\"')";
    let add = |id: i64| {
        format!(
            "INSERT INTO archival_record (kind, id, repository, doc, created_by, last_modified_by, create_time, user_mtime,
               system_mtime)
             SELECT 'resource', {id}, r.repository, {with_scrolls} || jsonb_build_object('id_0', '{id}'), 'x', 'x', now(), now(), now()
             FROM archival_record r WHERE r.kind = 'resource' AND r.id = {real}"
        )
    };
    let saving = session.begin().await.expect("a transaction");
    saving.execute(&add(9001), &[]).await.expect("saved");
    let beside = database.session(&tenant.schema).expect("a session");
    let committing = async {
        let leaving = "SELECT count(*) FROM archival_leaving_value WHERE value = 'scrolls'";
        let mut turns = tokio::time::interval(std::time::Duration::from_millis(5));
        while beside.value::<i64>(leaving, &[]).await.expect("a number") == 0 {
            turns.tick().await;
        }
        // From now on nobody saves it.
        let refused = beside.execute(&add(9002), &[]).await.expect_err("it leaves");
        assert!(refused.to_string().contains("Invalid value 'scrolls'"), "{refused}");
        saving.commit().await.expect("committed");
    };
    let both = async { tokio::join!(archives.give_values(&list, &before), committing) };
    let both = tokio::time::timeout(std::time::Duration::from_secs(60), both).await;
    let (removed, ()) = both.expect("it begins to leave");
    assert_eq!(removed, 409, "the record that was being saved has the value");
    beside.execute(&add(9003), &[]).await.expect("the value has stayed");

    // Moved to another value, it is gone; what was read before cannot bring it back.
    let moving = json!({"enum_uri": list["uri"], "from": "scrolls", "to": "volumes"});
    archives.admin.post("/config/enumerations/migration", &moving).await.expect(200);
    for id in [9001, 9003] {
        assert_eq!(archives.get(&format!("{resources}/{id}")).await["extents"][0]["extent_type"], "volumes");
    }
    let write =
        format!("UPDATE archival_record r SET doc = {with_scrolls} WHERE r.kind = 'resource' AND r.id = {real}");
    let refused = beside.execute(&write, &[]).await.expect_err("it left");
    assert!(refused.to_string().contains("no longer in the list extent_extent_type"), "{refused}");
    beside
        .execute("UPDATE archival_record SET system_mtime = now() WHERE kind = 'resource'", &[])
        .await
        .expect("touched");
    // Listed again, it may be used again.
    assert_eq!(
        archives.give_values(&archives.value_list(LIST).await, &[&before[..], &["scrolls"]].concat()).await,
        200
    );
    archives.add(&resources, &counted_in("again", "scrolls")).await;
}

#[tokio::test]
async fn a_value_does_not_leave_while_a_record_with_it_is_being_saved() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let mut list = archives.value_list(LIST).await;
    let before = list["values"].clone();
    let mut with_it = values(&list).into_iter().map(str::to_owned).collect::<Vec<_>>();
    with_it.push("scrolls".to_owned());
    list["values"] = json!(with_it);
    let uri = list["uri"].as_str().expect("an address").to_owned();
    archives.admin.post(&uri, &list).await.expect(200);
    let real = archives.add(&format!("{repository}/resources"), &resource("1")).await;

    let app = &archives.library.app;
    let tenant = app.tenant(archives.library.tenant).expect("the tenant");
    let session = app.database.with_connections(1).session(&tenant.schema).expect("a session");
    let saving = session.begin().await.expect("a transaction");
    let save = format!(
        "UPDATE archival_record SET doc = jsonb_set(doc, '{{extents,0,extent_type}}', '\"scrolls\"')
         WHERE kind = 'resource' AND '{real}' LIKE '%/' || id"
    );
    assert_eq!(saving.execute(&save, &[]).await.expect("saved"), 1);
    let mut list = archives.value_list(LIST).await;
    list["values"] = before;
    let refused = archives.admin.post(&uri, &list).await.expect(409).json();
    let told = "Records are being saved that may have the value; try again when that is done";
    assert!(refused.to_string().contains(told), "{refused}");
    saving.commit().await.expect("the record was not kept waiting");
    let list = archives.value_list(LIST).await;
    assert!(values(&list).contains(&"scrolls"), "{list}");
}

#[tokio::test]
async fn no_record_keeps_a_value_that_left_while_many_save() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let resources = format!("{repository}/resources");
    let list = archives.value_list(LIST).await;
    let before: Vec<String> = values(&list).into_iter().map(str::to_owned).collect();
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    for round in 0..12 {
        let list = archives.value_list(LIST).await;
        let value = format!("leaves {round}");
        assert_eq!(archives.give_values(&list, &[&before[..], &[&value]].concat()).await, 200);
        let list = archives.value_list(LIST).await;
        let save = |number: usize| {
            let (archives, resources) = (&archives, &resources);
            let record = counted_in(&format!("{round}-{number}"), &value);
            async move {
                // The first rounds save before, the last ones after.
                for _ in 0..round * 4 {
                    tokio::task::yield_now().await;
                }
                let answer = archives.admin.post(resources, &record).await;
                assert!([200, 400].contains(&answer.status), "{}", answer.text);
                answer.status == 200
            }
        };
        let (removed, one, two, three) = tokio::join!(archives.give_values(&list, &before), save(1), save(2), save(3));
        let is_listed = values(&archives.value_list(LIST).await).contains(&value.as_str());
        assert_eq!((removed == 200, removed == 409), (!is_listed, is_listed), "{removed}");
        // Whoever was told that the record is saved has a listed value in it.
        assert!(is_listed || !(one || two || three), "round {round}: a record has a value that is in no list");
        if is_listed {
            let moving = json!({"enum_uri": list["uri"], "from": value, "to": "volumes"});
            archives.admin.post("/config/enumerations/migration", &moving).await.expect(200);
        }
    }
}

#[tokio::test]
async fn records_follow_a_value_that_is_renamed() {
    let archives = archives().await;
    let repository = archives.repository("REN").await;
    let path = format!("{repository}/resources");
    let mut list = archives.value_list("extent_extent_type").await;
    list["values"].as_array_mut().expect("values").push(json!("miles"));
    list["default_value"] = json!("miles");
    archives.admin.post(list["uri"].as_str().expect("an address"), &list).await.expect(200);
    let list = archives.value_list("extent_extent_type").await;
    let added = archives.add(&path, &of_extent("1", "miles")).await;
    let value = list["enumeration_values"].as_array().expect("values").last().expect("a value").clone();
    let of = value["uri"].as_str().expect("an address");
    let mut renamed = value.clone();
    renamed["value"] = json!(" sea_miles ");
    archives.admin.post(of, &renamed).await.expect(200);
    assert_eq!(archives.get(of).await["value"], "sea_miles");
    assert_eq!(archives.value_list("extent_extent_type").await["default_value"], "sea_miles");
    let record = archives.get(&added).await;
    assert_eq!(record["extents"][0]["extent_type"], "sea_miles");
    archives.admin.post(&added, &record).await.expect(200);
    archives.admin.post(&path, &of_extent("2", "miles")).await.expect(400);
    // A version that somebody else has changed stops it, and everything stays.
    renamed["value"] = json!("leagues");
    archives.admin.post(of, &renamed).await.expect(409);
    assert_eq!(archives.get(&added).await["extents"][0]["extent_type"], "sea_miles");
    archives.add(&path, &of_extent("2", "sea_miles")).await;

    // Code knows these values.
    for (name, value) in [("archival_record_level", "class"), ("instance_instance_type", "digital_object")] {
        let list = archives.value_list(name).await;
        let values = list["enumeration_values"].as_array().expect("values");
        let mut renamed = values.iter().find(|one| one["value"] == value).expect("the value").clone();
        renamed["value"] = json!("other");
        archives.admin.post(renamed["uri"].as_str().expect("an address"), &renamed).await.expect(403);
    }
}

#[tokio::test]
async fn a_list_has_no_long_values_and_no_default_that_is_gone() {
    let archives = archives().await;
    let long = "x".repeat(256);
    let refused = archives.admin.post("/config/enumerations", &json!({"name": "n", "values": ["a", long]})).await;
    assert_eq!(refused.expect(400).json()["error"], json!({"values/1": ["Must be 255 characters or fewer"]}));
    let new = json!({"name": "colour", "values": ["red", "blue"], "default_value": "red"});
    archives.admin.post("/config/enumerations", &new).await.expect(200);
    let mut list = archives.value_list("colour").await;
    assert_eq!(list["default_value"], "red");
    list["values"] = json!(["blue"]);
    archives.admin.post(list["uri"].as_str().expect("an address"), &list).await.expect(200);
    assert_eq!(archives.value_list("colour").await["default_value"], Value::Null);
}

#[tokio::test]
async fn how_processing_is_managed_is_found_after_a_value_was_moved() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let mut papers = of_extent("1", "cassettes");
    papers["collection_management"] = json!({"processing_priority": "high"});
    let papers = archives.add(&format!("{repository}/resources"), &papers).await;
    let list = archives.value_list("extent_extent_type").await;
    let moved = json!({"enum_uri": list["uri"], "from": "cassettes", "to": "reels"});
    archives.admin.post("/config/enumerations/migration", &moved).await.expect(200);
    let papers = archives.get(&papers).await;
    assert_eq!(papers["extents"][0]["extent_type"], "reels");
    archives.get(papers["collection_management"]["uri"].as_str().expect("an address")).await;
}
