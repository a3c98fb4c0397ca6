//! Encodes rows in PostgreSQL's binary COPY format: an id and one or two jsonb columns.

use bytes::{BufMut, Bytes, BytesMut};
use serde_json::Value;
use uuid::Uuid;

/// Signature, empty flags and no header extension.
pub(super) const HEAD: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// The trailer that ends the stream.
pub(super) const TAIL: &[u8] = &[0xff, 0xff];

/// Version byte of jsonb's binary form; the text follows.
const JSONB_TEXT: u8 = 1;

/// Rows already encoded for COPY.
#[derive(Debug, Default)]
pub struct Rows {
    bytes: BytesMut,
    count: u64,
}

impl Rows {
    /// Adds a row. `state` is set only for collections with volatile members.
    pub fn push(&mut self, id: Uuid, doc: &Value, state: Option<&Value>) {
        self.bytes.put_i16(if state.is_some() { 3 } else { 2 });
        self.bytes.put_i32(16);
        self.bytes.put_slice(id.as_bytes());
        self.json(doc);
        if let Some(state) = state {
            self.json(state);
        }
        self.count += 1;
    }

    fn json(&mut self, value: &Value) {
        let length_at = self.bytes.len();
        self.bytes.put_i32(0);
        self.bytes.put_u8(JSONB_TEXT);
        // Writing to memory cannot fail.
        let _ = serde_json::to_writer((&mut self.bytes).writer(), value);
        let length = self.bytes.len() - length_at - 4;
        let length = i32::try_from(length).unwrap_or(i32::MAX);
        self.bytes[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Encoded size in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn into_bytes(self) -> Bytes {
        self.bytes.freeze()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_is_columns_with_their_lengths() {
        let mut rows = Rows::default();
        rows.push(Uuid::from_u128(7), &json!({"a": 1}), Some(&json!({})));
        let mut expected = vec![0, 3, 0, 0, 0, 16];
        expected.extend(Uuid::from_u128(7).as_bytes());
        expected.extend([0, 0, 0, 8, 1]);
        expected.extend(b"{\"a\":1}");
        expected.extend([0, 0, 0, 3, 1]);
        expected.extend(b"{}");
        assert_eq!(rows.count(), 1);
        assert_eq!(rows.into_bytes(), expected);
    }
}
