//! Carrel's HTTP server: the FOLIO API behind its gateway, the archives' API, and the staff web application.
//!
//! A handler is a function that takes a [`call::Call`], registered with its path in the `routes` function of its module
//! under [`folio`]. The gateway handles tenant, token, permissions, limits, errors and logs.

pub mod answer;
pub mod app;
pub mod archives;
pub mod assembly;
pub mod background;
mod call;
mod collections;
mod connection;
pub mod descriptors;
pub mod folio;
mod gateway;
pub mod indexes;
pub mod inside;
pub mod load;
mod manner;
mod measures;
pub mod open_api;
mod origins;
mod packing;
pub mod platform;
mod pretty;
mod room;
pub mod route;
pub mod server;
pub mod spool;
mod staff;

pub use ::archives::{arks::Numbering, printing::MOST_PAGES as MOST_PRINTED_PAGES};
pub use archives::first_users;
