//! Numbers of the entries of lists.

/// How entries are numbered: `numeration` of a list in EAD 2002.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbering {
    Arabic,
    LowerLetters,
    UpperLetters,
    LowerRoman,
    UpperRoman,
}

/// Roman numerals from the largest.
const ROMAN: [(u32, &str); 13] = [
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
];

impl Numbering {
    pub(crate) fn named(numeration: &str) -> Self {
        match numeration {
            "loweralpha" => Self::LowerLetters,
            "upperalpha" => Self::UpperLetters,
            "lowerroman" => Self::LowerRoman,
            "upperroman" => Self::UpperRoman,
            _ => Self::Arabic,
        }
    }

    /// A number from 1.
    pub(crate) fn number(self, number: u32) -> String {
        match self {
            Self::Arabic => number.to_string(),
            Self::LowerLetters => letters(number),
            Self::UpperLetters => letters(number).to_uppercase(),
            Self::LowerRoman => roman(number),
            Self::UpperRoman => roman(number).to_uppercase(),
        }
    }
}

/// `a` to `z`, then `aa`.
fn letters(mut number: u32) -> String {
    let mut all = Vec::new();
    while number > 0 {
        number -= 1;
        all.push(char::from(b'a' + u8::try_from(number % 26).unwrap_or_default()));
        number /= 26;
    }
    all.into_iter().rev().collect()
}

fn roman(mut number: u32) -> String {
    let mut all = String::new();
    for (value, numeral) in ROMAN {
        // Nobody reads more thousands.
        while number >= value && all.len() < 32 {
            all.push_str(numeral);
            number -= value;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_numbered_as_their_list_says() {
        for (numeration, wanted) in [
            ("", ["1", "4", "27", "1999"]),
            ("arabic", ["1", "4", "27", "1999"]),
            ("loweralpha", ["a", "d", "aa", "bxw"]),
            ("upperalpha", ["A", "D", "AA", "BXW"]),
            ("lowerroman", ["i", "iv", "xxvii", "mcmxcix"]),
            ("upperroman", ["I", "IV", "XXVII", "MCMXCIX"]),
        ] {
            let numbering = Numbering::named(numeration);
            assert_eq!([1, 4, 27, 1999].map(|number| numbering.number(number)), wanted, "{numeration}");
        }
    }
}
