//! Deletion of address types (docs/folio/users.md#address-types). Users refer to them inside their addresses, where no
//! foreign key applies.

use std::sync::Arc;

use store::{
    collection::Collection,
    records::{self, Removal},
    statements::patrons::ADDRESS_TYPE_USED,
};

use super::refusals::ADDRESS_TYPE_IN_USE;
use crate::{
    answer::Reply,
    call::Call,
    collections::{self, serve},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, address_types: &Arc<Collection>) {
    serve(routes, address_types, "delete", delete);
}

async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    match records::delete_unused(&call.session, &collection, id, ADDRESS_TYPE_USED).await? {
        Removal::Done => Ok(Reply::no_content()),
        Removal::NotFound => Err(collections::not_found(&collection, id)),
        Removal::InUse => Err(ADDRESS_TYPE_IN_USE.with("id", id).into()),
    }
}
