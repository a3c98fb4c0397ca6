//! Answers that are packed once, not for each client.

use std::io::Write as _;

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};

/// How much work packing may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For what changes.
    Usual,
    /// For what stays as long as the process.
    Most,
}

/// The body as gzip; `None` if that is longer.
pub(crate) fn packed(body: &[u8], effort: Effort) -> Option<Bytes> {
    let level = match effort {
        Effort::Usual => Compression::default(),
        Effort::Most => Compression::best(),
    };
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), level);
    encoder.write_all(body).ok()?;
    encoder.finish().ok().filter(|packed| packed.len() < body.len()).map(Bytes::from)
}

/// Whether a client that sends this `Accept-Encoding` can unpack gzip.
pub(crate) fn accepts_gzip(accepted: &str) -> bool {
    accepted.split(',').map(|coding| coding.split_once(';').unwrap_or((coding, ""))).any(|(name, weight)| {
        let weight = weight.trim().trim_start_matches("q=").parse().unwrap_or(1.0);
        name.trim().eq_ignore_ascii_case("gzip") && weight > 0.0
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn what_is_packed_is_the_answer_and_shorter() {
        let body = r#"{"name": "a service point"}"#.repeat(100);
        let packed = packed(body.as_bytes(), Effort::Usual).unwrap();
        assert!(packed.len() < body.len() / 4);
        let mut unpacked = String::new();
        GzDecoder::new(&packed[..]).read_to_string(&mut unpacked).unwrap();
        assert_eq!(unpacked, body);
        assert_eq!(super::packed(b"x", Effort::Usual), None, "longer than the answer");
    }

    #[test]
    fn a_client_says_what_it_can_unpack() {
        for (accepted, expected) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("deflate, gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("identity", false),
            ("", false),
        ] {
            assert_eq!(accepts_gzip(accepted), expected, "{accepted}");
        }
    }
}
