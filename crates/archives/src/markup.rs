//! Inline markup of finding aids in titles, as HTML for trees (contract 7.2, `parsed_title`).

use std::{borrow::Cow, sync::LazyLock};

use ammonia::Builder;
use regex::{Captures, Regex};
use serde_json::Value;

static LINE_BREAK: LazyLock<Regex> = LazyLock::new(|| pattern(r"<lb\s*/?>(\s*</lb>)?"));
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"<(?:emph|title|unitdate)\b(?:[^>]*?\srender\s*=\s*["'](?P<render>[\w-]*)["'])?[^>]*>"#)
});
static CLOSING: LazyLock<Regex> = LazyLock::new(|| pattern("</(?:emph|title|unitdate)>"));

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::default();
    cleaner.add_allowed_classes("span", &CLASSES);
    cleaner
});

/// What `render` may say.
const CLASSES: [&str; 18] = [
    "emph",
    "render-none",
    "render-altrender",
    "render-bold",
    "render-bolddoublequote",
    "render-bolditalic",
    "render-boldsinglequote",
    "render-boldsmcaps",
    "render-boldunderline",
    "render-doublequote",
    "render-italic",
    "render-nonproport",
    "render-singlequote",
    "render-smcaps",
    "render-sub",
    "render-super",
    "render-underline",
    "render-",
];

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The text as HTML; null stays null. Tags that no page should show are dropped.
pub(crate) fn to_html(text: &Value) -> Value {
    let Some(text) = text.as_str() else { return Value::Null };
    let text = text.trim();
    if !text.contains(['<', '&', '>']) {
        return text.into();
    }
    let spans = OPENING.replace_all(text, |found: &Captures<'_>| {
        let render = found.name("render").map_or("none", |render| render.as_str());
        format!(r#"<span class="emph render-{render}">"#)
    });
    let closed = CLOSING.replace_all(&spans, "</span>");
    let broken: Cow<'_, str> = LINE_BREAK.replace_all(&closed, "<br>");
    CLEANER.clean(&broken).to_string().into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn inline_markup_becomes_html() {
        for (text, html) in [
            ("Letters", "Letters"),
            (" Letters ", "Letters"),
            ("A & B", "A &amp; B"),
            (r#"<emph render="italic">Moby</emph>"#, r#"<span class="emph render-italic">Moby</span>"#),
            ("<title>Moby</title>", r#"<span class="emph render-none">Moby</span>"#),
            ("one<lb/>two", "one<br>two"),
            ("<script>alert(1)</script>Papers", "Papers"),
            (r#"<b onclick="x()">bold</b>"#, "<b>bold</b>"),
            ("3 < 4", "3 &lt; 4"),
        ] {
            assert_eq!(to_html(&json!(text)), json!(html), "{text}");
        }
        assert_eq!(to_html(&Value::Null), Value::Null);
    }
}
