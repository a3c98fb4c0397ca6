//! Country names, as staff slips print them in a patron's address.

/// ISO 3166-1 codes with the English names from Unicode CLDR, the same names that FOLIO prints.
const NAMES: &str = include_str!("../../data/countries.tsv");

/// The English name for a country code of two capital letters.
pub fn name(code: &str) -> Option<&'static str> {
    let mut countries = NAMES.lines().filter_map(|line| line.split_once('\t'));
    countries.find(|(known, _)| *known == code).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_codes_of_countries_have_names() {
        for (code, expected) in [
            ("US", Some("United States")),
            ("ZW", Some("Zimbabwe")),
            ("CI", Some("Côte d’Ivoire")),
            ("us", None),
            ("XX", None),
            ("", None),
        ] {
            assert_eq!(name(code), expected, "{code}");
        }
    }
}
