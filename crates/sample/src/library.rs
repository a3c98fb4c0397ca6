//! The sample library as a whole: how big it is, and what it is made with.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use store::StoreError;
use uuid::Uuid;

use crate::{
    dice::{Dice, Ids},
    reference::Reference,
    settings::{self, Part},
};

/// What decides every record of a sample library. The same plan gives the same bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Another seed makes another library.
    pub seed: u64,
    /// How many titles.
    pub instances: u32,
    /// How many things on the shelves.
    pub items: u32,
    /// How many patrons.
    pub users: u32,
    /// The day the library is seen on: loans, registrations and opening hours lie around it.
    pub now: Timestamp,
}

impl Plan {
    /// The library of `carrel sample` without options.
    #[must_use]
    pub fn standard(now: Timestamp) -> Self {
        Self {
            seed: 1,
            instances: 5_000,
            items: 8_000,
            users: 1_000,
            now,
        }
    }

    /// The day of [`Self::now`].
    #[must_use]
    pub fn today(&self) -> Date {
        self.now.to_zoned(TimeZone::UTC).date()
    }
}

/// A sample library: records of any kind by their number, without any other record in memory.
#[derive(Debug)]
pub struct Library {
    /// What decides every record.
    pub plan: Plan,
    /// Records by name.
    pub reference: Reference,
    pub(crate) ids: Ids,
}

impl Library {
    /// The library of a plan.
    ///
    /// # Errors
    /// When the program's data is damaged.
    pub fn new(plan: Plan) -> Result<Self, StoreError> {
        Ok(Self {
            plan,
            reference: Reference::load()?,
            ids: Ids::new(plan.seed),
        })
    }

    /// What the library is set up with, in the order it can be sent in, before anything else.
    ///
    /// # Errors
    /// When the program's data is damaged.
    pub fn settings(&self) -> Result<Vec<Part>, StoreError> {
        settings::parts(&self.reference, self.plan.today())
    }

    /// The ids of the service points that people work at, the busiest first.
    #[must_use]
    pub fn desks(&self) -> Vec<&str> {
        let desks = [
            "Circ Desk 1",
            "Circ Desk 2",
            "Science Library Desk",
            "Law Library Desk",
            "Online",
        ];
        let id = |desk| self.reference.id(&format!("service-points/{desk}"));
        desks.into_iter().map(id).collect()
    }

    pub(crate) fn dice(&self, kind: &str, number: u64) -> Dice {
        Dice::new(self.plan.seed, kind, number)
    }

    pub(crate) fn id(&self, kind: &str, number: u64) -> Uuid {
        self.ids.numbered(kind, number)
    }
}
