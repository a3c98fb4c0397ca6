//! The lists that are browsed (contract 1.7): their names, what they are narrowed by, and the columns of the index that they
//! are in, one for each order.

use inventory::shelving::{Scheme, shelving_key};
use search::analysis::folded;

/// A list of what instances have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    Subjects,
    Contributors,
    Classifications,
    CallNumbers,
}

/// How numbers are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    /// As texts.
    Default,
    Lc,
    Dewey,
    Nlm,
    Sudoc,
}

/// Where a list is, in which order.
pub(crate) const COLUMNS: &[(List, Algorithm, &str)] = &[
    (List::Subjects, Algorithm::Default, "list.subjects"),
    (List::Contributors, Algorithm::Default, "list.contributors"),
    (List::Classifications, Algorithm::Default, "list.classifications"),
    (List::Classifications, Algorithm::Lc, "list.classifications/lc"),
    (List::Classifications, Algorithm::Dewey, "list.classifications/dewey"),
    (List::Classifications, Algorithm::Sudoc, "list.classifications/sudoc"),
    (List::CallNumbers, Algorithm::Default, "list.callNumbers"),
    (List::CallNumbers, Algorithm::Lc, "list.callNumbers/lc"),
    (List::CallNumbers, Algorithm::Dewey, "list.callNumbers/dewey"),
    (List::CallNumbers, Algorithm::Sudoc, "list.callNumbers/sudoc"),
];

/// Stands for an id that is missing: it comes last.
pub(crate) const NONE: &str = "~";
/// Between the values of a group that belong to a row.
pub(crate) const BESIDE: char = '\u{2}';

/// Filters on the instances of a row; this library is all there is.
pub(crate) const TENANT: &str = "instances.tenantId";
pub(crate) const SHARED: &str = "instances.shared";
pub(crate) const CALL_NUMBER_TYPE: &str = "callNumberTypeId";

impl List {
    /// The list whose values are counted as those of this record type.
    pub fn of_record_type(name: &str) -> Option<Self> {
        match name {
            "subjects" => Some(Self::Subjects),
            "contributors" => Some(Self::Contributors),
            "classifications" => Some(Self::Classifications),
            "call-numbers" => Some(Self::CallNumbers),
            _ => None,
        }
    }

    /// What refusals call its records.
    pub(crate) fn resource(self) -> &'static str {
        match self {
            Self::Subjects => "instance_subject",
            Self::Contributors => "instance_contributor",
            Self::Classifications => "instance_classification",
            Self::CallNumbers => "instance_call_number",
        }
    }

    /// The field that it is browsed by.
    pub(crate) fn target(self) -> &'static str {
        match self {
            Self::Subjects => "value",
            Self::Contributors => "name",
            Self::Classifications => "number",
            Self::CallNumbers => "fullCallNumber",
        }
    }

    /// The fields whose values make the groups of the list, in their order.
    pub(crate) fn grouped_by(self) -> &'static [&'static str] {
        match self {
            Self::Subjects => &["sourceId", "typeId"],
            Self::Contributors => &["contributorNameTypeId"],
            Self::Classifications => &["typeId"],
            Self::CallNumbers => &[CALL_NUMBER_TYPE, "instances.locationId"],
        }
    }

    /// Fields that exist, and that a list cannot be narrowed by.
    pub(crate) fn others(self) -> &'static [&'static str] {
        match self {
            Self::Subjects => &["authorityId"],
            Self::Contributors => &["authorityId", "instances.typeId"],
            Self::Classifications => &[],
            Self::CallNumbers => &["callNumber", "callNumberPrefix", "callNumberSuffix"],
        }
    }

    /// Whether the list can be narrowed by one of the fields that conditions may be on. The types of classifications are
    /// narrowed by the option that is browsed.
    pub(crate) fn is_narrowed_by(self, field: &str) -> bool {
        self != Self::Classifications || field != "typeId"
    }

    /// The field of that name, if conditions may be on it.
    pub(crate) fn filter(self, name: &str) -> Option<&'static str> {
        self.grouped_by().iter().chain(&[TENANT, SHARED]).find(|known| **known == name).copied()
    }

    /// The value of a field in a group.
    pub(crate) fn value_in(self, group: &str, field: &str) -> Option<String> {
        let place = self.grouped_by().iter().position(|known| *known == field)?;
        let value = group.split([search::lists::OF_ROW, BESIDE]).nth(place);
        value.filter(|value| *value != NONE).map(str::to_owned)
    }

    /// The column with the list in an order.
    pub(crate) fn column(self, order: Algorithm) -> &'static str {
        let order = if order == Algorithm::Nlm { Algorithm::Lc } else { order };
        let mut of_list = COLUMNS.iter().filter(|(list, ..)| *list == self);
        let in_order = of_list.clone().find(|(_, known, _)| *known == order);
        in_order.or_else(|| of_list.next()).map_or("", |(.., column)| *column)
    }
}

impl Algorithm {
    pub(crate) const ALL: [(&str, Self); 5] = [
        ("default", Self::Default),
        ("lc", Self::Lc),
        ("dewey", Self::Dewey),
        ("nlm", Self::Nlm),
        ("sudoc", Self::Sudoc),
    ];

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, algorithm)| *algorithm)
    }

    /// What a number is ordered by before its text. Texts need nothing more.
    pub(crate) fn key(self, number: &str) -> String {
        match self {
            Self::Default => String::new(),
            Self::Lc | Self::Nlm => folded(&shelving_key(Scheme::LibraryOfCongress, number)),
            Self::Dewey => folded(&shelving_key(Scheme::Dewey, number)),
            Self::Sudoc => folded(&shelving_key(Scheme::Documents, number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_has_a_column_for_each_order() {
        assert_eq!(List::CallNumbers.column(Algorithm::Nlm), "list.callNumbers/lc");
        assert_eq!(List::Classifications.column(Algorithm::Sudoc), "list.classifications/sudoc");
        assert_eq!(List::Subjects.column(Algorithm::Dewey), "list.subjects");
        let group = "type\u{1}place";
        assert_eq!(List::CallNumbers.value_in(group, "instances.locationId").as_deref(), Some("place"));
        assert_eq!(List::Subjects.value_in("~\u{2}type", "sourceId"), None);
        assert_eq!(List::Subjects.value_in("~\u{2}type", "typeId").as_deref(), Some("type"));
        assert_eq!(List::Subjects.value_in("~\u{2}type", "callNumberTypeId"), None);
    }
}
