//! A library of one test: its own database, its own server on free ports, its own clock.

use std::{future::Future, sync::Arc};

use api::{
    app::{App, Settings},
    platform::{Installation, install},
};
use identity::{
    door::Limits,
    modules::{AUTHTOKEN, Action, Catalogue, Wanted},
};
use store::Database;
use tokio::{net::TcpListener, sync::watch};

use crate::{Client, TestClock, server::Server, server::TENANT};

/// Key of the tests' tokens.
const SECRET: &[u8] = b"a key for tests only, thirty-two";

/// A running Carrel with one tenant.
pub struct Library {
    /// The application inside.
    pub app: Arc<App>,
    /// The clock that requests are judged by.
    pub clock: TestClock,
    /// The tenant's id.
    pub tenant: &'static str,
    /// A client without token: the tenant has every module but mod-authtoken, so everything is served.
    pub open: Client,
    /// Address of the staff port, `http://127.0.0.1:port`.
    pub staff: String,
    stop: watch::Sender<bool>,
}

/// A library with every module but mod-authtoken enabled, and nothing in it.
pub async fn library() -> Library {
    library_with(|settings| settings.allow_open_tenants = true).await
}

/// The same, with settings of the test's own.
pub async fn library_with(change: impl FnOnce(&mut Settings)) -> Library {
    let database = Server::get().await.clone_database().await;
    let clock = TestClock::default();
    let mut settings = Settings {
        // Tests say when jobs run.
        run_jobs: false,
        // What blocks a user is tested without what stands before it, unless a test is about that.
        door: Limits {
            of_address: u32::MAX,
            of_user: u32::MAX,
        },
        ..Settings::default()
    };
    change(&mut settings);
    let app = boot(database, settings, &clock);
    app.refresh_tenants().await.expect("tenants");
    let (folio, staff) = (listener().await, listener().await);
    let base = address(&folio);
    let staff_base = address(&staff);
    let (stop, stopped) = watch::channel(false);
    let running = api::server::serve(
        Arc::clone(&app),
        folio,
        staff,
        None,
        Stopped(stopped).wait(),
    );
    tokio::spawn(running);
    let open = Client::new(&base, &[("x-okapi-tenant", TENANT)]);
    Library {
        app,
        clock,
        tenant: TENANT,
        open,
        staff: staff_base,
        stop,
    }
}

pub(crate) fn boot(database: Database, settings: Settings, clock: &TestClock) -> Arc<App> {
    let collections = api::folio::all_collections();
    let routes = api::folio::all_routes(&collections)
        .build()
        .unwrap_or_else(|faults| panic!("routes: {faults:#?}"));
    let keys = identity::tokens::Keys::new(SECRET);
    let ticking = clock.clone();
    let clock = Arc::new(move || ticking.now());
    Arc::new(App::new(
        database,
        collections,
        routes,
        keys,
        settings,
        clock,
    ))
}

/// Every module but mod-authtoken, with nothing but what modules always bring.
pub(crate) async fn enable_everything(app: &App) {
    let all = Catalogue::built_in_ids();
    let modules = all.into_iter().filter(|id| !id.starts_with(AUTHTOKEN));
    let enable = |id| Wanted {
        id,
        action: Action::Enable,
    };
    let mut wanted: Vec<_> = modules.map(enable).collect();
    // Other modules need it, so it comes with them.
    wanted.push(Wanted {
        id: AUTHTOKEN.into(),
        action: Action::Disable,
    });
    let request = Installation {
        wanted,
        ..Installation::default()
    };
    install(app, TENANT, &request).await.expect("modules");
}

async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.expect("a free port")
}

fn address(listener: &TcpListener) -> String {
    format!("http://{}", listener.local_addr().expect("an address"))
}

#[derive(Clone)]
struct Stopped(watch::Receiver<bool>);

impl Stopped {
    fn wait(mut self) -> impl Future<Output = ()> + Clone + Send + 'static {
        use std::pin::Pin;
        let waiting: Pin<Box<dyn Future<Output = ()> + Send>> =
            Box::pin(async move { drop(self.0.wait_for(|stop| *stop).await) });
        futures_util::FutureExt::shared(waiting)
    }
}

impl Library {
    /// A client with that token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Client {
        Client::new(
            self.open.base(),
            &[("x-okapi-tenant", self.tenant), ("x-okapi-token", token)],
        )
    }
}

impl Library {
    /// Runs the jobs that are due by the test's clock, and those that follow from them; how many. What a schedule wants is
    /// known from the first call on.
    ///
    /// # Panics
    /// When the database refuses.
    pub async fn run_jobs(&self) -> usize {
        let mut runner = api::background::runner(Arc::clone(&self.app));
        runner.run_due().await.expect("jobs")
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
    }
}
