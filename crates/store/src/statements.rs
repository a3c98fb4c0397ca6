//! Every SQL statement by name: the path of its file below `queries/` (`build.rs` makes the list). Other crates contain no
//! SQL. Each file begins with its parameters and result.

include!(concat!(env!("OUT_DIR"), "/statements.rs"));
