//! Names of records in addresses of the public site (contract 4: `slug`).

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

/// How many characters a name has at most, before its number.
const LONGEST: usize = 50;
/// What addresses use for themselves.
const RESERVED: &str = "&;?$<>#%{}|\\^~[]`/*()@=:+,!.";

static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new("</?[^>]*>").expect("the pattern is well formed"));
static LINES: LazyLock<Regex> = LazyLock::new(|| Regex::new("__+").expect("the pattern is well formed"));
static OTHERS: LazyLock<Regex> = LazyLock::new(|| Regex::new("[^a-z0-9_-]+").expect("the pattern is well formed"));
static DASHES: LazyLock<Regex> = LazyLock::new(|| Regex::new("--+").expect("the pattern is well formed"));
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^_\d+$").expect("the pattern is well formed"));

/// A text as a name in addresses: without markup and accents, in lower case, with lines for spaces. Addresses have none.
pub(crate) fn clean_slug(text: &str) -> String {
    if text.contains("//") || text.contains('\\') {
        return String::new();
    }
    let ascii: String = text.chars().filter(char::is_ascii).collect();
    let plain = TAG.replace_all(&ascii, "").to_lowercase().replace(' ', "_").replace("--", "").replace('\'', "");
    let kept: String = plain.chars().filter(|c| !RESERVED.contains(*c)).take(LONGEST).collect();
    let single = LINES.replace_all(&kept, "_");
    let single = single.strip_prefix('_').unwrap_or(&single);
    let single = single.strip_suffix('_').unwrap_or(single);
    // A number would be taken for the id of a record.
    let is_number = !single.is_empty() && single.chars().all(|c| c.is_ascii_digit());
    let name = if is_number { format!("__{single}") } else { single.to_owned() };
    let name = OTHERS.replace_all(&name, "-");
    DASHES.replace_all(&name, "-").trim_matches('-').to_owned()
}

/// Gives a repository its name in addresses, made of its code unless somebody chose one; cleans the names that somebody chose for
/// other records. A name that was numbered because others have it stays.
pub(crate) fn fill_slug(kind: &str, record: &mut Map<String, Value>, before: Option<&Map<String, Value>>) {
    let text = |record: &Map<String, Value>, name: &str| {
        record.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let is_auto = record.get("is_slug_auto") != Some(&Value::Bool(false));
    let chosen = text(record, "slug");
    if kind != "repository" && (chosen.is_empty() || is_auto) {
        return;
    }
    let mut slug = if is_auto { String::new() } else { clean_slug(&chosen) };
    if slug.is_empty() && kind == "repository" {
        slug = clean_slug(&text(record, "repo_code"));
        record.insert("is_slug_auto".to_owned(), true.into());
    }
    let previous = before.map(|before| text(before, "slug")).filter(|previous| is_same(&slug, previous));
    match previous.unwrap_or(slug) {
        slug if slug.is_empty() => record.remove("slug"),
        slug => record.insert("slug".to_owned(), slug.into()),
    };
}

/// Whether two names differ at most in the number that tells records of the same name apart.
fn is_same(slug: &str, previous: &str) -> bool {
    previous.strip_prefix(slug).is_some_and(|rest| !slug.is_empty() && (rest.is_empty() || NUMBERED.is_match(rest)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_slug_is_cleaned() {
        for (text, slug) in [
            ("Foo Bar Baz&&&&", "foo_bar_baz"),
            ("Foo Bar Baz ###", "foo_bar_baz"),
            ("FooBarBaz", "foobarbaz"),
            ("<emph render='italic'>Letters</emph> of O'Neil", "letters_of_oneil"),
            ("1234", "__1234"),
            ("http://example.org/1", ""),
            ("a\\b", ""),
            ("Käse und Brot", "kse_und_brot"),
            ("  a   b  ", "a_b"),
            ("a--b - c", "ab_-_c"),
            ("\u{1}x\u{2}", "x"),
        ] {
            assert_eq!(clean_slug(text), slug, "{text}");
        }
        assert_eq!(clean_slug(&"x".repeat(70)).len(), 50);
    }

    #[test]
    fn a_repository_is_named_by_its_code() {
        let slug = |record: Value, before: Option<Value>| {
            let mut record = record.as_object().cloned().expect("an object");
            fill_slug("repository", &mut record, before.as_ref().and_then(Value::as_object));
            (record["slug"].clone(), record["is_slug_auto"].clone())
        };
        let auto = json!({"repo_code": "Foo Bar", "is_slug_auto": true});
        assert_eq!(slug(auto.clone(), None), (json!("foo_bar"), json!(true)));
        assert_eq!(slug(auto.clone(), Some(json!({"slug": "foo_bar_12"}))).0, "foo_bar_12");
        assert_eq!(slug(auto, Some(json!({"slug": "foo"}))).0, "foo_bar");
        let chosen = json!({"repo_code": "X", "slug": "My Name", "is_slug_auto": false});
        assert_eq!(slug(chosen, None), (json!("my_name"), json!(false)));
        let nothing = json!({"repo_code": "X", "is_slug_auto": false});
        assert_eq!(slug(nothing, None), (json!("x"), json!(true)));
    }

    #[test]
    fn other_records_have_only_chosen_names() {
        let mut record =
            json!({"title": "T", "slug": "As Sent", "is_slug_auto": true}).as_object().cloned().expect("an object");
        fill_slug("resource", &mut record, None);
        assert_eq!(record["slug"], "As Sent");
        record.insert("is_slug_auto".to_owned(), false.into());
        fill_slug("resource", &mut record, None);
        assert_eq!(record["slug"], "as_sent");
        record.insert("slug".to_owned(), "http://example.org".into());
        fill_slug("resource", &mut record, None);
        assert_eq!(record.get("slug"), None);
    }
}
