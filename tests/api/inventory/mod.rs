//! Inventory (docs/folio/inventory.md).

mod bad_input;
mod batches;
mod business_instances;
mod business_items;
mod contention;
mod harvest;
mod hrids;
mod isbn;
mod items;
mod linked_instances;
mod links;
mod lists;
mod locations;
mod marks;
mod moves;
mod ownership;
mod records;
mod reference_data;
mod small_inventory;
mod views;

use small_inventory::SmallInventory;
