//! A list of records as JSON (contract 2, "batch_imports"), read one by one.

use std::{fmt, io::Read};

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, SeqAccess, Visitor},
};
use serde_json::Value;

use super::{ImportError, Stage, Trouble};

/// Reads a list of records into an import; returns their number.
///
/// # Errors
/// The text is not a list of records, or one is refused.
pub fn read(stage: &mut Stage, input: impl Read) -> Result<u64, ImportError> {
    let mut refused = None;
    let mut deserializer = serde_json::Deserializer::from_reader(input);
    let records = Records { stage, refused: &mut refused };
    let read = records.deserialize(&mut deserializer).and_then(|count| deserializer.end().map(|()| count));
    match (refused, read) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => {
            let reason = format!("Had some trouble parsing your request: {error}");
            Err(ImportError::Refused(Box::new(Trouble { reason, ..Trouble::default() })))
        }
        (None, Ok(count)) => Ok(count),
    }
}

/// Takes one record that has a temporary address.
///
/// # Errors
/// The record is refused.
pub fn take(stage: &mut Stage, record: Value) -> Result<(), ImportError> {
    stage.add(record, 0)
}

/// Takes each record of a list before the next one is read.
struct Records<'a> {
    stage: &'a mut Stage,
    /// Why a record was refused.
    refused: &'a mut Option<ImportError>,
}

impl<'de> DeserializeSeed<'de> for Records<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Records<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of records")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<u64, A::Error> {
        let mut count = 0;
        while let Some(record) = list.next_element::<Value>()? {
            if let Err(error) = self.stage.add(record, 0) {
                *self.refused = Some(error);
                return Err(A::Error::custom("a record was refused"));
            }
            count += 1;
        }
        Ok(count)
    }
}
