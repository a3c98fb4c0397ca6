//! Requests of harvesters: verbs and their arguments.

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use metadata::Harvest;

use super::{BAD_ARGUMENT, NO_FORMAT, Wrong, token::Token};

/// The arguments of a request as they were sent.
#[derive(Debug, Default)]
pub struct Asked<'a> {
    pub verb: Option<&'a str>,
    pub metadata_prefix: Option<&'a str>,
    pub from: Option<&'a str>,
    pub until: Option<&'a str>,
    pub set: Option<&'a str>,
    pub identifier: Option<&'a str>,
    pub resumption_token: Option<&'a str>,
}

impl<'a> Asked<'a> {
    /// The arguments that are there, in the order of their names.
    pub(super) fn given(&self) -> Vec<(&'static str, &'a str)> {
        let all = [
            ("from", self.from),
            ("identifier", self.identifier),
            ("metadataPrefix", self.metadata_prefix),
            ("resumptionToken", self.resumption_token),
            ("set", self.set),
            ("until", self.until),
            ("verb", self.verb),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Identify,
    ListMetadataFormats,
    ListSets,
    ListIdentifiers,
    ListRecords,
    GetRecord,
}

/// Verbs, the arguments that they need and those that they may have.
const VERBS: [(&str, Verb, &[&str], &[&str]); 6] = [
    ("Identify", Verb::Identify, &[], &[]),
    ("ListMetadataFormats", Verb::ListMetadataFormats, &[], &["identifier"]),
    ("ListSets", Verb::ListSets, &[], &["resumptionToken"]),
    ("ListIdentifiers", Verb::ListIdentifiers, &["metadataPrefix"], &["from", "until", "set"]),
    ("ListRecords", Verb::ListRecords, &["metadataPrefix"], &["from", "until", "set"]),
    ("GetRecord", Verb::GetRecord, &["identifier", "metadataPrefix"], &[]),
];

/// A metadata format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Ead,
    Of(Harvest),
}

/// Formats with their prefixes, schemas and namespaces, in the order in which they are listed.
pub(super) const FORMATS: [(Format, &str, &str, &str); 5] = [
    (
        Format::Of(Harvest::DublinCore),
        "oai_dc",
        "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
        "http://www.openarchives.org/OAI/2.0/oai_dc/",
    ),
    (Format::Ead, "oai_ead", "https://www.loc.gov/ead/ead.xsd", "http://www.loc.gov/ead/"),
    (
        Format::Of(Harvest::DublinCoreTerms),
        "oai_dcterms",
        "http://dublincore.org/schemas/xmls/qdc/2008/02/11/dcterms.xsd",
        "http://purl.org/dc/terms/",
    ),
    (
        Format::Of(Harvest::Marc),
        "oai_marc",
        "https://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd",
        "http://www.loc.gov/MARC21/slim",
    ),
    (
        Format::Of(Harvest::Mods),
        "oai_mods",
        "https://www.loc.gov/standards/mods/v3/mods-3-6.xsd",
        "http://www.loc.gov/mods/v3",
    ),
];

impl Format {
    /// The format with this prefix.
    pub(super) fn named(prefix: &str) -> Option<Self> {
        FORMATS.iter().find(|(_, name, ..)| *name == prefix).map(|(format, ..)| *format)
    }

    /// The types of records that can be given in it, in the order in which they are.
    pub(super) fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Ead => &["resource"],
            Self::Of(_) => &["archival_object", "resource"],
        }
    }

    /// How many records a list gives at once.
    pub(super) fn page(self) -> usize {
        match self {
            Self::Ead => 1,
            Self::Of(_) => 25,
        }
    }
}

/// A request that can be answered.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) verb: Verb,
    pub(super) identifier: Option<String>,
    /// Of lists and single records; others have the first.
    pub(super) format: Format,
    /// What a list is asked for, and how far it is.
    pub(super) token: Token,
}

