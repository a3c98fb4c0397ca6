//! The reference id of a custom field: its name without accents and other characters than letters, in lower camel case,
//! with a number if another field has it (docs/folio/custom-fields.md#reference-ids).

use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use unicode_normalization::UnicodeNormalization;

/// `Café & Tea lover` gives `cafeTeaLover`. A name without Latin letters gives its Base64.
pub fn stem(name: &str) -> String {
    let mut stem = String::new();
    for word in name.split_whitespace() {
        let letters: String = capitalised(word).nfd().filter(char::is_ascii_alphabetic).collect();
        stem.push_str(&letters);
    }
    let mut letters = stem.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => STANDARD_NO_PAD.encode(name),
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    first.to_uppercase().chain(letters.as_str().to_lowercase().chars()).collect()
}

/// The stem, or with `_2`, `_3` … the first above all in `taken`.
pub fn free<'a>(stem: &str, taken: impl Iterator<Item = &'a str>) -> String {
    let numbers = taken.filter_map(|name| match name.strip_prefix(stem)? {
        "" => Some(1),
        rest => rest.strip_prefix('_')?.parse::<u32>().ok(),
    });
    match numbers.max() {
        None => stem.to_owned(),
        Some(highest) => format!("{stem}_{}", highest.saturating_add(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_members() {
        for (name, expected) in [
            ("Department", "department"),
            ("Department name", "departmentName"),
            ("CAFÉ  & Tea-lover 7", "cafeTealover"),
            ("e-mail", "email"),
            ("日本", "5pel5pys"),
        ] {
            assert_eq!(stem(name), expected, "{name}");
        }
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let cases: [(&[&str], &str); 5] = [
            (&[], "shoes"),
            (&["hats", "shoesRed"], "shoes"),
            (&["shoes"], "shoes_2"),
            (&["shoes", "shoes_2"], "shoes_3"),
            (&["shoes_5"], "shoes_6"),
        ];
        for (taken, expected) in cases {
            assert_eq!(free("shoes", taken.iter().copied()), expected, "{taken:?}");
        }
    }
}
