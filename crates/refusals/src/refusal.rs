//! Refusals with their values.

use std::{borrow::Cow, fmt};

use crate::{ErrorEntry, OverridableBlock, Shape, Value, Wording};

/// A reason to refuse: a [`Wording`] with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    wording: &'static Wording,
    values: Vec<(Cow<'static, str>, Option<String>)>,
    /// Parameters after those of the wording.
    further: Vec<(String, Option<String>)>,
    block: Option<OverridableBlock>,
}

impl From<&'static Wording> for Refusal {
    fn from(wording: &'static Wording) -> Self {
        Self { wording, values: Vec::new(), further: Vec::new(), block: None }
    }
}

impl Wording {
    /// The refusal, with the value of a parameter or of a name in the text.
    pub fn with(&'static self, name: impl Into<Cow<'static, str>>, value: impl Value) -> Refusal {
        Refusal::from(self).with(name, value)
    }

    /// The refusal about a member, for a wording whose key is `{member}`.
    pub fn about(&'static self, member: impl Into<Cow<'static, str>>, value: impl Value) -> Refusal {
        Refusal::from(self).about(member, value)
    }

    /// One refusal about all members with these values, if there are any, for modules that count an error with several
    /// parameters as one. The wording's only key is that of the members, or `{member}`.
    pub fn about_all(&'static self, members: impl IntoIterator<Item = (&'static str, String)>) -> Option<Refusal> {
        let mut members = members.into_iter();
        let (member, value) = members.next()?;
        let further = members.map(|(member, value)| (member.to_owned(), Some(value))).collect();
        Some(Refusal { further, ..self.about(member, value) })
    }
}

