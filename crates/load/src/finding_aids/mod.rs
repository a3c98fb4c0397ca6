//! Loads finding aids in EAD 2002 or EAD3 into a repository of the archives, several at a time, and writes those of a repository to a folder.
//!
//! Each file is one transaction. A file that was loaded is known by its content, so a load that was interrupted goes on
//! where it was.

mod export;

use std::{
    fs::File,
    io::{BufReader, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use api::app::{App, TenantState};
use archives::{
    import::{ImportError, Progress as Reading, Stage, finding_aid, is_loaded, save_all},
    records::Author,
    repositories::with_code,
};
use futures_util::{StreamExt, stream};
use sha2::{Digest, Sha256};
use store::{Session, StoreError};

pub use export::{Export, export};

use crate::{LoadError, progress::Progress};

/// How the files are loaded.
#[derive(Debug, Clone)]
pub struct Load {
    /// Code of the repository.
    pub repository: String,
    /// Puts right what breaks a rule instead of refusing the file.
    pub tolerant: bool,
    /// Files that are loaded at the same time.
    pub at_once: usize,
    /// Where records are kept between reading and writing; without it, the system's folder for temporary files.
    pub folder: Option<PathBuf>,
}

/// What became of the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    pub loaded: u64,
    /// Files that were loaded before.
    pub known: u64,
    pub refused: u64,
    /// Components in the loaded files.
    pub components: u64,
    pub repairs: u64,
}

/// Gets a line for each refused file and each repair.
pub type Tell = Arc<dyn Fn(&str) + Send + Sync>;

enum Outcome {
    Loaded { components: u64, repairs: u64 },
    Known,
    Refused(String),
}

/// Loads files, and all `.xml` files in folders.
///
/// # Errors
/// A folder cannot be read, the repository does not exist, the database fails. A refused file is in the report.
pub async fn load(
    app: &Arc<App>,
    tenant: &Arc<TenantState>,
    sources: &[PathBuf],
    how: &Load,
    progress: &dyn Progress,
    tell: &Tell,
) -> Result<Report, LoadError> {
    let mut files = Vec::new();
    for source in sources {
        find(source, &mut files)?;
    }
    let database = app.database.with_connections(how.at_once.max(1));
    let session = database.session(&tenant.schema)?;
    let repository = repository_of(&session, &how.repository).await?;
    progress.begin("Loading finding aids", files.len() as u64);
    let one = |file: PathBuf| {
        let loading = Loading { app, tenant, session: &session, repository, how, tell };
        async move { loading.load(&file).await.map(|outcome| (file, outcome)) }
    };
    let mut outcomes = stream::iter(files).map(one).buffer_unordered(how.at_once.max(1));
    let mut report = Report::default();
    while let Some(outcome) = outcomes.next().await {
        match outcome? {
            (_, Outcome::Loaded { components, repairs }) => {
                report.loaded += 1;
                report.components += components;
                report.repairs += repairs;
            }
            (_, Outcome::Known) => report.known += 1,
            (file, Outcome::Refused(reason)) => {
                report.refused += 1;
                let file = file.display().to_string();
                let named = if reason.starts_with(&file) { reason } else { format!("{file}: {reason}") };
                tell(&format!("refused {named}"));
            }
        }
        progress.advance(1);
    }
    Ok(report)
}

async fn repository_of(session: &Session, code: &str) -> Result<i64, LoadError> {
    with_code(session, code).await?.ok_or_else(|| LoadError::NoRepository(code.to_owned()))
}

/// The file, or all `.xml` files in the folder and those below, in the order of their names. Links to folders are not followed, which
/// may lead in a circle; a file that is not there is told like others that cannot be read.
fn find(source: &Path, files: &mut Vec<PathBuf>) -> Result<(), LoadError> {
    let unread = |error| LoadError::Read { place: source.display().to_string(), error };
    if !source.metadata().map_err(unread)?.is_dir() {
        files.push(source.to_owned());
        return Ok(());
    }
    let entries = source.read_dir().map_err(unread)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<Result<Vec<_>, _>>().map_err(unread)?;
    paths.sort();
    for path in paths {
        let is_xml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xml"));
        if path.is_dir() {
            if !path.is_symlink() {
                find(&path, files)?;
            }
        } else if is_xml {
            files.push(path);
        }
    }
    Ok(())
}

/// Loads one file.
struct Loading<'a> {
    app: &'a Arc<App>,
    tenant: &'a Arc<TenantState>,
    session: &'a Session,
    repository: i64,
    how: &'a Load,
    tell: &'a Tell,
}

impl Loading<'_> {
    async fn load(&self, file: &Path) -> Result<Outcome, LoadError> {
        match self.try_load(file).await {
            Ok(outcome) => Ok(outcome),
            Err(ImportError::Store(error)) if is_lasting(&error) => Err(error.into()),
            Err(error) => Ok(Outcome::Refused(error.to_string())),
        }
    }

    async fn try_load(&self, file: &Path) -> Result<Outcome, ImportError> {
        let path = file.to_owned();
        let digest = blocking(move || digest(&path)).await?;
        if is_loaded(self.session, self.repository, &digest).await? {
            return Ok(Outcome::Known);
        }
        let now = (self.app.clock)();
        let lists = self.tenant.archives.lists(self.session, now).await?;
        let reading = finding_aid::Reading::of(self.session, self.how.tolerant).await?;
        let progress = Arc::new(Reading::default());
        let (repository, folder, path) = (self.repository, self.how.folder.clone(), file.to_owned());
        let (tell, watched) = (Arc::clone(self.tell), Arc::clone(&progress));
        let read = blocking(move || {
            let mut stage = Stage::new(repository, lists, folder.as_deref(), watched)?;
            let input = BufReader::with_capacity(1 << 18, File::open(&path)?);
            let mut repairs = 0;
            let mut note = |repair: &archives::import::Trouble| {
                repairs += 1;
                tell(&format!("repaired {repair}"));
            };
            let name = path.display().to_string();
            let counts = finding_aid::read(&mut stage, &name, input, &reading, &mut note)?;
            Ok((stage.finish()?, counts, repairs))
        });
        let (staged, counts, repairs) = read.await?;
        let staged = Arc::new(staged);
        let author = Author { name: "carrel".to_owned(), now, arks: self.app.settings.arks.clone() };
        save_all(self.session, &staged, &author, &progress, Some(&digest)).await?;
        if staged.adds_values() {
            self.tenant.archives.forget_lists();
        }
        Ok(Outcome::Loaded { components: counts.get("archival_object").copied().unwrap_or_default(), repairs })
    }
}

/// Whether other files would fail, too.
fn is_lasting(error: &StoreError) -> bool {
    !error.is_refusal() && !matches!(error, StoreError::Conflict(_))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ImportError> + Send + 'static,
) -> Result<T, ImportError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| ImportError::Disk(std::io::Error::other(error)))?
}

/// A digest of a file's content.
fn digest(file: &Path) -> Result<String, ImportError> {
    let mut input = File::open(file)?;
    let (mut digest, mut part) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        let many = input.read(&mut part)?;
        if many == 0 {
            return Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        digest.update(&part[..many]);
    }
}
