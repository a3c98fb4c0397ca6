//! Checks every exchange of a test against the API document: an answer that contradicts it fails the test
//! (docs/decisions/0034-the-api-document-is-checked-by-every-test.md).

mod schema;

use std::{collections::HashMap, sync::LazyLock};

use api::{archives, descriptors, open_api};
use reqwest::Method;
use serde_json::Value;

use self::schema::Side;
use crate::exchanges::Api;

/// A request and its answer.
pub(crate) struct Exchanged<'a> {
    pub api: Api,
    pub method: &'a Method,
    /// As sent, with the query.
    pub target: &'a str,
    /// The request's body, empty if it has none; absent if it is not to be checked.
    pub sent: Option<&'a [u8]>,
    pub status: u16,
    pub media: &'a str,
    pub text: &'a str,
}

/// Finds the path in the document for a request; `None` if no route serves it.
type Find = Box<dyn Fn(&Method, &str) -> Option<String> + Send + Sync>;

struct Document {
    document: Value,
    find: Find,
}

static FOLIO: LazyLock<Document> = LazyLock::new(|| {
    let (_, routes) = crate::routes();
    let document = open_api::document(&routes);
    let paths = document["paths"].as_object().into_iter().flatten();
    // By shape, without the names of parameters.
    let paths: HashMap<String, String> = paths.map(|(path, _)| (descriptors::shape(path), path.clone())).collect();
    let find = move |method: &Method, path: &str| {
        let path = path.strip_prefix("/folio").unwrap_or(path);
        let path = match path.strip_prefix("/_/invoke/tenant/") {
            Some(rest) => &rest[rest.find('/')?..],
            None => path,
        };
        let path = path.trim_end_matches('/');
        let shape = match routes.find(method, path) {
            Some((route, _)) => descriptors::shape(&route.path),
            None => path.to_owned(),
        };
        paths.get(&shape).cloned()
    };
    Document { document, find: Box::new(find) }
});

static ARCHIVES: LazyLock<Document> = LazyLock::new(|| {
    let find = |method: &Method, path: &str| archives::path_of(method, path);
    Document { document: archives::document(), find: Box::new(find) }
});

/// Fails the test if the answer contradicts the document.
///
/// # Panics
/// With the request, the status and the member that differs.
#[track_caller]
pub(crate) fn check(exchanged: &Exchanged<'_>) {
    let document = match exchanged.api {
        Api::Folio => &FOLIO,
        Api::Archives => &ARCHIVES,
    };
    if let Err(fault) = document.fault(exchanged) {
        let Exchanged { method, target, status, text, .. } = exchanged;
        let shown: String = text.chars().take(2_000).collect();
        panic!("{method} {target} answered {status}, but its API document says otherwise: {fault}\n{shown}");
    }
}

impl Document {
    fn fault(&self, exchanged: &Exchanged<'_>) -> Result<(), String> {
        let path = exchanged.target.split('?').next().unwrap_or_default();
        let Some(operation) = self.operation(exchanged.method, path) else {
            return Ok(());
        };
        self.answer_fault(operation, exchanged)?;
        match exchanged.sent {
            Some(sent) if exchanged.status < 300 => self.request_fault(operation, exchanged, sent),
            _ => Ok(()),
        }
    }

    /// The document's entry for a request; `None` if no route serves it.
    fn operation(&self, method: &Method, path: &str) -> Option<&Value> {
        let method = match *method {
            Method::HEAD => &Method::GET,
            _ => method,
        };
        let template = (self.find)(method, path)?;
        let operation = &self.document["paths"][template][method.as_str().to_lowercase()];
        Some(operation).filter(|operation| operation.is_object())
    }

    fn answer_fault(&self, operation: &Value, exchanged: &Exchanged<'_>) -> Result<(), String> {
        let Exchanged { status, text, .. } = exchanged;
        let responses = &operation["responses"];
        let response = match &responses[status.to_string()] {
            Value::Null if open_api::OF_ANY_ROUTE.contains(status) => &responses["default"],
            response => response,
        };
        if response.is_null() {
            return Err(format!("no status {status}"));
        }
        let response = schema::resolved(&self.document, response);
        if exchanged.method == Method::HEAD {
            return Ok(());
        }
        let Some(content) = response["content"].as_object() else {
            return match text.is_empty() {
                true => Ok(()),
                false => Err("no body".to_owned()),
            };
        };
        let media = exchanged.media.split(';').next().unwrap_or_default();
        let Some(content) = content.get(media) else {
            let known: Vec<_> = content.keys().map(String::as_str).collect();
            return Err(format!("{}, not `{media}`", known.join(" or ")));
        };
        if media != "application/json" {
            return Ok(());
        }
        let check = |body: &Value| schema::check(&self.document, Side::Given, &content["schema"], body);
        if content["x-sequence"] == true {
            let mut bodies = serde_json::Deserializer::from_str(text).into_iter::<Value>();
            return bodies.try_for_each(|body| check(&body.map_err(|error| error.to_string())?));
        }
        check(&serde_json::from_str(text).unwrap_or_else(|_| Value::from(*text)))
    }

    /// Why the document would not have allowed a request that was served.
    fn request_fault(&self, operation: &Value, exchanged: &Exchanged<'_>, sent: &[u8]) -> Result<(), String> {
        let declared = &operation["requestBody"];
        let side = match exchanged.api {
            Api::Folio => Side::Taken,
            Api::Archives => Side::TakenAsIs,
        };
        if sent.is_empty() {
            // Parameters of a form may come in the query.
            let is_required = declared["required"] == true && declared["content"].get("application/json").is_some();
            return if is_required { Err("the request needs a body".to_owned()) } else { Ok(()) };
        }
        match (declared["content"].get("application/json"), serde_json::from_slice(sent)) {
            (Some(content), Ok(body)) => {
                let body = if side == Side::TakenAsIs { without_empties(body) } else { body };
                let fault = schema::check(&self.document, side, &content["schema"], &body).err();
                fault.map_or(Ok(()), |fault| Err(format!("of the request, {fault}")))
            }
            (Some(_), Err(error)) => Err(format!("the request is not JSON: {error}")),
            (None, _) => Ok(()),
        }
    }
}

/// What the archives' port reads of a body: without nulls, empty texts and empty objects.
fn without_empties(body: Value) -> Value {
    let is_full = |value: &Value| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    };
    match body {
        Value::Array(entries) => entries.into_iter().map(without_empties).filter(is_full).collect(),
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, value)| (name, without_empties(value)));
            members.filter(|(_, value)| is_full(value)).collect()
        }
        other => other,
    }
}
