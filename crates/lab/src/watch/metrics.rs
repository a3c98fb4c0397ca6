//! The server's `/metrics` in Prometheus format.

use std::time::{Duration, Instant};

use super::{Growth, Notes, Reading, Readings, Sampler};
use crate::client::{Connection, Failure, Target};

/// Slower answers are abandoned.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) struct Metrics {
    target: Target,
    connection: Option<Connection>,
    /// The authorization header as a line; empty without one.
    authorization: String,
    /// Whether the server's processes are on another machine.
    elsewhere: bool,
    notes: Notes,
    processor: Growth<1>,
    pool: Growth<2>,
    trips: Growth<2>,
}

impl Metrics {
    /// Watches the metrics at `target` (the full address, including the path). `elsewhere`: the server's processes are
    /// on another machine, so its processor time and memory come from the metrics.
    pub fn new(target: Target, elsewhere: bool, notes: Notes) -> Self {
        Self {
            target,
            connection: None,
            authorization: String::new(),
            elsewhere,
            notes,
            processor: Growth::default(),
            pool: Growth::default(),
            trips: Growth::default(),
        }
    }

    /// Adds the token that the server asks for.
    #[must_use]
    pub fn with_token(self, token: Option<&str>) -> Self {
        let authorization = token.map(|token| format!("authorization: Bearer {token}\r\n"));
        Self { authorization: authorization.unwrap_or_default(), ..self }
    }

    async fn fetch(&mut self) -> Result<String, String> {
        let asked = tokio::time::timeout(PATIENCE, self.ask()).await;
        let answer = asked.unwrap_or(Err(Failure::Timeout));
        answer.map_err(|failure| failure.to_string())
    }

    async fn ask(&mut self) -> Result<String, Failure> {
        let mut connection = match self.connection.take() {
            Some(mut connection) => match connection.is_open().await {
                true => connection,
                false => self.target.connect().await?,
            },
            None => self.target.connect().await?,
        };
        let path = if self.target.base().is_empty() { "/" } else { self.target.base() };
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nuser-agent: carrel-lab\r\naccept: text/plain\r\n{}\r\n",
            self.target.authority(),
            self.authorization
        );
        let answer = connection.send(request.as_bytes(), true).await?;
        self.connection = Some(connection);
        if answer.status != 200 {
            return Err(Failure::Garbled(format!("status {}: {}", answer.status, answer.excerpt(80))));
        }
        Ok(String::from_utf8_lossy(&answer.body).into_owned())
    }

    fn read(&mut self, text: &str, now: Instant) -> Vec<Reading> {
        let sum = |name| total(text, name);
        let mut readings = Vec::new();
        for (metric, name, unit) in [
            ("carrel_database_connections", "pool_connections", "connections"),
            ("carrel_database_idle_connections", "pool_idle_connections", "connections"),
            ("carrel_database_waiting_requests", "pool_waiting_requests", "requests"),
        ] {
            readings.extend(sum(metric).map(|value| Reading::new(name, unit, value)));
        }
        if let (Some(micros), Some(taken)) =
            (sum("carrel_pool_wait_microseconds_total"), sum("carrel_pool_connections_taken_total"))
            && let Some(([micros, taken], _)) = self.pool.since(now, [micros, taken])
        {
            let millis = if taken > 0.0 { micros / taken / 1000.0 } else { 0.0 };
            readings.push(Reading::new("pool_wait", "ms", millis));
        }
        if let (Some(trips), Some(requests)) = (sum("carrel_round_trips_total"), sum("carrel_request_seconds_count"))
            && let Some(([trips, requests], seconds)) = self.trips.since(now, [trips, requests])
        {
            readings.push(Reading::new("round_trips", "per second", trips / seconds));
            if requests > 0.0 {
                readings.push(Reading::new("round_trips_per_request", "round trips", trips / requests));
            }
        }
        if self.elsewhere {
            readings.extend(self.process(text, now));
        }
        if readings.is_empty() {
            self.notes.warn(format!("nothing the lab knows is among the metrics at {:?}", self.target));
        }
        readings
    }

    /// Uses the names common to most servers.
    fn process(&mut self, text: &str, now: Instant) -> Vec<Reading> {
        let mut readings = Vec::new();
        if let Some(seconds) = total(text, "process_cpu_seconds_total")
            && let Some(([used], seconds)) = self.processor.since(now, [seconds])
        {
            readings.push(Reading::new("server_cpu", "cores", used / seconds));
        }
        let memory = total(text, "process_resident_memory_bytes");
        readings.extend(memory.map(|bytes| Reading::new("server_memory", "bytes", bytes)));
        readings
    }
}

