//! The program as an operator runs it.

mod kill;
mod serve;
mod support;
mod tenant;
