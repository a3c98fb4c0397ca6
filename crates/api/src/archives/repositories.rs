//! Repositories (contract 3.1).

use ::archives::{
    records::{self, Listing, Page, Seen},
    refusal::Refusal,
    repositories::{self, REPOSITORIES},
};
use http::Method;
use jiff::Timestamp;
use serde_json::Value;
use store::archives::Sort;

use super::{
    call::{Call, saved},
    endpoint::{Answer, Endpoints},
    records as generic,
};

const KIND: &str = REPOSITORIES.kind;

pub(super) fn routes(endpoints: &mut Endpoints) {
    let manage: &[&str] = &["create_repository"];
    endpoints.add(Method::GET, "/repositories", &[], list).asks("resolve:texts");
    endpoints.add(Method::POST, "/repositories", manage, add).takes_record();
    endpoints.add(Method::GET, "/repositories/{id}", &[], |call| generic::get(call, KIND)).asks("resolve:texts");
    endpoints.add(Method::POST, "/repositories/{id}", manage, |call| generic::change(call, KIND)).takes_record();
}

/// All repositories, not in pages: a library has few.
async fn list(call: Call) -> Answer {
    let sort = Sort::by("id", false).ok_or_else(|| Refusal::BadRequest("id".to_owned()))?;
    let all = Listing::Page(Page { number: 1, size: i64::from(u16::MAX), sort });
    let mut listed = records::list(&call.session, REPOSITORIES, &all, Timestamp::UNIX_EPOCH, Seen::All).await?;
    let mut found = listed["results"].take();
    if let Value::Array(found) = &mut found {
        found.retain(|one| one["uri"] != "/repositories/1");
    }
    call.resolved(found).await
}

async fn add(call: Call) -> Answer {
    let checked = call.record(KIND)?;
    let warnings = checked.warnings.clone();
    let id = repositories::add(&call.session, checked, &call.author()).await?;
    Ok(saved("Created", REPOSITORIES, id, 0, &warnings))
}
