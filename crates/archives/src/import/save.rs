//! Writes the staged records of an import, in one transaction.
//!
//! **Order.** Imports lock in one order: first the nodes of the library that get new children, then keys in their order,
//! then what new records are related to, last value lists. Should one wait for another in a circle after all, because of
//! many relations, PostgreSQL ends it and it begins again. References may be in circles: numbers are given first, and
//! foreign keys are checked at the end.

use std::{collections::HashSet, sync::Arc, sync::atomic::Ordering};

use serde_json::{Value, json};
use store::{
    Session, StoreError,
    db::{Transaction, only},
    statements::{
        archives::{
            ENTER_KEYS, ENTER_LOADED_FILE, ENTER_NODES, ENTER_RECORDS, ENTER_REFERENCES, FIND_KEYS, LOADED_FILES,
            MISSING_RECORDS, RESERVE_IDS,
        },
        writes::{LOCK_ARCHIVAL_PLACES, MINT_ARCHIVAL_ARKS, MIRROR_ARCHIVAL},
    },
};
use tokio::sync::mpsc;

use super::{
    ImportError, Progress,
    rows::{Keys, Maker, Numbers, Rows, missing},
    stage::{Outside, Staged},
};
use crate::{
    arks::{self, Numbering},
    model::Uri,
    nodes::tree_of_node,
    records::{Author, Key, taken},
    refusal::Refusal,
    value_lists::add_values,
};

/// How often an import that met another one begins again.
const TRIES: usize = 5;
/// Records are written in batches of so many …
const BATCH: usize = 1_000;
/// … or fewer, if they have this many bytes.
const BATCH_BYTES: usize = 4 << 20;
/// Keys are looked for, and relations shown, in batches of so many.
const KEYS: usize = 5_000;

/// What was saved: temporary addresses with those of the records, in the order of the source.
#[derive(Debug, Default)]
pub struct Saved(Vec<Address>);

#[derive(Debug)]
struct Address {
    temporary: Box<str>,
    saved: String,
    /// Whether the import made the record, and it is the first with this address.
    made: bool,
}

impl Saved {
    /// Each temporary address with that of the record.
    pub fn addresses(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|of| (&*of.temporary, of.saved.as_str()))
    }

    /// The addresses of the records that were not there before, each once.
    pub(crate) fn made(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|of| of.made).map(|of| of.saved.as_str())
    }

    /// How many records were saved, or were there already.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was saved.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Saves all records; returns what they are called and the transaction, to be committed by the caller with what belongs to
/// it. Three round trips for each thousand records, and about twenty more.
///
/// # Errors
/// A key is taken, a record does not exist; canceled.
pub(crate) async fn save(
    session: &Session,
    staged: &Arc<Staged>,
    author: &Author,
    progress: &Arc<Progress>,
) -> Result<(Transaction, Saved), ImportError> {
    let mut tries = 1;
    loop {
        progress.written.store(0, Ordering::Relaxed);
        match once(session, staged, author, progress).await {
            Err(ImportError::Store(error)) if met_another(&error) && tries < TRIES => tries += 1,
            done => return done,
        }
    }
}

/// Saves all records and commits; with a digest, notes that the file with that content was loaded.
///
/// # Errors
/// As [`save`].
pub async fn save_all(
    session: &Session,
    staged: &Arc<Staged>,
    author: &Author,
    progress: &Arc<Progress>,
    digest: Option<&str>,
) -> Result<Saved, ImportError> {
    let mut tries = 1;
    loop {
        let (transaction, saved) = save(session, staged, author, progress).await?;
        let resource = saved.made().filter_map(Uri::parse).find(|uri| uri.kind.name == "resource");
        if let (Some(digest), Some(resource)) = (digest, resource) {
            transaction.execute(ENTER_LOADED_FILE, &[&staged.repository, &digest, &resource.id]).await?;
        }
        match transaction.commit().await {
            Err(error) if met_another(&error) && tries < TRIES => tries += 1,
            done => return done.map(|()| saved).map_err(ImportError::Store),
        }
    }
}

/// Whether the file with this content was loaded into a repository. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn is_loaded(session: &Session, repository: i64, digest: &str) -> Result<bool, StoreError> {
    let found: Vec<String> = session.values(LOADED_FILES, &[&repository, &vec![digest]]).await?;
    Ok(!found.is_empty())
}

