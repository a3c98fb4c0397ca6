//! Extraction of values from answers. Only the wanted places of a JSON document are kept while reading, so that large
//! answers cost the generator little.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::template::Template;

/// A condition on an answer.
#[derive(Debug)]
pub struct Check {
    /// The place as written.
    pub at: String,
    /// Index of the place in [`Wanted`].
    pub place: usize,
    pub expected: Expected,
}

/// The condition.
#[derive(Debug)]
pub enum Expected {
    /// Something is there, or nothing is.
    Exists(bool),
    /// Equals this text (numbers and booleans as written).
    Equals(Template),
    /// A number, or a list with a length, of at least this.
    AtLeast(f64),
}

/// What was found at a place.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// A text, number or boolean, as text.
    Scalar(String),
    /// A list of this length.
    List(usize),
    Object,
    /// Texts of a list, joined with ` or `.
    Several(String),
    /// `null`, which counts as nothing.
    Null,
}

impl Found {
    /// The value as text, if possible.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Scalar(text) | Self::Several(text) => Some(text),
            _ => None,
        }
    }

    /// The value as a number; for a list, its length.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Scalar(text) => text.parse().ok(),
            Self::List(length) => Some(*length as f64),
            _ => None,
        }
    }
}

/// The wanted places of an answer, as a tree.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Number of places.
    count: usize,
    /// The places so far, to reuse duplicates.
    pointers: Vec<String>,
    root: Node,
}

#[derive(Debug, Default)]
struct Node {
    place: Option<usize>,
    /// The path contains a `*`.
    several: bool,
    members: Vec<(String, Node)>,
}

impl Wanted {
    /// Adds the place of a JSON pointer and returns its index. `*` stands for every element of a list: their texts are
    /// joined with ` or `, as in a CQL query.
    pub fn add(&mut self, pointer: &str) -> usize {
        if let Some(known) = self.pointers.iter().position(|known| known == pointer) {
            return known;
        }
        let (mut node, mut several) = (&mut self.root, false);
        for token in pointer.split('/').skip(1) {
            several |= token == "*";
            let name = token.replace("~1", "/").replace("~0", "~");
            let known = node.members.iter().position(|(known, _)| *known == name);
            let at = known.unwrap_or_else(|| {
                node.members.push((name, Node::default()));
                node.members.len() - 1
            });
            node = &mut node.members[at].1;
        }
        (node.place, node.several) = (Some(self.count), several);
        self.pointers.push(pointer.to_owned());
        self.count += 1;
        self.count - 1
    }

    /// Whether no place is wanted.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The value at each place.
    ///
    /// # Errors
    /// The body is not JSON.
    pub fn find(&self, body: &[u8]) -> serde_json::Result<Vec<Option<Found>>> {
        let mut found = vec![None; self.count];
        let mut reader = serde_json::Deserializer::from_slice(body);
        let search = Search { node: Some(&self.root), found: &mut found };
        search.deserialize(&mut reader)?;
        reader.end()?;
        Ok(found)
    }
}

/// Reads one value and the wanted places below it.
struct Search<'a> {
    node: Option<&'a Node>,
    found: &'a mut Vec<Option<Found>>,
}

impl Search<'_> {
    fn take(self, found: Found) {
        let Some(node) = self.node else { return };
        let Some(place) = node.place else { return };
        let kept = &mut self.found[place];
        match (kept, found) {
            (Some(Found::Several(all)), Found::Scalar(one)) if node.several => {
                all.push_str(" or ");
                all.push_str(&one);
            }
            (kept, Found::Scalar(one)) if node.several => *kept = Some(Found::Several(one)),
            (kept, found) => *kept = Some(found),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Search<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.node.is_some() {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_ignored_any(IgnoredAny).map(|_| ())
        }
    }
}

impl<'de> Visitor<'de> for Search<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.take(Found::Scalar(value.to_string()));
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.take(Found::Scalar(value.to_string()));
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.take(Found::Scalar(value.to_string()));
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.take(Found::Scalar(value.to_string()));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.take(Found::Scalar(value.to_owned()));
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.take(Found::Null);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut length = 0;
        loop {
            let node = self.node.and_then(|node| {
                let mut members = node.members.iter();
                members.find(|(name, _)| name == "*" || name.parse() == Ok(length)).map(|(_, node)| node)
            });
            if list.next_element_seed(Search { node, found: &mut *self.found })?.is_none() {
                break;
            }
            length += 1;
        }
        self.take(Found::List(length));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(name) = object.next_key::<std::borrow::Cow<'de, str>>()? {
            let node = self.node.and_then(|node| {
                let mut members = node.members.iter();
                members.find(|(known, _)| *known == *name).map(|(_, node)| node)
            });
            object.next_value_seed(Search { node, found: &mut *self.found })?;
        }
        self.take(Found::Object);
        Ok(())
    }
}

/// A scalar as the text for comparisons.
pub(super) fn as_text(value: &toml::Value) -> Option<String> {
    let json = serde_json::to_value(value).ok()?;
    match json {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wanted_places_are_found_and_the_rest_is_skipped() {
        let body = r#"{"items":[{"id":"a","n":{"x":1}},{"id":"b","tags":[1,2,3]}],"totalRecords":2,
            "a/b":true,"none":null,"half":0.5}"#;
        let mut wanted = Wanted::default();
        let pointers = [
            "/items",
            "/items/1/id",
            "/totalRecords",
            "/items/1/tags",
            "/items/0/n/x",
            "/a~1b",
            "/none",
            "/half",
            "/no",
            "/items/0/n",
            "/items/7/id",
            "",
        ];
        let places = pointers.map(|pointer| wanted.add(pointer));
        let found = wanted.find(body.as_bytes()).expect("JSON");
        let scalar = |text: &str| Some(Found::Scalar(text.to_owned()));
        let expected = [
            Some(Found::List(2)),
            scalar("b"),
            scalar("2"),
            Some(Found::List(3)),
            scalar("1"),
            scalar("true"),
            Some(Found::Null),
            scalar("0.5"),
            None,
            Some(Found::Object),
            None,
            Some(Found::Object),
        ];
        for ((pointer, place), expected) in pointers.iter().zip(places).zip(expected) {
            assert_eq!(found[place], expected, "{pointer}");
        }
        assert_eq!(wanted.add("/totalRecords"), places[2], "the same place twice");
    }

    #[test]
    fn a_star_finds_all_of_a_list() {
        let mut wanted = Wanted::default();
        let ids = wanted.add("/items/*/id");
        let find = |body: &str| wanted.find(body.as_bytes()).expect("JSON")[ids].clone();
        let several = |text: &str| Some(Found::Several(text.to_owned()));
        assert_eq!(find(r#"{"items":[{"id":"a"},{"id":"b"},{}]}"#), several("a or b"));
        assert_eq!(find(r#"{"items":[{"id":"a"}]}"#), several("a"));
        assert_eq!(find(r#"{"items":[]}"#), None);
    }

    #[test]
    fn other_bodies_than_json_are_errors() {
        let mut wanted = Wanted::default();
        wanted.add("/id");
        for body in ["", "<html>", "{\"id\":", "{} {}"] {
            assert!(wanted.find(body.as_bytes()).is_err(), "{body}");
        }
    }
}
