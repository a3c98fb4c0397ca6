//! Wakes this process's runner when a tenant has a new job or a new schedule, so that it does not have to find out by
//! itself.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::Notify;

/// Ring it after entering a job, once the transaction is committed. Ringing too often does no harm; not ringing delays
/// the job by about a second.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<Rung>);

#[derive(Debug, Default)]
struct Rung {
    tenants: Mutex<BTreeSet<String>>,
    schedules: AtomicBool,
    heard: Notify,
}

impl Bell {
    /// Announces that the tenant may have a job to do.
    pub fn ring(&self, tenant: &str) {
        if let Ok(mut tenants) = self.0.tenants.lock() {
            if !tenants.contains(tenant) {
                tenants.insert(tenant.to_owned());
            }
            self.0.heard.notify_one();
        }
    }

    /// Announces that a tenant may have new schedules.
    pub fn ring_for_schedules(&self) {
        self.0.schedules.store(true, Ordering::Release);
        self.0.heard.notify_one();
    }

    /// Whether it was rung for schedules since the last call.
    pub(crate) fn rung_for_schedules(&self) -> bool {
        self.0.schedules.swap(false, Ordering::AcqRel)
    }

    /// Waits until it is rung.
    pub(crate) async fn heard(&self) {
        self.0.heard.notified().await;
    }

    /// The tenants it was rung for since the last call.
    pub(crate) fn rung(&self) -> BTreeSet<String> {
        let tenants = self.0.tenants.lock();
        tenants.map(|mut tenants| std::mem::take(&mut *tenants)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_ring_for_schedules_counts_once() {
        let bell = Bell::default();
        assert!(!bell.rung_for_schedules());
        bell.clone().ring_for_schedules();
        bell.heard().await;
        assert!(bell.rung().is_empty(), "no tenant has a new job");
        assert!(bell.rung_for_schedules());
        assert!(!bell.rung_for_schedules());
    }
}
