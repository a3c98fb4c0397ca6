//! Parameters of a request: from the path, the query and forms, checked and named in refusals as ArchivesSpace does
//! (contract 1.3, 2).

use std::collections::BTreeMap;

use archives::refusal::Refusal;
use serde_json::{Map, Value, json};

/// What a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Integer,
    Boolean,
    Texts,
    Integers,
}

impl Kind {
    /// The name in messages.
    fn name(self) -> &'static str {
        match self {
            Self::Text => "String",
            Self::Integer => "Integer",
            Self::Boolean => "RESTHelpers::BooleanParam",
            Self::Texts => "[String]",
            Self::Integers => "[Integer]",
        }
    }

    fn is_list(self) -> bool {
        matches!(self, Self::Texts | Self::Integers)
    }
}

/// A declared parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parameter {
    name: String,
    kind: Kind,
    required: bool,
}

impl Parameter {
    /// Reads `name:kind` or, of a required one, `name!:kind`; kinds are `text`, `int`, `bool`, `texts` and `ints`.
    pub(super) fn read(text: &str) -> Self {
        let (name, kind) = text.split_once(':').unwrap_or((text, "text"));
        let kind = match kind {
            "int" => Kind::Integer,
            "bool" => Kind::Boolean,
            "texts" => Kind::Texts,
            "ints" => Kind::Integers,
            "text" => Kind::Text,
            other => panic!("{text}: a parameter cannot be {other}"),
        };
        Self { name: name.trim_end_matches('!').to_owned(), kind, required: name.ends_with('!') }
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it must be there.
    pub(super) fn is_required(&self) -> bool {
        self.required
    }

    /// Whether it is a list, which clients write `name[]`.
    pub(super) fn is_list(&self) -> bool {
        self.kind.is_list()
    }

    /// Its JSON schema.
    pub(super) fn schema(&self) -> Value {
        match self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Integer => json!({"type": "integer"}),
            Kind::Boolean => json!({"type": "boolean"}),
            Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
            Kind::Integers => json!({"type": "array", "items": {"type": "integer"}}),
        }
    }

    /// Whether it has the name.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    pub(super) fn integer(name: &str) -> Self {
        Self { name: name.to_owned(), kind: Kind::Integer, required: true }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Given {
    One(String),
    Many(Vec<String>),
}

/// What a client sent, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parameters(BTreeMap<String, Given>);

impl Parameters {
    /// Collects pairs; later ones win. `x[]=a&x[]=b` and `x[0]=a&x[1]=b` are lists.
    pub(super) fn collect(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut all: BTreeMap<String, Given> = BTreeMap::new();
        let mut indexed: BTreeMap<String, BTreeMap<usize, String>> = BTreeMap::new();
        for (name, value) in pairs {
            let index = name.strip_suffix(']').and_then(|name| name.split_once('['));
            match index {
                None => {
                    all.insert(name, Given::One(value));
                }
                Some((list, "")) => match all.entry(list.to_owned()).or_insert_with(|| Given::Many(Vec::new())) {
                    Given::Many(values) => values.push(value),
                    one @ Given::One(_) => *one = Given::Many(vec![value]),
                },
                Some((list, place)) => {
                    if let Ok(place) = place.parse() {
                        indexed.entry(list.to_owned()).or_default().insert(place, value);
                    }
                }
            }
        }
        let lists = indexed.into_iter().map(|(name, values)| (name, Given::Many(values.into_values().collect())));
        all.extend(lists);
        Self(all)
    }

    /// Checks that all required parameters are there and all are what they are declared to be.
    pub(super) fn check(&self, declared: &[Parameter]) -> Result<(), Map<String, Value>> {
        let mut wrong = Map::new();
        for parameter in declared {
            let message = match self.0.get(&parameter.name) {
                None if parameter.required => Some("Parameter required but no value provided".to_owned()),
                None => None,
                Some(given) => parameter.mistake(given),
            };
            if let Some(message) = message {
                wrong.insert(parameter.name.clone(), json!([message]));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            Given::One(value) => Some(value),
            Given::Many(_) => None,
        }
    }

    pub(super) fn texts(&self, name: &str) -> &[String] {
        match self.0.get(name) {
            Some(Given::Many(values)) => values,
            _ => &[],
        }
    }

    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        integer(self.text(name)?)
    }

    pub(super) fn integers(&self, name: &str) -> Vec<i64> {
        self.texts(name).iter().filter_map(|value| integer(value)).collect()
    }

    pub(super) fn boolean(&self, name: &str) -> Option<bool> {
        boolean(self.text(name)?)
    }

