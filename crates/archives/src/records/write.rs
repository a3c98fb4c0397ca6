//! Writing records. Each write is one statement that checks references, unique keys and the version that the client read,
//! and writes nothing if one of them does not hold.

use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    db::Parameter,
    statements::{
        archives::FIND_RECORD,
        writes::{
            ADD_ARCHIVAL, CHANGE_ARCHIVAL, CHANGE_ARCHIVAL_TOGETHER, DELETE_ARCHIVAL, PUBLISH_ARCHIVAL,
            SUPPRESS_ARCHIVAL,
        },
    },
};

use super::{Author, Place, derived, keys};
use crate::{
    arks,
    model::{Checked, Uri, record_type, references},
    nodes,
    refusal::Refusal,
};

/// Adds a record and returns its id. One round trip, one more for a node that is not to be the last of its siblings, and one more
/// for a new ARK.
pub async fn add(session: &Session, place: Place, checked: Checked, author: &Author) -> Result<i64, Refusal> {
    let mut record = checked.record;
    let slot = record.remove("position").and_then(|slot| slot.as_i64());
    arks::give(session, (place.kind, place.repository), [&mut record], &author.arks).await?;
    let entry = prepare(place, record)?;
    let (root, parent) = (entry["root"].as_i64(), entry["parent"].as_i64());
    let entries = Value::Array(vec![entry]);
    let id = first_id(settled(session, ADD_ARCHIVAL, &[&entries, &author.name, &author.now]).await)?;
    if let (Some(slot), Some(root)) = (slot, root) {
        nodes::put(session, place.kind, &[id], nodes::Slot { root, parent, slot }, author.now).await?;
    }
    Ok(id)
}

/// The same for several records, in one statement: all of them are added, or none. Nodes of a tree come after their
/// siblings, in this order.
pub(crate) async fn add_all(session: &Session, records: Vec<Value>, author: &Author) -> Result<Vec<i64>, Refusal> {
    let records = Value::Array(records);
    ids(settled(session, ADD_ARCHIVAL, &[&records, &author.name, &author.now]).await)
}

