//! The lab's client, with the same headers on each request.

use std::net::SocketAddr;

use anyhow::Context;
use lab::client::{self, Target};

/// One connection.
pub struct Connection {
    connection: client::Connection,
    headers: String,
}

/// What came back.
pub struct Answer {
    /// Status.
    pub status: u16,
    /// Header `x-okapi-token`, after a log-in.
    pub token: Option<String>,
    /// Body.
    pub body: Vec<u8>,
}

impl Connection {
    /// Connects; `headers` are sent with each request, each ending in CR LF.
    pub async fn open(address: SocketAddr, headers: &str) -> anyhow::Result<Self> {
        let target = Target::parse(&format!("http://{address}"))?;
        let connection = target.connect().await.context("no server")?;
        let headers = format!("host: {address}\r\ncontent-type: application/json\r\n{headers}");
        Ok(Self {
            connection,
            headers,
        })
    }

    /// Sends a request and reads its answer.
    pub async fn send(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<Answer> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{}content-length: {}\r\n\r\n{body}",
            self.headers,
            body.len()
        );
        let answer = self.connection.send(request.as_bytes(), true).await?;
        let token = answer.header("x-okapi-token").map(str::to_owned);
        Ok(Answer {
            status: answer.status,
            token,
            body: answer.body,
        })
    }
}
