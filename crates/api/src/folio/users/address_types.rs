//! Deleting address types (docs/folio/users.md#address-types): users hold them inside their addresses, which no foreign
//! key guards.

use std::sync::Arc;

use store::{
    collection::Collection,
    records::{self, Removal},
};

use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, serve},
    route::{Answer, Routes},
};

/// Whether a user has it, `$1` being its id.
const USED: &str = include_str!("../../../../store/queries/patrons/address_type_used.sql");

pub(super) fn routes(routes: &mut Routes, address_types: &Arc<Collection>) {
    serve(routes, address_types, "delete", delete);
}

async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    match records::delete_unused(&call.session, &collection, id, USED).await? {
        Removal::Done => Ok(Reply::no_content()),
        Removal::NotFound => Err(collections::not_found(&collection, id)),
        Removal::InUse => Err(Problem::bad_request(format!(
            "Cannot remove address type '{id}' as it is being used"
        ))),
    }
}
