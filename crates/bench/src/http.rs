//! A keep-alive HTTP/1.1 client that does no more than the measurement needs.

use std::net::SocketAddr;

use anyhow::{Context, bail};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

/// One connection.
pub struct Connection {
    stream: BufReader<TcpStream>,
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
        let stream = TcpStream::connect(address)
            .await
            .context("cannot connect")?;
        stream.set_nodelay(true)?;
        let headers = format!("host: {address}\r\ncontent-type: application/json\r\n{headers}");
        Ok(Self {
            stream: BufReader::new(stream),
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
        self.stream.get_mut().write_all(request.as_bytes()).await?;
        self.read().await
    }

    async fn read(&mut self) -> anyhow::Result<Answer> {
        let first = self.line().await?;
        let status = first.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.with_context(|| format!("not HTTP: {first}"))?;
        let (mut length, mut token) = (0, None);
        loop {
            let line = self.line().await?;
            match line.split_once(": ") {
                None if line.is_empty() => break,
                Some(("content-length", value)) => length = value.parse()?,
                Some(("x-okapi-token", value)) => token = Some(value.to_owned()),
                Some(("transfer-encoding", _)) => bail!("a chunked answer"),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        Ok(Answer {
            status,
            token,
            body,
        })
    }

    async fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line).await? == 0 {
            bail!("the server closed the connection");
        }
        Ok(line.trim_end().to_owned())
    }
}
