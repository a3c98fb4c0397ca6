//! How many statements a request may take, whatever the size of the collection (contract 7).

use std::{pin::pin, sync::Arc};

use ::archives::{
    exports::Exported,
    finding_aid::{self, Asked},
    records::Seen,
};
use futures_util::TryStreamExt;
use load::{archives::fill, progress::Unwatched};
use sample::{Library, Plan};
use serde_json::Value;
use store::{Session, bulk::analyze};
use testkit::Answer;

use super::{Archives, archives};

/// Components of the collections that are compared: the first resources of the repository.
const SIZES: [u32; 3] = [100, 10_000, 200_000];
/// So many of them are imported. The last one is copied, because importing it takes a minute without optimization.
const IMPORTED: usize = 2;
/// As many resources as a page can have.
const PAGE: usize = 250;
const REPOSITORY: &str = "/repositories/2";
/// A finding aid is handed on in parts of at most so many bytes, whatever its size.
const LONGEST_PART: usize = 64 * 1024;
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

/// The third collection gets the components of the second one twenty times, in the columns and with the keys and references of
/// the first. The index learns nothing of them: what is browsed are resources.
const COPY: [&str; 6] = [
    "CREATE TEMPORARY TABLE copied ON COMMIT DROP AS
     SELECT r.id AS source, c AS copy, nextval('archival_id_archival_object') AS id,
            md5(c || (r.doc->>'ref_id')) AS ref_id
     FROM archival_record r, generate_series(1, 20) c WHERE r.kind = 'archival_object' AND r.root = 2",
    "CREATE UNIQUE INDEX ON copied (source, copy); ANALYZE copied",
    "INSERT INTO archival_record (kind, id, repository, doc, publish, suppressed, created_by, last_modified_by, create_time,
                                  user_mtime, system_mtime, root_kind, root, parent, rank)
     SELECT r.kind, n.id, r.repository, jsonb_set(r.doc, '{ref_id}', to_jsonb(n.ref_id)), r.publish, r.suppressed,
            r.created_by, r.last_modified_by, r.create_time, r.user_mtime, r.system_mtime, r.root_kind, 3, above.id,
            r.rank + CASE WHEN r.parent IS NULL THEN n.copy * 100 * archival_step() ELSE 0 END
     FROM copied n JOIN archival_record r ON r.kind = 'archival_object' AND r.id = n.source
     LEFT JOIN copied above ON above.source = r.parent AND above.copy = n.copy",
    "INSERT INTO archival_key (scope, value, kind, id)
     SELECT 'archival_object/3/ref_id', n.ref_id, 'archival_object', n.id FROM copied n",
    "INSERT INTO archival_reference (kind, id, repository, property, role, target_kind, target_id)
     SELECT x.kind, n.id, x.repository, x.property, x.role, x.target_kind, x.target_id
     FROM copied n JOIN archival_reference x ON x.kind = 'archival_object' AND x.id = n.source",
    "DELETE FROM archival_change WHERE made = pg_current_xact_id()",
];

/// A repository with the imported collections and many without components.
async fn filled() -> Archives {
    let archives = archives().await;
    let now = archives.library.clock.now();
    let plan = Plan { seed: 3, instances: 0, items: 0, users: 0, resources: 10, components: 0, now };
    let library = Arc::new(Library::new(plan).expect("a library"));
    let mut sizes = SIZES[..IMPORTED].to_vec();
    sizes.resize(PAGE, 0);
    let tenant = archives.library.app.tenant(archives.library.tenant).expect("the tenant");
    let filled = fill(&archives.library.app, &tenant, &library, &sizes, &Unwatched).await;
    filled.unwrap_or_else(|error| panic!("{error}"));
    archives
}

impl Archives {
    /// A session that has run nothing.
    fn session(&self) -> Session {
        let app = &self.library.app;
        app.session(&app.tenant(self.library.tenant).expect("the tenant")).expect("a session")
    }

