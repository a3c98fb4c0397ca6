//! `carrel serve`: starts the database, the ports and the application, and stops them again.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use api::Numbering;
use api::app::{Administrator, Settings};
use api::assembly::assemble;
use api::server::{self, Bounds, Origins, Patience};
use api::spool;
use futures_util::FutureExt;
use identity::door;
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusBuilder;
use store::{Database, db::Limits, embedded};

use crate::announce::announce;
use crate::cli::ServeOptions;
use crate::config::{Config, Origin, Secret, SettingFlags};
use crate::counters;
use crate::database::DatabaseServer;
use crate::listeners::{ByDefault, Listeners};
use crate::logging;
use crate::metrics_help;
use crate::open_files::{self, Share};
use crate::sample_command;
use crate::self_checks;
use crate::stop::StopSignal;

/// Buckets of the metrics' durations, in seconds: a check-out, a report, a nightly job.
const SECONDS: [f64; 16] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0];

/// Connections to the private PostgreSQL beside those of a tenant: three reserved for its administrator, and some for
/// the shared schema.
const BESIDE_TENANTS: u32 = 7;

/// Serves until a signal says to stop.
pub fn run(flags: &SettingFlags, options: &ServeOptions) -> anyhow::Result<()> {
    let (config, resolved) = Config::load(flags)?;
    let log = logging::start_for_server(&config)?;
    let is_default = |setting| matches!(resolved.text(setting).1, Origin::Default);
    let by_default = ByDefault { archives: is_default("archives_listen"), sip2: is_default("sip2_listen") };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the threads")?;
    let outcome = runtime.block_on(serve(config, options, by_default, log.writing()));
    // A cancelled start may still occupy a thread; the process does not wait for it.
    runtime.shutdown_background();
    outcome
}

async fn serve(
    config: Config,
    options: &ServeOptions,
    by_default: ByDefault,
    write_log: impl FnOnce() + Send + 'static,
) -> anyhow::Result<()> {
    let stop = StopSignal::listen(write_log).context("cannot listen for signals")?;
    let share = Share::of(open_files::raise()).settle(&config);
    let self_checks = self_checks::settings(&config, share.terminals)?;
    let mut settings = api_settings(&config, options, share)?;
    let listeners = Listeners::bind(&config, by_default).await?;
    let server = tokio::select! {
        server = DatabaseServer::open(&config) => server?,
        () = stop.clone().requested() => return Ok(()),
    };
    let folder = data_folder(&config);
    settings.search_directory = folder.map(|folder| folder.join("search"));
    settings.spool.directory = folder.map(Path::to_owned);
    let database = Database::at(server.address(), tenant_connections(&config)).with_limits(limits(&config));
    let outcome = tokio::select! {
        outcome = serve_on(&server, database.clone(), settings, self_checks, listeners, stop.clone()) => outcome,
        () = too_long_after(stop, Duration::from_secs(config.stop_timeout_seconds)) => Ok(()),
    };
    database.close();
    server.close().await;
    outcome
}

async fn serve_on(
    server: &DatabaseServer,
    database: Database,
    settings: Settings,
    self_checks: self_check::Settings,
    listeners: Listeners,
    stop: StopSignal,
) -> anyhow::Result<()> {
    let app = tokio::select! {
        app = assemble(database, settings, Arc::new(Timestamp::now)) => app?,
        // Nothing is served yet, and transactions already begun are rolled back.
        () = stop.clone().requested() => return Ok(()),
    };
    if app.settings.sample_library {
        tokio::select! {
            made = sample_command::ensure(&app) => made?,
            // The next start creates it again.
            () = stop.clone().requested() => return Ok(()),
        }
    }
    let metrics = PrometheusBuilder::new()
        .set_buckets(&SECONDS)
        .context("cannot start the metrics")?
        .install_recorder()
        .context("cannot start the metrics")?;
    metrics_help::describe();
    counters::begin(&listeners);
    announce(&app.settings, &listeners)?;
    server.settle();
    let Listeners { folio, staff, archives, sip2 } = listeners;
    let stopped = stop.requested().shared();
    let terminals = sip2.map(|listener| {
        let app = Arc::clone(&app);
        tokio::spawn(self_check::serve(app, listener, self_checks, stopped.clone()))
    });
    api::server::serve(app, server::Listeners { folio, staff, archives }, Some(metrics), stopped).await;
    match terminals {
        // The self-checks stop as well; running transactions are finished.
        Some(terminals) => terminals.await.context("the self-checks' task failed"),
        None => Ok(()),
    }
}

