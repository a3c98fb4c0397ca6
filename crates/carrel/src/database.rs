//! The database server of this process: the embedded one, or an external one.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use store::{
    db::Address,
    embedded::{self, Embedded, EmbeddedError},
};
use tokio_postgres::error::SqlState;

use crate::config::{Config, Secret};

const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// Time limit for an answer of a server, or of all servers of a cluster together.
const ANSWER: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A server that is ready; keeps the embedded one running.
pub struct DatabaseServer {
    address: Address,
    embedded: Option<Embedded>,
}

impl DatabaseServer {
    /// Starts the embedded server, or waits for the one at `database_url`.
    pub async fn open(config: &Config) -> anyhow::Result<Self> {
        Self::open_for(Purpose::Work, config).await
    }

    /// The same for a command: if another Carrel runs the embedded server, uses that one.
    pub async fn open_beside(config: &Config) -> anyhow::Result<Self> {
        Self::open_beside_for(Purpose::Work, config).await
    }

    /// The same to examine a server in any state; does not wait for it.
    pub async fn open_to_examine(config: &Config) -> anyhow::Result<Self> {
        Self::open_beside_for(Purpose::Look, config).await
    }

    async fn open_for(purpose: Purpose, config: &Config) -> anyhow::Result<Self> {
        let patience = match purpose {
            Purpose::Work => Duration::from_secs(config.database_wait_seconds),
            Purpose::Look => Duration::ZERO,
        };
        match &config.database_url {
            Some(url) => Self::reach(purpose, url, patience).await,
            None => Self::embed(config).await,
        }
    }

    async fn open_beside_for(purpose: Purpose, config: &Config) -> anyhow::Result<Self> {
        match Self::open_for(purpose, config).await {
            Err(error) if in_use(&error) => {
                let address = Address::plain(Embedded::beside(&config.data_dir));
                answer(purpose, &address).await.map_err(|problem| anyhow::anyhow!("{error} ({problem})"))?;
                Ok(Self { address, embedded: None })
            }
            outcome => outcome,
        }
    }

    async fn embed(config: &Config) -> anyhow::Result<Self> {
        let settings = embedded::Settings {
            programs_dir: config.postgres_bin_dir.clone(),
            account: config.postgres_user.clone(),
            max_connections: config.database_max_connections,
            ..embedded::Settings::new(&config.data_dir)
        };
        let started = tokio::task::spawn_blocking(move || Embedded::start(&settings)).await;
        let embedded = started.context("the start of PostgreSQL was interrupted")?;
        let embedded = embedded.map_err(|error: EmbeddedError| anyhow::anyhow!(error))?;
        Ok(Self { address: Address::ours(embedded.connection_config()), embedded: Some(embedded) })
    }

    async fn reach(purpose: Purpose, url: &Secret, patience: Duration) -> anyhow::Result<Self> {
        let mut address = Address::from_url(url.reveal()).context("the setting `database_url` cannot be used")?;
        if matches!(purpose, Purpose::Look) {
            address = address.to_any_server();
        }
        let deadline = Instant::now() + patience;
        let mut pause = FIRST_PAUSE;
        while let Err(problem) = answer(purpose, &address).await {
            let place = address.place();
            let waited = patience.as_secs();
            if Instant::now() + pause > deadline || matches!(problem, Problem::Lasting(_)) {
                match problem {
                    Problem::Lasting(error) => {
                        bail!("the database at {place} cannot be used: {error}")
                    }
                    Problem::Passing(error) => bail!(
                        "the database at {place} could not be reached for {waited} seconds: {error}. \
                         Is it running, and is `database_url` right?"
                    ),
                    Problem::ReadOnly(error) => bail!(
                        "the database at {place} took no changes for {waited} seconds: {error}. Promote \
                         it, or name the primary in `database_url`, best every server of the cluster, \
                         with target_session_attrs=read-write"
                    ),
                }
            }
            match problem {
                Problem::ReadOnly(error) => {
                    tracing::warn!(place, error, ?pause, "waiting for a database that takes changes")
                }
                problem => tracing::warn!(
                    place,
                    error = %problem,
                    ?pause,
                    "the database cannot be reached; trying again"
                ),
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        Ok(Self { address, embedded: None })
    }

    pub fn address(&self) -> Address {
        self.address.clone()
    }

    /// Starts a checkpoint of what the start has created, while no client waits for it; otherwise a stop soon after
    /// would have to write it.
    pub fn settle(&self) {
        if self.embedded.is_none() {
            return;
        }
        let address = self.address();
        tokio::spawn(async move {
            // On failure the server is stopping, or the next checkpoint does it.
            if let Ok(client) = address.connect().await {
                let _ = client.batch_execute("CHECKPOINT").await;
            }
        });
    }

    /// Stops the embedded server.
    pub async fn close(self) {
        if let Some(embedded) = self.embedded {
            // Blocking work; it fails only by a panic, which has then been reported.
            let _ = tokio::task::spawn_blocking(move || embedded.stop()).await;
            tracing::info!("PostgreSQL is stopped");
        }
    }
}

fn in_use(error: &anyhow::Error) -> bool {
    let embedded = error.downcast_ref::<EmbeddedError>();
    matches!(embedded, Some(EmbeddedError::InUse { .. }))
}

/// What a database server is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To read and write.
    Work,
    /// To examine it.
    Look,
}

/// Why Carrel cannot use a database.
enum Problem {
    /// May end by itself: the server is starting, the network is down.
    Passing(String),
    /// The server is read-only: a standby, until it is promoted.
    ReadOnly(String),
    /// Needs a person to fix it.
    Lasting(String),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Passing(text) | Self::ReadOnly(text) | Self::Lasting(text)) = self;
        f.write_str(text)
    }
}

