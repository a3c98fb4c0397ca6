//! A webhook: a server on loopback that keeps what it receives and answers as the test says.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Router, extract::State, routing::post};
use reqwest::{StatusCode, header::HeaderMap};
use serde_json::Value;
use tokio::{
    net::TcpListener,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinHandle,
};

/// Longer than any event takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A received event.
#[derive(Debug, Clone)]
pub struct Sent {
    pub headers: HeaderMap,
    pub body: Value,
    /// The body as it was sent.
    pub text: String,
    /// The status that it was answered with.
    pub status: u16,
}

impl Sent {
    /// A header as text; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("")
    }

    /// The event type.
    pub fn topic(&self) -> &str {
        self.header("x-carrel-event-type")
    }
}

type Answering = Arc<Mutex<Box<dyn FnMut(&Value) -> u16 + Send>>>;

/// A running webhook.
pub struct Hook {
    address: String,
    answering: Answering,
    received: UnboundedReceiver<Sent>,
    running: JoinHandle<()>,
}

#[derive(Clone)]
struct Shared {
    answering: Answering,
    sender: UnboundedSender<Sent>,
}

impl Hook {
    /// A webhook that accepts everything.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let answering: Answering = Arc::new(Mutex::new(Box::new(|_| 204)));
        let (sender, received) = unbounded_channel();
        let shared = Shared { answering: Arc::clone(&answering), sender };
        let router = Router::new().route("/hook", post(receive)).with_state(shared);
        let running = tokio::spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        Self { address, answering, received, running }
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// Makes the webhook answer each body with `status` from now on.
    pub fn answer(&self, status: impl FnMut(&Value) -> u16 + Send + 'static) {
        *self.answering.lock().expect("no other test") = Box::new(status);
    }

    /// The next event.
    ///
    /// # Panics
    /// If none comes.
    pub async fn next(&mut self) -> Sent {
        let next = tokio::time::timeout(PATIENCE, self.received.recv());
        next.await.expect("an event in time").expect("a webhook")
    }

    /// The events that the test has not yet read.
    pub fn rest(&mut self) -> Vec<Sent> {
        std::iter::from_fn(|| self.received.try_recv().ok()).collect()
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn receive(State(shared): State<Shared>, headers: HeaderMap, text: String) -> StatusCode {
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    let status = (shared.answering.lock().expect("no other test"))(&body);
    let _ = shared.sender.send(Sent { headers, body, text, status });
    StatusCode::from_u16(status).expect("a status")
}