/// The ids of added records, or why they were refused.
fn ids(written: Result<Value, StoreError>) -> Result<Vec<i64>, Refusal> {
    let answer = accepted(written.map_err(taken_meanwhile)?)?;
    Ok(answer["ids"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect())
}

/// The id of the only added record, or why it was refused.
pub(crate) fn first_id(written: Result<Value, StoreError>) -> Result<i64, Refusal> {
    let first = ids(written)?.first().copied();
    first.ok_or_else(|| StoreError::Other("no record was added".to_owned()).into())
}

/// A checked record as `add_archival` takes it.
pub(crate) fn prepare(place: Place, record: Map<String, Value>) -> Result<Value, Refusal> {
    prepare_over(place, record, None)
}

/// The same for a record that replaces a stored one.
pub(super) fn prepare_over(
    place: Place,
    mut record: Map<String, Value>,
    before: Option<&Map<String, Value>>,
) -> Result<Value, Refusal> {
    derived::fill(place.kind, &mut record, before);
    let root = nodes::place_of(place.kind, place.repository, &mut record)?;
    let at = keys::Place {
        repository: place.repository,
        root: root.as_ref().map(|node| node.root),
        parent: root.as_ref().and_then(|node| node.parent),
    };
    let needs = root.as_ref().map(nodes::Node::needs).unwrap_or_else(|| json!([]));
    let mut entry = json!({"kind": place.kind, "repository": place.repository,
        "keys": keys::keys(place.kind, &record, at), "refs": refs(place, &record)?, "needs": needs});
    if let Some(node) = root {
        entry["root_kind"] = node.root_kind.into();
        entry["root"] = node.root.into();
        if let Some(parent) = node.parent {
            entry["parent"] = parent.into();
        }
    }
    entry["doc"] = Value::Object(record);
    Ok(entry)
}

/// Replaces a record of the version that the client read; returns the new version. Two round trips, and one more for a new ARK.
pub async fn change(
    session: &Session,
    place: Place,
    id: i64,
    checked: Checked,
    author: &Author,
) -> Result<i64, Refusal> {
    let found = session.find(FIND_RECORD, &[&place.kind, &id, &place.repository]).await?;
    let found = found.ok_or_else(|| Refusal::no(place.kind))?;
    // Only then: clients are told of a record that is gone in other words than of one that has changed.
    let version = Refusal::read_version(checked.lock_version)?;
    let before: Value = found.get("doc");
    let mut record = checked.record;
    let slot = record.remove("position").and_then(|slot| slot.as_i64());
    derived::fill(place.kind, &mut record, before.as_object());
    arks::give(session, (place.kind, place.repository), [&mut record], &author.arks).await?;
    // In the same tree it stays below its parent: clients move it there with routes of their own.
    let node = nodes::place_of(place.kind, place.repository, &mut record)?;
    let root = node.as_ref().map(|node| node.root);
    let stays = found.get::<_, Option<i64>>("root") == root;
    let parent = if stays { found.get("parent") } else { node.as_ref().and_then(|node| node.parent) };
    let at = keys::Place { repository: place.repository, root, parent };
    let (keys, refs) = (keys::keys(place.kind, &record, at), refs(place, &record)?);
    let tree = node.as_ref().and_then(nodes::Node::top);
    let record = Value::Object(record);
    let version = i32::try_from(version).unwrap_or(-1);
    let (name, now) = (&author.name, &author.now);
    let parameters: [Parameter<'_>; 10] =
        [&place.kind, &id, &place.repository, &version, &record, &keys, &refs, &tree, name, now];
    let changed = changed(settled(session, CHANGE_ARCHIVAL, &parameters).await, place.kind)?;
    // In another tree it comes last: its place is one in the tree that it was read in.
    if let (Some(slot), Some(root)) = (slot.filter(|_| stays), at.root) {
        nodes::put(session, place.kind, &[id], nodes::Slot { root, parent, slot }, author.now).await?;
    }
    Ok(changed)
}

/// A record to replace: where it is, its id, the checked new one, and the stored one.
pub struct Replacement<'r> {
    pub place: Place,
    pub id: i64,
    pub checked: Checked,
    pub before: &'r Value,
}

impl Replacement<'_> {
    /// As `change_archival_together` takes it. The record is no node of a tree.
    pub(crate) fn entry(self) -> Result<Value, Refusal> {
        let Place { kind, repository } = self.place;
        let mut record = self.checked.record;
        derived::fill(kind, &mut record, self.before.as_object());
        let keys = keys::keys(kind, &record, keys::Place { repository, root: None, parent: None });
        let refs = refs(self.place, &record)?;
        Ok(
            json!({"kind": kind, "id": self.id, "within": repository, "version": self.checked.lock_version, "doc": record,
            "keys": keys, "refs": refs}),
        )
    }
}

/// Replaces records, all or none; returns the new versions. One round trip.
///
/// # Errors
/// As [`change`], of the first that cannot be replaced, with its place in the list.
pub async fn change_together(
    session: &Session,
    replacements: Vec<Replacement<'_>>,
    author: &Author,
) -> Result<Result<Vec<i64>, (usize, Refusal)>, Refusal> {
    let mut kinds = Vec::new();
    let mut entries = Vec::new();
    for (place, replacement) in replacements.into_iter().enumerate() {
        if let Err(refusal) = Refusal::read_version(replacement.checked.lock_version) {
            return Ok(Err((place, refusal)));
        }
        kinds.push(replacement.place.kind);
        entries.push(replacement.entry()?);
    }
    let entries = Value::Array(entries);
    let answer = settled(session, CHANGE_ARCHIVAL_TOGETHER, &[&entries, &author.name, &author.now]).await;
    let answer = answer.map_err(taken_meanwhile)?;
    if let Some(versions) = answer["lock_versions"].as_array() {
        return Ok(Ok(versions.iter().filter_map(Value::as_i64).collect()));
    }
    let place = answer["place"].as_u64().and_then(|place| usize::try_from(place).ok()).unwrap_or_default();
    match changed(Ok(answer), kinds.get(place).copied().unwrap_or_default()) {
        Ok(_) => Err(StoreError::Other("a change was refused without a reason".to_owned()).into()),
        Err(refusal) => Ok(Err((place, refusal))),
    }
}

/// The new version of a changed record of the type, or why it was refused.
pub(crate) fn changed(written: Result<Value, StoreError>, kind: &str) -> Result<i64, Refusal> {
    self::written(written, kind)?["lock_version"].as_i64().ok_or_else(Refusal::stale)
}

