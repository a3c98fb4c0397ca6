//! Refusals of circulation as answers.

use circulation::refusal::Told;
use desk::{Failed, Unkept};
use http::StatusCode;

use crate::answer::{ErrorItem, Problem};

/// One refusal.
impl From<Told> for ErrorItem {
    fn from(told: Told) -> Self {
        let parameters = told.parameters.into_iter();
        ErrorItem {
            message: told.message,
            kind: None,
            code: told.code.map(str::to_owned),
            parameters: parameters
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
            overridable_block: told.block.map(|block| block.to_json()),
        }
    }
}

/// Refusals as mod-circulation tells them: 422.
pub(super) fn refused(told: impl IntoIterator<Item = Told>) -> Problem {
    let errors: Vec<ErrorItem> = told.into_iter().map(ErrorItem::from).collect();
    Problem::circulation(&errors)
}

/// What a use case of the desk failed with, as an answer.
pub(crate) trait IntoProblem<R> {
    /// Says a refusal as `told` does.
    fn into_problem(self, told: impl FnOnce(R) -> Problem) -> Problem;
}

impl<R> IntoProblem<R> for Failed<R> {
    fn into_problem(self, told: impl FnOnce(R) -> Problem) -> Problem {
        match self {
            Failed::Refused(refusal) => told(refusal),
            Failed::Unkept(Unkept::Rejected(rejection)) => rejection.into(),
            Failed::Unkept(Unkept::Fault(fault)) => Problem::fault(fault),
            Failed::Store(error) => error.into(),
        }
    }
}

/// Circulation rules that cannot be applied: FOLIO says so in the text of a 500.
pub(super) fn rules_failed(text: String) -> Problem {
    Problem::Text(StatusCode::INTERNAL_SERVER_ERROR, text)
}

/// A member of the body that is no id: 422, in the words of the schema's pattern.
pub(super) fn not_an_id(member: &str) -> Problem {
    let pattern = "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}$";
    Problem::circulation(&[ErrorItem {
        message: format!("must match \"{pattern}\""),
        parameters: vec![(member.to_owned(), None)],
        ..ErrorItem::default()
    }])
}
