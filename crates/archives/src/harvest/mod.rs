//! Harvesting of published resources and archival objects (OAI-PMH 2.0, contract 3.5).

mod answer;
pub mod config;
mod list;
mod request;
mod single;
mod token;

use std::pin::Pin;

use futures_util::Stream;
use jiff::Timestamp;
use store::Session;

pub use self::request::Asked;
use self::{
    answer::Answer,
    request::{Request, Verb},
};
use crate::refusal::Refusal;

/// An answer in parts.
pub type Parts = Pin<Box<dyn Stream<Item = Result<Vec<u8>, Refusal>> + Send>>;

/// Where an answer is given.
#[derive(Debug, Clone)]
pub struct Here {
    /// Where clients find the API, before the addresses of records.
    pub site: String,
    pub now: Timestamp,
}

/// Why a harvester gets no records: OAI-PMH's code, and a sentence.
type Wrong = (&'static str, &'static str);

const BAD_ARGUMENT: &str = "badArgument";
const NO_FORMAT: Wrong =
    ("cannotDisseminateFormat", "The metadata format is not known, or the record cannot be given in it.");
const NO_RECORD: Wrong = ("idDoesNotExist", "There is no record with this identifier, or it is not offered.");

/// Answers a harvester. Whatever is wrong with the request is told in OAI-PMH's own way. At most ten round trips, whatever
/// the number and size of records.
pub async fn answer(session: &Session, asked: &Asked<'_>, here: &Here) -> Result<Parts, Refusal> {
    let request = match Request::read(asked) {
        Ok(request) => request,
        Err(wrong) => {
            let mut answer = Answer::begin(&[], here);
            answer.error(wrong);
            return Ok(answer.end());
        }
    };
    let mut answer = Answer::begin(&asked.given(), here);
    match request.verb {
        Verb::Identify => answer.identify(&config::read(session).await?),
        Verb::ListMetadataFormats => single::formats(request.identifier.as_deref(), &mut answer),
        Verb::ListSets => {
            let config = config::read(session).await?;
            answer.sets(&config, &list::levels(session).await?);
        }
        Verb::GetRecord => return single::record(session, &request, here, answer).await,
        Verb::ListIdentifiers | Verb::ListRecords => return list::page(session, request, here, answer).await,
    }
    Ok(answer.end())
}
