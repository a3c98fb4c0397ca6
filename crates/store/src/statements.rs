//! SQL statements by name: the path of the file below `queries/` (`build.rs` makes the list). Each file begins with
//! what the statement does, takes and returns. Short statements are also in the code of this crate. Other crates have
//! no statements, only SQL expressions: the virtual fields, views and computed members that a
//! [`Collection`](crate::collection::Collection) declares, and conditions that narrow a list.

include!(concat!(env!("OUT_DIR"), "/statements.rs"));
