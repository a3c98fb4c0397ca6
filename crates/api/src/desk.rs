//! What the desk keeps in memory for a tenant.

pub use desk::Desk;
