//! Lanes: each tenant's connections are divided by purpose, so that other work cannot use up the desk's.

use std::time::Duration;

/// What a connection is for. A lane waits for its own connections only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Work while a patron waits: check-outs, check-ins, renewals, requests, log-in, self-checks, permissions.
    Desk,
    /// Lists and saves.
    Records,
    /// Records that a key finds: single ones, and those that belong to one patron, loan, item or title. The pages at the desk
    /// read hardly anything else, so they do not give way to it as [`Self::Records`] does.
    Lookups,
    /// Answers that may be as large as the whole library.
    Streams,
    /// Work that no request waits for: jobs, events, loads, migrations.
    Background,
    /// Reading all records for an index.
    Indexing,
}

impl Lane {
    pub const ALL: [Lane; 6] =
        [Self::Desk, Self::Records, Self::Lookups, Self::Streams, Self::Background, Self::Indexing];

    /// Whether the processes of PostgreSQL that serve it leave the processors to the desk. Jobs keep an ordinary priority: they
    /// write in small sets, and must progress while the desk is busy.
    pub(super) fn yields_to_the_desk(self) -> bool {
        !matches!(self, Self::Desk | Self::Lookups | Self::Background)
    }

    /// What is busy when the lane is full, for messages.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Desk => "the desk's database connections are all busy",
            Self::Records => "the database connections for lists and records are all busy",
            Self::Lookups => "the database connections for single records are all busy",
            Self::Streams => "the database connections for very large answers are all busy",
            Self::Background => "the database connections for work in the background are all busy",
            Self::Indexing => "the database connection for the index is busy",
        }
    }
}

/// Time limits for the database. The statements of a request share the limit of its lane; in the background the limit
/// applies to each statement, and transactions begun for long work have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For a request at the desk.
    pub desk: Duration,
    /// For any other request.
    pub records: Duration,
    /// For a very large answer, from the start to the last row read from the database.
    pub streams: Duration,
    /// For one statement in the background.
    pub background: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            desk: Duration::from_secs(20),
            records: Duration::from_secs(60),
            streams: Duration::from_secs(600),
            background: Duration::from_secs(120),
        }
    }
}

impl Limits {
    pub fn of(&self, lane: Lane) -> Duration {
        match lane {
            Lane::Desk => self.desk,
            Lane::Records | Lane::Lookups => self.records,
            Lane::Streams => self.streams,
            Lane::Background | Lane::Indexing => self.background,
        }
    }
}

/// How a tenant's connections are divided: the size of each pool and the lanes it serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shares {
    pools: Vec<(usize, Vec<Lane>)>,
}

impl Shares {
    /// One pool for all lanes, for a program with a single task.
    pub(crate) fn undivided(total: usize) -> Self {
        Self { pools: vec![(total.max(1), Lane::ALL.to_vec())] }
    }

    /// Streams get a tenth, the background a fifth, the desk half of the rest, lists and single records a quarter each. Indexes
    /// are built one page after the other, by one connection. With few connections the desk is the last to share.
    pub fn of(total: usize) -> Self {
        use Lane::{Background, Desk, Indexing, Lookups, Records, Streams};
        let pools = match total {
            0 | 1 => return Self::undivided(total),
            2 => vec![(1, vec![Desk]), (1, vec![Records, Lookups, Streams, Background, Indexing])],
            3 => vec![(1, vec![Desk]), (1, vec![Records, Lookups]), (1, vec![Streams, Background, Indexing])],
            4..=9 => {
                let rest = total - 2;
                let desk = rest.div_ceil(2);
                vec![
                    (desk, vec![Desk]),
                    (rest - desk, vec![Records, Lookups]),
                    (1, vec![Streams]),
                    (1, vec![Background, Indexing]),
                ]
            }
            _ => {
                let (streams, background, indexing) = (total / 10, total / 5, 1);
                let rest = total - streams - background - indexing;
                let desk = rest.div_ceil(2);
                let lookups = (rest - desk) / 2;
                vec![
                    (desk, vec![Desk]),
                    (rest - desk - lookups, vec![Records]),
                    (lookups, vec![Lookups]),
                    (streams, vec![Streams]),
                    (background, vec![Background]),
                    (indexing, vec![Indexing]),
                ]
            }
        };
        Self { pools }
    }

    pub fn pools(&self) -> &[(usize, Vec<Lane>)] {
        &self.pools
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_has_connections_within_the_total() {
        for total in 1..=200 {
            let shares = Shares::of(total);
            let sum: usize = shares.pools().iter().map(|(size, _)| size).sum();
            assert_eq!(sum, total);
            for lane in Lane::ALL {
                let of_lane = shares.pools().iter().filter(|(_, of)| of.contains(&lane));
                let sizes: Vec<_> = of_lane.map(|(size, _)| *size).collect();
                assert!(sizes.len() == 1 && sizes[0] > 0, "{total}: {lane:?} has {sizes:?}");
            }
        }
    }

    #[test]
    fn with_two_connections_one_is_the_desks_alone() {
        for total in 2..=50 {
            let shares = Shares::of(total);
            let (desk, of) = &shares.pools()[0];
            assert_eq!(of, &[Lane::Desk], "{total}");
            assert!(desk * 4 >= total, "{total}: the desk has {desk}");
        }
    }
}
