//! The archives of a sample library, written by imports: first what collections share, then the collections, many
//! components at a time.

use std::{collections::HashMap, ops::Range, sync::Arc};

use ::archives::{
    import::{ImportError, Progress as Reading, Stage, Staged, batch, save_all},
    model::{Purpose, check, record_type},
    records::Author,
    refusal::Refusal,
    repositories,
};
use api::app::{App, TenantState};
use sample::{Library, archives::REPOSITORY};
use serde_json::{Value, json};
use store::{Session, bulk::analyze};

use crate::{LoadError, progress::Progress};

/// An import has collections with about so many components, or one that has more.
const COMPONENTS: u32 = 20_000;
/// The tables that are filled.
const TABLES: [&str; 3] = ["archival_record", "archival_key", "archival_reference"];

/// Addresses of what collections share, by their temporary ones.
type Names = Arc<HashMap<String, String>>;

/// Adds a repository with collections of these sizes, in components, to archives without one.
///
/// # Errors
/// A record is refused, which is a defect; the database fails.
pub async fn fill(
    app: &Arc<App>,
    tenant: &Arc<TenantState>,
    library: &Arc<Library>,
    sizes: &[u32],
    progress: &dyn Progress,
) -> Result<(), LoadError> {
    let session = app.session(tenant)?;
    let author = Author { name: "admin".to_owned(), now: (app.clock)(), arks: app.settings.arks.clone() };
    let repository = add_repository(&session, tenant, &author).await?;
    let filling = Filling { session: &session, tenant, library, repository, author };
    let names = filling.shared().await?;
    progress.begin("Loading archives", sizes.iter().copied().map(u64::from).sum());
    // The next import is read while one is written.
    let mut last = None;
    for part in parts(sizes) {
        let components = sizes[part.clone()].iter().copied().map(u64::from).sum();
        let (staged, written) = tokio::join!(filling.read(part, sizes, &names), filling.write(last.take()));
        progress.advance(written?);
        last = Some((staged?, components));
    }
    progress.advance(filling.write(last).await?);
    analyze(&session, &TABLES).await?;
    Ok(())
}

/// The repository of the sample.
async fn add_repository(session: &Session, tenant: &TenantState, author: &Author) -> Result<i64, LoadError> {
    let (code, name) = REPOSITORY;
    let of = record_type("repository").ok_or_else(|| Refusal::no("repository"))?;
    let lists = tenant.archives.lists(session, author.now).await?;
    let record = json!({"repo_code": code, "name": name, "publish": true, "country": "US"});
    let checked = check(of, record, &*lists, Purpose::Save).map_err(Refusal::from)?;
    Ok(repositories::add(session, checked, None, author).await?)
}

/// Collections for one import after the other.
fn parts(sizes: &[u32]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut room = 0;
    for (place, size) in sizes.iter().enumerate() {
        match parts.last_mut() {
            Some(last) if room >= *size => last.end = place + 1,
            _ => {
                parts.push(place..place + 1);
                room = COMPONENTS;
            }
        }
        room = room.saturating_sub(*size);
    }
    parts
}

/// Fills one repository.
struct Filling<'a> {
    session: &'a Session,
    tenant: &'a TenantState,
    library: &'a Arc<Library>,
    repository: i64,
    author: Author,
}

impl Filling<'_> {
    async fn shared(&self) -> Result<Names, LoadError> {
        let stage = self.stage().await?;
        let records = self.library.shared_archives();
        let staged = blocking(move || {
            let mut stage = stage;
            records.into_iter().try_for_each(|record| batch::take(&mut stage, record))?;
            stage.finish()
        });
        let staged = Arc::new(staged.await?);
        let saved = save_all(self.session, &staged, &self.author, &Arc::default(), None).await.map_err(failed)?;
        Ok(Arc::new(saved.addresses().map(|(temporary, saved)| (temporary.to_owned(), saved.to_owned())).collect()))
    }

    async fn stage(&self) -> Result<Stage, LoadError> {
        let lists = self.tenant.archives.lists(self.session, self.author.now).await?;
        Stage::new(self.repository, lists, None, Arc::new(Reading::default())).map_err(failed)
    }

    /// Makes and checks the records of collections.
    async fn read(&self, part: Range<usize>, sizes: &[u32], names: &Names) -> Result<Arc<Staged>, LoadError> {
        let mut stage = self.stage().await?;
        let (library, names) = (Arc::clone(self.library), Arc::clone(names));
        let collections: Vec<(u32, u32)> = (0..).zip(sizes.iter().copied()).skip(part.start).take(part.len()).collect();
        let staged = blocking(move || {
            for (number, size) in collections {
                library.collection(number, size, &mut |mut record| {
                    rename(&mut record, &names);
                    batch::take(&mut stage, record)
                })?;
            }
            stage.finish()
        });
        Ok(Arc::new(staged.await?))
    }

    /// Writes an import, if there is one; returns the number of its components.
    async fn write(&self, read: Option<(Arc<Staged>, u64)>) -> Result<u64, LoadError> {
        let Some((staged, components)) = read else { return Ok(0) };
        save_all(self.session, &staged, &self.author, &Arc::default(), None).await.map_err(failed)?;
        Ok(components)
    }
}

/// Replaces the temporary addresses of what collections share.
fn rename(value: &mut Value, names: &HashMap<String, String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if name == "ref" => {
                        if let Some(saved) = names.get(text) {
                            *text = saved.clone();
                        }
                    }
                    member => rename(member, names),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, names)),
        _ => {}
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ImportError> + Send + 'static,
) -> Result<T, LoadError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| LoadError::BrokeOff(error.to_string()))?.map_err(failed)
}

/// A refused record of the sample is a defect.
fn failed(error: ImportError) -> LoadError {
    match error {
        ImportError::Store(error) => error.into(),
        other => LoadError::Refused { path: "archives".to_owned(), reason: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_collections_share_an_import() {
        let half = COMPONENTS / 2;
        assert!(parts(&[]).is_empty());
        assert_eq!(parts(&[half, half, 1, COMPONENTS * 3, 5]), [0..2, 2..3, 3..4, 4..5]);
        assert_eq!(parts(&[0, 0, 0]), vec![0..3]);
    }
}
