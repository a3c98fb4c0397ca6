//! The schemas of loans, requests and slips in circulation's responses, for the API document. The code that writes them
//! is in `circulation::representation`, `circulation::requests::representation` and `circulation::slips`.

use desk::collections::{loans, requests};
use store::record::{Kind, Schema};

use serde_json::Value;

use crate::{
    call::{Call, OF_PAGES},
    route::Body,
};

/// What Carrel's own pages are told about the item, and of a check-out about the patron
/// ([decision 68](../../../../../docs/decisions/0068-the-desk-is-told-about-the-item.md)).
const DESK: &str = "desk{statusBefore*, refusal, notes[], numberOfPieces, descriptionOfPieces, numberOfMissingPieces,
    missingPieces, fees[{type*, amount*}],
    patron{openLoans*:int, automatedPatronBlocks*[{patronBlockConditionId*:uuid, blockBorrowing*:bool,
    blockRenewals*:bool, blockRequests*:bool, message}]}}";

/// The answer to a scan. A page of Carrel's also gets what staff must not miss about the item; other clients get what
/// FOLIO answers.
pub(super) fn at_the_desk(call: &Call, mut answer: Value, facts: impl FnOnce() -> Value) -> Value {
    if is_page(call) {
        answer["desk"] = facts();
    }
    answer
}

/// Whether a page of Carrel's asks.
pub(super) fn is_page(call: &Call) -> bool {
    call.header(OF_PAGES).is_some()
}

/// An item within a loan or a check-in response.
pub(super) const ITEM: &str = "id*:uuid, holdingsRecordId:uuid, instanceId*:uuid, instanceHrid, title, barcode,
    contributors[{name*?}], primaryContributor, callNumber, enumeration, chronology, displaySummary, volume, copyNumber,
    editions[], seriesStatements[], datesOfPublication[], physicalDescriptions[], administrativeNotes[],
    accessionNumber,
    callNumberComponents{callNumber, prefix, suffix}, status*{name*, date:datetime},
    inTransitDestinationServicePointId:uuid, inTransitDestinationServicePoint{id*:uuid, name*}, location{name*},
    materialType{name*}";

const SERVICE_POINT: &str =
    "{name*, code*?, discoveryDisplayName*?, description*?, shelvingLagTime*?:int, pickupLocation*?:bool}";

/// Members of a stored loan that circulation does not show.
const HIDDEN: &str = "itemStatus, patronGroupIdAtCheckout, agedToLostDelayedBilling";

fn loan_members() -> Schema {
    loans().schema.without(HIDDEN).require("id").and(&format!(
        "item{{{ITEM}}}, checkinServicePoint{SERVICE_POINT}, checkoutServicePoint{SERVICE_POINT},
         borrower{{firstName*?, lastName*?, middleName*?, barcode*?, preferredFirstName*?, patronGroup*?:uuid}},
         patronGroupAtCheckout{{id*:uuid, name*}}, loanPolicy{{name*?}}, overdueFinePolicy{{name*?}},
         lostItemPolicy{{name*?}}, feesAndFines{{amountRemainingToPay*:number}},
         reminders{{lastFeeBilled{{number:int, date:datetime}}, renewalBlocked:bool}}"
    ))
}

/// A loan with its item, borrower and policies.
pub(super) fn loan() -> Body {
    Body::of(Kind::Object(loan_members())).named("CirculationLoan")
}

/// A new loan, which always has its item and borrower.
pub(super) fn checked_out() -> Body {
    let always = ["item", "borrower", "dueDate"];
    let loan = always.iter().fold(loan_members().and(DESK), |loan, member| loan.require(member));
    Body::of(Kind::Object(loan)).named("CheckOut")
}

