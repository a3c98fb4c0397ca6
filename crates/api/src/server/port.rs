//! One port: accepts connections up to its limits and serves them until shutdown.

use std::{
    convert::Infallible,
    future::Future,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Body;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};
use tower::{Layer, ServiceExt};
use tower_http::compression::{CompressionLayer, predicate::SizeAbove};

use super::{
    activity::{Activity, Phase, Turn},
    register::{Admission, Place, Register},
    socket::Socket,
    spelling::Spelling,
};
use crate::connection::{Bounds, COMPRESS_ABOVE, Patience, Peer};

/// The maximum size of a request's head: a path of 64 KiB and the headers.
const LONGEST_HEAD: usize = 128 * 1024;
/// Pause before accepting again after the system has run out of resources for connections.
const OUT_OF_ROOM: Duration = Duration::from_millis(50);
/// How long a new connection waits for closing ones before it is turned away.
const LEAVING: Duration = Duration::from_millis(100);
/// How long a client above the limit has to send its request.
const CROWDED_PATIENCE: Duration = Duration::from_secs(2);
/// Paths served even above the limit.
const HEALTH: [&str; 2] = ["/healthz", "/readyz"];

pub(super) struct Port {
    pub(super) name: &'static str,
    pub(super) listener: TcpListener,
    pub(super) bounds: Bounds,
    pub(super) patience: Patience,
}

impl Port {
    /// Serves until `stop` completes. Requests under way are finished first.
    pub(super) async fn serve<H, F, S>(self, stop: S, handler: H)
    where
        H: Fn(Request<Body>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Response<Body>> + Send + 'static,
        S: Future<Output = ()> + Send + Clone + 'static,
    {
        let register = Register::new(self.name, self.bounds);
        let spelling = Arc::new(Spelling::learn().await);
        let mut connections = JoinSet::new();
        loop {
            // A flood arrives faster than the connections asked to close do so.
            while register.is_full() && matches!(timeout(LEAVING, connections.join_next()).await, Ok(Some(_))) {}
            let accepted = tokio::select! {
                biased;
                () = stop.clone() => break,
                Some(_) = connections.join_next() => continue,
                accepted = self.listener.accept() => accepted,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(port = self.name, %error, "no connection could be accepted");
                    sleep(OUT_OF_ROOM).await;
                    continue;
                }
            };
            let activity = Activity::new();
            let (place, crowded) = match register.admit(peer.ip(), &activity) {
                Admission::Served(place) => (place, false),
                Admission::Crowded(place) => (place, true),
                Admission::TurnedAway => continue,
            };
            let mut patience = self.patience;
            if crowded {
                patience.silence = patience.silence.min(CROWDED_PATIENCE);
            }
            let connection =
                Connection { activity, patience, crowded, peer, spelling: Arc::clone(&spelling), _place: place };
            connections.spawn(connection.serve(stream, handler.clone(), stop.clone()));
        }
        drop(self.listener);
        while connections.join_next().await.is_some() {}
    }
}

struct Connection {
    activity: Arc<Activity>,
    patience: Patience,
    /// Above the limit: it is only refused.
    crowded: bool,
    peer: SocketAddr,
    spelling: Arc<Spelling>,
    _place: Place,
}

impl Connection {
    async fn serve<H, F, S>(self, stream: TcpStream, handler: H, stop: S)
    where
        H: Fn(Request<Body>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Response<Body>> + Send + 'static,
        S: Future<Output = ()> + Send + Clone,
    {
        if self.says_something(&stream, stop.clone()).await {
            Box::pin(self.converse(stream, handler, stop)).await;
        }
    }

    /// Waits for the first bytes. Until then a connection takes hardly any memory.
    async fn says_something(&self, stream: &TcpStream, stop: impl Future<Output = ()>) -> bool {
        tokio::select! {
            readable = stream.readable() => readable.is_ok(),
            () = self.activity.sent_away() => false,
            () = stop => false,
            () = sleep(self.patience.silence) => false,
        }
    }

    async fn converse<H, F, S>(self, stream: TcpStream, handler: H, stop: S)
    where
        H: Fn(Request<Body>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Response<Body>> + Send + 'static,
        S: Future<Output = ()> + Send,
    {
        // Small responses must leave at once.
        let _ = stream.set_nodelay(true);
        let (activity, crowded, peer) = (&self.activity, self.crowded, Peer(self.peer.ip()));
        let spelling = &self.spelling;
        let answering = tower::service_fn(move |request| {
            let answer = handler(request);
            async move { Ok::<_, Infallible>(answer.await) }
        });
        let answering = CompressionLayer::new().compress_when(SizeAbove::new(COMPRESS_ABOVE.into())).layer(answering);
        let service = service_fn(|request: Request<Incoming>| {
            let turn = activity.begin(request.body().is_end_stream());
            let coming = |body| Coming(body, Arc::clone(activity));
            let mut request = request.map(|body| Body::new(coming(body)));
            request.extensions_mut().insert(peer);
            let refused = crowded && !HEALTH.contains(&request.uri().path());
            let answering = answering.clone();
            async move {
                let mut response =
                    if refused { too_many().map(Body::new) } else { answering.oneshot(request).await?.map(Body::new) };
                spelling.apply(&mut response);
                if crowded {
                    let close = HeaderValue::from_static("close");
                    response.headers_mut().insert(header::CONNECTION, close);
                }
                let closes = response.headers().get(header::CONNECTION);
                if closes.is_some_and(|value| value == "close") {
                    activity.linger();
                }
                Ok::<_, Infallible>(response.map(|body| Answer { body, _turn: turn }))
            }
        });
        let socket = Socket::new(stream, Arc::clone(activity), self.patience.silence);
        let connection = http1::Builder::new()
            .max_buf_size(LONGEST_HEAD)
            .header_read_timeout(None)
            .serve_connection(TokioIo::new(socket), service);
        let (mut connection, mut stop) = (pin!(connection), pin!(stop));
        let mut ending = false;
        loop {
            let mut needed = false;
            let left = activity.left(&self.patience);
            // A new state may begin at any time, so check periodically.
            let tick = left.unwrap_or(self.patience.silence).min(self.patience.silence);
            tokio::select! {
                _ = connection.as_mut() => return,
                () = activity.sent_away() => needed = true,
                () = &mut stop, if !ending => ending = true,
                () = sleep(tick) => match activity.left(&self.patience) {
                    Some(Duration::ZERO) => {}
                    _ => continue,
                },
            }
            match activity.now().0 {
                // An incomplete request needs no response.
                Phase::Silent => return,
                Phase::Receiving if needed => return,
                // Finish a response under way first.
                _ => connection.as_mut().graceful_shutdown(),
            }
        }
    }
}

fn too_many() -> Response<Body> {
    let text = "Too many connections at once; come again in a moment\n";
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    let headers = response.headers_mut();
    for (name, value) in [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::RETRY_AFTER, "2")] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A request body. When it ends, processing begins.
struct Coming(Incoming, Arc<Activity>);

impl HttpBody for Coming {
    type Data = bytes::Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = Pin::new(&mut self.0).poll_frame(cx);
        // A body of chunks says only by its end that it is over.
        if frame.is_ready() && (matches!(frame, Poll::Ready(None)) || self.0.is_end_stream()) {
            self.1.received();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

/// A response body. When it ends, the request's turn ends.
struct Answer {
    body: Body,
    _turn: Turn,
}

impl HttpBody for Answer {
    type Data = bytes::Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
