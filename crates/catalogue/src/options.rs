//! What can be searched: one line for each option (contract 1.4), with how it is searched. An option is also a path into
//! the records, unless [`crate::document`] says what it reads.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use search::fields::{Fields, Kind as Column};

use crate::lists::COLUMNS;

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
    /// Results are sorted by it, too.
    Sorted,
    /// Its values are counted, too.
    Facet,
    /// Its values are listed.
    Listed,
    /// Results are sorted by it, and it is no condition.
    Sort,
    /// It names the record.
    Id,
    /// No client asks for it.
    Own,
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

pub(crate) use options;

/// A name, and the options or columns that it stands for.
type Named = (&'static str, &'static [&'static str]);

/// What is searched of one kind of records.
pub(crate) struct Resource {
    /// What mod-search calls the records.
    pub(crate) name: &'static str,
    pub(crate) options: &'static [SearchOption],
    /// Names for several options, or other names of one.
    pub(crate) aliases: &'static [Named],
    /// What results can be sorted by: name, columns in their order.
    pub(crate) sorts: &'static [Named],
    pub(crate) by_name: LazyLock<HashMap<&'static str, &'static SearchOption>>,
    /// All columns of the index.
    pub(crate) fields: LazyLock<Arc<Fields>>,
}

/// Instances with their holdings and items.
pub(crate) static INSTANCES: Resource = Resource {
    name: "instance",
    options: OPTIONS,
    aliases: ALIASES,
    sorts: SORTS,
    by_name: LazyLock::new(|| by_name(OPTIONS)),
    fields: LazyLock::new(|| columns(OPTIONS, COLUMNS.iter().map(|(.., column)| *column))),
};

impl Resource {
    /// The option of that name alone, no alias.
    pub(crate) fn option(&self, name: &str) -> Option<&'static SearchOption> {
        self.by_name.get(name).copied().filter(|option| !matches!(option.role, Role::Sort | Role::Own))
    }

    /// The options that a name stands for; empty: there are none.
    pub(crate) fn named(&self, name: &str) -> Vec<&'static SearchOption> {
        match self.aliases.iter().find(|(alias, _)| *alias == name) {
            Some((_, members)) => members.iter().filter_map(|member| self.by_name.get(member).copied()).collect(),
            None => self.option(name).into_iter().collect(),
        }
    }
}

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
    Term Id AsIs: "id";
    Term None AsIs: "hrid" "contributors.authorityId" "contributors.contributorTypeId"
        "contributors.contributorNameTypeId" "contributors.primary" "subjects.authorityId" "subjects.sourceId"
        "subjects.typeId" "series.authorityId" "alternativeTitles.authorityId" "identifiers.identifierTypeId"
        "alternativeTitles.alternativeTitleTypeId" "dates.dateTypeId" "dates.date1" "dates.date2"
        "publication.dateOfPublication" "electronicAccess.materialsSpecification"
        "classifications.classificationNumber" "electronicAccess.uri" "electronicAccess.relationshipId" "notes.staffOnly"
        "metadata.createdByUserId" "metadata.updatedByUserId"
        "holdings.hrid" "holdings.electronicAccess.uri" "holdings.electronicAccess.relationshipId"
        "holdings.notes.staffOnly" "holdings.metadata.createdByUserId" "holdings.metadata.updatedByUserId"
        "holdingsFullCallNumbers" "holdings.formerIds" "holdings.electronicAccess.materialsSpecification"
        "items.id" "items.hrid" "items.barcode" "items.accessionNumber" "items.formerIds" "items.itemLevelCallNumberTypeId"
        "items.effectiveCallNumberComponents.typeId" "items.holdingsRecordId" "items.electronicAccess.uri"
        "items.electronicAccess.relationshipId" "items.notes.staffOnly" "items.circulationNotes.staffOnly"
        "items.metadata.createdByUserId" "items.metadata.updatedByUserId" "items.tenantId"
        "items.itemIdentifier" "items.electronicAccess.materialsSpecification" "itemFullCallNumbers"
        "items.effectiveCallNumberComponents.callNumber" "items.effectiveCallNumberComponents.prefix"
        "items.effectiveCallNumberComponents.suffix";
    Term None Issn: "issn";
    Term None Lccn: "lccn" "canceledLccn";
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
    Date Sorted AsIs: "metadata.createdDate" "metadata.updatedDate";
    Date Filter AsIs: "holdings.metadata.createdDate" "holdings.metadata.updatedDate" "items.metadata.createdDate"
        "items.metadata.updatedDate";
    Number Sorted AsIs: "normalizedDate1";
    Term Sort AsIs: "sortTitle" "sortContributors";
};

