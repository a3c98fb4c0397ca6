//! A terminal that has signed in: its tenant, user and service point.

use std::{net::IpAddr, sync::Arc};

use api::{
    app::{App, TenantState},
    platform::SUPERTENANT,
};
use circulation::configuration::{Configuration, ServicePoint};
use identity::{
    door::{TurnedAway, Visitor},
    events::Origin,
    sign_in::{self, Name, SignInError},
};
use sip2::{Message, field};
use store::{StoreError, db::Lane};
use uuid::Uuid;

use crate::settings::Settings;

/// What is kept of a terminal between its messages; its permissions are looked up for each message.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Station {
    pub tenant: String,
    /// The user it signed in as.
    pub user: Uuid,
    pub service_point: Uuid,
}

/// Why a sign-in failed, for the log; the terminal gets no reason.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SignInFailure {
    #[error("the terminal encrypts its user name or password, which no library system can read")]
    Encrypted,
    /// The tenant is ambiguous.
    #[error(
        "nothing says which of several tenants ({0}) the terminal belongs to: let it sign in as USER@TENANT, or set \
         `sip2_tenant`"
    )]
    NoTenant(String),
    #[error("there is no tenant {0:?}: correct `sip2_tenant` or the file of `sip2_tenants`")]
    UnknownTenant(String),
    #[error(
        "wrong user name or password, or the user is inactive, in the tenant {0}: correct what the terminal sends, or \
         make the user active again"
    )]
    Refused(String),
    /// The location is not a service point.
    #[error("the location {0:?} is no service point: let the terminal send the code, the name or the id of one ({1})")]
    NoServicePoint(String, String),
    /// Neither the terminal nor its user names a service point.
    #[error("the terminal sends no location, and its user has no default service point: set one of both")]
    NoLocation,
    /// Too many failures from that address or with that name, or too many sign-ins at once.
    #[error("the terminal's password was not checked: {0}")]
    TurnedAway(#[from] TurnedAway),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where a terminal connects from.
#[derive(Debug, Clone)]
pub struct Caller<'c> {
    pub address: IpAddr,
    /// The tenant that the connection implies.
    pub tenant: Option<&'c str>,
}

/// Signs a terminal in by user name, password and location. Three round trips.
pub async fn sign_in(
    app: &App,
    settings: &Settings,
    caller: &Caller<'_>,
    message: &Message,
) -> Result<(Station, Arc<Configuration>), SignInFailure> {
    let plain = |part| matches!(message.part(part), "0" | " ");
    if !plain(sip2::Part::UserAlgorithm) || !plain(sip2::Part::PasswordAlgorithm) {
        return Err(SignInFailure::Encrypted);
    }
    let user = message.field(field::LOGIN_USER).unwrap_or_default();
    let password = message.field(field::LOGIN_PASSWORD).unwrap_or_default();
    let location = message.field(field::LOCATION).unwrap_or_default().trim();
    let (tenant, username) = tenant_of(app, settings, caller, user, location);
    let tenant = tenant?;
    let session = app.request(&tenant, Lane::Desk)?;
    let origin = Origin {
        tenant: tenant.tenant.id.clone(),
        address: Some(caller.address.to_string()),
        browser: Some("SIP2".to_owned()),
    };
    let name = Name::Username(username.to_owned());
    let now = (app.clock)();
    let signing_in = sign_in::sign_in(&session, &name, password, None, &origin, now);
    let visitor = Visitor { tenant: &tenant.tenant.id, name: username, address: Some(caller.address) };
    let account = app.door.pass(visitor, now, signing_in, sign_in::verdict).await?;
    let account = account.map_err(|error| match error {
        SignInError::Store(error) => SignInFailure::Store(error),
        SignInError::Refused { blocked } => {
            if let Some(user) = blocked {
                tenant.directory.forget_user(user);
            }
            SignInFailure::Refused(tenant.tenant.id.clone())
        }
    })?;
    let configuration = tenant.desk.current(&session).await?;
    let place = match location {
        "" => store::self_check::default_service_point(&session, account.user_id).await?,
        location => place(&configuration, location).map(|place| place.id),
    };
    let unknown = || match location {
        "" => SignInFailure::NoLocation,
        location => {
            let places = configuration.service_points.values();
            let mut names: Vec<&str> = places.map(|place| place.name.as_str()).collect();
            names.sort_unstable();
            SignInFailure::NoServicePoint(location.to_owned(), names.join(", "))
        }
    };
    let station =
        Station { tenant: tenant.tenant.id.clone(), user: account.user_id, service_point: place.ok_or_else(unknown)? };
    Ok((station, configuration))
}

/// The service point with that id, code or name.
pub fn place<'c>(configuration: &'c Configuration, named: &str) -> Option<&'c ServicePoint> {
    if let Ok(id) = Uuid::try_parse(named) {
        return configuration.service_points.get(&id);
    }
    let places = || configuration.service_points.values();
    let is = |text: Option<&str>| text.is_some_and(|text| text.eq_ignore_ascii_case(named));
    let by_code = places().find(|place| is(place.code.as_deref()));
    by_code.or_else(|| places().find(|place| is(Some(&place.name))))
}

/// The tenant of a terminal and its user name there. The first that applies: `user@tenant`, `tenant__user` as for
/// edge-sip2, the location, the connection, the setting, the only tenant there is.
fn tenant_of<'m>(
    app: &App,
    settings: &Settings,
    caller: &Caller<'_>,
    user: &'m str,
    location: &str,
) -> (Result<Arc<TenantState>, SignInFailure>, &'m str) {
    if let Some((name, tenant)) = user.rsplit_once('@')
        && let Some(tenant) = app.tenant(tenant)
    {
        return (Ok(tenant), name);
    }
    if let Some((tenant, name)) = user.split_once("__")
        && let Some(tenant) = app.tenant(tenant)
    {
        return (Ok(tenant), name);
    }
    let by_location = settings.tenants.at_location(location);
    let named = by_location.or(caller.tenant).or(settings.tenant.as_deref());
    let tenant = match named {
        Some(id) => app.tenant(id).ok_or_else(|| SignInFailure::UnknownTenant(id.to_owned())),
        None => only_tenant(app),
    };
    (tenant, user)
}

/// The only tenant with circulation. The supertenant has the module but no library, so it counts only if there is no
/// other.
fn only_tenant(app: &App) -> Result<Arc<TenantState>, SignInFailure> {
    let circulates = |tenant: &Arc<TenantState>| tenant.has_module("mod-circulation");
    let tenants = app.all_tenants().into_iter().filter(circulates);
    let (libraries, above): (Vec<_>, Vec<_>) = tenants.partition(|tenant| tenant.tenant.id != SUPERTENANT);
    let candidates = if libraries.is_empty() { above } else { libraries };
    if let [only] = candidates.as_slice() {
        return Ok(Arc::clone(only));
    }
    let mut ids: Vec<&str> = candidates.iter().map(|t| t.tenant.id.as_str()).collect();
    ids.sort_unstable();
    Err(SignInFailure::NoTenant(ids.join(", ")))
}
