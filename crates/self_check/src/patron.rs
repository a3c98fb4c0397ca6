//! A patron as a self-check needs to know one: account, blocks, and whether the password is right.

use api::inside::Insider;
use circulation::{
    check_out::ManualBlock,
    configuration::Configuration,
    dates::stored,
    patron_blocks::{self, Standing, automated_blocks},
    records::Patron,
};
use identity::{
    events::Origin,
    passwords,
    sign_in::{self, Name, SignInError},
};
use postgres_types::Json;
use rust_decimal::Decimal;
use serde_json::Value;
use sip2::field;
use store::{StoreError, self_check, self_check::Piece};

use crate::{
    transaction::{Refusal, Transaction},
    words::Text,
};

/// A patron with everything that surrounds one.
#[derive(Debug, Clone)]
pub struct Account {
    /// The patron.
    pub patron: Patron,
    /// The record, for names and addresses.
    pub record: Value,
    /// How many items, requests and fees.
    pub counts: Value,
    /// What is owed.
    pub owed: Decimal,
    /// The list that was asked for.
    pub listed: Vec<Value>,
    /// What the patron may not do.
    pub blocks: Blocks,
    pin: Option<String>,
}

/// What a patron may not do, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks {
    /// Borrow.
    pub borrowing: bool,
    /// Prolong.
    pub renewals: bool,
    /// Request.
    pub requests: bool,
    /// Places of further flags in a patron's status.
    pub reasons: Vec<usize>,
    /// For the patron's screen.
    pub messages: Vec<String>,
}

/// What came of a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Password {
    /// Nobody asked.
    NotAsked,
    /// It is the patron's.
    Right,
    /// It is not.
    Wrong,
}

impl Account {
    /// Reads the patron of that identifier; `None` for nobody. One round trip.
    pub async fn read(
        transaction: &Transaction<'_>,
        identifier: &str,
        piece: Option<Piece>,
    ) -> Result<Option<Account>, StoreError> {
        let Insider {
            session,
            now,
            tenant,
            ..
        } = &transaction.insider;
        let at = stored(*now).to_string();
        let row = self_check::patron(session, identifier, &at, piece).await?;
        let Some(Json(record)) = row.try_get::<_, Option<Json<Value>>>(1)? else {
            return Ok(None);
        };
        let configuration = tenant.desk.configuration(session, row.try_get(0)?).await?;
        let patron: Patron = serde_json::from_value(record.clone()).unwrap_or_default();
        let manual: Option<Json<Value>> = row.try_get(3)?;
        let standing: Option<Json<Standing>> = row.try_get(4)?;
        let Json(counts) = row.try_get(5)?;
        let owed: String = row.try_get(6)?;
        let listed: Option<Json<Vec<Value>>> = row.try_get(7)?;
        let manual = manual.map(|Json(blocks)| blocks).unwrap_or_default();
        let standing = standing.map(|Json(standing)| standing).unwrap_or_default();
        let mut blocks = Blocks::default();
        blocks.add_manual(&manual, *now);
        blocks.add_automated(&standing, &patron, &configuration, *now);
        Ok(Some(Account {
            patron,
            record,
            counts,
            owed: owed.parse().unwrap_or_default(),
            listed: listed.map(|Json(listed)| listed).unwrap_or_default(),
            blocks,
            pin: row.try_get(2)?,
        }))
    }

    /// Reads the patron that the request names, who has to exist.
    ///
    /// # Errors
    /// A refusal for nobody.
    pub async fn named(
        transaction: &Transaction<'_>,
        piece: Option<Piece>,
    ) -> Result<Account, Refusal> {
        let identifier = transaction.required(field::PATRON)?;
        let read = Account::read(transaction, identifier, piece).await;
        let found = read.map_err(|error| transaction.failed(error))?;
        found.ok_or_else(|| transaction.refuse(Text::PatronUnknown))
    }

    /// A number of something.
    pub fn count(&self, of: &str) -> usize {
        let count = self.counts[of].as_u64().unwrap_or_default();
        usize::try_from(count).unwrap_or(usize::MAX)
    }

    /// The name that is shown on the screen.
    pub fn name(&self) -> String {
        let personal = &self.record["personal"];
        let parts = ["firstName", "middleName", "lastName"].map(|part| personal[part].as_str());
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        parts.join(" ")
    }

    /// Checks the password or PIN of the request, as the library's rules say; `asked` when the request is about the
    /// patron, so that a password that came is checked in any case.
    pub async fn password(
        &self,
        transaction: &Transaction<'_>,
        asked: bool,
    ) -> Result<Password, StoreError> {
        let rules = &transaction.configuration.self_checks.rules;
        let sent = transaction.request.field(field::PATRON_PASSWORD);
        let wanted = asked && sent.is_some() && !rules.password_ignored;
        if !rules.password_required && !wanted {
            return Ok(Password::NotAsked);
        }
        let sent = sent.unwrap_or_default();
        let right = match rules.pin {
            true => passwords::matches(sent, self.pin.clone()).await,
            false => self.signs_in(transaction, sent).await?,
        };
        Ok(if right {
            Password::Right
        } else {
            Password::Wrong
        })
    }