/// A request with its item, title and patrons.
pub(super) fn request() -> Body {
    let patron =
        "{lastName, firstName, middleName, barcode, patronGroup{id*:uuid, group*, desc*?}, patronGroupId:uuid}";
    let shown = requests().schema.without("searchIndex").require("id").and(&format!(
        "item{{barcode, location{{name, libraryName, code}}, enumeration, volume, chronology, displaySummary,
                 loanTypeId:uuid, loanTypeName, status, callNumber,
                 callNumberComponents{{callNumber, prefix, suffix}}, copyNumber, itemEffectiveLocationId:uuid,
                 itemEffectiveLocationName, retrievalServicePointId:uuid, retrievalServicePointName}},
             instance{{title*, identifiers*[{{identifierTypeId*?:uuid, value*?}}], contributorNames*[{{name*?}}],
                 publication*[{{publisher, place, dateOfPublication, role, ...}}], editions*[]}},
             loan{{dueDate*:datetime}}, requester{patron}, proxy{patron}, pickupServicePoint{SERVICE_POINT},
             deliveryAddress{{addressTypeId:uuid, addressLine1, addressLine2, city, region, postalCode, countryId}},
             printDetails{{printCount:int, requesterId:uuid, isPrinted:bool, printEventDate:datetime,
                 lastPrintRequester{{firstName, lastName, middleName}}}}"
    ));
    Body::of(Kind::Object(shown)).named("CirculationRequest")
}

/// The context of a staff slip (docs/folio/check-in.md#staff-slip-context).
pub(super) fn slip() -> String {
    let title = "title?, instanceHrid?, primaryContributor?, allContributors, datesOfPublication, editions,
        physicalDescriptions, seriesStatements";
    let place = "effectiveLocationSpecific?, effectiveLocationLibrary?, effectiveLocationCampus?,
        effectiveLocationInstitution?, effectiveLocationDiscoveryDisplayName?,
        effectiveLocationPrimaryServicePointName";
    let address = "primaryAddressLine1?, primaryAddressLine2?, primaryCity?, primaryStateProvRegion?,
        primaryZipPostalCode?, primaryCountry?, primaryDeliveryAddressType?, addressLine1?, addressLine2?, city?, region?,
        postalCode?, countryId?, addressType?";
    format!(
        "item*{{{title}, barcode?, status?, enumeration?, volume?, chronology?, yearCaption, materialType?, loanType?,
             copy, numberOfPieces?, displaySummary?, descriptionOfPieces?, accessionNumber?, administrativeNotes, {place},
             callNumber?, callNumberPrefix?, callNumberSuffix?, shelvingOrder?, lastCheckedInDateTime:datetime,
             fromServicePoint, toServicePoint}},
         request{{requestID*:uuid, servicePointPickup, requestDate:datetime, requestExpirationDate:datetime,
             holdShelfExpirationDate:datetime, additionalInfo, deliveryAddressType, patronComments}},
         requester{{firstName?, preferredFirstName?, lastName?, middleName?, barcode?, patronGroup, departments,
             {address}}},
         currentDateTime*:datetime"
    )
}

/// An item in transit, with its loan and request.
pub(super) fn in_transit() -> String {
    format!(
        "id*:uuid, title, barcode, contributors*[{{name*}}], callNumber, enumeration, displaySummary, volume,
         yearCaption[], status*{{name*}}, inTransitDestinationServicePointId:uuid, copyNumber,
         effectiveCallNumberComponents{{callNumber, prefix, suffix}},
         inTransitDestinationServicePoint{{id*:uuid, name*}}, location{{name, code, libraryName}},
         request{{requestType, requestDate:datetime, requestExpirationDate:datetime, requestPickupServicePointName,
             tags[], requestPatronGroup}},
         loan{{checkInServicePoint{SERVICE_POINT}, checkInDateTime:datetime}},
         lastCheckIn{{dateTime:datetime, servicePoint{{id*:uuid, name*}}}}"
    )
}

pub(super) fn check_in() -> Body {
    let members =
        Schema::declare(&format!("item*{{{ITEM}}}, staffSlipContext*{{{}}}, inHouseUse*:bool, {DESK}", slip()));
    let members = members.with("loan", &Kind::Object(loan_members()));
    Body::of(Kind::Object(members)).named("CirculationCheckIn")
}

/// The response when an item is held for use at its location: the stored loan, with its item.
pub(super) fn held() -> Body {
    let loan = loans().schema.and(&format!("item{{{ITEM}}}"));
    Body::of(Kind::Object(Schema::default().with("loan", &Kind::Object(loan))))
}
