//! What the desk keeps in memory for a tenant.

/// The tenant's desk: room for the configuration snapshot.
#[derive(Default)]
pub struct Desk {}