impl Request {
    /// Reads a request.
    pub(super) fn read(asked: &Asked) -> Result<Self, Wrong> {
        let wrong = |text| (BAD_ARGUMENT, text);
        let verb = VERBS.iter().find(|(name, ..)| Some(*name) == asked.verb);
        let Some((_, verb, needed, allowed)) = verb else {
            return Err(("badVerb", "The verb is missing, or it is none of OAI-PMH."));
        };
        let given = asked.given();
        let has = |name: &str| given.iter().any(|(of, _)| *of == name);
        let lists = matches!(verb, Verb::ListIdentifiers | Verb::ListRecords);
        if lists && let Some(text) = asked.resumption_token {
            if given.len() > 2 {
                return Err(wrong("A resumption token comes without other arguments."));
            }
            let token = Token::read(text);
            let token = token.ok_or(("badResumptionToken", "The resumption token is not one of this server."))?;
            let format = Format::named(&token.prefix).ok_or(NO_FORMAT)?;
            return Ok(Self { verb: *verb, identifier: None, format, token });
        }
        if !needed.iter().all(|name| has(name)) {
            return Err(wrong("An argument that the verb needs is missing."));
        }
        let fits = |name: &str| name == "verb" || needed.contains(&name) || allowed.contains(&name);
        if !given.iter().all(|(name, _)| fits(name)) {
            return Err(wrong("The verb does not have one of the arguments."));
        }
        if has("resumptionToken") {
            return Err(("badResumptionToken", "Sets are listed at once."));
        }
        let prefix = asked.metadata_prefix.unwrap_or("oai_dc");
        let format = Format::named(prefix).ok_or(NO_FORMAT)?;
        let [from, until] = [asked.from, asked.until].map(|time| time.map(Range::read).transpose());
        let unreadable = wrong("A date is YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.");
        let (from, until) = (from.map_err(|()| unreadable)?, until.map_err(|()| unreadable)?);
        if let (Some(from), Some(until)) = (from, until)
            && (from.is_day != until.is_day || from.begin > until.begin)
        {
            return Err(wrong("The dates are not of the same form, or the first is after the second."));
        }
        let token = Token::new(
            prefix,
            asked.set,
            from.map_or(Timestamp::MIN, |from| from.begin),
            until.map_or(Timestamp::MAX, |until| until.end),
        );
        Ok(Self { verb: *verb, identifier: asked.identifier.map(str::to_owned), format, token })
    }
}

/// The second or the day that a date names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    begin: Timestamp,
    /// The moment after it.
    end: Timestamp,
    is_day: bool,
}

impl Range {
    fn read(text: &str) -> Result<Self, ()> {
        let day = text.len() == 10;
        let begin = if day {
            let date: Date = text.parse().map_err(|_| ())?;
            date.to_zoned(TimeZone::UTC).map_err(|_| ())?.timestamp()
        } else {
            text.parse().map_err(|_| ())?
        };
        let end = begin.checked_add(if day { 24.hours() } else { 1.second() }).map_err(|_| ())?;
        Ok(Self { begin, end, is_day: day })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(asked: &Asked) -> &'static str {
        Request::read(asked).map_or_else(|(code, _)| code, |_| "")
    }

    #[test]
    fn requests_have_the_arguments_of_their_verbs() {
        let records = || Asked { verb: Some("ListRecords"), metadata_prefix: Some("oai_dc"), ..Asked::default() };
        for (asked, wanted) in [
            (Asked::default(), "badVerb"),
            (Asked { verb: Some("List"), ..Asked::default() }, "badVerb"),
            (Asked { verb: Some("Identify"), ..Asked::default() }, ""),
            (Asked { verb: Some("Identify"), set: Some("fonds"), ..Asked::default() }, "badArgument"),
            (Asked { verb: Some("GetRecord"), metadata_prefix: Some("oai_dc"), ..Asked::default() }, "badArgument"),
            (Asked { verb: Some("ListRecords"), ..Asked::default() }, "badArgument"),
            (records(), ""),
            (Asked { metadata_prefix: Some("oai_xyz"), ..records() }, "cannotDisseminateFormat"),
            (Asked { from: Some("1975-01-01"), until: Some("1976-01-01"), ..records() }, ""),
            (Asked { from: Some("1977-01-01"), until: Some("1976-01-01"), ..records() }, "badArgument"),
            (Asked { from: Some("1975-01-01"), until: Some("1976-01-01T00:00:00Z"), ..records() }, "badArgument"),
            (Asked { from: Some("yesterday"), ..records() }, "badArgument"),
            (Asked { resumption_token: Some("x"), ..records() }, "badArgument"),
            (
                Asked { verb: Some("ListRecords"), resumption_token: Some("x"), ..Asked::default() },
                "badResumptionToken",
            ),
        ] {
            assert_eq!(code(&asked), wanted, "{asked:?}");
        }
    }

    #[test]
    fn the_last_day_is_part_of_a_range() {
        let asked = Asked {
            verb: Some("ListRecords"),
            metadata_prefix: Some("oai_dc"),
            from: Some("2020-02-28"),
            until: Some("2020-02-29"),
            ..Asked::default()
        };
        let token = Request::read(&asked).expect("a request").token;
        assert_eq!(token.from().to_string(), "2020-02-28T00:00:00Z");
        assert_eq!(token.before().to_string(), "2020-03-01T00:00:00Z");
    }
}
