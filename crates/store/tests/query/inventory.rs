//! A small inventory: its collections, a server with its tables, and lists of its records.

use std::sync::{Arc, LazyLock, Mutex, Weak};

use serde_json::{Map, Value, json};
use store::collection::{Collection, IndexKind};
use store::embedded::{Embedded, Settings};
use store::query::{self, Plan, Statement};
use store::{Database, Session, records, schema};
use tempfile::TempDir;

pub static COLLECTIONS: LazyLock<Vec<Collection>> = LazyLock::new(|| vec![instances(), holdings(), items(), notes()]);

fn instances() -> Collection {
    Collection::new(
        "/instances",
        "instances",
        "instance",
        "title*, languages[], identifiers[{value*, identifierTypeId:uuid}], notes[{note, staffOnly:bool}], \
         publicationPeriod{start:int}, discoverySuppress:bool, customFields:object, code, \
         mode:(Serial|Single unit|Série à part)",
    )
    .folded(&["title"])
    .words(&["title", "identifiers", "isbn"])
    .index(&IndexKind::Elements, &["identifiers"])
    .unique(&["code"])
    .flags(&["discoverySuppress"])
    .digits_field("isbn", "carrel.isbns(doc->'identifiers', '8261054f-be78-422d-bd51-4ed9f33c3422')")
    .alias("holdingsRecords", &[("holdings_record", "instanceid", "id")])
    .alias("item", &[("holdings_record", "instanceid", "id"), ("item", "holdingsrecordid", "id")])
}

fn holdings() -> Collection {
    Collection::new("/holdings", "holdingsRecords", "holdings_record", "instanceId*:uuid, callNumber, callNumberPrefix")
        .reference("instanceId", "instance")
        .virtual_field("fullCallNumber", "carrel.joined(doc->>'callNumberPrefix', doc->>'callNumber')")
        .alias("instance", &[("instance", "id", "instanceid")])
}

fn items() -> Collection {
    Collection::new(
        "/items",
        "items",
        "item",
        "holdingsRecordId*:uuid, barcode, status{name}, lastCheckIn:datetime, copies:int",
    )
    .unique_as(&["barcode"], IndexKind::CaseFolded, None)
    .reference("holdingsRecordId", "holdings_record")
    .loose_reference("lastLoanId")
    .volatile(&["status"])
    .alias("holdingsRecords", &[("holdings_record", "id", "holdingsrecordid")])
    .alias("instance", &[("holdings_record", "id", "holdingsrecordid"), ("instance", "id", "instanceid")])
}

/// A collection of a Spring module.
fn notes() -> Collection {
    Collection::new("/notes", "notes", "note", "title, domain").folded(&["title"]).spring()
}

pub fn collection(table: &str) -> &'static Collection {
    find(table).unwrap_or_else(|| panic!("no collection {table}"))
}

fn find(table: &str) -> Option<&'static Collection> {
    COLLECTIONS.iter().find(|collection| collection.table == table)
}

pub fn plan(table: &str, cql: &str) -> Result<Plan, cql::Error> {
    query::plan(&cql::parse(cql)?, collection(table), &|table| find(table))
}

pub fn statement(table: &str, cql: &str, limit: i64, offset: i64) -> Statement {
    let plan = plan(table, cql).unwrap_or_else(|error| panic!("{cql}: {error}"));
    query::page(collection(table), &plan, limit, offset)
}

/// A server with the inventory's tables; the tests that run at the same time share it.
pub struct Inventory {
    database: Database,
    _server: Embedded,
    _data_dir: TempDir,
}

/// The schema of the small library of [`fill`].
const LIBRARY: &str = "t_library";

impl Inventory {
    pub async fn open() -> Arc<Self> {
        static OPEN: Mutex<Weak<Inventory>> = Mutex::new(Weak::new());
        let start = || {
            let mut open = OPEN.lock().expect("no test panics while it opens the inventory");
            open.upgrade().unwrap_or_else(|| {
                let inventory = Arc::new(Self::start());
                *open = Arc::downgrade(&inventory);
                inventory
            })
        };
        tokio::task::spawn_blocking(start).await.expect("it starts")
    }

    fn start() -> Self {
        let data_dir = tempfile::tempdir().expect("a temporary directory");
        let settings =
            Settings { fsync: false, memory: Some(256 << 20), max_connections: 40, ..Settings::new(data_dir.path()) };
        let server = Embedded::start(&settings).unwrap_or_else(|error| panic!("{error}"));
        let filler = Database::new(server.connection_config(), 2);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            schema::prepare_system(&filler).await.expect("the system schema");
            declare(&filler, LIBRARY).await;
            fill(&filler.session(LIBRARY).expect("a session")).await;
        });
        // Connections belong to the runtime they were opened in.
        let database = Database::new(server.connection_config(), 4);
        Self { database, _server: server, _data_dir: data_dir }
    }

    /// A session of the calling test's own runtime.
    pub fn session(&self) -> Session {
        let database = Database::new(self.database.config().clone(), 4);
        database.session(LIBRARY).expect("a session")
    }

    /// An empty schema with the inventory's tables, for a test that fills them in its own way.
    pub async fn empty(&self, name: &str) -> Session {
        let database = Database::new(self.database.config().clone(), 4);
        declare(&database, name).await;
        database.session(name).expect("a session")
    }
}

