//! The search of the catalogue, as clients of mod-search know it (contract 1): instances with their holdings and items, and
//! [`authorities`], in indexes beside the database (decisions 57, 58 and 61).
//!
//! | Topic | Module |
//! |---|---|
//! | what can be searched, one line for each option | [`options`] |
//! | an instance as it is read | [`title`] |
//! | the document of an instance | [`document`], what lists show of it [`brief`], identifiers in it [`forms`], dates [`dates`] |
//! | what CQL means | [`meaning`], one condition of it [`condition`], filters [`part`] |
//! | results | [`search`](crate::Catalogue::search), their form [`answer`] |
//! | counted values | [`facets`] |
//! | ids of all results, and jobs that keep a query for them | [`ids`], [`jobs`] |
//! | lists that are browsed | [`lists`], what instances have in them [`entries`], queries [`browse_query`], pages [`browse`] |
//! | counted values of their rows | [`list_facets`] |
//! | orders and types of browsed numbers | [`browse_settings`] |
//! | languages and features | [`settings`] |
//! | authorities, heading by heading | [`authorities`] |
//! | keeping the index | [`source`] |
//! | refusals | [`refusal`] |

mod anchor;
mod answer;
mod authorities;
mod brief;
mod browse;
mod browse_query;
pub mod browse_settings;
mod condition;
mod dates;
mod document;
mod entries;
mod facets;
mod find;
mod forms;
mod ids;
pub mod jobs;
mod list_facets;
mod lists;
mod meaning;
mod options;
mod part;
pub mod refusal;
#[cfg(test)]
mod scan;
pub mod settings;
#[cfg(test)]
mod shelf;
mod source;
mod title;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock, PoisonError, RwLock},
    time::Duration,
};

use ::search::index::Reader;
use indexing::{Index, Pace, Sessions, Shown, Source, Status};
use refusals::{Refusal, Refused, Wording};
use store::{Session, StoreError, doctor::finding::Finding};

pub use self::authorities::Browse;
pub use browse::BrowseList;
pub use find::{Found, Search};
pub use ids::{Entity, Form, Parts};
pub use lists::List;

use self::authorities::{AUTHORITIES, source::Decided};
use options::{INSTANCES, Resource};
use refusal::{INDEX_FAILING, NO_INDEX};
use settings::Settings;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    #[error("{0}")]
    Refused(Refused),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index cannot be read.
    #[error("{0}")]
    Broken(String),
}

impl From<Refused> for Failed {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<&'static Wording> for Failed {
    fn from(wording: &'static Wording) -> Self {
        Self::Refused(wording.into())
    }
}

/// Records with an index of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Records {
    /// With their holdings and items.
    Instances,
    /// Heading by heading.
    Authorities,
}

impl Records {
    fn resource(self) -> &'static Resource {
        match self {
            Self::Instances => &INSTANCES,
            Self::Authorities => &AUTHORITIES,
        }
    }

    /// The name of the index.
    fn name(self) -> &'static str {
        match self {
            Self::Instances => "catalogue",
            Self::Authorities => "authorities",
        }
    }

    /// Where the index is below the folder of all indexes, with the library's name for folders.
    pub fn folder(self, all: &Path, schema: &str) -> PathBuf {
        all.join(self.name()).join(schema)
    }
}

/// What is to be said of the indexes that a library has below the folder of all indexes.
///
/// # Errors
/// [`StoreError`].
pub async fn examine(tenant: &str, schema: &str, all: &Path, session: &Session) -> Result<Vec<Finding>, StoreError> {
    let instances = source::Catalogued::new(tenant, Arc::default());
    let mut found = indexing::examine(&instances, &Records::Instances.folder(all, schema), session).await?;
    let folder = Records::Authorities.folder(all, schema);
    found.extend(indexing::examine(&Decided::new(tenant), &folder, session).await?);
    Ok(found)
}

