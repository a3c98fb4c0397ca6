//! The records of mod-entities-links: members, keys, what refers to what. In FOLIO, queries ask for the columns of its
//! tables, so these have names of their own beside the members.

use std::fmt::Write as _;

use store::collection::{Collection, IndexKind};

use crate::headings::{HEADING_SQL, HEADINGS, RELATIONS, TYPE_SQL};

/// The table of authorities.
pub const AUTHORITY: &str = "authority";
/// The table of deleted authorities.
pub const ARCHIVE: &str = "authority_archive";
/// The table of the files that authorities come from.
pub const SOURCE_FILE: &str = "authority_source_file";
/// The table of types of notes.
pub const NOTE_TYPE: &str = "authority_note_type";
/// The table of jobs that index authorities again.
pub const REINDEX_JOB: &str = "authority_reindex_job";

/// How many records a list has if nothing is asked for.
const USUAL: i64 = 100;

/// All collections, each after those it refers to.
pub fn collections() -> Vec<Collection> {
    vec![
        note_types(),
        source_files(),
        authorities("/authority-storage/authorities", AUTHORITY)
            .entity("org.folio.entlinks.domain.entity.Authority")
            .folded(&["heading", "headingType", "naturalId", "createdDate", "updatedDate"]),
        // It holds a week's, and expires by date.
        authorities("/authority-storage/archive", ARCHIVE)
            .entity("org.folio.entlinks.domain.entity.AuthorityArchive")
            .folded(&["updatedDate"]),
        reindex_jobs(),
    ]
}

/// What queries call the dates in `metadata`; of authorities they are fields with indexes.
const DATES: &[(&str, &str)] = &[("createdDate", "metadata.createdDate"), ("updatedDate", "metadata.updatedDate")];
/// What queries call the users in `metadata`.
const USERS: &[(&str, &str)] =
    &[("createdByUserId", "metadata.createdByUserId"), ("updatedByUserId", "metadata.updatedByUserId")];

fn note_types() -> Collection {
    Collection::new("/authority-note-types", "authorityNoteTypes", NOTE_TYPE, "name*, source*")
        .spring()
        .entity("org.folio.entlinks.domain.entity.AuthorityNoteType")
        .called(DATES)
        .called(USERS)
        .unique_as(&["name"], IndexKind::Exact, None)
        .default_limit(USUAL)
        .without_routes()
}

/// The address without its protocol.
const HOST: &str = "regexp_replace(doc->>'baseUrl', '^[a-z]+://', '')";

fn source_files() -> Collection {
    Collection::new(
        "/authority-source-files",
        "authoritySourceFiles",
        SOURCE_FILE,
        "name*, codes*[], type, baseUrl, source*:(folio|local), selectable:bool=false, hridManagement{startNumber:int},
         _version:int=0",
    )
    .spring()
    .entity("org.folio.entlinks.domain.entity.AuthoritySourceFile")
    .called(DATES)
    .called(USERS)
    .called(&[("version", "_version"), ("hridStartNumber", "hridManagement.startNumber")])
    .virtual_field("host", HOST)
    .unique_as(&["name"], IndexKind::Exact, None)
    .unique_as(&["host"], IndexKind::Exact, None)
    .default_limit(USUAL)
    .without_routes()
}

fn authorities(path: &'static str, table: &'static str) -> Collection {
    let mut members = String::from(
        "_version:int=0, source*, naturalId*, sourceFileId:uuid, subjectHeadings,
         identifiers[{value*, identifierTypeId*:uuid}], notes[{noteTypeId*:uuid, note*, staffOnly:bool=false}]",
    );
    for heading in HEADINGS {
        let (one, from, also, truncated) = (heading.member, heading.see_from, heading.see_also, heading.truncated);
        // A text takes everything.
        let _ = write!(members, ", {one}, {from}[], {also}[], {truncated}[]");
    }
    for relation in RELATIONS {
        let _ = write!(members, ", {relation}[{{headingRef*, headingType*}}]");
    }
    Collection::new(path, "authorities", table, &members)
        .spring()
        .reference("sourceFileId", SOURCE_FILE)
        .virtual_field("heading", HEADING_SQL)
        .virtual_field("headingType", TYPE_SQL)
        .virtual_field("createdDate", "doc->'metadata'->>'createdDate'")
        .virtual_field("updatedDate", "doc->'metadata'->>'updatedDate'")
        .alias("authoritySourceFile", &[(SOURCE_FILE, "id", "sourcefileid")])
        .called(USERS)
        .called(&[
            ("authoritySourceFile", "sourceFileId"),
            ("subjectHeadingCode", "subjectHeadings"),
            ("version", "_version"),
        ])
        .default_limit(USUAL)
        .without_routes()
}

fn reindex_jobs() -> Collection {
    Collection::new(
        "/authority-storage/reindex",
        "reindexJobs",
        REINDEX_JOB,
        "published:int, jobStatus, resourceName, submittedDate:datetime",
    )
    .spring()
    .entity("org.folio.entlinks.domain.entity.ReindexJob")
    .without_metadata()
    .default_limit(USUAL)
    .without_routes()
}
