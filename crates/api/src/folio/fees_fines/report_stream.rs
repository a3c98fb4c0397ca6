//! Streams financial reports row by row, so that memory use does not grow with their size.

use std::sync::Arc;

use bytes::Bytes;
use circulation::{
    configuration::Configuration,
    fees::{
        account::Account,
        report::{Print, Row, Totals},
    },
    records::Loan,
};
use futures_util::{StreamExt, stream};
use messages::templates::Locale;
use serde_json::{Value, json};
use store::{
    StoreError,
    db::Rows,
    fees::{self, Movements},
};
use uuid::Uuid;

use crate::{answer::Reply, call::Call, route::Answer};

/// Approximate bytes sent at once.
const CHUNK: usize = 64 * 1024;

/// Formats a transaction as an entry of the report.
pub(super) type Entry = fn(&Row, Print<'_>) -> Value;

struct Report {
    rows: Rows,
    configuration: Arc<Configuration>,
    locale: Locale,
    entry: Entry,
    totals: Option<Totals>,
    entries: usize,
    is_over: bool,
}

/// The response with an entry for each transaction and, if there are totals, the statistics. Errors after the first row
/// break the response off. One round trip.
pub(super) async fn reply(
    call: &Call,
    wanted: &Movements,
    configuration: Arc<Configuration>,
    entry: Entry,
    totals: Option<Totals>,
) -> Answer {
    let rows = fees::movements(&call.session, wanted).await?;
    let locale = Locale::new(&configuration.language, configuration.zone().clone());
    let report = Report { rows, configuration, locale, entry, totals, entries: 0, is_over: false };
    let chunks = stream::try_unfold(report, |mut report| async move {
        let chunk = report.chunk().await?;
        Ok::<_, StoreError>(chunk.map(|chunk| (chunk, report)))
    });
    let body = call.app.spools.body(chunks).await?;
    Ok(Reply::typed("application/json", body))
}

impl Report {
    /// The next part of the text; `None` after the last.
    async fn chunk(&mut self) -> Result<Option<Bytes>, StoreError> {
        if self.is_over {
            return Ok(None);
        }
        let mut text = String::new();
        if self.entries == 0 {
            text.push_str("{\"reportData\":[");
        }
        while text.len() < CHUNK && !self.is_over {
            match self.rows.next().await.transpose()? {
                Some(found) => self.add(&found, &mut text),
                None => self.end(&mut text),
            }
        }
        Ok(Some(text.into()))
    }

    fn add(&mut self, found: &tokio_postgres::Row, text: &mut String) {
        let row = row(found, &self.configuration);
        if self.entries > 0 {
            text.push(',');
        }
        self.entries += 1;
        text.push_str(&(self.entry)(&row, &|moment| self.locale.short(moment)).to_string());
        if let Some(totals) = &mut self.totals {
            totals.add(&row);
        }
    }

    fn end(&mut self, text: &mut String) {
        self.is_over = true;
        text.push(']');
        if let Some(totals) = self.totals.take() {
            text.push_str(",\"reportStats\":");
            text.push_str(&totals.into_value().to_string());
        }
        text.push('}');
    }
}

/// A transaction, with the names that only the configuration knows.
fn row(found: &tokio_postgres::Row, configuration: &Configuration) -> Row {
    let value = |column| found.get::<&str, Option<Value>>(column).unwrap_or_default();
    let (patron, item) = (value("patron"), value("item"));
    let (movement, charge) = (value("movement"), value("charge"));
    let account: Account = serde_json::from_value(value("account")).unwrap_or_default();
    let loan: Loan = serde_json::from_value(value("loan")).unwrap_or_default();
    let group = id(&patron["patronGroup"]).and_then(|id| configuration.patron_groups.get(&id));
    let location = configuration.location(id(&item["locationId"]));
    let point = |movement: &Value| {
        let point = configuration.service_point(id(&movement["createdAt"]));
        point.map(|point| point.name.clone())
    };
    Row {
        patron_group: group.map(|group| group.group.clone()),
        location: location.map(|location| location.name.clone()),
        charged_at: point(&charge),
        made_at: point(&movement),
        policies: policies(&loan, configuration),
        loan,
        payments: value("payments"),
        movement,
        account,
        patron,
        item,
        charge,
    }
}

/// The policies of the loan, whose ids the report shows.
fn policies(loan: &Loan, configuration: &Configuration) -> Value {
    let overdue = loan.overdue_fine_policy_id().and_then(|id| configuration.overdue_fine_policies.get(&id));
    let lost = loan.lost_item_policy_id().and_then(|id| configuration.lost_item_policies.get(&id));
    let of_loan = loan.loan_policy_id().and_then(|id| configuration.loan_policies.get(&id));
    json!({
        "loan": of_loan.map(|policy| &policy.name), "overdue": overdue.map(|policy| &policy.name),
        "lost": lost.map(|policy| &policy.name),
    })
}

fn id(value: &Value) -> Option<Uuid> {
    value.as_str().and_then(|id| Uuid::parse_str(id).ok())
}
