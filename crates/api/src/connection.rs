//! Client connections: how many are allowed, how long to wait for a client, and its address.

use std::{net::IpAddr, time::Duration};

/// Connections above the limit that still get an immediate answer: 503, or a health check.
pub(crate) const CROWDED: usize = 16;
/// Above the limit, one in this many silent connections is closed at once, so that a flood is not handled one by one.
pub(crate) const AT_ONCE: usize = 64;

/// Smaller responses are not worth compressing. In bytes.
pub(crate) const COMPRESS_ABOVE: u16 = 1400;

/// Limits on the concurrent connections of a port.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// For all clients together.
    pub all: usize,
    /// For one address, or one network with IPv6.
    pub of_one: usize,
}

impl Bounds {
    /// Sockets a port may briefly have above its limit: clients being refused, and connections asked to close.
    pub fn above(all: usize) -> usize {
        CROWDED + all.div_ceil(AT_ONCE)
    }

    /// Allows `all` connections, half of them for any one address.
    pub fn of(all: usize) -> Self {
        Self { all, of_one: all.div_ceil(2) }
    }
}

/// How long to wait for clients.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// While waiting for the client to finish a request, send more of a body, or read more of a response.
    pub silence: Duration,
    /// Between requests on a kept-alive connection.
    pub idle: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { silence: Duration::from_secs(20), idle: Duration::from_secs(75) }
    }
}

/// The address of the peer the request came from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);
