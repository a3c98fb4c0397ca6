//! `carrel serve`: the database, the ports, the application; and the way back down.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use api::app::{Administrator, Settings};
use api::assembly::assemble;
use futures_util::FutureExt;
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusBuilder;
use store::Database;

use crate::announce::announce;
use crate::cli::ServeOptions;
use crate::config::{Config, Origin, SettingFlags};
use crate::database::DatabaseServer;
use crate::listeners::Listeners;
use crate::logging;
use crate::sample_command;
use crate::self_checks;
use crate::stop::StopSignal;

/// Serves until a signal says to stop.
pub fn run(flags: &SettingFlags, options: &ServeOptions) -> anyhow::Result<()> {
    let (config, resolved) = Config::load(flags)?;
    logging::start(&config)?;
    let sip2_by_default = matches!(resolved.text("sip2_listen").1, Origin::Default);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the threads")?;
    let outcome = runtime.block_on(serve(config, options, sip2_by_default));
    // A start that was called off may still hold a thread; the process does not wait for it.
    runtime.shutdown_background();
    outcome
}

async fn serve(
    config: Config,
    options: &ServeOptions,
    sip2_by_default: bool,
) -> anyhow::Result<()> {
    let stop = StopSignal::listen().context("cannot listen for signals")?;
    let self_checks = self_checks::settings(&config)?;
    let listeners = Listeners::bind(&config, sip2_by_default).await?;
    let server = tokio::select! {
        server = DatabaseServer::open(&config) => server?,
        () = stop.clone().told() => return Ok(()),
    };
    let outcome = tokio::select! {
        outcome = serve_on(&server, &config, options, self_checks, listeners, stop.clone()) => outcome,
        () = too_long_after(stop, Duration::from_secs(config.stop_timeout_seconds)) => Ok(()),
    };
    server.close().await;
    outcome
}

async fn serve_on(
    server: &DatabaseServer,
    config: &Config,
    options: &ServeOptions,
    self_checks: self_check::Settings,
    listeners: Listeners,
    stop: StopSignal,
) -> anyhow::Result<()> {
    let database = Database::at(server.address(), config.database_tenant_connections);
    let app = tokio::select! {
        app = assemble(database, api_settings(config, options), Arc::new(Timestamp::now)) => app?,
        // Nothing is served yet, and what was begun in the database is undone.
        () = stop.clone().told() => return Ok(()),
    };
    if options.sample {
        tokio::select! {
            made = sample_command::ensure(&app) => made?,
            // The next start makes it anew.
            () = stop.clone().told() => return Ok(()),
        }
    }
    let metrics = PrometheusBuilder::new()
        .install_recorder()
        .context("cannot start the metrics")?;
    announce(&app.settings, &listeners)?;
    server.settle();
    let Listeners { folio, staff, sip2 } = listeners;
    let stopped = stop.told().shared();
    let terminals = sip2.map(|listener| {
        let app = Arc::clone(&app);
        tokio::spawn(self_check::serve(
            app,
            listener,
            self_checks,
            stopped.clone(),
        ))
    });
    let served = api::server::serve(app, folio, staff, Some(metrics), stopped).await;
    served.context("a port cannot be served any longer")?;
    match terminals {
        // They were told to stop, too; what runs is finished.
        Some(terminals) => terminals.await.context("the self-checks' task failed"),
        None => Ok(()),
    }
}

fn api_settings(config: &Config, options: &ServeOptions) -> Settings {
    Settings {
        okapi_url: config.public_okapi_url(),
        allow_open_tenants: config.allow_open_tenants,
        body_limit: config.body_limit_bytes,
        access_token_seconds: config.access_token_seconds.into(),
        refresh_token_seconds: config.refresh_token_seconds.into(),
        legacy_tokens: config.legacy_tokens,
        cookie_same_site: config.cookie_same_site.as_str().into(),
        allow_unsafe_batches: config.allow_unsafe_batches,
        use_at_location: config.use_at_location,
        sample_library: options.sample,
        run_jobs: config.run_jobs,
        events: event_settings(config),
        administrator: administrator(config),
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

/// Ends when the requests that still ran at the order to stop have had their time.
async fn too_long_after(stop: StopSignal, patience: Duration) {
    stop.told().await;
    tokio::time::sleep(patience).await;
    tracing::warn!(?patience, "requests still run; stopping all the same");
}
