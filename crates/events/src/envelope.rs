//! The envelopes of events for Kafka: record changes go as they are, the events of mod-circulation and mod-feesfines as
//! mod-pubsub sends them.

use serde_json::json;
use store::events::Outgoing;

use crate::BUSINESS;

/// The product and version in the names of mod-pubsub's topics.
const PUBSUB: &str = "mod-pubsub-2.16.1";

/// The topic of an event type: `folio.diku.circulation.loan`, `folio.pub-sub.diku.LOAN_CLOSED.mod-pubsub-2.16.1`.
#[must_use]
pub(crate) fn kafka_topic(environment: &str, tenant: &str, topic: &str) -> String {
    if BUSINESS.contains(&topic) {
        format!("{environment}.pub-sub.{tenant}.{topic}.{PUBSUB}")
    } else {
        format!("{environment}.{tenant}.{topic}")
    }
}

/// The value of the record in Kafka.
#[must_use]
pub(crate) fn for_kafka(tenant: &str, event: &Outgoing) -> String {
    if !BUSINESS.contains(&event.topic.as_str()) {
        return event.payload.clone();
    }
    let created = store::record::print_instant(event.written);
    json!({
        "id": event.id,
        "eventType": event.topic,
        "eventMetadata": {"tenantId": tenant, "eventTTL": 1, "publishedBy": "carrel", "createdDate": created},
        "eventPayload": event.payload,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::*;

    fn event(topic: &str) -> Outgoing {
        Outgoing {
            seq: 1,
            id: Uuid::nil(),
            topic: topic.into(),
            key: "k".into(),
            payload: "{\"loanId\":\"l\"}".into(),
            written: Timestamp::UNIX_EPOCH,
            attempts: 0,
            failures: 0,
            address: String::new(),
            secret: None,
        }
    }

    #[test]
    fn topics_are_named_as_folio_names_them() {
        assert_eq!(kafka_topic("folio", "diku", "circulation.check-in"), "folio.diku.circulation.check-in");
        assert_eq!(kafka_topic("test", "diku", "LOAN_CLOSED"), "test.pub-sub.diku.LOAN_CLOSED.mod-pubsub-2.16.1");
    }

    #[test]
    fn business_events_travel_in_an_envelope() {
        let record = event("circulation.loan");
        assert_eq!(for_kafka("diku", &record), record.payload);
        let sent: serde_json::Value = serde_json::from_str(&for_kafka("diku", &event("LOAN_CLOSED"))).unwrap();
        assert_eq!(
            sent,
            json!({"id": Uuid::nil(), "eventType": "LOAN_CLOSED", "eventPayload": "{\"loanId\":\"l\"}",
                "eventMetadata": {"tenantId": "diku", "eventTTL": 1, "publishedBy": "carrel",
                    "createdDate": "1970-01-01T00:00:00.000+00:00"}})
        );
    }
}
