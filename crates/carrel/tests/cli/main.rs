//! The program as an operator runs it.

mod doctor;
mod kill;
mod lab;
mod serve;
mod stop;
mod support;
mod tenant;
mod tls;
mod upgrade;
mod watching;
