//! ARKs of records (contract 3.5: `ark_name`): what they are, and how records get them, when they are saved or by a job.

use serde_json::{Map, Value, json};
use store::{Session, db::Parameter, statements::writes::MINT_ARCHIVAL_ARKS};

use crate::refusal::Refusal;

/// The scope of the keys of ARKs, which no two records share.
pub(crate) const SCOPE: &str = "ark";
/// What the key of an ARK begins with.
const KEY_BEGINS: &str = "ark:";
/// What every ARK has.
const BEGINS: &str = "ark:/";
/// Types of records with ARKs.
pub(crate) const KINDS: [&str; 2] = ["archival_object", "resource"];
/// The number for tests, which ARKs of a new ArchivesSpace have.
const FOR_TESTS: &str = "99999";
/// How many characters an ARK has at most.
const LONGEST: usize = 1000;

/// How a library makes ARKs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbering {
    /// The number of the library as a naming authority. Without one no ARKs are made.
    pub authority: Option<String>,
    /// What stands before an ARK, without a slash at its end.
    pub address: String,
    /// What stands between the shoulder of a repository and a number.
    pub delimiter: String,
}

/// What happens to the ARKs of a record.
#[derive(Debug, PartialEq)]
pub(crate) enum Renewed {
    /// They stay.
    No,
    /// An earlier one is the current one again.
    Back(Value),
    /// It gets a new one.
    New(Value),
}

impl Numbering {
    /// What the library's own ARKs begin with, whatever their repository.
    pub(crate) fn own(&self) -> String {
        format!("{BEGINS}{}/", self.authority.as_deref().unwrap_or(FOR_TESTS))
    }

    /// What the ARKs of a repository begin with; none if no ARKs are made.
    pub(crate) fn stem(&self, shoulder: &str) -> Option<String> {
        self.authority.as_ref()?;
        let delimiter = if shoulder.is_empty() { "" } else { &self.delimiter };
        Some(format!("{}{shoulder}{delimiter}", self.own()))
    }

