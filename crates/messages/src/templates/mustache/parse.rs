//! Parses a template's text.

use super::{DEEPEST, Fault, Part};

/// A token between braces.
struct Token<'t> {
    kind: Kind,
    name: &'t str,
    start: usize,
    /// Where the following text begins.
    end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Escaped,
    Raw,
    Section,
    Inverted,
    Close,
    Comment,
}

/// A section that is not yet closed; the outermost is the template itself.
struct Open {
    name: String,
    inverted: bool,
    parts: Vec<Part>,
}

pub(super) fn parse(text: &str) -> Result<Vec<Part>, Fault> {
    let mut open = vec![Open { name: String::new(), inverted: false, parts: Vec::new() }];
    let mut from = 0;
    while let Some(token) = next_token(text, from)? {
        let (before, after) = around(text, from, &token);
        push_text(&mut open, &text[from..before]);
        enter(&mut open, &token)?;
        from = after;
    }
    push_text(&mut open, &text[from..]);
    match (open.pop(), open.is_empty()) {
        (Some(whole), true) => Ok(whole.parts),
        (Some(section), false) => Err(Fault::OpenSection(section.name)),
        (None, _) => Ok(Vec::new()),
    }
}

fn push_text(open: &mut [Open], text: &str) {
    if let Some(section) = open.last_mut().filter(|_| !text.is_empty()) {
        section.parts.push(Part::Text(text.to_owned()));
    }
}

fn enter(open: &mut Vec<Open>, token: &Token<'_>) -> Result<(), Fault> {
    let name = token.name.to_owned();
    match token.kind {
        Kind::Comment => {}
        Kind::Escaped | Kind::Raw => {
            let escaped = token.kind == Kind::Escaped;
            if let Some(section) = open.last_mut() {
                section.parts.push(Part::Value { name, escaped });
            }
        }
        Kind::Section | Kind::Inverted if open.len() > DEEPEST => return Err(Fault::TooDeep),
        Kind::Section | Kind::Inverted => {
            open.push(Open { name, inverted: token.kind == Kind::Inverted, parts: Vec::new() })
        }
        Kind::Close => close(open, name)?,
    }
    Ok(())
}

fn close(open: &mut Vec<Open>, name: String) -> Result<(), Fault> {
    if open.len() < 2 || open.last().is_some_and(|section| section.name != name) {
        return Err(Fault::NotOpen(name));
    }
    if let (Some(section), Some(outer)) = (open.pop(), open.last_mut()) {
        outer.parts.push(Part::Section { name: section.name, inverted: section.inverted, parts: section.parts });
    }
    Ok(())
}

fn next_token(text: &str, from: usize) -> Result<Option<Token<'_>>, Fault> {
    let Some(start) = text[from..].find("{{").map(|place| from + place) else {
        return Ok(None);
    };
    let inner = start + 2;
    let unclosed = || Fault::OpenToken(text[..start].chars().count() + 1);
    let sign = text[inner..].chars().next().ok_or_else(unclosed)?;
    let (kind, skipped, closing) = match sign {
        '{' => (Kind::Raw, 1, "}}}"),
        '&' => (Kind::Raw, 1, "}}"),
        '#' => (Kind::Section, 1, "}}"),
        '^' => (Kind::Inverted, 1, "}}"),
        '/' => (Kind::Close, 1, "}}"),
        '!' => (Kind::Comment, 1, "}}"),
        '>' | '<' | '=' | '$' => return Err(Fault::Unsupported(sign)),
        _ => (Kind::Escaped, 0, "}}"),
    };
    let name_from = inner + skipped;
    let name_to = name_from + text[name_from..].find(closing).ok_or_else(unclosed)?;
    Ok(Some(Token { kind, name: text[name_from..name_to].trim(), start, end: name_to + closing.len() }))
}

/// Where the text before the token ends and the text after it begins. A section token or comment alone on a line
/// removes the whole line.
fn around(text: &str, from: usize, token: &Token<'_>) -> (usize, usize) {
    let plain = (token.start, token.end);
    if matches!(token.kind, Kind::Escaped | Kind::Raw) {
        return plain;
    }
    let line = text[..token.start].rfind('\n').map_or(0, |place| place + 1);
    let next = text[token.end..].find('\n');
    let line_end = next.map_or(text.len(), |place| token.end + place);
    let blank = |part: &str| part.chars().all(char::is_whitespace);
    if line < from || !blank(&text[line..token.start]) || !blank(&text[token.end..line_end]) {
        return plain;
    }
    (line, (line_end + 1).min(text.len()))
}
