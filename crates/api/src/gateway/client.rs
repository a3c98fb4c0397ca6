//! The client's address: the peer, or what a trusted proxy says.

use std::net::{IpAddr, SocketAddr};

use http::{Extensions, HeaderMap};

use crate::connection::Peer;

/// The client's address; `None` if the request did not come through a socket.
pub(crate) fn address(extensions: &Extensions, headers: &HeaderMap, trusted: &[IpAddr]) -> Option<IpAddr> {
    let Peer(peer) = extensions.get::<Peer>()?;
    Some(behind(peer.to_canonical(), headers, trusted))
}

/// Each proxy appends the address of its own peer to `X-Forwarded-For`, and clients may put anything at the front. So
/// read it from the end, for as long as trusted proxies wrote it.
fn behind(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let lines = headers.get_all("x-forwarded-for").iter().rev();
    let mut hops = lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.rsplit(','));
    let mut last = peer;
    while trusted.contains(&last) {
        match hops.next().and_then(read) {
            Some(before) => last = before,
            None => break,
        }
    }
    last
}

/// Parses an address. Some proxies include the port.
fn read(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let with_port = || hop.parse().map(|address: SocketAddr| address.ip()).ok();
    let address = hop.parse().ok().or_else(with_port)?;
    Some(IpAddr::to_canonical(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let proxies: Vec<IpAddr> = vec!["127.0.0.1".parse().unwrap(), "10.0.0.7".parse().unwrap()];
        for (peer, forwarded, expected) in [
            ("192.0.2.1", &["198.51.100.9"][..], "192.0.2.1"),
            ("127.0.0.1", &[], "127.0.0.1"),
            ("127.0.0.1", &["198.51.100.9"], "198.51.100.9"),
            ("127.0.0.1", &["1.2.3.4, 198.51.100.9"], "198.51.100.9"),
            ("127.0.0.1", &["1.2.3.4", "198.51.100.9:4711"], "198.51.100.9"),
            ("127.0.0.1", &["198.51.100.9, 10.0.0.7"], "198.51.100.9"),
            ("127.0.0.1", &["198.51.100.9, unknown"], "127.0.0.1"),
            ("127.0.0.1", &["[2001:db8::1]:443"], "2001:db8::1"),
            ("127.0.0.1", &["::ffff:198.51.100.9"], "198.51.100.9"),
        ] {
            let mut headers = HeaderMap::new();
            for line in forwarded {
                headers.append("x-forwarded-for", line.parse().unwrap());
            }
            let found = behind(peer.parse().unwrap(), &headers, &proxies);
            assert_eq!(found.to_string(), expected, "{peer} {forwarded:?}");
        }
    }
}
