//! The key of a Dewey decimal call number.

use super::library_of_congress::decimals_length;
use super::sortable::{self, run};

/// The key: class digits, decimals, cutter, rest.
pub fn key(text: &str) -> String {
    let mut key = String::with_capacity(text.len() + 8);
    let digits = run(text, |c| c.is_ascii_digit());
    if digits == 0 {
        sortable::push(&mut key, text);
        return key;
    }
    sortable::push_number(&mut key, &text[..digits]);
    let (decimals, rest) = text[digits..].split_at(decimals_length(&text[digits..]));
    key.push_str(decimals);
    let (cutter, suffix) = split_cutter(rest);
    if let Some(cutter) = cutter {
        key.push(' ');
        key.push_str(cutter);
    }
    if !(suffix.is_empty() && cutter.is_some()) {
        key.push(' ');
        sortable::push(&mut key, suffix);
    }
    key
}

/// Splits off a cutter at the start, such as ` .O41b`: a capital, one to three digits, and any capitals after them.
fn split_cutter(text: &str) -> (Option<&str>, &str) {
    let start = text.trim_start_matches(' ');
    let start = start.strip_prefix('.').unwrap_or(start);
    let digits = start.get(1..).map_or(0, |rest| run(rest, |c| c.is_ascii_digit()).min(3));
    if digits == 0 || !start.starts_with(|c: char| c.is_ascii_uppercase()) {
        return (None, text);
    }
    let end = 1 + digits + run(&start[1 + digits..], |c| c.is_ascii_uppercase());
    (Some(&start[..end]), start[end..].trim_start_matches(' '))
}
