//! Texts with `{{values}}`: rows of data, values from earlier answers, the time.

use std::{fmt::Write, ops::Range};

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

/// A text with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
    escape: Escape,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Value(Slot),
}

/// The value of a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// A column of a row of the transaction.
    Row { row: usize, column: usize },
    /// A value extracted from an earlier answer.
    Variable(usize),
    /// Several values of a column, joined.
    Pick(usize),
    /// The time, as `2026-11-22T10:15:00.000Z`.
    Now,
    /// A new UUID.
    Uuid,
    /// The user name of the log-in.
    Me,
}

/// How values are escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// Percent-encoded; in the surrounding text, only characters not allowed in a URL.
    Url,
    /// As inside a JSON string.
    Json,
    /// Percent-encoded, as in a form.
    Form,
    /// Not escaped.
    None,
}

/// Characters not allowed in a URL.
const ILLEGAL: AsciiSet =
    CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`').add(b'{').add(b'|').add(b'}');
/// Characters with a meaning in a URL; not the slash, because whole paths can be values (`/repositories/2`).
const RESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Supplies the values of placeholders.
pub trait Values {
    /// The value of a placeholder; `None` if an earlier answer did not contain it.
    fn value(&self, slot: Slot) -> Option<std::borrow::Cow<'_, str>>;
}

impl Template {
    /// Parses `text`; `resolve` resolves names.
    ///
    /// # Errors
    /// `{{` without `}}`, or an error of `resolve`, with the position in `text`.
    pub fn parse(
        text: &str,
        escape: Escape,
        mut resolve: impl FnMut(&str) -> Result<Slot, String>,
    ) -> Result<Self, (Range<usize>, String)> {
        let (mut parts, mut at) = (Vec::new(), 0);
        while let Some(start) = text[at..].find("{{").map(|start| at + start) {
            let Some(end) = text[start..].find("}}").map(|end| start + end) else {
                return Err((start..text.len(), "{{ without }}".to_owned()));
            };
            parts.push(Part::Text(escape.text(&text[at..start])));
            let slot = resolve(text[start + 2..end].trim());
            parts.push(Part::Value(slot.map_err(|message| (start..end, message))?));
            at = end + 2;
        }
        parts.push(Part::Text(escape.text(&text[at..])));
        parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
        Ok(Self { parts, escape })
    }

    /// Appends the filled text to `to`, or returns the first placeholder without a value.
    pub fn fill(&self, to: &mut String, values: &impl Values) -> Result<(), Slot> {
        for part in &self.parts {
            match part {
                Part::Text(text) => to.push_str(text),
                Part::Value(slot) => self.escape.value(to, &values.value(*slot).ok_or(*slot)?),
            }
        }
        Ok(())
    }
}

impl Escape {
    fn text(self, text: &str) -> String {
        match self {
            Self::Url => utf8_percent_encode(text, &ILLEGAL).to_string(),
            _ => text.to_owned(),
        }
    }

    fn value(self, to: &mut String, value: &str) {
        // Writing to a String does not fail.
        let _ = match self {
            Self::Url | Self::Form => write!(to, "{}", utf8_percent_encode(value, &RESERVED)),
            Self::Json => {
                let quoted = serde_json::Value::from(value).to_string();
                to.write_str(&quoted[1..quoted.len() - 1])
            }
            Self::None => to.write_str(value),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    struct Given(&'static str);

    impl Values for Given {
        fn value(&self, slot: Slot) -> Option<Cow<'_, str>> {
            (slot != Slot::Now).then_some(Cow::Borrowed(self.0))
        }
    }

    fn filled(text: &str, escape: Escape, value: &'static str) -> String {
        let template = Template::parse(text, escape, |_| Ok(Slot::Variable(0))).expect("sound");
        let mut to = String::new();
        template.fill(&mut to, &Given(value)).expect("a value");
        to
    }

    #[test]
    fn values_are_escaped_wherever_they_stand() {
        let query = "/items?query=barcode==\"{{ barcode }}\"&limit=1";
        assert_eq!(filled(query, Escape::Url, "1"), "/items?query=barcode==%221%22&limit=1");
        assert_eq!(
            filled(query, Escape::Url, "a&b=c/é \"*"),
            "/items?query=barcode==%22a%26b%3Dc/%C3%A9%20%22%2A%22&limit=1"
        );
        assert_eq!(filled("/a%20b/{{id}}", Escape::Url, "7"), "/a%20b/7");
        assert_eq!(filled(r#"{"a":"{{x}}"}"#, Escape::Json, "say \"é\"\n"), r#"{"a":"say \"é\"\n"}"#);
        assert_eq!(filled("password={{x}}", Escape::Form, "a b&c"), "password=a%20b%26c");
        assert_eq!(filled("{{x}}{{x}}", Escape::None, "é&"), "é&é&");
    }

    #[test]
    fn errors_have_a_position() {
        let parse = |text: &str| Template::parse(text, Escape::None, |name| Err(format!("no {name}")));
        assert_eq!(parse("a {{item.id}}"), Err((2..11, "no item.id".to_owned())));
        assert_eq!(parse("abc{{x"), Err((3..6, "{{ without }}".to_owned())));
        assert!(parse("a { b } }}").is_ok());
    }

    #[test]
    fn a_missing_value_is_named() {
        let template = Template::parse("{{now}}", Escape::None, |_| Ok(Slot::Now)).expect("sound");
        assert_eq!(template.fill(&mut String::new(), &Given("")), Err(Slot::Now));
    }
}
