//! How many statements a request may take, whatever the size of the collection (contract 7).

use std::sync::Arc;

use load::{archives::fill, progress::Unwatched};
use sample::{Library, Plan};
use serde_json::Value;
use testkit::Answer;

use super::{Archives, archives};

/// Components of the collections that are compared.
const SIZES: [u32; 2] = [100, 10_000];
/// As many resources as a page can have.
const PAGE: usize = 250;
const REPOSITORY: &str = "/repositories/2";
/// What the staff interface asks for when it browses resources (contract 8.3).
const BROWSE: &str = "search?type[]=resource&page=1&page_size=10&sort=title_sort asc&facet[]=subjects&facet[]=publish\
    &facet[]=level&facet[]=classification_path&facet[]=primary_type&facet[]=langcode";
/// What it resolves when it shows one.
const RESOLVED: [&str; 24] = [
    "subjects",
    "related_resources",
    "linked_agents",
    "revision_statements",
    "container_locations",
    "digital_object",
    "classifications",
    "related_agents",
    "resource",
    "parent",
    "creator",
    "linked_instances",
    "linked_records",
    "related_accessions",
    "linked_events",
    "linked_events::linked_records",
    "linked_events::linked_agents",
    "top_container",
    "top_container::container_locations",
    "container_profile",
    "location_profile",
    "owner_repo",
    "places",
    "component_links",
];

/// A repository with collections of these sizes and many without components.
async fn filled() -> Archives {
    let archives = archives().await;
    let now = archives.library.clock.now();
    let plan = Plan { seed: 3, instances: 0, items: 0, users: 0, resources: 10, components: 0, now };
    let library = Arc::new(Library::new(plan).expect("a library"));
    let mut sizes = SIZES.to_vec();
    sizes.resize(PAGE, 0);
    let tenant = archives.library.app.tenant(archives.library.tenant).expect("the tenant");
    let filled = fill(&archives.library.app, &tenant, &library, &sizes, &Unwatched).await;
    filled.unwrap_or_else(|error| panic!("{error}"));
    archives
}

/// Asks, and checks how many statements it took.
#[track_caller]
fn at_most(most: u32, what: &str, answer: Answer) -> Answer {
    let answer = answer.expect(200);
    let statements = answer.round_trips();
    assert!(statements <= most, "{what}: {statements} statements, at most {most}");
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_do_not_grow_with_the_collection() {
    let archives = filled().await;
    let admin = &archives.admin;
    let list = admin.get(&format!("{REPOSITORY}/resources?page=1&page_size={PAGE}")).await;
    let list = at_most(1, "a list", list).json();
    assert_eq!((&list["total"], list["results"].as_array().map(Vec::len)), (&PAGE.into(), Some(PAGE)));
    // On a busy machine the index of so many records takes longer than a request may.
    for _ in 0..10 {
        if admin.get(&format!("{REPOSITORY}/{BROWSE}")).await.status != 503 {
            break;
        }
    }
    // The index answers it alone.
    let found = at_most(2, "browse", admin.get(&format!("{REPOSITORY}/{BROWSE}")).await).json();
    assert_eq!(found["total_hits"], PAGE);
    let subjects = found["facets"]["facet_fields"]["subjects"].as_array().map(Vec::len);
    assert!(subjects > Some(10), "{subjects:?} values and counts");
    let resolved: String = RESOLVED.iter().map(|name| format!("&resolve[]={name}")).collect();
    let mut counted = Vec::new();
    for (resource, size) in SIZES.iter().enumerate() {
        let path = format!("{REPOSITORY}/resources/{}", resource + 1);
        let plain = at_most(2, "a resource", admin.get(&path).await).round_trips();
        let view = at_most(12 - plain, "view", admin.get(&format!("{path}?{}", &resolved[1..])).await);
        let whole: Value = view.json();
        for property in ["subjects", "linked_agents", "related_accessions", "classifications"] {
            assert!(whole[property][0]["_resolved"].is_object(), "{property}: {}", whole[property]);
        }
        let root = at_most(4, "root", admin.get(&format!("{path}/tree/root")).await);
        let series = root.json()["precomputed_waypoints"][""]["0"][0]["uri"].as_str().expect("a series").to_owned();
        let node = at_most(4, "node", admin.get(&format!("{path}/tree/node?node_uri={series}")).await);
        assert!(node.json()["child_count"].as_i64() > Some(10), "{}", node.text);
        let waypoint = format!("{path}/tree/waypoint?offset=0&parent_node={series}");
        let waypoint = at_most(4, "waypoint", admin.get(&waypoint).await);
        assert!(waypoint.json().as_array().map(Vec::len) > Some(10));
        let ead = path.replace("/resources/", "/resource_descriptions/");
        let ead = admin.get(&format!("{ead}.xml?include_daos=true&include_unpublished=true")).await;
        let ead = at_most(10, "EAD", ead);
        assert_eq!(ead.text.matches("<c ").count(), *size as usize);
        counted.push([view, root, node, waypoint, ead].map(|answer| answer.round_trips()));
    }
    assert_eq!(counted[0], counted[1]);
}
