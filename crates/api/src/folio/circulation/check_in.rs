//! `/circulation/check-in-by-barcode` (docs/folio/check-in.md).

use circulation::check_in::{CheckInCommand, CheckInRefusal, NotTaken};
use desk::{self, Failed};

use super::told::{IntoProblem, refused, rules_failed};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/check-in-by-barcode", check_in)
        .summary("Take an item back")
        .at_the_desk()
        .takes(
            "itemBarcode*, servicePointId*:uuid, checkInDate*,
             claimedReturnedResolution:(Found by library|Returned by patron), sessionId:uuid",
        )
        .gives("loan:object, item:object, staffSlipContext:object, inHouseUse:bool");
}

/// POST. Two round trips.
async fn check_in(call: Call) -> Answer {
    let body = call.json()?;
    let command = CheckInCommand::read(&body, call.user_id());
    let command = command.map_err(|refusal| told(&refusal, ""))?;
    let taken = desk::check_in(&call.tenant.desk, &call.session, &command, call.now).await;
    let taken = taken.map_err(|failed| problem(failed, &command))?;
    match &taken.decided.afterwards {
        Some(refusal) => Err(told(refusal, &command.item_barcode)),
        None => Ok(Reply::pretty(&taken.representation())),
    }
}

fn told(refusal: &CheckInRefusal, barcode: &str) -> Problem {
    refused([refusal.told(barcode)])
}

fn problem(failed: Failed<NotTaken>, command: &CheckInCommand) -> Problem {
    failed.into_problem(|fault| match fault {
        NotTaken::RulesFailed(text) => rules_failed(text),
        NotTaken::Refused(refusal) => told(&refusal, &command.item_barcode),
    })
}
