//! Request bodies: the limits on each one and on all together, and disposal of unread ones.

use std::{sync::Arc, time::Duration};

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout, timeout_at};

use crate::{
    answer::Problem,
    room::{Held, Room},
};

/// Size limit on routes that require no permission, in bytes. A log-in needs only a name and a password.
pub(crate) const ON_OPEN_ROUTES: usize = 16 * 1024;
/// The first bytes of each body do not count against the shared budget, so that small requests from the circulation
/// desk are served while large ones wait.
const FREE_OF_CHARGE: usize = 16 * 1024;
/// Time allowed for any body, plus the time its bytes take at [`SLOWEST`].
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes per second.
const SLOWEST: usize = 64 * 1024;
/// The maximum number of unwanted bytes to read so that the connection can be reused.
const DISCARDED: usize = 64 * 1024;
const DISCARDING: Duration = Duration::from_secs(2);

pub(crate) struct Allowed<'r> {
    /// Maximum length in bytes.
    pub(crate) limit: usize,
    /// The refusal of a longer body. The default is 413.
    pub(crate) too_large: Option<fn() -> Problem>,
    /// The budget shared by all bodies.
    pub(crate) room: &'r Arc<Room>,
    /// How long the client may send nothing.
    pub(crate) silence: Duration,
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

/// A request body, until it has been read or refused.
pub(crate) struct Sent {
    body: Body,
    /// The `Content-Length`, if the client sent one.
    declared: Option<u64>,
    state: State,
}

#[derive(PartialEq, Eq)]
enum State {
    /// Nothing has been read.
    Whole,
    /// The client waits for `100 Continue`.
    Awaited,
    /// Partly read.
    Begun,
    /// Completely read.
    Done,
    /// Broken off: nothing more will come.
    Broken,
}

impl Sent {
    pub(crate) fn new(headers: &HeaderMap, body: Body) -> Self {
        use axum::body::HttpBody;
        let state = if body.is_end_stream() {
            State::Done
        } else if headers.contains_key(header::EXPECT) {
            State::Awaited
        } else {
            State::Whole
        };
        Self { declared: body.size_hint().exact(), body, state }
    }

    /// Reads the whole body. [`Held`] keeps its share of the budget for as long as the request is being processed.
    /// Above the limit, answers 413 or what the route specifies, without reading anything if the client sent the
    /// length; 503 if the budget is used up; 408 or 400 if the body does not arrive.
    pub(crate) async fn read(&mut self, allowed: &Allowed<'_>) -> Result<(Bytes, Held), Problem> {
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

    /// Reads the rest of a body, if it is short, so that the connection can be reused. Returns false if it cannot be.
    pub(crate) async fn discard(&mut self) -> bool {
        match self.state {
            State::Done => return true,
            State::Awaited | State::Broken => return false,
            State::Whole | State::Begun => {}
        }
        if self.declared.is_some_and(|length| length > DISCARDED as u64) {
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
        Allowed { limit, too_large: None, room, silence }
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
        let (body, held) = chunks(&[50_000, 50_000]).read(&allowed(100_000, &room)).await.unwrap();
        assert_eq!(body.len(), 100_000);
        let full = chunks(&[50_000]).read(&allowed(100_000, &room)).await;
        assert_eq!(status(full.unwrap_err()), StatusCode::SERVICE_UNAVAILABLE);
        let small = chunks(&[10_000]).read(&allowed(100_000, &room)).await;
        assert_eq!(small.unwrap().0.len(), 10_000, "the desk's requests need no room");
        drop(held);
        assert!(chunks(&[50_000]).read(&allowed(100_000, &room)).await.is_ok());
        let large = chunks(&[60_000, 60_000]).read(&allowed(100_000, &room)).await;
        assert_eq!(status(large.unwrap_err()), StatusCode::PAYLOAD_TOO_LARGE);
        assert_eq!(room.left(), 100_000);
    }

    #[tokio::test]
    async fn what_nobody_reads_is_discarded_up_to_a_bound() {
        assert!(chunks(&[10, 20_000]).discard().await);
        assert!(!chunks(&[50_000, 50_000, 50_000]).discard().await);
        let declared = Sent::new(&HeaderMap::new(), Body::from(vec![0; 100_000]));
        assert!(!{ declared }.discard().await, "said to be too long");
        let mut headers = HeaderMap::new();
        headers.insert(header::EXPECT, http::HeaderValue::from_static("100-continue"));
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
