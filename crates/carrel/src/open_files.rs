//! The limit of open files and connections of the process, and how it is divided, so that clients on one port never use
//! up what the database or another port needs.

use api::server::Bounds;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::config::Config;

/// The highest limit requested; some systems report an unlimited maximum as a number that they then refuse.
const ASKED_FOR: u64 = 1 << 20;
/// Default number of connections per port, if the system allows it.
const CUSTOMARY: usize = 4096;
/// Required by the process in any case: its own files, listeners, standard streams.
const OF_ITS_OWN: usize = 32;

/// Maximum number of connections for each type of client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    pub folio: usize,
    pub staff: usize,
    pub archives: usize,
    pub terminals: usize,
}

/// Raises the limit of open files as far as the system allows, and returns it.
pub fn raise() -> usize {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return CUSTOMARY;
    };
    let wanted = hard.min(ASKED_FOR);
    let raised = soft < wanted && setrlimit(Resource::RLIMIT_NOFILE, wanted, hard).is_ok();
    usize::try_from(if raised { wanted } else { soft }).unwrap_or(usize::MAX)
}

impl Share {
    /// Divides the open files: a quarter for database, events and mail, at most a quarter for self-checks, the rest for
    /// HTTP.
    pub fn of(files: usize) -> Self {
        let terminals = files / 4;
        let rest = files.saturating_sub(terminals + files / 4 + OF_ITS_OWN);
        let rest = rest.saturating_sub(3 * Bounds::above(rest / 2));
        let (staff, archives) = ((rest / 5).max(1), (rest / 6).max(1));
        let folio = rest.saturating_sub(staff + archives).max(1);
        Self { folio, staff, archives, terminals: terminals.max(1) }
    }

    /// The limits of the settings, as far as the open files allow them.
    pub fn settle(self, config: &Config) -> Self {
        let folio = config.http_connections.unwrap_or(CUSTOMARY);
        let settled = Self {
            folio: folio.min(self.folio),
            staff: folio.div_ceil(4).min(self.staff),
            archives: folio.div_ceil(4).min(self.archives),
            terminals: config.sip2_terminals.min(self.terminals),
        };
        let asked = config.http_connections.is_some_and(|asked| asked > self.folio);
        if asked || settled.terminals < config.sip2_terminals {
            tracing::warn!(
                http_connections = settled.folio,
                sip2_terminals = settled.terminals,
                "the system lets the process open too few files for the settings; raise the hard limit (ulimit -Hn, \
                 LimitNOFILE of systemd)"
            );
        }
        settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_leave_a_quarter_for_the_database() {
        for files in [256, 1024, 4096, 65_536, 1 << 20] {
            let share = Share::of(files);
            let ports = [share.folio, share.staff, share.archives];
            let above: usize = ports.iter().map(|port| Bounds::above(*port)).sum();
            let taken = ports.iter().sum::<usize>() + share.terminals + above;
            assert!(taken + files / 4 <= files, "{files}: {share:?}");
            assert!(share.staff >= 8 && share.folio > share.staff, "{share:?}");
        }
        let none = Share::of(0);
        assert!(none.folio > 0 && none.staff > 0 && none.terminals > 0);
    }

    #[test]
    fn the_limit_is_as_high_as_it_may_be() {
        let files = raise();
        let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).expect("limits");
        assert_eq!(soft, hard.min(ASKED_FOR).max(soft));
        assert_eq!(files as u64, soft);
    }
}
