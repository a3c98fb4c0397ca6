//! `PUT /smtp-configuration/{id}`. Clients never see the password.

use std::sync::Arc;

use bytes::Bytes;
use messages::collections::HIDDEN;
use serde_json::Value;
use store::{collection::Collection, record::Kind};

use crate::{
    call::Call,
    collections::{self, serve},
    route::{Answer, Body, Routes},
};

pub(super) fn routes(routes: &mut Routes, configurations: &Arc<Collection>) {
    let sent = Kind::Object(configurations.schema.clone().and("password"));
    serve(routes, configurations, "put", replace).takes_body(Body::of(sent));
}

/// PUT. Without a password, or with the placeholder that clients see, the stored password stays. One round trip, or two
/// if it stays.
async fn replace(mut call: Call, collection: Arc<Collection>) -> Answer {
    let mut sent = call.json()?;
    let is_hidden = |password: Option<&Value>| password.is_none_or(|password| password.is_null() || password == HIDDEN);
    if let Some(members) = sent.as_object_mut().filter(|sent| is_hidden(sent.get("password"))) {
        let sql = store::statements::messages::SMTP_PASSWORD;
        if let Some(password) = call.session.find_value(sql, &[&call.id("id")?]).await? {
            members.insert("password".into(), password);
        }
        call.body = Bytes::from(sent.to_string());
    }
    collections::replace(call, collection).await
}
