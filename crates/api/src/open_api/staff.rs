//! The staff port's own paths, beside the FOLIO API (`crate::staff`).

use serde_json::{Value, json};
use store::record::Side;

use super::schemas::Components;
use crate::route::{Body, JSON, TEXT};

/// The paths, which are outside the base path of the FOLIO API.
pub(super) fn paths(components: &mut Components) -> impl Iterator<Item = (String, Value)> {
    let text = || Body::media(TEXT);
    let status = Body::json("version*, openTenantsAllowed*:bool, sampleLibrary*:bool").named("ServerStatus");
    let document = Body { media: JSON, ..Body::json(":object") };
    [
        ("/healthz", "Whether Carrel runs", text(), &[][..]),
        ("/readyz", "Whether its database accepts changes", text(), &[503]),
        ("/metrics", "Figures for Prometheus", text(), &[401, 403, 404]),
        ("/openapi.json", "This document", document, &[]),
        ("/status.json", "What the staff pages need before anybody signs in", status, &[]),
    ]
    .map(|(path, summary, body, refused)| {
        let given = json!({"description": "OK", "content": components.content(&body, Side::Given)});
        let mut responses = json!({"200": given});
        for status in refused {
            responses[status.to_string()] = components.refusal(&super::refusals::DEFAULT);
        }
        let operation = json!({
            "operationId": super::operation_id(&http::Method::GET, path),
            "summary": summary,
            "tags": ["carrel"],
            "security": [],
            "responses": responses,
        });
        let own_address = json!([{"url": "/", "description": "The staff port"}]);
        (path.to_owned(), json!({"servers": own_address, "get": operation}))
    })
    .into_iter()
}
