//! One request, after the gateway has let it in: who calls, for which tenant, with what.

use std::sync::Arc;

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

    /// True for `name=true`.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == Some("true")
    }
}

/// RMB's answer to an id that is none (folio-platform §0).
pub const INVALID_UUID: &str = "Invalid UUID format of id, should be xxxxxxxx-xxxx-Mxxx-Nxxx-xxxxxxxxxxxx \
    where M is 1-5 and N is 8, 9, a, b, A or B and x is 0-9, a-f or A-F.";

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
    /// RMB's text: 404 for GET, 400 for other methods.
    pub fn id(&self, name: &str) -> Result<Uuid, Problem> {
        let text = self.param(name);
        if record::is_uuid(text)
            && let Ok(id) = Uuid::parse_str(text)
        {
            return Ok(id);
        }
        Err(if self.route.method == http::Method::GET {
            Problem::not_found(INVALID_UUID)
        } else {
            Problem::bad_request(INVALID_UUID)
        })
    }

    /// The body as JSON; what its Content-Type may be has been judged before.
    ///
    /// # Errors
    /// 400 text when it is none.
    pub fn json(&self) -> Result<Value, Problem> {
        self.parse()
    }

    /// The body as a JSON object.
    ///
    /// # Errors
    /// 400 text when it is none.
    pub fn object(&self) -> Result<Map<String, Value>, Problem> {
        match self.json()? {
            Value::Object(members) => Ok(members),
            _ => Err(Problem::bad_request(
                "Json content error: expected a JSON object",
            )),
        }
    }

    /// The body as a typed value.
    ///
    /// # Errors
    /// 400 text when it cannot be read as one.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_json::from_slice(&self.body)
            .map_err(|error| Problem::bad_request(format!("Json content error: {error}")))
    }

    /// `limit` of the query, or the default.
    ///
    /// # Errors
    /// 400 text when it is negative or no number.
    pub fn limit(&self, default: i64) -> Result<i64, Problem> {
        self.number("limit", default)
    }

    /// `offset` of the query, or 0.
    ///
    /// # Errors
    /// 400 text when it is negative or no number.
    pub fn offset(&self) -> Result<i64, Problem> {
        self.number("offset", 0)
    }

    /// A number from 0 to 2147483647 of the query.
    ///
    /// # Errors
    /// 400 text when it is negative or no number.
    pub fn number(&self, name: &str, default: i64) -> Result<i64, Problem> {
        match self.query.get(name).filter(|text| !text.is_empty()) {
            None => Ok(default),
            Some(text) => match text.parse::<i64>() {
                Ok(number @ 0..=2_147_483_647) => Ok(number),
                Ok(negative @ ..0) => Err(Problem::bad_request(format!(
                    "'{name}' parameter is incorrect. parameter value {{{negative}}} is not valid: \
                     must be greater than or equal to 0"
                ))),
                _ => Err(Problem::bad_request(format!(
                    "'{name}' parameter is incorrect. parameter value {{{text}}} is not valid: \
                     must be a number from 0 to 2147483647"
                ))),
            },
        }
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

    /// `metadata` of a record that is written now (folio-platform §0).
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
