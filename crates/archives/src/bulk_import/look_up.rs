//! Looks up what a spreadsheet names of the library: few statements, whatever its size.

use std::collections::HashSet;

use store::{
    Session, StoreError,
    statements::archives::{
        CHILD_BARCODES, EXISTING_IDS, FIND_AUTHORITIES, FIND_COMPONENTS, FIND_CONTAINERS, FIND_KEYS,
        RESOURCE_CONTAINERS,
    },
};

use super::{
    linker::{Existing, Named},
    wanted::{Component, Held, Known, Titled, Wanted},
};

/// What there is of what a sheet names. At most five round trips. `resource` is where its rows belong.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn known(
    session: &Session,
    repository: i64,
    resource: i64,
    wanted: &Wanted,
) -> Result<Known, StoreError> {
    let mut known = Known::default();
    authorities(session, wanted, &mut known).await?;
    if wanted.containers {
        for row in session.query(RESOURCE_CONTAINERS, &[&resource, &repository]).await? {
            let id: i64 = row.get("id");
            let uri = format!("/repositories/{repository}/top_containers/{id}");
            let has_barcode = row.get::<_, Option<String>>("barcode").is_some();
            let named = (row.get("type"), row.get("indicator"));
            known.containers.entry(named).or_default().push(Held { uri, has_barcode });
        }
    }
    let barcodes = wanted.barcodes.iter().map(|barcode| ("top_container", "barcode", barcode));
    let ids = wanted.digital_object_ids.iter().map(|id| ("digital_object", "digital_object_id", id));
    for (kind, value, uri) in keys(session, repository, barcodes.chain(ids)).await? {
        if kind == "top_container" {
            known.barcodes.insert(value, uri);
        } else {
            known.digital_object_ids.insert(value);
        }
    }
    if !(wanted.ids.is_empty() && wanted.ref_ids.is_empty()) {
        let (ids, ref_ids): (Vec<i64>, Vec<&String>) =
            (wanted.ids.iter().copied().collect(), wanted.ref_ids.iter().collect());
        for row in session.query(FIND_COMPONENTS, &[&repository, &ids, &ref_ids]).await? {
            let (id, ref_id): (i64, String) = (row.get("id"), row.get("ref_id"));
            let found = Component { id, root: row.get("root"), display: row.get("display"), ref_id: ref_id.clone() };
            known.ref_ids.entry(ref_id).or_default().push(found.clone());
            known.components.insert(id, found);
        }
    }
    known.accessions = existing(session, "accession", Some(repository), wanted.accessions.iter().copied()).await?;
    Ok(known)
}

/// What there is of what a sheet of containers names. At most five round trips.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn existing_of(session: &Session, repository: i64, named: &Named) -> Result<Existing, StoreError> {
    let mut found = Existing::default();
    let ead_ids = named.ead_ids.iter().map(|ead_id| ("resource", "ead_id", ead_id));
    let resources = keys(session, repository, ead_ids).await?;
    found.ead_ids = resources.into_iter().map(|(_, ead_id, uri)| (ead_id, uri)).collect();
    if !named.containers.is_empty() {
        let ids: Vec<i64> = named.containers.iter().copied().collect();
        let rows = session.query(FIND_CONTAINERS, &[&repository, &ids]).await?;
        found.containers = rows.iter().map(|row| (row.get("id"), row.get("indicator"))).collect();
    }
    if !named.child_barcodes.is_empty() {
        let barcodes: Vec<&String> = named.child_barcodes.iter().collect();
        let barcodes: Vec<String> = session.values(CHILD_BARCODES, &[&repository, &barcodes]).await?;
        found.child_barcodes = barcodes.into_iter().collect();
    }
    found.locations = existing(session, "location", None, named.locations.iter().copied()).await?;
    found.profiles = existing(session, "container_profile", None, named.profiles.iter().copied()).await?;
    Ok(found)
}

async fn authorities(session: &Session, wanted: &Wanted, known: &mut Known) -> Result<(), StoreError> {
    if wanted.authorities.is_empty() && wanted.titles.is_empty() {
        return Ok(());
    }
    let (kinds, ids): (Vec<&str>, Vec<i64>) = wanted.authorities.iter().copied().unzip();
    let (of_titles, titles): (Vec<&str>, Vec<&str>) =
        wanted.titles.iter().map(|(kind, title)| (*kind, title.as_str())).unzip();
    for row in session.query(FIND_AUTHORITIES, &[&kinds, &ids, &of_titles, &titles]).await? {
        let (kind, id, title): (String, i64, String) = (row.get("kind"), row.get("id"), row.get("title"));
        known.authorities.insert((kind.clone(), id), title.clone());
        let titled = Titled { id, source: row.get("source"), term_type: row.get("term_type") };
        known.titles.entry((kind, title)).or_default().push(titled);
    }
    Ok(())
}

/// Those of some keys that records of the repository have: type, value and address. One round trip, none without any.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn keys(
    session: &Session,
    repository: i64,
    wanted: impl Iterator<Item = (&'static str, &'static str, &String)>,
) -> Result<Vec<(&'static str, String, String)>, StoreError> {
    let wanted: Vec<_> = wanted.collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let scopes: Vec<String> = wanted.iter().map(|(kind, name, _)| format!("{kind}/{repository}/{name}")).collect();
    let values: Vec<&str> = wanted.iter().map(|(_, _, value)| value.as_str()).collect();
    let rows = session.query(FIND_KEYS, &[&scopes, &values]).await?;
    let found = rows.iter().filter_map(|row| {
        let place = usize::try_from(row.get::<_, i64>("place") - 1).ok()?;
        let (kind, _, value) = wanted.get(place)?;
        Some((*kind, (*value).clone(), row.get("uri")))
    });
    Ok(found.collect())
}

async fn existing(
    session: &Session,
    kind: &str,
    repository: Option<i64>,
    ids: impl Iterator<Item = i64>,
) -> Result<HashSet<i64>, StoreError> {
    let ids: Vec<i64> = ids.collect();
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let found: Vec<i64> = session.values(EXISTING_IDS, &[&kind, &repository, &ids]).await?;
    Ok(found.into_iter().collect())
}
