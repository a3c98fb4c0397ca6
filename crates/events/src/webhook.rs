//! Sends events to webhooks: a POST of the event's payload, as mod-pubsub sends it to its subscribers.

use std::{
    error::Error,
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll},
    time::Duration,
};

use http::{HeaderValue, Request, header};
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{
        Client,
        connect::{HttpConnector, dns::Name},
    },
    rt::TokioExecutor,
};
use jiff::Timestamp;
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use store::events::Outgoing;
use tower::Service;
use url::Url;

use crate::{
    Settings, address,
    address::Callback,
    retry::{Outcome, judge},
    signature::sign,
};

/// A subscriber that takes longer counts as unreachable.
const TIMEOUT: Duration = Duration::from_secs(10);

type Body = Full<bytes::Bytes>;
/// Or why there is none.
type Made = Result<Client<HttpsConnector<HttpConnector<Names>>, Body>, String>;

/// Sends to webhooks, except to forbidden addresses. Redirects are not followed, because they could lead to those.
pub(crate) struct Webhooks {
    /// Made with the first event: few libraries have webhooks, and reading the system's certificates takes a while.
    client: OnceLock<Made>,
    private_allowed: bool,
    okapi_url: String,
}

impl Webhooks {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            client: OnceLock::new(),
            private_allowed: settings.private_webhooks,
            okapi_url: settings.okapi_url.clone(),
        }
    }

    /// Sends a tenant's event.
    pub(crate) async fn send(&self, tenant: &str, event: &Outgoing) -> Outcome {
        let url = match address::read(&event.address, self.private_allowed) {
            Ok(Callback::Web(url)) => url,
            Ok(Callback::Own) => return Outcome::Delivered,
            Err(fault) => return Outcome::Unreachable(fault),
        };
        let request = self.request(&url, tenant, event);
        let (client, request) = match (self.client.get_or_init(|| client(self.private_allowed)), request) {
            (Ok(client), Ok(request)) => (client, request),
            (Err(fault), _) => return Outcome::Unreachable(fault.clone()),
            (_, Err(error)) => return Outcome::Refused(error.to_string()),
        };
        match tokio::time::timeout(TIMEOUT, client.request(request)).await {
            Ok(Ok(answer)) => judge(answer.status().as_u16()),
            Ok(Err(error)) => Outcome::Unreachable(in_words(&error)),
            Err(_) => Outcome::Unreachable("no answer in time".into()),
        }
    }

    fn request(&self, url: &Url, tenant: &str, event: &Outgoing) -> Result<Request<Body>, http::Error> {
        let now = Timestamp::now().as_second();
        let mut request = Request::post(url.as_str())
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::USER_AGENT, "carrel")
            .header("x-okapi-tenant", tenant)
            .header("x-okapi-url", &self.okapi_url)
            .header("x-carrel-event-type", printable(&event.topic))
            .header("webhook-id", event.id.to_string())
            .header("webhook-timestamp", now.to_string());
        if let Some(secret) = &event.secret {
            let signature = sign(secret, event.id, now, &event.payload);
            request = request.header("webhook-signature", signature);
        }
        request.body(Full::from(event.payload.clone()))
    }
}

/// The text as a header value; empty if it cannot be one.
fn printable(name: &str) -> HeaderValue {
    HeaderValue::from_str(name).unwrap_or(HeaderValue::from_static(""))
}

/// The innermost cause: what went wrong, without the address, which may contain a secret.
fn in_words(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

fn client(private_allowed: bool) -> Made {
    let mut authorities = RootCertStore::empty();
    authorities.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(authorities)
        .with_no_client_auth();
    let mut plain = HttpConnector::new_with_resolver(Names { private_allowed });
    plain.enforce_http(false);
    plain.set_nodelay(true);
    let connector =
        HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().wrap_connector(plain);
    Ok(Client::builder(TokioExecutor::new()).build(connector))
}

/// Resolves names without addresses of private networks, so that the address that was checked is the one that is used.
#[derive(Clone)]
pub(crate) struct Names {
    private_allowed: bool,
}

impl Service<Name> for Names {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let private_allowed = self.private_allowed;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let usable: Vec<_> = found.filter(|found| private_allowed || address::is_public(found.ip())).collect();
            if usable.is_empty() {
                let text = format!("{name} is in a private network, which this server does not send to");
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
            }
            Ok(usable.into_iter())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_that_leads_inside_is_not_called() {
        let name = || "localhost".parse::<Name>().unwrap();
        let refused = Names { private_allowed: false }.call(name()).await;
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        let found = Names { private_allowed: true }.call(name()).await;
        assert!(found.unwrap().next().is_some());
    }
}