    /// What becomes of the ARKs that a record has. It gets a new one if it has none, or if its own begins with something else
    /// than the ARKs of its repository do by now; what it had stays among the earlier ones. One that is somebody else's stays. `new` makes
    /// an ARK.
    pub(crate) fn renewed(&self, ark: &Value, stem: &str, new: impl FnOnce() -> Option<String>) -> Renewed {
        let is_ours = |text: &str| {
            let key = key(text);
            let number = key.strip_prefix(stem).unwrap_or_default();
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        let current = ark["current"].as_str();
        if ark["current_is_external"] == true || current.is_some_and(is_ours) {
            return Renewed::No;
        }
        let mut previous: Vec<Value> = ark["previous"].as_array().cloned().unwrap_or_default();
        let back = previous.iter().position(|text| text.as_str().is_some_and(is_ours));
        let back = back.map(|at| previous.remove(at));
        previous.splice(0..0, current.map(Value::from));
        let with = |current: Value| json!({"current": current, "current_is_external": false, "previous": previous});
        match back {
            Some(back) => Renewed::Back(with(back)),
            None => match new() {
                Some(key) => Renewed::New(with(self.whole(&key).into())),
                None => Renewed::No,
            },
        }
    }

    /// An ARK of the library with the address before it.
    fn whole(&self, key: &str) -> String {
        format!("{}/{key}", self.address)
    }

    /// What a source says of a record's ARKs: the current one, and those of the library that it had.
    fn imported(&self, record: &mut Map<String, Value>) -> Option<Value> {
        let own = self.own();
        let shown = |text: &str| if text.contains(&own) { self.whole(&key(text)) } else { text.to_owned() };
        let current = record.shift_remove("import_current_ark");
        let current = current.as_ref().and_then(Value::as_str).filter(|text| !text.is_empty());
        let previous = record.shift_remove("import_previous_arks").unwrap_or_default();
        let previous = previous.as_array().into_iter().flatten().filter_map(Value::as_str);
        let previous: Vec<String> = previous.filter(|text| text.contains(&own)).map(shown).collect();
        if current.is_none() && previous.is_empty() {
            return None;
        }
        let mut ark = json!({"previous": previous});
        if let Some(text) = current {
            ark["current"] = shown(text).into();
            ark["current_is_external"] = (!text.contains(&own)).into();
        }
        Some(ark)
    }

    /// Gives a record that is saved the ARK that it need not get a new one for: that of the source it is imported from, else the
    /// address that its client calls its ARK, else its own. Returns whether it needs a new one.
    pub(crate) fn settle(&self, record: &mut Map<String, Value>) -> bool {
        let imported = self.imported(record);
        let is_decided = imported.as_ref().is_some_and(|ark| ark["current"].is_string());
        let stored = record.shift_remove("ark_name");
        let mut ark = imported.or(stored).unwrap_or_else(|| json!({"previous": []}));
        let external =
            record.shift_remove("external_ark_url").filter(|url| url.as_str().is_some_and(|url| !url.is_empty()));
        let was_external = ark["current_is_external"] == true;
        let before = ark["current"].clone();
        let mut previous: Vec<Value> = ark["previous"].as_array().cloned().unwrap_or_default();
        match external {
            _ if is_decided => {}
            Some(url) if was_external && before == url => {}
            Some(url) => {
                previous.splice(0..0, Some(before).filter(|before| before.is_string() && !was_external));
                ark = json!({"current": url, "current_is_external": true, "previous": previous});
            }
            None if was_external => {
                // What it had before comes back.
                let own = self.own();
                let back = previous.iter().position(|text| text.as_str().is_some_and(|text| text.contains(&own)));
                let back = back.map(|at| previous.remove(at));
                ark = json!({"previous": previous});
                if let Some(back) = back {
                    ark["current"] = back;
                    ark["current_is_external"] = false.into();
                }
            }
            None => {}
        }
        if ark["current_is_external"] == true {
            record.insert("external_ark_url".to_owned(), ark["current"].clone());
        }
        let needs = !ark["current"].is_string();
        record.insert("ark_name".to_owned(), ark);
        needs
    }

    /// Gives a record that needs one a new ARK.
    pub(crate) fn give(&self, record: &mut Map<String, Value>, key: &str) {
        let Some(ark) = record.get_mut("ark_name") else { return };
        ark["current"] = self.whole(key).into();
        ark["current_is_external"] = false.into();
    }
}

/// Gives records that are saved an ARK, if the library makes ARKs, and they are of a type that has them and have none: the address
/// that its client calls its ARK, else a new one. One round trip if one of them needs a new one.
///
/// # Errors
/// The database.
pub(crate) async fn give<'r>(
    session: &Session,
    (kind, repository): (&str, Option<i64>),
    records: impl IntoIterator<Item = &'r mut Map<String, Value>>,
    numbering: &Numbering,
) -> Result<(), Refusal> {
    if numbering.authority.is_none() || !KINDS.contains(&kind) {
        return Ok(());
    }
    let needing: Vec<_> = records.into_iter().filter_map(|record| numbering.settle(record).then_some(record)).collect();
    if needing.is_empty() {
        return Ok(());
    }
    let many = i32::try_from(needing.len()).unwrap_or(i32::MAX);
    let parameters: [Parameter<'_>; 4] = [&repository, &numbering.own(), &numbering.delimiter, &many];
    let new: Vec<String> = session.value(MINT_ARCHIVAL_ARKS, &parameters).await?;
    for (record, key) in needing.into_iter().zip(new) {
        numbering.give(record, &key);
    }
    Ok(())
}

/// The keys of a record's ARKs: one for each, from `ark:` on, whatever address is before it. That of an external one says at which
/// address it is.
pub(crate) fn keys(record: &Map<String, Value>) -> Vec<Value> {
    let Some(ark) = record.get("ark_name") else { return Vec::new() };
    let previous = ark["previous"].as_array().into_iter().flatten();
    let mut keys: Vec<Value> = Vec::new();
    for (place, text) in std::iter::once(&ark["current"]).chain(previous).enumerate() {
        let Some(text) = text.as_str() else { continue };
        let value = key(text);
        if keys.iter().any(|key| key["value"] == value.as_str()) {
            continue;
        }
        let mut key = json!({"scope": SCOPE, "value": value});
        if place == 0 && ark["current_is_external"] == true {
            key["at"] = text.into();
        }
        keys.push(key);
    }
    keys
}

/// What clients are told of an ARK that another record has, whose current one is `ark`: the property and the message.
pub(crate) fn collision(taken: &Value) -> (&'static str, &'static str) {
    match taken["at"].is_string() && taken["at"] == taken["ark"] {
        true => ("external_ark_url", "external_ark_collision"),
        false => (SCOPE, "ark_collision"),
    }
}

/// What ARKs are told apart by.
pub(crate) fn key(text: &str) -> String {
    match text.to_ascii_lowercase().find(KEY_BEGINS) {
        Some(at) => format!("{KEY_BEGINS}{}", &text[at + KEY_BEGINS.len()..]),
        None => text.to_owned(),
    }
}

/// The ARKs that an administrator gives, as a record shows them. A current one that is not of the own kind is external.
///
/// # Errors
/// Something is no ARK.
pub(crate) fn given(given: &Map<String, Value>, own: &str) -> Result<Value, Refusal> {
    let wrong = |text: &str| Refusal::Taken(Map::from_iter([("ark".to_owned(), json!([text]))]));
    let is_external = given.get("current_is_external") == Some(&Value::Bool(true));
    let previous = given.get("previous").cloned().unwrap_or_else(|| json!([]));
    let current = given.get("current").and_then(Value::as_str);
    let texts = previous.as_array().into_iter().flatten().filter_map(Value::as_str);
    if texts.clone().chain(current).any(|text| text.chars().count() > LONGEST) {
        return Err(wrong("ark_too_long"));
    }
    if texts.clone().any(|text| !text.contains(BEGINS)) {
        return Err(wrong("ark_format_error"));
    }
    let mut ark = json!({"previous": previous});
    if let Some(current) = current {
        ark["current"] = current.into();
        ark["current_is_external"] = (is_external || !current.contains(own)).into();
    }
    Ok(ark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: Value) -> Result<Value, u16> {
        let refused = |refusal: Refusal| refusal.answer().map_or(500, |(status, _)| status);
        super::given(given.as_object().expect("an object"), &Numbering::default().own()).map_err(refused)
    }

    #[test]
    fn a_record_keeps_its_ark_until_its_repository_has_others() {
        let numbering = Numbering {
            authority: Some("12345".to_owned()),
            address: "https://x.example".to_owned(),
            delimiter: "-".to_owned(),
        };
        let stem = numbering.stem("ab").expect("ARKs are made");
        assert_eq!(stem, "ark:/12345/ab-");
        assert_eq!(numbering.stem(""), Some("ark:/12345/".to_owned()));
        assert_eq!(Numbering::default().stem("ab"), None);
        let new = || Some(format!("{stem}9"));
        let renewed = |ark: Value| numbering.renewed(&ark, &stem, new);
        let of = |current: &str, previous: Value| json!({"current": current, "current_is_external": false, "previous": previous});
        let (first, old) = ("https://x.example/ark:/12345/ab-9", "https://x.example/ark:/12345/7");
        assert_eq!(renewed(Value::Null), Renewed::New(of(first, json!([]))));
        assert_eq!(renewed(json!({"previous": [old]})), Renewed::New(of(first, json!([old]))));
        assert_eq!(renewed(of(old, json!(["ark:/1/2"]))), Renewed::New(of(first, json!([old, "ark:/1/2"]))));
        for stays in [of(first, json!([])), of("http://other.example/ark:/12345/ab-77", json!([]))] {
            assert_eq!(renewed(stays), Renewed::No);
        }
        assert_eq!(renewed(json!({"current": "ark:/1/2", "current_is_external": true})), Renewed::No);
        let earlier = "https://x.example/ark:/12345/ab-3";
        assert_eq!(renewed(of(old, json!([earlier]))), Renewed::Back(of(earlier, json!([old]))));
    }

    #[test]
    fn arks_are_told_apart_without_the_address_before_them() {
        let record = json!({"ark_name": {"current": "https://n2t.net/ARK:/1/2", "previous": ["ark:/1/1", "ark:/1/2"]}});
        assert_eq!(
            json!(keys(record.as_object().expect("an object"))),
            json!([{"scope": "ark", "value": "ark:/1/2"}, {"scope": "ark", "value": "ark:/1/1"}])
        );
        assert_eq!(key("https://example.org/1"), "https://example.org/1");
    }

    #[test]
    fn a_record_keeps_gets_or_lacks_an_ark() {
        let numbering = Numbering {
            authority: Some("12345".to_owned()),
            address: "https://x.example".to_owned(),
            delimiter: String::new(),
        };
        let (own, foreign, other) =
            ("https://x.example/ark:/12345/7", "https://n2t.net/ark:/1/7", "https://n2t.net/ark:/1/8");
        let of = |current: &str, external: bool, previous: Value| {
            let mut record =
                json!({"ark_name": {"current": current, "current_is_external": external, "previous": previous}});
            if external {
                record["external_ark_url"] = current.into();
            }
            record
        };
        let from = |url: &str, mut record: Value| {
            record["external_ark_url"] = url.into();
            record
        };
        let without = |mut record: Value| {
            record.as_object_mut().expect("an object").shift_remove("external_ark_url");
            record
        };
        let source =
            |current: &str, previous: Value| json!({"import_current_ark": current, "import_previous_arks": previous});
        for (record, expected) in [
            (json!({}), None),
            (of(own, false, json!([])), Some(of(own, false, json!([])))),
            (of(foreign, true, json!([])), Some(of(foreign, true, json!([])))),
            (from(foreign, json!({})), Some(of(foreign, true, json!([])))),
            (from(foreign, of(own, false, json!([]))), Some(of(foreign, true, json!([own])))),
            (from(other, of(foreign, true, json!([own]))), Some(of(other, true, json!([own])))),
            (without(of(foreign, true, json!([own]))), Some(of(own, false, json!([])))),
            (without(of(foreign, true, json!([]))), None),
            (
                source(foreign, json!(["ark:/12345/3", other])),
                Some(of(foreign, true, json!(["https://x.example/ark:/12345/3"]))),
            ),
            (from(other, source("ark:/12345/7", json!([]))), Some(of(own, false, json!([])))),
            (source("", json!(["ark:/12345/7"])), None),
        ] {
            let mut settled = record.as_object().cloned().expect("an object");
            let needs = numbering.settle(&mut settled);
            match expected {
                Some(expected) => assert_eq!((needs, Value::Object(settled)), (false, expected), "{record}"),
                None => assert!(needs && !settled.contains_key("external_ark_url"), "{record}"),
            }
        }
    }

    #[test]
    fn an_external_ark_collides_with_the_same_address() {
        let record =
            json!({"ark_name": {"current": "https://n2t.net/ark:/1/2", "current_is_external": true, "previous": []}});
        let mut taken = keys(record.as_object().expect("an object"))[0].clone();
        taken["ark"] = "https://n2t.net/ark:/1/2".into();
        assert_eq!(collision(&taken), ("external_ark_url", "external_ark_collision"));
        taken["ark"] = "https://example.org/ark:/1/2".into();
        assert_eq!(collision(&taken), ("ark", "ark_collision"));
        assert_eq!(collision(&json!({"scope": "ark"})), ("ark", "ark_collision"));
    }

    #[test]
    fn a_foreign_ark_is_external() {
        let own = json!({"current": "http://localhost:3001/ark:/99999/7"});
        assert_eq!(of(own).map(|ark| ark["current_is_external"].clone()), Ok(json!(false)));
        let foreign = json!({"current": "http://n2t.net/ark:/1/7", "previous": ["ark:/99999/1"]});
        let expected =
            json!({"current": "http://n2t.net/ark:/1/7", "current_is_external": true, "previous": ["ark:/99999/1"]});
        assert_eq!(of(foreign), Ok(expected));
        assert_eq!(of(json!({})), Ok(json!({"previous": []})));
        assert_eq!(of(json!({"previous": ["7"]})), Err(400));
        assert_eq!(of(json!({"current": "x".repeat(1001)})), Err(400));
    }
}
