//! The XML sink of the exports: a buffer that can only take well-formed text.

use std::borrow::Cow;

use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

/// Attributes in order; those without a value or with an empty one are left out.
pub(crate) type Attributes<'a> = &'a [(&'a str, Option<&'a str>)];

/// XML that is being written, up to the next flush of its owner.
pub(crate) struct Xml {
    writer: Writer<Vec<u8>>,
}

impl Xml {
    pub(crate) fn new() -> Xml {
        Xml { writer: Writer::new(Vec::new()) }
    }

    /// What is written since it was last taken; the buffer keeps its room.
    pub(crate) fn written(&mut self) -> &mut Vec<u8> {
        self.writer.get_mut()
    }

    fn put(&mut self, event: Event) {
        self.writer.write_event(event).expect("a vector takes all that is written");
    }

    fn tag<'n>(name: &'n str, attributes: Attributes) -> BytesStart<'n> {
        let mut start = BytesStart::new(name);
        for (key, value) in attributes {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                start.push_attribute((*key, clean(value).as_ref()));
            }
        }
        start
    }

    pub(crate) fn open(&mut self, name: &str, attributes: Attributes) {
        self.put(Event::Start(Self::tag(name, attributes)));
    }

    pub(crate) fn close(&mut self, name: &str) {
        self.put(Event::End(BytesEnd::new(name)));
    }

    pub(crate) fn empty(&mut self, name: &str, attributes: Attributes) {
        self.put(Event::Empty(Self::tag(name, attributes)));
    }

    /// Plain text, escaped.
    pub(crate) fn text(&mut self, text: &str) {
        self.put(Event::Text(BytesText::new(&clean(text))));
    }

    /// An element that holds plain text.
    pub(crate) fn plain(&mut self, name: &str, attributes: Attributes, text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close(name);
    }

    /// A fragment that [`crate::text`] has proved well-formed.
    pub(crate) fn raw(&mut self, fragment: &str) {
        self.writer.get_mut().extend_from_slice(fragment.as_bytes());
    }
}

/// Whether XML 1.0 may hold this character.
pub(crate) fn allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// The text without the characters that no XML document may hold.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(allowed) { Cow::Borrowed(text) } else { text.chars().filter(|c| allowed(*c)).collect() }
}
