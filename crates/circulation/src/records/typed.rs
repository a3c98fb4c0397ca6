//! Stored records as types: each member is declared once, with its place and its kind, and everything else in the
//! record is kept.

use std::marker::PhantomData;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::dates::{computed, parse_date_time, stored};

/// How a member is stored, and what it is in code.
pub trait Kind {
    /// Its type in code.
    type Value<'r>;

    /// Reads a stored value; `None` if it is of another kind.
    fn read(value: &Value) -> Option<Self::Value<'_>>;

    /// The value to store.
    fn write(value: Self::Value<'_>) -> Value;
}

/// Whatever serde reads and writes: ids, flags, numbers, statuses.
pub struct Plain<T>(PhantomData<T>);
/// Text, borrowed from the record.
pub struct Text;
/// A moment, written like one that went through storage.
pub struct Date;
/// A moment, written like one that was just computed.
pub struct ComputedDate;

impl<T: Serialize + for<'de> Deserialize<'de>> Kind for Plain<T> {
    type Value<'r> = T;

    fn read(value: &Value) -> Option<T> {
        T::deserialize(value).ok()
    }

    fn write(value: T) -> Value {
        serde_json::to_value(value).unwrap_or_default()
    }
}

impl Kind for Text {
    type Value<'r> = &'r str;

    fn read(value: &Value) -> Option<&str> {
        value.as_str()
    }

    fn write(value: &str) -> Value {
        value.into()
    }
}

impl Kind for Date {
    type Value<'r> = Timestamp;

    fn read(value: &Value) -> Option<Timestamp> {
        parse_date_time(value.as_str()?)
    }

    fn write(value: Timestamp) -> Value {
        stored(value).to_string().into()
    }
}

impl Kind for ComputedDate {
    type Value<'r> = Timestamp;

    fn read(value: &Value) -> Option<Timestamp> {
        Date::read(value)
    }

    fn write(value: Timestamp) -> Value {
        computed(value).to_string().into()
    }
}

/// The member at a path such as `status.name`.
pub(crate) fn find<'r>(record: &'r Map<String, Value>, path: &str) -> Option<&'r Value> {
    match path.split_once('.') {
        None => record.get(path),
        Some((first, rest)) => find(record.get(first)?.as_object()?, rest),
    }
}

/// Sets the member at a path; `None` removes it.
pub(crate) fn put(record: &mut Map<String, Value>, path: &str, value: Option<Value>) {
    match (path.split_once('.'), value) {
        (None, Some(value)) => drop(record.insert(path.to_owned(), value)),
        (None, None) => drop(record.shift_remove(path)),
        (Some((first, rest)), value) => {
            let inner = match value {
                Some(_) => Some(record.entry(first).or_insert(Value::Null)),
                None => record.get_mut(first),
            };
            let Some(inner) = inner else { return };
            if !inner.is_object() {
                *inner = Map::new().into();
            }
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// Records a change in the `metadata` of a record.
pub(crate) fn stamp(record: &mut Map<String, Value>, members: Value) {
    let metadata = record.entry("metadata").or_insert_with(|| Map::new().into());
    if let (Value::Object(metadata), Value::Object(members)) = (metadata, members) {
        metadata.extend(members);
    }
}

/// Declares a record with its members: `getter / setter: Kind = "path";`, without a setter for those that no rule
/// changes. A getter answers `None` for a member that is absent or of another kind.
macro_rules! record {
    ($(#[$about:meta])* $record:ident {
        $($(#[$doc:meta])* $get:ident $(/ $set:ident)?: $kind:ty = $path:literal;)+
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $record(serde_json::Map<String, serde_json::Value>);

        impl $record {
            /// Wraps a stored record.
            pub fn new(record: serde_json::Map<String, serde_json::Value>) -> Self {
                Self(record)
            }

            /// The stored record.
            pub fn record(&self) -> &serde_json::Map<String, serde_json::Value> {
                &self.0
            }

            /// The stored record.
            pub fn into_record(self) -> serde_json::Map<String, serde_json::Value> {
                self.0
            }

            /// Gives the record its ID, as the first member.
            pub fn set_id(&mut self, id: uuid::Uuid) {
                self.0.shift_insert(0, "id".to_owned(), id.to_string().into());
            }

            /// Records a change in `metadata`.
            pub fn stamp(&mut self, members: serde_json::Value) {
                $crate::records::typed::stamp(&mut self.0, members);
            }

            $(
                #[doc = concat!("`", $path, "`.")]
                $(#[$doc])*
                pub fn $get(&self) -> Option<<$kind as $crate::records::typed::Kind>::Value<'_>> {
                    let found = $crate::records::typed::find(&self.0, $path)?;
                    <$kind as $crate::records::typed::Kind>::read(found)
                }

                $(
                    #[doc = concat!("Sets `", $path, "`; `None` removes it.")]
                    pub fn $set<'v>(
                        &mut self,
                        value: impl Into<Option<<$kind as $crate::records::typed::Kind>::Value<'v>>>,
                    ) {
                        let value = value.into().map(<$kind as $crate::records::typed::Kind>::write);
                        $crate::records::typed::put(&mut self.0, $path, value);
                    }
                )?
            )+

            /// Sets, reads and removes every member, in a record that has `others` beside each.
            #[cfg(test)]
            pub(crate) fn check_members(others: &serde_json::Map<String, serde_json::Value>) {
                $($(
                    let pool = $crate::records::tests::pool();
                    let values = pool.iter().filter_map(<$kind as $crate::records::typed::Kind>::read);
                    let values: Vec<_> = values.collect();
                    assert!(!values.is_empty(), "{} has no value to test", $path);
                    for value in values {
                        let before = $crate::records::tests::beside(others, $path);
                        let mut record = Self::new(before.clone());
                        record.$set(value.clone());
                        assert_eq!(record.$get(), Some(value), "{}", $path);
                        record.$set(None);
                        assert_eq!(record.$get(), None, "{}", $path);
                        assert_eq!(record.record(), &before, "{}", $path);
                    }
                )?)+
            }
        }
    };
}

pub(crate) use record;
