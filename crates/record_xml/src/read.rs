//! JSON that is only read, once: its texts stay in what it was parsed from, and the members of an object are a list.
//! A finding aid reads a few members of each of its records, which takes less than hashing the names of all of them and
//! copying all texts.

use std::{borrow::Cow, fmt};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Parsed JSON.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`, or a number: formats show neither.
    Nothing,
    Flag(bool),
    Text(Cow<'a, str>),
    Array(Vec<Json<'a>>),
    /// Of a name that is there twice, the first member counts.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// A member of an object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, member)| member),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it has members.
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// Puts a member into an object, before one that has the same name.
    pub fn insert(&mut self, name: &'a str, member: Json<'a>) {
        if let Self::Object(members) = self {
            members.insert(0, (Cow::Borrowed(name), member));
        }
    }
}

impl<'a> From<&'a Value> for Json<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null | Value::Number(_) => Self::Nothing,
            Value::Bool(flag) => Self::Flag(*flag),
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            Value::Array(parts) => Self::Array(parts.iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.iter().map(|(name, of)| (Cow::Borrowed(name.as_str()), of.into())).collect())
            }
        }
    }
}

impl From<Value> for Json<'static> {
    fn from(value: Value) -> Self {
        match value {
            Value::Null | Value::Number(_) => Self::Nothing,
            Value::Bool(flag) => Self::Flag(flag),
            Value::String(text) => Self::Text(Cow::Owned(text)),
            Value::Array(parts) => Self::Array(parts.into_iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.into_iter().map(|(name, of)| (Cow::Owned(name), of.into())).collect())
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Parts)
    }
}

/// A text that is there and not empty.
pub fn text<'v>(record: &'v Json, key: &str) -> Option<&'v str> {
    record.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// The members of an array, none when there is no array.
pub fn list<'v, 'a>(record: &'v Json<'a>, key: &str) -> &'v [Json<'a>] {
    match record.get(key) {
        Some(Json::Array(parts)) => parts,
        _ => &[],
    }
}

/// Whether the flag is there and has this value.
pub fn is(record: &Json, key: &str, value: bool) -> bool {
    matches!(record.get(key), Some(Json::Flag(flag)) if *flag == value)
}

/// The record behind a resolved link.
pub fn resolved<'v, 'a>(link: &'v Json<'a>) -> Option<&'v Json<'a>> {
    link.get("_resolved").filter(|record| record.is_object())
}

/// `id_0` to `id_3` joined by points.
pub fn identifier(resource: &Json) -> String {
    let parts = ["id_0", "id_1", "id_2", "id_3"].iter().filter_map(|key| text(resource, key));
    parts.collect::<Vec<_>>().join(".")
}

struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Nothing)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json<'de>, E> {
        Ok(Json::Flag(flag))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json<'de>, E> {
        Ok(Json::Nothing)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Json<'de>, E> {
        Ok(Json::Nothing)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json<'de>, E> {
        Ok(Json::Nothing)
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json<'de>, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = seq.next_element()? {
            parts.push(part);
        }
        Ok(Json::Array(parts))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            members.push((name, map.next_value()?));
        }
        Ok(Json::Object(members))
    }
}

/// The name of a member, which stays where it is unless it has escapes.
struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(name.to_owned())))
            }
        }
        deserializer.deserialize_str(Names)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_parsed_reads_like_a_value() {
        let value = json!({"title": "A \"letter\"\n", "plain": "b", "publish": false, "none": null, "number": 1.5, "whole": -3,
            "parts": [{"deep": ["x", true]}, []]});
        let source = value.to_string();
        let parsed: Json = serde_json::from_str(&source).expect("it is JSON");
        assert_eq!(parsed, Json::from(&value));
        assert_eq!(parsed, Json::from(value));
        assert!(matches!(parsed.get("title"), Some(Json::Text(Cow::Owned(_)))), "it has escapes");
        assert!(matches!(parsed.get("plain"), Some(Json::Text(Cow::Borrowed("b")))), "it stays in place");
        assert_eq!((text(&parsed, "title"), text(&parsed, "none")), (Some("A \"letter\"\n"), None));
        assert!(is(&parsed, "publish", false));
        let deep = list(&list(&parsed, "parts")[0], "deep");
        assert_eq!((deep[0].as_str(), &deep[1]), (Some("x"), &Json::Flag(true)));
        assert!(serde_json::from_str::<Json>("{\"a\": }").is_err());
    }
}
