//! Routes for harvesters (docs/folio/inventory-links-and-views.md#changed-instances). The answers are streams of
//! consecutive JSON objects, not arrays.

use bytes::Bytes;
use futures_util::StreamExt;
use serde_json::Value;
use store::{
    db::Rows,
    inventory::harvest::{self, Changed, With},
    record::{self, Kind, Schema, print_instant},
};
use uuid::Uuid;

use super::refusals::VIEW_DATE_INVALID;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const BEGINNING: &str = "0001-01-01T00:00:00.000+00:00";
const END: &str = "9999-12-31T23:59:59.999+00:00";
const IDS: &str = "instanceIds*[uuid], skipSuppressedFromDiscoveryRecords*:bool";

/// Parameters that select the instances.
const CHANGED: &str = "startDate, endDate, deletedRecordSupport:bool, skipSuppressedFromDiscoveryRecords:bool";

/// A changed instance. mod-inventory-storage prints all values of these streams that are not objects or lists as texts.
const FOUND: &str = "instanceId*:uuid, source*, updatedDate*:datetime, suppressFromDiscovery*, deleted*";
const FOUND_IN_OLDER_FORM: &str = "instanceid*:uuid, updateddate*:datetime, suppressfromdiscovery*, deleted*";

/// An instance with its holdings and items, names in place of ids.
fn whole() -> Kind {
    const LOCATION: &str = "{id:uuid, name, locationName, code, institutionName, campusName, libraryName, libraryCode}";
    let common = "suppressFromDiscovery*:bool, electronicAccess*[{uri, linkText, materialsSpecification, publicNote,
        relationshipId, name}], statisticalCodes*[{id*:uuid, code, name, source, statisticalCodeType}]";
    let holdings = inventory::collections::holdings().schema.without(
        "hrid, _version, metadata, instanceId, sourceId, administrativeNotes, additionalCallNumbers, permanentLocationId,
         temporaryLocationId, effectiveLocationId, holdingsTypeId, illPolicyId, callNumberTypeId, callNumberPrefix,
         callNumberSuffix, discoverySuppress, statisticalCodeIds",
    );
    let holdings = holdings.and(common).and(&format!(
        "holdingsType, illPolicy, location*{{permanentLocation*{LOCATION}, temporaryLocation*{LOCATION},
             effectiveLocation*{LOCATION}}}, callNumber*{{prefix, callNumber, suffix, typeId:uuid, typeName}},
         notes*[{{holdingsNoteTypeName, note}}]"
    ));
    let item = inventory::collections::items().schema.without(
        "hrid, order, _version, metadata, lastCheckIn, inTransitDestinationServicePointId, administrativeNotes, circulationNotes,
         additionalCallNumbers, discoverySuppress, statisticalCodeIds, permanentLoanTypeId, temporaryLoanTypeId,
         permanentLocationId, temporaryLocationId, effectiveLocationId, effectiveCallNumberComponents,
         effectiveShelvingOrder, itemLevelCallNumber, itemLevelCallNumberPrefix, itemLevelCallNumberSuffix,
         itemLevelCallNumberTypeId, itemDamagedStatusId, purchaseOrderLineIdentifier",
    );
    let item = item.and(common).and(&format!(
        "status, location*{{location*{LOCATION}, permanentLocation*{LOCATION}, temporaryLocation*{LOCATION}}},
         callNumber{{prefix, callNumber, suffix, typeId:uuid, typeName}}, itemDamagedStatus, materialType,
         permanentLoanType, temporaryLoanType, notes*[{{itemNoteTypeName, note}}]"
    ));
    let list = |record| Kind::List(Box::new(Kind::Object(record)));
    let instance = Schema::declare("instanceId*:uuid, source*, modeOfIssuance*, natureOfContent*[]");
    Kind::Object(instance.with("holdings*", &list(holdings)).with("items*", &list(item)))
}

