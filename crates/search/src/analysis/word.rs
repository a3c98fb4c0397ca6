//! Words of texts in any script, without accents and case.

use std::borrow::Cow;

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use unicode_normalization::char::is_combining_mark;

use super::{LONGEST_WORD, folded};

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

/// The words of a text, in order. ` & ` is read as `and`, and an English `'s` at the end of a word is left out. A word ends where
/// letters meet digits (`B12`), and has a part for each capital within it (`PowerShot`), as with Lucene's word delimiter. A UUID is
/// one word, of its digits.
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    split(&spelt(text), &mut |found| words.push(found.word()));
    words
}

/// Stands before a capital within a word, so that it is not lost with the case.
const HUMP: char = '\u{1f}';

fn spelt(text: &str) -> String {
    let mut spelt = Cow::Borrowed(text);
    if text.contains(" & ") {
        spelt = Cow::Owned(text.replace(" & ", " and "));
    }
    if has_humps(&spelt) {
        spelt = Cow::Owned(with_humps(&spelt));
    }
    folded(&spelt)
}

/// Whether a capital follows a small letter. Nearly no text has one, so this is what is quick.
fn has_humps(text: &str) -> bool {
    if text.is_ascii() {
        let bytes = text.as_bytes();
        let pairs = bytes.iter().zip(bytes.iter().skip(1));
        return pairs.fold(false, |found, (one, next)| found | (one.is_ascii_lowercase() & next.is_ascii_uppercase()));
    }
    text.chars().zip(text.chars().skip(1)).any(is_hump)
}

fn is_hump((one, next): (char, char)) -> bool {
    one.is_lowercase() && next.is_uppercase()
}

fn with_humps(text: &str) -> String {
    let mut with = String::with_capacity(text.len() + 4);
    let mut last = None;
    for c in text.chars() {
        if last.is_some_and(|last| is_hump((last, c))) {
            with.push(HUMP);
        }
        with.push(c);
        last = Some(c);
    }
    with
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
    let mut open = Open { text, parts: Vec::new(), begins: None, has_digits: false, after_apostrophe: false };
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_ascii_hexdigit()
            && open.is_new()
            && let Some(digits) = uuid(&text[at..])
        {
            take(Found { parts: &[digits.as_str()], is_run: false });
            while chars.next_if(|(next, _)| *next < at + UUID).is_some() {}
            continue;
        }
        if c.is_ascii_alphanumeric() {
            let is_digit = c.is_ascii_digit();
            open.letter(at, is_digit, take);
            let is_same = |next: &char| next.is_ascii_alphanumeric() && next.is_ascii_digit() == is_digit;
            while chars.next_if(|(_, next)| is_same(next)).is_some() {}
        } else if is_unspaced(c) {
            open.end(at, take);
            open.parts.push(&text[at..at + c.len_utf8()]);
            while let Some((at, c)) = chars.next_if(|(_, next)| is_unspaced(*next)) {
                open.parts.push(&text[at..at + c.len_utf8()]);
            }
            take(Found { parts: &open.parts, is_run: true });
            open.parts.clear();
        } else if is_letter(c) {
            let is_digit = if is_combining_mark(c) { open.has_digits } else { c.is_numeric() };
            open.letter(at, is_digit, take);
        } else if joins(open.begins.map_or("", |begins| &text[begins..at]), c, chars.peek().map(|(_, next)| *next)) {
            open.part_ends(at);
            open.after_apostrophe = !matches!(c, HUMP | '.' | ',' | '_');
        } else {
            open.end(at, take);
        }
    }
    open.end(text.len(), take);
}

/// The word that is not at its end yet.
struct Open<'a> {
    text: &'a str,
    parts: Vec<&'a str>,
    /// Where the part begins that is not at its end yet.
    begins: Option<usize>,
    /// Whether that part is of digits.
    has_digits: bool,
    after_apostrophe: bool,
}

impl<'a> Open<'a> {
    fn is_new(&self) -> bool {
        self.begins.is_none() && self.parts.is_empty()
    }

    /// A letter or digit; between both, a word ends.
    fn letter(&mut self, at: usize, is_digit: bool, take: &mut impl FnMut(Found<'_>)) {
        if self.begins.is_some() && self.has_digits != is_digit {
            self.end(at, take);
        }
        self.begins.get_or_insert(at);
        self.has_digits = is_digit;
    }

    fn part_ends(&mut self, at: usize) {
        self.parts.extend(self.begins.take().map(|begins| &self.text[begins..at]));
    }

    fn end(&mut self, at: usize, take: &mut impl FnMut(Found<'_>)) {
        self.part_ends(at);
        self.parts.retain(|part| part.len() <= LONGEST_WORD);
        if self.after_apostrophe && self.parts.len() > 1 && self.parts.last() == Some(&"s") {
            self.parts.pop();
        }
        if !self.parts.is_empty() {
            take(Found { parts: &self.parts, is_run: false });
            self.parts.clear();
        }
        self.after_apostrophe = false;
    }
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
        '\'' => before.is_alphabetic() && after.is_alphabetic(),
        '.' => before.is_alphabetic() == after.is_alphabetic() && is_letter(after) && !is_unspaced(after),
        ',' => before.is_numeric() && after.is_numeric(),
        '_' | HUMP => is_letter(after),
        _ => false,
    }
}

fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric() || is_combining_mark(c)
}

/// Whether words of this character's script stand beside each other without blanks.
pub(crate) fn is_unspaced(c: char) -> bool {
    // Most letters of most texts are before all of them.
    c >= '\u{3041}'
        && matches!(c, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
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
            ("Pangʻok, Pang’ok", "pangok pang+ok=pangok"),
            ("Muḥammad ibn ʿAbd Allāh", "muhammad ibn abd allah"),
            ("Shakespeare's plays", "shakespeare plays"),
            ("L'été", "l+ete=lete"),
            ("U.S.A. 3.14 1,000", "u+s+a=usa 3+14 1+000"),
            ("wi-fi/old: books", "wi fi old books"),
            ("War & peace", "war and peace"),
            ("AT&T", "at t"),
            ("図書館 guide", "図+書+館 guide"),
            ("हिन्दी भाषा", "हिनदी भाषा"),
            ("... --- '", ""),
            ("69640328-788E-43FC-9c3c-af39e243f3b7.", "69640328788e43fc9c3caf39e243f3b7"),
            ("a 69640328-788e-43fc-9c3c-af39e243f3b7x", "a 69640328 788 e 43 fc 9 c 3 c af 39 e 243 f 3 b 7 x"),
            ("PowerShot B12, PR6056", "power+shot=powershot b 12 pr 6056"),
            ("McDonald's iPhone2", "mc+donald=mcdonald i+phone=iphone 2"),
            ("The U.S. Navy's", "the u+s=us navy"),
            ("ÉcoleÉté ABC 2.5e", "ecole+ete=ecoleete abc 2+5 e"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
