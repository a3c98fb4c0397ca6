//! How texts become words, and how they are ordered.

mod folding;
mod language;
mod letters;
mod word;

pub use folding::folded;
pub use language::Language;
use letters::Letters;
use word::Compounds;
pub(crate) use word::is_unspaced;
pub use word::{Word, words};

use tantivy::tokenizer::{
    AsciiFoldingFilter, LowerCaser, RemoveLongFilter, StopWordFilter, TextAnalyzer, Token, TokenizerManager,
    WhitespaceTokenizer,
};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Stands among the basic forms of a text for a word that has none.
pub const NO_FORM: &str = "-";
/// Longest word, in bytes; longer ones are not indexed, and not found.
const LONGEST_WORD: usize = 255;
/// Longest exact value and sort key, in bytes; what follows is cut off.
pub(crate) const LONGEST_VALUE: usize = 2048;
/// Digits of a number within a sort key; longer ones are ordered as text.
const DIGITS: usize = 20;

/// Letters and digits, without accents and case; characters of scripts without blanks one by one.
pub(crate) const TEXT: &str = "text";
/// What stands between blanks, without case.
pub(crate) const WORDS: &str = "words";
/// What stands between blanks, as it is, but [`NO_FORM`].
pub(crate) const FORMS: &str = "forms";
/// Letters and digits, without accents and case, and compounds without their signs.
pub(crate) const COMPOUNDS: &str = "compounds";

pub(crate) fn tokenizers() -> TokenizerManager {
    let all = TokenizerManager::default();
    all.register(TEXT, text(LONGEST_WORD));
    all.register(WORDS, blanks(LONGEST_WORD));
    let forms = TextAnalyzer::builder(WhitespaceTokenizer::default());
    all.register(FORMS, forms.filter(StopWordFilter::remove([NO_FORM.to_owned()])).build());
    all.register(COMPOUNDS, TextAnalyzer::builder(Compounds::default()).build());
    all
}

/// With words up to a length.
fn text(longest: usize) -> TextAnalyzer {
    let letters = TextAnalyzer::builder(Letters::default()).filter(RemoveLongFilter::limit(longest));
    letters.filter(LowerCaser).filter(AsciiFoldingFilter).build()
}

fn blanks(longest: usize) -> TextAnalyzer {
    let blanks = TextAnalyzer::builder(WhitespaceTokenizer::default()).filter(RemoveLongFilter::limit(longest));
    blanks.filter(LowerCaser).build()
}

/// The words of a text, in order, with the places of their first and past their last byte. Also those that are too long to be
/// indexed: whoever looks for one finds nothing, and not what has all others.
pub(crate) fn tokens(of_text: bool, value: &str) -> Vec<Token> {
    let mut analyzer = if of_text { text(usize::MAX) } else { blanks(usize::MAX) };
    let mut stream = analyzer.token_stream(value);
    let mut found = Vec::new();
    while let Some(token) = stream.next() {
        found.push(token.clone());
    }
    found
}

/// The words of a text in groups of those with nothing between them: characters of scripts without blanks.
pub(crate) fn runs(of_text: bool, value: &str) -> Vec<Vec<Token>> {
    let mut runs: Vec<Vec<Token>> = Vec::new();
    for token in tokens(of_text, value) {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| last.offset_to == token.offset_from) => run.push(token),
            _ => runs.push(vec![token]),
        }
    }
    runs
}

/// A text without markup: a tag becomes a blank.
pub(crate) fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let begins = rest[open + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        match rest[open..].find('>').filter(|_| begins) {
            Some(close) => {
                plain.push_str(&rest[..open]);
                plain.push(' ');
                rest = &rest[open + close + 1..];
            }
            None => {
                plain.push_str(&rest[..=open]);
                rest = &rest[open + 1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// The longest beginning of a text that may be indexed as a whole.
pub(crate) fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST_VALUE)]
}

/// What a text is sorted by: without case, accents and markup; numbers in it by their size, signs only where letters and
/// digits are the same.
pub fn sort_key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    let mut digits = String::new();
    let plain = without_tags(text);
    for c in plain.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        number(&mut key, &mut digits);
        if c.is_alphanumeric() {
            key.push(c);
        } else if !key.is_empty() && !key.ends_with(' ') {
            key.push(' ');
        }
        if key.len() > LONGEST_VALUE {
            break;
        }
    }
    number(&mut key, &mut digits);
    cut(key.trim_end()).to_owned()
}

fn number(key: &mut String, digits: &mut String) {
    if digits.is_empty() {
        return;
    }
    let significant = digits.trim_start_matches('0');
    for _ in significant.len()..DIGITS {
        key.push('0');
    }
    key.push_str(significant);
    digits.clear();
}

/// An integer as a text with the same order.
pub(crate) fn ordered(number: i64) -> String {
    format!("{:020}", (number as u64) ^ (1 << 63))
}

/// The integer of such a text.
pub(crate) fn unordered(text: &str) -> Option<i64> {
    Some((text.parse::<u64>().ok()? ^ (1 << 63)) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_no_case_accents_or_markup() {
        let words = |text: &str| tokens(true, &without_tags(text)).into_iter().map(|t| t.text).collect::<Vec<_>>();
        assert_eq!(words("Éric's <emph render=\"italic\">Maps</emph>, 1 < 2 <"), ["eric", "s", "maps", "1", "2"]);
        assert_eq!(tokens(false, "MS-1  A").into_iter().map(|t| t.text).collect::<Vec<_>>(), ["ms-1", "a"]);
    }

    #[test]
    fn texts_are_sorted_as_people_sort_them() {
        let mut texts = ["Box 10", "box 9", "Éclair", "<title>Dune</title>", "eclairs", "\"Apple\"", "box"];
        texts.sort_by_key(|text| sort_key(text));
        assert_eq!(texts, ["\"Apple\"", "box", "box 9", "Box 10", "<title>Dune</title>", "Éclair", "eclairs"]);
        assert!(sort_key(&"ß".repeat(4000)).len() <= LONGEST_VALUE);
    }

    #[test]
    fn numbers_keep_their_order_as_texts() {
        let numbers = [i64::MIN, -5, -1, 0, 7, 1900, i64::MAX];
        assert!(numbers.windows(2).all(|two| ordered(two[0]) < ordered(two[1])));
        assert!(numbers.iter().all(|number| unordered(&ordered(*number)) == Some(*number)));
    }
}