impl Sampler for Metrics {
    fn sample(&mut self) -> Readings<'_> {
        Box::pin(async {
            match self.fetch().await {
                Ok(text) => self.read(&text, Instant::now()),
                Err(why) => {
                    self.notes.warn(format!("the metrics at {:?} could not be read: {why}", self.target));
                    Vec::new()
                }
            }
        })
    }
}

/// The sum of a metric over all its labels; `None` if it is missing. `name{route="/x"} 5 1700000000`.
fn total(text: &str, name: &str) -> Option<f64> {
    let values = text.lines().filter_map(|line| {
        let rest = line.strip_prefix(name)?;
        let rest = match rest.strip_prefix('{') {
            Some(labelled) => labelled.rsplit_once('}')?.1,
            None => rest.strip_prefix([' ', '\t'])?,
        };
        rest.split_whitespace().next()?.parse::<f64>().ok()
    });
    values.reduce(|sum, value| sum + value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# TYPE carrel_round_trips_total counter\n\
        carrel_round_trips_total{route=\"/a/{id}\"} 30\n\
        carrel_round_trips_total{route=\"/b } c\"} 12 1700000000\n\
        carrel_request_seconds{route=\"/a\",quantile=\"0.5\"} 0.002\n\
        carrel_request_seconds_sum{route=\"/a\"} 1.5\n\
        carrel_request_seconds_count{route=\"/a\"} 21\n\
        carrel_database_connections 7\n\
        process_cpu_seconds_total 2.5\n";

    fn metrics(elsewhere: bool, notes: &Notes) -> Metrics {
        let target = Target::parse("http://127.0.0.1:8080/metrics").expect("an address");
        Metrics::new(target, elsewhere, notes.clone())
    }

    #[test]
    fn metrics_are_summed_over_their_labels() {
        for (name, sum) in [
            ("carrel_round_trips_total", Some(42.0)),
            ("carrel_request_seconds_count", Some(21.0)),
            ("carrel_database_connections", Some(7.0)),
            ("carrel_database", None),
            ("carrel_request_seconds", Some(0.002)),
            ("unknown", None),
        ] {
            assert_eq!(total(TEXT, name), sum, "{name}");
        }
        assert_eq!(total("x NaNsense\nx{ 5\nx", "x"), None);
    }

    #[test]
    fn round_trips_are_counted_between_two_readings() {
        let notes = Notes::default();
        let (mut metrics, began) = (metrics(true, &notes), Instant::now());
        let names = |readings: &[Reading]| readings.iter().map(|r| r.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&metrics.read(TEXT, began)), ["pool_connections"]);
        let later = TEXT.replace("} 30", "} 50").replace("} 21", "} 31").replace("total 2.5", "total 3.5");
        let readings = metrics.read(&later, began + Duration::from_secs(2));
        let expected = [
            Reading::new("pool_connections", "connections", 7.0),
            Reading::new("round_trips", "per second", 10.0),
            Reading::new("round_trips_per_request", "round trips", 2.0),
            Reading::new("server_cpu", "cores", 0.5),
        ];
        assert_eq!(readings, expected);
        assert!(notes.found().warnings.is_empty());
    }

    #[test]
    fn missing_metrics_are_reported_once() {
        let notes = Notes::default();
        let mut metrics = metrics(false, &notes);
        for _ in 0..2 {
            assert!(metrics.read("<html>\nprocess_cpu_seconds_total 5\n", Instant::now()).is_empty());
        }
        let warnings = notes.found().warnings;
        assert_eq!(warnings.len(), 1, "{warnings:?}");
    }

    #[tokio::test]
    async fn the_token_goes_with_the_request() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};

        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let target = Target::parse(&format!("http://{address}/metrics")).expect("an address");
        let answering = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a client");
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.expect("a request");
            let text = "carrel_database_connections 7\n";
            let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{text}", text.len());
            stream.write_all(answer.as_bytes()).await.expect("sent");
            String::from_utf8_lossy(&request[..length]).into_owned()
        });
        let mut metrics = Metrics::new(target, false, Notes::default()).with_token(Some("secret"));
        assert_eq!(metrics.sample().await.len(), 1);
        let request = answering.await.expect("no panic");
        assert!(request.contains("\r\nauthorization: Bearer secret\r\n\r\n"), "{request}");
    }

    #[tokio::test]
    async fn a_missing_server_is_reported_once_and_stops_nothing() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = free.local_addr().expect("an address");
        drop(free);
        let notes = Notes::default();
        let target = Target::parse(&format!("http://{address}/metrics")).expect("an address");
        let mut metrics = Metrics::new(target, true, notes.clone());
        for _ in 0..2 {
            assert!(metrics.sample().await.is_empty());
        }
        let warnings = notes.found().warnings;
        assert!(warnings.len() == 1 && warnings[0].contains("could not be read"), "{warnings:?}");
    }
}
