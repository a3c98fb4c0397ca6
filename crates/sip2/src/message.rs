//! A message: its kind, fixed-length parts and fields.

use crate::{
    field::Code,
    kind::{Kind, Part},
};

/// Longest text of a field; a longer one is cut, or continues in another field with the same code.
pub(crate) const LONGEST_FIELD: usize = 255;

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Message {
    pub kind: Kind,
    /// The fixed-length parts, concatenated: ASCII.
    pub(crate) fixed: String,
    /// The fields, in order.
    pub fields: Vec<(Code, String)>,
}

impl Message {
    /// A message with blank parts and no fields.
    pub fn new(kind: Kind) -> Self {
        Self { kind, fixed: " ".repeat(kind.fixed_width()), fields: Vec::new() }
    }

    /// A fixed-length part; empty if the kind does not have it.
    pub fn part(&self, part: Part) -> &str {
        let place = self.place(part);
        place.map_or("", |from| &self.fixed[from..from + part.width()])
    }

    /// Whether a part is `Y` or `1`.
    pub fn flag(&self, part: Part) -> bool {
        matches!(self.part(part), "Y" | "y" | "1")
    }

    /// The first non-empty field with that code.
    pub fn field(&self, code: Code) -> Option<&str> {
        let named = |(known, text): &'_ &(Code, String)| *known == code && !text.is_empty();
        let found = self.fields.iter().find(named);
        found.map(|(_, text)| text.as_str())
    }

    /// All fields with that code.
    pub fn all(&self, code: Code) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter().filter(move |(known, _)| *known == code);
        fields.map(|(_, text)| text.as_str())
    }

    /// Sets a part: cut or padded with blanks to its width; characters outside ASCII become `?`.
    #[must_use]
    pub fn with_part(mut self, part: Part, text: &str) -> Self {
        if let Some(from) = self.place(part) {
            let printable = |letter: char| match letter {
                ' '..='~' => letter,
                _ => '?',
            };
            let shown: String = text.chars().map(printable).take(part.width()).collect();
            let width = part.width();
            let filled = format!("{shown:<width$}");
            self.fixed.replace_range(from..from + width, &filled);
        }
        self
    }

    /// Sets a part to `Y` or `N`.
    #[must_use]
    pub fn with_flag(self, part: Part, yes: bool) -> Self {
        self.with_part(part, if yes { "Y" } else { "N" })
    }

    /// Sets a part to a zero-padded number; a number that is too large becomes the largest possible.
    #[must_use]
    pub fn with_number(self, part: Part, number: usize) -> Self {
        let width = part.width();
        let largest = 10_usize.pow(u32::try_from(width).unwrap_or(1)) - 1;
        self.with_part(part, &format!("{:0width$}", number.min(largest)))
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, code: Code, text: impl Into<String>) -> Self {
        self.fields.push((code, text.into()));
        self
    }

    /// Adds a field if there is a text.
    #[must_use]
    pub fn with_some(self, code: Code, text: Option<impl Into<String>>) -> Self {
        match text {
            Some(text) => self.with(code, text),
            None => self,
        }
    }

    /// Adds a field for each text; one that is too long continues in the next field.
    pub fn with_each<T: AsRef<str>>(mut self, code: Code, texts: impl IntoIterator<Item = T>) -> Self {
        for text in texts {
            let letters: Vec<char> = text.as_ref().chars().collect();
            for piece in letters.chunks(LONGEST_FIELD) {
                self.fields.push((code, piece.iter().collect()));
            }
        }
        self
    }

    fn place(&self, part: Part) -> Option<usize> {
        let mut from = 0;
        for known in self.kind.parts() {
            if *known == part {
                return Some(from);
            }
            from += known.width();
        }
        None
    }
}

/// Shows only the kind and the codes, so that passwords and names cannot reach a log by accident.
impl std::fmt::Debug for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let codes: Vec<_> = self.fields.iter().map(|(code, _)| code).collect();
        write!(f, "{:?}{codes:?}", self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field;

    #[test]
    fn parts_are_cut_and_filled_to_their_width() {
        let message = Message::new(Kind::SystemStatus)
            .with_flag(Part::Online, true)
            .with_number(Part::Timeout, 30)
            .with_number(Part::Retries, 12_345)
            .with_part(Part::ProtocolVersion, "2.00 and more")
            .with_part(Part::HoldMode, "+");
        assert_eq!(message.part(Part::Timeout), "030");
        assert_eq!(message.part(Part::Retries), "999");
        assert_eq!(message.part(Part::ProtocolVersion), "2.00");
        assert_eq!(message.part(Part::HoldMode), "");
        assert!(message.flag(Part::Online) && !message.flag(Part::OfflineOk));
    }

    #[test]
    fn long_texts_continue_in_another_field() {
        let long = "é".repeat(300);
        let message = Message::new(Kind::LoginResponse).with_each(field::SCREEN_MESSAGE, [long]);
        let texts = message.all(field::SCREEN_MESSAGE);
        let lengths: Vec<_> = texts.map(|text| text.chars().count()).collect();
        assert_eq!(lengths, [255, 45]);
    }
}
