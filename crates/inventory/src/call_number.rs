//! Call numbers: the text on the spine, from the item or else its holdings.

use serde::{Deserialize, Serialize};

/// The four parts of a call number. A blank part counts as absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallNumber<'a> {
    /// The number itself, for example `PN2 .A69`.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub call_number: Option<&'a str>,
    /// Text before the number, for example `Over`.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<&'a str>,
    /// Text after the number, for example `CD`.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub suffix: Option<&'a str>,
    /// The id of the call number type (the classification scheme).
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub type_id: Option<&'a str>,
}

impl<'a> CallNumber<'a> {
    /// The effective call number of an item: each part from the item, or from the holdings if it is blank there
    /// (docs/folio/inventory.md#effective-call-number).
    pub fn effective(item: CallNumber<'a>, holdings: CallNumber<'a>) -> CallNumber<'a> {
        CallNumber {
            call_number: not_blank(item.call_number).or(not_blank(holdings.call_number)),
            prefix: not_blank(item.prefix).or(not_blank(holdings.prefix)),
            suffix: not_blank(item.suffix).or(not_blank(holdings.suffix)),
            type_id: not_blank(item.type_id).or(not_blank(holdings.type_id)),
        }
    }
}

/// The value, if it is more than white space.
pub(crate) fn not_blank(value: Option<&str>) -> Option<&str> {
    value.filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts<'a>(prefix: &'a str, number: &'a str, suffix: &'a str, type_id: &'a str) -> CallNumber<'a> {
        CallNumber { call_number: Some(number), prefix: Some(prefix), suffix: Some(suffix), type_id: Some(type_id) }
    }

    #[test]
    fn each_part_falls_back_to_the_holdings_on_its_own() {
        let holdings = parts("Over", "PN2 .A69", "CD", "lc");
        let item = CallNumber { call_number: Some("PN3"), prefix: Some("  "), suffix: Some(""), type_id: None };
        assert_eq!(CallNumber::effective(item, holdings), parts("Over", "PN3", "CD", "lc"));
    }

    #[test]
    fn blank_parts_on_both_sides_stay_absent() {
        let blank = parts("", " ", "", "");
        assert_eq!(CallNumber::effective(blank, blank), CallNumber::default());
    }
}
