//! Searches (contract 3.5, 8.1). An answer that may lack what was saved a moment ago says so in a header.

use std::sync::Arc;

use ::archives::{
    model::Uri,
    nodes::TREES,
    records::{self, Place, Seen},
    refusal::Refusal,
    search::{self, Archives, Described, Search, Shape},
    tree::{self, Tree},
};
use bytes::Bytes;
use futures_util::TryStreamExt;
use http::{HeaderName, Method, StatusCode};
use indexing::Index;
use serde_json::json;

use super::{
    call::{Call, LARGEST_PAGE, USUAL_PAGE},
    endpoint::{Answer, Endpoints},
};
use crate::{
    answer::Reply,
    app::{App, TenantState},
};

const PARAMETERS: &str = "q:text aq:text type:texts sort:text facet:texts facet_mincount:int filter:text \
    filter_query:texts filter_term:texts exclude:texts hl:bool root_record:text dt:text fields:texts resolve:texts";
/// A table has so many lines, and an answer in Solr's form so many documents.
const LONGEST_TABLE: usize = 10_000;
/// How many records can be asked for by their addresses, and how many types of them counted.
const MOST_ASKED: usize = 250;
/// Says that a search could not wait for everything that was saved before it.
const BEHIND: HeaderName = HeaderName::from_static("x-carrel-search-behind");
/// Who searches the records of all repositories.
const VIEW_ALL: &str = "view_all_records";
/// The user whom the public site signs in as.
const PUBLIC_USER: &str = "public_anonymous";

