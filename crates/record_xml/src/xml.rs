//! The XML sink of the exports: a buffer that can only take well-formed text.

use std::borrow::Cow;

use quick_xml::Writer;
use quick_xml::escape::{resolve_html5_entity, unescape_with};
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// Attributes in order; those without a value or with an empty one are left out.
pub type Attributes<'a> = &'a [(&'a str, Option<&'a str>)];

/// XML that is being written, up to the next flush of its owner.
pub struct Xml {
    writer: Writer<Vec<u8>>,
}

impl Xml {
    /// Writes everything in one line.
    #[expect(clippy::new_without_default, reason = "an empty text is no default of anything")]
    pub fn new() -> Xml {
        Xml { writer: Writer::new(Vec::new()) }
    }

    /// Writes a declaration, and each element that has elements in lines of its own.
    pub fn document() -> Xml {
        let mut xml = Xml { writer: Writer::new_with_indent(Vec::new(), b' ', 2) };
        xml.put(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        xml
    }

    /// What was written, with a line end.
    pub fn finish(self) -> String {
        let mut text = String::from_utf8(self.writer.into_inner()).expect("only texts were written");
        text.push('\n');
        text
    }

    /// What is written since it was last taken; the buffer keeps its room.
    pub fn written(&mut self) -> &mut Vec<u8> {
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

    /// The start of an element.
    pub fn open(&mut self, name: &str, attributes: Attributes) {
        self.put(Event::Start(Self::tag(name, attributes)));
    }

    /// The end of an element.
    pub fn close(&mut self, name: &str) {
        self.put(Event::End(BytesEnd::new(name)));
    }

    /// An element without content.
    pub fn empty(&mut self, name: &str, attributes: Attributes) {
        self.put(Event::Empty(Self::tag(name, attributes)));
    }

    /// Plain text, escaped.
    pub fn text(&mut self, text: &str) {
        self.put(Event::Text(BytesText::new(&clean(text))));
    }

    /// An element that holds plain text.
    pub fn plain(&mut self, name: &str, attributes: Attributes, text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close(name);
    }

    /// A fragment that the caller knows to be well-formed.
    pub fn raw(&mut self, fragment: &str) {
        self.writer.get_mut().extend_from_slice(fragment.as_bytes());
    }
}

/// The text without its tags, and with the characters that its references name.
pub fn without_markup(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        plain.push_str(before);
        match tag.split_once('>') {
            Some((_, after)) => rest = after,
            None => {
                plain.push('<');
                rest = tag;
            }
        }
    }
    plain.push_str(rest);
    match unescape_with(&plain, resolve_html5_entity) {
        Ok(meant) => meant.into_owned(),
        Err(_) => plain,
    }
}

/// Whether XML 1.0 may hold this character.
pub fn allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// The text without the characters that no XML document may hold.
pub fn clean(text: &str) -> Cow<'_, str> {
    // What XML cannot hold is below the space, or begins with the byte EF.
    if text.bytes().all(|byte| byte >= b' ' && byte != 0xEF) || text.chars().all(allowed) {
        Cow::Borrowed(text)
    } else {
        text.chars().filter(|c| allowed(*c)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_goes_and_characters_stay() {
        for (text, wanted) in [
            ("a <emph>b</emph> c", "a b c"),
            ("Smith &amp; Sons &#233; &eacute;", "Smith & Sons é é"),
            ("Smith & Sons", "Smith & Sons"),
            ("a < b", "a < b"),
        ] {
            assert_eq!(without_markup(text), wanted);
        }
    }
}
