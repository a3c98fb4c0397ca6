//! Finding aids (contract 3.5, 6).

use ::archives::finding_aid::{self, Asked};
use bytes::Bytes;
use futures_util::TryStreamExt;
use http::Method;
use serde_json::json;

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::answer::Reply;

pub(super) fn routes(endpoints: &mut Endpoints) {
    let view: &[&str] = &["view_repository"];
    let path = "/repositories/{repo_id}/resource_descriptions/{id}.xml";
    endpoints
        .add(Method::GET, path, view, ead)
        .streams()
        .asks("include_unpublished:bool include_daos:bool numbered_cs:bool include_uris:bool ead3:bool");
    endpoints.add(Method::GET, &format!("{path}/metadata"), view, metadata);
}

async fn ead(call: Call) -> Answer {
    let flag = |name: &str, otherwise| call.parameters.boolean(name).unwrap_or(otherwise);
    let asked = Asked {
        include_unpublished: flag("include_unpublished", false),
        include_daos: flag("include_daos", false),
        numbered_cs: flag("numbered_cs", false),
        include_uris: flag("include_uris", true),
        ead3: flag("ead3", false),
    };
    let parts =
        finding_aid::ead(&call.session, call.repository.unwrap_or_default(), call.id(), asked, call.now).await?;
    let body = call.app.spools.body(parts.map_ok(Bytes::from)).await?;
    Ok(Reply::typed("application/xml", body))
}

async fn metadata(call: Call) -> Answer {
    let name = finding_aid::file_name(&call.session, call.repository.unwrap_or_default(), call.id(), call.now).await?;
    Ok(Reply::json(&json!({"filename": name, "mimetype": "application/xml"})))
}
