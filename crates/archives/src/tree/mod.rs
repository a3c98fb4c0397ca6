//! Trees: the components of a resource, a digital object or a classification (contract 3.2, 7).

mod moves;
mod order;
mod pages;
mod small;
mod whole;

pub use moves::{accept_children, add_children, set_parent};
pub use order::ordered_records;
pub use pages::{Tree, children, node, paths, previous, root, waypoint};
pub use small::small;
pub use whole::whole;
