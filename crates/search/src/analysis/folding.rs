//! Texts without what makes no difference to a search: case, accents, and other forms of letters, digits, quotation marks and dashes.

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// What stands for characters that are left after compatibility decomposition and lower case: FOLIO compares texts as ICU folds them
/// (Unicode technical report 30). A line has the characters' numbers and their replacement, which may be nothing; `0..9` is the
/// digit of each.
const FOLDINGS: &str = include_str!("../../data/foldings.tsv");

static REPLACED: LazyLock<HashMap<char, &'static str, FixedState>> =
    LazyLock::new(|| FOLDINGS.lines().flat_map(read).collect());

fn read(line: &'static str) -> impl Iterator<Item = (char, &'static str)> {
    let (range, replacement) = line.split_once('\t').unwrap_or((line, ""));
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let number = |text| u32::from_str_radix(text, 16).unwrap_or_default();
    (number(first)..=number(last)).enumerate().filter_map(move |(place, number)| {
        let replacement = if replacement == "0..9" { &"0123456789"[place..=place] } else { replacement };
        Some((char::from_u32(number)?, replacement))
    })
}

/// A text without case, accents, and blanks around it.
pub fn folded(text: &str) -> String {
    let text = text.trim();
    let mut folded = String::with_capacity(text.len());
    // Of ASCII, these two stand for accents.
    if text.is_ascii() && !text.contains(['^', '`']) {
        folded.push_str(text);
        folded.make_ascii_lowercase();
        return folded;
    }
    for c in text.nfkd().flat_map(char::to_lowercase) {
        match if c.is_ascii_alphanumeric() { None } else { REPLACED.get(&c) } {
            Some(replacement) => folded.push_str(replacement),
            None => folded.push(c),
        }
    }
    match is_nfc_quick(folded.chars()) {
        IsNormalized::Yes => folded,
        _ => folded.nfc().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_without_what_makes_no_difference() {
        for (text, expected) in [
            ("  Déjà Vu ", "deja vu"),
            ("Straße", "strasse"),
            ("ŁÓDŹ", "lodz"),
            ("Ελλάς ᾁ", "ελλασ αι"),
            ("Достоевский", "достоевскии"),
            ("हिन्दी", "हिनदी"),
            ("שָׁלוֹם", "שלום"),
            ("한국어", "한국어"),
            ("ＡＢＣ", "abc"),
            ("Gogolʹ, Nikolaĭ Vasilʹevich", "gogol, nikolai vasilevich"),
            ("ʻAbd al-Raḥmān; Qurʼān", "abd al-rahman; quran"),
            ("D’Annunzio “1914–1918” ½", "d'annunzio \"1914-1918\" 1/2"),
            ("٣ १२ ガぱ", "3 12 カは"),
            ("Ə Ғ ة ى", "a г ه ي"),
            ("a^b `c`", "ab c"),
        ] {
            assert_eq!(folded(text), expected);
            assert_eq!(folded(&folded(text)), expected);
        }
    }

    #[test]
    fn every_line_of_the_foldings_is_read() {
        for line in FOLDINGS.lines() {
            assert!(read(line).count() > 0, "{line}");
        }
        assert_eq!((REPLACED.len(), REPLACED.get(&'\u{669}')), (2367, Some(&"9")));
    }
}