/// Where indexes are, and how they read a library.
pub struct Place {
    /// The library's name for clients.
    pub tenant: String,
    /// Its name for the database and for folders.
    pub schema: String,
    /// The folder of all indexes; without one they are in temporary folders.
    pub folder: Option<PathBuf>,
    /// Searches wait at most so long for what was saved before them.
    pub patience: Duration,
    /// Makes a session on the library's tables.
    pub sessions: Arc<dyn Fn(Pace) -> Result<Session, StoreError> + Send + Sync>,
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Place").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl Place {
    fn start<S: Source>(&self, of: Records, source: S) -> Arc<Index> {
        let folder = self.folder.as_ref().map(|all| of.folder(all, &self.schema));
        let sessions = Arc::clone(&self.sessions);
        let sessions: Sessions = Box::new(move |pace| sessions(pace));
        Index::start(source, folder, self.patience, sessions)
    }
}

/// The searched catalogue of one library.
#[derive(Debug)]
pub struct Catalogue {
    place: Place,
    index: Arc<Index>,
    /// Opened when it is first used.
    authorities: OnceLock<Arc<Index>>,
    settings: Arc<RwLock<Arc<Settings>>>,
    tenant: String,
}

impl Catalogue {
    /// Begins to keep an index of a library's instances; that of its authorities is opened when it is first used.
    pub fn start(place: Place) -> Arc<Self> {
        let settings = Arc::default();
        let tenant = place.tenant.clone();
        let index = place.start(Records::Instances, source::Catalogued::new(&tenant, Arc::clone(&settings)));
        Arc::new(Self { place, index, authorities: OnceLock::new(), settings, tenant })
    }

    /// Notes that this process has written.
    pub fn wrote(&self) {
        self.index.wrote();
        if let Some(authorities) = self.authorities.get() {
            authorities.wrote();
        }
    }

    /// How the indexes that are open stand, with their names.
    pub fn status(&self) -> Vec<(&'static str, Status)> {
        let authorities = self.authorities.get().map(|index| (Records::Authorities.name(), index.status()));
        [(Records::Instances.name(), self.index.status())].into_iter().chain(authorities).collect()
    }

    /// How an index stands. Opens it.
    pub fn standing(&self, of: Records) -> Status {
        self.index_of(of).status()
    }

    /// Builds a new index, while the one that is there is searched; `false`: a new one is being built already.
    pub fn rebuild(&self, of: Records) -> bool {
        self.index_of(of).rebuild()
    }

    fn index_of(&self, of: Records) -> &Arc<Index> {
        match of {
            Records::Instances => &self.index,
            Records::Authorities => self.authorities.get_or_init(|| self.place.start(of, Decided::new(&self.tenant))),
        }
    }

    fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The index that knows what was saved before; also whether it lacks something.
    async fn reader(&self, of: Records) -> Result<(Reader, bool), Failed> {
        let index = self.index_of(of);
        match index.reader().await {
            (Some(Shown::Complete(reader)), is_behind) => Ok((reader, is_behind)),
            _ if index.status().is_failing => Err(INDEX_FAILING.into()),
            _ => Err(NO_INDEX.into()),
        }
    }

    /// What a query means, and the index that knows what was saved before it; also whether that lacks something.
    async fn asked(&self, of: Records, query: &str) -> Result<(meaning::Asked, Reader, bool), Failed> {
        self.read(of, |settings| Ok(meaning::read(query, of.resource(), settings)?)).await
    }

    /// The same of anything that is read by settings.
    async fn read<T>(
        &self,
        of: Records,
        read: impl Fn(&Settings) -> Result<T, Failed>,
    ) -> Result<(T, Reader, bool), Failed> {
        // What no settings allow is refused without waiting; what they say now is known after it.
        read(&Settings::default())?;
        let reader = self.reader(of).await;
        let asked = read(&self.settings())?;
        let (reader, is_behind) = reader?;
        Ok((asked, reader, is_behind))
    }
}
