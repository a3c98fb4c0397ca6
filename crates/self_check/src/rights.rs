//! What a terminal may do: what the library has not switched off and its user has all permissions for that the same
//! work needs over HTTP.

use sip2::Kind;

use crate::{
    answers::{LISTED, SERVED, Served},
    transaction::{Refusal, Transaction},
    words::Text,
};

impl Transaction<'_> {
    /// Refuses a message that the library has switched off, or for which the terminal's user lacks a permission.
    pub fn permitted(&self, kind: Kind) -> Result<(), Refusal> {
        let mut known = SERVED.iter();
        let Some(served) = known.find(|served| served.kind == kind) else {
            return Err(self.refuse(Text::NotHere));
        };
        let rules = &self.configuration.self_checks.rules;
        let here = self.here();
        let off = match kind {
            Kind::CheckOut => here.check_out == Some(false),
            Kind::CheckIn => here.check_in == Some(false),
            Kind::Renew | Kind::RenewAll => here.renewal == Some(false),
            Kind::BlockPatron | Kind::PatronEnable | Kind::ItemStatusUpdate => rules.status_update == Some(false),
            _ => false,
        };
        if off || rules.switched_off.contains(served.name) {
            return Err(self.refuse(Text::NotHere));
        }
        let mut requests = served.requests.iter();
        requests
            .try_for_each(|(method, path)| self.insider.permit(method, path))
            .map_err(|problem| self.problem(problem))
    }

    /// The messages that this terminal may send, `Y` or `N` each. Item status updates are always answered but never
    /// stored, so terminals are not invited to send any.
    pub fn supported(&self) -> String {
        let done = |kind| kind != Kind::ItemStatusUpdate && self.permitted(kind).is_ok();
        let letter = |served: &Served| if done(served.kind) { 'Y' } else { 'N' };
        SERVED.iter().take(LISTED).map(letter).collect()
    }
}
