//! Words of languages in their basic forms.

use std::cell::RefCell;

use tantivy::tokenizer::{
    Language as Of, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer,
};

use super::{LONGEST_WORD, folded, word::is_unspaced};

/// A language whose words have basic forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    Arabic,
    Chinese,
    English,
    French,
    German,
    Hebrew,
    Italian,
    Japanese,
    Korean,
    Russian,
    Spanish,
    Swedish,
}

/// All languages with their codes in ISO 639-2.
const LANGUAGES: [(&str, Language, Option<Of>); 12] = [
    ("ara", Language::Arabic, Some(Of::Arabic)),
    ("chi", Language::Chinese, None),
    ("eng", Language::English, Some(Of::English)),
    ("fre", Language::French, Some(Of::French)),
    ("ger", Language::German, Some(Of::German)),
    ("heb", Language::Hebrew, None),
    ("ita", Language::Italian, Some(Of::Italian)),
    ("jpn", Language::Japanese, None),
    ("kor", Language::Korean, None),
    ("rus", Language::Russian, Some(Of::Russian)),
    ("spa", Language::Spanish, Some(Of::Spanish)),
    ("swe", Language::Swedish, Some(Of::Swedish)),
];

thread_local! {
    static ANALYZERS: RefCell<Vec<Option<TextAnalyzer>>> = const { RefCell::new(Vec::new()) };
}

impl Language {
    /// The language with a code of ISO 639-2.
    pub fn of(code: &str) -> Option<Self> {
        LANGUAGES.iter().find(|(of, ..)| *of == code).map(|(_, language, _)| *language)
    }

    fn row(self) -> usize {
        LANGUAGES.iter().position(|(_, language, _)| *language == self).unwrap_or_default()
    }

    /// Its code in ISO 639-2.
    pub fn code(self) -> &'static str {
        LANGUAGES[self.row()].0
    }

    /// Whether it leaves words out; what has no form in other languages is in another script.
    pub fn has_words_that_say_nothing(self) -> bool {
        LANGUAGES[self.row()].2.is_some()
    }

    /// The basic forms of the words of a text, without words that say nothing, like `the`. Of scripts without blanks, and of
    /// Korean, each two characters.
    pub fn forms(self, text: &str) -> Vec<String> {
        self.places(text).into_iter().flatten().collect()
    }

    /// The same, and where words stand that say nothing, but for those at the end.
    pub fn places(self, text: &str) -> Vec<Option<String>> {
        let row = self.row();
        if let Language::Chinese | Language::Japanese | Language::Korean = self {
            return pairs(text).into_iter().map(Some).collect();
        }
        ANALYZERS.with_borrow_mut(|analyzers| {
            if analyzers.len() <= row {
                analyzers.resize_with(LANGUAGES.len(), || None);
            }
            let analyzer = analyzers[row].get_or_insert_with(|| analyzer(LANGUAGES[row].2));
            let mut stream = analyzer.token_stream(text);
            let mut places = Vec::new();
            while let Some(token) = stream.next() {
                places.resize(token.position.max(places.len()), None);
                places.push(Some(folded(&token.text)));
            }
            places
        })
    }
}

fn analyzer(of: Option<Of>) -> TextAnalyzer {
    let words = TextAnalyzer::builder(SimpleTokenizer::default()).filter(RemoveLongFilter::limit(LONGEST_WORD));
    let words = words.filter(LowerCaser).dynamic();
    let Some(of) = of else { return words.build() };
    let words = match StopWordFilter::new(of) {
        Some(stops) => words.filter_dynamic(stops),
        None => words,
    };
    words.filter_dynamic(Stemmer::new(of)).build()
}

fn pairs(text: &str) -> Vec<String> {
    let folded = folded(text);
    let is_paired = |c: &char| is_unspaced(*c) || matches!(c, '\u{ac00}'..='\u{d7a3}');
    let runs = folded.split(|c: char| !is_paired(&c)).filter(|run| !run.is_empty());
    let of_run = |run: &str| {
        let characters: Vec<char> = run.chars().collect();
        if characters.len() == 1 {
            return vec![run.to_owned()];
        }
        characters.windows(2).map(|two| two.iter().collect()).collect()
    };
    runs.flat_map(of_run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_basic_forms() {
        for (code, text, expected) in [
            ("eng", "The cooperative libraries", "cooper librari"),
            ("eng", "cooperate", "cooper"),
            ("fre", "Les bibliothèques", "bibliothequ"),
            ("ger", "Häuser und Gärten", "haus gart"),
            ("rus", "книги", "книг"),
            ("jpn", "図書館の本", "図書 書館 館の の本"),
            ("kor", "한국 책", "한국 책"),
            ("heb", "שלום", "שלום"),
        ] {
            let language = Language::of(code).expect(code);
            assert_eq!(language.code(), code);
            assert_eq!(language.forms(text).join(" "), expected, "{code}");
        }
        assert_eq!(Language::of("lat"), None);
        let places = Language::English.places("The history of the world, and the");
        let shown: Vec<&str> = places.iter().map(|place| place.as_deref().unwrap_or("-")).collect();
        assert_eq!(shown, ["-", "histori", "-", "-", "world"]);
    }
}
