//! The key of a Library of Congress call number; those of the National Library of Medicine have the same form.

use super::sortable::{self, run};

/// The key: class, what follows the class, cutters.
pub fn key(text: &str) -> String {
    let mut key = String::with_capacity(text.len() + 16);
    let rest = push_class(&mut key, text).trim();
    let (class_suffix, cutters) = rest.split_at(cutters_start(rest));
    push_class_suffix(&mut key, class_suffix.trim());
    push_cutters(&mut key, &cutters.trim().to_uppercase());
    if key.ends_with(' ') {
        key.pop();
    }
    key
}

/// Appends the class at the start of `text`, such as `PR 9199.3`, and returns the rest.
fn push_class<'a>(key: &mut String, text: &'a str) -> &'a str {
    let letters = run(text, |c| c.is_ascii_alphabetic());
    if letters == 0 {
        return text;
    }
    key.push_str(&text[..letters].to_ascii_uppercase());
    let after_letters = &text[letters..];
    let spaced = after_letters.trim_start_matches(' ');
    let digits = run(spaced, |c| c.is_ascii_digit());
    if digits == 0 {
        return after_letters;
    }
    key.push_str(&format!(" {digits}{}", &spaced[..digits]));
    let (decimals, rest) = spaced[digits..].split_at(decimals_length(&spaced[digits..]));
    key.push_str(decimals);
    rest
}

/// The length of a dot and digits at the start of `text`, or 0.
pub(super) fn decimals_length(text: &str) -> usize {
    match text.strip_prefix('.').map(|fraction| run(fraction, |c| c.is_ascii_digit())) {
        None | Some(0) => 0,
        Some(digits) => digits + 1,
    }
}

/// Where the cutters begin: at a letter followed by digits (or the dot before it), or at a dot and a letter that are at
/// the start or follow a space. The end of the text if there are no cutters.
fn cutters_start(text: &str) -> usize {
    let starts = |(at, _): &(usize, char)| {
        let rest = &text[*at..];
        begins_with_cutter(rest.strip_prefix('.').unwrap_or(rest))
            || (*at == 0 && begins_with_dotted_letter(rest))
            || rest.strip_prefix(' ').is_some_and(begins_with_dotted_letter)
    };
    text.char_indices().find(starts).map_or(text.len(), |(at, _)| at)
}

fn begins_with_cutter(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next().is_some_and(|c| c.is_ascii_digit())
}

fn begins_with_dotted_letter(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('.') && chars.next().is_some_and(|c| c.is_ascii_alphabetic())
}

/// Appends what is between class and cutters; words there sort after the cutters of the bare class.
fn push_class_suffix(key: &mut String, suffix: &str) {
    let Some(first) = suffix.chars().next() else {
        return;
    };
    if !key.is_empty() {
        key.push(' ');
        if first.is_alphabetic() {
            key.push('_');
        }
    }
    // A letter may become several: `ß` is `SS`.
    sortable::push(key, &suffix.to_uppercase());
}

/// Appends the cutters verbatim and the text around them in sortable form, separated by single spaces.
fn push_cutters(key: &mut String, cutters: &str) {
    let mut rest = cutters;
    while !rest.is_empty() {
        let start = rest.char_indices().map(|(at, _)| at).find(|at| begins_with_cutter(&rest[*at..]));
        let (between, from_cutter) = rest.split_at(start.unwrap_or(rest.len()));
        push_space(key);
        sortable::push(key, between);
        if from_cutter.is_empty() {
            return;
        }
        push_space(key);
        let end = 1 + run(&from_cutter[1..], |c| c.is_ascii_digit());
        key.push_str(&from_cutter[..end]);
        rest = &from_cutter[end..];
    }
}

fn push_space(key: &mut String) {
    if !key.is_empty() && !key.ends_with(' ') {
        key.push(' ');
    }
}