/// Adds routes whose answers are consecutive records rather than a list, so that clients can process them as they
/// arrive.
pub fn routes(routes: &mut Routes) {
    routes
        .get("/inventory-hierarchy/updated-instance-ids", updated_instances)
        .summary("List the instances that changed")
        .asks(CHANGED)
        .asks("onlyInstanceUpdateDate:bool, source")
        .gives_sequence(Kind::declare(FOUND))
        .streams();
    routes
        .post("/inventory-hierarchy/items-and-holdings", |call| whole_instances(call, With::HoldingsAndItems))
        .summary("List instances with their holdings and items")
        .gives_sequence(whole())
        .refuses(&[422])
        .takes(IDS)
        .streams();
    routes
        .get("/oai-pmh-view/updatedInstanceIds", |call| in_older_form(call, false))
        .summary("List the instances that changed, by themselves or by their holdings and items")
        .asks(CHANGED)
        .gives_sequence(Kind::declare(FOUND_IN_OLDER_FORM))
        .streams();
    routes
        .get("/oai-pmh-view/instances", |call| in_older_form(call, true))
        .summary("List the instances that changed, by themselves or by their holdings and items, with their items")
        .asks(CHANGED)
        .gives_sequence(Kind::declare("instanceid*:uuid, updateddate*:datetime, deleted*, itemsandholdingsfields*:any"))
        .streams();
    routes
        .post("/oai-pmh-view/enrichedInstances", |call| whole_instances(call, With::Items))
        .summary("List instances with their items")
        .gives_sequence(Kind::declare("instanceid*:uuid, itemsandholdingsfields*:any"))
        .refuses(&[422])
        .takes(IDS)
        .streams();
}

async fn updated_instances(call: Call) -> Answer {
    let period = Period::of(&call)?;
    let asked = Changed {
        // Without a period, mod-inventory-storage asks for instances alone.
        instance_alone: period.is_open() || !call.query.is_off("onlyInstanceUpdateDate"),
        source: given(&call, "source"),
        ..changed(&call, &period)
    };
    let rows = asked.instances(&call.session).await?;
    stream(&call, rows).await
}

async fn in_older_form(call: Call, with_items: bool) -> Answer {
    let period = Period::of(&call)?;
    let rows = changed(&call, &period).in_older_form(&call.session, with_items).await?;
    stream(&call, rows).await
}

fn changed<'a>(call: &Call, period: &'a Period) -> Changed<'a> {
    Changed {
        from: period.from.as_deref().unwrap_or(BEGINNING),
        until: period.until.as_deref().unwrap_or(END),
        deleted: !call.query.is_off("deletedRecordSupport"),
        skip_suppressed: !call.query.is_off("skipSuppressedFromDiscoveryRecords"),
        instance_alone: false,
        source: None,
    }
}

/// The bounds that a request gives, in stored form.
struct Period {
    from: Option<String>,
    until: Option<String>,
}

impl Period {
    fn of(call: &Call) -> Result<Self, Problem> {
        Ok(Self { from: instant(call, "startDate")?, until: instant(call, "endDate")? })
    }

    fn is_open(&self) -> bool {
        self.from.is_none() && self.until.is_none()
    }
}

fn given<'c>(call: &'c Call, name: &str) -> Option<&'c str> {
    call.query.get(name).filter(|text| !text.is_empty())
}

fn instant(call: &Call, name: &str) -> Result<Option<String>, Problem> {
    let Some(text) = given(call, name) else { return Ok(None) };
    // An unencoded `+` in an offset arrives as a space.
    match record::read_instant(&text.replace(' ', "+")) {
        Some(instant) => Ok(Some(print_instant(instant))),
        None => Err(VIEW_DATE_INVALID.with("name", name).with("text", text).into()),
    }
}

async fn whole_instances(call: Call, with: With) -> Answer {
    let body = Schema::declare(IDS).accept(call.json()?)?;
    let ids = body.get("instanceIds").and_then(Value::as_array).into_iter().flatten();
    let ids: Vec<Uuid> = ids.filter_map(|id| id.as_str()?.parse().ok()).collect();
    let skip = body.get("skipSuppressedFromDiscoveryRecords").and_then(Value::as_bool).unwrap_or_default();
    drop(body);
    let rows = harvest::whole_instances(&call.session, with, &ids, skip).await?;
    stream(&call, rows).await
}

/// Streams the text of the rows, one after the other.
async fn stream(call: &Call, rows: Rows) -> Answer {
    let texts = rows.map(|row| store::db::only::<String>(&row?).map(Bytes::from));
    let body = call.app.spools.body(texts).await?;
    Ok(Reply::typed("application/json", body))
}
