//! A client's socket: an answer that nobody takes ends, and a client that still sends is heard out, so that it gets the
//! answer that tells it why nobody wants more.

use std::{
    io::{self, ErrorKind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};

use super::activity::Activity;

/// A client that sends although its answer was sent is heard for so long, and for so many bytes.
const HEARD_OUT: Duration = Duration::from_secs(2);
const HEARD_AT_MOST: usize = 4 * 1024 * 1024;

/// A socket with patience.
pub(super) struct Socket {
    stream: TcpStream,
    activity: Arc<Activity>,
    silence: Duration,
    /// Ends when nothing was taken for too long.
    stalled: Option<Pin<Box<Sleep>>>,
    hearing_out: Option<(Pin<Box<Sleep>>, usize)>,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>, silence: Duration) -> Self {
        Self {
            stream,
            activity,
            silence,
            stalled: None,
            hearing_out: None,
        }
    }

    /// Judges what came of writing: the client has taken something, or it has that much longer.
    fn watched<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let silence = self.silence;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(silence)));
        ready!(stalled.as_mut().poll(cx));
        // What waits in the kernel goes with the connection.
        let _ = self.stream.set_zero_linger();
        let text = "the client takes nothing of its answer";
        Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, text)))
    }

    /// Reads on until the client has understood. What is unread when a socket is closed makes the kernel reset the
    /// connection, and the client may lose the answer that was sent to it.
    fn hear_out(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let (patience, heard) = self
            .hearing_out
            .get_or_insert_with(|| (Box::pin(sleep(HEARD_OUT)), 0));
        let mut bytes = [0; 8 * 1024];
        loop {
            if patience.as_mut().poll(cx).is_ready() || *heard > HEARD_AT_MOST {
                return Poll::Ready(());
            }
            let mut buffer = ReadBuf::new(&mut bytes);
            match ready!(Pin::new(&mut self.stream).poll_read(cx, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => *heard += buffer.filled().len(),
                _ => return Poll::Ready(()),
            }
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            this.activity.heard();
        }
        read
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.watched(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(cx, slices);
        this.watched(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
        if this.activity.lingers() {
            ready!(this.hear_out(cx));
        }
        Poll::Ready(Ok(()))
    }
}
