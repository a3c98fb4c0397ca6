//! One request that has passed the gateway: the caller, the tenant and the input.

use std::{net::IpAddr, sync::Arc};

use bytes::Bytes;
use http::HeaderMap;
use identity::access::Access;
use jiff::Timestamp;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use store::{Session, record};
use uuid::Uuid;

use crate::{
    app::{App, TenantState},
    route::Route,
};

/// The header that Carrel's own pages send with each request.
pub(crate) const OF_PAGES: &str = "x-carrel-page";

/// An admitted request.
#[derive(Clone)]
pub struct Call {
    /// The application.
    pub app: Arc<App>,
    /// The tenant the request is for.
    pub tenant: Arc<TenantState>,
    /// A session on the tenant's tables. Counts round trips.
    pub session: Session,
    /// The calling user. Absent without a token.
    pub caller: Option<Caller>,
    /// The matched route.
    pub route: Arc<Route>,
    /// Path parameters, decoded.
    pub path: Vec<(String, String)>,
    /// Query parameters.
    pub query: Query,
    /// The client's address. Absent if the request did not come through a socket.
    pub client: Option<IpAddr>,
    /// Request headers.
    pub headers: Arc<HeaderMap>,
    /// Request body.
    pub body: Bytes,
    /// The time of the request; every rule uses this instant.
    pub now: Timestamp,
    /// Identifies the request in the logs.
    pub request_id: String,
}

/// The user behind a token.
#[derive(Clone)]
pub struct Caller {
    /// User id.
    pub user_id: Uuid,
    /// User name.
    pub username: String,
    /// Permissions.
    pub access: Arc<Access>,
    /// The token itself.
    pub token: String,
}

/// Query parameters, decoded, in order.
#[derive(Debug, Clone, Default)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Parses a raw query string. `+` means a space; malformed escapes stay as they are.
    pub fn read(raw: &str) -> Self {
        let decode = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
        Self(
            raw.split('&')
                .filter(|pair| !pair.is_empty())
                .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
                .map(|(name, value)| (decode(name), decode(value)))
                .collect(),
        )
    }

    /// All parameters, in order.
    pub(crate) fn into_pairs(self) -> Vec<(String, String)> {
        self.0
    }

    /// The first value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// All values of a parameter.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// True for `name=false`.
    pub fn is_off(&self, name: &str) -> bool {
        self.get(name) == Some("false")
    }

    /// True for `name=true`.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == Some("true")
    }
}

impl Call {
    /// A path parameter, or an empty string if the route does not have it.
    #[must_use]
    pub(crate) fn param(&self, name: &str) -> &str {
        self.path.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
    }

    /// A request header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The user the request acts for: the token's user, or else X-Okapi-User-Id.
    pub fn user_id(&self) -> Option<Uuid> {
        self.caller
            .as_ref()
            .map(|caller| caller.user_id)
            .or_else(|| Uuid::parse_str(self.header("x-okapi-user-id")?).ok())
    }

    /// Whether the caller has one of the route's desired permissions. Without a token (open tenants), the header
    /// X-Okapi-Permissions decides, as it does behind FOLIO's gateway.
    pub fn may(&self, permission: &str) -> bool {
        match &self.caller {
            Some(caller) => caller.access.has(permission),
            None => self.stated_permissions().iter().any(|name| name == permission),
        }
    }

    /// The caller's permissions that start with `prefix`.
    #[must_use]
    pub(crate) fn permissions_under(&self, prefix: &str) -> Vec<String> {
        let under = |name: &&str| name.starts_with(prefix);
        match &self.caller {
            Some(caller) => {
                let permissions = caller.access.permissions();
                permissions.filter(under).map(str::to_owned).collect()
            }
            None => {
                let mut stated = self.stated_permissions();
                stated.retain(|name| name.starts_with(prefix));
                stated
            }
        }
    }

    fn stated_permissions(&self) -> Vec<String> {
        let header = self.header("x-okapi-permissions");
        header.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// Wakes the job runner. Call it after the transaction that added a job for the tenant has committed.
    pub(crate) fn wake_jobs(&self) {
        self.app.bell.ring(&self.tenant.tenant.id);
    }

    /// `metadata` for a record written by this request (docs/folio/conventions.md#metadata).
    pub fn metadata(&self) -> Value {
        let now = record::print_instant(self.now);
        match self.user_id() {
            Some(user) => json!({"createdDate": now, "createdByUserId": user,
                "updatedDate": now, "updatedByUserId": user}),
            None => json!({"createdDate": now, "updatedDate": now}),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_strings_are_decoded() {
        let query = Query::read("query=a%3D%3D%22x+y%22&limit=10&flag=true&empty&broken=%zz");
        assert_eq!(query.get("query"), Some("a==\"x y\""));
        assert_eq!(query.get("limit"), Some("10"));
        assert!(query.flag("flag"));
        assert_eq!(query.get("empty"), Some(""));
        assert_eq!(query.get("broken"), Some("%zz"));
        assert_eq!(query.get("missing"), None);
    }
}
