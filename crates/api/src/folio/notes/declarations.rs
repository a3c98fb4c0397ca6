//! Notes with their types and links, and tags (docs/folio/notes-and-tags.md). FOLIO's modules for them are Spring
//! modules.

use refusals::Refused;
use serde_json::{Map, Value};
use store::collection::{Collection, IndexKind};

use super::{
    content,
    refusals::{LABEL_TAKEN, TYPE_NAME_TAKEN},
};

pub(in crate::folio) fn collections() -> Vec<Collection> {
    vec![note_types(), notes(), tags()]
}

/// Whether a type is in use is looked up when it is read.
const TYPE_WITH_USAGE: &str = "r.doc || jsonb_build_object('usage', jsonb_build_object('isAssigned', \
    EXISTS (SELECT FROM note n WHERE n.typeid = r.id)))";

fn note_types() -> Collection {
    Collection::new("/note-types", "noteTypes", "note_type", "name*<=255, usage~:object")
        .spring()
        .unique_as(&["name"], IndexKind::Exact, TYPE_NAME_TAKEN)
        .represented(TYPE_WITH_USAGE)
        .not_found("Note type with ID [{id}] was not found")
        .default_limit(1000)
        .without(&["post", "delete"])
}

/// The record with the name of its type.
macro_rules! with_type {
    () => {
        "r.doc || coalesce((SELECT jsonb_build_object('type', t.doc->'name') FROM note_type t WHERE t.id = r.typeid), '{}')"
    };
}

/// Who `created` or `updated` the record, by name.
macro_rules! person {
    ($did:literal) => {
        concat!(
            "coalesce((SELECT jsonb_strip_nulls(jsonb_build_object('",
            $did,
            "ByUsername', u.doc->'username', '",
            $did,
            "By', jsonb_build_object('lastName', u.doc#>'{personal,lastName}', \
               'firstName', u.doc#>'{personal,firstName}', 'middleName', u.doc#>'{personal,middleName}'))) \
               FROM users u WHERE u.id = (r.doc#>>'{metadata,",
            $did,
            "ByUserId}')::uuid), '{}')"
        )
    };
}

/// Each note is shown with the name of its type.
const NOTE_WITH_TYPE: &str = with_type!();

/// What a note that is read alone shows besides: who made and changed it, by name.
pub(super) const NOTE_WITH_PEOPLE: &str = concat!(
    with_type!(),
    " || jsonb_build_object('metadata', coalesce(r.doc->'metadata', '{}') || ",
    person!("created"),
    " || ",
    person!("updated"),
    ")"
);

/// The metadata of [`NOTE_WITH_PEOPLE`].
pub(super) const PEOPLE: &str = "metadata{createdDate:datetime, createdByUserId:uuid, createdByUsername,
    createdBy{lastName, firstName, middleName}, updatedDate:datetime, updatedByUserId:uuid, updatedByUsername,
    updatedBy{lastName, firstName, middleName}}";

/// Title and content without markup, for searches.
const INDEXED_CONTENT: &str = "(coalesce(doc->>'title', '') || ' ' || \
    regexp_replace(regexp_replace(coalesce(doc->>'content', ''), '<[^>]+>', '', 'g'), E'\\n+', ' ', 'g'))";

fn notes() -> Collection {
    Collection::new(
        "/notes",
        "notes",
        "note",
        "typeId*:uuid, type~, title*<=255, domain*<=100, content, popUpOnCheckOut:bool=false, popUpOnUser:bool=false,
         links[{id*, type*}]",
    )
    .spring()
    .reference("typeId", "note_type")
    .virtual_field("indexedContent", INDEXED_CONTENT)
    // In queries mod-notes has the names of its database, not those of the JSON.
    .alias("type", &[("note_type", "id", "typeid")])
    .member("links.objectId", "links", "id")
    .member("links.objectType", "links", "type")
    .virtual_field("createdBy", "doc#>>'{metadata,createdByUserId}'")
    .virtual_field("createdDate", "doc#>>'{metadata,createdDate}'")
    .virtual_field("updatedBy", "doc#>>'{metadata,updatedByUserId}'")
    .virtual_field("updatedDate", "doc#>>'{metadata,updatedDate}'")
    .folded(&["domain", "title"])
    .index(&IndexKind::Elements, &["links"])
    .checked(clean_content)
    .represented(NOTE_WITH_TYPE)
    .not_found("Note with ID [{id}] was not found")
    .default_limit(1000)
    .without(&["post", "get", "put"])
}

/// Notes are shown as HTML on other users' screens.
fn clean_content(note: &mut Map<String, Value>) -> Result<(), Refused> {
    if let Some(Value::String(content)) = note.get_mut("content") {
        *content = content::cleaned(content);
    }
    Ok(())
}

fn tags() -> Collection {
    Collection::new("/tags", "tags", "tags", "label*<=255, description<=255")
        .spring()
        .unique_as(&["label"], IndexKind::Exact, LABEL_TAKEN)
        .not_found("Tag with id [{id}] was not found")
        .near_static()
        .default_limit(1000)
}
