//! Reads the input of a call. Malformed input is refused in the format of the route's module.

use serde::de::DeserializeOwned;
use serde_json::{Deserializer, Map, Value};
use uuid::Uuid;

use super::{Manner, id, number, unreadable};
use crate::{answer::Problem, call::Call};

impl Call {
    /// A path parameter as a UUID. If malformed, most modules answer 404 to GET and 400 to other methods.
    pub fn id(&self, name: &str) -> Result<Uuid, Problem> {
        id(self, name)
    }

    /// The body as JSON. The gateway has already checked the Content-Type. If malformed, most modules answer 400 text.
    pub fn json(&self) -> Result<Value, Problem> {
        self.parse()
    }

    /// The body as a JSON object. Refusals as in [`Call::json`].
    pub fn object(&self) -> Result<Map<String, Value>, Problem> {
        match self.json()? {
            Value::Object(members) => Ok(members),
            _ => Err(unreadable(self, &"expected a JSON object")),
        }
    }

    /// The body, deserialized. Refusals as in [`Call::json`].
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        read(&self.body, Manner::of_call(self)).map_err(|error| unreadable(self, &error))
    }

    /// `limit` in the query string, or the default. Refusals as in [`Call::number`].
    pub fn limit(&self, default: i64) -> Result<i64, Problem> {
        self.number("limit", default)
    }

    /// `offset` in the query string, or 0. Refusals as in [`Call::number`].
    pub fn offset(&self) -> Result<i64, Problem> {
        self.number("offset", 0)
    }

    /// A number from 0 to 2147483647 in the query string. Otherwise most modules answer 400 text.
    pub fn number(&self, name: &str, default: i64) -> Result<i64, Problem> {
        number(self, name, default)
    }
}

/// Reads JSON as leniently as the module does: the builder's Jackson ends with the first value, whatever follows; that of Vert.x, which
/// the hand-written modules use, skips comments (vertx-core 4.5, `JacksonCodec`).
fn read<T: DeserializeOwned>(body: &[u8], manner: Manner) -> serde_json::Result<T> {
    match manner {
        Manner::Builder => T::deserialize(&mut Deserializer::from_slice(body)),
        Manner::Plain => serde_json::from_slice(body).or_else(|error| {
            let plain = without_comments(body).ok_or(error)?;
            serde_json::from_slice(&plain)
        }),
        _ => serde_json::from_slice(body),
    }
}

/// JSON with blanks for its comments, so that places in errors stay; `None` without comments.
fn without_comments(json: &[u8]) -> Option<Vec<u8>> {
    let mut plain = json.to_vec();
    let (mut at, mut has_comments) = (0, false);
    while at < json.len() {
        let end = match &json[at..] {
            [b'"', ..] => {
                at = end_of_text(json, at);
                continue;
            }
            [b'/', b'/', rest @ ..] => at + 2 + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()),
            [b'/', b'*', rest @ ..] => {
                at + 2 + rest.windows(2).position(|end| end == b"*/").map_or(rest.len(), |place| place + 2)
            }
            _ => {
                at += 1;
                continue;
            }
        };
        has_comments = true;
        plain[at..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
        at = end;
    }
    has_comments.then_some(plain)
}

/// Where a text ends that begins with a quotation mark at a place.
fn end_of_text(json: &[u8], begins: usize) -> usize {
    let mut at = begins + 1;
    while at < json.len() {
        match json[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    json.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn modules_read_json_as_leniently_as_their_libraries() {
        let sent = json!({"a": "// no \\\" /* comment */"});
        for (body, plain, builder, others) in [
            (sent.to_string(), true, true, true),
            (format!("//c\n{sent}"), true, false, false),
            (format!("/* c\n * */ {sent} // end"), true, false, false),
            (format!("{sent} ], \"more\": 1"), false, true, false),
            (format!("{sent}}}"), false, true, false),
            (format!("/{sent}"), false, false, false),
            (format!("/* {sent}"), false, false, false),
            ("{\"a\": ".to_owned(), false, false, false),
            ("\"\\".to_owned(), false, false, false),
        ] {
            for (manner, is_read) in [(Manner::Plain, plain), (Manner::Builder, builder), (Manner::Calendar, others)] {
                let read: Option<Value> = read(body.as_bytes(), manner).ok();
                assert_eq!(read, is_read.then(|| sent.clone()), "{body} by {manner:?}");
            }
        }
    }

    #[test]
    fn errors_name_the_place_in_what_was_sent() {
        let error = read::<Value>(b"/* two\nlines */ {\"a\": x}", Manner::Plain).expect_err("no JSON").to_string();
        assert!(error.contains("line 2 column 16"), "{error}");
    }
}
