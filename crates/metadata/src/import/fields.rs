//! The fields of a MARC record.

use super::element::Element;

/// A record.
#[derive(Clone, Copy)]
pub(super) struct Marc<'e>(pub &'e Element);

/// A field with subfields.
#[derive(Clone, Copy)]
pub(super) struct Field<'e> {
    pub tag: &'e str,
    element: &'e Element,
}

impl<'e> Marc<'e> {
    pub(super) fn leader(self) -> Option<String> {
        self.0.child("leader").map(Element::text)
    }

    /// The first control field with a tag.
    pub(super) fn control(self, tag: &str) -> Option<String> {
        self.0.children("controlfield").find(|field| field.attribute("tag") == Some(tag)).map(Element::text)
    }

    /// The fields with one of some tags, in the order of the record.
    pub(super) fn fields(self, tags: &[&str]) -> impl Iterator<Item = Field<'e>> {
        self.all().filter(move |field| tags.contains(&field.tag))
    }

    pub(super) fn all(self) -> impl Iterator<Item = Field<'e>> {
        let fields = self.0.children("datafield");
        fields.filter_map(|element| Some(Field { tag: element.attribute("tag")?, element }))
    }
}

impl<'e> Field<'e> {
    /// An indicator, 1 or 2; empty if it is blank.
    pub(super) fn indicator(self, number: u8) -> &'e str {
        let name = if number == 1 { "ind1" } else { "ind2" };
        self.element.attribute(name).unwrap_or_default().trim()
    }

    /// The subfields, each with its code and text.
    pub(super) fn subfields(self) -> impl Iterator<Item = (&'e str, String)> {
        let subfields = self.element.children("subfield");
        subfields.map(|subfield| (subfield.attribute("code").unwrap_or_default(), subfield.text()))
    }

    /// The texts of the subfields with a code.
    pub(super) fn texts(self, code: &str) -> impl Iterator<Item = String> {
        self.subfields().filter(move |(own, _)| *own == code).map(|(_, text)| text)
    }

    /// The text of the first subfield with a code.
    pub(super) fn first(self, code: &str) -> Option<String> {
        self.texts(code).next()
    }

    /// The text of the last subfield with a code: what sets a member again and again leaves the last one.
    pub(super) fn last(self, code: &str) -> Option<String> {
        self.texts(code).last()
    }

    /// The subfields with some codes, code by code.
    pub(super) fn by_code(self, codes: impl Iterator<Item = char>, between: &str) -> String {
        let mut code = [0; 4];
        let of_code = codes.map(|c| self.texts(c.encode_utf8(&mut code)).collect::<String>());
        of_code.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(between)
    }

    /// The subfields with some codes in the order of the record.
    pub(super) fn in_order(self, codes: &str, between: &str) -> String {
        let wanted =
            self.subfields().filter(|(code, text)| !code.is_empty() && codes.contains(code) && !text.is_empty());
        wanted.map(|(_, text)| text).collect::<Vec<_>>().join(between).trim().to_owned()
    }

    /// All subfields in the order of the record.
    pub(super) fn whole(self) -> String {
        let texts = self.subfields().map(|(_, text)| text.trim().to_owned()).filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join(" ")
    }
}

/// A text without some characters and without one character at its end.
pub(super) fn trimmed(text: &str, end: char, without: &[char]) -> String {
    let text: String = text.chars().filter(|c| !without.contains(c)).collect();
    text.strip_suffix(end).unwrap_or(&text).to_owned()
}
