//! `PUT /smtp-configuration/{id}`, where what clients read has no password.

use std::sync::Arc;

use bytes::Bytes;
use mail::collections::HIDDEN;
use serde_json::Value;
use store::collection::Collection;

use crate::{
    call::Call,
    collections::{self, serve},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, configurations: &Arc<Collection>) {
    serve(routes, configurations, "put", replace);
}

/// PUT. What comes back without a password, or with what is shown in its place, keeps the one that is stored. One round
/// trip, or two to keep it.
async fn replace(mut call: Call, collection: Arc<Collection>) -> Answer {
    let mut sent = call.json()?;
    let is_hidden = |password: Option<&Value>| {
        password.is_none_or(|password| password.is_null() || password == HIDDEN)
    };
    if let Some(members) = sent
        .as_object_mut()
        .filter(|sent| is_hidden(sent.get("password")))
    {
        let sql = store::statements::mail::SMTP_PASSWORD;
        if let Some(row) = call.session.find(sql, &[&call.id("id")?]).await? {
            members.insert("password".into(), row.get(0));
        }
        call.body = Bytes::from(sent.to_string());
    }
    collections::replace(call, collection).await
}
