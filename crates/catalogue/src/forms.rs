//! The forms in which identifiers and numbers are compared (contract 1.5): of values and of terms alike.

use inventory::isbn::{self, Form as IsbnForm};

use crate::options::Form;

/// The values that an identifier is found by; the first is what a term is looked for as. Empty: there is nothing in it.
pub(crate) fn values(form: Form, text: &str) -> Vec<String> {
    match form {
        Form::AsIs => vec![text.to_owned()],
        Form::Isbn => isbn_values(text),
        Form::Issn => vec![text.trim().to_uppercase()],
        Form::Oclc => oclc(text).into_iter().collect(),
        Form::Lccn => vec![text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect()],
        Form::Classification | Form::CallNumber => vec![letters_and_digits(text)],
    }
}

/// A term as it is looked for; a pattern keeps the `*` at its ends.
pub(crate) fn term(form: Form, text: &str) -> String {
    let (begins, ends) = (text.starts_with('*'), text.len() > 1 && text.ends_with('*'));
    let bare = text.trim_matches('*');
    let first = || values(form, bare).into_iter().next();
    let star = |is_there: bool| if is_there { "*" } else { "" };
    match form {
        Form::AsIs | Form::Issn => values(form, text).remove(0),
        Form::Isbn => {
            let (codes, qualifier) = isbn_parts(bare);
            let code = codes.into_iter().next().unwrap_or_else(|| bare.to_owned());
            let words: Vec<String> = std::iter::once(code).chain(qualifier).collect();
            format!("{}{}{}", star(begins), words.join(" "), star(ends))
        }
        Form::Oclc => format!("{}{}{}", star(begins), first().unwrap_or_default(), star(ends)),
        Form::Lccn => values(form, text).remove(0),
        Form::Classification => match first().filter(|number| !number.is_empty()) {
            Some(number) => format!("{}{number}{}", star(begins), star(ends)),
            None => "*".to_owned(),
        },
        Form::CallNumber => format!("{}*", first().unwrap_or_default()),
    }
}

fn isbn_values(text: &str) -> Vec<String> {
    let (codes, qualifier) = isbn_parts(text);
    codes.into_iter().chain(qualifier).collect()
}

/// The ISBN that a text begins with, in both lengths if it is of the shorter one, and what follows it; another text as it is.
fn isbn_parts(text: &str) -> (Vec<String>, Option<String>) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    if text.is_empty() {
        return (Vec::new(), None);
    }
    let (codes, rest) = if let Some(length) = isbn13(&text) {
        (vec![digits(&text[..length])], &text[length..])
    } else if let Some(length) = isbn10(&text).filter(|length| isbn::is_isbn10(&text[..*length])) {
        let ten = digits(&text[..length]);
        let thirteen = isbn::convert(&ten, IsbnForm::Thirteen, false);
        (std::iter::once(ten).chain(thirteen).collect(), &text[length..])
    } else {
        return (vec![without_separators(&text)], None);
    };
    (codes, Some(rest.trim()).filter(|rest| !rest.is_empty()).map(str::to_owned))
}

fn digits(text: &str) -> String {
    text.chars().filter(|c| *c != '-' && *c != ' ').collect()
}

/// How long the ISBN-13 is that a text begins with: thirteen digits in a row, or in five groups.
fn isbn13(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("978").or_else(|| text.strip_prefix("979"))?;
    if rest.len() >= 10 && rest.bytes().take(10).all(|b| b.is_ascii_digit()) {
        return Some(13);
    }
    let rest = rest.strip_prefix(['-', ' '])?;
    Some(4 + groups(rest, false)?)
}

/// The same of an ISBN-10.
fn isbn10(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_code = bytes.len() >= 10
        && bytes[..9].iter().all(u8::is_ascii_digit)
        && (bytes[9].is_ascii_digit() || bytes[9] == b'x');
    if is_code { Some(10) } else { groups(text, true) }
}

/// Groups of at most five, seven and six digits, and a check digit, between hyphens or blanks.
fn groups(text: &str, with_x: bool) -> Option<usize> {
    let mut rest = text;
    for longest in [5, 7, 6] {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 || length > longest {
            return None;
        }
        rest = rest[length..].strip_prefix(['-', ' '])?;
    }
    let check = rest.chars().next()?;
    (check.is_ascii_digit() || with_x && check == 'x').then_some(text.len() - rest.len() + 1)
}

/// Without the hyphens and blanks between digits.
fn without_separators(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(char::is_ascii_digit);
    let is_kept = |(at, c): &(usize, &char)| {
        !(matches!(c, ' ' | '-') && is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1)))
    };
    chars.iter().enumerate().filter(is_kept).map(|(_, c)| *c).collect()
}

/// The first run of digits and hyphens that does not begin with a zero.
fn oclc(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join("-");
    let start = text.find(|c: char| ('1'..='9').contains(&c))?;
    Some(text[start..].chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect())
}

fn letters_and_digits(text: &str) -> String {
    text.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_one_form() {
        for (form, text, expected) in [
            (Form::Isbn, "978-0-306-40615-7", &["9780306406157"][..]),
            (Form::Isbn, " 9780306406157  (paper) ", &["9780306406157", "(paper)"]),
            (Form::Isbn, "0-306-40615-2", &["0306406152", "9780306406157"]),
            (Form::Isbn, "080442957X pbk.", &["080442957x", "9780804429573", "pbk."]),
            // A wrong check digit makes it a text.
            (Form::Isbn, "0-306-40615-3", &["0306406153"]),
            (Form::Isbn, "12 34-a", &["1234-a"]),
            (Form::Isbn, "paper", &["paper"]),
            (Form::Isbn, "  ", &[]),
            (Form::Issn, " 2434-561x", &["2434-561X"]),
            (Form::Oclc, "(OCoLC)ocm00012345", &["12345"]),
            (Form::Oclc, "ocn 0123 456", &["123-456"]),
            (Form::Oclc, "none", &[]),
            (Form::Lccn, " N 79021425", &["n79021425"]),
            (Form::Classification, "QA76.73 .R87", &["qa7673r87"]),
            (Form::CallNumber, "PR 6056 .A82", &["pr6056a82"]),
        ] {
            assert_eq!(values(form, text), expected, "{text}");
        }
    }

    #[test]
    fn terms_have_the_form_of_values() {
        for (form, text, expected) in [
            (Form::Isbn, "0-306-40615-2", "0306406152"),
            (Form::Isbn, "978-0-306*", "9780306*"),
            (Form::Isbn, "*0-306-4061*", "*03064061*"),
            (Form::Isbn, "*", "*"),
            (Form::Oclc, "*0012*", "*12*"),
            // What follows the ISBN is looked for, too.
            (Form::Isbn, "9780306406157 (paper)", "9780306406157 (paper)"),
            (Form::Isbn, "978030640615710inv", "9780306406157 10inv"),
            (Form::Isbn, "0306406152 pbk.", "0306406152 pbk."),
            (Form::Isbn, "paper", "paper"),
            (Form::Oclc, "ocm0012*", "12*"),
            (Form::Lccn, "n 79*", "n79*"),
            (Form::Issn, "2434-*", "2434-*"),
            (Form::Classification, "*A76.73*", "*a7673*"),
            (Form::Classification, "QA", "qa"),
            (Form::Classification, ". .", "*"),
            (Form::CallNumber, "PR 6056", "pr6056*"),
        ] {
            assert_eq!(term(form, text), expected, "{text}");
        }
    }
}
