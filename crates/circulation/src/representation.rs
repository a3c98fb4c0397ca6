//! How circulation represents loans and items (docs/folio/loans.md#how-a-loan-is-shown).

use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    configuration::{Configuration, ServicePoint},
    policies::OverdueFinePolicy,
    records::{CallNumberComponents, Instance, Item, Loan, Patron},
};

/// Members of a stored loan that circulation hides from clients.
const HIDDEN: [&str; 3] = ["itemStatus", "patronGroupIdAtCheckout", "agedToLostDelayedBilling"];

/// Collects members and skips blank texts and empty lists.
struct Summary(Map<String, Value>);

impl Summary {
    fn text(&mut self, member: &str, value: Option<&str>) {
        if let Some(text) = value.filter(|text| !text.trim().is_empty()) {
            self.0.insert(member.into(), text.into());
        }
    }

    fn id(&mut self, member: &str, value: Option<Uuid>) {
        if let Some(id) = value {
            self.0.insert(member.into(), json!(id));
        }
    }

    fn list(&mut self, member: &str, values: Vec<Value>) {
        if !values.is_empty() {
            self.0.insert(member.into(), values.into());
        }
    }

    fn texts<T: AsRef<str>>(&mut self, member: &str, values: &[T]) {
        self.list(member, values.iter().map(|value| value.as_ref().into()).collect());
    }
}

/// An item as it appears in a loan and in the check-in response.
pub fn item(item: &Item, instance: &Instance, configuration: &Configuration) -> Value {
    let mut summary = Summary(Map::new());
    summary.id("id", Some(item.id));
    summary.id("holdingsRecordId", item.holdings_record_id);
    summary.id("instanceId", Some(instance.id));
    summary.text("instanceHrid", instance.hrid.as_deref());
    summary.text("title", Some(&instance.title));
    summary.text("barcode", item.barcode.as_deref());
    let contributors = instance.contributors.iter().map(|c| json!({"name": c.name}));
    summary.list("contributors", contributors.collect());
    summary.text("primaryContributor", instance.primary_contributor());
    let call_number = item.effective_call_number_components.as_ref();
    summary.text("callNumber", call_number.and_then(|c| c.call_number.as_deref()));
    summary.text("enumeration", item.enumeration.as_deref());
    summary.text("chronology", item.chronology.as_deref());
    summary.text("displaySummary", item.display_summary.as_deref());
    summary.text("volume", item.volume.as_deref());
    summary.text("copyNumber", item.copy_number.as_deref());
    summary.texts("editions", &instance.editions);
    let series: Vec<&str> = instance.series.iter().map(|s| s.value.as_str()).collect();
    summary.texts("seriesStatements", &series);
    summary.texts("datesOfPublication", &instance.dates_of_publication());
    summary.texts("physicalDescriptions", &instance.physical_descriptions);
    summary.texts("administrativeNotes", &item.administrative_notes);
    summary.text("accessionNumber", item.accession_number.as_deref());
    if let Some(components) = call_number {
        summary.0.insert("callNumberComponents".into(), call_number_components(components));
    }
    summary.0.insert("status".into(), json!(item.status));
    place(&mut summary, item, configuration);
    if let Some(name) = configuration.material_type(item.material_type_id) {
        summary.0.insert("materialType".into(), json!({"name": name}));
    }
    Value::Object(summary.0)
}

fn call_number_components(components: &CallNumberComponents) -> Value {
    let mut summary = Summary(Map::new());
    summary.text("callNumber", components.call_number.as_deref());
    summary.text("prefix", components.prefix.as_deref());
    summary.text("suffix", components.suffix.as_deref());
    Value::Object(summary.0)
}

fn place(summary: &mut Summary, item: &Item, configuration: &Configuration) {
    let destination = item.in_transit_destination_service_point_id;
    summary.id("inTransitDestinationServicePointId", destination);
    if let Some(service_point) = configuration.service_point(destination) {
        let shown = json!({"id": service_point.id, "name": service_point.name});
        summary.0.insert("inTransitDestinationServicePoint".into(), shown);
    }
    if let Some(location) = configuration.location(item.effective_location_id) {
        summary.0.insert("location".into(), json!({"name": location.name}));
    }
}