    /// A parameter of lists that must be a number from 0.
    pub(super) fn count(&self, name: &str) -> Result<Option<i64>, Refusal> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match integer(text).filter(|number| *number >= 0) {
            Some(number) => Ok(Some(number)),
            None => {
                Err(Refusal::parameter(name, format!("Wanted type RESTHelpers::NonNegativeInteger but got '{text}'")))
            }
        }
    }

    /// The ids of `id_set`: a list, or numbers with commas between them.
    pub(super) fn id_set(&self, most: usize) -> Result<Option<Vec<i64>>, Refusal> {
        let given: Vec<&str> = match self.0.get("id_set") {
            None => return Ok(None),
            Some(Given::One(text)) => text.split(',').collect(),
            Some(Given::Many(values)) => values.iter().map(String::as_str).collect(),
        };
        let mut ids = Vec::new();
        for text in &given {
            match integer(text) {
                Some(id) if !ids.contains(&id) => ids.push(id),
                Some(_) => {}
                None => {
                    let wrong = format!("Wanted type RESTHelpers::IdSet but got '{}'", given.join(","));
                    return Err(Refusal::parameter("id_set", wrong));
                }
            }
        }
        if ids.len() > most {
            return Err(Refusal::parameter("id_set", format!("ID set cannot contain more than {most} IDs")));
        }
        Ok(Some(ids))
    }
}

impl Parameter {
    fn mistake(&self, given: &Given) -> Option<String> {
        let fits = |value: &str| match self.kind {
            Kind::Text | Kind::Texts => true,
            Kind::Integer | Kind::Integers => integer(value).is_some(),
            Kind::Boolean => boolean(value).is_some(),
        };
        let name = self.kind.name();
        match given {
            Given::One(value) if self.kind.is_list() => {
                let mut message = format!("Wanted type {name} but got '{value}'");
                if self.kind == Kind::Texts {
                    let escaped = percent_encoding::utf8_percent_encode(value, percent_encoding::NON_ALPHANUMERIC);
                    message.push_str(".  Perhaps you meant to specify an array like: ");
                    message.push_str(&format!("{}[]={escaped}", self.name));
                }
                Some(message)
            }
            Given::One(value) => (!fits(value)).then(|| format!("Wanted type {name} but got '{value}'")),
            Given::Many(values) => {
                let fit = self.kind.is_list() && values.iter().all(|value| fits(value));
                (!fit).then(|| format!("Wanted type {name} but got '{values:?}'"))
            }
        }
    }
}

fn integer(text: &str) -> Option<i64> {
    text.trim().parse().ok()
}

/// `true` or `false` in any case.
fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(pairs: &[(&str, &str)]) -> Parameters {
        Parameters::collect(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn lists_are_collected() {
        let all = sent(&[("a[]", "1"), ("a[]", "2"), ("b[1]", "y"), ("b[0]", "x"), ("c", "z")]);
        assert_eq!(all.texts("a"), ["1", "2"]);
        assert_eq!(all.integers("a"), [1, 2]);
        assert_eq!(all.texts("b"), ["x", "y"]);
        assert_eq!((all.text("c"), all.texts("c").len()), (Some("z"), 0));
    }

    #[test]
    fn mistakes_are_told_by_parameter() {
        let declared: Vec<_> =
            "id!:int published_only:bool resolve:texts offset!:int".split(' ').map(Parameter::read).collect();
        let wrong = sent(&[("id", "x"), ("published_only", "yes"), ("resolve", "a b")]).check(&declared);
        assert_eq!(
            wrong.map_err(Value::Object),
            Err(json!({
                "id": ["Wanted type Integer but got 'x'"],
                "published_only": ["Wanted type RESTHelpers::BooleanParam but got 'yes'"],
                "resolve": ["Wanted type [String] but got 'a b'.  Perhaps you meant to specify an array like: \
                             resolve[]=a%20b"],
                "offset": ["Parameter required but no value provided"]}))
        );
        let right = sent(&[("id", "1"), ("published_only", "True"), ("offset", "0"), ("other", "?")]);
        assert_eq!(right.check(&declared), Ok(()));
        assert_eq!(right.boolean("published_only"), Some(true));
    }

    #[test]
    fn an_id_set_is_a_list_or_has_commas() {
        assert_eq!(sent(&[("id_set", "3,1,3")]).id_set(9).expect("ids"), Some(vec![3, 1]));
        assert_eq!(sent(&[("id_set[]", "3"), ("id_set[]", "4")]).id_set(9).expect("ids"), Some(vec![3, 4]));
        assert_eq!(sent(&[]).id_set(9).expect("none"), None);
        for wrong in ["1,x", "1,2,3"] {
            assert!(sent(&[("id_set", wrong)]).id_set(2).is_err(), "{wrong}");
        }
    }
}
