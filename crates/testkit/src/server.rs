//! One PostgreSQL for all tests of a process, and databases cloned from a template.

use std::{
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
};

use api::app::Settings;
use store::{Database, embedded, embedded::Embedded};
use tokio::sync::OnceCell;

use crate::{
    TestClock,
    boot::{TENANT, boot, enable_everything},
};

static SERVER: OnceCell<Server> = OnceCell::const_new();
static NEXT: AtomicU32 = AtomicU32::new(1);

pub(crate) struct Server {
    embedded: Embedded,
    data_dir: PathBuf,
    /// Names of the databases whose tests have ended.
    ended: mpsc::Sender<String>,
    _waits_for_our_end: Child,
}

/// The database of one test. Dropped with it: they are in memory, and hundreds of them would fill it.
pub(crate) struct Cloned {
    pub(crate) database: Database,
    name: String,
    ended: mpsc::Sender<String>,
}

impl Drop for Cloned {
    fn drop(&mut self) {
        // The receiver ends with the process only.
        let _ = self.ended.send(std::mem::take(&mut self.name));
    }
}

/// Drops the databases of ended tests, one after the other, in a thread of its own: a test's runtime ends with it.
fn drop_ended(config: tokio_postgres::Config) -> mpsc::Sender<String> {
    let (ended, names) = mpsc::channel::<String>();
    let drop_all = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        for name in names {
            runtime.block_on(statement(&config, &format!("DROP DATABASE {name} WITH (FORCE)")));
        }
    };
    std::thread::spawn(drop_all);
    ended
}

async fn statement(config: &tokio_postgres::Config, sql: &str) {
    let (client, connection) = config.connect(tokio_postgres::NoTls).await.expect("a connection");
    let running = tokio::spawn(connection);
    client.batch_execute(sql).await.expect("the statement runs");
    drop(client);
    let _ = running.await;
}

/// A process ends without dropping its statics. This shell waits for the end of its standard input, which the test
/// process holds open, then stops PostgreSQL by its process id and removes its directory.
const LAST_ONE_OUT: &str = "cat >/dev/null; kill -INT $0; \
    while kill -0 $0 2>/dev/null; do sleep 0.05; done; rm -rf \"$1\"";

/// Where temporary data goes: memory, if the system offers it, since every clone copies a thousand files.
fn scratch() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    if memory.is_dir() { memory } else { std::env::temp_dir() }
}

fn stop_after_us(postgres: u32, directory: &std::path::Path) -> Child {
    Command::new("sh")
        .args(["-c", LAST_ONE_OUT, &postgres.to_string()])
        .arg(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("a shell")
}

impl Server {
    pub(crate) async fn get() -> &'static Server {
        SERVER.get_or_init(Self::start).await
    }

    async fn start() -> Server {
        identity::passwords::hash_cheaply();
        let directory = tempfile::Builder::new().prefix("carrel-test").tempdir_in(scratch()).expect("a directory");
        let mut settings = embedded::Settings::new(directory.path());
        settings.fsync = false;
        settings.max_connections = 400;
        settings.memory = Some(1 << 30);
        let start = move || Embedded::start(&settings).expect("PostgreSQL starts");
        let embedded = tokio::task::spawn_blocking(start).await.expect("a thread");
        let postgres = embedded.process_id().expect("PostgreSQL runs");
        let data_dir = directory.keep();
        let shell = stop_after_us(postgres, &data_dir);
        let ended = drop_ended(embedded.connection_config());
        let server = Server { embedded, data_dir, ended, _waits_for_our_end: shell };
        // A deadlock would only cost a second, and nobody would notice; like this its statements run into their limit.
        server.statement("ALTER ROLE CURRENT_USER SET deadlock_timeout = '1h'").await;
        server.make_template().await;
        server
    }

    /// The template has a tenant with every module but mod-authtoken, so that a clone needs no migration.
    async fn make_template(&self) {
        self.statement("CREATE DATABASE template_library").await;
        let database = Database::new(self.config("template_library"), 2);
        store::schema::prepare_system(&database).await.expect("the system schema");
        let app = boot(database.clone(), Settings::default(), &TestClock::default());
        api::platform::create_tenant(&app, TENANT, "Test library", None).await.expect("a tenant");
        enable_everything(&app).await;
        for tenant in app.all_tenants() {
            database.forget(&tenant.schema);
        }
        database.forget(store::db::SYSTEM_SCHEMA);
        database.forget("public");
    }

    fn config(&self, database: &str) -> tokio_postgres::Config {
        let mut config = self.embedded.connection_config();
        config.dbname(database);
        config
    }

    async fn statement(&self, sql: &str) {
        statement(&self.embedded.connection_config(), sql).await;
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.data_dir.join("postgres.log")
    }

    /// Clones a database for a test. Its files are copied: to write them to the log, as PostgreSQL does unless told
    /// otherwise, takes twice as long, and nobody needs them after a crash.
    pub(crate) async fn clone_database(&self) -> Cloned {
        let name = format!("library_{}", NEXT.fetch_add(1, Ordering::SeqCst));
        self.statement(&format!("CREATE DATABASE {name} TEMPLATE template_library STRATEGY FILE_COPY")).await;
        Cloned { database: Database::new(self.config(&name), 16), name, ended: self.ended.clone() }
    }
}
