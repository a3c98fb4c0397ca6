//! Barcodes as libraries print them: fourteen digits, the last a check digit (Codabar, mod 10).

/// What the barcode is glued to; the first digit tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// A patron's card.
    Patron,
    /// An item.
    Item,
}

/// The barcode with that number of at most eight digits.
pub fn barcode(holder: Holder, number: u64) -> String {
    let prefix = match holder {
        Holder::Patron => 20101,
        Holder::Item => 30101,
    };
    let body = format!("{prefix}{number:08}");
    let check = check_digit(&body);
    format!("{body}{check}")
}

/// The digit that makes the sum of all digits end in zero, with every second one, from the first on, doubled.
pub fn check_digit(body: &str) -> u32 {
    let digits = body.bytes().map(|byte| u32::from(byte - b'0'));
    let sum: u32 = digits
        .enumerate()
        .map(|(place, digit)| match place % 2 {
            0 if digit > 4 => digit * 2 - 9,
            0 => digit * 2,
            _ => digit,
        })
        .sum();
    (10 - sum % 10) % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_are_those_printed_on_cards() {
        for known in ["31117013206375", "20101000000010"] {
            let (body, check) = known.split_at(13);
            assert_eq!(check_digit(body).to_string(), check, "{known}");
        }
    }

    #[test]
    fn a_barcode_has_fourteen_digits() {
        assert_eq!(barcode(Holder::Item, 0).len(), 14);
        assert_eq!(barcode(Holder::Patron, 99_999_999).len(), 14);
        assert_ne!(barcode(Holder::Item, 7), barcode(Holder::Patron, 7));
    }
}