/// A range or `defined` of several is not asked for by any client.
const ALIASES: &[Named] = &[
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
    ("holdingsIdentifiers", &["holdings.id", "holdings.hrid", "holdings.formerIds"]),
    (
        "itemIdentifiers",
        &["items.id", "items.hrid", "items.formerIds", "items.accessionNumber", "items.itemIdentifier"],
    ),
    ("holdings.fullCallNumber", &["holdingsFullCallNumbers"]),
    ("holdings.normalizedCallNumbers", &["holdingsNormalizedCallNumbers"]),
    ("cql.all", &["allInstances", "allItems", "allHoldings"]),
    ("cql.allInstances", &["allInstances"]),
    ("cql.allItems", &["allItems"]),
    ("cql.allHoldings", &["allHoldings"]),
];

const SORTS: &[Named] = &[
    ("title", &["sortTitle"]),
    ("contributors", &["sortContributors"]),
    ("items.status.name", &["items.status.name", "sortTitle"]),
    ("normalizedDate1", &["normalizedDate1"]),
    ("metadata.createdDate", &["metadata.createdDate"]),
    ("metadata.updatedDate", &["metadata.updatedDate"]),
];

/// Options by their names.
pub(crate) fn by_name(options: &'static [SearchOption]) -> HashMap<&'static str, &'static SearchOption> {
    options.iter().map(|option| (option.name, option)).collect()
}

/// The columns of options, and of lists in order.
pub(crate) fn columns(options: &'static [SearchOption], lists: impl IntoIterator<Item = &'static str>) -> Arc<Fields> {
    let columns = options.iter().flat_map(|option| {
        let column = |name, kind| Some((name, kind));
        match option.kind {
            Kind::Text => [
                column(option.name, Column::Compounds),
                column(option.whole, Column::Value),
                column(option.forms, Column::Forms),
            ],
            Kind::Plain => [column(option.name, Column::Compounds), column(option.whole, Column::Value), None],
            Kind::Words => [column(option.name, Column::Words), column(option.whole, Column::Value), None],
            Kind::Everything => [column(option.name, Column::Compounds), None, None],
            Kind::Number => [column(option.name, Column::Number), None, None],
            Kind::Term | Kind::Raw | Kind::Date => {
                let kind = match option.role {
                    Role::None | Role::Own | Role::Filter => Column::Value,
                    Role::Sort => Column::Order,
                    Role::Id => Column::Source,
                    Role::Sorted | Role::Facet | Role::Listed => Column::Exact,
                };
                [column(option.name, kind), None, None]
            }
        }
    });
    let lists = lists.into_iter().map(|column| (column, Column::Ordered));
    Arc::new(Fields::declare(columns.flatten().chain(lists)))
}

impl SearchOption {
    /// Whether conditions on it narrow a search without ranking what it finds.
    pub(crate) fn is_filter(&self) -> bool {
        matches!(self.role, Role::Filter | Role::Sorted | Role::Facet)
    }
}

/// The name that stands for another: items are asked for as one.
pub(crate) fn spelt(name: &str) -> String {
    match name.strip_prefix("item.") {
        Some(rest) => format!("items.{rest}"),
        None => name.to_owned(),
    }
}

/// What must hold of all options of a resource.
#[cfg(test)]
pub(crate) fn check(of: &Resource) {
    for (alias, members) in of.aliases {
        assert_eq!(of.named(alias).len(), members.len(), "{alias}");
    }
    for column in of.sorts.iter().flat_map(|(_, columns)| *columns) {
        assert!(of.fields.kind(column).is_some_and(Column::is_counted), "{column}");
    }
    assert_eq!(of.by_name.len(), of.options.len());
    for option in of.options.iter().filter(|option| option.role == Role::Facet) {
        assert!(of.fields.kind(option.name).is_some_and(Column::is_counted), "{}", option.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_and_orders_are_of_options() {
        check(&INSTANCES);
    }
}
