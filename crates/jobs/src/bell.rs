//! Tells the runner of this process that a tenant has a new job, so that it need not wait to be looked for.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use tokio::sync::Notify;

/// Rung after a job was entered and its transaction committed. Ringing too often or for nothing does no harm; not ringing
/// costs the job a second or so.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<Rung>);

#[derive(Debug, Default)]
struct Rung {
    tenants: Mutex<BTreeSet<String>>,
    heard: Notify,
}

impl Bell {
    /// That tenant may have a job to do.
    pub fn ring(&self, tenant: &str) {
        if let Ok(mut tenants) = self.0.tenants.lock() {
            if !tenants.contains(tenant) {
                tenants.insert(tenant.to_owned());
            }
            self.0.heard.notify_one();
        }
    }

    /// Waits until it has been rung.
    pub(crate) async fn heard(&self) {
        self.0.heard.notified().await;
    }

    /// The tenants it was rung for since the last call.
    pub(crate) fn rung(&self) -> BTreeSet<String> {
        let tenants = self.0.tenants.lock();
        tenants
            .map(|mut tenants| std::mem::take(&mut *tenants))
            .unwrap_or_default()
    }
}
