//! Refusals of notes and tags, in FOLIO's words, most of which are PostgreSQL's.

refusals::table! {
    /// Notes, their types, tags.
    pub TABLE: Spring, "docs/folio/notes-and-tags.md";
    TYPE_NAME_TAKEN: "Another type has the name." => 422 VALIDATION_ERROR "Key (name)=({value}) already exists.";
    TYPE_IN_USE: "Notes are of the type that is deleted."
        => 422 VALIDATION_ERROR "Key (id)=({id}) is still referenced from table \"note\".";
    TYPE_UNKNOWN: "The type of a note does not exist."
        => 422 VALIDATION_ERROR "Key (type_id)=({id}) is not present in table \"type\".";
    TOO_MANY_TYPES: "There are as many types as allowed."
        => 422 VALIDATION_ERROR "Maximum number of note types allowed is {most}";
    LABEL_TAKEN: "Another tag has the label." => 422 VALIDATION_ERROR "Key (label)=({value}) already exists.";
}
