//! Reference data (docs/folio/reference-data.md): types, sources, statuses and the like, known by name. In some of
//! FOLIO's schemas further members are allowed (`...`).

use store::collection::Collection;

use crate::refusal::STATISTICAL_CODE_LISTED;

/// path, collection, table, members beside `name*` and `source`
type Row = (&'static str, &'static str, &'static str, &'static str);

/// Tables whose records have a UUID as id in FOLIO's schemas, too; of the others it is any text (mod-inventory-storage 29.0.9, `ramls`).
const WITH_UUID: [&str; 3] = ["holdings_records_source", "instance_note_type", "nature_of_content_term"];

/// Tables whose routes show what the database says of a duplicate, 400 also for a POST; the others answer as all storage does
/// (mod-inventory-storage 29.0.9, `org.folio.rest.impl`).
const IN_DATABASE_WORDS: [&str; 15] = [
    "alternative_title_type",
    "contributor_name_type",
    "contributor_type",
    "holdings_note_type",
    "identifier_type",
    "ill_policy",
    "instance_format",
    "instance_note_type",
    "instance_relationship_type",
    "instance_type",
    "item_damaged_status",
    "item_note_type",
    "loan_type",
    "nature_of_content_term",
    "statistical_code",
];

/// Records with a unique name and nothing else that matters to Carrel.
const NAMED: &[Row] = &[
    ("/classification-types", "classificationTypes", "classification_type", ""),
    ("/contributor-name-types", "contributorNameTypes", "contributor_name_type", "ordering"),
    ("/instance-relationship-types", "instanceRelationshipTypes", "instance_relationship_type", ""),
    ("/modes-of-issuance", "issuanceModes", "mode_of_issuance", ""),
    ("/electronic-access-relationships", "electronicAccessRelationships", "electronic_access_relationship", ""),
];

/// The same, with a required `source`.
const NAMED_WITH_SOURCE: &[Row] = &[
    ("/nature-of-content-terms", "natureOfContentTerms", "nature_of_content_term", ""),
    ("/alternative-title-types", "alternativeTitleTypes", "alternative_title_type", ""),
    ("/ill-policies", "illPolicies", "ill_policy", ""),
    ("/holdings-types", "holdingsTypes", "holdings_type", ""),
    ("/instance-note-types", "instanceNoteTypes", "instance_note_type", ""),
    ("/holdings-note-types", "holdingsNoteTypes", "holdings_note_type", ""),
    ("/item-note-types", "itemNoteTypes", "item_note_type", ""),
    ("/item-damaged-statuses", "itemDamageStatuses", "item_damaged_status", ""),
];

/// The same. Its handlers keep those that FOLIO ships.
const CALL_NUMBER_TYPES: Row = ("/call-number-types", "callNumberTypes", "call_number_type", "");

/// The same, with a unique code.
const CODED: &[Row] = &[
    ("/contributor-types", "contributorTypes", "contributor_type", "code*"),
    ("/instance-types", "instanceTypes", "instance_type", "code*"),
    ("/instance-formats", "instanceFormats", "instance_format", "code*"),
    ("/instance-statuses", "instanceStatuses", "instance_status", "code*"),
];

pub(super) fn collections() -> Vec<Collection> {
    let mut all = vec![
        named(&("/material-types", "mtypes", "material_type", ""), "source").configuration(),
        named(&("/loan-types", "loantypes", "loan_type", ""), "source=local").configuration(),
        named(&("/identifier-types", "identifierTypes", "identifier_type", ""), "source, ...").configuration(),
    ];
    all.extend(NAMED.iter().map(|row| named(row, "source, ...")));
    all.extend(NAMED_WITH_SOURCE.iter().map(|row| named(row, "source*")));
    all.push(named(&CALL_NUMBER_TYPES, "source*").without(&["put", "delete"]));
    all.extend(CODED.iter().map(|row| named(row, "source*, ...").unique(&["code"])));
    all.extend(statistical_codes());
    all.extend([holdings_sources(), subject_types(), subject_sources(), instance_date_types()]);
    let complete = |collection: Collection| {
        let collection = collection.near_static();
        let in_database_words = IN_DATABASE_WORDS.contains(&collection.table);
        let collection = if in_database_words { collection.in_database_words() } else { collection };
        if WITH_UUID.contains(&collection.table) { collection } else { collection.with_id_of_path() }
    };
    all.into_iter().map(complete).collect()
}

fn named((path, list, table, members): &Row, source: &str) -> Collection {
    let more = if members.is_empty() { String::new() } else { format!(", {members}") };
    Collection::new(path, list, table, &format!("name*{more}, {source}")).unique(&["name"])
}

fn statistical_codes() -> [Collection; 2] {
    let types = Collection::new(
        "/statistical-code-types",
        "statisticalCodeTypes",
        "statistical_code_type",
        "name*, source*, ...",
    );
    let codes = Collection::new(
        "/statistical-codes",
        "statisticalCodes",
        "statistical_code",
        "code*, name*, statisticalCodeTypeId*:uuid, source*",
    );
    [
        types.unique(&["name"]),
        codes
            .reference("statisticalCodeTypeId", "statistical_code_type")
            .unique(&["code", "statisticalCodeTypeId"])
            .unique(&["name"])
            .kept_as(STATISTICAL_CODE_LISTED),
    ]
}

/// Sources of holdings records. Its handler refuses to delete FOLIO's own.
fn holdings_sources() -> Collection {
    Collection::new(
        "/holdings-sources",
        "holdingsRecordsSources",
        "holdings_records_source",
        "name*, source:(folio|local|consortium), ...",
    )
    .unique(&["name"])
    .without(&["delete"])
}

fn subject_types() -> Collection {
    Collection::new("/subject-types", "subjectTypes", "subject_type", "name*, source*:(folio|local|consortium), ...")
        .unique(&["name"])
        .without(&["post", "put"])
}

fn subject_sources() -> Collection {
    Collection::new(
        "/subject-sources",
        "subjectSources",
        "subject_source",
        "name*, code, source*:(folio|local|consortium), ...",
    )
    .unique(&["name"])
    .unique(&["code"])
    .without(&["post", "put"])
}

/// The kinds of dates of an instance. They ship with Carrel, and only their names can be changed.
fn instance_date_types() -> Collection {
    Collection::new(
        "/instance-date-types",
        "instanceDateTypes",
        "instance_date_type",
        "name*, code<=1, displayFormat{delimiter, keepDelimiter:bool}, source:(folio|local)",
    )
    .without(&["post", "put", "delete", "get"])
}
