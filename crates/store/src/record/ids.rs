//! What an id looks like, and how FOLIO's schemas say it.

/// The pattern of ids in FOLIO's schemas.
pub const UUID_PATTERN: &str = "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}$";

/// The pattern of modules that accept only UUIDs of versions 1 to 5 (mod-feesfines).
pub const VERSIONED_UUID_PATTERN: &str =
    "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[1-5][a-fA-F0-9]{3}-[89abAB][a-fA-F0-9]{3}-[a-fA-F0-9]{12}$";

/// True for 8-4-4-4-12 hexadecimal digits.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// True for a UUID of version 1 to 5.
pub fn is_versioned_uuid(text: &str) -> bool {
    let digit = |place: usize| text.as_bytes()[place];
    is_uuid(text) && matches!(digit(14), b'1'..=b'5') && b"89abAB".contains(&digit(19))
}
