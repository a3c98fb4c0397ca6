//! Rules for the inline markup of titles, such as `<emph render="italic">x</emph>`.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::{Finding, error, text};

/// Elements that a page would act on.
const FORBIDDEN: [&str; 18] = [
    "script", "style", "iframe", "object", "embed", "applet", "meta", "link", "base", "form", "input", "button",
    "select", "textarea", "option", "optgroup", "label", "fieldset",
];

const NAME: &str = "[A-Za-z][A-Za-z0-9:_-]*";

static START: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("</?({NAME})")));
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("<(?<closing>/)?(?<name>{NAME})(?<rest>[^>]*)>")));
static ATTRIBUTE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\s+[A-Za-z_:][\w:.-]*\s*=\s*("([^"\\]|\\.)*"|'([^'\\]|\\.)*')"#));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is well formed")
}

/// The tags of a title are closed in order, their attributes are quoted, and none is one that a page would act on.
pub(crate) fn title_is_well_formed(record: &Map<String, Value>) -> Vec<Finding> {
    let title = text(record, "title").unwrap_or_default();
    problem(title).map(|problem| error("title", problem)).into_iter().collect()
}

fn problem(title: &str) -> Option<&'static str> {
    let is_forbidden = |name: &str| FORBIDDEN.iter().any(|forbidden| forbidden.eq_ignore_ascii_case(name));
    if START.captures_iter(title).any(|tag| is_forbidden(&tag[1])) {
        return Some("mixed_content_disallowed_tag");
    }
    let mut open = Vec::new();
    for tag in TAG.captures_iter(title) {
        let (name, rest) = (tag["name"].to_owned(), &tag["rest"]);
        let is_well_formed = if tag.name("closing").is_some() {
            open.pop() == Some(name)
        } else {
            if !rest.trim_end().ends_with('/') {
                open.push(name);
            }
            attributes_are_quoted(rest)
        };
        if !is_well_formed {
            return Some("mixed_content_invalid_inline_ead");
        }
    }
    if open.is_empty() { None } else { Some("mixed_content_invalid_inline_ead") }
}

fn attributes_are_quoted(attributes: &str) -> bool {
    let has_curly_quote = attributes.contains(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}']);
    !has_curly_quote && !ATTRIBUTE.replace_all(attributes, " ").contains('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_well_formed_or_named() {
        let invalid = Some("mixed_content_invalid_inline_ead");
        let disallowed = Some("mixed_content_disallowed_tag");
        let cases = [
            ("Papers", None),
            ("1 < 2 & 3 > 2", None),
            (r#"<emph render="italic">Papers</emph>, <title render='bold'>x</title>"#, None),
            ("a<lb/>b", None),
            ("<emph>Papers", invalid),
            ("Papers</emph>", invalid),
            ("<emph><title>x</emph></title>", invalid),
            ("<emph render=italic>x</emph>", invalid),
            ("<emph render=\u{201c}italic\u{201d}>x</emph>", invalid),
            ("<Script>x</Script>", disallowed),
            ("x</iframe", disallowed),
        ];
        for (title, expected) in cases {
            assert_eq!(problem(title), expected, "{title}");
        }
    }
}
