//! A client's socket. Ends a response that the client does not read, and reads on while a client still sends, so that
//! it receives the refusal.

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

use super::{activity::Activity, request_line::Place};

/// How long, and for how many bytes, to go on reading from a client that still sends after its response.
const HEARD_OUT: Duration = Duration::from_secs(2);
const HEARD_AT_MOST: usize = 4 * 1024 * 1024;

pub(super) struct Socket {
    stream: TcpStream,
    activity: Arc<Activity>,
    silence: Duration,
    /// Fires when the client has read nothing for too long.
    stalled: Option<Pin<Box<Sleep>>>,
    hearing_out: Option<(Pin<Box<Sleep>>, usize)>,
    place: Place,
    /// Encoded bytes for which the reader had no room.
    left_over: Vec<u8>,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>, silence: Duration) -> Self {
        Self { stream, activity, silence, stalled: None, hearing_out: None, place: Place::After, left_over: Vec::new() }
    }

    /// Handles the result of a write: resets the time limit on progress, and otherwise waits for it to expire.
    fn watched<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let silence = self.silence;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(silence)));
        ready!(stalled.as_mut().poll(cx));
        // Discards what the kernel still buffers.
        let _ = self.stream.set_zero_linger();
        let text = "the client takes nothing of its answer";
        Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, text)))
    }

    /// Reads on until the client stops sending. Closing a socket with unread data makes the kernel reset the
    /// connection, and the client could lose the response.
    fn hear_out(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let (patience, heard) = self.hearing_out.get_or_insert_with(|| (Box::pin(sleep(HEARD_OUT)), 0));
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
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.left_over.is_empty() {
            let fits = this.left_over.len().min(buffer.remaining());
            buffer.put_slice(&this.left_over[..fits]);
            this.left_over.drain(..fits);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            if this.activity.heard() {
                this.place = Place::Before;
            }
            if let Some(mut encoded) = this.place.encoded(&buffer.filled()[before..]) {
                buffer.set_filled(before);
                let fits = encoded.len().min(buffer.remaining());
                this.left_over = encoded.split_off(fits);
                buffer.put_slice(&encoded);
            }
        }
        read
    }
}

impl AsyncWrite for Socket {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
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