/// The declared tables and views alone: functions and triggers of a whole tenant refer to tables that are not here.
async fn declare(database: &Database, name: &str) {
    let session = database.session(name).expect("a session");
    let create = format!("CREATE SCHEMA {name}");
    session.batch(&create).await.expect("a schema");
    let tables = schema::declared::ddl(&COLLECTIONS);
    for version in [
        include_str!("../../sql/tenant/0001_configuration_version.sql"),
        include_str!("../../sql/tenant/0002_snapshot_stamp.sql"),
    ] {
        session.batch(version).await.expect("the version");
    }
    session.batch(&tables).await.expect("the tables");
    let views = schema::declared::replaceable(&COLLECTIONS);
    session.batch(&views).await.expect("the views");
}

/// Runs a list.
pub async fn run(session: &Session, statement: &Statement) -> (Vec<Value>, i64) {
    let row = session
        .get(&statement.sql, &statement.values())
        .await
        .unwrap_or_else(|error| panic!("{error}: {}", statement.sql));
    let records: String = row.get("records");
    (serde_json::from_str(&records).expect("a JSON array"), row.get("total"))
}

/// A number as an id: `id(7)` begins with 00000007.
pub fn id(number: u32) -> uuid::Uuid {
    uuid::Uuid::from_fields(number, 0, 0x4000, &[0x80, 0, 0, 0, 0, 0, 0, 0])
}

async fn put(session: &Session, table: &str, number: u32, mut record: Value) {
    record["id"] = json!(id(number));
    let record: Map<String, Value> = record.as_object().expect("an object").clone();
    records::insert(session, collection(table), id(number), record).await.unwrap_or_else(|error| panic!("{error}"));
}

pub const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";
const OCLC: &str = "439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef";

async fn fill(session: &Session) {
    let instances = [
        (
            1,
            json!({"title": "The Old Man and the Sea", "languages": ["eng"], "code": "A1",
            "publicationPeriod": {"start": 1952}, "discoverySuppress": false,
            "identifiers": [{"value": "978-0-684-80122-3 (pbk.)", "identifierTypeId": ISBN},
                            {"value": "33162253", "identifierTypeId": OCLC}]}),
        ),
        (
            2,
            json!({"title": "Der alte Mann und das Meer", "languages": ["ger", "eng"], "code": "Ä2",
            "publicationPeriod": {"start": 999}, "discoverySuppress": true,
            "identifiers": [{"value": "33162253x", "identifierTypeId": ISBN}],
            "customFields": {"shelf's": "top"}}),
        ),
        (
            3,
            json!({"title": "Éléments de géométrie & algèbre", "languages": ["fre"],
            "publicationPeriod": {"start": 1794}, "notes": [{"note": "Rare", "staffOnly": true}]}),
        ),
        (4, json!({"title": "100% wool_craft", "languages": [], "code": ""})),
        (5, json!({"title": "x".repeat(900) + "y", "code": "long"})),
        (6, json!({"title": "x".repeat(900) + "z"})),
    ];
    for (number, record) in instances {
        put(session, "instance", number, record).await;
    }
    let holdings = [
        (11, json!({"instanceId": id(1), "callNumberPrefix": "Q", "callNumber": "PS 3515"})),
        (12, json!({"instanceId": id(2), "callNumber": "PT 2603"})),
    ];
    for (number, record) in holdings {
        put(session, "holdings_record", number, record).await;
    }
    let items = [
        (
            21,
            json!({"holdingsRecordId": id(11), "barcode": "Item-One", "copies": 2,
            "status": {"name": "Available"}, "lastCheckIn": "2026-01-02T03:04:05.000+00:00"}),
        ),
        (
            22,
            json!({"holdingsRecordId": id(11), "barcode": "item-tÔo", "copies": 10,
            "status": {"name": "Checked out"}, "lastCheckIn": "2026-02-02T03:04:05.000+00:00"}),
        ),
        (23, json!({"holdingsRecordId": id(12), "status": {"name": "In transit"}})),
    ];
    put(session, "note", 31, json!({"title": "Known to be slow", "domain": "users"})).await;
    for (number, record) in items {
        put(session, "item", number, record).await;
    }
}
