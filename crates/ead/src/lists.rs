//! Heads of notes.

use record_xml::Lists;

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
