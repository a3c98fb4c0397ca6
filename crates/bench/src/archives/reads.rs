//! What staff read all day: lists, resources, trees, searches.

use std::time::Duration;

use anyhow::ensure;

use super::staff::{REPOSITORY, Staff, resource};
use crate::{line, process::Carrel};

/// Resources to read in turn.
const DIFFERENT: u32 = 200;
/// Resources whose trees are opened in turn.
const TREES: u32 = 20;
/// What the staff interface resolves when it shows a resource (contract 8.3).
const RESOLVED: &str = "resolve[]=subjects&resolve[]=related_resources&resolve[]=linked_agents\
    &resolve[]=revision_statements&resolve[]=container_locations&resolve[]=digital_object&resolve[]=classifications\
    &resolve[]=related_agents&resolve[]=resource&resolve[]=parent&resolve[]=creator&resolve[]=linked_instances\
    &resolve[]=linked_records&resolve[]=related_accessions&resolve[]=linked_events\
    &resolve[]=linked_events::linked_records&resolve[]=linked_events::linked_agents&resolve[]=top_container\
    &resolve[]=top_container::container_locations&resolve[]=container_profile&resolve[]=location_profile\
    &resolve[]=owner_repo&resolve[]=places&resolve[]=component_links";
const FACETS: &str = "facet[]=subjects&facet[]=publish&facet[]=level&facet[]=classification_path&facet[]=primary_type\
    &facet[]=langcode";
/// What somebody looks for among components.
const WORDS: [&str; 16] = [
    "letters",
    "postcards",
    "notebook+12",
    "minutes",
    "lecture+notes",
    "photographs",
    "clippings",
    "account+book",
    "drafts+history",
    "correspondence",
    "astronomy",
    "music",
    "receipts",
    "%22annual+report%22",
    "sketch",
    "music+asia",
];
const SEARCH: &str = "search among components";
/// The aim for searches among all components, at so many clients.
const AIM: (usize, f64) = (8, 50.0);

/// A kind of request: its name, its paths in turn, and how many statements it may take.
struct Kind {
    name: &'static str,
    paths: Vec<String>,
    most: u64,
}

async fn kinds(staff: &Staff) -> anyhow::Result<Vec<Kind>> {
    let each = |path: &dyn Fn(String) -> String| -> Vec<String> {
        (1..=staff.resources.min(DIFFERENT)).map(|number| path(resource(number))).collect()
    };
    let pages = staff.resources.div_ceil(10);
    let page = |page: u32| {
        format!("{REPOSITORY}/search?type[]=resource&page={page}&page_size=10&sort=title_sort%20asc&{FACETS}")
    };
    let search =
        |word: &&str| format!("{REPOSITORY}/search?q={word}&type[]=archival_object&page=1&page_size=10&{FACETS}");
    let (mut nodes, mut waypoints) = (Vec::new(), Vec::new());
    for number in 1..=staff.resources.min(TREES) {
        let root = resource(number);
        for node in staff.top_level(&root).await? {
            waypoints.push(format!("{root}/tree/waypoint?offset=0&parent_node={node}"));
            nodes.push(format!("{root}/tree/node?node_uri={node}"));
        }
    }
    Ok(vec![
        Kind {
            name: "list of 250 resources",
            paths: vec![format!("{REPOSITORY}/resources?page=1&page_size=250")],
            most: 1,
        },
        Kind { name: "browse with facets", paths: (1..=pages).map(page).collect(), most: 2 },
        Kind { name: "view, resolved", paths: each(&|path| format!("{path}?{RESOLVED}")), most: 12 },
        Kind { name: "root of the tree", paths: each(&|path| format!("{path}/tree/root")), most: 4 },
        Kind { name: "waypoint", paths: waypoints, most: 4 },
        Kind { name: "node", paths: nodes, most: 4 },
        Kind { name: SEARCH, paths: WORDS.iter().map(search).collect(), most: 2 },
    ])
}

/// Prints how many statements each request takes, for the first collection, which is the largest.
///
/// # Errors
/// If one takes more than it may.
pub async fn within_budgets(staff: &Staff) -> anyhow::Result<()> {
    println!("\n| request | statements | at most |\n| --- | --- | --- |");
    let mut kinds = kinds(staff).await?;
    let finding_aid = resource(1).replace("/resources/", "/resource_descriptions/");
    let paths = vec![format!("{finding_aid}.xml?include_daos=true")];
    kinds.push(Kind { name: "EAD export", paths, most: 10 });
    let mut over = Vec::new();
    for kind in kinds {
        let statements = staff.send("GET", &kind.paths[0]).await?.statements().unwrap_or_default();
        println!("| {} | {statements} | {} |", kind.name, kind.most);
        if statements > kind.most {
            over.push(format!("{} takes {statements} statements", kind.name));
        }
    }
    ensure!(over.is_empty(), "{}", over.join(", "));
    Ok(())
}

/// Prints latency and rate of each request, by number of clients.
pub async fn measure(carrel: &Carrel, staff: &Staff, clients: &[usize], time: Duration) -> anyhow::Result<()> {
    line::head();
    let kinds = kinds(staff).await?;
    for &clients in clients {
        for Kind { name, paths, .. } in &kinds {
            let aim = (*name == SEARCH && clients == AIM.0).then_some(AIM.1);
            line::row(carrel, &staff.access, line::Kind { name, paths, aim }, clients, time).await?;
        }
    }
    Ok(())
}
