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

/// The words of a text, in order. ` & ` is read as `and`, and an English `'s` at the end of a word is left out. A UUID is one
/// word, of its digits.
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    split(&spelt(text), &mut |found| words.push(found.word()));
    words
}

fn spelt(text: &str) -> String {
    if text.contains(" & ") { folded(&text.replace(" & ", " and ")) } else { folded(text) }
}

/// A word in a folded text.
struct Found<'a> {
    parts: &'a [&'a str],
    is_run: bool,
}

impl Found<'_> {
    fn is_joined(&self) -> bool {
        let is_lettered = |part: &&str| part.chars().any(char::is_alphabetic);
        let length = || self.parts.iter().map(|part| part.len()).sum::<usize>();
        !self.is_run && self.parts.len() > 1 && self.parts.iter().all(is_lettered) && length() <= LONGEST_WORD
    }

    fn word(&self) -> Word {
        let parts = self.parts.iter().map(|part| (*part).to_owned()).collect();
        let joined = self.is_joined().then(|| self.parts.concat());
        Word { parts, joined, is_run: self.is_run }
    }
}

/// Splits a folded text into words.
fn split(text: &str, take: &mut impl FnMut(Found<'_>)) {
    let mut parts: Vec<&str> = Vec::new();
    // Where the part begins that is not at its end yet.
    let mut begins: Option<usize> = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_ascii_hexdigit()
            && begins.is_none()
            && parts.is_empty()
            && let Some(digits) = uuid(&text[at..])
        {
            take(Found { parts: &[digits.as_str()], is_run: false });
            while chars.next_if(|(next, _)| *next < at + UUID).is_some() {}
            continue;
        }
        if c.is_ascii_alphanumeric() {
            begins.get_or_insert(at);
            while chars.next_if(|(_, next)| next.is_ascii_alphanumeric()).is_some() {}
        } else if is_unspaced(c) {
            end(text, at, &mut begins, &mut parts, take);
            parts.push(&text[at..at + c.len_utf8()]);
            while let Some((at, c)) = chars.next_if(|(_, next)| is_unspaced(*next)) {
                parts.push(&text[at..at + c.len_utf8()]);
            }
            take(Found { parts: &parts, is_run: true });
            parts.clear();
        } else if is_letter(c) {
            begins.get_or_insert(at);
        } else if joins(begins.map_or("", |begins| &text[begins..at]), c, chars.peek().map(|(_, next)| *next)) {
            parts.extend(begins.take().map(|begins| &text[begins..at]));
        } else {
            end(text, at, &mut begins, &mut parts, take);
        }
    }
    end(text, text.len(), &mut begins, &mut parts, take);
}

/// The length of a UUID.
const UUID: usize = 36;

/// The digits of the UUID that a text begins with.
fn uuid(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_one = bytes.len() >= UUID
        && [8, 13, 18, 23].iter().all(|place| bytes[*place] == b'-')
        && bytes[..UUID].iter().filter(|byte| byte.is_ascii_hexdigit()).count() == UUID - 4
        && !text[UUID..].starts_with(is_letter);
    is_one.then(|| text[..UUID].replace('-', ""))
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

/// A word ends.
fn end<'a>(
    text: &'a str,
    at: usize,
    begins: &mut Option<usize>,
    parts: &mut Vec<&'a str>,
    take: &mut impl FnMut(Found<'_>),
) {
    parts.extend(begins.take().map(|begins| &text[begins..at]));
    parts.retain(|part| part.len() <= LONGEST_WORD);
    if parts.len() == 2 && parts[1] == "s" {
        parts.pop();
    }
    if !parts.is_empty() {
        take(Found { parts: &*parts, is_run: false });
        parts.clear();
    }
}

fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
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
pub(crate) fn is_unspaced(c: char) -> bool {
    // Most letters of most texts are before all of them.
    c >= '\u{3041}'
        && matches!(c, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{3400}'..='\u{4dbf}'
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
    /// Used again for each text.
    tokens: Vec<Token>,
}

pub(super) struct Tokens<'a> {
    tokens: &'a mut [Token],
    next: usize,
}

impl Tokenizer for Compounds {
    type TokenStream<'a> = Tokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Tokens<'a> {
        // The one place where the threads of an index that add documents pass for each.
        priority::give_way();
        let (mut position, mut count) = (0, 0);
        let tokens = &mut self.tokens;
        let mut add = |position: usize, length: usize, parts: &[&str]| {
            if count == tokens.len() {
                tokens.push(Token::default());
            }
            let token = &mut tokens[count];
            (token.position, token.position_length) = (position, length);
            token.text.clear();
            parts.iter().for_each(|part| token.text.push_str(part));
            count += 1;
        };
        split(&spelt(text), &mut |found| {
            if found.is_joined() {
                add(position, found.parts.len(), found.parts);
            }
            for part in found.parts {
                add(position, 1, &[part]);
                position += 1;
            }
        });
        Tokens { tokens: &mut self.tokens[..count], next: 0 }
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
            ("69640328-788E-43FC-9c3c-af39e243f3b7.", "69640328788e43fc9c3caf39e243f3b7"),
            ("a 69640328-788e-43fc-9c3c-af39e243f3b7x", "a 69640328 788e 43fc 9c3c af39e243f3b7x"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
