//! The values that fill the templates of a transaction.

use std::borrow::Cow;

use jiff::Timestamp;

use crate::{
    data::pool::Row,
    workload::template::{Slot, Values},
};

/// The values that a transaction works with.
pub struct Given<'a> {
    pub rows: Vec<Row>,
    pub picks: Vec<String>,
    pub variables: Vec<Option<String>>,
    pub me: &'a str,
}

impl Values for Given<'_> {
    fn value(&self, slot: Slot) -> Option<Cow<'_, str>> {
        match slot {
            Slot::Row { row, column } => self.rows.get(row)?.get(column).map(Cow::from),
            Slot::Variable(at) => self.variables.get(at)?.as_deref().map(Cow::from),
            Slot::Pick(at) => self.picks.get(at).map(Cow::from),
            Slot::Now => Some(Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string().into()),
            Slot::Uuid => Some(uuid::Uuid::new_v4().to_string().into()),
            Slot::Me => Some(self.me.into()),
        }
    }
}
