//! A test's library: its own database, its own server on free ports, its own clock.

use std::{future::Future, sync::Arc, time::Duration};

use api::{
    app::{App, Settings},
    server::Listeners,
};
use identity::door::Limits;
use tokio::{net::TcpListener, sync::watch};

use crate::{
    Client, TestClock,
    boot::{TENANT, boot},
    server::{Cloned, Server},
};

/// A running Carrel with one tenant.
pub struct Library {
    pub app: Arc<App>,
    /// The server's clock.
    pub clock: TestClock,
    pub tenant: &'static str,
    /// A client without token: the tenant has every module but mod-authtoken, so everything is served.
    pub open: Client,
    /// Address of the staff port, `http://127.0.0.1:port`.
    pub staff: String,
    /// Address of the archives' port.
    pub archives: String,
    stop: watch::Sender<bool>,
    _database: Cloned,
}

/// An empty library with every module but mod-authtoken.
pub async fn library() -> Library {
    library_with(|settings| settings.allow_open_tenants = true).await
}

/// The same, with the test's own settings.
pub async fn library_with(change: impl FnOnce(&mut Settings)) -> Library {
    let cloned = Server::get().await.clone_database().await;
    let clock = TestClock::default();
    let mut settings = Settings {
        // Tests decide when jobs run.
        run_jobs: false,
        // Tests of the user block must not run into the limits before it, unless they are about those.
        door: Limits { of_address: u32::MAX, of_user: u32::MAX },
        // On a busy machine searches wait as long as it takes.
        search_patience: Duration::from_secs(600),
        ..Settings::default()
    };
    change(&mut settings);
    let app = boot(cloned.database.clone(), settings, &clock);
    app.refresh_tenants().await.expect("tenants");
    let listeners = Listeners { folio: listener().await, staff: listener().await, archives: Some(listener().await) };
    let base = address(&listeners.folio);
    let staff_base = address(&listeners.staff);
    let archives = listeners.archives.as_ref().map(address).unwrap_or_default();
    let (stop, stopped) = watch::channel(false);
    let running = api::server::serve(Arc::clone(&app), listeners, None, Stopped(stopped).wait());
    tokio::spawn(running);
    let open = Client::new(&base, &[("x-okapi-tenant", TENANT)]);
    Library { app, clock, tenant: TENANT, open, staff: staff_base, archives, stop, _database: cloned }
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
    pub fn with_token(&self, token: &str) -> Client {
        Client::new(self.open.base(), &[("x-okapi-tenant", self.tenant), ("x-okapi-token", token)])
    }
}

impl Library {
    /// Runs the jobs that are due by the test's clock, and those that follow from them. Returns how many. Schedules
    /// take effect with the first call.
    ///
    /// # Panics
    /// If the database refuses.
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
