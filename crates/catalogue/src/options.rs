//! What can be searched: one line for each option (contract 1.4), with how it is searched. An option is also a path into
//! the records, unless [`crate::document`] says what it reads.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use search::fields::{Fields, Kind as Column};

/// How an option is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By words, in the languages of the record too.
    Text,
    /// By words as they are.
    Plain,
    /// By words as they are; most of it is not shown in any other way, so patterns are of words.
    Everything,
    /// By what stands between blanks.
    Words,
    /// By its whole value, without case and accents.
    Term,
    /// By its whole value as it is.
    Raw,
    /// By time.
    Date,
    Number,
}

/// What an option is used for beside searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    None,
    /// Conditions on it narrow a search, whatever the order.
    Filter,
    /// Its values are counted, too.
    Facet,
    /// Its values are listed.
    Listed,
    /// Results are sorted by it.
    Sort,
}

/// How a term is brought into the form of the values (contract 1.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    AsIs,
    Isbn,
    Issn,
    Oclc,
    Lccn,
    Classification,
    CallNumber,
}

/// An option.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SearchOption {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) role: Role,
    pub(crate) form: Form,
    /// The column with whole values of words.
    pub(crate) whole: &'static str,
    /// The column with basic forms of words.
    pub(crate) forms: &'static str,
}

macro_rules! options {
    ($($kind:ident $role:ident $form:ident: $($name:literal)+;)+) => {
        &[$($(SearchOption {
            name: $name,
            kind: Kind::$kind,
            role: Role::$role,
            form: Form::$form,
            whole: concat!($name, "/whole"),
            forms: concat!($name, "/forms"),
        },)+)+]
    };
}

/// Instances with their holdings and items.
const OPTIONS: &[SearchOption] = options! {
    Text None AsIs: "title" "alternativeTitles.alternativeTitle" "indexTitle" "series.value" "uniformTitle"
        "subjects.value" "publication.publisher" "electronicAccess.linkText" "electronicAccess.publicNote" "notes.note"
        "publicNotes" "administrativeNotes" "tags.tagList"
        "holdings.administrativeNotes" "holdings.notes.note" "holdings.electronicAccess.linkText"
        "holdings.electronicAccess.publicNote" "holdings.tags.tagList" "holdingsPublicNotes"
        "items.administrativeNotes" "items.notes.note" "items.circulationNotes.note" "items.electronicAccess.linkText"
        "items.electronicAccess.publicNote" "items.tags.tagList" "itemPublicNotes";
    Plain None AsIs: "contributors.name" "publication.place";
    Plain None Isbn: "isbn";
    Plain None Oclc: "oclc";
    Everything None AsIs: "allInstances" "allHoldings" "allItems";
    Words None AsIs: "identifiers.value";
    Term None AsIs: "id" "hrid" "contributors.authorityId" "contributors.contributorTypeId"
        "contributors.contributorNameTypeId" "contributors.primary" "subjects.authorityId" "subjects.sourceId"
        "subjects.typeId" "series.authorityId" "alternativeTitles.authorityId" "identifiers.identifierTypeId"
        "classifications.classificationNumber" "electronicAccess.uri" "electronicAccess.relationshipId" "notes.staffOnly"
        "metadata.createdByUserId" "metadata.updatedByUserId"
        "holdings.hrid" "holdings.electronicAccess.uri" "holdings.electronicAccess.relationshipId"
        "holdings.notes.staffOnly" "holdings.metadata.createdByUserId" "holdings.metadata.updatedByUserId"
        "holdingsIdentifiers" "holdingsFullCallNumbers"
        "items.id" "items.hrid" "items.barcode" "items.accessionNumber" "items.formerIds" "items.itemLevelCallNumberTypeId"
        "items.effectiveCallNumberComponents.typeId" "items.holdingsRecordId" "items.electronicAccess.uri"
        "items.electronicAccess.relationshipId" "items.notes.staffOnly" "items.circulationNotes.staffOnly"
        "items.metadata.createdByUserId" "items.metadata.updatedByUserId" "items.tenantId"
        "itemIdentifiers" "itemFullCallNumbers";
    Term None Issn: "issn";
    Term None Lccn: "lccn";
    Term None Classification: "normalizedClassificationNumber";
    Term None CallNumber: "holdingsNormalizedCallNumbers" "itemNormalizedCallNumbers";
    Term Filter AsIs: "classifications.classificationTypeId";
    Term Facet AsIs: "instanceTypeId" "statusId" "instanceFormatIds" "modeOfIssuanceId" "natureOfContentTermIds"
        "languages" "statisticalCodeIds" "statisticalCodes" "instanceTags" "staffSuppress" "discoverySuppress"
        "isBoundWith" "shared"
        "holdings.sourceId" "holdings.holdingsTypeId" "holdings.permanentLocationId"
        "holdings.statisticalCodeIds" "holdings.discoverySuppress" "holdingsTypeId" "holdingsTags"
        "items.effectiveLocationId" "items.materialTypeId" "items.discoverySuppress" "items.statisticalCodeIds"
        "itemTags";
    Term Listed AsIs: "holdings.id";
    Raw Facet AsIs: "source" "tenantId" "holdings.tenantId" "items.status.name";
    Date Filter AsIs: "metadata.createdDate" "metadata.updatedDate" "holdings.metadata.createdDate"
        "holdings.metadata.updatedDate" "items.metadata.createdDate" "items.metadata.updatedDate";
    Number Filter AsIs: "normalizedDate1";
    Term Sort AsIs: "sortTitle" "sortContributors";
};