    /// Fills the largest collection.
    async fn copy(&self) {
        let session = self.session();
        let transaction = session.begin().await.expect("a transaction");
        transaction.expect_growth().await.expect("ready");
        for sql in COPY {
            transaction.batch(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
        transaction.commit().await.expect("copies");
        let tables = ["archival_record", "archival_key", "archival_reference"];
        analyze(&session, &tables).await.expect("statistics");
    }

    /// Lists and browses resources.
    async fn browses(&self) {
        let list = self.admin.get(&format!("{REPOSITORY}/resources?page=1&page_size={PAGE}")).await;
        let list = at_most(1, "a list", list).json();
        assert_eq!((&list["total"], list["results"].as_array().map(Vec::len)), (&PAGE.into(), Some(PAGE)));
        // On a busy machine the index of so many records takes longer than a request may.
        for _ in 0..10 {
            if self.admin.get(&format!("{REPOSITORY}/{BROWSE}")).await.status != 503 {
                break;
            }
        }
        // The index answers it alone.
        let found = at_most(2, "browse", self.admin.get(&format!("{REPOSITORY}/{BROWSE}")).await).json();
        assert_eq!(found["total_hits"], PAGE);
        let subjects = found["facets"]["facet_fields"]["subjects"].as_array().map(Vec::len);
        assert!(subjects > Some(10), "{subjects:?} values and counts");
    }

    /// Looks at a collection as its readers do; returns how many statements each request took.
    async fn looks_at(&self, id: i64, size: u32) -> Vec<u32> {
        let admin = &self.admin;
        let resolved: String = RESOLVED.iter().map(|name| format!("&resolve[]={name}")).collect();
        let path = format!("{REPOSITORY}/resources/{id}");
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
        let mut counted: Vec<u32> = [view, root, node, waypoint].iter().map(Answer::round_trips).collect();
        counted.push(self.export(id, size).await);
        counted
    }

    /// Exports a collection as EAD, part by part as a client gets it; returns the number of statements until its end.
    async fn export(&self, id: i64, size: u32) -> u32 {
        let session = self.session();
        let asked = Asked {
            include_unpublished: true,
            include_daos: true,
            numbered_cs: false,
            include_uris: true,
            ead3: false,
        };
        let of = Exported { repository: 2, id, seen: Seen::All };
        let parts = finding_aid::ead(&session, of, asked, self.library.clock.now()).await.expect("a finding aid");
        let mut parts = pin!(parts);
        let (mut components, mut longest) = (0, 0);
        while let Some(part) = parts.try_next().await.expect("a part") {
            longest = longest.max(part.text.len());
            components += String::from_utf8(part.text).expect("a text").matches("<c ").count();
        }
        assert_eq!(components, size as usize);
        assert!(longest <= LONGEST_PART, "a part of {longest} bytes");
        let statements = session.meter().trips();
        assert!(statements <= 10, "EAD: {statements} statements, at most 10");
        statements
    }
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
    archives.browses().await;
    let small = archives.looks_at(1, SIZES[0]).await;
    assert_eq!(archives.looks_at(2, SIZES[1]).await, small);
    let path = format!("{REPOSITORY}/resource_descriptions/2.xml?include_daos=true&include_unpublished=true");
    let ead = at_most(10, "EAD", archives.admin.get(&path).await);
    assert_eq!(ead.text.matches("<c ").count(), SIZES[1] as usize);

    archives.copy().await;
    archives.browses().await;
    assert_eq!(archives.looks_at(3, SIZES[2]).await, small);
    // A copy is what a client would have saved.
    let first = async |resource: u32| {
        let root = archives.get(&format!("{REPOSITORY}/resources/{resource}/tree/root")).await;
        let series = root["precomputed_waypoints"][""]["0"][0]["uri"].as_str().expect("a series").to_owned();
        let mut children = archives.get(&format!("{series}/children")).await;
        let mut child = children[0].take();
        for own in ["uri", "ref_id", "resource", "parent", "ancestors"] {
            assert!(!child[own].take().is_null(), "{own}");
        }
        child
    };
    assert_eq!(first(3).await, first(2).await);
}
