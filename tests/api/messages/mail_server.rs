//! A real mail server on this machine for the duration of a test.

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use serde_json::Value;

/// How long a test waits for an e-mail.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running mail server.
pub struct MailServer {
    process: Child,
    _input: ChildStdin,
    lines: Receiver<String>,
}

/// A port on which nothing listens.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

impl MailServer {
    /// Starts a server on this port; `options` are those of `mail_server.py`.
    pub fn start(port: u16, options: &[&str]) -> MailServer {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/api/messages/mail_server.py");
        let mut process = Command::new("/usr/bin/python3")
            .arg(script)
            .arg(port.to_string())
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3");
        let output = process.stdout.take().expect("its output");
        let (sender, lines) = channel();
        thread::spawn(move || {
            let read = BufReader::new(output).lines().map_while(Result::ok);
            read.map(|line| sender.send(line)).take_while(Result::is_ok).count()
        });
        let server = MailServer { _input: process.stdin.take().expect("its input"), process, lines };
        assert_eq!(server.line(), "ready", "python3-aiosmtpd is missing: make setup-test");
        server
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap_or_default()
    }

    /// The next accepted message.
    pub fn message(&self) -> Value {
        serde_json::from_str(&self.line()).expect("a message")
    }

    /// Whether no unexpected message has arrived.
    pub fn is_quiet(&self) -> bool {
        self.lines.try_recv().is_err()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
