//! One module for each thing a terminal can ask for. Each reads the message, sends the requests that an HTTP client
//! would send, and renders the answer.

mod blocks;
mod check_in;
mod check_out;
mod end_session;
mod fees;
mod holds;
mod item_properties;
mod items;
mod loan;
mod media;
mod patrons;
mod renew;
mod sorting;
pub mod status;

use http::Method;
use sip2::Kind;

use crate::{
    transaction::{Answered, Refusal, Transaction},
    words::Text,
};

/// A message that terminals may send: edge-sip2's name for it, and the HTTP requests that do the same.
pub struct Served {
    pub kind: Kind,
    pub name: &'static str,
    pub requests: &'static [(Method, &'static str)],
    changes: bool,
}

const READ_PATRON: [(Method, &str); 4] = [
    (Method::GET, "/users"),
    (Method::GET, "/accounts"),
    (Method::GET, "/manualblocks"),
    (Method::GET, "/automated-patron-blocks/x"),
];

/// How many messages the field of supported messages lists.
pub const LISTED: usize = 16;

/// The messages a terminal may send: first those that the field of supported messages lists, in its order.
pub(crate) const SERVED: &[Served] = &[
    asking(Kind::PatronStatus, "PATRON_STATUS_REQUEST", &READ_PATRON),
    changing(Kind::CheckOut, "CHECKOUT", &[(Method::POST, "/circulation/check-out-by-barcode")]),
    changing(Kind::CheckIn, "CHECKIN", &[(Method::POST, "/circulation/check-in-by-barcode")]),
    changing(Kind::BlockPatron, "BLOCK_PATRON", &[(Method::POST, "/manualblocks"), (Method::GET, "/users")]),
    asking(Kind::TerminalStatus, "SC_ACS_STATUS", &[]),
    asking(Kind::RequestResend, "REQUEST_SC_ACS_RESEND", &[]),
    asking(Kind::Login, "LOGIN", &[]),
    asking(
        Kind::PatronInformation,
        "PATRON_INFORMATION",
        &[
            (Method::GET, "/users"),
            (Method::GET, "/accounts"),
            (Method::GET, "/manualblocks"),
            (Method::GET, "/automated-patron-blocks/x"),
            (Method::GET, "/circulation/loans"),
            (Method::GET, "/circulation/requests"),
        ],
    ),
    asking(Kind::EndSession, "END_PATRON_SESSION", &[(Method::POST, "/circulation/end-patron-action-session")]),
    changing(Kind::FeePaid, "FEE_PAID", &[(Method::GET, "/accounts"), (Method::POST, "/accounts-bulk/pay")]),
    asking(Kind::ItemInformation, "ITEM_INFORMATION", &[(Method::GET, "/inventory/items")]),
    changing(Kind::ItemStatusUpdate, "ITEM_STATUS_UPDATE", &[(Method::GET, "/inventory/items")]),
    changing(
        Kind::PatronEnable,
        "PATRON_ENABLE",
        &[(Method::GET, "/manualblocks"), (Method::DELETE, "/manualblocks/x")],
    ),
    changing(Kind::Hold, "HOLD", &[(Method::POST, "/circulation/requests"), (Method::PUT, "/circulation/requests/x")]),
    changing(Kind::Renew, "RENEW", &[(Method::POST, "/circulation/renew-by-barcode")]),
    changing(
        Kind::RenewAll,
        "RENEW_ALL",
        &[(Method::GET, "/circulation/loans"), (Method::POST, "/circulation/renew-by-id")],
    ),
];

const fn asking(kind: Kind, name: &'static str, requests: &'static [(Method, &'static str)]) -> Served {
    Served { kind, name, requests, changes: false }
}

const fn changing(kind: Kind, name: &'static str, requests: &'static [(Method, &'static str)]) -> Served {
    Served { changes: true, ..asking(kind, name, requests) }
}

/// Whether a message of this kind changes anything.
pub(crate) fn changes_something(kind: Kind) -> bool {
    SERVED.iter().any(|served| served.kind == kind && served.changes)
}

impl Transaction<'_> {
    pub async fn answer(&self) -> Answered {
        match self.answered().await {
            Ok(answer) => Ok(answer),
            Err(mut refusal) => {
                refusal.title = self.title(&refusal).await;
                Err(self.not_recorded(refusal))
            }
        }
    }

    /// The title for the screen and receipt when a check-out or check-in was refused. One round trip, or none if
    /// nothing was tried.
    async fn title(&self, refusal: &Refusal) -> String {
        let kind = self.request.kind;
        let scanned = matches!(kind, Kind::CheckOut | Kind::CheckIn);
        if !scanned || refusal.failure.is_some() || self.permitted(kind).is_err() {
            return String::new();
        }
        let found = items::read(self).await.ok().flatten();
        found.map(|found| found.title).unwrap_or_default()
    }

    async fn answered(&self) -> Answered {
        let kind = self.request.kind;
        if kind == Kind::TerminalStatus {
            return Ok(status::signed_in(self));
        }
        self.permitted(kind)?;
        match kind {
            Kind::PatronStatus => patrons::status(self).await,
            Kind::PatronInformation => patrons::information(self).await,
            Kind::CheckOut => check_out::answer(self).await,
            Kind::CheckIn => check_in::answer(self).await,
            Kind::Renew => renew::one(self).await,
            Kind::RenewAll => renew::all(self).await,
            Kind::ItemInformation => items::answer(self).await,
            Kind::ItemStatusUpdate => item_properties::answer(self).await,
            Kind::FeePaid => fees::answer(self).await,
            Kind::Hold => holds::answer(self).await,
            Kind::BlockPatron => blocks::block(self).await,
            Kind::PatronEnable => blocks::enable(self).await,
            Kind::EndSession => end_session::answer(self).await,
            _ => Err(self.refuse(Text::NotHere)),
        }
    }
}
