//! Identifies the caller and the tenant (docs/folio/gateway.md#tenant-and-token).

use http::{HeaderMap, StatusCode, header};
use identity::{
    access::Access,
    tokens::{TokenError, peek_tenant},
};
use jiff::Timestamp;
use store::Session;
use uuid::Uuid;

use crate::{
    answer::Problem,
    app::{App, TenantState},
    call::Caller,
    route::Route,
};

/// The tenant of a request that names none.
pub(super) const SUPERTENANT: &str = "supertenant";

/// The token of a request: from X-Okapi-Token, Authorization, with or without `Bearer`, or the cookie. What another
/// scheme says is for somebody else, such as a proxy in front.
pub(crate) fn token(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = text("authorization").and_then(|value| match value.trim().split_once(' ') {
        Some((scheme, token)) => scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()),
        None => Some(value.trim()).filter(|token| !token.is_empty() && !token.eq_ignore_ascii_case("bearer")),
    });
    let cookies: Vec<_> = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix("folioAccessToken="))
        .filter(|token| !token.is_empty())
        .collect();
    let named = [text("x-okapi-token").filter(|token| !token.is_empty()), bearer];
    let mut found: Vec<&str> = named.into_iter().flatten().collect();
    if cookies.len() > 1 || (found.len() > 1 && found[0] != found[1]) {
        return Err(different_tokens());
    }
    if let (Some(cookie), Some(header)) = (cookies.first(), found.first())
        && cookie != header
    {
        return Err(different_tokens());
    }
    found.extend(cookies);
    Ok(found.first().map(|token| (*token).to_owned()))
}

fn different_tokens() -> Problem {
    Problem::bad_request("Different tokens in Authentication and X-Okapi-Token. Use only one of them")
}

/// The tenant id: from the header, else from the token's claim, else the supertenant.
pub(super) fn tenant_id(headers: &HeaderMap, token: Option<&str>) -> Result<String, Problem> {
    if let Some(value) = headers.get("x-okapi-tenant") {
        return match value.to_str() {
            Ok(id) if !id.is_empty() => Ok(id.to_owned()),
            _ => Err(Problem::bad_request("No such Tenant ")),
        };
    }
    let Some(token) = token else {
        return Ok(SUPERTENANT.to_owned());
    };
    peek_tenant(token).ok_or_else(|| Problem::bad_request(unparsable(token)))
}

fn unparsable(token: &str) -> String {
    let shown: String = token.chars().take(12).collect();
    format!("Invalid Token: Failed to decode:Unrecognized token '{shown}'")
}

/// Checks the token against the route's permissions. Returns the caller, if there is a token.
pub(super) async fn caller(
    app: &App,
    tenant: &TenantState,
    (route, values): (&Route, &[(String, String)]),
    headers: &HeaderMap,
    token: Option<String>,
    session: &Session,
    now: Timestamp,
) -> Result<Option<Caller>, Problem> {
    if !tenant.has_module("mod-authtoken") {
        return open_tenant(app, tenant, route).map(|()| None);
    }
    let Some(token) = token else {
        return match route.required.first() {
            None => Ok(None),
            Some(permission) => {
                Err(Problem::bad_request(format!("Token missing, access requires permission: {permission}")))
            }
        };
    };
    let claims = match app.keys.verify(&token, now) {
        Ok(claims) => claims,
        // A route that needs no permission runs with an invalid token, too: an expired cookie must not prevent a new
        // log-in.
        Err(_) if route.required.is_empty() => return Ok(None),
        Err(TokenError::Unparsable(_)) => return Err(Problem::bad_request(unparsable(&token))),
        Err(_) => return Err(refuse(StatusCode::UNAUTHORIZED, "Invalid token")),
    };
    if claims.tenant != tenant.tenant.id {
        return Err(refuse(StatusCode::FORBIDDEN, "Invalid token"));
    }
    let claimed = headers.get("x-okapi-user-id").and_then(|value| value.to_str().ok());
    if claimed.is_some_and(|id| Uuid::parse_str(id).ok() != Some(claims.user_id)) {
        return Err(refuse(StatusCode::FORBIDDEN, "Invalid token"));
    }
    if headers.get("authtoken-refresh-cache").is_some_and(|value| value == "true") {
        tenant.directory.forget();
    }
    let user = claims.user_id;
    let access = match tenant.directory.access(session, user, now).await? {
        Some(access) if claims.generation >= access.generation => access,
        _ if route.required.is_empty() => return Ok(None),
        Some(_) => return Err(refuse(StatusCode::UNAUTHORIZED, "Invalid token")),
        None => {
            let text = format!("Invalid token: User with id {user} does not exist");
            return Err(refuse(StatusCode::UNAUTHORIZED, &text));
        }
    };
    // An inactive user is anonymous on open routes and refused on others.
    if !access.active && route.required.is_empty() {
        return Ok(None);
    }
    let of_own = values.iter().any(|(name, value)| name == "tenant" && *value == tenant.tenant.id);
    permit(route, of_own, &access)?;
    Ok(Some(Caller { user_id: user, username: access.username.clone(), access, token }))
}

