//! The key of a Superintendent of Documents call number. Letters sort before numbers, and numbers of three or more
//! digits (years without their first digit) before shorter ones, by the prefixes ` !` and `!`.

use super::library_of_congress::decimals_length;
use super::sortable::{self, run};

/// The key of a call number such as `T22.19/2:V88/989/student`.
pub fn key(text: &str) -> String {
    let mut key = String::with_capacity(text.len() + 16);
    match Stem::parse(text) {
        Some((stem, rest)) => {
            key.push_str(stem.author.trim());
            for group in [stem.office, stem.series, stem.sub_series] {
                push_group(&mut key, group);
            }
            push_group(&mut key, without_colon(rest));
        }
        None => push_group(&mut key, without_colon(text)),
    }
    key
}

fn without_colon(text: &str) -> &str {
    text.strip_prefix(':').unwrap_or(text)
}

/// The issuing office and series: `T`, `22`, `.19`, `/2`.
struct Stem<'a> {
    author: &'a str,
    office: &'a str,
    series: &'a str,
    sub_series: &'a str,
}

impl<'a> Stem<'a> {
    /// The stem at the start of `text`, and the rest.
    fn parse(text: &'a str) -> Option<(Stem<'a>, &'a str)> {
        let letters = run(text, |c| c.is_ascii_alphabetic());
        let spaces = run(&text[letters..], |c| c.is_ascii_whitespace());
        let (author, rest) = text.split_at(if letters == 0 { 0 } else { letters + spaces });
        let (office, rest) = rest.split_at(run(rest, |c| c.is_ascii_digit()));
        let (series, rest) = rest.split_at(series_length(rest));
        if author.is_empty() || office.is_empty() || series.is_empty() {
            return None;
        }
        let (sub_series, rest) = rest.split_at(sub_series_length(rest));
        Some((Stem { author, office, series, sub_series }, rest))
    }
}

/// The length of `.19`, `.s` or `.F76` at the start of `text`.
fn series_length(text: &str) -> usize {
    let Some(rest) = text.strip_prefix('.') else {
        return 0;
    };
    match run(rest, |c| c.is_ascii_alphabetic()) {
        0 => decimals_length(text),
        letters => 1 + letters + run(&rest[letters..], |c| c.is_ascii_digit()),
    }
}

/// The length of `/2`, `/2-10`, `/a` or `/a2-10` at the start of `text`.
fn sub_series_length(text: &str) -> usize {
    let Some(rest) = text.strip_prefix('/') else {
        return 0;
    };
    let letters = run(rest, |c| c.is_ascii_alphabetic());
    let after_letters = &rest[letters..];
    let digits = run(after_letters, |c| c.is_ascii_digit());
    if letters + digits == 0 {
        return 0;
    }
    1 + letters + digits + if digits == 0 { 0 } else { range_length(&after_letters[digits..]) }
}

/// The length of `-10` at the start of `text`.
fn range_length(text: &str) -> usize {
    match text.strip_prefix('-').map(|rest| run(rest, |c| c.is_ascii_digit())) {
        None | Some(0) => 0,
        Some(digits) => 1 + digits,
    }
}

/// Appends the parts of a group, each after a space and its prefix.
fn push_group(key: &mut String, group: &str) {
    if group.trim().is_empty() {
        return;
    }
    let group = group.strip_prefix(['.', '/', '-', ':']).unwrap_or(group);
    // FOLIO uses Java's split, which drops empty parts only at the end.
    for part in group.trim_end_matches(SEPARATORS).split(SEPARATORS) {
        if !key.is_empty() {
            key.push(' ');
        }
        push_part(key, part.trim());
    }
}

const SEPARATORS: [char; 4] = ['.', '/', ' ', '-'];

fn push_part(key: &mut String, part: &str) {
    let Some(first) = part.chars().next() else {
        return;
    };
    if first.is_alphabetic() {
        key.push_str(" !");
    } else if part.chars().count() >= 3 {
        key.push('!');
    }
    sortable::push(key, part);
}
