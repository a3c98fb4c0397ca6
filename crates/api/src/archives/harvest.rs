//! Harvesting by OAI-PMH, and how records are offered (contract 3.5).

use ::archives::harvest::{self, Asked, Here, config};
use axum::body::Body;
use bytes::Bytes;
use futures_util::TryStreamExt;
use http::Method;
use serde_json::{Map, json};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::answer::Reply;

/// The form of `/oai_sample`.
const SAMPLE: &str = include_str!("oai_sample.html");

pub(super) fn routes(endpoints: &mut Endpoints) {
    for method in [Method::GET, Method::POST] {
        let route = endpoints.add(method, "/oai", &[], oai).streams();
        route.only_reads = true;
        route.asks("verb metadataPrefix from until set identifier resumptionToken");
        route.summary("Harvest by OAI-PMH").gives_media("text/xml");
    }
    endpoints
        .add(Method::GET, "/oai_sample", &[], |_| async { Ok(Reply::typed("text/html", Body::from(SAMPLE))) })
        .summary("Show a form that harvests a little")
        .gives_media("text/html");
    endpoints
        .add(Method::GET, "/oai_config", &[], read_config)
        .summary("Read the settings of harvesting")
        .gives("[OaiConfig]");
    endpoints.add(Method::POST, "/oai_config", &["create_repository"], write_config).takes_record();
    // Whatever its id and version.
    endpoints
        .add(Method::POST, "/oai_config/{id}", &["create_repository"], write_config)
        .takes_record()
        .never_refuses(&[404, 409]);
}

async fn oai(call: Call) -> Answer {
    let text = |name| call.parameters.text(name);
    let asked = Asked {
        verb: text("verb"),
        metadata_prefix: text("metadataPrefix"),
        from: text("from"),
        until: text("until"),
        set: text("set"),
        identifier: text("identifier"),
        resumption_token: text("resumptionToken"),
    };
    let here = Here { site: call.app.settings.archives_url.clone(), now: call.now };
    let parts = harvest::answer(&call.session, &asked, &here).await?;
    let body = call.app.spools.body(parts.map_ok(Bytes::from)).await?;
    Ok(Reply::typed("text/xml", body))
}

async fn read_config(call: Call) -> Answer {
    Ok(Reply::json(&json!([config::read(&call.session).await?])))
}

/// There is one configuration, whatever id is in the path.
async fn write_config(call: Call) -> Answer {
    let checked = call.record("oai_config")?;
    let version = config::write(&call.session, checked.record).await?;
    let warnings = Map::new();
    let place = ::archives::records::Place { kind: "oai_config", repository: None };
    Ok(super::call::saved("Updated", place, 1, version, &warnings))
}
