//! SQL statements by name (`build.rs` makes the list): the path of a file below `queries/`, which begins with what the
//! statement does, takes and returns; or, in `writes`, the call of a function, in a line `-- Statement: …` above it.
//! Short statements are also in the code of this crate. Other crates have no statements, only SQL expressions: the
//! virtual fields, views and computed members that a [`Collection`](crate::collection::Collection) declares, and
//! conditions that narrow a list.

include!(concat!(env!("OUT_DIR"), "/statements.rs"));
