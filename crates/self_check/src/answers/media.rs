//! SIP2's media type of an item, guessed from the name of its material type.

/// 001 book, 002 magazine, 004 sound, 005 film, 006 disc, 000 other.
pub fn code(material_type: Option<&str>) -> &'static str {
    let name = material_type.unwrap_or_default().to_lowercase();
    let is = |words: &[&str]| words.iter().any(|word| name.contains(word));
    match name.as_str() {
        _ if is(&["book"]) && !is(&["audio", "e-book", "ebook", "notebook"]) => "001",
        _ if is(&["magazine", "journal", "periodical"]) => "002",
        _ if is(&["sound", "audio"]) => "004",
        _ if is(&["dvd", "video", "film", "blu-ray"]) => "005",
        _ if is(&["cd"]) => "006",
        _ => "000",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn material_type_names_map_to_media_types() {
        for (name, code) in [
            (Some("book"), "001"),
            (Some("Audiobook"), "004"),
            (Some("sound recording"), "004"),
            (Some("dvd"), "005"),
            (Some("CD-ROM"), "006"),
            (Some("periodical"), "002"),
            (Some("microform"), "000"),
            (None, "000"),
        ] {
            assert_eq!(super::code(name), code, "{name:?}");
        }
    }
}