pub(super) fn routes(endpoints: &mut Endpoints) {
    let view: &[&str] = &["view_repository"];
    let all: &[&str] = &[VIEW_ALL];
    let paged: [(&str, &[&str], Option<&'static str>); 5] = [
        ("/repositories/{repo_id}/search", view, None),
        ("/search", all, None),
        ("/search/repositories", &[], Some("repository")),
        ("/search/subjects", &[], Some("subject")),
        ("/search/location_profile", &[], Some("location_profile")),
    ];
    for (path, needs, kind) in paged {
        for method in [Method::GET, Method::POST] {
            endpoints
                .add(method, path, needs, move |call| find(call, kind))
                .asks(PARAMETERS)
                .asks("page!:text page_size:text")
                .summary("Search")
                .gives(":SearchResults")
                .or_gives(StatusCode::OK, crate::route::Body::media("text/csv"));
        }
    }
    endpoints
        .add(Method::GET, "/search/published_tree", all, published_tree)
        .asks("node_uri!:text")
        .summary("Read the published part of a tree, as releases before 4.2 show it")
        .gives(":object")
        .refuses(&[404]);
    let containers = "/repositories/{repo_id}/top_containers/search";
    endpoints
        .add(Method::GET, containers, view, of_containers)
        .asks(PARAMETERS)
        .summary("Search for containers")
        .gives(":SolrResults");
    for method in [Method::GET, Method::POST] {
        endpoints
            .add(method.clone(), "/search/records", all, by_ids)
            .asks("uri!:texts resolve:texts")
            .summary("Find records by their addresses")
            .gives(":SearchResults");
        let counting = "record_types!:texts repo_uri:text";
        endpoints
            .add(method, "/search/record_types_by_repository", all, counts)
            .asks(counting)
            .summary("Count published records by type and repository")
            .gives(":object");
    }
}

/// The index of a tenant's archives; it is opened when it is first used.
pub(super) fn index(app: &App, tenant: &TenantState) -> Arc<Index> {
    tenant.archives.index(|| {
        let folder = app.settings.search_directory.as_ref().map(|all| search::folder(all, &tenant.schema));
        Index::start(Described, folder, app.settings.search_patience, Box::new(app.index_sessions(tenant)))
    })
}

/// What answers to a call are made from.
fn archives(call: &Call) -> Archives {
    let referred = Arc::clone(&call.tenant.archives.referred);
    Archives { index: index(&call.app, &call.tenant), session: call.session.clone(), referred }
}

fn asked(call: &Call, kind: Option<&str>) -> Result<Search, Refusal> {
    let given = &call.parameters;
    let text = |name: &str| given.text(name).filter(|text| !text.is_empty()).map(str::to_owned);
    let types = kind.map_or_else(|| given.texts("type").to_vec(), |kind| vec![kind.to_owned()]);
    let is_public = call.user.as_ref().is_some_and(|user| user.name == PUBLIC_USER);
    Ok(Search {
        q: text("q"),
        aq: text("aq"),
        types,
        sort: text("sort"),
        facets: given.texts("facet").to_vec(),
        facet_mincount: given.integer("facet_mincount").and_then(|least| u64::try_from(least).ok()).unwrap_or(0),
        filter: text("filter"),
        filter_queries: given.texts("filter_query").to_vec(),
        filter_terms: given.texts("filter_term").to_vec(),
        excluded: given.texts("exclude").to_vec(),
        root_record: text("root_record"),
        repository: call.repository,
        offset: 0,
        limit: LONGEST_TABLE,
        with_suppressed: call.seen().all() && !is_public,
        is_public,
        is_open: call.repository.is_none() && !call.rights.can(VIEW_ALL, None),
        of_containers: false,
    })
}

fn shape(call: &Call) -> Result<Shape, Refusal> {
    let given = &call.parameters;
    let shape = Shape {
        fields: given.texts("fields").to_vec(),
        highlight: given.boolean("hl").unwrap_or(false),
        resolve: given.texts("resolve").to_vec(),
    };
    shape.check().map(|()| shape)
}

async fn find(call: Call, kind: Option<&'static str>) -> Answer {
    let mut search = asked(&call, kind)?;
    let number = call.parameters.count("page")?.unwrap_or(1);
    if number == 0 {
        return Err(Refusal::parameter("page", "Wanted a page from 1 but got '0'").into());
    }
    let (archives, shape) = (archives(&call), shape(&call)?);
    match call.parameters.text("dt") {
        Some("csv") => {
            let (table, is_behind) = search::csv(&archives, &search, &shape, call.now).await?;
            return Ok(told(Reply::typed("text/csv", table.into()), is_behind));
        }
        Some("json") | None => {}
        Some(other) => {
            return Err(Refusal::parameter("dt", format!("must be 'json' or 'csv' but given: {other}")).into());
        }
    }
    let size = call.parameters.count("page_size")?.unwrap_or(USUAL_PAGE).clamp(1, LARGEST_PAGE);
    search.limit = usize::try_from(size).unwrap_or_default();
    let skipped = number.saturating_sub(1).saturating_mul(size);
    search.offset = usize::try_from(skipped).unwrap_or(usize::MAX);
    answered(search::find(&archives, &search, &shape, call.now).await?)
}

async fn of_containers(call: Call) -> Answer {
    let search = Search { of_containers: true, ..asked(&call, Some("top_container"))? };
    let (archives, shape) = (archives(&call), shape(&call)?);
    let (parts, is_behind) = search::raw(archives, &search, shape, call.now).await?;
    let body = call.app.spools.body(parts.map_ok(Bytes::from)).await?;
    Ok(told(Reply::typed("application/json", body), is_behind))
}

async fn by_ids(call: Call) -> Answer {
    let uris = call.parameters.texts("uri");
    if uris.len() > MOST_ASKED {
        return Err(Refusal::parameter("uri", format!("At most {MOST_ASKED} records can be asked for at once")).into());
    }
    let search = Search { limit: uris.len() * 2, ..asked(&call, None)? };
    let (archives, shape) = (archives(&call), shape(&call)?);
    answered(search::by_ids(&archives, uris, &search, &shape, call.now).await?)
}

/// The published part of the tree that a record is the top of, as releases before 4.2 show it.
async fn published_tree(call: Call) -> Answer {
    let none = || Refusal::NotFound("Tree not found".to_owned());
    let uri = call.parameters.text("node_uri").and_then(Uri::parse).ok_or_else(none)?;
    let kind = TREES.iter().find(|tree| tree.root == uri.kind.name).ok_or_else(none)?;
    let place = Place { kind: kind.root, repository: uri.repository };
    let root = records::get(&call.session, place, uri.id, Seen::Unsuppressed).await?;
    if root["publish"] != true {
        return Err(none().into());
    }
    let repository = uri.repository.unwrap_or_default();
    let tree = Tree { kind, repository, root: uri.id, published_only: true, seen: Seen::Unsuppressed };
    let whole = tree::whole(&call.session, tree, None).await?;
    let (id, types) = (format!("tree_view_{uri}"), ["tree_view"]);
    Ok(Reply::json(&json!({
        "id": id, "uri": id, "node_uri": uri.to_string(), "primary_type": "tree_view", "types": types,
        "title": root["title"], "repository": format!("/repositories/{repository}"), "publish": true, "suppressed": false,
        "whole_tree_json": whole.to_string()})))
}

async fn counts(call: Call) -> Answer {
    let types = call.parameters.texts("record_types");
    if types.len() > MOST_ASKED {
        let text = format!("At most {MOST_ASKED} types can be counted at once");
        return Err(Refusal::parameter("record_types", text).into());
    }
    let search = asked(&call, None)?;
    let index = index(&call.app, &call.tenant);
    let one = call.parameters.text("repo_uri").map(str::to_owned);
    let repositories = match &one {
        Some(uri) => vec![uri.clone()],
        None => search::repositories(&index, call.now).await?,
    };
    let (mut all, is_behind) = search::counts(&index, types, &repositories, &search, call.now).await?;
    let body = match one {
        Some(uri) => json!(all.remove(&uri)),
        None => json!(all),
    };
    Ok(told(Reply::json(&body), is_behind))
}

fn answered(found: search::Found) -> Answer {
    Ok(told(Reply::json(&found.body), found.is_behind))
}

fn told(reply: Reply, is_behind: bool) -> Reply {
    if is_behind { reply.with_header(BEHIND, "true") } else { reply }
}