/// What a write of records of the type answers, or why it was refused.
pub(crate) fn written(written: Result<Value, StoreError>, kind: &str) -> Result<Value, Refusal> {
    let answer = accepted(written.map_err(taken_meanwhile)?)?;
    if answer["gone"] == true {
        return Err(Refusal::no(kind));
    }
    if answer["suppressed"] == true {
        return Err(Refusal::Conflict("Can't update an object that has been suppressed".to_owned()));
    }
    Ok(answer)
}

/// Publishes a record, its parts and all below it, or the reverse; returns its version.
pub async fn publish(
    session: &Session,
    place: Place,
    id: i64,
    published: bool,
    author: &Author,
) -> Result<i32, Refusal> {
    let Place { kind, repository } = place;
    let parameters: [Parameter<'_>; 6] = [&kind, &id, &repository, &published, &author.name, &author.now];
    let version: Option<i32> = session.value(PUBLISH_ARCHIVAL, &parameters).await?;
    version.ok_or_else(|| Refusal::no(kind))
}

/// Suppresses a record and all below it, or the reverse.
pub async fn suppress(session: &Session, place: Place, id: i64, hidden: bool, author: &Author) -> Result<(), Refusal> {
    let Place { kind, repository } = place;
    let exists: bool = session.value(SUPPRESS_ARCHIVAL, &[&kind, &id, &repository, &hidden, &author.now]).await?;
    if exists { Ok(()) } else { Err(Refusal::no(kind)) }
}

/// Deletes a record and all below it.
pub async fn delete(session: &Session, place: Place, id: i64, author: &Author) -> Result<(), Refusal> {
    match delete_all(session, &[(place, id)], author).await?.pop() {
        Some((_, refusal)) => Err(refusal),
        None => Ok(()),
    }
}

/// Why an agent stays, as the database says it: it is that of a repository ("agent"), or of a user.
pub(crate) fn held_agent(of: &str) -> Refusal {
    Refusal::Conflict(match of {
        "user" => "linked_to_user".to_owned(),
        _ => "This agent is linked to a repository and can't be removed".to_owned(),
    })
}

/// Deletes records and all below them, or none of them: returns for each that cannot be deleted its place in the list, and why.
/// One round trip.
pub async fn delete_all(
    session: &Session,
    places: &[(Place, i64)],
    author: &Author,
) -> Result<Vec<(usize, Refusal)>, Refusal> {
    let kinds: Vec<&str> = places.iter().map(|(place, _)| place.kind).collect();
    let repositories: Vec<Option<i64>> = places.iter().map(|(place, _)| place.repository).collect();
    let ids: Vec<i64> = places.iter().map(|(_, id)| *id).collect();
    let refused: Value = session.value(DELETE_ARCHIVAL, &[&kinds, &ids, &repositories, &author.now]).await?;
    let refused = refused.as_array().into_iter().flatten().filter_map(|one| {
        let place = usize::try_from(one["place"].as_u64()?).ok()?;
        let refusal = match one["why"].as_str() {
            Some(held @ ("agent" | "user")) => held_agent(held),
            Some("assessed") => Refusal::Conflict("linked_to_assessment".to_owned()),
            Some("location") => Refusal::Conflict("Location cannot be deleted if linked".to_owned()),
            _ => Refusal::no(places.get(place)?.0.kind),
        };
        Some((place, refusal))
    });
    Ok(refused.collect())
}

/// Members that refer to a record without being declared as references of the record's author: addresses as texts, and
/// what clients only read. By type: the member, and the way to the address in it.
const OTHER_REFERENCES: [(&str, &str, &str); 3] = [
    ("repository", "agent_representation", "agent_representation/ref"),
    ("subject", "vocabulary", "vocabulary"),
    ("term", "vocabulary", "vocabulary"),
];

/// Something that a record refers to.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// The way to the address, without places in lists.
    pub property: String,
    /// Empty if nothing is said of it.
    pub role: String,
    pub of: Uri,
    /// Its address, as the record has it.
    uri: String,
}

/// What the record refers to, as `add_archival` takes it.
fn refs(place: Place, record: &Map<String, Value>) -> Result<Value, Refusal> {
    let refs = targets(place, record)?.into_iter().map(|target| {
        let Target { property, role, of, uri } = target;
        json!({"property": property, "role": role, "kind": of.kind.name, "id": of.id, "uri": uri})
    });
    Ok(refs.collect())
}

