//! Small records that desk operations leave behind (docs/folio/desk-records.md).

use refusals::Refused;
use serde_json::{Map, Value};
use store::collection::{Collection, IndexKind};

use super::{
    PERIOD,
    refusal::{NEGATIVE, PREFERENCES_EXIST},
};

pub(super) fn collections() -> Vec<Collection> {
    vec![
        check_ins(),
        patron_action_sessions(),
        request_preferences(),
        scheduled_notices(),
        actual_cost_records(),
        synchronizations(),
        title_level_toggles(),
    ]
}

fn check_ins() -> Collection {
    Collection::new(
        "/check-in-storage/check-ins",
        "checkIns",
        "check_in",
        "occurredDateTime*:datetime, itemId*:uuid, servicePointId*:uuid, performedByUserId*:uuid,
         itemStatusPriorToCheckIn, itemLocationId:uuid, requestQueueSize:int, isDcb:bool",
    )
    .without_metadata()
    .compact(
        "itemId:uuid, servicePointId:uuid, performedByUserId:uuid, itemLocationId:uuid, occurredDateTime,
         itemStatusPriorToCheckIn, requestQueueSize:int",
    )
    // An item's check-ins.
    .loose_reference("itemId")
    .checked(|record| refuse_negative(record.get("requestQueueSize"), "requestQueueSize"))
    .without(&["put", "delete"])
}

fn refuse_negative(number: Option<&Value>, key: &'static str) -> Result<(), Refused> {
    match number {
        Some(number) if number.as_f64().is_some_and(|number| number < 0.0) => {
            Err(NEGATIVE.about(key, number.to_string()).into())
        }
        _ => Ok(()),
    }
}

fn patron_action_sessions() -> Collection {
    Collection::new(
        "/patron-action-session-storage/patron-action-sessions",
        "patronActionSessions",
        "patron_action_session",
        "patronId*:uuid, loanId*:uuid, actionType*:(Check-out|Check-in), sessionId:uuid",
    )
    .compact(
        "patronId:uuid, loanId:uuid, sessionId:uuid, actionType, metadata.createdDate, metadata.createdByUserId:uuid,
         metadata.updatedDate, metadata.updatedByUserId:uuid",
    )
    // Few records exist at a time: those of the last few minutes' loans.
    .unsequenced()
    // The end of a patron's session.
    .loose_reference("patronId")
}

fn request_preferences() -> Collection {
    Collection::new(
        "/request-preference-storage/request-preference",
        "requestPreferences",
        "user_request_preference",
        "userId*:uuid, holdShelf*:bool, delivery*:bool, defaultServicePointId:uuid,
         defaultDeliveryAddressTypeId:uuid, fulfillment:(Hold Shelf|Delivery)",
    )
    .unique_as(&["userId"], IndexKind::Folded, PREFERENCES_EXIST)
    .loose_reference("userId")
    .without(&["put"])
}

fn scheduled_notices() -> Collection {
    Collection::new(
        "/scheduled-notice-storage/scheduled-notices",
        "scheduledNotices",
        "scheduled_notice",
        &format!(
            "loanId:uuid, requestId:uuid, feeFineActionId:uuid, recipientUserId:uuid, sessionId:uuid,
             nextRunTime*:datetime, triggeringEvent:(Hold expiration|Request expiration|Title level request expiration|\
             Due date|Due date - with reminder fee|Overdue fine returned|Overdue fine renewed|Aged to lost|\
             Aged to lost - fine charged|Aged to lost & item returned - fine adjusted|\
             Aged to lost & item replaced - fine adjusted),
             noticeConfig*{{timing*:(Upon At|Before|After), recurringPeriod{PERIOD}, templateId*:uuid,
               format*:(Email|SMS|Print), sendInRealTime:bool}}"
        ),
    )
    .loose_reference("loanId")
    .loose_reference("requestId")
    .loose_reference("recipientUserId")
    .folded(&["nextRunTime"])
}

fn actual_cost_records() -> Collection {
    Collection::new(
        "/actual-cost-record-storage/actual-cost-records",
        "actualCostRecords",
        "actual_cost_record",
        "lossType*:(Aged to lost|Declared lost), lossDate*:datetime, expirationDate:datetime,
         status:(Open|Billed|Cancelled|Expired)=Open, additionalInfoForStaff, additionalInfoForPatron,
         user*{id*:uuid, barcode, firstName, lastName*, middleName, patronGroupId:uuid, patronGroup},
         loan*{id*:uuid},
         item*{id*:uuid, barcode, materialTypeId*:uuid, materialType*, permanentLocationId:uuid, permanentLocation,
           effectiveLocationId:uuid, effectiveLocation, loanTypeId*:uuid, loanType*, holdingsRecordId*:uuid,
           effectiveCallNumberComponents{callNumber, prefix, suffix}, volume, enumeration, chronology,
           displaySummary, copyNumber},
         instance*{id*:uuid, title*, identifiers[{value*, identifierType*, identifierTypeId*:uuid}],
           contributors[{name*}]},
         feeFine*{accountId:uuid, billedAmount:number, ownerId*:uuid, owner*, typeId*:uuid, type*}",
    )
    .loose_reference("loan.id")
    .folded(&["status"])
    .checked(check_actual_cost)
}

fn check_actual_cost(record: &mut Map<String, Value>) -> Result<(), Refused> {
    let fee = record.get("feeFine");
    refuse_negative(fee.and_then(|fee| fee.get("billedAmount")), "feeFine.billedAmount")
}

/// Runs that recount what patron blocks depend on; the workflow defines their routes
/// (docs/folio/patron-blocks.md#counting-again).
fn synchronizations() -> Collection {
    Collection::new(
        "/automated-patron-blocks/synchronization/job",
        "synchronizationJobs",
        "synchronization_jobs",
        "scope*:(user|full), userId:uuid, status, totalNumberOfLoans:int, totalNumberOfFeesFines:int,
         numberOfProcessedLoans:int, numberOfProcessedFeesFines:int, errors[]",
    )
    .without_metadata()
    .folded(&["status"])
    .without_routes()
}

/// Switching title-level requests on or off, which renumbers the queues
/// (docs/folio/request-queues.md#title-level-requests-on-and-off).
fn title_level_toggles() -> Collection {
    Collection::new(
        "/tlr-feature-toggle-job-storage/tlr-feature-toggle-jobs",
        "tlrFeatureToggleJobs",
        "tlr_feature_toggle_job",
        "status:(open|in-progress|done|failed), numberOfUpdatedRequests:int, errors[]",
    )
}
