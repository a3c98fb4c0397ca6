//! Checks and converts ISBNs for `/isbn/…` (docs/folio/inventory-business.md#isbns).
//!
//! Single hyphens or spaces may separate the digits.

use isbn::{Isbn10, Isbn13};

/// Whether the text is an ISBN-10 with the right check digit.
pub fn is_isbn10(text: &str) -> bool {
    parse10(text).is_some()
}

/// Whether the text is an ISBN-13 with the right check digit.
pub fn is_isbn13(text: &str) -> bool {
    parse13(text).is_some()
}

/// The requested form of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Ten,
    Thirteen,
}

/// The code in the requested form; `None` if the text is not a valid ISBN or has no such form.
///
/// A code that already has the form is returned as it was sent, unless hyphens are requested.
pub fn convert(text: &str, to: Form, hyphens: bool) -> Option<String> {
    match to {
        Form::Ten => {
            let code = parse10(text).or_else(|| Isbn10::try_from(parse13(text)?).ok())?;
            Some(show(text, is_isbn10(text), hyphens, code.to_string(), code.hyphenate().ok().as_deref()))
        }
        Form::Thirteen => {
            let code = parse13(text).or_else(|| parse10(text).map(Isbn13::from))?;
            Some(show(text, is_isbn13(text), hyphens, code.to_string(), code.hyphenate().ok().as_deref()))
        }
    }
}

fn show(sent: &str, unchanged: bool, hyphens: bool, plain: String, hyphenated: Option<&str>) -> String {
    match (hyphens, hyphenated) {
        (true, Some(text)) => text.to_owned(),
        // A code outside the registered ranges has a hyphen only before its check digit.
        (true, None) => format!("{}-{}", &plain[..plain.len() - 1], &plain[plain.len() - 1..]),
        (false, _) if unchanged => sent.to_owned(),
        (false, _) => plain,
    }
}

fn parse10(text: &str) -> Option<Isbn10> {
    Isbn10::new(digits(text)?).ok()
}

fn parse13(text: &str) -> Option<Isbn13> {
    Isbn13::new(digits(text)?).ok()
}

/// The `N` digits of a code. `X` stands for ten and may only be the last of ten digits.
fn digits<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut digits = [0; N];
    let mut count = 0;
    let mut parted = true;
    for c in text.chars() {
        if c == '-' || c == ' ' {
            if parted {
                return None;
            }
            parted = true;
            continue;
        }
        let digit = match c {
            '0'..='9' => c as u8 - b'0',
            'x' | 'X' if N == 10 && count == 9 => 10,
            _ => return None,
        };
        *digits.get_mut(count)? = digit;
        count += 1;
        parted = false;
    }
    (count == N && !parted).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_and_hyphens_decide() {
        let table = [
            ("9781930110991", false, true),
            ("978-1-930110-99-1", false, true),
            ("9781930a10991", false, false),
            ("1-930110-99-5", true, false),
            ("1-930110-99--5", false, false),
            ("-1930110995", false, false),
            ("1930110995-", false, false),
            ("080442957X", true, false),
            ("0318Y40648", false, false),
            ("1930211099", false, false),
            ("97819301109911", false, false),
            ("", false, false),
        ];
        for (text, ten, thirteen) in table {
            assert_eq!((is_isbn10(text), is_isbn13(text)), (ten, thirteen), "{text}");
        }
    }

    #[test]
    fn codes_convert_both_ways() {
        let table = [
            ("9781930110991", Form::Ten, false, Some("1930110995")),
            ("9781930110991", Form::Ten, true, Some("1-930110-99-5")),
            ("9999999999", Form::Ten, true, Some("999999999-9")),
            ("1930110995", Form::Thirteen, false, Some("9781930110991")),
            ("1930110995", Form::Thirteen, true, Some("978-1-930110-99-1")),
            ("9781930110991", Form::Thirteen, true, Some("978-1-930110-99-1")),
            ("1-930110-99-5", Form::Ten, false, Some("1-930110-99-5")),
            ("9791090636071", Form::Ten, false, None),
            ("1930211099", Form::Thirteen, true, None),
        ];
        for (text, form, hyphens, expected) in table {
            assert_eq!(convert(text, form, hyphens).as_deref(), expected, "{text} {form:?}");
        }
    }
}
