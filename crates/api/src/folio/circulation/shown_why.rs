//! The schemas of explanations, for the API document. The code that writes them is `circulation::why`.

use crate::route::Body;

const NAMED: &str = "{id*:uuid, name*?}";
const POLICY: &str = "{kind*:(loan|request|notice|overdueFine|lostItem), id*:uuid, name*?}";
const DAY: &str = "{date*, open*:bool, exception, hours*[{start*, end*}]}";
const SET_BY: &str = "setBy*:(checkOut|renewal|recall|staff), setAt:datetime, by, dueDate:datetime";

/// What each explanation has.
fn members() -> String {
    format!(
        "facts*{{patronGroup{NAMED}, materialType{NAMED}, loanType{NAMED}, location{NAMED}}},
         rules*[{{policy*{POLICY}, line*:int, text*, readable*, heads*[], isFallback*:bool}}],
         dates*[{{because*:(loanPeriod|loanPeriodForHolds|renewalByLoanPeriod|renewalPeriod|renewalPeriodForHolds|recallReturnInterval|alternateRecallReturnInterval|minimumGuaranteedLoanPeriod|schedule|scheduleCap|calendar|patronExpires|recallKeeps|recallNow|staff),
             from*:datetime, to*:datetime, duration:int, interval, range{{from*:datetime, to*:datetime, due*:datetime}},
             strategy:(endOfSameDay|unchanged|endOfPreviousOpenDay|endOfNextOpenDay|endOfCurrentHours|beginningOfNextHours),
             before{DAY}, day{DAY}, after{DAY}, expires:datetime}}],
         refusals*[{{message*, code, parameters*[{{key*, value*?}}],
             overridableBlock{{name*, missingPermissions*[]}},
             because{{cause*:(policy|manualBlocks|blockLimit|itemLimit|renewalLimit|notLater|request|itemStatus|claimedReturned|noOpening|noLostLoan),
                 policy{POLICY},
                 blocks[{{reason*, expires}}], condition{NAMED}, limit:number, has:number, due:datetime,
                 byPolicy:datetime, requestId:uuid, status, since:datetime, loanId:uuid, borrower{NAMED},
                 claimed:datetime, by, comment, servicePoint{NAMED}, returned:datetime, recorded:bool}}}}],
         dueDate:datetime,
         fine{{policy{POLICY}, due:datetime, until:datetime, minutes:int, graceMinutes:int, closedHoursCount:bool,
             servicePoint{NAMED}, recalled:bool, quantity:number, interval, intervals:number, full:number,
             maximum:number, amount:number,
             none:(foundByLibrary|noPolicy|forgiven|notLate|lost|withinGrace|noRate|noOwner|zero)}}"
    )
}

/// Of a check-out, a check-in, a renewal or a request.
pub(super) fn explanation() -> Body {
    Body::json(&members()).named("Explanation")
}

/// Of a loan's due date.
pub(super) fn loan() -> Body {
    let loan = format!("loan*{{{SET_BY}, comment, policy{POLICY}, agrees*:bool, earlier*[{{{SET_BY}}}]}}");
    Body::json(&format!("{}, {loan}", members())).named("LoanExplanation")
}

/// Of a patron's automated blocks.
pub(super) fn patron() -> Body {
    let limits = format!(
        "limits*[{{condition*{NAMED}, message, limit*:number, has*:number,
             stops*[{{action*:(borrowing|renewals|requests), less:number}}]}}]"
    );
    Body::json(&format!("{}, {limits}", members())).named("PatronExplanation")
}

/// Of a fee.
pub(super) fn fee() -> Body {
    let fee = format!(
        "fee*{{kind*:(overdueFine|reminder|lostItem|byHand), policy{POLICY}, charged*:number, computed:number, agrees*:bool}}"
    );
    Body::json(&format!("{}, {fee}", members())).named("FeeExplanation")
}
