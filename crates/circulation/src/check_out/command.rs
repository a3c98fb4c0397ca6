//! What a client asks for: the body of a check-out.

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::{
    blocks::{Granted, Overrides},
    dates::{Moment, computed},
    text::text,
};

/// A check-out, as asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckOutCommand {
    /// Barcode of the item.
    pub item_barcode: Option<String>,
    /// Barcode of the patron.
    pub user_barcode: Option<String>,
    /// Barcode of who acts for the patron.
    pub proxy_barcode: Option<String>,
    /// Where it happens.
    pub service_point_id: Option<Uuid>,
    /// When the loan begins.
    pub loan_date: Moment,
    /// The same as the client wrote it; the record keeps it so.
    pub loan_date_text: String,
    /// A loan policy instead of the one by the rules.
    pub force_loan_policy_id: Option<Uuid>,
    /// Blocks that are to be overridden.
    pub overrides: Overrides,
    /// Blocks that the caller may override.
    pub granted: Granted,
    /// Checks only.
    pub dry_run: bool,
}

/// A body that no check-out can be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// Not an object.
    NotAnObject,
    /// Not a date.
    LoanDate,
    /// Not an id.
    Id(&'static str),
}

impl CheckOutCommand {
    /// Reads the body of a request; members that FOLIO does not know are ignored.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn read(
        body: &Value,
        granted: Granted,
        dry_run: bool,
        now: Timestamp,
    ) -> Result<CheckOutCommand, Malformed> {
        if !body.is_object() {
            return Err(Malformed::NotAnObject);
        }
        let loan_date_text = text(&body["loanDate"]).unwrap_or_else(|| computed(now).to_string());
        Ok(CheckOutCommand {
            item_barcode: text(&body["itemBarcode"]),
            user_barcode: text(&body["userBarcode"]),
            proxy_barcode: text(&body["proxyUserBarcode"]),
            service_point_id: id(body, "servicePointId")?,
            loan_date: Moment::parse(&loan_date_text).ok_or(Malformed::LoanDate)?,
            loan_date_text,
            force_loan_policy_id: id(body, "forceLoanPolicyId")?,
            overrides: Overrides::read(&body["overrideBlocks"]),
            granted,
            dry_run,
        })
    }
}

fn id(body: &Value, member: &'static str) -> Result<Option<Uuid>, Malformed> {
    let id = text(&body[member]).map(|text| Uuid::try_parse(&text));
    id.transpose().map_err(|_| Malformed::Id(member))
}
