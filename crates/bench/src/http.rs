//! The lab's client, with fixed headers.

use std::net::SocketAddr;

use anyhow::Context;
use lab::client::{self, Target};

pub struct Connection {
    connection: client::Connection,
    headers: String,
}

pub struct Answer {
    pub status: u16,
    /// The header `x-okapi-token`, after a log-in.
    pub token: Option<String>,
    pub body: Vec<u8>,
}

impl Connection {
    /// Connects; `headers` are sent with each request, each ending in CR LF.
    pub async fn open(address: SocketAddr, headers: &str) -> anyhow::Result<Self> {
        let target = Target::parse(&format!("http://{address}"))?;
        let connection = target.connect().await.context("no server")?;
        Ok(Self { connection, headers: headers_to(address, headers) })
    }

    /// Sends a request and reads its answer.
    pub async fn send(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<Answer> {
        let request = written(method, path, &self.headers, body);
        let answer = self.connection.send(&request, true).await?;
        let token = answer.header("x-okapi-token").map(str::to_owned);
        Ok(Answer { status: answer.status, token, body: answer.body })
    }
}

/// The headers of each request to that address, and others, each ending in CR LF.
pub fn headers_to(address: SocketAddr, headers: &str) -> String {
    format!("host: {address}\r\ncontent-type: application/json\r\n{headers}")
}

/// A request in its HTTP form.
pub fn written(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("{method} {path} HTTP/1.1\r\n{headers}content-length: {length}\r\n\r\n{body}")
        .into_bytes()
}