fn api_settings(config: &Config, options: &ServeOptions, share: Share) -> anyhow::Result<Settings> {
    let bounds = |all| Bounds {
        of_one: config.http_connections_per_address.map_or(Bounds::of(all).of_one, |of_one| of_one.min(all)),
        all,
    };
    Ok(Settings {
        okapi_url: config.public_okapi_url(),
        allow_open_tenants: config.allow_open_tenants,
        body_limit: config.body_limit_bytes,
        bodies_limit: config.bodies_limit_bytes,
        folio_connections: bounds(share.folio),
        staff_connections: bounds(share.staff),
        archives_connections: bounds(share.archives),
        archives_tenant: config.archives_tenant.clone(),
        archives_admin_password: revealed(&config.archives_admin_password),
        archives_url: config.archives_url.trim_end_matches('/').to_owned(),
        arks: Numbering {
            authority: config.archives_ark_naan.clone(),
            address: config
                .archives_ark_url
                .as_deref()
                .unwrap_or(&config.archives_url)
                .trim_end_matches('/')
                .to_owned(),
            delimiter: config.archives_ark_delimiter.clone().unwrap_or_default(),
        },
        most_printed_pages: api::MOST_PRINTED_PAGES,
        search_patience: Duration::from_secs(1),
        // Known when the database is open.
        search_directory: None,
        lab_directory: Some(config.lab_results.clone().unwrap_or_else(|| config.data_dir.join("lab-results"))),
        files_directory: Some(config.files.clone().unwrap_or_else(|| config.data_dir.join("files"))),
        patience: Patience {
            silence: Duration::from_secs(config.http_silence_seconds),
            idle: Duration::from_secs(config.http_idle_seconds),
        },
        trusted_proxies: addresses(&config.trusted_proxies)?,
        allowed_origins: origins(&config.allowed_origins)?,
        door: door::Limits { of_address: config.log_in_failures_per_address, of_user: config.log_in_failures_per_user },
        metrics_token: revealed(&config.metrics_token),
        access_token_seconds: config.access_token_seconds.into(),
        refresh_token_seconds: config.refresh_token_seconds.into(),
        legacy_tokens: config.legacy_tokens,
        cookie_same_site: config.cookie_same_site.as_str().into(),
        allow_unsafe_batches: config.allow_unsafe_batches,
        use_at_location: config.use_at_location,
        sample_library: options.sample,
        run_jobs: config.run_jobs,
        events: event_settings(config),
        spool: spool_settings(config),
        administrator: administrator(config),
    })
}

fn revealed(secret: &Option<Secret>) -> Option<String> {
    secret.as_ref().map(|secret| secret.reveal().to_owned())
}

fn origins(list: &Option<String>) -> anyhow::Result<Origins> {
    let list = list.as_deref().unwrap_or_default();
    list.parse().context("the setting `allowed_origins`")
}

fn addresses(list: &Option<String>) -> anyhow::Result<Vec<IpAddr>> {
    let list = list.as_deref().unwrap_or_default().split(',').map(str::trim);
    let addresses = list.filter(|entry| !entry.is_empty()).map(|entry| {
        let expected = || format!("the setting `trusted_proxies`: {entry:?} is no address, such as 10.0.0.7");
        entry.parse().with_context(expected)
    });
    addresses.collect()
}

/// The private PostgreSQL has room for a tenant's connections and those beside them: its own, and those of the shared
/// schema.
fn tenant_connections(config: &Config) -> usize {
    let wanted = config.database_tenant_connections;
    match config.database_url {
        Some(_) => wanted,
        None => {
            let room = config.database_max_connections.saturating_sub(BESIDE_TENANTS);
            wanted.min(usize::try_from(room).unwrap_or(wanted)).max(1)
        }
    }
}

fn limits(config: &Config) -> Limits {
    let seconds = |seconds: u32| Duration::from_secs(seconds.max(1).into());
    Limits {
        desk: seconds(config.desk_timeout_seconds),
        records: seconds(config.request_timeout_seconds),
        streams: seconds(config.stream_timeout_seconds),
        ..Limits::default()
    }
}

/// The folder for data. The private database's first start makes it, for its own account; with a database elsewhere, this does. If
/// there can be none, search indexes and answers that wait for slow clients are in temporary folders.
fn data_folder(config: &Config) -> Option<&Path> {
    let folder = config.data_dir.as_path();
    let made = embedded::make_folder(folder);
    // One that another account made may be there and take nothing.
    let usable = made.and_then(|()| tempfile::tempfile_in(folder));
    if let Err(error) = &usable {
        let folder = folder.display();
        tracing::warn!(%error, %folder, "data_dir takes no files: search indexes are built again after each start");
    }
    usable.is_ok().then_some(folder)
}

fn spool_settings(config: &Config) -> spool::Settings {
    spool::Settings {
        // Known when the database has started.
        directory: None,
        bytes: u64::from(config.stream_spool_megabytes) << 20,
        idle: Duration::from_secs(config.stream_idle_seconds.max(1).into()),
        whole: limits(config).streams,
    }
}

fn event_settings(config: &Config) -> events::Settings {
    events::Settings {
        private_webhooks: config.allow_private_webhooks,
        okapi_url: config.public_okapi_url(),
        backlog_events: config.events_backlog.into(),
        backlog_hours: config.events_backlog_hours,
        kafka_brokers: config.kafka_brokers.clone(),
        kafka_environment: config.kafka_environment.clone(),
    }
}

fn administrator(config: &Config) -> Option<Administrator> {
    Some(Administrator {
        tenant: config.admin_tenant.clone(),
        username: config.admin_username.clone()?,
        password: config.admin_password.as_ref()?.reveal().to_owned(),
    })
}

/// Ends when requests still running at the order to stop have had their time.
async fn too_long_after(stop: StopSignal, patience: Duration) {
    stop.requested().await;
    tokio::time::sleep(patience).await;
    tracing::warn!(?patience, "requests still run; stopping all the same");
}
