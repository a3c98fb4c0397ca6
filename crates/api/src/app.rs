//! The application: the state that all requests share.

use std::{
    collections::{HashMap, HashSet},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};

use arc_swap::ArcSwap;
use identity::{
    access::Directory,
    door::{Door, Limits},
    modules::{self, Module},
    staff_sessions::StaffSessions,
    tokens::Keys,
};
use indexing::Pace;
use jiff::Timestamp;
use store::{
    Database, Session, StoreError,
    collection::Collection,
    db::Lane,
    tenants::{self, Tenant, schema_name},
};

use crate::{
    connection::{Bounds, Patience},
    origins::Origins,
    room::Room,
    route::RouteTable,
    spool::{self, Spools},
};

/// The API settings an operator can change.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Public address of the gateway, without a trailing slash.
    pub okapi_url: String,
    /// Serve tenants that have not enabled mod-authtoken to requests without a token.
    pub allow_open_tenants: bool,
    /// Largest request body, in bytes.
    pub body_limit: usize,
    /// Total size of all request bodies in flight, in bytes.
    pub bodies_limit: usize,
    /// Limits on concurrent connections to the FOLIO port.
    pub folio_connections: Bounds,
    /// Limits on concurrent connections to the staff port.
    pub staff_connections: Bounds,
    /// How long to wait for clients.
    pub patience: Patience,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpAddr>,
    /// Origins whose pages may use the user's cookies.
    pub allowed_origins: Origins,
    /// Limits on password attempts.
    pub door: Limits,
    /// Token required to read `/metrics`. If absent, only requests from this machine may read it.
    pub metrics_token: Option<String>,
    /// Lifetime of an access token, in seconds.
    pub access_token_seconds: i64,
    /// Lifetime of a refresh token, in seconds.
    pub refresh_token_seconds: i64,
    /// Offer `/authn/login`, whose token never expires.
    pub legacy_tokens: bool,
    /// `SameSite` of the cookies: `None`, `Lax` or `Strict`.
    pub cookie_same_site: String,
    /// Let batches ignore `_version` (`…/batch/synchronous-unsafe`).
    pub allow_unsafe_batches: bool,
    /// Allow loans for use at location, where the loan policy provides for them.
    pub use_at_location: bool,
    /// Load the sample library, whose password is public.
    pub sample_library: bool,
    /// Whether this process runs background jobs.
    pub run_jobs: bool,
    /// Events and their delivery.
    pub events: events::Settings,
    /// Buffering of large responses to slow clients.
    pub spool: spool::Settings,
    /// The library whose archives are served on the port of the archives; not needed if there is only one.
    pub archives_tenant: Option<String>,
    /// The initial password of the archives' user `admin`, who is created at start-up if missing.
    pub archives_admin_password: Option<String>,
    /// Where clients find the archives' API, before the addresses of records that exports hold.
    pub archives_url: String,
    /// How the archives make ARKs.
    pub arks: archives::arks::Numbering,
    /// The folder of the search indexes; without one they are in temporary folders.
    pub search_directory: Option<PathBuf>,
    /// Folder with the results of the performance lab, which the staff pages show.
    pub lab_directory: Option<PathBuf>,
    /// Folder of files that requests name, for each tenant a folder with its id.
    pub files_directory: Option<PathBuf>,
    /// How long a search waits for what was saved before it.
    pub search_patience: Duration,
    /// How many pages a printed finding aid of the archives has at most.
    pub most_printed_pages: usize,
    /// Limits on concurrent connections to the archives' port.
    pub archives_connections: Bounds,
    /// The platform administrator, created at start-up if missing.
    pub administrator: Option<Administrator>,
}

/// An administrator to create at start-up if missing.
#[derive(Clone)]
pub struct Administrator {
    /// Tenant id. The tenant is created if missing.
    pub tenant: String,
    /// The user name.
    pub username: String,
    /// Initial password. An existing user keeps theirs.
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
            archives_tenant: None,
            archives_admin_password: None,
            archives_url: "http://localhost:8089".into(),
            arks: archives::arks::Numbering::default(),
            search_directory: None,
            lab_directory: None,
            files_directory: None,
            search_patience: Duration::from_secs(1),
            most_printed_pages: ::archives::printing::MOST_PAGES,
            archives_connections: Bounds::of(1024),
            administrator: None,
        }
    }
}

/// Returns the current time. Tests move it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The state that all requests share.
pub struct App {
    /// The database.
    pub database: Database,
    /// Every declared collection.
    pub collections: Vec<Arc<Collection>>,
    /// Every route.
    pub routes: RouteTable,
    /// The modules this program provides, as it announces them.
    pub modules: Vec<Arc<Module>>,
    /// Keys for signing tokens.
    pub keys: Keys,
    /// Settings.
    pub settings: Settings,
    /// The clock.
    pub clock: Clock,
    /// Wakes the job runner. Ring it for a tenant after adding a job for that tenant.
    pub bell: jobs::Bell,
    /// Delivers events.
    pub events: Arc<events::Pump>,
    /// Limits and runs password checks.
    pub door: Door,
    /// Memory budget for request bodies.
    pub bodies: Arc<Room>,
    /// Buffers for large responses to slow clients.
    pub spools: Spools,
    tenants: ArcSwap<HashMap<String, Arc<TenantState>>>,
}

