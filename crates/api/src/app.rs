//! The application: what every request shares.

use std::{
    collections::{HashMap, HashSet},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
};

use arc_swap::ArcSwap;
use identity::{
    access::Directory,
    door::{Door, Limits},
    modules::{self, Module},
    tokens::Keys,
};
use jiff::Timestamp;
use store::{
    Database, Session, StoreError,
    collection::Collection,
    db::Lane,
    tenants::{self, Tenant, schema_name},
};

use crate::{
    gateway::{Origins, Room},
    route::RouteTable,
    server::{Bounds, Patience},
    spool::{self, Spools},
};

/// What an operator can set about the API.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where clients reach the gateway, without a trailing slash.
    pub okapi_url: String,
    /// Serve tenants that have no mod-authtoken enabled without any token.
    pub allow_open_tenants: bool,
    /// Largest request body, in bytes.
    pub body_limit: usize,
    /// Request bodies in flight at once, all together, in bytes.
    pub bodies_limit: usize,
    /// Connections at once on the FOLIO port.
    pub folio_connections: Bounds,
    /// Connections at once on the staff port.
    pub staff_connections: Bounds,
    /// How long clients are waited for.
    pub patience: Patience,
    /// Proxies that are believed where a client is.
    pub trusted_proxies: Vec<IpAddr>,
    /// Pages that may use the cookies of a browser's user.
    pub allowed_origins: Origins,
    /// What clients may try with passwords.
    pub door: Limits,
    /// What readers of `/metrics` have to bring; without it they have to be on this machine.
    pub metrics_token: Option<String>,
    /// Life of an access token, in seconds.
    pub access_token_seconds: i64,
    /// Life of a refresh token, in seconds.
    pub refresh_token_seconds: i64,
    /// `/authn/login` with a token that never expires is offered.
    pub legacy_tokens: bool,
    /// `SameSite` of the cookies: `None`, `Lax` or `Strict`.
    pub cookie_same_site: String,
    /// Batches may ignore `_version` (`…/batch/synchronous-unsafe`).
    pub allow_unsafe_batches: bool,
    /// Items may be lent to be read in the library, by the loan policies that say so.
    pub use_at_location: bool,
    /// The sample library with its well-known password is loaded.
    pub sample_library: bool,
    /// This process runs jobs.
    pub run_jobs: bool,
    /// Events and who gets them.
    pub events: events::Settings,
    /// Large answers on their way to slow clients.
    pub spool: spool::Settings,
    /// Who may manage tenants and modules; made at the start when missing.
    pub administrator: Option<Administrator>,
}

/// An administrator who has to be there when the server starts.
#[derive(Clone)]
pub struct Administrator {
    /// The tenant; made when missing.
    pub tenant: String,
    /// The user name.
    pub username: String,
    /// The first password; an existing user keeps theirs.
    pub password: String,
}

impl std::fmt::Debug for Administrator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.username, self.tenant)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            okapi_url: "http://localhost:9130".into(),
            allow_open_tenants: false,
            body_limit: 32 * 1024 * 1024,
            bodies_limit: 256 * 1024 * 1024,
            folio_connections: Bounds::of(4096),
            staff_connections: Bounds::of(1024),
            patience: Patience::default(),
            trusted_proxies: vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
            allowed_origins: Origins::default(),
            door: Limits::default(),
            metrics_token: None,
            access_token_seconds: 600,
            refresh_token_seconds: 604_800,
            legacy_tokens: true,
            cookie_same_site: "Lax".into(),
            allow_unsafe_batches: false,
            use_at_location: false,
            sample_library: false,
            run_jobs: true,
            events: events::Settings::default(),
            spool: spool::Settings::default(),
            administrator: None,
        }
    }
}

/// What time it is; tests move it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What every request shares.
pub struct App {
    /// The database.
    pub database: Database,
    /// Every declared collection.
    pub collections: Vec<Arc<Collection>>,
    /// Every route.
    pub routes: RouteTable,
    /// The modules it provides, as they are announced.
    pub modules: Vec<Arc<Module>>,
    /// Keys that sign tokens.
    pub keys: Keys,
    /// Settings.
    pub settings: Settings,
    /// The clock.
    pub clock: Clock,
    /// Wakes the runner of jobs; to be rung for the tenant when a job was entered for it.
    pub bell: jobs::Bell,
    /// Delivers events.
    pub events: Arc<events::Pump>,
    /// Lets passwords be checked.
    pub door: Door,
    /// The room for request bodies.
    pub bodies: Arc<Room>,
    /// Where large answers wait for slow clients.
    pub spools: Spools,
    tenants: ArcSwap<HashMap<String, Arc<TenantState>>>,
}

