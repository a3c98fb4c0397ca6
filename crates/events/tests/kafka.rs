//! Events in Kafka, with a real broker that the test starts on this machine. Without one (`scripts/kafka/fetch.sh`
//! fetches it) the test says so and passes.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use jiff::SignedDuration;
use rdkafka::{
    ClientConfig, Message,
    consumer::{Consumer, StreamConsumer},
    message::{BorrowedMessage, Headers},
};
use serde_json::{Value, json};
use testkit::{Library, library_with};
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(120);
const FEES: &str = "folio.pub-sub.test.FEE_FINE_BALANCE_CHANGED.mod-pubsub-2.16.1";

/// An empty broker.
struct Broker {
    running: Option<Child>,
    jars: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

impl Broker {
    /// A broker that is not yet running; `None` if Kafka or Java is missing.
    fn new() -> Option<Self> {
        let jars = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.carrel/kafka");
        let java = Command::new("java").arg("-version").stderr(Stdio::null()).status();
        let here = jars.is_dir() && java.is_ok_and(|status| status.success());
        here.then(|| Self { running: None, jars, folder: tempfile::tempdir().expect("a folder"), port: free_port() })
    }

    fn java(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("java");
        command
            .args(["-Xmx512m", "-cp"])
            .arg(self.jars.join("*"))
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn start(&mut self) {
        let (folder, port, controller) = (self.folder.path(), self.port, free_port());
        let settings = folder.join("server.properties");
        let text = format!(
            "process.roles=broker,controller\nnode.id=1\n\
             controller.quorum.voters=1@127.0.0.1:{controller}\ncontroller.listener.names=CONTROLLER\n\
             listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}\n\
             advertised.listeners=PLAINTEXT://127.0.0.1:{port}\nlog.dirs={}\n\
             offsets.topic.replication.factor=1\ntransaction.state.log.replication.factor=1\n\
             transaction.state.log.min.isr=1\nauto.create.topics.enable=false\n\
             group.initial.rebalance.delay.ms=0\n",
            folder.join("log").display()
        );
        std::fs::write(&settings, text).expect("settings");
        let settings = settings.display().to_string();
        let format = ["kafka.tools.StorageTool", "format", "-t", "MkU3OEVBNTcwNTJENDM2Qk", "-c", &settings];
        let formatted = self.java(&format).status().expect("java");
        assert!(formatted.success(), "the broker's storage is formatted");
        let broker = self.java(&["kafka.Kafka", &settings]).spawn();
        self.running = Some(broker.expect("a broker"));
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        if let Some(broker) = &mut self.running {
            let _ = broker.kill();
            let _ = broker.wait();
        }
    }
}

/// What tests check in a Kafka record.
struct Record {
    topic: String,
    key: String,
    value: Value,
    tenant: String,
}

fn record(message: &BorrowedMessage<'_>) -> Record {
    let text = |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let headers = message.headers().expect("headers");
    let header = |name: &str| {
        let found = headers.iter().find(|header| header.key == name);
        text(found.and_then(|header| header.value))
    };
    assert_eq!(header("X-Okapi-Tenant"), header("folio.tenantId"));
    assert_eq!(header("X-Okapi-Url"), "http://localhost:9130");
    Record {
        topic: message.topic().to_owned(),
        key: text(message.key()),
        value: serde_json::from_str(&text(message.payload())).expect("JSON"),
        tenant: header("X-Okapi-Tenant"),
    }
}

async fn read(broker: &Broker, topics: &[&str], count: usize) -> Vec<Record> {
    let consumer: StreamConsumer = ClientConfig::new()
        .set("bootstrap.servers", broker.address())
        .set("group.id", "test")
        .set("auto.offset.reset", "earliest")
        .set("allow.auto.create.topics", "false")
        .set("topic.metadata.refresh.interval.ms", "500")
        .create()
        .expect("a consumer");
    consumer.subscribe(topics).expect("a subscription");
    let mut records = Vec::new();
    while records.len() < count {
        // Missing topics are not an error: the first event creates them.
        let next = timeout(PATIENCE, consumer.recv()).await.expect("events in time");
        records.extend(next.ok().as_ref().map(record));
    }
    records
}

/// Two changes of a loan, and a fee. Returns the loan's id and the account's id.
async fn happen(library: &Library) -> (Value, Value) {
    let client = &library.open;
    let unknown = "2b3c1f1e-33d3-4f2c-9b0a-3f6d8f0c9a11";
    let mut loan = client
        .create(
            "/loan-storage/loans",
            &json!({"itemId": unknown, "loanDate": "2026-01-01T10:00:00Z", "action": "checkedin",
                "status": {"name": "Closed"}}),
        )
        .await;
    let id = loan["id"].clone();
    loan["renewalCount"] = 2.into();
    let path = format!("/loan-storage/loans/{}", id.as_str().expect("an id"));
    client.put(&path, &loan).await.expect(204);
    let owner = client.create("/owners", &json!({"owner": "Main"})).await["id"].clone();
    let kind = json!({"feeFineType": "Damage", "ownerId": owner});
    let kind = client.create("/feefines", &kind).await["id"].clone();
    let account = json!({"amount": 10.5, "remaining": 10.5, "status": {"name": "Open"}, "ownerId": owner,
        "paymentStatus": {"name": "Outstanding"}, "userId": unknown, "feeFineId": kind});
    (id, client.create("/accounts", &account).await["id"].clone())
}

#[tokio::test]
async fn events_reach_a_broker_that_was_away() {
    let Some(mut broker) = Broker::new() else {
        println!("skipped: no Kafka in .carrel/kafka, or no Java; scripts/kafka/fetch.sh fetches it");
        return;
    };
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.events.kafka_brokers = Some(broker.address());
    })
    .await;
    let of_tenant = library.app.tenant(library.tenant).expect("a tenant");
    let session = library.app.session(&of_tenant).expect("a session");
    timeout(PATIENCE, async {
        while !store::events::has_subscribers(&session).await.expect("an answer") {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("Kafka listens");
    let (loan, account) = happen(&library).await;
    broker.start();
    let clock = library.clock.clone();
    let passing = tokio::spawn(async move {
        let mut seconds = tokio::time::interval(Duration::from_secs(1));
        loop {
            seconds.tick().await;
            clock.advance(SignedDuration::from_mins(6));
        }
    });
    let records = read(&broker, &["folio.test.circulation.loan", FEES], 3).await;
    passing.abort();
    let loans: Vec<_> = records.iter().filter(|record| record.topic != FEES).collect();
    let types: Vec<_> = loans.iter().map(|record| &record.value["type"]).collect();
    assert_eq!(types, ["CREATED", "UPDATED"]);
    assert!(loans.iter().all(|record| record.key == loan.as_str().expect("an id")));
    assert_eq!(loans[1].value["data"]["new"]["renewalCount"], 2);
    let fee = records.iter().find(|record| record.topic == FEES).expect("the fee");
    assert_eq!((fee.tenant.as_str(), &fee.value["eventType"]), ("test", &json!("FEE_FINE_BALANCE_CHANGED")));
    let payload = fee.value["eventPayload"].as_str().expect("a text");
    let payload: Value = serde_json::from_str(payload).expect("JSON");
    assert_eq!((&payload["feeFineId"], &payload["balance"]), (&account, &json!(10.5)));
}
