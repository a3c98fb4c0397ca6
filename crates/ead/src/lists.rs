//! Value lists, as far as EAD shows them: the label of a value and the value of a label.

/// The value lists of the caller: names as in the contract's section 5 (`extent_extent_type`, `container_type`, ...).
///
/// The labels of note types are asked for under the list `_note_types`.
pub trait Lists: Sync {
    /// The label that readers see, or nothing for a value the list does not have.
    fn label<'a>(&'a self, list: &str, value: &str) -> Option<&'a str>;

    /// The value that has this label, so that a label that an export wrote becomes the value again on import. The
    /// default knows none: texts become values as they stand.
    fn value<'a>(&'a self, _list: &str, _label: &str) -> Option<&'a str> {
        None
    }

    /// Whether a fixed list has this value; the lists asked for are `date_certainty`, `language_iso639_2`,
    /// `file_version_xlink_actuate_attribute`, `file_version_xlink_show_attribute` and `note_orderedlist_enumeration`.
    /// The default takes anything. Values that other lists do not have are new ones.
    fn allows(&self, _list: &str, _value: &str) -> bool {
        true
    }
}

/// No lists: values stand for their labels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Verbatim;

impl Lists for Verbatim {
    fn label<'a>(&'a self, _list: &str, _value: &str) -> Option<&'a str> {
        None
    }
}

/// Heads of notes that have no label of their own (section 6.2).
const NOTE_HEADS: [(&str, &str); 24] = [
    ("accessrestrict", "Conditions Governing Access"),
    ("accruals", "Accruals"),
    ("acqinfo", "Immediate Source of Acquisition"),
    ("altformavail", "Existence and Location of Copies"),
    ("appraisal", "Appraisal"),
    ("arrangement", "Arrangement"),
    ("bibliography", "Bibliography"),
    ("bioghist", "Biographical / Historical"),
    ("custodhist", "Custodial History"),
    ("dimensions", "Dimensions"),
    ("fileplan", "File Plan"),
    ("index", "Index"),
    ("legalstatus", "Legal Status"),
    ("odd", "General"),
    ("originalsloc", "Existence and Location of Originals"),
    ("otherfindaid", "Other Finding Aids"),
    ("phystech", "Physical Characteristics and Technical Requirements"),
    ("prefercite", "Preferred Citation"),
    ("processinfo", "Processing Information"),
    ("relatedmaterial", "Related Materials"),
    ("scopecontent", "Scope and Contents"),
    ("separatedmaterial", "Separated Materials"),
    ("userestrict", "Conditions Governing Use"),
    ("note", "General Note"),
];

/// The head of a note of this type: the caller's label, else the usual English one, else the type.
pub(crate) fn note_head<'a>(lists: &'a dyn Lists, kind: &'a str) -> &'a str {
    let usual = || NOTE_HEADS.iter().find(|(name, _)| *name == kind).map(|(_, head)| *head);
    lists.label("_note_types", kind).or_else(usual).unwrap_or(kind)
}
