//! Where webhooks may go. Library staff enter the addresses, so none may lead to what only this machine can reach,
//! unless the operator allows it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::Url;

/// The callback address of a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callback {
    /// A path of Carrel's own: the work of its handler in FOLIO is already done when the event is written.
    Own,
    /// A web address.
    Web(Url),
}

/// Parses a callback address.
///
/// # Errors
/// Why it cannot be used, in words.
pub fn read(address: &str, private_allowed: bool) -> Result<Callback, String> {
    if address.starts_with('/') && !address.starts_with("//") {
        return Ok(Callback::Own);
    }
    let url =
        Url::parse(address).map_err(|error| format!("The callback address '{address}' cannot be read: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(format!("The callback address '{address}' must be a path or begin with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(format!(
            "The callback address of {} must not contain a password",
            url.host_str().unwrap_or_default()
        ));
    }
    if !private_allowed && is_inside(&url) {
        return Err(format!(
            "The callback address '{address}' is in a private network, which this server does not send to"
        ));
    }
    Ok(Callback::Web(url))
}

/// Whether the address names a host in this network, without asking a name server.
fn is_inside(url: &Url) -> bool {
    match literal(url) {
        Some(address) => !is_public(address),
        None => url.host_str().is_some_and(|name| {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }),
    }
}

/// The host, if it is a numeric address.
pub fn literal(url: &Url) -> Option<IpAddr> {
    let host = url.host_str()?;
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Whether the address belongs to the public internet.
#[must_use]
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match embedded(address) {
            Some(inner) => is_public_v4(inner),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let reserved =
        matches!((a, b, c), (0 | 127 | 240..=255, ..) | (100, 64..=127, _) | (192, 0, 0) | (198, 18..=19, _));
    !reserved
        && !address.is_private()
        && !address.is_link_local()
        && !address.is_multicast()
        && !address.is_documentation()
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    // Only 2000::/3 is assigned; documentation and Teredo are in it.
    (0x2000..0x4000).contains(&first) && !(first == 0x2001 && (second == 0xdb8 || second == 0))
}

/// The IPv4 address inside an IPv6 one: mapped, compatible, NAT64, 6to4.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, high, low] = address.segments();
    let from = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match (a, b, [c, d, e, f]) {
        (0, 0, [0, 0, 0, 0 | 0xffff]) | (0x64, 0xff9b, [0, 0, 0, 0]) => Some(from(high, low)),
        (0x2002, ..) => Some(from(b, c)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        for (address, public) in [
            ("93.184.216.34", true),
            ("127.0.0.1", false),
            ("127.8.8.8", false),
            ("10.0.0.1", false),
            ("172.16.0.1", false),
            ("172.32.0.1", true),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("100.128.0.1", true),
            ("0.0.0.0", false),
            ("198.18.0.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("2606:2800:220:1::1", true),
            ("::1", false),
            ("::", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:93.184.216.34", true),
            ("::127.0.0.1", false),
            ("64:ff9b::a00:1", false),
            ("2002:7f00:1::", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("fc00::1", false),
            ("fe80::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
    }

    #[test]
    fn callback_addresses_are_read_or_refused() {
        for (address, allowed, good) in [
            ("/circulation/handlers/fee-fine-balance-changed", false, true),
            ("https://example.org/hook", false, true),
            ("http://example.org:8080/hook?x=1", false, true),
            ("http://127.0.0.1:99/hook", false, false),
            ("http://127.0.0.1:99/hook", true, true),
            // Other spellings of 127.0.0.1, which the address parser knows.
            ("http://2130706433/", false, false),
            ("http://0x7f.1/", false, false),
            ("http://[::1]/", false, false),
            ("http://LOCALHOST./", false, false),
            ("http://localhost/", true, true),
            ("http://user:secret@example.org/", true, false),
            ("ftp://example.org/", true, false),
            ("//example.org/hook", true, false),
            ("file:///etc/passwd", true, false),
            ("hook", true, false),
            ("", true, false),
        ] {
            assert_eq!(read(address, allowed).is_ok(), good, "{address}");
        }
    }
}
