//! The search of the catalogue, as clients of mod-search know it (contract 1): instances with their holdings and items, in an
//! index beside the database (decisions 57 and 58).
//!
//! | Topic | Module |
//! |---|---|
//! | what can be searched, one line for each option | [`options`] |
//! | the document of an instance | [`document`], identifiers in it [`forms`], dates [`dates`] |
//! | what CQL means | [`meaning`], one condition of it [`condition`], filters [`part`] |
//! | results | [`search`](crate::Catalogue::search), their form [`answer`] |
//! | counted values | [`facets`] |
//! | ids of all results, and jobs that keep a query for them | [`ids`], [`jobs`] |
//! | languages and features | [`settings`] |
//! | keeping the index | [`source`] |
//! | refusals | [`refusal`] |

mod answer;
mod condition;
mod dates;
mod document;
mod facets;
mod find;
mod forms;
mod ids;
pub mod jobs;
mod meaning;
mod options;
mod part;
pub mod refusal;
#[cfg(test)]
mod scan;
pub mod settings;
mod source;

use std::{
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use ::search::index::Reader;
use indexing::{Index, Sessions, Shown, Status};
use refusals::{Refusal, Refused, Wording};
use store::StoreError;

pub use find::{Found, Search};
pub use ids::{Entity, Form, Parts};

use refusal::NO_INDEX;
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

/// The searched catalogue of one library.
#[derive(Debug)]
pub struct Catalogue {
    index: Arc<Index>,
    settings: Arc<RwLock<Arc<Settings>>>,
    tenant: String,
}

impl Catalogue {
    /// Begins to keep an index of a tenant's catalogue below a folder, or without one in a temporary folder. Searches wait at
    /// most so long for what was saved before them.
    pub fn start(tenant: &str, folder: Option<PathBuf>, patience: Duration, sessions: Sessions) -> Arc<Self> {
        let settings = Arc::default();
        let source = source::Catalogued::new(tenant, Arc::clone(&settings));
        let index = Index::start(source, folder, patience, sessions);
        Arc::new(Self { index, settings, tenant: tenant.to_owned() })
    }

    /// Notes that this process has written.
    pub fn wrote(&self) {
        self.index.wrote();
    }

    /// How the index stands.
    pub fn status(&self) -> Status {
        self.index.status()
    }

    /// Builds a new index, while the one that is there is searched.
    pub fn rebuild(&self) {
        self.index.rebuild();
    }

    fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What a query means, and the index that knows what was saved before it; also whether that lacks something.
    async fn asked(&self, query: &str) -> Result<(meaning::Asked, Reader, bool), Failed> {
        let (shown, is_behind) = self.index.reader().await;
        let asked = meaning::read(query, &self.settings())?;
        let Some(Shown::Complete(reader)) = shown else { return Err(NO_INDEX.into()) };
        Ok((asked, reader, is_behind))
    }
}
