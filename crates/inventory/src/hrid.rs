//! HRIDs: `in00000000001` for instances, `ho…` for holdings, `it…` for items (docs/folio/inventory.md#hrids).

use refusals::{Refusal, Refused};
use serde::{Deserialize, Serialize};

use crate::refusal::{PREFIX_NOT_VALID, START_NUMBER_NOT_VALID};

/// The number of digits with leading zeros.
pub const DIGITS: usize = 11;
/// The greatest number of an HRID.
pub(crate) const MAX_NUMBER: i64 = 99_999_999_999;
/// The greatest length of a prefix.
pub(crate) const MAX_PREFIX: usize = 10;

/// How one kind of record is numbered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Numbering {
    /// At most ten letters, digits, dots and hyphens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// The first number assigned after the settings were saved.
    pub start_number: i64,
    /// The last number assigned; ignored in a request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_number: Option<i64>,
}

impl Numbering {
    /// Checks prefix and start number.
    pub fn check(&self, kind: Kind) -> Result<(), Refusal> {
        let prefix = self.prefix.as_deref().unwrap_or_default();
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
        if prefix.chars().count() > MAX_PREFIX || !prefix.chars().all(allowed) {
            let refusal = PREFIX_NOT_VALID.with("pattern", PREFIX_PATTERN);
            return Err(refusal.about(kind.prefix_key(), prefix));
        }
        if !(1..=MAX_NUMBER).contains(&self.start_number) {
            let bound = if self.start_number < 1 { "greater than or equal to 1" } else { LESS_THAN_MAX };
            let refusal = START_NUMBER_NOT_VALID.with("bound", bound);
            return Err(refusal.about(kind.start_number_key(), self.start_number));
        }
        Ok(())
    }

    /// The HRID for a number.
    pub fn format(&self, number: i64, retain_leading_zeroes: bool) -> String {
        let prefix = self.prefix.as_deref().unwrap_or_default();
        if retain_leading_zeroes { format!("{prefix}{number:0DIGITS$}") } else { format!("{prefix}{number}") }
    }
}

const PREFIX_PATTERN: &str = "^[0-9a-zA-Z.-]{0,10}$";
const LESS_THAN_MAX: &str = "less than or equal to 99999999999";

/// The kinds of record with HRIDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Instances,
    Holdings,
    Items,
}

impl Kind {
    fn prefix_key(self) -> &'static str {
        match self {
            Kind::Instances => "instances.prefix",
            Kind::Holdings => "holdings.prefix",
            Kind::Items => "items.prefix",
        }
    }

    fn start_number_key(self) -> &'static str {
        match self {
            Kind::Instances => "instances.startNumber",
            Kind::Holdings => "holdings.startNumber",
            Kind::Items => "items.startNumber",
        }
    }
}

/// A tenant's HRID settings, as in `/hrid-settings-storage/hrid-settings`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The id of the settings record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<uuid::Uuid>,
    pub instances: Numbering,
    pub holdings: Numbering,
    pub items: Numbering,
    /// Whether numbers are padded to eleven digits.
    #[serde(default = "padded")]
    pub common_retain_leading_zeroes: bool,
}

fn padded() -> bool {
    true
}

impl Settings {
    /// All faults of the three numberings.
    pub fn check(&self) -> Result<(), Refused> {
        let kinds = [(&self.instances, Kind::Instances), (&self.holdings, Kind::Holdings), (&self.items, Kind::Items)];
        let faults = kinds.into_iter();
        let faults = faults.filter_map(|(numbering, kind)| numbering.check(kind).err());
        Refused(faults.collect()).or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbering(prefix: &str, start_number: i64) -> Numbering {
        Numbering { prefix: Some(prefix.into()), start_number, current_number: None }
    }

    #[test]
    fn numbers_are_padded_to_eleven_digits_or_not_at_all() {
        let numbering = numbering("in", 1);
        assert_eq!(numbering.format(1, true), "in00000000001");
        assert_eq!(numbering.format(MAX_NUMBER, true), "in99999999999");
        assert_eq!(numbering.format(42, false), "in42");
        assert_eq!(Numbering { prefix: None, ..numbering }.format(7, true), "00000000007");
    }

    #[test]
    fn prefix_and_start_number_have_limits() {
        let good = [numbering("", 1), numbering("a.b-C9", MAX_NUMBER), numbering("0123456789", 5)];
        for numbering in good {
            assert_eq!(numbering.check(Kind::Items), Ok(()));
        }
        let bad = [numbering("01234567890", 1), numbering("a b", 1), numbering("é", 1), numbering("it", 0)];
        for numbering in bad.into_iter().chain([numbering("it", MAX_NUMBER + 1)]) {
            assert!(numbering.check(Kind::Items).is_err(), "{numbering:?}");
        }
    }

    #[test]
    fn settings_report_every_wrong_numbering() {
        let settings = Settings {
            id: None,
            instances: numbering("in", 0),
            holdings: numbering("ho", 1),
            items: numbering("i t", 1),
            common_retain_leading_zeroes: true,
        };
        let faults = settings.check().expect_err("faults").entries();
        let keys: Vec<_> = faults.iter().map(|fault| &fault.parameters[0].0).collect();
        assert_eq!(keys, ["instances.startNumber", "items.prefix"]);
    }
}