/// Checks that a logged-in user may call the route. `of_own_tenant`: whether `{tenant}` in its path is their own.
pub(crate) fn permit(route: &Route, of_own_tenant: bool, access: &Access) -> Result<(), Problem> {
    let user = access.user_id;
    if !access.active && !route.required.is_empty() {
        let text = format!("Invalid token: user with id {user} is not active");
        return Err(refuse(StatusCode::UNAUTHORIZED, &text));
    }
    let of_own = route.required_of_own.as_ref().filter(|_| of_own_tenant);
    let mut required = of_own.unwrap_or(&route.required).iter();
    match required.find(|permission| !access.has(permission)) {
        None => Ok(()),
        Some(missing) => {
            let name = &access.username;
            let text = format!("Access for user '{name}' ({user}) requires permission: {missing}");
            Err(refuse(StatusCode::FORBIDDEN, &text))
        }
    }
}

/// FOLIO serves a tenant without mod-authtoken to every caller; Carrel requires the operator to allow it.
pub(crate) fn open_tenant(app: &App, tenant: &TenantState, route: &Route) -> Result<(), Problem> {
    if app.settings.allow_open_tenants || route.required.is_empty() {
        return Ok(());
    }
    let id = &tenant.tenant.id;
    Err(refuse(
        StatusCode::FORBIDDEN,
        &format!(
            "Tenant {id} has no mod-authtoken enabled, so nothing protects it. Enable mod-authtoken for it, \
             or start Carrel with --allow-open-tenants to serve such tenants to everybody, as FOLIO does"
        ),
    ))
}

fn refuse(status: StatusCode, text: &str) -> Problem {
    Problem::Text(status, text.to_owned())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, http::HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn a_token_is_found_in_header_bearer_or_cookie() {
        for pairs in [
            &[("x-okapi-token", "t")][..],
            &[("authorization", "Bearer t")],
            &[("authorization", "t")],
            &[("cookie", "a=b; folioAccessToken=t; c=d")],
            &[("x-okapi-token", "t"), ("cookie", "folioAccessToken=t")],
        ] {
            assert_eq!(token(&headers(pairs)).unwrap().as_deref(), Some("t"), "{pairs:?}");
        }
        assert_eq!(token(&headers(&[])).unwrap(), None);
        assert_eq!(token(&headers(&[("authorization", "Basic x")])).unwrap(), None);
    }

    #[test]
    fn two_different_tokens_are_refused() {
        for pairs in [
            &[("x-okapi-token", "t"), ("authorization", "Bearer u")][..],
            &[("x-okapi-token", "t"), ("cookie", "folioAccessToken=u")],
            &[("cookie", "folioAccessToken=t; folioAccessToken=t")],
        ] {
            assert!(token(&headers(pairs)).is_err(), "{pairs:?}");
        }
    }

    #[test]
    fn without_header_and_token_the_tenant_is_the_supertenant() {
        assert_eq!(tenant_id(&headers(&[]), None).unwrap(), SUPERTENANT);
        assert_eq!(tenant_id(&headers(&[("x-okapi-tenant", "diku")]), None).unwrap(), "diku");
        assert!(tenant_id(&headers(&[]), Some("garbage")).is_err());
    }
}
