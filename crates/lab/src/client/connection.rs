//! One connection: a request, its answer, the next request.

use std::task::Poll;

use bytes::{Buf, BytesMut};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_rustls::client::TlsStream;

use super::{
    answer::{Answer, Head},
    body::{Framing, Sink},
    failure::Failure,
};

/// The longest head of an answer.
const HEAD: usize = 64 << 10;
/// Maximum number of interim answers (1xx) before the answer.
const INTERIM: usize = 8;

/// The transport of a connection.
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// A persistent connection.
pub struct Connection {
    pub(super) stream: Stream,
    pub(super) buffer: BytesMut,
    pub(super) open: bool,
}

impl Connection {
    /// Sends `request` (line, headers, body) as it is and reads the answer: the whole body if `keep`, otherwise its
    /// start.
    ///
    /// # Errors
    /// The connection ends, or the answer is not HTTP. The connection is then no longer [open](Self::is_open).
    pub async fn send(&mut self, request: &[u8], keep: bool) -> Result<Answer, Failure> {
        // If the caller stops waiting, the connection is left in the middle of an answer.
        let open = std::mem::replace(&mut self.open, false);
        if !open {
            return Err(Failure::Closed);
        }
        self.write(request).await?;
        let (answer, close) = self.read(keep).await?;
        self.open = !close;
        Ok(answer)
    }

    /// Whether another request can be sent. Checks whether the server has closed the connection.
    pub async fn is_open(&mut self) -> bool {
        self.open && self.buffer.is_empty() && !self.has_ended().await
    }

    /// Checks without waiting: between requests the server sends nothing but its end.
    async fn has_ended(&mut self) -> bool {
        let stream = match &self.stream {
            Stream::Plain(stream) => stream,
            Stream::Tls(stream) => stream.get_ref().0,
        };
        std::future::poll_fn(|context| {
            let mut byte = [0];
            let mut byte = tokio::io::ReadBuf::new(&mut byte);
            let peeked = stream.poll_peek(context, &mut byte);
            // With TLS, data may arrive between requests (session tickets).
            Poll::Ready(matches!(peeked, Poll::Ready(Ok(0) | Err(_))))
        })
        .await
    }

    async fn write(&mut self, request: &[u8]) -> Result<(), Failure> {
        match &mut self.stream {
            Stream::Plain(stream) => stream.write_all(request).await?,
            Stream::Tls(stream) => {
                stream.write_all(request).await?;
                stream.flush().await?;
            }
        }
        Ok(())
    }

    /// The answer, and whether the connection ends with it.
    async fn read(&mut self, keep: bool) -> Result<(Answer, bool), Failure> {
        let head = self.head().await?;
        let mut framing = Framing::of(&head);
        let mut sink = Sink::new(keep);
        let until_closed = framing == Framing::UntilClosed;
        while !framing.advance(&mut self.buffer, &mut sink)? {
            match self.more().await {
                Err(Failure::Closed) if until_closed => break,
                read => read?,
            }
        }
        let close = head.close || until_closed;
        let mut answer = head.answer;
        (answer.body, answer.bytes) = (sink.body, sink.bytes);
        Ok((answer, close))
    }

    async fn head(&mut self) -> Result<Head, Failure> {
        let mut interim = 0;
        loop {
            if !self.buffer.is_empty()
                && let Some((length, head)) = Head::read(&self.buffer)?
            {
                self.buffer.advance(length);
                if !(100..200).contains(&head.answer.status) {
                    return Ok(head);
                }
                interim += 1;
                if interim > INTERIM {
                    return Err(Failure::Garbled("one interim answer after the other".to_owned()));
                }
                continue;
            }
            if self.buffer.len() > HEAD {
                return Err(Failure::Garbled("an endless head".to_owned()));
            }
            self.more().await?;
        }
    }

    async fn more(&mut self) -> Result<(), Failure> {
        self.buffer.reserve(16 << 10);
        let read = match &mut self.stream {
            Stream::Plain(stream) => stream.read_buf(&mut self.buffer).await?,
            Stream::Tls(stream) => stream.read_buf(&mut self.buffer).await?,
        };
        if read == 0 { Err(Failure::Closed) } else { Ok(()) }
    }
}
