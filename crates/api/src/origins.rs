//! Origins whose pages may use the API with the user's cookies.

use std::str::FromStr;

/// Allowed origins, such as `https://folio.example.org`, or `http://localhost:*` for any port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origins(Vec<Pattern>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    /// Scheme and host, and the port unless any port is allowed.
    origin: String,
    any_port: bool,
}

/// A list entry that is not an origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no origin: scheme and host are expected, such as https://folio.example.org, \
     http://localhost:3000, or http://localhost:* for any port"
)]
pub struct NoOrigin(String);

impl FromStr for Origins {
    type Err = NoOrigin;

    /// Parses a comma-separated list. An empty list allows no origin.
    fn from_str(text: &str) -> Result<Self, NoOrigin> {
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        entries.map(Pattern::read).collect::<Result<_, _>>().map(Self)
    }
}

impl Origins {
    /// Pages on this machine, on any port.
    pub(crate) const OF_THIS_MACHINE: &str = "http://localhost:*, http://127.0.0.1:*";

    /// Whether an origin, as a browser sends it, is allowed.
    pub fn allow(&self, origin: &str) -> bool {
        self.0.iter().any(|pattern| pattern.fits(origin))
    }
}

impl Default for Origins {
    fn default() -> Self {
        Self::OF_THIS_MACHINE.parse().expect("it is a list of origins")
    }
}

impl Pattern {
    fn read(entry: &str) -> Result<Self, NoOrigin> {
        let (origin, any_port) = match entry.strip_suffix(":*") {
            Some(origin) => (origin, true),
            None => (entry, false),
        };
        let host = origin.split_once("://").map_or("", |(_, host)| host);
        // Browsers send no path, not even a slash, so such an entry would never match.
        if host.is_empty() || host.contains(['/', '*', '?', '#', '@', ' ']) {
            return Err(NoOrigin(entry.to_owned()));
        }
        Ok(Self { origin: origin.to_ascii_lowercase(), any_port })
    }

    fn fits(&self, origin: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        let Some(rest) = origin.strip_prefix(&self.origin) else {
            return false;
        };
        let is_port = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
        rest.is_empty() || (self.any_port && rest.strip_prefix(':').is_some_and(is_port))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_origins_in_the_list_are_allowed() {
        let list = "https://folio.example.org, http://localhost:*,http://[::1]:*";
        let origins: Origins = list.parse().unwrap();
        for (origin, allowed) in [
            ("https://folio.example.org", true),
            ("HTTPS://FOLIO.example.org", true),
            ("https://folio.example.org:8443", false),
            ("http://folio.example.org", false),
            ("https://folio.example.org.evil.example", false),
            ("http://localhost", true),
            ("http://localhost:3000", true),
            ("http://localhost:3000.evil.example", false),
            ("http://localhost.evil.example", false),
            ("http://localhost:", false),
            ("http://[::1]:3000", true),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(origins.allow(origin), allowed, "{origin}");
        }
        assert!(!"".parse::<Origins>().unwrap().allow("null"));
    }

    #[test]
    fn what_is_no_origin_is_refused() {
        for entry in ["*", "folio.example.org", "https://", "https://x.example/", "https://*.example.org"] {
            assert!(entry.parse::<Origins>().is_err(), "{entry}");
        }
    }
}
