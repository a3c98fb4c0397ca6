//! What terminals ask for, a module for each: each reads the message, sends the requests a client would send, and tells
//! what came of it.

pub mod blocks;
pub mod check_in;
pub mod check_out;
pub mod end_session;
pub mod fees;
pub mod holds;
pub mod item_properties;
pub mod items;
pub mod media;
pub mod patrons;
pub mod renew;
pub mod sorting;
pub mod status;
