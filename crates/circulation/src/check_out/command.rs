//! The body of a check-out request.

use jiff::Timestamp;
use refusals::Refusal;
use serde_json::Value;
use uuid::Uuid;

use super::refusal::LOAN_DATE_INVALID;
use crate::{
    blocks::{Granted, Overrides},
    dates::{Moment, computed},
    refusal::{NOT_AN_OBJECT, not_an_id},
    text::text,
};

/// A requested check-out.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckOutCommand {
    /// Barcode of the item.
    pub item_barcode: Option<String>,
    /// Barcode of the patron.
    pub user_barcode: Option<String>,
    /// Barcode of the proxy who acts for the patron.
    pub proxy_barcode: Option<String>,
    /// The service point of the check-out; a dry run may omit it.
    pub service_point_id: Option<Uuid>,
    /// The start of the loan.
    pub loan_date: Moment,
    /// The loan date as the client sent it, which the loan record keeps.
    pub loan_date_text: String,
    /// A loan policy to use instead of the one that the circulation rules choose.
    pub force_loan_policy_id: Option<Uuid>,
    /// Blocks to override.
    pub overrides: Overrides,
    /// Blocks that the caller has permission to override.
    pub granted: Granted,
    /// Whether to run only the checks.
    pub dry_run: bool,
}

impl CheckOutCommand {
    /// Reads the body of a request; properties that FOLIO does not know are ignored.
    ///
    /// # Errors
    /// The first invalid property.
    pub fn read(
        body: &Value,
        granted: Granted,
        dry_run: bool,
        now: Timestamp,
    ) -> Result<CheckOutCommand, Refusal> {
        if !body.is_object() {
            return Err(NOT_AN_OBJECT.into());
        }
        let loan_date_text = text(&body["loanDate"]).unwrap_or_else(|| computed(now).to_string());
        Ok(CheckOutCommand {
            item_barcode: text(&body["itemBarcode"]),
            user_barcode: text(&body["userBarcode"]),
            proxy_barcode: text(&body["proxyUserBarcode"]),
            service_point_id: id(body, "servicePointId")?,
            loan_date: Moment::parse(&loan_date_text).ok_or(LOAN_DATE_INVALID)?,
            loan_date_text,
            force_loan_policy_id: id(body, "forceLoanPolicyId")?,
            overrides: Overrides::read(&body["overrideBlocks"]),
            granted,
            dry_run,
        })
    }
}

fn id(body: &Value, member: &'static str) -> Result<Option<Uuid>, Refusal> {
    let id = text(&body[member]).map(|text| Uuid::try_parse(&text));
    id.transpose().map_err(|_| not_an_id(member))
}