/// A tenant as requests see it.
pub struct TenantState {
    /// Its row in the list.
    pub tenant: Tenant,
    /// The schema of its tables.
    pub schema: String,
    /// Users and their permissions, cached.
    pub directory: Arc<Directory>,
    /// The desk's configuration in memory.
    pub desk: Arc<desk::Desk>,
    products: HashSet<String>,
}

impl TenantState {
    fn new(tenant: Tenant, before: Option<&Arc<TenantState>>, settings: &Settings) -> Self {
        let products = tenant
            .modules
            .iter()
            .map(|id| product(id).to_owned())
            .collect();
        let directory = before.map_or_else(Arc::default, |state| Arc::clone(&state.directory));
        let new_desk = || Arc::new(desk::Desk::new(settings.use_at_location));
        let desk = before.map_or_else(new_desk, |state| Arc::clone(&state.desk));
        Self {
            schema: schema_name(&tenant.id),
            directory,
            desk,
            products,
            tenant,
        }
    }

    /// True while a version of that product is enabled.
    #[must_use]
    pub fn has_module(&self, product: &str) -> bool {
        self.products.contains(product)
    }
}

/// The product of a module id: `mod-users` of `mod-users-19.5.0`.
#[must_use]
pub fn product(module_id: &str) -> &str {
    module_id
        .match_indices('-')
        .find(|(place, _)| module_id[place + 1..].starts_with(|c: char| c.is_ascii_digit()))
        .map_or(module_id, |(place, _)| &module_id[..place])
}

impl App {
    /// Puts the parts together. Call [`App::refresh_tenants`] before serving.
    #[must_use]
    pub fn new(
        database: Database,
        collections: Vec<Arc<Collection>>,
        routes: RouteTable,
        keys: Keys,
        settings: Settings,
        clock: Clock,
    ) -> Self {
        let tenants = ArcSwap::default();
        let events = events::Settings {
            okapi_url: settings.okapi_url.clone(),
            ..settings.events.clone()
        };
        let events = events::Pump::new(database.clone(), events, Arc::clone(&clock));
        let shapes = routes.shapes();
        let modules = modules::served(|method, path| shapes.serve(method, path));
        Self {
            spools: Spools::new(settings.spool.clone()),
            database,
            collections,
            routes,
            modules,
            keys,
            door: Door::new(settings.door),
            bodies: Room::of(settings.bodies_limit),
            settings,
            clock,
            bell: jobs::Bell::default(),
            events: Arc::new(events),
            tenants,
        }
    }

    /// Reads the list of tenants again; what is cached for a tenant that is still there is kept. Other
    /// processes on the same database change the list too, so this runs every few seconds.
    ///
    /// # Errors
    /// [`StoreError`]; the old list stays.
    pub async fn refresh_tenants(&self) -> Result<(), StoreError> {
        let listed = tenants::list(&self.database).await?;
        let before = self.tenants.load();
        let now = listed
            .into_iter()
            .map(|tenant| {
                let state = before.get(&tenant.id);
                let state = match state {
                    Some(state) if state.tenant == tenant => Arc::clone(state),
                    state => Arc::new(TenantState::new(tenant, state, &self.settings)),
                };
                (state.tenant.id.clone(), state)
            })
            .collect();
        self.tenants.store(Arc::new(now));
        Ok(())
    }

    /// Forgets what is cached for a tenant, whose data was replaced or removed.
    pub fn forget_tenant(&self, id: &str) {
        self.tenants.rcu(|tenants| {
            let mut tenants = HashMap::clone(tenants);
            tenants.remove(id);
            tenants
        });
    }

    /// The tenant of that id.
    #[must_use]
    pub fn tenant(&self, id: &str) -> Option<Arc<TenantState>> {
        self.tenants.load().get(id).cloned()
    }

    /// All tenants.
    #[must_use]
    pub fn all_tenants(&self) -> Vec<Arc<TenantState>> {
        self.tenants.load().values().cloned().collect()
    }

    /// A session on that tenant's tables, for work in the background.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn session(&self, tenant: &TenantState) -> Result<Session, StoreError> {
        self.database.session(&tenant.schema)
    }

    /// The same for one request, on the connections of its lane and within its time.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn request(&self, tenant: &TenantState, lane: Lane) -> Result<Session, StoreError> {
        self.database.request(&tenant.schema, lane)
    }

    /// The collection kept in that table.
    #[must_use]
    pub fn collection(&self, table: &str) -> Option<Arc<Collection>> {
        self.collections
            .iter()
            .find(|collection| collection.table == table)
            .cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_id_is_a_product_and_a_version() {
        for (id, name) in [
            ("mod-users-19.5.0", "mod-users"),
            (
                "mod-inventory-storage-29.0.0-SNAPSHOT.1",
                "mod-inventory-storage",
            ),
            ("okapi-6.2.6", "okapi"),
            ("folio_users-9.1.0", "folio_users"),
            ("mod-users", "mod-users"),
        ] {
            assert_eq!(product(id), name);
        }
    }
}
