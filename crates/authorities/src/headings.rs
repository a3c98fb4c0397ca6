//! Headings of authorities (contract 5.6, 10.1): the decided one (1XX of MARC), others that lead to it (4XX), and related
//! ones (5XX).

use serde_json::{Map, Value};

/// A kind of heading.
#[derive(Debug, PartialEq, Eq)]
pub struct Heading {
    /// The member of a record with the decided heading.
    pub member: &'static str,
    /// The member with headings that lead to it.
    pub see_from: &'static str,
    /// The member with related headings.
    pub see_also: &'static str,
    /// The member with related headings without what says how they are related.
    pub truncated: &'static str,
    /// The field of MARC with the decided heading.
    pub tag: &'static str,
    /// What searches call the kind.
    pub kind: &'static str,
    /// Whether the title of a work follows the name.
    pub has_title: bool,
}

macro_rules! headings {
    ($($member:ident $capital:ident $tag:literal $kind:literal $has_title:literal;)+) => {
        /// All kinds, in the order in which the decided heading of a record is looked for.
        pub const HEADINGS: &[Heading] = &[$(Heading {
            member: stringify!($member),
            see_from: concat!("sft", stringify!($capital)),
            see_also: concat!("saft", stringify!($capital)),
            truncated: concat!("saft", stringify!($capital), "Trunc"),
            tag: $tag,
            kind: $kind,
            has_title: $has_title,
        },)+];

        /// SQL of the member that has the decided heading of a record.
        pub(crate) const TYPE_SQL: &str = concat!(
            "(CASE ", $("WHEN doc ? '", stringify!($member), "' THEN '", stringify!($member), "' ",)+ "END)");

        /// SQL of the decided heading of a record.
        pub(crate) const HEADING_SQL: &str =
            concat!("coalesce(", $("doc->>'", stringify!($member), "', ",)+ "NULL)");
    };
}

headings! {
    personalName PersonalName "100" "Personal Name" false;
    personalNameTitle PersonalNameTitle "100" "Personal Name" true;
    corporateName CorporateName "110" "Corporate Name" false;
    corporateNameTitle CorporateNameTitle "110" "Corporate Name" true;
    meetingName MeetingName "111" "Conference Name" false;
    meetingNameTitle MeetingNameTitle "111" "Conference Name" true;
    uniformTitle UniformTitle "130" "Uniform Title" false;
    namedEvent NamedEvent "147" "Named Event" false;
    topicalTerm TopicalTerm "150" "Topical" false;
    geographicName GeographicName "151" "Geographic Name" false;
    genreTerm GenreTerm "155" "Genre" false;
    chronTerm ChronTerm "148" "Chronological Term" false;
    mediumPerfTerm MediumPerfTerm "162" "Medium of Performance Term" false;
    generalSubdivision GeneralSubdivision "180" "General Subdivision" false;
    geographicSubdivision GeographicSubdivision "181" "Geographic Subdivision" false;
    chronSubdivision ChronSubdivision "182" "Chronological Subdivision" false;
    formSubdivision FormSubdivision "185" "Form Subdivision" false;
}

/// The members with related headings by their relation.
pub(crate) const RELATIONS: [&str; 4] =
    ["saftBroaderTerm", "saftNarrowerTerm", "saftEarlierHeading", "saftLaterHeading"];

/// The decided heading of a record, and its kind.
pub(crate) fn decided(record: &Map<String, Value>) -> Option<(&'static Heading, &str)> {
    HEADINGS.iter().find_map(|heading| Some((heading, record.get(heading.member)?.as_str()?)))
}

/// How a heading stands in its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The decided one.
    Authorized,
    /// It leads to the decided one.
    Reference,
    /// It is related.
    Related,
}

impl Standing {
    /// What searches call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Authorized => "Authorized",
            Self::Reference => "Reference",
            Self::Related => "Auth/Ref",
        }
    }
}

/// A heading of a record.
#[derive(Debug, PartialEq, Eq)]
pub struct Found<'r> {
    pub of: &'static Heading,
    pub standing: Standing,
    /// The member of the record that has it.
    pub member: &'static str,
    pub text: &'r str,
}

/// All headings of a record, as they are searched.
pub fn all(record: &Map<String, Value>) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    for of in HEADINGS {
        for (standing, member) in
            [(Standing::Authorized, of.member), (Standing::Reference, of.see_from), (Standing::Related, of.see_also)]
        {
            let texts = match record.get(member) {
                Some(Value::String(text)) => vec![text.as_str()],
                Some(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).collect(),
                _ => Vec::new(),
            };
            found.extend(texts.into_iter().map(|text| Found { of, standing, member, text }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_heading_of_a_record_is_found() {
        let record = json!({"topicalTerm": "Maps", "sftTopicalTerm": ["Charts", "Plans"], "saftGenreTerm": ["Atlases"],
            "saftGenreTermTrunc": ["Atl"], "sftPersonalName": [], "source": "MARC"});
        let record = record.as_object().unwrap();
        let found: Vec<_> = all(record).iter().map(|one| (one.of.kind, one.standing.name(), one.text)).collect();
        assert_eq!(
            found,
            [
                ("Topical", "Authorized", "Maps"),
                ("Topical", "Reference", "Charts"),
                ("Topical", "Reference", "Plans"),
                ("Genre", "Auth/Ref", "Atlases"),
            ]
        );
        assert_eq!(decided(record).map(|(heading, text)| (heading.member, text)), Some(("topicalTerm", "Maps")));
    }
}
