//! One request, after the gateway has let it in: who calls, for which tenant, with what.

use std::{net::IpAddr, sync::Arc};

use bytes::Bytes;
use http::HeaderMap;
use identity::access::Access;
use jiff::Timestamp;
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use store::{Session, record};
use uuid::Uuid;

use crate::{
    answer::Problem,
    app::{App, TenantState},
    manner,
    route::Route,
};

/// A request that may be served.
#[derive(Clone)]
pub struct Call {
    /// The application.
    pub app: Arc<App>,
    /// The tenant it is for.
    pub tenant: Arc<TenantState>,
    /// The tenant's tables; counts round trips.
    pub session: Session,
    /// The user that calls, when there is a token.
    pub caller: Option<Caller>,
    /// The route.
    pub route: Arc<Route>,
    /// Values of the path's parameters, decoded.
    pub path: Vec<(String, String)>,
    /// The query string.
    pub query: Query,
    /// The address of the client, when it came by a socket.
    pub client: Option<IpAddr>,
    /// Request headers.
    pub headers: Arc<HeaderMap>,
    /// Request body.
    pub body: Bytes,
    /// The moment the request is judged by.
    pub now: Timestamp,
    /// Names the request in logs.
    pub request_id: String,
}

/// The user behind a token.
#[derive(Clone)]
pub struct Caller {
    /// Id.
    pub user_id: Uuid,
    /// User name.
    pub username: String,
    /// Permissions.
    pub access: Arc<Access>,
    /// The token itself.
    pub token: String,
}

/// The parameters of a query string, decoded, in order.
#[derive(Debug, Clone, Default)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Reads a raw query string. `+` is a space; broken escapes stay as they are.
    #[must_use]
    pub fn read(raw: &str) -> Self {
        let decode = |text: &str| {
            percent_decode_str(&text.replace('+', " "))
                .decode_utf8_lossy()
                .into_owned()
        };
        Self(
            raw.split('&')
                .filter(|pair| !pair.is_empty())
                .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
                .map(|(name, value)| (decode(name), decode(value)))
                .collect(),
        )
    }

    /// The first value of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// All values of that name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// True for `name=false`.
    #[must_use]
    pub fn is_off(&self, name: &str) -> bool {
        self.get(name) == Some("false")
    }

    /// True for `name=true`.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == Some("true")
    }
}

impl Call {
    /// A parameter of the path; empty when the route has none of that name.
    #[must_use]
    pub fn param(&self, name: &str) -> &str {
        self.path
            .iter()
            .find(|(key, _)| key == name)
            .map_or("", |(_, value)| value.as_str())
    }

    /// A parameter of the path as UUID.
    ///
    /// # Errors
    /// The refusal of the route's module; from most 404 for GET and 400 for other methods.
    pub fn id(&self, name: &str) -> Result<Uuid, Problem> {
        manner::id(self, name)
    }

    /// The body as JSON; what its Content-Type may be has been judged before.
    ///
    /// # Errors
    /// The refusal of the route's module when it is none; 400 text from most.
    pub fn json(&self) -> Result<Value, Problem> {
        self.parse()
    }

    /// The body as a JSON object.
    ///
    /// # Errors
    /// As [`Call::json`].
    pub fn object(&self) -> Result<Map<String, Value>, Problem> {
        match self.json()? {
            Value::Object(members) => Ok(members),
            _ => Err(manner::unreadable(self, &"expected a JSON object")),
        }
    }

    /// The body as a typed value.
    ///
    /// # Errors
    /// As [`Call::json`].
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_json::from_slice(&self.body).map_err(|error| manner::unreadable(self, &error))
    }

    /// `limit` of the query, or the default.
    ///
    /// # Errors
    /// As [`Call::number`].
    pub fn limit(&self, default: i64) -> Result<i64, Problem> {
        self.number("limit", default)
    }

    /// `offset` of the query, or 0.
    ///
    /// # Errors
    /// As [`Call::number`].
    pub fn offset(&self) -> Result<i64, Problem> {
        self.number("offset", 0)
    }

    /// A number from 0 to 2147483647 of the query.
    ///
    /// # Errors
    /// The refusal of the route's module when it is another or none; 400 text from most.
    pub fn number(&self, name: &str, default: i64) -> Result<i64, Problem> {
        manner::number(self, name, default)
    }

    /// A request header as text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The user the request acts for: the token's, else X-Okapi-User-Id.
    #[must_use]
    pub fn user_id(&self) -> Option<Uuid> {
        self.caller
            .as_ref()
            .map(|caller| caller.user_id)
            .or_else(|| Uuid::parse_str(self.header("x-okapi-user-id")?).ok())
    }

    /// Whether the caller has a permission the route desires. Without a token (open tenants) the header
    /// X-Okapi-Permissions counts, as it does behind FOLIO's gateway.
    #[must_use]
    pub fn may(&self, permission: &str) -> bool {
        match &self.caller {
            Some(caller) => caller.access.has(permission),
            None => self
                .stated_permissions()
                .iter()
                .any(|name| name == permission),
        }
    }

    /// The caller's permissions that begin so.
    #[must_use]
    pub fn permissions_under(&self, prefix: &str) -> Vec<String> {
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
        header
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default()
    }

    /// A job was entered for the tenant and its transaction has committed.
    pub fn wake_jobs(&self) {
        self.app.bell.ring(&self.tenant.tenant.id);
    }

    /// `metadata` of a record that is written now (docs/folio/conventions.md#metadata).
    #[must_use]
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
