//! A library with a SIP2 port, and terminals that send whatever a test wants.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use futures_util::FutureExt;
use self_check::Settings;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
    time::timeout,
};

use crate::lending_library::LendingLibrary;

pub const LOG_IN: &str = "9300CNlibrarian|COsecret|CPDesk|";
const PATIENCE: Duration = Duration::from_secs(30);

/// A library whose librarian is the user of its terminals.
pub struct SelfChecks {
    pub lending: LendingLibrary,
    pub address: SocketAddr,
    settings: Settings,
    stop: watch::Sender<bool>,
    serving: Option<JoinHandle<()>>,
}

impl SelfChecks {
    pub async fn new() -> SelfChecks {
        SelfChecks::with(Settings::default()).await
    }

    pub async fn with(settings: Settings) -> SelfChecks {
        let lending = LendingLibrary::new().await;
        let noon = "2026-11-22T12:00:00Z".parse().expect("a moment");
        lending.library.clock.set(noon);
        let credentials = json!({"userId": lending.librarian, "password": "secret"});
        let credentials = lending.desk.post("/authn/credentials", &credentials).await;
        credentials.expect(201);
        let mut checks = SelfChecks {
            lending,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            settings,
            stop: watch::Sender::new(false),
            serving: None,
        };
        checks.start().await;
        checks
    }

    /// Listens on a free port.
    pub async fn start(&mut self) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        self.address = listener.local_addr().expect("its address");
        let (stop, mut stopped) = watch::channel(false);
        let stopped = async move { drop(stopped.wait_for(|stop| *stop).await) };
        let app = Arc::clone(&self.lending.library.app);
        let stopped = stopped.boxed().shared();
        let serving = self_check::serve(app, listener, self.settings.clone(), stopped);
        self.stop = stop;
        self.serving = Some(tokio::spawn(serving));
    }

    /// A connected terminal.
    pub async fn terminal(&self) -> Terminal {
        let stream = TcpStream::connect(self.address).await.expect("it listens");
        Terminal { stream, waiting: Vec::new() }
    }

    /// A terminal signed in at the desk.
    pub async fn signed_in(&self) -> Terminal {
        let mut terminal = self.terminal().await;
        assert_eq!(terminal.ask(LOG_IN).await, "941");
        terminal
    }

    /// Sets a setting for self-checks.
    pub async fn set(&self, key: &str, value: Value) {
        let entry = json!({"id": uuid::Uuid::new_v4(), "scope": "edge-sip2.config.manage", "key": key, "value": value});
        let permissions = "[\"mod-settings.global.write.edge-sip2.config.manage\"]";
        let client = self.lending.desk.with_header("x-okapi-permissions", permissions);
        client.post("/settings/entries", &entry).await.expect(204);
        // The next reader of the configuration sees it.
        let app = &self.lending.library.app;
        let tenant = app.tenant(self.lending.library.tenant).expect("a tenant");
        let session = self.lending.session();
        tenant.desk.current(&session).await.expect("the configuration");
    }

    /// Gives a patron a PIN.
    pub async fn pin(&self, patron: &str, pin: &str) {
        let pin = json!({"id": patron, "pin": pin});
        let desk = &self.lending.desk;
        desk.post("/patron-pin", &pin).await.expect(201);
    }

    /// Stops the server and waits for its end.
    pub async fn stop(&mut self) {
        let _ = self.stop.send(true);
        if let Some(serving) = self.serving.take() {
            let ended = timeout(PATIENCE, serving).await;
            ended.expect("it stops").expect("it did not panic");
        }
    }
}

impl Drop for SelfChecks {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
    }
}

/// A connection to the port.
pub struct Terminal {
    stream: TcpStream,
    waiting: Vec<u8>,
}

impl Terminal {
    /// The terminal's address as the server sees it.
    pub fn address(&self) -> String {
        self.stream.local_addr().expect("an address").to_string()
    }

    pub async fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.expect("the port takes it");
    }

    /// The bytes of the next answer with its line end; `None` after the end of the connection.
    pub async fn hear(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(end) = self.waiting.iter().position(|byte| *byte == b'\r') {
                let mut answer: Vec<u8> = self.waiting.drain(..=end).collect();
                if self.waiting.first() == Some(&b'\n') {
                    answer.push(self.waiting.remove(0));
                }
                return Some(answer);
            }
            let mut buffer = [0; 1024];
            let read = timeout(PATIENCE, self.stream.read(&mut buffer)).await;
            match read.expect("an answer in time") {
                Ok(0) | Err(_) => return None,
                Ok(length) => self.waiting.extend_from_slice(&buffer[..length]),
            }
        }
    }

    /// Sends a line and returns the answer without its line end.
    pub async fn ask(&mut self, line: &str) -> String {
        self.send(format!("{line}\r").as_bytes()).await;
        let answer = self.hear().await.expect("an answer");
        String::from_utf8(answer).expect("UTF-8").trim_end().to_owned()
    }

    /// Sends bytes; an error after the end of the connection.
    pub async fn try_send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Sends a line and returns the answer without its line end; `None` after the end of the connection.
    pub async fn try_ask(&mut self, line: &str) -> Option<String> {
        self.try_send(format!("{line}\r").as_bytes()).await.ok()?;
        let answer = self.hear().await?;
        Some(String::from_utf8(answer).expect("UTF-8").trim_end().to_owned())
    }

    /// Whether the server closes the connection without another answer.
    pub async fn is_over(&mut self) -> bool {
        self.hear().await.is_none()
    }
}

/// The first field of an answer with this code.
pub fn field<'a>(answer: &'a str, code: &str) -> Option<&'a str> {
    fields(answer, code).into_iter().next()
}

/// The fields of an answer with this code, by the widths of the specification.
pub fn fields<'a>(answer: &'a str, code: &str) -> Vec<&'a str> {
    let fixed = match &answer[..2] {
        "10" | "12" | "30" => 24,
        "16" => 22,
        "36" | "38" | "20" => 21,
        "18" => 26,
        "24" | "26" => 37,
        "64" => 61,
        "66" => 29,
        "98" => 36,
        _ => 2,
    };
    let pieces = answer[fixed..].split('|');
    pieces.filter_map(|piece| piece.strip_prefix(code)).collect()
}
