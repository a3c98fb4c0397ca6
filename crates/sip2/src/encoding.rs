//! The character sets of terminals. SIP2 names IBM code page 850; newer terminals use UTF-8.

use unicode_normalization::UnicodeNormalization;

/// A character set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    #[default]
    Utf8,
    /// IBM code page 850, as in the specification.
    Cp850,
    /// ISO 8859-1.
    Latin1,
}

/// Code page 850 from 0x80 on.
const CP850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»\
    ░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶\u{a7}÷¸°¨·¹³²■\u{a0}";

impl Encoding {
    /// The encoding with that name: `utf-8`, `cp850`, `iso-8859-1` and other common names.
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Some(Encoding::Utf8),
            "cp850" | "ibm850" | "850" => Some(Encoding::Cp850),
            "iso-8859-1" | "iso8859-1" | "latin1" => Some(Encoding::Latin1),
            _ => None,
        }
    }

    /// Decodes bytes; invalid ones become U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> String {
        match self {
            Encoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Encoding::Latin1 => bytes.iter().copied().map(char::from).collect(),
            Encoding::Cp850 if bytes.is_ascii() => String::from_utf8_lossy(bytes).into_owned(),
            Encoding::Cp850 => {
                let upper: Vec<char> = CP850.chars().collect();
                let decoded = bytes.iter().map(|byte| match byte {
                    0..=0x7f => char::from(*byte),
                    _ => upper[usize::from(byte - 0x80)],
                });
                decoded.collect()
            }
        }
    }

    /// Encodes a text. A letter that the character set lacks loses its diacritics, or else becomes `?`.
    pub fn encode(self, text: &str, bytes: &mut Vec<u8>) {
        if self == Encoding::Utf8 || text.is_ascii() {
            bytes.extend_from_slice(text.as_bytes());
            return;
        }
        for letter in text.nfc() {
            match self.byte(letter) {
                Some(byte) => bytes.push(byte),
                None => {
                    let plain = letter.nfd().next().and_then(|base| self.byte(base));
                    bytes.push(plain.unwrap_or(b'?'));
                }
            }
        }
    }

    fn byte(self, letter: char) -> Option<u8> {
        match self {
            _ if letter.is_ascii() => u8::try_from(letter).ok(),
            Encoding::Latin1 => u8::try_from(u32::from(letter)).ok(),
            _ => {
                let place = CP850.chars().position(|known| known == letter)?;
                u8::try_from(place + 0x80).ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(encoding: Encoding, text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        encoding.encode(text, &mut bytes);
        bytes
    }

    #[test]
    fn every_byte_of_a_code_page_survives() {
        assert_eq!(CP850.chars().count(), 128);
        let all: Vec<u8> = (0..=255).collect();
        for encoding in [Encoding::Cp850, Encoding::Latin1] {
            assert_eq!(encoded(encoding, &encoding.decode(&all)), all);
        }
    }

    #[test]
    fn letters_outside_the_character_set_lose_their_diacritics() {
        for (encoding, text, expected) in [
            (Encoding::Cp850, "Bücher", &b"B\x81cher"[..]),
            (Encoding::Latin1, "Bücher", b"B\xfccher"),
            (Encoding::Utf8, "Bücher", b"B\xc3\xbccher"),
            (Encoding::Cp850, "Čapek", b"Capek"),
            (Encoding::Cp850, "Bu\u{308}cher", b"B\x81cher"),
            (Encoding::Latin1, "日本", b"??"),
        ] {
            assert_eq!(encoded(encoding, text), expected, "{text} in {encoding:?}");
        }
        assert_eq!(Encoding::Utf8.decode(b"B\xfccher"), "B\u{fffd}cher");
    }
}
