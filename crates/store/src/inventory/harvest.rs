//! Queries for harvesters: which instances changed, and instances with all their holdings and items. Results are
//! streamed row by row.

use uuid::Uuid;

use crate::{
    db::{Rows, Session},
    error::StoreError,
};

/// Selects changed instances.
#[derive(Debug, Clone)]
pub struct Changed<'a> {
    /// Earliest change, in stored form.
    pub from: &'a str,
    /// Latest change, in stored form.
    pub until: &'a str,
    /// Includes deleted instances.
    pub deleted: bool,
    /// Excludes instances suppressed from discovery.
    pub skip_suppressed: bool,
    /// Counts only changes of the instance itself, not those of its holdings and items.
    pub instance_alone: bool,
    /// Only instances of this source.
    pub source: Option<&'a str>,
}

impl Changed<'_> {
    /// The changed instances, one JSON text per row.
    ///
    /// # Errors
    /// [`StoreError`] if the statement cannot start; later errors come with the rows.
    pub async fn instances(&self, session: &Session) -> Result<Rows, StoreError> {
        let Self { from, until, deleted, skip_suppressed, instance_alone, source } = self;
        let sql = crate::statements::inventory::UPDATED_INSTANCES;
        session.stream(sql, &[from, until, deleted, skip_suppressed, instance_alone, source]).await
    }

    /// The same in the form of `/oai-pmh-view`, of any source, and changed by holdings and items, too; with their items, if
    /// asked to.
    ///
    /// # Errors
    /// As for [`Self::instances`].
    pub async fn in_older_form(&self, session: &Session, with_items: bool) -> Result<Rows, StoreError> {
        use crate::statements::inventory::{OAI_INSTANCES, OAI_UPDATED_INSTANCES};
        let sql = if with_items { OAI_INSTANCES } else { OAI_UPDATED_INSTANCES };
        session.stream(sql, &[&self.from, &self.until, &self.deleted, &self.skip_suppressed]).await
    }
}

/// Instances with what belongs to them.
#[derive(Debug, Clone, Copy)]
pub enum With {
    HoldingsAndItems,
    /// In the form of `/oai-pmh-view`.
    Items,
}

/// Instances with what belongs to them, one JSON text per row.
///
/// # Errors
/// [`StoreError`] if the statement cannot start; later errors come with the rows.
pub async fn whole_instances(
    session: &Session,
    with: With,
    instances: &[Uuid],
    skip_suppressed: bool,
) -> Result<Rows, StoreError> {
    let sql = match with {
        With::HoldingsAndItems => crate::statements::inventory::ITEMS_AND_HOLDINGS,
        With::Items => crate::statements::inventory::OAI_ENRICHED_INSTANCES,
    };
    session.stream(sql, &[&instances, &skip_suppressed]).await
}
