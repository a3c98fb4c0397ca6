//! The archives, as their clients call them.

use http::Method;
use load::library::Administrator;
use serde_json::{Value, json};
use testkit::Client;

use crate::filled::Filled;

const RESOURCE: &str = "/repositories/2/resources/10";
const NODES: &str = "/repositories/2/archival_objects";

/// Reads, writes and moves records of the filled archives.
pub async fn session(filled: &Filled) {
    let client = signed_in(filled).await;
    for path in [
        "/repositories".to_owned(),
        "/repositories/2".to_owned(),
        "/subjects?page=3&page_size=10".to_owned(),
        format!("{NODES}?page=20&page_size=10&resolve[]=subjects&resolve[]=ancestors"),
        format!("{NODES}?id_set=10,900,20"),
        format!("{NODES}?page=1&modified_since=4000000000"),
        format!("{NODES}/310?resolve[]=resource"),
        format!("{NODES}/210/children"),
        format!("{NODES}/410/previous"),
        format!("{RESOURCE}/tree/root"),
        format!("{RESOURCE}/tree/waypoint?offset=0&parent_node={NODES}/10"),
        format!("{RESOURCE}/tree/node?node_uri={NODES}/210"),
        format!("{RESOURCE}/tree/node_from_root?node_ids[]=410"),
        format!("{RESOURCE}/tree"),
        format!("{RESOURCE}/ordered_records"),
        "/repositories/2/resource_descriptions/10.xml".to_owned(),
    ] {
        client.get(&path).await.expect(200);
    }
    let node = json!({"title": "new", "level": "file", "resource": {"ref": RESOURCE}});
    let added = client.post(NODES, &node).await.expect(200).json()["uri"].as_str().expect("an address").to_owned();
    let record: Value = client.get(&added).await.expect(200).json();
    client.post(&added, &record).await.expect(200);
    for action in [
        format!("{added}/parent?parent=210&position=0"),
        format!("{RESOURCE}/accept_children?children[]={added}&position=1"),
        format!("{RESOURCE}/publish"),
        format!("{added}/suppressed?suppressed=true"),
        "/logout".to_owned(),
    ] {
        client.send(Method::POST, &action, None).await.expect(200);
    }
    let client = signed_in(filled).await;
    client.delete(&added).await.expect(200);
}

async fn signed_in(filled: &Filled) -> Client {
    let administrator = Administrator::of("sample");
    let client = Client::new(&filled.library.archives, &[]).of_another_api();
    let path = format!("/users/{}/login?password={}", administrator.username, administrator.password);
    let answer = client.send(Method::POST, &path, None).await.expect(200).json();
    client.with_header("x-archivesspace-session", answer["session"].as_str().expect("a session"))
}
