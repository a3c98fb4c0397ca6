//! A running Carrel for the tests of the command line.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use store::embedded::Embedded;
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

/// A running `carrel serve`; killed if a test ends before stopping it.
pub struct Carrel {
    pub process: Child,
    pub staff: String,
    pub folio: String,
    pub sip2: String,
    pub archives: String,
    log: mpsc::Receiver<String>,
}

/// Runs `carrel` with these arguments to its end.
pub fn carrel(data_dir: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carrel"));
    command.args(arguments).arg("--data-dir").arg(data_dir);
    command.output().expect("it runs")
}

impl Drop for Carrel {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Carrel {
    pub fn start(data_dir: &Path) -> Self {
        Self::start_with(command(data_dir))
    }

    pub fn start_with(command: Command) -> Self {
        Self::spawn(command).ready()
    }

    /// Starts it without waiting until it is ready.
    pub fn spawn(mut command: Command) -> Self {
        let mut process = command.stderr(Stdio::piped()).spawn().expect("it starts");
        let errors = BufReader::new(process.stderr.take().expect("piped"));
        let (send, log) = mpsc::channel();
        std::thread::spawn(move || {
            for line in errors.lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        Self { process, staff: String::new(), folio: String::new(), sip2: String::new(), archives: String::new(), log }
    }

    /// Waits until it serves.
    pub fn ready(mut self) -> Self {
        let ready = self.line_with("Carrel is ready");
        let ready: serde_json::Value = serde_json::from_str(&ready).expect("a line of JSON");
        self.staff = ready["staff"].as_str().expect("an address").to_owned();
        self.folio = ready["folio"].as_str().expect("an address").to_owned();
        self.sip2 = ready["sip2"].as_str().expect("an address").to_owned();
        self.archives = ready["archives"].as_str().expect("an address").to_owned();
        self
    }

    /// Waits for a line of the log.
    pub fn line_with(&self, text: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(30);
        let mut seen = Vec::new();
        loop {
            let patience = deadline.saturating_duration_since(Instant::now());
            match self.log.recv_timeout(patience) {
                Ok(line) if line.contains(text) => return line,
                Ok(line) => seen.push(line),
                Err(_) => panic!("no line with {text:?} in {seen:#?}"),
            }
        }
    }

    pub async fn status(&self, path: &str) -> Option<u16> {
        let response = reqwest::get(format!("http://{}{path}", self.staff)).await;
        response.ok().map(|response| response.status().as_u16())
    }

    /// Waits for that status, and returns the answer's text.
    pub async fn until(&self, path: &str, status: u16) -> String {
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut last = None;
        while Instant::now() < deadline {
            if let Ok(answer) = reqwest::get(format!("http://{}{path}", self.staff)).await {
                let found = answer.status().as_u16();
                let text = answer.text().await.unwrap_or_default();
                if found == status {
                    return text;
                }
                last = Some((found, text));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{path} is not {status} but {last:?}");
    }

    /// Waits for the end of a stopping Carrel; returns its remaining output.
    pub fn end(mut self) -> (ExitStatus, String) {
        let status = self.process.wait().expect("its end");
        let text: Vec<String> = self.log.iter().collect();
        (status, text.join("\n"))
    }

    pub fn stop(mut self, signal: &str) -> ExitStatus {
        send(signal, self.process.id());
        self.process.wait().expect("its end")
    }
}

pub fn command(data_dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carrel"));
    command
        .args(["serve", "--log-format=json"])
        .args(["--folio-listen=127.0.0.1:0", "--staff-listen=127.0.0.1:0", "--sip2-listen=127.0.0.1:0"])
        .arg("--archives-listen=127.0.0.1:0")
        .arg("--data-dir")
        .arg(data_dir)
        .stdin(Stdio::null());
    command
}

pub fn data_dir() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

pub fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args(["-s", signal, &process.to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

/// A separate connection to the PostgreSQL of a running Carrel.
pub async fn database(data_dir: &Path) -> Client {
    let mut config = Embedded::beside(data_dir);
    config.application_name("test");
    let (client, connection) = config.connect(NoTls).await.expect("its PostgreSQL");
    tokio::spawn(connection);
    client
}

/// The process id in PostgreSQL's lock file, if it runs.
pub fn postgres_of(data_dir: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(data_dir.join("postgres/postmaster.pid")).ok()?;
    text.lines().next()?.parse().ok()
}
