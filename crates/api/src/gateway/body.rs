//! Request bodies: how much of one is taken, how much of all of them at once, and what becomes of one that nobody reads.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout, timeout_at};

use crate::answer::Problem;

/// What a route takes that anybody may call: a log-in has a name and a password.
pub(super) const ON_OPEN_ROUTES: usize = 16 * 1024;
/// The beginning of each body that needs no room of the common budget, so that the desk's small requests are taken
/// while large ones wait.
const FREE_OF_CHARGE: usize = 16 * 1024;
/// A body may take this long, and longer by as much as it comes at [`SLOWEST`].
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes a second.
const SLOWEST: usize = 64 * 1024;
/// So much of a body that nobody wants is read, so that its connection can be used again.
const DISCARDED: usize = 64 * 1024;
const DISCARDING: Duration = Duration::from_secs(2);

/// The room that all bodies in flight share, in bytes.
#[derive(Debug)]
pub struct Room(AtomicUsize);

impl Room {
    /// Room for that many bytes.
    #[must_use]
    pub fn of(bytes: usize) -> Arc<Self> {
        Arc::new(Self(AtomicUsize::new(bytes)))
    }
}

/// A part of the room; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    room: Arc<Room>,
    bytes: usize,
}

impl Held {
    fn nothing(room: &Arc<Room>) -> Self {
        let room = Arc::clone(room);
        Self { room, bytes: 0 }
    }

    /// Holds `total` bytes; false when there is no room for them.
    fn grow(&mut self, total: usize) -> bool {
        let more = total.saturating_sub(self.bytes);
        let take = |left: usize| left.checked_sub(more);
        let taken = self
            .room
            .0
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, take);
        if taken.is_ok() {
            self.bytes += more;
        }
        taken.is_ok()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.room.0.fetch_add(self.bytes, Ordering::AcqRel);
    }
}

/// What is allowed of one body.
pub(super) struct Allowed<'r> {
    /// Its length in bytes.
    pub(super) limit: usize,
    /// What is said of a longer one, when not 413.
    pub(super) too_large: Option<fn() -> Problem>,
    /// The room of all.
    pub(super) room: &'r Arc<Room>,
    /// How long its client may be silent.
    pub(super) silence: Duration,
}

impl Allowed<'_> {
    fn too_large(&self) -> Problem {
        let general = || {
            let text = format!("The request body is larger than {} bytes", self.limit);
            Problem::Text(StatusCode::PAYLOAD_TOO_LARGE, text)
        };
        self.too_large.map_or_else(general, |refusal| refusal())
    }
}

/// The body of a request, until it was read or refused.
pub(super) struct Sent {
    body: Body,
    /// Its length, when the client has said it.
    declared: Option<u64>,
    state: State,
}

#[derive(PartialEq, Eq)]
enum State {
    /// Nothing was read.
    Whole,
    /// The client waits for word before it sends.
    Awaited,
    /// Some is left.
    Begun,
    /// Nothing is left.
    Done,
    /// Nothing more comes.
    Broken,
}

impl Sent {
    pub(super) fn new(headers: &HeaderMap, body: Body) -> Self {
        use axum::body::HttpBody;
        let state = if body.is_end_stream() {
            State::Done
        } else if headers.contains_key(header::EXPECT) {
            State::Awaited
        } else {
            State::Whole
        };
        Self {
            declared: body.size_hint().exact(),
            body,
            state,
        }
    }

    /// The whole body, with the room it takes as long as it is worked on.
    ///
    /// # Errors
    /// 413, or what the route says, above the limit (nothing is read when the client has said so), 503 without room, 408 and
    /// 400 when it does not come.
    pub(super) async fn read(&mut self, allowed: &Allowed<'_>) -> Result<(Bytes, Held), Problem> {
        let limit = allowed.limit;
        let mut held = Held::nothing(allowed.room);
        if self.declared.is_some_and(|length| length > limit as u64) {
            return Err(allowed.too_large());
        }
        if self.state == State::Done {
            return Ok((Bytes::new(), held));
        }
        self.state = State::Begun;
        let started = Instant::now();
        let (mut length, mut first, mut all) = (0, Bytes::new(), BytesMut::new());
        loop {
            let earned = Duration::from_secs((length / SLOWEST) as u64);
            let deadline = (started + PATIENCE + earned).min(Instant::now() + allowed.silence);
            let frame = match timeout_at(deadline, self.body.frame()).await {
                Ok(Some(Ok(frame))) => frame,
                Ok(None) => break,
                Ok(Some(Err(error))) => {
                    self.state = State::Broken;
                    let text = format!("The request body broke off: {error}");
                    return Err(Problem::bad_request(text));
                }
                Err(_) => {
                    self.state = State::Broken;
                    return Err(too_late());
                }
            };
            let Ok(data) = frame.into_data() else {
                continue;
            };
            let before = length;
            length += data.len();
            if length > limit {
                return Err(allowed.too_large());
            }
            if !held.grow(length.saturating_sub(FREE_OF_CHARGE)) {
                return Err(no_room());
            }
            if before == 0 {
                first = data;
                continue;
            }
            all.extend_from_slice(&std::mem::take(&mut first));
            all.extend_from_slice(&data);
        }
        self.state = State::Done;
        let whole = if all.is_empty() { first } else { all.freeze() };
        Ok((whole, held))
    }

