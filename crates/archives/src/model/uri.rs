//! URIs of records, such as `/repositories/2/resources/17`.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use super::declaration::RecordType;
use super::registry::record_types;

/// The URI of a stored record.
#[derive(Debug, Clone, Copy)]
pub struct Uri {
    /// The repository it belongs to.
    pub repository: Option<i64>,
    /// What kind of record it is.
    pub kind: &'static RecordType,
    /// The number within its kind.
    pub id: i64,
}

impl PartialEq for Uri {
    fn eq(&self, other: &Self) -> bool {
        (self.repository, self.id, &self.kind.name) == (other.repository, other.id, &other.kind.name)
    }
}

impl Eq for Uri {}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let template = self.kind.uri.as_deref().unwrap_or_default();
        match (self.repository, template.strip_prefix(IN_REPOSITORY)) {
            (Some(repository), Some(rest)) => write!(f, "/repositories/{repository}{rest}/{}", self.id),
            _ => write!(f, "{template}/{}", self.id),
        }
    }
}

const IN_REPOSITORY: &str = "/repositories/:repo_id";

/// The types whose place has no parameter but the repository, by whether it has that, and the rest of the place.
static PLACES: LazyLock<HashMap<(bool, &str), &RecordType>> = LazyLock::new(|| {
    let place = |kind: &'static RecordType| {
        let template = kind.uri.as_deref()?;
        let within = template.strip_prefix(IN_REPOSITORY);
        let rest = within.unwrap_or(template);
        (!rest.is_empty() && !rest.contains(':')).then_some(((within.is_some(), rest), kind))
    };
    record_types().iter().filter_map(place).collect()
});

impl Uri {
    /// What the text points to; `None` if it is not the URI of a stored record. What follows a `#` is ignored.
    pub fn parse(text: &str) -> Option<Uri> {
        let parts = Parts::of(text)?;
        parts.at(PLACES.get(&(parts.repository.is_some(), parts.path))?)
    }

    /// The same, where the kind is known.
    pub(crate) fn parse_as(text: &str, kind: &'static RecordType) -> Option<Uri> {
        let parts = Parts::of(text)?;
        if parts.fit(kind) { parts.at(kind) } else { None }
    }
}

/// Whether the text can be the URI of a record of the type; in an import, of one that has no number yet, too:
/// `/subjects/import_` and hexadecimal digits.
pub fn fits(text: &str, kind: &RecordType, in_import: bool) -> bool {
    Parts::of(text)
        .is_some_and(|parts| parts.fit(kind) && (number(parts.id).is_some() || (in_import && is_temporary(parts.id))))
}

fn is_temporary(id: &str) -> bool {
    let digits = id.strip_prefix("import_").unwrap_or_default();
    !digits.is_empty() && digits.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f' | '-'))
}

fn number(text: &str) -> Option<i64> {
    if text.chars().all(|c| c.is_ascii_digit()) { text.parse().ok() } else { None }
}

struct Parts<'a> {
    repository: Option<i64>,
    path: &'a str,
    id: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (path, id) = text.split('#').next()?.rsplit_once('/')?;
        let within = path.strip_prefix("/repositories/").and_then(|rest| rest.split_once('/'));
        let repository = within.and_then(|(repository, _)| number(repository));
        let path = match within {
            Some((digits, _)) if repository.is_some() => &path["/repositories/".len() + digits.len()..],
            _ => path,
        };
        Some(Self { repository, path, id })
    }

    fn fit(&self, kind: &RecordType) -> bool {
        match kind.uri.as_deref() {
            None => false,
            Some(template) => match template.strip_prefix(IN_REPOSITORY) {
                Some(rest) => self.repository.is_some() && rest == self.path,
                None => self.repository.is_none() && template == self.path,
            },
        }
    }

    fn at(&self, kind: &'static RecordType) -> Option<Uri> {
        Some(Uri { repository: self.repository, kind, id: number(self.id)? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::registry::record_type;
    use super::*;

    #[test]
    fn a_uri_is_read_and_written() {
        let cases = [
            ("/repositories/2/resources/17", Some(2), "resource", 17),
            ("/repositories/2/archival_objects/1", Some(2), "archival_object", 1),
            ("/repositories/2", None, "repository", 2),
            ("/agents/corporate_entities/3", None, "agent_corporate_entity", 3),
            ("/config/enumerations/5", None, "enumeration", 5),
            ("/subjects/9", None, "subject", 9),
        ];
        for (text, repository, kind, id) in cases {
            let uri = Uri::parse(text).unwrap();
            assert_eq!((uri.repository, uri.kind.name.as_str(), uri.id), (repository, kind, id));
            assert_eq!(uri.to_string(), text);
            assert_eq!(Uri::parse_as(text, uri.kind), Some(uri));
        }
        assert_eq!(Uri::parse("/subjects/9#x"), Uri::parse("/subjects/9"));
    }

    #[test]
    fn what_is_no_uri_is_none() {
        let cases = ["", "/", "subjects/1", "/subjects", "/subjects/x", "/subjects/-1", "/resources/1", "/extents/1"];
        for text in cases.into_iter().chain(["/repositories/x/resources/1", "/repositories/2/subjects/1", "/subjects/"])
        {
            assert_eq!(Uri::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_type_with_a_plain_place_has_its_own() {
        let mut places: Vec<_> = record_types().iter().filter_map(|kind| kind.uri.as_deref()).collect();
        places.retain(|place| !place.trim_start_matches(IN_REPOSITORY).contains(':'));
        let count = places.len();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), count);
        assert!(count > 30);
    }

    #[test]
    fn an_import_points_to_records_without_a_number() {
        let subject = record_type("subject").unwrap();
        assert!(fits("/subjects/1", subject, false));
        assert!(fits("/subjects/import_0a-1f", subject, true));
        assert!(!fits("/subjects/import_0a-1f", subject, false));
        assert!(!fits("/subjects/import_xyz", subject, true));
    }
}
