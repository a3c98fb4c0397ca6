//! Words of texts in any script, without accents and case.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::LONGEST_WORD;

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// What it consists of: `pang` and `ok`. Of a script without blanks, its characters.
    pub parts: Vec<String>,
    /// The parts without the signs between them, `pangok`, if there are several letters' parts.
    pub joined: Option<String>,
    /// Whether the parts are characters of a script without blanks, which belong together in their order.
    pub is_run: bool,
}

/// A text without case, accents, and blanks around it.
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    if text.is_ascii() {
        folded.push_str(text.trim());
        folded.make_ascii_lowercase();
        return folded;
    }
    let plain = text.trim().nfkd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase).nfc();
    plain.for_each(|c| match letters(c) {
        Some(letters) => folded.push_str(letters),
        None => folded.push(c),
    });
    folded
}

/// The words of a text, in order. ` & ` is read as `and`, and an English `'s` at the end of a word is left out.
pub fn words(text: &str) -> Vec<Word> {
    let text = folded(&text.replace(" & ", " and "));
    let mut words = Vec::new();
    let mut chars = text.chars().peekable();
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    while let Some(c) = chars.next() {
        if is_unspaced(c) {
            take(&mut parts, &mut part, &mut words);
            let mut run = vec![c.to_string()];
            while let Some(next) = chars.next_if(|next| is_unspaced(*next)) {
                run.push(next.to_string());
            }
            words.push(Word { parts: run, joined: None, is_run: true });
        } else if is_letter(c) {
            part.push(c);
        } else if joins(&part, c, chars.peek().copied()) {
            parts.push(std::mem::take(&mut part));
        } else {
            take(&mut parts, &mut part, &mut words);
        }
    }
    take(&mut parts, &mut part, &mut words);
    words
}

/// Whether a sign stands within a word.
fn joins(before: &str, sign: char, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before.chars().next_back(), after) else { return false };
    match sign {
        '\'' | '’' | '‘' | 'ʼ' | 'ʻ' | 'ʹ' | '`' | '´' | '·' => {
            before.is_alphabetic() && after.is_alphabetic()
        }
        '.' => before.is_alphabetic() == after.is_alphabetic() && is_letter(after) && !is_unspaced(after),
        ',' => before.is_numeric() && after.is_numeric(),
        '_' => is_letter(after),
        _ => false,
    }
}

fn take(parts: &mut Vec<String>, part: &mut String, words: &mut Vec<Word>) {
    if !part.is_empty() {
        parts.push(std::mem::take(part));
    }
    let mut parts = std::mem::take(parts);
    parts.retain(|part| part.len() <= LONGEST_WORD);
    if parts.len() == 2 && parts[1] == "s" {
        parts.pop();
    }
    if parts.is_empty() {
        return;
    }
    let is_lettered = |part: &String| part.chars().any(char::is_alphabetic);
    let joined = (parts.len() > 1 && parts.iter().all(is_lettered)).then(|| parts.concat());
    words.push(Word { joined: joined.filter(|joined| joined.len() <= LONGEST_WORD), parts, is_run: false });
}

fn is_letter(c: char) -> bool {
    let is_sign = matches!(c, 'ʼ' | 'ʻ' | 'ʹ');
    (c.is_alphanumeric() || is_combining_mark(c)) && !is_sign
}

/// Marks that are left out: accents, and the points of Hebrew and Arabic. The signs of Indian scripts are letters.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}'
        | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}')
}

/// Whether words of this character's script stand beside each other without blanks.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Letters that are other letters without an accent.
fn letters(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ł' => "l",
        'ħ' => "h",
        'ı' => "i",
        'ŋ' => "n",
        'ŧ' => "t",
        'ς' => "σ",
        _ => return None,
    })
}

/// Words with their parts one after the other; what they are together stands at the place of the first.
#[derive(Clone, Default)]
pub(super) struct Compounds {
    tokens: Vec<Token>,
}

pub(super) struct Tokens<'a> {
    tokens: &'a mut Vec<Token>,
    next: usize,
}

impl Tokenizer for Compounds {
    type TokenStream<'a> = Tokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Tokens<'a> {
        self.tokens.clear();
        let mut position = 0;
        for word in words(text) {
            let length = word.parts.len();
            if let Some(text) = word.joined {
                self.tokens.push(Token { position, text, position_length: length, ..Token::default() });
            }
            for text in word.parts {
                self.tokens.push(Token { position, text, position_length: 1, ..Token::default() });
                position += 1;
            }
        }
        Tokens { tokens: &mut self.tokens, next: 0 }
    }
}

impl TokenStream for Tokens<'_> {
    fn advance(&mut self) -> bool {
        self.next += 1;
        self.next <= self.tokens.len()
    }

    fn token(&self) -> &Token {
        &self.tokens[self.next - 1]
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokens[self.next - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_without_case_and_accents() {
        for (text, expected) in [
            ("  Déjà Vu ", "deja vu"),
            ("Straße", "strasse"),
            ("ŁÓDŹ", "lodz"),
            ("Ελλάς", "ελλασ"),
            ("Достоевский", "достоевскии"),
            ("हिन्दी", "हिन्दी"),
            ("שָׁלוֹם", "שלום"),
            ("한국어", "한국어"),
            ("ＡＢＣ", "abc"),
        ] {
            assert_eq!(folded(text), expected);
        }
    }

    #[test]
    fn words_have_parts_and_may_be_joined() {
        let shown = |text: &str| {
            let shown = |word: Word| {
                let joined = word.joined.map(|joined| format!("={joined}")).unwrap_or_default();
                format!("{}{joined}", word.parts.join("+"))
            };
            words(text).into_iter().map(shown).collect::<Vec<_>>().join(" ")
        };
        for (text, expected) in [
            ("The Pang'ok temple", "the pang+ok=pangok temple"),
            ("Pangʻok", "pang+ok=pangok"),
            ("Shakespeare's plays", "shakespeare plays"),
            ("L'été", "l+ete=lete"),
            ("U.S.A. 3.14 1,000", "u+s+a=usa 3+14 1+000"),
            ("wi-fi/old: books", "wi fi old books"),
            ("War & peace", "war and peace"),
            ("AT&T", "at t"),
            ("図書館 guide", "図+書+館 guide"),
            ("हिन्दी भाषा", "हिन्दी भाषा"),
            ("... --- '", ""),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
