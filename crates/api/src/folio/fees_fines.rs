//! mod-feesfines (folio-circulation §7.1): the records are plain collections but for the automatic fee/fine
//! types, which nobody changes. The actions upon accounts (§7.2: pay, waive, transfer, refund, cancel) belong here.

use std::sync::Arc;

use store::collection::Collection;

use super::declared;
use crate::{
    answer::{ErrorItem, Problem},
    call::Call,
    collections::{self, serve},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    serve(routes, &declared(all, "feefines"), "put", replace_type);
}

async fn replace_type(call: Call, collection: Arc<Collection>) -> Answer {
    if patrons::fees::is_automatic(call.id("id")?) {
        return Err(Problem::unprocessable(&[ErrorItem {
            message: "Attempt to change an automatic fee/fine type".into(),
            ..ErrorItem::default()
        }]));
    }
    collections::replace(call, collection).await
}
