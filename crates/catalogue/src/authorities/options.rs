//! What can be searched of authorities: one line for each option (contract 1.8). Each heading is also an option with the name
//! of the member that has it.

use std::sync::LazyLock;

use crate::options::{self, Form, Kind, Resource, Role, SearchOption};

/// Marks the headings that lists have; no client asks for it.
pub(super) const LISTED: &str = "isListed";
/// The order of lists.
pub(super) const HEADING: &str = "headingRef";

const OPTIONS: &[SearchOption] = options::options! {
    Plain None AsIs: "headingTermRef"
        "personalName" "sftPersonalName" "saftPersonalName"
        "personalNameTitle" "sftPersonalNameTitle" "saftPersonalNameTitle"
        "corporateName" "sftCorporateName" "saftCorporateName"
        "corporateNameTitle" "sftCorporateNameTitle" "saftCorporateNameTitle"
        "meetingName" "sftMeetingName" "saftMeetingName"
        "meetingNameTitle" "sftMeetingNameTitle" "saftMeetingNameTitle"
        "uniformTitle" "sftUniformTitle" "saftUniformTitle"
        "namedEvent" "sftNamedEvent" "saftNamedEvent"
        "topicalTerm" "sftTopicalTerm" "saftTopicalTerm"
        "geographicName" "sftGeographicName" "saftGeographicName"
        "genreTerm" "sftGenreTerm" "saftGenreTerm"
        "chronTerm" "sftChronTerm" "saftChronTerm"
        "mediumPerfTerm" "sftMediumPerfTerm" "saftMediumPerfTerm"
        "generalSubdivision" "sftGeneralSubdivision" "saftGeneralSubdivision"
        "geographicSubdivision" "sftGeographicSubdivision" "saftGeographicSubdivision"
        "chronSubdivision" "sftChronSubdivision" "saftChronSubdivision"
        "formSubdivision" "sftFormSubdivision" "saftFormSubdivision";
    Term Id AsIs: "id";
    Term None AsIs: "naturalId" "identifiers.value" "identifiers.identifierTypeId" "metadata.createdByUserId"
        "metadata.updatedByUserId";
    Term None Lccn: "lccn" "canceledLccn";
    Term Listed AsIs: "headingRef";
    Term Sorted AsIs: "authRefType";
    Term Filter AsIs: "isTitleHeadingRef";
    Term Facet AsIs: "subjectHeadings" "shared";
    Raw Facet AsIs: "headingType" "sourceFileId" "tenantId";
    Date Filter AsIs: "metadata.createdDate" "metadata.updatedDate";
    Term Own AsIs: "isListed";
};

/// Authorities, heading by heading.
pub(crate) static AUTHORITIES: Resource = Resource {
    name: "authority",
    options: OPTIONS,
    aliases: &[("keyword", &["headingTermRef", "identifiers.value"])],
    sorts: &[
        ("headingRef", &["headingRef"]),
        ("headingType", &["headingType", "headingRef"]),
        ("authRefType", &["authRefType", "headingRef"]),
    ],
    by_name: LazyLock::new(|| options::by_name(OPTIONS)),
    fields: LazyLock::new(|| options::columns(OPTIONS, [])),
};

#[cfg(test)]
mod tests {
    use authorities::headings::HEADINGS;

    use super::*;

    #[test]
    fn every_heading_is_an_option() {
        options::check(&AUTHORITIES);
        for heading in HEADINGS {
            for member in [heading.member, heading.see_from, heading.see_also] {
                assert!(AUTHORITIES.option(member).is_some_and(|option| option.kind == Kind::Plain), "{member}");
            }
        }
        assert_eq!(AUTHORITIES.option(LISTED), None);
    }
}