impl Refusal {
    /// The same with one more value, for a parameter or a name in the text; a wording that has neither ignores it.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: impl Value) -> Self {
        self.values.push((name.into(), value.text()));
        self
    }

    /// The same about a member, for a wording whose key is `{member}`.
    #[must_use]
    pub fn about(self, member: impl Into<Cow<'static, str>>, value: impl Value) -> Self {
        let member: Cow<'static, str> = member.into();
        self.with("member", &*member).with(member, value)
    }

    /// The same with the block that staff may override.
    #[must_use]
    pub fn overridable(mut self, block: OverridableBlock) -> Self {
        self.block = Some(block);
        self
    }

    /// Its row of the table.
    pub fn wording(&self) -> &'static Wording {
        self.wording
    }

    /// Whether it has that wording.
    pub fn is(&self, wording: &Wording) -> bool {
        self.wording == wording
    }

    fn value(&self, name: &str) -> Option<&str> {
        let mut values = self.values.iter();
        let (_, value) = values.find(|(known, _)| *known == name)?;
        value.as_deref()
    }

    /// A text with its values; one that is not known reads `null`.
    fn filled(&self, text: &str) -> String {
        let mut parts = text.split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for (name, rest) in parts.filter_map(|part| part.split_once('}')) {
            filled.push_str(self.value(name).unwrap_or("null"));
            filled.push_str(rest);
        }
        filled
    }

    /// The sentence.
    pub fn message(&self) -> String {
        self.filled(self.wording.text)
    }

    /// The refusal as an entry of FOLIO's `errors`.
    pub fn entry(&self) -> ErrorEntry {
        let kind = match self.wording.shape {
            Shape::Storage => Some("1"),
            Shape::LogIn => Some("error"),
            Shape::Spring => Some("-1"),
            Shape::Alone => Some("-2"),
            _ => self.wording.kind,
        };
        let code = self.wording.code.map(|code| self.filled(code));
        let code = code.or((kind == Some("1")).then(|| "-1".to_owned()));
        let keys = self.wording.parameters.iter();
        let keys = keys.map(|key| self.filled(key));
        ErrorEntry {
            message: self.message(),
            kind: kind.map(str::to_owned),
            code,
            parameters: keys
                .map(|key| {
                    // A member may have the name of a value in the text; its own value is then given after that one.
                    let mut values = self.values.iter().rev();
                    let value = values.find(|(known, _)| *known == key);
                    let value = value.and_then(|(_, value)| value.clone());
                    (key, value)
                })
                .chain(self.further.iter().cloned())
                .collect(),
            overridable_block: self.block,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

/// What a use case returns instead of an outcome: every reason to refuse it, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refused(pub Vec<Refusal>);

impl<R: Into<Refusal>> From<R> for Refused {
    fn from(refusal: R) -> Self {
        Self(vec![refusal.into()])
    }
}

impl Refused {
    /// Adds a refusal, unless it is there already.
    pub fn add(&mut self, refusal: impl Into<Refusal>) {
        let refusal = refusal.into();
        if !self.0.contains(&refusal) {
            self.0.push(refusal);
        }
    }

    /// Whether one of the refusals has one of these wordings.
    pub fn has(&self, wordings: &[&Wording]) -> bool {
        self.0.iter().any(|refusal| wordings.contains(&refusal.wording))
    }

    /// The same with a value for each refusal that has none of that name.
    #[must_use]
    pub fn with(self, name: &'static str, value: &str) -> Self {
        let refusals = self.0.into_iter();
        let completed = |refusal: Refusal| match refusal.value(name) {
            Some(_) => refusal,
            None => refusal.with(name, value),
        };
        Self(refusals.map(completed).collect())
    }

    /// The outcome, if there is no reason to refuse it.
    ///
    /// # Errors
    /// The refusals.
    pub fn or<T>(self, outcome: T) -> Result<T, Self> {
        match self.0.is_empty() {
            true => Ok(outcome),
            false => Err(self),
        }
    }

    /// The refusals as entries of FOLIO's `errors`.
    pub fn entries(&self) -> Vec<ErrorEntry> {
        self.0.iter().map(Refusal::entry).collect()
    }
}

/// The sentences, one to a line.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentences: Vec<_> = self.0.iter().map(Refusal::message).collect();
        f.write_str(&sentences.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    crate::table! {
        /// A check-out.
        TABLE: Circulation, "docs/folio/check-out.md#checks";
        OUT: "The item is out." => 422 ITEM_IS_OUT "{title} is {status}" [itemId, "title"];
        BROKEN: "Rules are broken." => 500 "{message}";
        MEMBER: "A member is wrong." => 422 "wrong" ["{member}"];
    }

    #[test]
    fn a_refusal_mentions_its_values() {
        let block = OverridableBlock { name: "patronBlock", missing_permission: Some("p") };
        let refusal = OUT.with("title", "{status} 1").with("itemId", None::<&str>);
        assert_eq!(refusal.message(), "{status} 1 is null");
        assert_eq!(
            refusal.overridable(block).entry().to_json(),
            json!({"message": "{status} 1 is null",
                "parameters": [{"key": "itemId", "value": null}, {"key": "title", "value": "{status} 1"}],
                "code": "ITEM_IS_OUT",
                "overridableBlock": {"name": "patronBlock", "missingPermissions": ["p"]}})
        );
        assert_eq!(BROKEN.with("message", "why").message(), "why");
    }

    #[test]
    fn one_refusal_is_about_several_members() {
        assert_eq!(MEMBER.about_all([]), None);
        let members = [("a", "1".to_owned()), ("b", "2".to_owned()), ("b", "2".to_owned())];
        let parameters = MEMBER.about_all(members).map(|refusal| refusal.entry().parameters).unwrap_or_default();
        let shown: Vec<_> = parameters.iter().map(|(key, value)| (key.as_str(), value.as_deref())).collect();
        assert_eq!(shown, [("a", Some("1")), ("b", Some("2")), ("b", Some("2"))]);
    }

    #[test]
    fn refusals_are_added_once() {
        let mut refused = Refused::default();
        assert_eq!(refused.clone().or(1), Ok(1));
        for _ in 0..2 {
            refused.add(OUT);
        }
        refused.add(OUT.with("title", "x"));
        assert_eq!(refused.0.len(), 2);
        assert!(refused.has(&[OUT]) && !refused.has(&[BROKEN]));
        assert_eq!((TABLE.rows, OUT.when), (&[OUT, BROKEN, MEMBER][..], "The item is out."));
    }
}
