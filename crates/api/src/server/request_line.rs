//! Request lines with characters that belong encoded. `curl` sends quotation marks and angle brackets of a query as they are, and
//! FOLIO takes them; hyper refuses them before anyone could say what is wrong.

/// Where in a request the next bytes of a client belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A request may begin.
    Before,
    Within,
    /// Headers, body: nothing to encode until a request has been answered.
    After,
}

const METHODS: [&[u8]; 7] = [b"GET /", b"POST /", b"PUT /", b"DELETE /", b"PATCH /", b"OPTIONS /", b"HEAD /"];

impl Place {
    /// The bytes with what belongs encoded; `None` if they stay as they are, as nearly all do.
    pub(super) fn encoded(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        if *self == Self::Before {
            // Bytes in the middle of a request, which a client sent before its turn, are left alone.
            *self = if METHODS.iter().any(|method| bytes.starts_with(method)) { Self::Within } else { Self::After };
        }
        if *self == Self::After {
            return None;
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        if end.is_some() {
            *self = Self::After;
        }
        let (line, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        line.iter().any(|byte| escape(*byte).is_some()).then(|| {
            let mut encoded = Vec::with_capacity(bytes.len() + 32);
            for byte in line {
                encoded.extend_from_slice(escape(*byte).unwrap_or(std::slice::from_ref(byte)));
            }
            encoded.extend_from_slice(rest);
            encoded
        })
    }
}

fn escape(byte: u8) -> Option<&'static [u8]> {
    match byte {
        b'"' => Some(b"%22"),
        b'<' => Some(b"%3C"),
        b'>' => Some(b"%3E"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the chunks become.
    fn sent(chunks: &[&str]) -> String {
        let mut place = Place::Before;
        let read = |chunk: &&str| place.encoded(chunk.as_bytes()).unwrap_or_else(|| chunk.as_bytes().to_vec());
        String::from_utf8(chunks.iter().flat_map(read).collect()).expect("text")
    }

    #[test]
    fn only_a_request_line_is_encoded() {
        for (chunks, expected) in [
            (
                &["GET /u?query=a==\"b\" HTTP/1.1\r\nX: \"1\"\r\n\r\n"][..],
                "GET /u?query=a==%22b%22 HTTP/1.1\r\nX: \"1\"\r\n\r\n",
            ),
            (
                &["PUT /u?query=a<1", "0\" and b>", "2 HTTP/1.1\r\nX: <\r\n", "\"body\"\n\""],
                "PUT /u?query=a%3C10%22 and b%3E2 HTTP/1.1\r\nX: <\r\n\"body\"\n\"",
            ),
            (&["OPTIONS * HTTP/1.1\r\nX: \"\r\n"], "OPTIONS * HTTP/1.1\r\nX: \"\r\n"),
            (&["-Match: \"tag\"\r\n\r\nGET /\"\r\n"], "-Match: \"tag\"\r\n\r\nGET /\"\r\n"),
            (&["GET /u HTTP/1.1\r\n\r\n"], "GET /u HTTP/1.1\r\n\r\n"),
        ] {
            assert_eq!(sent(chunks), expected);
        }
    }

    #[test]
    fn what_needs_nothing_is_not_copied() {
        assert_eq!(Place::Before.encoded(b"GET /users?query=username%3D%3Da HTTP/1.1\r\n"), None);
    }
}
