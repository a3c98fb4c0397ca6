//! Encodes rows in PostgreSQL's binary COPY format: an id and a jsonb column.

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
    docs: BytesMut,
    /// Rows of the table of volatile members.
    states: BytesMut,
    count: u64,
}

impl Rows {
    /// Adds a row. `state` is set only for collections with volatile members.
    pub fn push(&mut self, id: Uuid, doc: &Value, state: Option<&Value>) {
        row(&mut self.docs, id, doc);
        if let Some(state) = state {
            row(&mut self.states, id, state);
        }
        self.count += 1;
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Encoded size in bytes.
    pub fn size(&self) -> usize {
        self.docs.len() + self.states.len()
    }

    /// The rows of the table, and those of the table of volatile members.
    pub(super) fn into_bytes(self) -> (Bytes, Bytes) {
        (self.docs.freeze(), self.states.freeze())
    }
}

fn row(bytes: &mut BytesMut, id: Uuid, value: &Value) {
    bytes.put_i16(2);
    bytes.put_i32(16);
    bytes.put_slice(id.as_bytes());
    let length_at = bytes.len();
    bytes.put_i32(0);
    bytes.put_u8(JSONB_TEXT);
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(bytes.writer(), value);
    let length = bytes.len() - length_at - 4;
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    bytes[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_is_columns_with_their_lengths() {
        let mut rows = Rows::default();
        rows.push(Uuid::from_u128(7), &json!({"a": 1}), Some(&json!({})));
        let row = |length: u8, json: &[u8]| {
            let mut row = vec![0, 2, 0, 0, 0, 16];
            row.extend(Uuid::from_u128(7).as_bytes());
            row.extend([0, 0, 0, length, 1]);
            row.extend(json);
            Bytes::from(row)
        };
        assert_eq!(rows.count(), 1);
        assert_eq!(rows.into_bytes(), (row(8, b"{\"a\":1}"), row(3, b"{}")));
    }
}