/// [`check`]s a server that may be frozen.
async fn answer(purpose: Purpose, address: &Address) -> Result<(), Problem> {
    let silent = |_| Err(Problem::Passing("the server does not answer".to_owned()));
    let checked = tokio::time::timeout(ANSWER, check(purpose, address)).await;
    checked.unwrap_or_else(silent)
}

/// Connects once, and checks that Carrel can work with the server.
async fn check(purpose: Purpose, address: &Address) -> Result<(), Problem> {
    let client = address.connect().await.map_err(sort)?;
    let row = client.query_one(store::statements::system::SERVER, &[]).await.map_err(sort)?;
    let (number, version, encoding): (i32, String, String) =
        (row.get("number"), row.get("version"), row.get("encoding"));
    let oldest = embedded::OLDEST_VERSION;
    if number / 10_000 < i32::try_from(oldest).unwrap_or(i32::MAX) {
        return Err(Problem::Lasting(format!(
            "it is PostgreSQL {version}, and Carrel needs version {oldest} or later"
        )));
    }
    if encoding != "UTF8" {
        return Err(Problem::Lasting(format!(
            "its encoding is {encoding}, and Carrel needs a database in UTF8 \
             (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0)"
        )));
    }
    let (is_standby, is_read_only): (bool, bool) = (row.get("is_standby"), row.get("is_read_only"));
    match purpose {
        Purpose::Work if is_standby => Err(Problem::ReadOnly("it is a standby that follows another server".to_owned())),
        Purpose::Work if is_read_only => {
            Err(Problem::ReadOnly("it is set to be read only (default_transaction_read_only)".to_owned()))
        }
        _ => Ok(()),
    }
}

/// A server that answers with a refusal will refuse again, unless it is only starting or full.
fn sort(error: tokio_postgres::Error) -> Problem {
    let passing = [
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
    ];
    match error.as_db_error() {
        Some(refusal) if !passing.contains(refusal.code()) => Problem::Lasting(refusal.message().to_owned()),
        Some(refusal) => Problem::Passing(refusal.message().to_owned()),
        None => without_answer(&error),
    }
}

fn without_answer(error: &tokio_postgres::Error) -> Problem {
    let text = store::with_causes(error);
    if text.contains("does not allow writes") {
        let text = "none of its servers takes changes (target_session_attrs=read-write)";
        return Problem::ReadOnly(text.to_owned());
    }
    if let Some((_, advice)) = ADVICE.iter().find(|(message, _)| text.contains(message)) {
        return Problem::Lasting(format!("{text}. {advice}"));
    }
    // A missing certificate or password does not appear by itself.
    let lasting = ["certificate", "TLS", "password missing", "invalid configuration"];
    match lasting.iter().any(|word| text.contains(word)) {
        true => Problem::Lasting(text),
        false => Problem::Passing(text),
    }
}

/// Advice for failed encryption: a message of the TLS library, and what to do.
const ADVICE: [(&str, &str); 5] = [
    (
        "UnknownIssuer",
        "No authority that Carrel trusts has signed the server's certificate: name the PEM file of its authority \
         with sslrootcert=FILE in `database_url`, or use sslmode=require to encrypt without a check",
    ),
    (
        "BadSignature",
        "The file in sslrootcert is of another authority than the one that signed the server's certificate, \
         though of the same name",
    ),
    (
        "not valid for name",
        "Use the host name its certificate was made for in `database_url`, or have one made for this name",
    ),
    ("certificate expired", "Renew the server's certificate, and check the clocks of both machines"),
    (
        "server does not support TLS",
        "Turn TLS on there (ssl = on in postgresql.conf), or use sslmode=disable where the network between \
         is yours alone",
    ),
];
