//! The database server of this process: the embedded one, or the user's.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use store::db::Address;
use store::embedded::{self, Embedded, EmbeddedError};
use tokio_postgres::error::SqlState;

use crate::config::{Config, Secret};

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A server that is ready, with the embedded one kept running.
pub struct DatabaseServer {
    address: Address,
    embedded: Option<Embedded>,
}

impl DatabaseServer {
    /// Starts the embedded server, or waits for the one at `database_url`.
    pub async fn open(config: &Config) -> anyhow::Result<Self> {
        match &config.database_url {
            Some(url) => Self::reach(url, Duration::from_secs(config.database_wait_seconds)).await,
            None => Self::embed(config).await,
        }
    }

    /// The same for a command: while another Carrel runs the embedded server, that one is used.
    pub async fn open_beside(config: &Config) -> anyhow::Result<Self> {
        match Self::open(config).await {
            Err(error) if in_use(&error) => {
                let address = Address::plain(Embedded::beside(&config.data_dir));
                check(&address)
                    .await
                    .map_err(|problem| anyhow::anyhow!("{error} ({problem})"))?;
                Ok(Self {
                    address,
                    embedded: None,
                })
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
        let embedded = started.context("the start of PostgreSQL broke off")?;
        let embedded = embedded.map_err(|error: EmbeddedError| anyhow::anyhow!(error))?;
        Ok(Self {
            address: Address::plain(embedded.connection_config()),
            embedded: Some(embedded),
        })
    }

    async fn reach(url: &Secret, patience: Duration) -> anyhow::Result<Self> {
        let address =
            Address::from_url(url.reveal()).context("the setting `database_url` cannot be used")?;
        let deadline = Instant::now() + patience;
        let mut pause = FIRST_PAUSE;
        while let Err(error) = check(&address).await {
            let Problem::Passing(error) = error else {
                bail!(
                    "the database at {} cannot be used: {error}",
                    address.place()
                );
            };
            if Instant::now() + pause > deadline {
                bail!(
                    "the database at {} could not be reached for {} seconds: {error}. Is it \
                     running, and is `database_url` right?",
                    address.place(),
                    patience.as_secs()
                );
            }
            tracing::warn!(
                place = address.place(),
                error,
                ?pause,
                "the database cannot be reached; trying again"
            );
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        Ok(Self {
            address,
            embedded: None,
        })
    }

    /// Where the server is.
    pub fn address(&self) -> Address {
        self.address.clone()
    }

    /// Writes what the start created to the tables' files, while nobody waits for it: a stop soon after
    /// would have to.
    pub fn settle(&self) {
        if self.embedded.is_none() {
            return;
        }
        let address = self.address();
        tokio::spawn(async move {
            // Where it fails, the server stops, or it is done at the next checkpoint.
            if let Ok(client) = address.connect().await {
                let _ = client.batch_execute("CHECKPOINT").await;
            }
        });
    }

    /// Stops the embedded server.
    pub async fn close(self) {
        if let Some(embedded) = self.embedded {
            // Blocking work; it can only fail by a panic, which has been reported then.
            let _ = tokio::task::spawn_blocking(move || embedded.stop()).await;
            tracing::info!("PostgreSQL is stopped");
        }
    }
}

fn in_use(error: &anyhow::Error) -> bool {
    let embedded = error.downcast_ref::<EmbeddedError>();
    matches!(embedded, Some(EmbeddedError::InUse { .. }))
}

/// What stands between Carrel and a database.
enum Problem {
    /// It may go away by itself: the server is starting, the network is down.
    Passing(String),
    /// Only a person can put it right.
    Lasting(String),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Passing(text) | Self::Lasting(text)) = self;
        f.write_str(text)
    }
}

/// Connects once, and checks that Carrel can work with the server.
async fn check(address: &Address) -> Result<(), Problem> {
    let client = address.connect().await.map_err(sort)?;
    let row = client
        .query_one(
            "SELECT current_setting('server_version_num')::int, current_setting('server_version'),
                    current_setting('server_encoding')",
            &[],
        )
        .await
        .map_err(sort)?;
    let (number, version, encoding): (i32, String, String) = (row.get(0), row.get(1), row.get(2));
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
    Ok(())
}

/// A server that answers and refuses will refuse again, unless it is only starting or full.
fn sort(error: tokio_postgres::Error) -> Problem {
    let passing = [
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
    ];
    match error.as_db_error() {
        Some(refusal) if !passing.contains(refusal.code()) => {
            Problem::Lasting(refusal.message().to_owned())
        }
        Some(refusal) => Problem::Passing(refusal.message().to_owned()),
        None => without_answer(&error),
    }
}

fn without_answer(error: &tokio_postgres::Error) -> Problem {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    if let Some((_, advice)) = ADVICE.iter().find(|(said, _)| text.contains(said)) {
        return Problem::Lasting(format!("{text}. {advice}"));
    }
    // A certificate or a password that is missing does not come by itself.
    let lasting = [
        "certificate",
        "TLS",
        "password missing",
        "invalid configuration",
    ];
    match lasting.iter().any(|word| text.contains(word)) {
        true => Problem::Lasting(text),
        false => Problem::Passing(text),
    }
}

/// What to do about an encryption that does not come about: what the TLS library says, and the advice.
const ADVICE: [(&str, &str); 5] = [
    (
        "UnknownIssuer",
        "Nobody that Carrel trusts has signed the server's certificate: name the PEM file of its authority \
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
    (
        "certificate expired",
        "Renew the server's certificate, and check the clocks of both machines",
    ),
    (
        "server does not support TLS",
        "Turn TLS on there (ssl = on in postgresql.conf), or use sslmode=disable where the network between \
         is yours alone",
    ),
];
