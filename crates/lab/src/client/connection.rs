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
/// How many interim answers (1xx) may come before the answer.
const INTERIM: usize = 8;

/// What a connection runs over.
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// A connection that stays open from one answer to the next request.
pub struct Connection {
    pub(super) stream: Stream,
    pub(super) buffer: BytesMut,
    pub(super) open: bool,
}

impl Connection {
    /// Sends `request` as it is (line, headers, body) and reads its answer, with the whole of its body if that is to
    /// be kept and with its start otherwise.
    ///
    /// # Errors
    /// The connection ends, or what comes is not HTTP. The connection is then not [`Self::is_open`] any longer.
    pub async fn send(&mut self, request: &[u8], keep: bool) -> Result<Answer, Failure> {
        // Whoever stops waiting for the answer leaves the connection in the middle of it.
        let open = std::mem::replace(&mut self.open, false);
        if !open {
            return Err(Failure::Closed);
        }
        self.write(request).await?;
        let (answer, close) = self.read(keep).await?;
        self.open = !close;
        Ok(answer)
    }

    /// Whether another request can be sent. It looks whether the server has closed it meanwhile.
    pub async fn is_open(&mut self) -> bool {
        self.open && self.buffer.is_empty() && !self.has_ended().await
    }

    /// Looks without waiting: between requests the server has nothing to say but that it ends.
    async fn has_ended(&mut self) -> bool {
        let stream = match &self.stream {
            Stream::Plain(stream) => stream,
            Stream::Tls(stream) => stream.get_ref().0,
        };
        std::future::poll_fn(|context| {
            let mut byte = [0];
            let mut byte = tokio::io::ReadBuf::new(&mut byte);
            let peeked = stream.poll_peek(context, &mut byte);
            // Over TLS there may be something to read between requests (session tickets).
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
                    return Err(Failure::Garbled(
                        "one interim answer after the other".to_owned(),
                    ));
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
        if read == 0 {
            Err(Failure::Closed)
        } else {
            Ok(())
        }
    }
}