/// Names for several options, or other names of one. A range or `defined` of several is not asked for by any client.
const ALIASES: &[(&str, &[&str])] = &[
    (
        "keyword",
        &[
            "title",
            "alternativeTitles.alternativeTitle",
            "indexTitle",
            "series.value",
            "identifiers.value",
            "contributors.name",
        ],
    ),
    ("title", &["title", "alternativeTitles.alternativeTitle", "indexTitle", "series.value"]),
    ("series", &["series.value"]),
    ("contributors", &["contributors.name"]),
    ("subjects", &["subjects.value"]),
    ("publisher", &["publication.publisher"]),
    (
        "authorityId",
        &["contributors.authorityId", "subjects.authorityId", "series.authorityId", "alternativeTitles.authorityId"],
    ),
    ("sourceId", &["subjects.sourceId"]),
    ("typeId", &["subjects.typeId"]),
    ("electronicAccess", &["electronicAccess.uri", "electronicAccess.linkText", "electronicAccess.publicNote"]),
    (
        "holdings.electronicAccess",
        &[
            "holdings.electronicAccess.uri",
            "holdings.electronicAccess.linkText",
            "holdings.electronicAccess.publicNote",
        ],
    ),
    (
        "items.electronicAccess",
        &["items.electronicAccess.uri", "items.electronicAccess.linkText", "items.electronicAccess.publicNote"],
    ),
    ("items.notes.note", &["items.notes.note", "items.circulationNotes.note"]),
    ("items.effectiveCallNumberComponents", &["itemFullCallNumbers"]),
    ("items.fullCallNumber", &["itemFullCallNumbers"]),
    ("items.normalizedCallNumbers", &["itemNormalizedCallNumbers"]),
    ("holdings.fullCallNumber", &["holdingsFullCallNumbers"]),
    ("holdings.normalizedCallNumbers", &["holdingsNormalizedCallNumbers"]),
    ("cql.all", &["allInstances", "allItems", "allHoldings"]),
    ("cql.allInstances", &["allInstances"]),
    ("cql.allItems", &["allItems"]),
    ("cql.allHoldings", &["allHoldings"]),
];

/// What results can be sorted by: name, columns in their order.
pub(crate) const SORTS: &[(&str, &[&str])] = &[
    ("title", &["sortTitle"]),
    ("contributors", &["sortContributors"]),
    ("items.status.name", &["items.status.name", "sortTitle"]),
    ("normalizedDate1", &["normalizedDate1"]),
    ("metadata.createdDate", &["metadata.createdDate"]),
    ("metadata.updatedDate", &["metadata.updatedDate"]),
];

static BY_NAME: LazyLock<HashMap<&'static str, &'static SearchOption>> =
    LazyLock::new(|| OPTIONS.iter().map(|option| (option.name, option)).collect());

/// All columns of the index.
pub(crate) static FIELDS: LazyLock<Arc<Fields>> = LazyLock::new(|| {
    let columns = OPTIONS.iter().flat_map(|option| {
        let column = |name, kind| Some((name, kind));
        match option.kind {
            Kind::Text => [
                column(option.name, Column::Compounds),
                column(option.whole, Column::Value),
                column(option.forms, Column::Bag),
            ],
            Kind::Plain => [column(option.name, Column::Compounds), column(option.whole, Column::Value), None],
            Kind::Words => [column(option.name, Column::Words), column(option.whole, Column::Value), None],
            Kind::Everything => [column(option.name, Column::Compounds), None, None],
            Kind::Number => [column(option.name, Column::Number), None, None],
            Kind::Term | Kind::Raw | Kind::Date => {
                let kind = if option.role == Role::None { Column::Value } else { Column::Exact };
                [column(option.name, kind), None, None]
            }
        }
    });
    Arc::new(Fields::declare(columns.flatten()))
});

impl SearchOption {
    /// Whether conditions on it narrow a search without ranking what it finds.
    pub(crate) fn is_filter(&self) -> bool {
        matches!(self.role, Role::Filter | Role::Facet)
    }
}

/// The option of that name alone, no alias.
pub(crate) fn option(name: &str) -> Option<&'static SearchOption> {
    BY_NAME.get(name).copied().filter(|option| option.role != Role::Sort)
}

/// All options that hold values of records.
pub(crate) fn all() -> impl Iterator<Item = &'static SearchOption> {
    OPTIONS.iter()
}

/// The name that stands for another: items are asked for as one.
pub(crate) fn spelt(name: &str) -> String {
    match name.strip_prefix("item.") {
        Some(rest) => format!("items.{rest}"),
        None => name.to_owned(),
    }
}

/// The options that a name stands for; empty: there are none.
pub(crate) fn named(name: &str) -> Vec<&'static SearchOption> {
    match ALIASES.iter().find(|(alias, _)| *alias == name) {
        Some((_, members)) => members.iter().filter_map(|member| option(member)).collect(),
        None => option(name).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_and_orders_are_of_options() {
        for (alias, members) in ALIASES {
            assert_eq!(named(alias).len(), members.len(), "{alias}");
        }
        for column in SORTS.iter().flat_map(|(_, columns)| *columns) {
            assert!(FIELDS.kind(column).is_some_and(Column::is_counted), "{column}");
        }
        assert_eq!(BY_NAME.len(), OPTIONS.len());
        for option in OPTIONS.iter().filter(|option| option.role == Role::Facet) {
            assert!(FIELDS.kind(option.name).is_some_and(Column::is_counted), "{}", option.name);
        }
    }
}
