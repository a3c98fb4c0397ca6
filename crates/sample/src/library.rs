//! The sample library as a whole: its size and ingredients.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use store::StoreError;
use uuid::Uuid;

use crate::{
    dice::{Dice, Ids},
    reference::Reference,
    settings::{self, Part},
};

/// Determines every record of a sample library. The same plan gives the same bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Another seed gives another library.
    pub seed: u64,
    /// Number of titles.
    pub instances: u32,
    /// Number of items.
    pub items: u32,
    /// Number of patrons.
    pub users: u32,
    /// Number of collections in the archives; 0: no archives.
    pub resources: u32,
    /// Number of components of all collections together.
    pub components: u32,
    /// The day on which the library is seen: loans, registrations and opening hours are relative to it.
    pub now: Timestamp,
}

impl Plan {
    /// The library of `carrel sample` without options.
    pub fn standard(now: Timestamp) -> Self {
        Self { seed: 1, instances: 5_000, items: 8_000, users: 1_000, resources: 20, components: 5_000, now }
    }

    /// The day of [`Self::now`].
    pub fn today(&self) -> Date {
        self.now.to_zoned(TimeZone::UTC).date()
    }
}

/// A sample library: makes any record from its number, without any other record in memory.
#[derive(Debug)]
pub struct Library {
    pub plan: Plan,
    /// Ids of records by name.
    pub reference: Reference,
    pub(crate) ids: Ids,
}

impl Library {
    /// The library of a plan.
    ///
    /// # Errors
    /// If the program's data is damaged.
    pub fn new(plan: Plan) -> Result<Self, StoreError> {
        Ok(Self { plan, reference: Reference::read(&settings::named()?)?, ids: Ids::new(plan.seed) })
    }

    /// The records that set up the library, to be sent before all others, in an order in which they can be sent.
    ///
    /// # Errors
    /// If the program's data is damaged.
    pub fn settings(&self) -> Result<Vec<Part>, StoreError> {
        settings::parts(&self.reference, self.plan.today())
    }

    /// The items on reserve for the courses, to be sent after the items.
    ///
    /// # Errors
    /// If the program's data is damaged.
    pub fn reserves(&self) -> Result<Part, StoreError> {
        let items = (0..u64::from(self.plan.items)).map(|number| self.id("item", number).to_string());
        settings::reserves(&self.reference, items)
    }

    /// The ids of the staffed service points, the busiest first.
    pub fn desks(&self) -> Vec<&str> {
        let desks = ["Circ Desk 1", "Circ Desk 2", "Science Library Desk", "Law Library Desk", "Online"];
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
