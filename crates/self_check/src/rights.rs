//! What a terminal may do: the library has not switched it off, and the user has every permission that the same work
//! needs over HTTP.

use http::Method;
use sip2::Kind;

use crate::{
    transaction::{Refusal, Transaction},
    words::Text,
};

/// What a message needs: its place in the list of supported messages, edge-sip2's name for it, and the requests it makes.
struct Needs {
    kind: Kind,
    name: &'static str,
    requests: &'static [(Method, &'static str)],
}

const READ_PATRON: [(Method, &str); 4] = [
    (Method::GET, "/users"),
    (Method::GET, "/accounts"),
    (Method::GET, "/manualblocks"),
    (Method::GET, "/automated-patron-blocks/x"),
];

/// The messages a terminal may send, in the order of the field of supported messages.
const NEEDS: [Needs; 16] = [
    needs(Kind::PatronStatus, "PATRON_STATUS_REQUEST", &READ_PATRON),
    needs(
        Kind::CheckOut,
        "CHECKOUT",
        &[(Method::POST, "/circulation/check-out-by-barcode")],
    ),
    needs(
        Kind::CheckIn,
        "CHECKIN",
        &[(Method::POST, "/circulation/check-in-by-barcode")],
    ),
    needs(
        Kind::BlockPatron,
        "BLOCK_PATRON",
        &[(Method::POST, "/manualblocks"), (Method::GET, "/users")],
    ),
    needs(Kind::TerminalStatus, "SC_ACS_STATUS", &[]),
    needs(Kind::RequestResend, "REQUEST_SC_ACS_RESEND", &[]),
    needs(Kind::Login, "LOGIN", &[]),
    needs(
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
    needs(
        Kind::EndSession,
        "END_PATRON_SESSION",
        &[(Method::POST, "/circulation/end-patron-action-session")],
    ),
    needs(
        Kind::FeePaid,
        "FEE_PAID",
        &[
            (Method::GET, "/accounts"),
            (Method::POST, "/accounts-bulk/pay"),
        ],
    ),
    needs(
        Kind::ItemInformation,
        "ITEM_INFORMATION",
        &[(Method::GET, "/inventory/items")],
    ),
    needs(
        Kind::ItemStatusUpdate,
        "ITEM_STATUS_UPDATE",
        &[(Method::GET, "/inventory/items")],
    ),
    needs(
        Kind::PatronEnable,
        "PATRON_ENABLE",
        &[
            (Method::GET, "/manualblocks"),
            (Method::DELETE, "/manualblocks/x"),
        ],
    ),
    needs(
        Kind::Hold,
        "HOLD",
        &[
            (Method::POST, "/circulation/requests"),
            (Method::PUT, "/circulation/requests/x"),
        ],
    ),
    needs(
        Kind::Renew,
        "RENEW",
        &[(Method::POST, "/circulation/renew-by-barcode")],
    ),
    needs(
        Kind::RenewAll,
        "RENEW_ALL",
        &[
            (Method::GET, "/circulation/loans"),
            (Method::POST, "/circulation/renew-by-id"),
        ],
    ),
];

const fn needs(
    kind: Kind,
    name: &'static str,
    requests: &'static [(Method, &'static str)],
) -> Needs {
    Needs {
        kind,
        name,
        requests,
    }
}

impl Transaction<'_> {
    /// Says whether the terminal may send such a message: the library has not switched it off, and the user has every
    /// permission that the same work needs over HTTP.
    pub fn permitted(&self, kind: Kind) -> Result<(), Refusal> {
        let mut known = NEEDS.iter();
        let Some(needs) = known.find(|needs| needs.kind == kind) else {
            return Err(self.refuse(Text::NotHere));
        };
        let rules = &self.configuration.self_checks.rules;
        let here = self.here();
        let off = match kind {
            Kind::CheckOut => here.check_out == Some(false),
            Kind::CheckIn => here.check_in == Some(false),
            Kind::Renew | Kind::RenewAll => here.renewal == Some(false),
            Kind::BlockPatron | Kind::PatronEnable | Kind::ItemStatusUpdate => {
                rules.status_update == Some(false)
            }
            _ => false,
        };
        if off || rules.switched_off.contains(needs.name) {
            return Err(self.refuse(Text::NotHere));
        }
        let mut requests = needs.requests.iter();
        requests
            .try_for_each(|(method, path)| self.insider.permit(method, path))
            .map_err(|problem| self.problem(problem))
    }

    /// The messages this terminal may send, `Y` or `N` each. An item status update is answered but never done, so no
    /// terminal is asked to send one.
    pub fn supported(&self) -> String {
        let done = |kind| kind != Kind::ItemStatusUpdate && self.permitted(kind).is_ok();
        let letter = |needs: &Needs| if done(needs.kind) { 'Y' } else { 'N' };
        NEEDS.iter().map(letter).collect()
    }
}
