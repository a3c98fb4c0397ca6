//! Words of letters and digits. In scripts that put no blanks between words each character is a word, as in Lucene's standard
//! tokenizer: it is found within whatever stands beside it.

use std::str::CharIndices;

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::word::is_unspaced;

#[derive(Clone, Default)]
pub(super) struct Letters {
    /// Used again for each text.
    token: Token,
}

pub(super) struct Words<'a> {
    text: &'a str,
    chars: CharIndices<'a>,
    token: &'a mut Token,
}

impl Tokenizer for Letters {
    type TokenStream<'a> = Words<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Words<'a> {
        self.token.reset();
        Words { text, chars: text.char_indices(), token: &mut self.token }
    }
}

impl Words<'_> {
    /// Where a word ends that begins with a letter.
    fn end(&mut self, begins: usize, first: char) -> usize {
        if is_unspaced(first) {
            return begins + first.len_utf8();
        }
        loop {
            let mut further = self.chars.clone();
            match further.next() {
                Some((_, c)) if c.is_alphanumeric() && !is_unspaced(c) => self.chars = further,
                Some((at, _)) => return at,
                None => return self.text.len(),
            }
        }
    }
}

impl TokenStream for Words<'_> {
    fn advance(&mut self) -> bool {
        self.token.text.clear();
        self.token.position = self.token.position.wrapping_add(1);
        while let Some((begins, c)) = self.chars.next() {
            if c.is_alphanumeric() {
                let end = self.end(begins, c);
                (self.token.offset_from, self.token.offset_to) = (begins, end);
                self.token.text.push_str(&self.text[begins..end]);
                return true;
            }
        }
        false
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tantivy::tokenizer::SimpleTokenizer;

    use super::*;

    fn words(mut tokenizer: impl Tokenizer, text: &str) -> Vec<Token> {
        let mut stream = tokenizer.token_stream(text);
        let mut found = Vec::new();
        while let Some(token) = stream.next() {
            found.push(token.clone());
        }
        found
    }

    #[test]
    fn characters_without_blanks_are_words() {
        let of = |text: &str| words(Letters::default(), text).into_iter().map(|t| t.text).collect::<Vec<_>>();
        assert_eq!(of("中國, Maps東京 2020年写真x"), ["中", "國", "Maps", "東", "京", "2020", "年", "写", "真", "x"]);
        assert_eq!(of("ひら カナー 한국어 ไทย"), ["ひ", "ら", "カ", "ナ", "ー", "한국어", "ไทย"]);
    }

    proptest! {
        #[test]
        fn other_texts_have_the_words_of_letters_and_digits(text in "[ a-cé1ß한и.,'-]{0,24}") {
            prop_assert_eq!(words(Letters::default(), &text), words(SimpleTokenizer::default(), &text));
        }
    }
}
