//! Reads the input of a call. Malformed input is refused in the format of the route's module.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{id, number, unreadable};
use crate::{answer::Problem, call::Call};

impl Call {
    /// A path parameter as a UUID. If malformed, most modules answer 404 to GET and 400 to other methods.
    pub fn id(&self, name: &str) -> Result<Uuid, Problem> {
        id(self, name)
    }

    /// The body as JSON. The gateway has already checked the Content-Type. If malformed, most modules answer 400 text.
    pub fn json(&self) -> Result<Value, Problem> {
        self.parse()
    }

    /// The body as a JSON object. Refusals as in [`Call::json`].
    pub fn object(&self) -> Result<Map<String, Value>, Problem> {
        match self.json()? {
            Value::Object(members) => Ok(members),
            _ => Err(unreadable(self, &"expected a JSON object")),
        }
    }

    /// The body, deserialized. Refusals as in [`Call::json`].
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_json::from_slice(&self.body).map_err(|error| unreadable(self, &error))
    }

    /// `limit` in the query string, or the default. Refusals as in [`Call::number`].
    pub fn limit(&self, default: i64) -> Result<i64, Problem> {
        self.number("limit", default)
    }

    /// `offset` in the query string, or 0. Refusals as in [`Call::number`].
    pub fn offset(&self) -> Result<i64, Problem> {
        self.number("offset", 0)
    }

    /// A number from 0 to 2147483647 in the query string. Otherwise most modules answer 400 text.
    pub fn number(&self, name: &str, default: i64) -> Result<i64, Problem> {
        number(self, name, default)
    }
}