    /// The patron's password; a wrong one counts as a failed log-in.
    async fn signs_in(
        &self,
        transaction: &Transaction<'_>,
        password: &str,
    ) -> Result<bool, StoreError> {
        let insider = &transaction.insider;
        let origin = Origin {
            tenant: transaction.station.tenant.clone(),
            address: None,
            browser: Some("SIP2".to_owned()),
        };
        let name = Name::Id(self.patron.id);
        match sign_in::check(&insider.session, &name, password, &origin, insider.now).await {
            Ok(_) => Ok(true),
            Err(SignInError::Refused { blocked }) => {
                if let Some(user) = blocked {
                    insider.tenant.directory.forget_user(user);
                }
                Ok(false)
            }
            Err(SignInError::Store(error)) => Err(error),
        }
    }
}

/// Refuses a transaction of a patron whose password is needed and wrong. No round trip when none is needed.
///
/// # Errors
/// A refusal for nobody, too.
pub async fn refuse_strangers(transaction: &Transaction<'_>) -> Result<(), Refusal> {
    if !transaction
        .configuration
        .self_checks
        .rules
        .password_required
    {
        return Ok(());
    }
    let account = Account::named(transaction, None).await?;
    match account.password(transaction, false).await {
        Ok(Password::Wrong) => Err(transaction.refuse(Text::WrongPassword)),
        Ok(_) => Ok(()),
        Err(error) => Err(transaction.failed(error)),
    }
}

impl Blocks {
    fn add_manual(&mut self, blocks: &Value, now: jiff::Timestamp) {
        for record in blocks.as_array().into_iter().flatten() {
            let block: ManualBlock = serde_json::from_value(record.clone()).unwrap_or_default();
            if block.is_expired(now) || !(block.borrowing || block.renewals || block.requests) {
                continue;
            }
            self.add(block.borrowing, block.renewals, block.requests);
            let message = record["patronMessage"].as_str().unwrap_or_default();
            self.say(message);
        }
    }

    fn add_automated(
        &mut self,
        standing: &Standing,
        patron: &Patron,
        configuration: &Configuration,
        now: jiff::Timestamp,
    ) {
        for block in automated_blocks(standing, patron.patron_group, configuration, now) {
            self.add(
                block.block_borrowing,
                block.block_renewals,
                block.block_requests,
            );
            self.reasons
                .extend(places_of(block.patron_block_condition_id));
            self.say(block.message.as_deref().unwrap_or_default());
        }
    }

    fn add(&mut self, borrowing: bool, renewals: bool, requests: bool) {
        self.borrowing |= borrowing;
        self.renewals |= renewals;
        self.requests |= requests;
    }

    fn say(&mut self, message: &str) {
        let message = message.trim();
        if !message.is_empty() && !self.messages.iter().any(|known| known == message) {
            self.messages.push(message.to_owned());
        }
    }

    /// Something is forbidden.
    #[must_use]
    pub fn any(&self) -> bool {
        self.borrowing || self.renewals || self.requests
    }

    /// The fourteen flags of a patron's status.
    #[must_use]
    pub fn flags(&self) -> String {
        let mut flags = [' '; 14];
        let denied = [self.borrowing, self.renewals, self.requests, self.requests];
        let denied = denied.iter().enumerate().filter(|(_, denied)| **denied);
        let places = denied
            .map(|(place, _)| place)
            .chain(self.reasons.iter().copied());
        for place in places {
            flags[place] = 'Y';
        }
        flags.iter().collect()
    }
}

/// The flags that tell why a condition blocks: 5 too many items, 6 overdue, 9 lost, 10 and 11 to pay, 12 recalled.
fn places_of(condition: uuid::Uuid) -> &'static [usize] {
    match condition {
        patron_blocks::ITEMS_CHARGED_OUT => &[5],
        patron_blocks::OVERDUE_ITEMS => &[6],
        patron_blocks::LOST_ITEMS => &[9],
        patron_blocks::FEE_BALANCE => &[10, 11],
        patron_blocks::OVERDUE_RECALLS | patron_blocks::RECALL_OVERDUE_DAYS => &[12],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn now() -> jiff::Timestamp {
        "2026-11-22T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn flags_say_what_is_denied_and_why() {
        let none = Blocks::default();
        assert_eq!(none.flags(), " ".repeat(14));
        let all = Blocks {
            borrowing: true,
            renewals: true,
            requests: true,
            reasons: places_of(patron_blocks::FEE_BALANCE).to_vec(),
            messages: Vec::new(),
        };
        assert_eq!(all.flags(), "YYYY      YY  ");
        let renewals = Blocks {
            renewals: true,
            ..Blocks::default()
        };
        assert_eq!(renewals.flags(), " Y            ");
    }

    #[test]
    fn blocks_that_are_over_or_forbid_nothing_do_not_count() {
        let mut blocks = Blocks::default();
        let records = json!([
            {"borrowing": true, "expirationDate": "2026-11-01T00:00:00Z", "patronMessage": "over"},
            {"patronMessage": "only told"},
            {"requests": true, "patronMessage": "Come to the desk", "desc": "for the staff"},
            {"requests": true, "patronMessage": "Come to the desk"},
        ]);
        blocks.add_manual(&records, now());
        let expected = Blocks {
            requests: true,
            messages: vec!["Come to the desk".to_owned()],
            ..Blocks::default()
        };
        assert_eq!(blocks, expected);
        assert_eq!(blocks.flags(), "  YY          ");
    }
}
