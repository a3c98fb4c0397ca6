//! Shared by the commands that work on the data: settings, the database, the application without its ports.

use std::{future::Future, sync::Arc};

use anyhow::Context;
use api::{
    answer::Problem,
    app::{App, Settings},
    assembly::assemble,
};
use jiff::Timestamp;
use store::Database;

use crate::{
    config::{Config, SettingFlags},
    database::DatabaseServer,
    logging,
};

/// Runs `task` with the application, beside a running Carrel or alone.
pub fn with_app<T, F>(flags: &SettingFlags, task: impl FnOnce(Arc<App>) -> F) -> anyhow::Result<T>
where
    F: Future<Output = anyhow::Result<T>>,
{
    let (config, _) = Config::load(flags)?;
    logging::start(&config)?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start the threads")?;
    runtime.block_on(async {
        let server = DatabaseServer::open_beside(&config).await?;
        let settings = Settings {
            archives_tenant: config.archives_tenant.clone(),
            archives_admin_password: config
                .archives_admin_password
                .as_ref()
                .map(|password| password.reveal().to_owned()),
            ..Settings::default()
        };
        let database = Database::at(server.address(), config.database_tenant_connections);
        let outcome = match assemble(database.clone(), settings, Arc::new(Timestamp::now)).await {
            Ok(app) => task(app).await,
            Err(error) => Err(error.into()),
        };
        database.close();
        server.close().await;
        outcome
    })
}

/// A refusal of the API as an error message.
pub fn in_words(problem: Problem) -> anyhow::Error {
    match problem {
        Problem::Text(_, text) | Problem::Unquoted(_, text) | Problem::Internal(text) => {
            anyhow::anyhow!(text)
        }
        Problem::Json(_, body) | Problem::Pretty(_, body) => anyhow::anyhow!(body.to_string()),
    }
}