/// Related records to include in the representation of a loan.
#[derive(Debug, Clone, Default)]
pub struct LoanSurroundings<'a> {
    /// The item and its instance.
    pub item: Option<(&'a Item, &'a Instance)>,
    /// `None` for an anonymized loan.
    pub borrower: Option<&'a Patron>,
    /// Include service point names; the check-out response leaves them out.
    pub service_points: bool,
    /// Outstanding fees and fines of the loan.
    pub remaining_fees: Option<rust_decimal::Decimal>,
}

/// Represents a loan together with its related records.
pub fn loan(loan: &Loan, around: &LoanSurroundings<'_>, configuration: &Configuration) -> Value {
    let mut shown = loan.record().clone();
    HIDDEN.iter().for_each(|member| drop(shown.shift_remove(*member)));
    let metadata = shown.shift_remove("metadata");
    if let Some((found, instance)) = around.item {
        shown.insert("item".into(), item(found, instance, configuration));
    }
    if around.service_points {
        for (member, id) in
            [("checkinServicePoint", loan.check_in_point()), ("checkoutServicePoint", loan.check_out_point())]
        {
            if let Some(found) = configuration.service_point(id) {
                shown.insert(member.into(), service_point(found));
            }
        }
    }
    if let Some(patron) = around.borrower {
        shown.insert("borrower".into(), borrower(patron));
    }
    group_at_checkout(&mut shown, loan, around.borrower, configuration);
    reminders(&mut shown, loan, configuration);
    policies(&mut shown, loan, configuration);
    if let Some(remaining) = around.remaining_fees {
        shown.insert("feesAndFines".into(), json!({"amountRemainingToPay": remaining}));
    }
    shown.extend(metadata.map(|value| ("metadata".to_owned(), value)));
    Value::Object(shown)
}

fn borrower(patron: &Patron) -> Value {
    let name = &patron.personal;
    json!({
        "firstName": name.first_name,
        "lastName": name.last_name,
        "middleName": name.middle_name,
        "barcode": patron.barcode,
        "preferredFirstName": name.preferred_first_name,
        "patronGroup": patron.patron_group,
    })
}

/// An anonymized loan still shows the borrower's patron group.
fn group_at_checkout(
    shown: &mut Map<String, Value>,
    loan: &Loan,
    borrower: Option<&Patron>,
    configuration: &Configuration,
) {
    let group = loan.patron_group_at_check_out().or(borrower.and_then(|patron| patron.patron_group));
    if let Some((id, found)) = group.and_then(|id| configuration.patron_groups.get_key_value(&id)) {
        shown.insert("patronGroupAtCheckout".into(), json!({"id": id, "name": found.group}));
    }
}

/// Once a reminder fee is billed, the loan shows whether its policy still allows renewal.
fn reminders(shown: &mut Map<String, Value>, loan: &Loan, configuration: &Configuration) {
    let policy = loan.overdue_fine_policy_id();
    let policy = policy.and_then(|id| configuration.overdue_fine_policies.get(&id));
    let blocked = policy.and_then(OverdueFinePolicy::reminders_block_renewal);
    if let (Some(blocked), Some(Value::Object(reminders))) = (blocked, shown.get_mut("reminders"))
        && reminders.get("lastFeeBilled").is_some_and(|last| last["number"].is_number())
    {
        reminders.insert("renewalBlocked".into(), blocked.into());
    }
}

fn policies(shown: &mut Map<String, Value>, loan: &Loan, configuration: &Configuration) {
    let Configuration { loan_policies, overdue_fine_policies, lost_item_policies, .. } = configuration;
    let loaned = loan.loan_policy_id().and_then(|id| loan_policies.get(&id));
    let fined = loan.overdue_fine_policy_id().and_then(|id| overdue_fine_policies.get(&id));
    let lost = loan.lost_item_policy_id().and_then(|id| lost_item_policies.get(&id));
    for (member, name) in [
        ("loanPolicy", loaned.map(|policy| &policy.name)),
        ("overdueFinePolicy", fined.map(|policy| &policy.name)),
        ("lostItemPolicy", lost.map(|policy| &policy.name)),
    ] {
        shown.insert(member.into(), json!({"name": name}));
    }
}

/// Keeps only the members that have a value.
pub(crate) fn present(members: Value) -> Value {
    match members {
        Value::Object(members) => members.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}

pub(crate) fn service_point(found: &ServicePoint) -> Value {
    json!({
        "name": found.name,
        "code": found.code,
        "discoveryDisplayName": found.discovery_display_name,
        "description": found.description,
        "shelvingLagTime": found.shelving_lag_time,
        "pickupLocation": found.pickup_location,
    })
}
