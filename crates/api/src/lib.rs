//! Carrel's HTTP: the FOLIO API behind its gateway, and the staff application's server.
//!
//! A handler is a function of a [`call::Call`]; it is entered with its path in the `routes` function of its
//! module under [`folio`], and the gateway does the rest: tenant, token, permissions, limits, errors, logs.

pub mod answer;
pub mod app;
pub mod assembly;
pub mod background;
pub mod call;
pub mod collections;
pub mod descriptors;
pub mod folio;
mod gateway;
pub mod inside;
pub mod loading;
mod manner;
pub mod open_api;
pub mod platform;
pub mod route;
pub mod server;
pub mod spool;
mod staff;