/// Whether another client has just saved the same, or deleted what is referred to. The next try sees it.
pub(crate) fn met_another(error: &StoreError) -> bool {
    match error {
        StoreError::Conflict(_) | StoreError::ForeignKey { .. } => true,
        StoreError::Duplicate { table, .. } => table == "archival_key",
        // A value left its list since the records were read.
        StoreError::Check { constraint, .. } => constraint == "listed_value",
        _ => false,
    }
}

async fn once(
    session: &Session,
    staged: &Arc<Staged>,
    author: &Author,
    progress: &Arc<Progress>,
) -> Result<(Transaction, Saved), ImportError> {
    let transaction = session.begin().await?;
    transaction.expect_growth().await?;
    let mut numbers = Numbers::default();
    find_known(&transaction, staged, &mut numbers).await?;
    place(&transaction, staged, &mut numbers).await?;
    reserve(&transaction, staged, &mut numbers).await?;
    mint(&transaction, staged, &author.arks, &mut numbers).await?;
    let numbers = Arc::new(numbers);
    let mut batches = make_rows(staged, &numbers, &author.arks, progress);
    let mut keys_entered = false;
    let mut related = Vec::new();
    while let Some(batch) = batches.recv().await {
        let rows = batch?;
        if !keys_entered && rows.slots.iter().any(Option::is_some) {
            enter_keys(&transaction, staged, &numbers).await?;
            keys_entered = true;
        }
        let written = rows.kinds.len() as u64;
        related.extend(enter(&transaction, staged, rows, author).await?);
        progress.wrote(written);
    }
    if !keys_entered {
        enter_keys(&transaction, staged, &numbers).await?;
    }
    mirror(&transaction, &related, author).await?;
    add_values(&transaction, &staged.new_values, author).await?;
    progress.check()?;
    let mut addresses: Vec<_> = staged.addresses.iter().collect();
    // Terms have no addresses in the source.
    addresses.retain(|(temporary, _)| !temporary.starts_with("/terms/"));
    addresses.sort_unstable_by_key(|(temporary, entry)| (**entry, *temporary));
    let mut last = None;
    let saved = addresses.into_iter().map(|(temporary, entry)| {
        let made = last.replace(*entry) != Some(*entry) && !numbers.known.contains_key(entry);
        Address { temporary: temporary.clone(), saved: numbers.address(staged, *entry), made }
    });
    let saved = Saved(saved.collect());
    Ok((transaction, saved))
}

/// Finds the records that there are already; refuses those that must be new.
async fn find_known(transaction: &Transaction, staged: &Staged, numbers: &mut Numbers) -> Result<(), ImportError> {
    let keys: Vec<(u32, &Key)> =
        (0..).zip(&staged.entries).flat_map(|(entry, of)| of.keys.iter().map(move |key| (entry, key))).collect();
    for part in keys.chunks(KEYS) {
        let (scopes, values): (Vec<&str>, Vec<&str>) =
            part.iter().map(|(_, key)| (key.scope.as_str(), key.value.as_str())).unzip();
        for row in transaction.query(FIND_KEYS, &[&scopes, &values]).await? {
            let (entry, key) = part[usize::try_from(row.get::<_, i64>("place") - 1).unwrap_or_default()];
            if !staged.is_shared(entry) {
                return Err(staged.refused(entry as usize, Some(key.value.clone()), &taken(key)));
            }
            // The first key is the one of the whole record.
            numbers.known.entry(entry).or_insert_with(|| row.get("uri"));
        }
    }
    Ok(())
}

/// Locks the nodes of the library that get children, and puts new siblings in order.
async fn place(transaction: &Transaction, staged: &Staged, numbers: &mut Numbers) -> Result<(), ImportError> {
    let mut outside: Vec<(&u64, &Outside)> = staged.outside.iter().collect();
    outside.sort_unstable_by_key(|(_, of)| *of);
    let mut asked = Vec::new();
    for (_, of) in &outside {
        let id = |uri: &str| Uri::parse(uri).map(|uri| uri.id);
        let root_kind = tree_of_node(of.kind).map(|tree| tree.root);
        asked.push(json!({"kind": of.kind, "root_kind": root_kind, "root": id(&of.root),
            "parent": of.parent.as_deref().map(id)}));
    }
    if !asked.is_empty() {
        let asked = Value::Array(asked);
        let rows = transaction.query(LOCK_ARCHIVAL_PLACES, &[&asked, &staged.repository]).await?;
        let ranks: Value = rows.first().map(only).transpose()?.unwrap_or_default();
        for (place, (above, of)) in outside.iter().enumerate() {
            let Some(rank) = ranks[place].as_i64() else {
                let entry =
                    staged.entries.iter().position(|entry| entry.node.is_some_and(|node| node.above == **above));
                let refusal = Refusal::MissingReference(of.parent.clone().unwrap_or_else(|| of.root.clone()));
                return Err(staged.refused(entry.unwrap_or_default(), None, &refusal));
            };
            numbers.ranks.insert(**above, rank);
        }
    }
    let mut nodes: Vec<(u64, i64, usize)> = Vec::new();
    for (entry, of) in staged.entries.iter().enumerate() {
        nodes.extend(of.node.map(|node| (node.above, node.position, entry)));
    }
    nodes.sort_unstable();
    numbers.slots = vec![0; staged.entries.len()];
    let mut last = None;
    let mut slot = 0;
    for (above, _, entry) in nodes {
        slot = if last == Some(above) { slot + 1 } else { 1 };
        last = Some(above);
        numbers.slots[entry] = slot;
    }
    Ok(())
}

