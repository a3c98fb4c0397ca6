//! The ids of all results, without limit and order.

use std::fmt::Write as _;

use bytes::Bytes;
use futures_util::{Stream, stream};
use search::{index::Reader, query::Query};
use store::StoreError;
use tokio::{sync::mpsc, task::spawn_blocking};

use crate::{Catalogue, Failed, Found, Records, refusal::ENTITY_UNKNOWN};

/// Ids that are passed on at once.
const AT_ONCE: usize = 1000;

/// Whose ids are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entity {
    Instance,
    /// The holdings of the instances found.
    Holdings,
    /// Each once, whichever of its headings are found.
    Authority,
}

impl Entity {
    const ALL: [(&str, Self); 3] =
        [("INSTANCE", Self::Instance), ("HOLDINGS", Self::Holdings), ("AUTHORITY", Self::Authority)];

    /// The kind of that name.
    ///
    /// # Errors
    /// [`Failed::Refused`] if there is none.
    pub fn of(name: &str) -> Result<Self, Failed> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, entity)| *entity);
        found.ok_or_else(|| ENTITY_UNKNOWN.with("entityType", name).into())
    }

    fn records(self) -> Records {
        if self == Self::Authority { Records::Authorities } else { Records::Instances }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, entity)| *entity == self).map_or("", |(name, _)| name)
    }
}

/// How ids are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `{"ids":[{"id":…}],"totalRecords":n}`
    Json,
    /// One in a line.
    Lines,
}

/// Parts of a text.
pub type Parts = std::pin::Pin<Box<dyn Stream<Item = Result<Bytes, StoreError>> + Send>>;

impl Catalogue {
    /// The ids of all results, written as they are found. Asks the database nothing.
    ///
    /// # Errors
    /// [`Failed`] if the query is refused.
    pub async fn ids(&self, query: &str, of: Entity, form: Form) -> Result<Found<Parts>, Failed> {
        let (asked, reader, is_behind) = self.asked(of.records(), query).await?;
        let query = asked.query();
        let (sender, receiver) = mpsc::channel(4);
        spawn_blocking(move || write(&reader, &query, of, form, &sender));
        let parts = stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
        Ok(Found { body: Box::pin(parts), is_behind })
    }

    /// Whether the query is one for such records.
    ///
    /// # Errors
    /// [`Failed::Refused`] if it is none.
    pub fn check(&self, query: &str, of: Entity) -> Result<(), Failed> {
        crate::meaning::read(query, of.records().resource(), &self.settings()).map(|_| ()).map_err(Failed::from)
    }
}

fn write(reader: &Reader, query: &Query, of: Entity, form: Form, to: &mpsc::Sender<Result<Bytes, StoreError>>) {
    let (mut text, mut count) = (String::new(), 0_usize);
    if form == Form::Json {
        text.push_str("{\"ids\":[");
    }
    let take = |id: String| {
        match form {
            Form::Lines => text.push_str(&format!("{id}\n")),
            Form::Json => {
                let comma = if count == 0 { "" } else { "," };
                // A text takes everything.
                let _ = write!(text, "{comma}{{\"id\":\"{id}\"}}");
            }
        }
        count += 1;
        count % AT_ONCE != 0 || to.blocking_send(Ok(std::mem::take(&mut text).into())).is_ok()
    };
    let outcome = match of {
        Entity::Instance => reader.each(query, None, take),
        Entity::Holdings => reader.each(query, Some("holdings.id"), take),
        Entity::Authority => reader.each_once(query, "id", take),
    };
    if form == Form::Json {
        let _ = write!(text, "],\"totalRecords\":{count}}}");
    }
    // Nobody listens if the client has gone.
    let _ = match outcome {
        Ok(()) => to.blocking_send(Ok(text.into())),
        Err(error) => to.blocking_send(Err(StoreError::Other(error.to_string()))),
    };
}