/// What the record refers to.
pub(super) fn targets(place: Place, record: &Map<String, Value>) -> Result<Vec<Target>, Refusal> {
    let Some(of) = record_type(place.kind) else { return Ok(Vec::new()) };
    let declared = references(of, record).into_iter();
    let declared = declared.map(|found| (found.property, found.role.unwrap_or_default(), found.uri));
    let others = OTHER_REFERENCES.iter().filter(|(of, ..)| *of == place.kind).filter_map(|(_, property, path)| {
        let (first, rest) = path.split_once('/').map_or((*path, ""), |(first, _)| (first, &path[first.len()..]));
        let uri = record.get(first)?.pointer(rest)?.as_str()?;
        Some(((*property).to_owned(), String::new(), uri.to_owned()))
    });
    let mut targets = Vec::new();
    for (property, role, uri) in declared.chain(others) {
        let Some(of) = Uri::parse(&uri) else { continue };
        if of.repository.is_some() && of.repository != place.repository {
            return Err(Refusal::OtherRepository { uri, repository: place.repository });
        }
        targets.push(Target { property, role, of, uri });
    }
    Ok(targets)
}

/// A stored record that was changed without its author, as `rewrite_archival` takes it. `above` are the record at the top of its
/// tree and the node above.
pub(crate) fn rewritten(
    place: Place,
    id: i64,
    above: (Option<i64>, Option<i64>),
    mut record: Map<String, Value>,
) -> Value {
    let before = record.clone();
    derived::fill(place.kind, &mut record, Some(&before));
    let keys =
        keys::keys(place.kind, &record, keys::Place { repository: place.repository, root: above.0, parent: above.1 });
    json!({"kind": place.kind, "id": id, "doc": record, "keys": keys})
}

/// What a write says if it was refused.
pub(crate) fn accepted(answer: Value) -> Result<Value, Refusal> {
    if let Some(missing) = answer["missing"][0].as_str() {
        return Err(Refusal::MissingReference(missing.to_owned()));
    }
    if answer["taken"].is_array() {
        return Err(Refusal::Taken(keys::messages(&answer["taken"])));
    }
    if answer["stale"] == true {
        return Err(Refusal::stale());
    }
    Ok(answer)
}

/// The answer of a statement that checks what its records need before it writes. If others have changed that meanwhile, a
/// constraint of the database stops it; asked again, it tells in words what is wrong.
pub(crate) async fn settled(
    session: &Session,
    statement: &str,
    parameters: &[Parameter<'_>],
) -> Result<Value, StoreError> {
    match session.value(statement, parameters).await {
        Err(StoreError::ForeignKey { .. } | StoreError::Duplicate { .. }) => session.value(statement, parameters).await,
        answer => answer,
    }
}

/// Another client took the key between the look and the write.
fn taken_meanwhile(error: StoreError) -> Refusal {
    match error {
        StoreError::Duplicate { ref table, ref detail, .. } if table == "archival_key" => {
            Refusal::Taken(keys::messages_of_detail(detail))
        }
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(kind: &'static str, record: Value) -> Vec<(String, String, String)> {
        let place = Place { kind, repository: Some(2) };
        let refs = refs(place, record.as_object().expect("an object")).expect("references");
        let text = |of: &Value, name: &str| of[name].as_str().unwrap_or_default().to_owned();
        let refs = refs.as_array().into_iter().flatten();
        refs.map(|one| (text(one, "property"), text(one, "role"), text(one, "uri"))).collect()
    }

    #[test]
    fn a_reference_has_the_role_beside_it() {
        let row = |property: &str, role: &str, uri: &str| (property.to_owned(), role.to_owned(), uri.to_owned());
        let agent = "/agents/people/1";
        let linked = json!([{"ref": agent, "role": "creator"}, {"ref": agent, "role": "subject"}]);
        let resource = json!({"linked_agents": linked, "subjects": [{"ref": "/subjects/2"}]});
        assert_eq!(
            found("resource", resource),
            [
                row("linked_agents", "creator", agent),
                row("linked_agents", "subject", agent),
                row("subjects", "", "/subjects/2")
            ]
        );
        let agent = "/agents/corporate_entities/1";
        let repository = json!({"agent_representation": {"ref": agent}});
        assert_eq!(found("repository", repository), [row("agent_representation", "", agent)]);
        let vocabulary = "/vocabularies/1";
        assert_eq!(found("subject", json!({"vocabulary": vocabulary})), [row("vocabulary", "", vocabulary)]);
        assert_eq!(found("agent_person", json!({"title": "x"})), []);
    }
}
