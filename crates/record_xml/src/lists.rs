//! Value lists, as far as formats show them: the label of a value and the value of a label.

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
