//! Carrel's settings and their values.
//!
//! A setting comes from a flag (`--folio-listen`), else the environment (`CARREL_FOLIO_LISTEN`), else one TOML file
//! (`folio_listen`), else its default. To add one, add a line to the table below; the flag, the variable, the key, the
//! documentation and the example file follow from it.

mod error;
mod origin;
mod print;
mod sources;
mod table;
mod value;

use std::net::SocketAddr;
use std::path::PathBuf;

pub use error::ConfigError;
pub use origin::Origin;
pub use sources::{Resolved, SettingFlags};
pub use table::Setting;
pub use value::{LogFormat, SameSite, Secret};

table::settings! {
    /// The folder for all of Carrel's data, including its PostgreSQL database; relative to the working directory unless
    /// it begins with /. Created if missing.
    data_dir: PathBuf = "data";

    /// A PostgreSQL server of your own, as postgres://USER:PASSWORD@HOST:PORT/DATABASE.
    /// Empty: Carrel runs a private PostgreSQL in data_dir. Add ?sslmode=verify-full to encrypt the
    /// connection and check the server's certificate against the system's authorities (or against
    /// &sslrootcert=FILE), ?sslmode=require to encrypt without checking.
    database_url: Option<Secret> = "";

    /// How long to wait, at the start, for an unreachable database_url.
    database_wait_seconds: u64 = "60";

    /// Maximum number of connections to the private PostgreSQL.
    database_max_connections: u32 = "100";

    /// Maximum number of connections that Carrel opens per tenant. About a third of them are reserved for the desk, a
    /// sixth each for lists and for single records, a tenth for very large answers, a fifth for background work, and one
    /// for building search indexes.
    database_tenant_connections: usize = "20";

    /// Time limit of the database for a request at the desk: check-outs, check-ins, renewals, requests, log-in.
    desk_timeout_seconds: u32 = "20";

    /// Time limit of the database for any other request.
    request_timeout_seconds: u32 = "60";

    /// Time limit for a streamed answer: harvests, reports, lists of all ids.
    stream_timeout_seconds: u32 = "600";

    /// A streamed answer ends when its client has read nothing for this long.
    stream_idle_seconds: u32 = "20";

    /// Megabytes of disk in data_dir for streamed answers that wait for slow clients, all together.
    stream_spool_megabytes: u32 = "1024";

    /// Folder of the PostgreSQL server programs (postgres, initdb). Empty: search the usual places.
    postgres_bin_dir: Option<PathBuf> = "";

    /// The account the private PostgreSQL runs as if Carrel is started as root. Empty: the owner of the database, else
    /// postgres, else nobody.
    postgres_user: Option<String> = "";

    /// The address of the FOLIO API (Okapi's usual port). 127.0.0.1 serves only this machine; 0.0.0.0 serves the
    /// network, and then belongs behind a proxy with HTTPS.
    folio_listen: SocketAddr = "127.0.0.1:9130";

    /// The address of the staff pages, health, metrics and the API documentation.
    staff_listen: SocketAddr = "127.0.0.1:8080";

    /// The address of the archives' API (ArchivesSpace's usual port). Empty: none. If the default port is taken, Carrel
    /// starts without it.
    archives_listen: Option<SocketAddr> = "127.0.0.1:8089";

    /// The tenant whose archives are served. Empty: the only one beside the supertenant.
    archives_tenant: Option<String> = "";

    /// The initial password of the archives' administrator, whose user name is admin as in ArchivesSpace. Created at the
    /// start if the served library has no user of that name, and with carrel tenant create. Empty: none is created; a
    /// library's own administrator may do everything in its archives, too.
    archives_admin_password: Option<Secret> = "";

    /// The URL under which clients reach the archives' API, behind a proxy the proxy's: exports and harvests contain
    /// links below it. Not derived from archives_listen.
    archives_url: String = "http://localhost:8089";

    /// The library's number as a naming authority (NAAN): resources and components get ARKs with it when they are saved, and
    /// imported ones by a job. Empty: no ARKs are made.
    archives_ark_naan: Option<String> = "";

    /// The base URL of ARKs. Empty: archives_url.
    archives_ark_url: Option<String> = "";

    /// The text between the repository's ark_shoulder and the number in ARKs. Empty: nothing.
    archives_ark_delimiter: Option<String> = "";

    /// The address of SIP2 for self-checks. Empty: none. If the default port is taken, Carrel starts without
    /// self-checks.
    sip2_listen: Option<SocketAddr> = "127.0.0.1:6001";

    /// The tenant of self-checks whose user name contains none. Empty: the only one with circulation.
    sip2_tenant: Option<String> = "";

    /// The file sip2-tenants.conf of FOLIO's edge-sip2: the tenant and the line format of each terminal.
    sip2_tenants: Option<PathBuf> = "";

    /// The default character set of self-checks: UTF-8, IBM850 or ISO-8859-1.
    sip2_charset: String = "UTF-8";

    /// The line end sent to self-checks: CR or CRLF. Empty: as their own lines end, with a line feed for those that
    /// send one.
    sip2_line_end: Option<String> = "";

    /// Maximum number of connected self-checks; further ones are refused.
    sip2_terminals: usize = "1000";

    /// A self-check that is silent for this long is disconnected. One that was switched off is noticed within two
    /// minutes.
    sip2_idle_seconds: u64 = "86400";

    /// The URL under which clients reach the FOLIO API; behind a proxy, the proxy's. Empty: http://localhost or the
    /// address of folio_listen, with its port.
    okapi_url: Option<String> = "";

    /// The tenant whose administrator may manage tenants and modules. It is created at the start if it is missing.
    admin_tenant: String = "supertenant";

    /// The user name of an administrator to create in admin_tenant at the start.
    /// Empty, or without admin_password: none.
    admin_username: Option<String> = "";

    /// The initial password of the administrator admin_username. An existing administrator keeps theirs.
    admin_password: Option<Secret> = "";

    /// Serve tenants without the module mod-authtoken without a token, as FOLIO does. Only for test suites that create
    /// their first administrator that way: it leaves these tenants unprotected.
    allow_open_tenants: bool = "false";

    /// How long an access token is valid.
    access_token_seconds: u32 = "600";

    /// How long a log-in can be extended without the password.
    refresh_token_seconds: u32 = "604800";

    /// The SameSite attribute of the token cookies: Lax, Strict, or None for a staff application served from another
    /// site.
    cookie_same_site: SameSite = "Lax";

    /// Answer /authn/login with a token that never expires, for older clients.
    legacy_tokens: bool = "true";

    /// Let the batch operations named synchronous-unsafe overwrite records of any version, for an initial load.
    allow_unsafe_batches: bool = "false";

    /// Allow use at location: items that a loan policy lends for reading in the library and holding there for the
    /// patron (forUseAtLocation); ENABLE_FOR_USE_AT_LOCATION in FOLIO.
    use_at_location: bool = "false";

    /// Allow webhooks to this machine and to private networks. Otherwise a subscription to such an address is refused,
    /// and a name that resolves to one is not called.
    allow_private_webhooks: bool = "false";

    /// Maximum number of events waiting for a subscriber; beyond it, the subscriber gets none until it is resumed.
    events_backlog: u32 = "100000";

    /// Maximum hours that an event waits for a subscriber; beyond it, the subscriber gets none until it is resumed.
    events_backlog_hours: u32 = "72";

    /// Kafka brokers that receive events, as host:port,host:port. Only if Carrel was built with the feature kafka.
    /// Empty: none.
    kafka_brokers: Option<String> = "";

    /// Prefix of Kafka topics, ENV in FOLIO.
    kafka_environment: String = "folio";

    /// Maximum size of a request body in bytes; a larger one is refused with 413.
    body_limit_bytes: usize = "33554432";

    /// Maximum total size in bytes of the request bodies being received. Beyond it, large requests are asked to retry;
    /// those of the desk are small and always accepted.
    bodies_limit_bytes: usize = "268435456";

    /// Maximum number of connections to folio_listen; staff_listen and archives_listen accept a quarter as many each.
    /// At the limit, silent connections are closed, and if all are busy, new clients are asked to retry. Empty: 4096,
    /// or what the limit of open files allows (ulimit -n).
    http_connections: Option<usize> = "";

    /// Maximum number of connections from one address. Behind a proxy, all have the proxy's address. Empty: half of
    /// http_connections.
    http_connections_per_address: Option<usize> = "";

    /// Maximum silence of a client that should send a request or read an answer.
    http_silence_seconds: u64 = "20";

    /// How long a connection is kept open for the next request.
    http_idle_seconds: u64 = "75";

    /// Failed log-ins from one address per minute; beyond it, log-ins from there are refused with 429 for a while,
    /// except those of users who have signed in from there before. Requests from this machine itself have no such
    /// limit.
    log_in_failures_per_address: u32 = "60";

    /// Failed log-ins with one user name per minute; beyond it, log-ins with it are refused with 429 for a while,
    /// except from where that user has signed in before.
    log_in_failures_per_user: u32 = "20";

    /// Proxies trusted to report a client's address (X-Forwarded-For) and that it uses HTTPS (X-Forwarded-Proto), as IP
    /// addresses separated by commas; networks such as 10.0.0.0/8 are not understood.
    trusted_proxies: Option<String> = "127.0.0.1, ::1";

    /// Origins whose pages may use the API with the cookies of a browser's user, separated by commas:
    /// https://folio.example.org, or http://localhost:* for any port. Pages of other origins may use it with a token of
    /// their own. The staff pages of staff_listen need no entry.
    allowed_origins: Option<String> = "http://localhost:*, http://127.0.0.1:*";

    /// The token with which clients read /metrics and /lab (Authorization: Bearer TOKEN). Empty: only programs on this
    /// machine may, without a proxy.
    metrics_token: Option<Secret> = "";

    /// Folder with the results of carrel lab, which the Performance page shows. Empty: lab-results in data_dir.
    lab_results: Option<PathBuf> = "";

    /// Folder with the files that API requests refer to by name, in a subfolder for each tenant: the authorities for
    /// POST /authority-storage/authorities/bulk. Empty: files in data_dir.
    files: Option<PathBuf> = "";

    /// Run background jobs: notices, ageing, expiry, anonymization. If several Carrels share a database, each job runs
    /// once; false leaves them to the others.
    run_jobs: bool = "true";

    /// The form of the log: text for people, json for collectors.
    log_format: LogFormat = "text";

    /// What to log: error, warn, info, debug or trace, or a list such as info,store=debug. Details (debug, trace) are
    /// those of Carrel itself: what libraries tell has passwords and records in it.
    log_level: String = "info";

    /// How long running requests may take to finish when Carrel is stopped.
    stop_timeout_seconds: u64 = "30";
}

impl Config {
    /// Reads all sources and combines them.
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
