//! Sends events to Kafka, with FOLIO's topics, keys and headers (docs/folio/events.md#kafka-topics).

use std::{collections::HashSet, sync::Mutex, time::Duration};

use rdkafka::{
    ClientConfig,
    admin::{AdminClient, AdminOptions, NewTopic, TopicReplication},
    client::DefaultClientContext,
    error::{KafkaError, RDKafkaErrorCode},
    message::{Header, OwnedHeaders},
    producer::{FutureProducer, FutureRecord},
};
use store::events::Outgoing;

use crate::{Settings, envelope, retry::Outcome};

/// The callback address that stands for Kafka.
pub(crate) const ADDRESS: &str = "kafka:";
/// As in mod-circulation-storage.
const PARTITIONS: i32 = 10;
/// The brokers' own default.
const REPLICATION: i32 = -1;
/// Limit for each step: creating a topic, finding room in the queue, being acknowledged. All three plus the time of a
/// batch fit in a lease.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A connection to the brokers.
pub(crate) struct Kafka {
    producer: Result<FutureProducer, String>,
    admin: Result<AdminClient<DefaultClientContext>, String>,
    environment: String,
    okapi_url: String,
    topics: Mutex<HashSet<String>>,
}

impl Kafka {
    /// `None` if no broker is configured.
    pub(crate) fn new(settings: &Settings) -> Option<Self> {
        let mut config = ClientConfig::new();
        config
            .set("bootstrap.servers", settings.kafka_brokers.as_ref()?)
            .set("client.id", "carrel")
            // Keeps the order of a partition when a batch is sent again.
            .set("enable.idempotence", "true")
            .set("message.timeout.ms", TIMEOUT.as_millis().to_string());
        Some(Self {
            producer: config.create().map_err(|error: KafkaError| error.to_string()),
            admin: config.create().map_err(|error: KafkaError| error.to_string()),
            environment: settings.kafka_environment.clone(),
            okapi_url: settings.okapi_url.clone(),
            topics: Mutex::default(),
        })
    }

    /// Sends a tenant's event; returns when the brokers have acknowledged it.
    pub(crate) async fn send(&self, tenant: &str, event: &Outgoing) -> Outcome {
        let topic = envelope::kafka_topic(&self.environment, tenant, &event.topic);
        let producer = match (&self.producer, self.ensure(&topic).await) {
            (Ok(producer), Ok(())) => producer,
            (Err(fault), _) => return Outcome::Unreachable(fault.clone()),
            (_, Err(fault)) => return Outcome::Unreachable(fault),
        };
        let body = envelope::for_kafka(tenant, event);
        let headers =
            [("X-Okapi-Url", self.okapi_url.as_str()), ("X-Okapi-Tenant", tenant), ("folio.tenantId", tenant)];
        let headers = headers
            .into_iter()
            .fold(OwnedHeaders::new(), |headers, (key, value)| headers.insert(Header { key, value: Some(value) }));
        let record = FutureRecord::to(&topic).key(&event.key).payload(&body).headers(headers);
        match producer.send(record, TIMEOUT).await {
            Ok(_) => Outcome::Delivered,
            Err((error, _)) => judge(&error),
        }
    }

    /// Creates a missing topic.
    async fn ensure(&self, topic: &str) -> Result<(), String> {
        if self.known().contains(topic) {
            return Ok(());
        }
        let admin = self.admin.as_ref().map_err(Clone::clone)?;
        let wanted = NewTopic::new(topic, PARTITIONS, TopicReplication::Fixed(REPLICATION));
        let options = AdminOptions::new().operation_timeout(Some(TIMEOUT));
        let made = admin.create_topics([&wanted], &options).await;
        for outcome in made.map_err(|error| error.to_string())? {
            match outcome {
                Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists)) => {}
                Err((name, code)) => return Err(format!("topic {name}: {code}")),
            }
        }
        self.known().insert(topic.to_owned());
        Ok(())
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.topics.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Whether another event would fare better.
fn judge(error: &KafkaError) -> Outcome {
    use RDKafkaErrorCode::{InvalidMessage, InvalidRecord, MessageSizeTooLarge};
    match error.rdkafka_error_code() {
        Some(MessageSizeTooLarge | InvalidMessage | InvalidRecord) => Outcome::Refused(error.to_string()),
        _ => Outcome::Unreachable(error.to_string()),
    }
}