/// A tenant's data and caches, as requests use them.
pub struct TenantState {
    /// Its row in the tenant list.
    pub tenant: Tenant,
    /// Name of the schema that holds its tables.
    pub schema: String,
    /// Cache of users and their permissions.
    pub directory: Arc<Directory>,
    /// Sessions of the staff pages.
    pub staff: Arc<StaffSessions>,
    /// The circulation configuration, kept in memory.
    pub desk: Arc<desk::Desk>,
    /// What is remembered of the archives.
    pub archives: Arc<archives::remembered::Remembered>,
    /// The search of the catalogue, once it is used.
    pub catalogue: Arc<OnceLock<Arc<catalogue::Catalogue>>>,
    products: HashSet<String>,
}

impl TenantState {
    fn new(tenant: Tenant, before: Option<&Arc<TenantState>>, settings: &Settings) -> Self {
        let products = tenant.modules.iter().map(|id| product(id).to_owned()).collect();
        let directory = before.map_or_else(Arc::default, |state| Arc::clone(&state.directory));
        let new_desk = || Arc::new(desk::Desk::new(settings.use_at_location));
        let desk = before.map_or_else(new_desk, |state| Arc::clone(&state.desk));
        let archives = before.map_or_else(Arc::default, |state| Arc::clone(&state.archives));
        let staff = before.map_or_else(Arc::default, |state| Arc::clone(&state.staff));
        let catalogue = before.map_or_else(Arc::default, |state| Arc::clone(&state.catalogue));
        Self { schema: schema_name(&tenant.id), directory, staff, desk, archives, catalogue, products, tenant }
    }

    /// Notes that this process has written: the next search waits for it.
    pub(crate) fn wrote(&self) {
        if let Some(catalogue) = self.catalogue.get() {
            catalogue.wrote();
        }
    }

    /// True while the tenant has any version of the product enabled.
    pub fn has_module(&self, product: &str) -> bool {
        self.products.contains(product)
    }
}

/// The context a job runs in.
#[derive(Clone)]
pub struct Place {
    /// The application.
    pub app: Arc<App>,
    /// The tenant.
    pub tenant: Arc<TenantState>,
}

/// The product of a module id: `mod-users` of `mod-users-19.5.0`.
pub fn product(module_id: &str) -> &str {
    module_id
        .match_indices('-')
        .find(|(place, _)| module_id[place + 1..].starts_with(|c: char| c.is_ascii_digit()))
        .map_or(module_id, |(place, _)| &module_id[..place])
}

impl App {
    /// Builds the application from its parts. Call [`App::refresh_tenants`] before serving.
    pub fn new(
        database: Database,
        collections: Vec<Arc<Collection>>,
        routes: RouteTable,
        keys: Keys,
        settings: Settings,
        clock: Clock,
    ) -> Self {
        let tenants = ArcSwap::default();
        let events = events::Settings { okapi_url: settings.okapi_url.clone(), ..settings.events.clone() };
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

    /// Reloads the tenant list, keeping the caches of tenants that still exist and the old list on an error. Runs every
    /// few seconds, because other processes on the same database change the list too.
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

    /// Drops the caches of a tenant whose data was replaced or removed.
    pub(crate) fn forget_tenant(&self, id: &str) {
        self.tenants.rcu(|tenants| {
            let mut tenants = HashMap::clone(tenants);
            tenants.remove(id);
            tenants
        });
    }

    /// Looks up a tenant by id.
    pub fn tenant(&self, id: &str) -> Option<Arc<TenantState>> {
        self.tenants.load().get(id).cloned()
    }

    /// All tenants.
    pub fn all_tenants(&self) -> Vec<Arc<TenantState>> {
        self.tenants.load().values().cloned().collect()
    }

    /// A session on the tenant's tables, for background work.
    pub fn session(&self, tenant: &TenantState) -> Result<Session, StoreError> {
        self.database.session(&tenant.schema)
    }

    /// Makes sessions on the tenant's tables for its indexes.
    pub(crate) fn index_sessions(
        &self,
        tenant: &TenantState,
    ) -> impl Fn(Pace) -> Result<Session, StoreError> + Send + Sync + use<> {
        let (database, schema) = (self.database.clone(), tenant.schema.clone());
        move |pace| match pace {
            Pace::Prompt => database.session(&schema),
            Pace::Aside => database.indexing(&schema),
        }
    }

    /// A session on the tenant's tables for one request, with the connections and time limit of its lane.
    pub fn request(&self, tenant: &TenantState, lane: Lane) -> Result<Session, StoreError> {
        self.database.request(&tenant.schema, lane)
    }

    /// Looks up the collection stored in a table.
    pub fn collection(&self, table: &str) -> Option<Arc<Collection>> {
        self.collections.iter().find(|collection| collection.table == table).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_id_is_a_product_and_a_version() {
        for (id, name) in [
            ("mod-users-19.5.0", "mod-users"),
            ("mod-inventory-storage-29.0.0-SNAPSHOT.1", "mod-inventory-storage"),
            ("okapi-6.2.6", "okapi"),
            ("folio_users-9.1.0", "folio_users"),
            ("mod-users", "mod-users"),
        ] {
            assert_eq!(product(id), name);
        }
    }
}
