//! Bar codes as images: Code 128, as in FOLIO's notices.

use barcoders::sym::code128::Code128;
use base64::{Engine, engine::general_purpose::STANDARD};

/// Width of the narrowest bar in pixels.
const MODULE: usize = 3;
/// Height in pixels.
const HEIGHT: usize = 94;
/// Longer texts could no longer be scanned.
const LONGEST: usize = 200;

/// A PNG image of the text's bar code in Base64; `None` for a text that Code 128 cannot encode.
pub fn image(text: &str) -> Option<String> {
    let sayable = !text.is_empty() && text.len() <= LONGEST && text.chars().all(|letter| (' '..='~').contains(&letter));
    if !sayable {
        return None;
    }
    // The leading character selects code set B, which has letters and digits.
    let bars = Code128::new(format!("\u{181}{text}")).ok()?.encode();
    Some(STANDARD.encode(png(&bars)?))
}

/// One bit for each pixel; 1 is white.
fn png(bars: &[u8]) -> Option<Vec<u8>> {
    let width = bars.len() * MODULE;
    let mut row = vec![0xff_u8; width.div_ceil(8)];
    for (place, _) in bars.iter().enumerate().filter(|(_, bar)| **bar == 1) {
        for pixel in place * MODULE..(place + 1) * MODULE {
            row[pixel / 8] &= !(0x80 >> (pixel % 8));
        }
    }
    let mut image = Vec::new();
    let mut encoder = png::Encoder::new(&mut image, u32::try_from(width).ok()?, u32::try_from(HEIGHT).ok()?);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&row.repeat(HEIGHT)).ok()?;
    writer.finish().ok()?;
    Some(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_has_a_bar_for_each_bar() {
        let image = STANDARD.decode(image("36105").expect("an image")).expect("Base64");
        let mut reader = png::Decoder::new(std::io::Cursor::new(image)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("a picture");
        // Start, five letters, checksum: 11 modules each; the stop has 13.
        assert_eq!(info.width, (7 * 11 + 13) * 3);
        // Set B begins with bars and spaces of 2, 1, 1, 2 modules.
        assert_eq!(&pixels[..2], &[0b0000_0011, 0b1000_1111]);
    }

    #[test]
    fn what_code_128_cannot_say_has_no_image() {
        for text in ["", "ä", "a\nb", &"1".repeat(201)] {
            assert_eq!(image(text), None, "{text:?}");
        }
    }
}
