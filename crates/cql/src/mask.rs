//! Masking: `*` stands for any run of characters, `?` for one, and a backslash makes the next character literal.

/// A part of a masked term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    Char(char),
    /// `*`
    AnyRun,
    /// `?`
    AnyOne,
}

/// Splits a term into pieces. A lone backslash at the end stands for itself.
pub fn pieces(term: &str) -> impl Iterator<Item = Piece> + '_ {
    let mut chars = term.chars();
    std::iter::from_fn(move || {
        chars.next().map(|c| match c {
            '*' => Piece::AnyRun,
            '?' => Piece::AnyOne,
            '\\' => Piece::Char(chars.next().unwrap_or('\\')),
            c => Piece::Char(c),
        })
    })
}

/// Whether the term has an unmasked `*` or `?`.
pub fn has_wildcard(term: &str) -> bool {
    pieces(term).any(|piece| !matches!(piece, Piece::Char(_)))
}

/// The text that the term stands for, if it has no wildcard.
pub fn literal(term: &str) -> Option<String> {
    pieces(term)
        .map(|piece| match piece {
            Piece::Char(c) => Some(c),
            Piece::AnyRun | Piece::AnyOne => None,
        })
        .collect()
}

/// The term that matches exactly this text.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '*' | '?' | '"' | '^') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The quoted term that matches exactly this text, ready for a query.
pub fn quote(text: &str) -> String {
    format!("\"{}\"", escape(text))
}
