//! Tests of the program as an operator runs it.

mod archives;
mod attack;
mod connections;
mod disk_full;
mod doctor;
mod environment;
mod failover;
mod hundred_kills;
mod kill;
mod lab;
mod read_only;
mod search;
mod secrets;
mod self_checks;
mod serve;
mod servers;
mod stalled;
mod stop;
mod support;
mod tenant;
mod tls;
mod upgrade;
mod watching;
