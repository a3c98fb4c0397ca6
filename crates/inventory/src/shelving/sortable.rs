//! Text in a form in which numbers compare by value.

/// Appends `text` with letters in upper case, numbers as [`push_number`] writes them, and each run of other characters
/// as one space. Characters before the first letter or digit are dropped.
///
/// A number keeps the dots that follow its digits. A space separates a letter from a number after it, but not a number
/// from a letter after it.
pub fn push(key: &mut String, text: &str) {
    let mut last = Last::Nothing;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() {
            if last == Last::Letter {
                key.push(' ');
            }
            let length = run(rest, |c| c.is_ascii_digit() || c == '.');
            push_number(key, &rest[..length]);
            last = Last::Digit;
            length
        } else if first.is_ascii_alphabetic() {
            key.push(first.to_ascii_uppercase());
            last = Last::Letter;
            1
        } else {
            if matches!(last, Last::Letter | Last::Digit) {
                key.push(' ');
                last = Last::Gap;
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
}

#[derive(PartialEq)]
enum Last {
    Nothing,
    Letter,
    Digit,
    Gap,
}

/// Appends a number as the length of its integer part without leading zeros, then the number without them: `2` → `12`,
/// `0417.5` → `3417.5`.
pub(crate) fn push_number(key: &mut String, number: &str) {
    let significant = number.trim_start_matches('0');
    let integer_length = run(significant, |c| c.is_ascii_digit());
    key.push_str(&integer_length.to_string());
    key.push_str(significant);
}

/// The number of bytes at the start of `text` whose characters `belongs` accepts.
pub fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}
