//! A Carrel without ports, and the tenant of every test library.

use std::sync::{Arc, LazyLock};

use api::{
    app::{App, Settings},
    platform::{Installation, install},
    route::RouteTable,
};
use identity::modules::{AUTHTOKEN, Action, Registry, Wanted};
use store::{Database, collection::Collection};

use crate::TestClock;

/// The tenant of every test library.
pub(crate) const TENANT: &str = "test";

/// Key of the tests' tokens.
const SECRET: &[u8] = b"a key for tests only, thirty-two";

/// All collections, and the table of all routes. Declared once for all tests of a process, as a server does once.
pub fn routes() -> (Vec<Arc<Collection>>, RouteTable) {
    static DECLARED: LazyLock<(Vec<Arc<Collection>>, RouteTable)> = LazyLock::new(|| {
        let collections = api::folio::all_collections();
        let routes = api::folio::all_routes(&collections).build();
        let routes = routes.unwrap_or_else(|faults| panic!("routes: {faults:#?}"));
        (collections, routes)
    });
    DECLARED.clone()
}

pub(crate) fn boot(database: Database, settings: Settings, clock: &TestClock) -> Arc<App> {
    let (collections, routes) = routes();
    let keys = identity::tokens::Keys::new(SECRET);
    let ticking = clock.clone();
    let clock = Arc::new(move || ticking.now());
    Arc::new(App::new(database, collections, routes, keys, settings, clock))
}

/// Enables every module but mod-authtoken, without reference or sample data.
pub(crate) async fn enable_everything(app: &App) {
    let all = Registry::built_in_ids();
    let modules = all.into_iter().filter(|id| !id.starts_with(AUTHTOKEN));
    let enable = |id| Wanted { id, action: Action::Enable };
    let mut wanted: Vec<_> = modules.map(enable).collect();
    // Other modules need it, so it comes with them.
    wanted.push(Wanted { id: AUTHTOKEN.into(), action: Action::Disable });
    let request = Installation { wanted, ..Installation::default() };
    install(app, TENANT, &request).await.expect("modules");
}