    /// Reads a little that is left, so that the connection can be used again; false when it cannot.
    pub(super) async fn discard(&mut self) -> bool {
        match self.state {
            State::Done => return true,
            State::Awaited | State::Broken => return false,
            State::Whole | State::Begun => {}
        }
        if self
            .declared
            .is_some_and(|length| length > DISCARDED as u64)
        {
            return false;
        }
        let rest = async {
            let mut read = 0;
            while let Some(Ok(frame)) = self.body.frame().await {
                read += frame.data_ref().map_or(0, Bytes::len);
                if read > DISCARDED {
                    return false;
                }
            }
            true
        };
        timeout(DISCARDING, rest).await.unwrap_or(false)
    }
}

fn too_late() -> Problem {
    let text = "The request body did not arrive in time";
    Problem::Text(StatusCode::REQUEST_TIMEOUT, text.into())
}

fn no_room() -> Problem {
    let text = "Too many large requests are under way; send it again in a moment";
    Problem::Text(StatusCode::SERVICE_UNAVAILABLE, text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(sizes: &'static [usize]) -> Sent {
        let chunk = |size: &usize| Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; *size]));
        let body = Body::from_stream(futures_util::stream::iter(sizes.iter().map(chunk)));
        Sent::new(&HeaderMap::new(), body)
    }

    fn allowed(limit: usize, room: &Arc<Room>) -> Allowed<'_> {
        let silence = Duration::from_millis(200);
        Allowed {
            limit,
            too_large: None,
            room,
            silence,
        }
    }

    fn status(problem: Problem) -> StatusCode {
        match problem {
            Problem::Text(status, _) => status,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn chunks_count_as_they_come_and_room_is_given_back() {
        let room = Room::of(100_000);
        let (body, held) = chunks(&[50_000, 50_000])
            .read(&allowed(100_000, &room))
            .await
            .unwrap();
        assert_eq!(body.len(), 100_000);
        let full = chunks(&[50_000]).read(&allowed(100_000, &room)).await;
        assert_eq!(status(full.unwrap_err()), StatusCode::SERVICE_UNAVAILABLE);
        let small = chunks(&[10_000]).read(&allowed(100_000, &room)).await;
        assert_eq!(
            small.unwrap().0.len(),
            10_000,
            "the desk's requests need no room"
        );
        drop(held);
        assert!(
            chunks(&[50_000])
                .read(&allowed(100_000, &room))
                .await
                .is_ok()
        );
        let large = chunks(&[60_000, 60_000])
            .read(&allowed(100_000, &room))
            .await;
        assert_eq!(status(large.unwrap_err()), StatusCode::PAYLOAD_TOO_LARGE);
        assert_eq!(room.0.load(Ordering::Acquire), 100_000);
    }

    #[tokio::test]
    async fn what_nobody_reads_is_discarded_up_to_a_bound() {
        assert!(chunks(&[10, 20_000]).discard().await);
        assert!(!chunks(&[50_000, 50_000, 50_000]).discard().await);
        let declared = Sent::new(&HeaderMap::new(), Body::from(vec![0; 100_000]));
        assert!(!{ declared }.discard().await, "said to be too long");
        let mut headers = HeaderMap::new();
        headers.insert(
            header::EXPECT,
            http::HeaderValue::from_static("100-continue"),
        );
        let awaited = Sent::new(&headers, Body::from("x"));
        assert!(!{ awaited }.discard().await, "nobody asks for it");
        assert!(Sent::new(&headers, Body::empty()).discard().await);
    }

    #[tokio::test]
    async fn a_client_that_falls_silent_is_not_waited_for() {
        let room = Room::of(100_000);
        let body = Body::from_stream(futures_util::stream::pending::<std::io::Result<Bytes>>());
        let mut sent = Sent::new(&HeaderMap::new(), body);
        let read = sent.read(&allowed(100, &room)).await;
        assert_eq!(status(read.unwrap_err()), StatusCode::REQUEST_TIMEOUT);
        assert!(!sent.discard().await);
    }
}
