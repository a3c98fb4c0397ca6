//! ARKs that an administrator gives to a record.

use serde_json::{Map, Value, json};
use store::{Session, statements::writes::SET_ARCHIVAL_ARK};

use super::{Place, written};
use crate::{
    arks::{self, Numbering},
    refusal::Refusal,
};

/// Gives a record the ARKs of a checked `ark_name`, in place of those that it has. One round trip.
///
/// # Errors
/// Not found, something is no ARK, another record has one of them.
pub async fn set_arks(
    session: &Session,
    place: Place,
    id: i64,
    given: &Map<String, Value>,
    (numbering, now): (&Numbering, jiff::Timestamp),
) -> Result<(), Refusal> {
    let ark = arks::given(given, &numbering.own())?;
    let keys = json!(arks::keys(&Map::from_iter([("ark_name".to_owned(), ark.clone())])));
    let answer = session.value(SET_ARCHIVAL_ARK, &[&place.kind, &id, &place.repository, &ark, &keys, &now]).await;
    written(answer, place.kind)?;
    Ok(())
}