/// Gives each new record its number: those of a type follow each other in the order of the source.
async fn reserve(transaction: &Transaction, staged: &Staged, numbers: &mut Numbers) -> Result<(), ImportError> {
    numbers.ids = vec![0; staged.entries.len()];
    let kinds: std::collections::BTreeSet<&str> = staged.entries.iter().map(|entry| entry.kind).collect();
    for kind in kinds {
        let new: Vec<usize> = (0..)
            .zip(&staged.entries)
            .filter(|(entry, of)| of.kind == kind && !numbers.known.contains_key(entry))
            .map(|(entry, _)| entry as usize)
            .collect();
        let many = new.len() as i64;
        let rows = transaction.query(RESERVE_IDS, &[&kind, &many]).await?;
        for (entry, row) in new.into_iter().zip(&rows) {
            numbers.ids[entry] = only(row)?;
        }
    }
    Ok(())
}

/// Makes ARKs for the new records of types that have them, if the library makes ARKs: many at a time.
async fn mint(
    transaction: &Transaction,
    staged: &Staged,
    numbering: &Numbering,
    numbers: &mut Numbers,
) -> Result<(), ImportError> {
    if numbering.authority.is_none() {
        return Ok(());
    }
    let new = (0..)
        .zip(&staged.entries)
        .filter(|(entry, of)| arks::KINDS.contains(&of.kind) && !numbers.known.contains_key(entry));
    let new: Vec<u32> = new.map(|(entry, _)| entry).collect();
    for part in new.chunks(KEYS) {
        let many = i32::try_from(part.len()).unwrap_or(i32::MAX);
        let parameters: [store::db::Parameter<'_>; 4] =
            [&staged.repository, &numbering.own(), &numbering.delimiter, &many];
        let rows = transaction.query(MINT_ARCHIVAL_ARKS, &parameters).await?;
        let made: Vec<String> = rows.first().map(only).transpose()?.unwrap_or_default();
        numbers.arks.extend(part.iter().copied().zip(made));
    }
    Ok(())
}

/// Makes rows on a thread of their own while others are written: records outside trees first, because nodes refer to
/// the records at the top.
fn make_rows(
    staged: &Arc<Staged>,
    numbers: &Arc<Numbers>,
    numbering: &Numbering,
    progress: &Arc<Progress>,
) -> mpsc::Receiver<Result<Rows, ImportError>> {
    let (to, rows) = mpsc::channel(2);
    let (staged, numbers, progress) = (Arc::clone(staged), Arc::clone(numbers), Arc::clone(progress));
    let numbering = numbering.clone();
    tokio::task::spawn_blocking(move || {
        let maker = Maker { staged: &staged, numbers: &numbers, numbering: &numbering, met: HashSet::new() };
        if let Err(error) = make_all(maker, &progress, &to) {
            let _ = to.blocking_send(Err(error));
        }
    });
    rows
}

fn make_all(
    mut maker: Maker<'_>,
    progress: &Progress,
    to: &mpsc::Sender<Result<Rows, ImportError>>,
) -> Result<(), ImportError> {
    let (staged, numbers) = (maker.staged, maker.numbers);
    for in_trees in [false, true] {
        let (mut rows, mut bytes) = (Rows::default(), 0);
        for (entry, of) in (0..).zip(&staged.entries) {
            if of.node.is_some() != in_trees || numbers.known.contains_key(&entry) {
                continue;
            }
            maker.add(entry, &mut rows)?;
            bytes += of.length;
            if rows.kinds.len() >= BATCH || bytes >= BATCH_BYTES {
                progress.check()?;
                bytes = 0;
                if to.blocking_send(Ok(std::mem::take(&mut rows))).is_err() {
                    return Ok(());
                }
            }
        }
        if !rows.kinds.is_empty() && to.blocking_send(Ok(rows)).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Writes rows; returns the records whose lists those that they refer to show, too.
async fn enter(
    transaction: &Transaction,
    staged: &Staged,
    rows: Rows,
    author: &Author,
) -> Result<Vec<(String, i64)>, ImportError> {
    if !rows.outside.is_empty() {
        let found = transaction.query(MISSING_RECORDS, &[&json!(rows.outside), &staged.repository]).await?;
        let found: Option<Value> = found.first().map(only).transpose()?.flatten();
        if let Some(refusal) = found.as_ref().and_then(missing) {
            return Err(staged.refused(rows.first, None, &refusal));
        }
    }
    check_arks(transaction, staged, &rows).await?;
    if rows.slots.iter().any(Option::is_some) {
        let parameters: [store::db::Parameter<'_>; 12] = [
            &rows.kinds,
            &rows.ids,
            &rows.repositories,
            &rows.docs,
            &rows.publish,
            &rows.root_kinds,
            &rows.roots,
            &rows.parents,
            &rows.bases,
            &rows.slots,
            &author.name,
            &author.now,
        ];
        transaction.execute(ENTER_NODES, &parameters).await?;
    } else {
        let parameters: [store::db::Parameter<'_>; 7] =
            [&rows.kinds, &rows.ids, &rows.repositories, &rows.docs, &rows.publish, &author.name, &author.now];
        transaction.execute(ENTER_RECORDS, &parameters).await?;
    }
    enter_rows_of_keys(transaction, &rows.keys).await?;
    let of = &rows.references;
    let parameters: [store::db::Parameter<'_>; 7] =
        [&of.kinds, &of.ids, &of.repositories, &of.properties, &of.roles, &of.target_kinds, &of.target_ids];
    let related = transaction.query(ENTER_REFERENCES, &parameters).await?;
    Ok(related.iter().map(|row| (row.get("kind"), row.get("id"))).collect())
}

/// Shows new records in the lists of those that they are related to. Nothing is asked if there are none.
async fn mirror(transaction: &Transaction, related: &[(String, i64)], author: &Author) -> Result<(), ImportError> {
    for part in related.chunks(KEYS) {
        let (kinds, ids): (Vec<&str>, Vec<i64>) = part.iter().map(|(kind, id)| (kind.as_str(), *id)).unzip();
        transaction.execute(MIRROR_ARCHIVAL, &[&kinds, &ids, &author.now]).await?;
    }
    Ok(())
}

/// Refuses ARKs of the source that records have. Nothing is asked if the source has none.
async fn check_arks(transaction: &Transaction, staged: &Staged, rows: &Rows) -> Result<(), ImportError> {
    if rows.arks.is_empty() {
        return Ok(());
    }
    let values: Vec<&str> = rows.arks.iter().map(|ark| ark.key["value"].as_str().unwrap_or_default()).collect();
    let scopes = vec![arks::SCOPE; values.len()];
    match transaction.query(FIND_KEYS, &[&scopes, &values]).await?.first() {
        None => Ok(()),
        Some(row) => {
            let place = usize::try_from(row.get::<_, i64>("place") - 1).unwrap_or_default();
            Err(rows.arks[place].collides(staged))
        }
    }
}

/// Writes the keys of the new records outside trees, all in their order.
async fn enter_keys(transaction: &Transaction, staged: &Staged, numbers: &Numbers) -> Result<(), ImportError> {
    let mut all: Vec<(&Key, &'static str, i64)> = Vec::new();
    for (entry, of) in (0_u32..).zip(&staged.entries) {
        if !numbers.known.contains_key(&entry) {
            all.extend(of.keys.iter().map(|key| (key, of.kind, numbers.ids[entry as usize])));
        }
    }
    all.sort_unstable_by(|(one, ..), (other, ..)| (&one.scope, &one.value).cmp(&(&other.scope, &other.value)));
    for part in all.chunks(KEYS) {
        let mut keys = Keys::default();
        part.iter().for_each(|(key, kind, id)| keys.push(key.scope.clone(), key.value.clone(), kind, *id));
        enter_rows_of_keys(transaction, &keys).await?;
    }
    Ok(())
}

async fn enter_rows_of_keys(transaction: &Transaction, keys: &Keys) -> Result<(), ImportError> {
    transaction.execute(ENTER_KEYS, &[&keys.scopes, &keys.values, &keys.kinds, &keys.ids]).await?;
    Ok(())
}
