//! Carrel's settings: what there is to set, and what each is set to.
//!
//! A setting comes from a flag (`--folio-listen`), else the environment (`CARREL_FOLIO_LISTEN`),
//! else one TOML file (`folio_listen`), else its default. To add one, add a line to the table
//! below; the flag, the variable, the key, the documentation and the example file follow from it.

mod error;
mod print;
mod sources;
mod table;
mod value;

use std::net::SocketAddr;
use std::path::PathBuf;

pub use error::ConfigError;
pub use sources::{Origin, Resolved, SettingFlags};
pub use table::Setting;
pub use value::{LogFormat, SameSite, Secret};

table::settings! {
    /// The folder Carrel keeps everything in: its PostgreSQL database and the search index.
    /// Created when it is missing.
    data_dir: PathBuf = "data";

    /// A PostgreSQL server of your own, as postgres://USER:PASSWORD@HOST:PORT/DATABASE.
    /// Empty: Carrel runs a private PostgreSQL in data_dir. Add ?sslmode=verify-full to encrypt the
    /// connection and check the server's certificate against the system's authorities (or against
    /// &sslrootcert=FILE), ?sslmode=require to encrypt without checking.
    database_url: Option<Secret> = "";

    /// How long to wait, at the start, for a database_url that cannot be reached.
    database_wait_seconds: u64 = "60";

    /// Connections that the private PostgreSQL accepts.
    database_max_connections: u32 = "100";

    /// Connections that Carrel opens for one tenant at most. About a third of them are the desk's, a third serve lists and
    /// records, a tenth very large answers, a fifth work in the background; none takes another's.
    database_tenant_connections: usize = "20";

    /// How long the database may take over a request at the desk: check-outs, check-ins, renewals, requests, log-in.
    desk_timeout_seconds: u32 = "20";

    /// How long the database may take over any other request.
    request_timeout_seconds: u32 = "60";

    /// How long an answer may take that is sent as it is read: harvests, reports, lists of all ids.
    stream_timeout_seconds: u32 = "600";

    /// Such an answer ends when its client has read nothing for so long.
    stream_idle_seconds: u32 = "20";

    /// Megabytes in data_dir in which such answers wait for slow clients, all together.
    stream_spool_megabytes: u32 = "1024";

    /// Where the PostgreSQL server programs (postgres, initdb) are. Empty: looked for.
    postgres_bin_dir: Option<PathBuf> = "";

    /// The account the private PostgreSQL runs as when Carrel is started as root.
    /// Empty: the owner of the database, else postgres, else nobody.
    postgres_user: Option<String> = "";

    /// The address of the FOLIO API (Okapi's customary port). 127.0.0.1 serves this machine only;
    /// 0.0.0.0 serves the network, which belongs behind a proxy that speaks HTTPS.
    folio_listen: SocketAddr = "127.0.0.1:9130";

    /// The address of the staff pages, health, metrics and the API documentation.
    staff_listen: SocketAddr = "127.0.0.1:8080";

    /// The address of SIP2 for self-checks. Empty: none. When nobody sets it and the port is taken, Carrel starts without.
    sip2_listen: Option<SocketAddr> = "127.0.0.1:6001";

    /// The tenant of self-checks that name none in their user name. Empty: the only one that lends.
    sip2_tenant: Option<String> = "";

    /// The file sip2-tenants.conf of FOLIO's edge-sip2: which terminals belong to which tenant, and how they write.
    sip2_tenants: Option<PathBuf> = "";

    /// The character set of self-checks of which nothing else is known: UTF-8, IBM850 or ISO-8859-1.
    sip2_charset: String = "UTF-8";

    /// How the lines that self-checks get end: CR, CRLF, or, where it is empty, as their own lines do: a line feed for
    /// whoever sends one.
    sip2_line_end: Option<String> = "";

    /// Self-checks connected at once at most; more are turned away.
    sip2_terminals: usize = "1000";

    /// A self-check that is silent for so long is disconnected. One that was switched off is noticed in two minutes.
    sip2_idle_seconds: u64 = "86400";

    /// The URL under which clients reach the FOLIO API. Empty: http://localhost or the address of
    /// folio_listen, with its port.
    okapi_url: Option<String> = "";

    /// The tenant whose administrator may manage tenants and modules.
    admin_tenant: String = "supertenant";

    /// The user name of an administrator to create in admin_tenant at the start.
    /// Empty, or without admin_password: none.
    admin_username: Option<String> = "";

    /// The first password of that administrator. An existing one keeps theirs.
    admin_password: Option<Secret> = "";

    /// Serve tenants without the module mod-authtoken to anybody, without a token, as FOLIO does.
    /// Only for test suites that create their first administrator that way: it is no protection.
    allow_open_tenants: bool = "false";

    /// How long an access token is valid.
    access_token_seconds: u32 = "600";

    /// How long a log-in can be prolonged without the password.
    refresh_token_seconds: u32 = "604800";

    /// The SameSite attribute of the token cookies: Lax, Strict, or None for a staff application
    /// that is served from another site.
    cookie_same_site: SameSite = "Lax";

    /// Answer /authn/login with a token that never expires, for clients older than expiring tokens.
    legacy_tokens: bool = "true";

    /// Lets the batch operations named synchronous-unsafe overwrite records whatever their version,
    /// for a first load of data.
    allow_unsafe_batches: bool = "false";

    /// Items may be lent to be read in the library and be put aside there for their reader, by the loan policies that
    /// say so (forUseAtLocation); ENABLE_FOR_USE_AT_LOCATION in FOLIO.
    use_at_location: bool = "false";

    /// Webhooks may be sent to this machine and to private networks. Without it, a subscription to such
    /// an address is refused, and a name that leads there is not called.
    allow_private_webhooks: bool = "false";

    /// So many events may wait for a subscriber; past that it gets no more until it is resumed.
    events_backlog: u32 = "100000";

    /// So many hours an event may wait for a subscriber; past that it gets no more until it is resumed.
    events_backlog_hours: u32 = "72";

    /// Brokers of Kafka that events go to, as host:port,host:port. Only where Carrel was built with the
    /// feature kafka. Empty: none.
    kafka_brokers: Option<String> = "";

    /// What the names of Kafka topics begin with, ENV in FOLIO.
    kafka_environment: String = "folio";

    /// The largest request body, in bytes; a larger one is refused with 413.
    body_limit_bytes: usize = "33554432";

    /// Request bodies that are under way at once, all together, in bytes. Above it, large requests are told to come again;
    /// those of the desk are small and always taken.
    bodies_limit_bytes: usize = "268435456";

    /// Connections that folio_listen serves at once at most; staff_listen serves a quarter as many. Above it, silent
    /// connections are closed, and when all are busy, who comes is told to come again.
    /// Empty: 4096, or what the process may have open (ulimit -n).
    http_connections: Option<usize> = "";

    /// Connections of one address at once at most. Behind a proxy all are the proxy's. Empty: half of http_connections.
    http_connections_per_address: Option<usize> = "";

    /// A client may be silent for so long when it is its turn: to send a request, or to take the answer.
    http_silence_seconds: u64 = "20";

    /// A connection is kept for so long for the next request.
    http_idle_seconds: u64 = "75";

    /// Failed log-ins from one address in a minute; above it, strangers there are refused with 429 for a while. Requests from
    /// this machine itself have no such limit.
    log_in_failures_per_address: u32 = "60";

    /// Failed log-ins with one user name in a minute; above it, log-ins with it are refused with 429 for a while, except from
    /// where that user has signed in before.
    log_in_failures_per_user: u32 = "20";

    /// Proxies that are believed when they say where a client is (X-Forwarded-For), as addresses with commas.
    trusted_proxies: Option<String> = "127.0.0.1, ::1";

    /// Pages that may use the API with the cookies of a browser's user, by their origins, with commas:
    /// https://folio.example.org, or http://localhost:* for any port. Pages of other origins may use it with a token that
    /// they hold themselves. The staff pages of staff_listen need no entry.
    allowed_origins: Option<String> = "http://localhost:*, http://127.0.0.1:*";

    /// What readers of /metrics send as Authorization: Bearer. Empty: they must be on this machine, and no proxy.
    metrics_token: Option<Secret> = "";

    /// Run the jobs in the background: notices, ageing, expiry, anonymization. With several Carrels on one
    /// database each job runs once; false leaves them to the others.
    run_jobs: bool = "true";

    /// The form of the log: text for people, json for collectors.
    log_format: LogFormat = "text";

    /// What to log: error, warn, info, debug or trace, or a list such as info,store=debug.
    log_level: String = "info";

    /// How long running requests may take to finish when Carrel is stopped.
    stop_timeout_seconds: u64 = "30";
}

impl Config {
    /// Reads every source and puts the settings together.
    pub fn load(flags: &SettingFlags) -> Result<(Self, Resolved), ConfigError> {
        let resolved = Resolved::load(flags, |name| std::env::var_os(name))?;
        Ok((Self::from_resolved(&resolved)?, resolved))
    }

    /// The URL of the FOLIO API for clients.
    pub fn public_okapi_url(&self) -> String {
        let listen = self.folio_listen;
        let here = listen.ip().is_loopback() || listen.ip().is_unspecified();
        match &self.okapi_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None if here => format!("http://localhost:{}", listen.port()),
            None => format!("http://{listen}"),
        }
    }
}

#[cfg(test)]
mod tests;
