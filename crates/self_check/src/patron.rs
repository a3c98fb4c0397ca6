//! A patron as a self-check needs to know one: account, blocks, and whether the password is right.

use api::inside::Insider;
use circulation::{blocks::automated::Standing, dates::stored, records::Patron};
use identity::pins;
use postgres_types::Json;
use rust_decimal::Decimal;
use serde_json::Value;
use sip2::field;
use store::{
    StoreError,
    self_check::{self, Piece},
};

use crate::{
    blocks::Blocks,
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
        let manual: Option<Json<Value>> = row.try_get(2)?;
        let standing: Option<Json<Standing>> = row.try_get(3)?;
        let Json(counts) = row.try_get(4)?;
        let owed: String = row.try_get(5)?;
        let listed: Option<Json<Vec<Value>>> = row.try_get(6)?;
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

    /// The name that is shown on the screen; the barcode of a patron without a name.
    pub fn name(&self) -> String {
        let personal = &self.record["personal"];
        let parts = ["firstName", "middleName", "lastName"].map(|part| personal[part].as_str());
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true => self.patron.barcode.clone().unwrap_or_default(),
            false => parts.join(" "),
        }
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
        let wanted = asked && sent.is_some() && rules.password_checked;
        if !rules.password_required && !wanted {
            return Ok(Password::NotAsked);
        }
        // A password that is missing is no guess.
        let Some(sent) = sent.filter(|sent| !sent.is_empty()) else {
            return Ok(Password::Wrong);
        };
        let Insider { session, now, .. } = &transaction.insider;
        let right = match rules.pin {
            true => pins::is_pin(session, self.patron.id, sent, *now).await?,
            false => pins::is_password(session, self.patron.id, sent, *now).await?,
        };
        Ok(if right {
            Password::Right
        } else {
            Password::Wrong
        })
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
