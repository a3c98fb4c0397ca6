//! A patron as a self-check sees one: account, blocks and password.

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

/// A patron with counts, debts and blocks.
#[derive(Debug, Clone)]
pub struct Account {
    pub patron: Patron,
    /// The whole record, for names and addresses.
    pub record: Value,
    /// The numbers of items, requests and fees by name.
    pub counts: Value,
    pub owed: Decimal,
    /// The requested list.
    pub listed: Vec<Value>,
    pub blocks: Blocks,
}

/// The outcome of a password check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Password {
    /// The request needed none.
    NotAsked,
    Right,
    Wrong,
}

impl Account {
    /// Reads the patron with this identifier, if there is one. One round trip.
    pub async fn read(
        transaction: &Transaction<'_>,
        identifier: &str,
        piece: Option<Piece>,
    ) -> Result<Option<Account>, StoreError> {
        let Insider { session, now, tenant, .. } = &transaction.insider;
        let at = stored(*now).to_string();
        let row = self_check::patron(session, identifier, &at, piece).await?;
        let Some(Json(record)) = row.try_get::<_, Option<Json<Value>>>("patron")? else {
            return Ok(None);
        };
        let configuration = tenant.desk.configuration(session, row.try_get("configuration_version")?).await?;
        let patron: Patron = serde_json::from_value(record.clone()).unwrap_or_default();
        let manual: Option<Json<Value>> = row.try_get("manual_blocks")?;
        let standing: Option<Json<Standing>> = row.try_get("standing")?;
        let Json(counts) = row.try_get("counts")?;
        let owed: String = row.try_get("owed")?;
        let listed: Option<Json<Vec<Value>>> = row.try_get("listed")?;
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

    /// Reads the patron that the request names, or refuses.
    pub async fn named(transaction: &Transaction<'_>, piece: Option<Piece>) -> Result<Account, Refusal> {
        let identifier = transaction.required(field::PATRON)?;
        let read = Account::read(transaction, identifier, piece).await;
        let found = read.map_err(|error| transaction.failed(error))?;
        found.ok_or_else(|| transaction.refuse(Text::PatronUnknown))
    }

    /// One of the counts.
    pub fn count(&self, of: &str) -> usize {
        let count = self.counts[of].as_u64().unwrap_or_default();
        usize::try_from(count).unwrap_or(usize::MAX)
    }

    /// The name for the screen, or the barcode if the patron has no name.
    pub fn name(&self) -> String {
        let personal = &self.record["personal"];
        let parts = ["firstName", "middleName", "lastName"].map(|part| personal[part].as_str());
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true => self.patron.barcode.clone().unwrap_or_default(),
            false => parts.join(" "),
        }
    }

    /// Checks the password or PIN of the request by the library's rules. With `asked`, the request is about the patron,
    /// and a password that was sent is checked even where none is required.
    pub async fn password(&self, transaction: &Transaction<'_>, asked: bool) -> Result<Password, StoreError> {
        let rules = &transaction.configuration.self_checks.rules;
        let sent = transaction.request.field(field::PATRON_PASSWORD);
        let wanted = asked && sent.is_some() && rules.password_checked;
        if !rules.password_required && !wanted {
            return Ok(Password::NotAsked);
        }
        // A missing password does not count as a guess.
        let Some(sent) = sent.filter(|sent| !sent.is_empty()) else {
            return Ok(Password::Wrong);
        };
        let Insider { session, now, .. } = &transaction.insider;
        let right = match rules.pin {
            true => pins::is_pin(session, self.patron.id, sent, *now).await?,
            false => pins::is_password(session, self.patron.id, sent, *now).await?,
        };
        Ok(if right { Password::Right } else { Password::Wrong })
    }
}

/// Refuses an unknown patron and a wrong password, where the library requires one. No round trip where it does not.
pub(crate) async fn verify_patron(transaction: &Transaction<'_>) -> Result<(), Refusal> {
    if !transaction.configuration.self_checks.rules.password_required {
        return Ok(());
    }
    let account = Account::named(transaction, None).await?;
    match account.password(transaction, false).await {
        Ok(Password::Wrong) => Err(transaction.refuse(Text::WrongPassword)),
        Ok(_) => Ok(()),
        Err(error) => Err(transaction.failed(error)),
    }
}
