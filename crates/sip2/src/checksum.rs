//! Error detection: the sum of a message and its checksum is zero.

/// The checksum of everything up to and with `AZ`: the sum of the bytes, negated, 16 bits.
pub fn checksum(bytes: &[u8]) -> u16 {
    let add = |sum: u16, byte: &u8| sum.wrapping_add(u16::from(*byte));
    bytes.iter().fold(0, add).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_that_terminals_send() {
        for (text, sum) in [
            ("9300CNLoginUserID|COLoginPassword|CPLocationCode|AY5AZ", 0xEC7B),
            ("9900302.00AY1AZ", 0xFCA5),
            ("97AZ", 0xFEF5),
        ] {
            assert_eq!(checksum(text.as_bytes()), sum, "{text}");
        }
    }
}
