//! Sends `Location` with a capital, like Okapi (docs/folio/gateway.md#routes), because clients look it up with that
//! spelling.
//!
//! Header names are stored in lower case, and hyper writes them so unless the response carries the spelling of a
//! message that hyper has parsed. So each port parses a message with the wanted spelling once, when it opens.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};

use axum::body::Body;
use http::{Extensions, Request, Response, header};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::io::AsyncWriteExt;

const READ: &[u8] = b"GET / HTTP/1.1\r\nLocation: /\r\nConnection: close\r\n\r\n";

/// The spelling of header names.
#[derive(Clone)]
pub(super) struct Spelling(Extensions);

impl Spelling {
    pub(super) async fn learn() -> Spelling {
        let (mut client, server) = tokio::io::duplex(READ.len());
        let heard = Arc::new(Mutex::new(Extensions::new()));
        let service = service_fn(|request: Request<Incoming>| {
            *heard.lock().unwrap_or_else(PoisonError::into_inner) = request.extensions().clone();
            async { Ok::<_, Infallible>(Response::new(Body::empty())) }
        });
        let reading = http1::Builder::new().preserve_header_case(true).serve_connection(TokioIo::new(server), service);
        let asking = async {
            let asked = client.write_all(READ).await;
            let _ = tokio::io::copy(&mut client, &mut tokio::io::sink()).await;
            asked
        };
        let (read, asked) = tokio::join!(reading, asking);
        if read.is_err() || asked.is_err() {
            tracing::warn!("the header Location is sent in lower case");
        }
        let heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        Spelling(heard.clone())
    }

    pub(super) fn apply<B>(&self, response: &mut Response<B>) {
        if response.headers().contains_key(header::LOCATION) {
            response.extensions_mut().extend(self.0.clone());
        }
    }
}
