//! Dates and extents of what is below a record (contract 3.4).

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{
    Session,
    db::{Parameter, Row},
    statements::archives::{TREE_DATES, TREE_EXTENT},
};

use crate::{model::Uri, refusal::Refusal};

/// Units of extents in centimetres.
const UNITS: [(&str, f64); 4] = [("inches", 2.54), ("centimeters", 1.0), ("feet", 30.48), ("meters", 100.0)];

fn length_of(unit: &str) -> Result<f64, Refusal> {
    let known = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, length)| *length);
    known.ok_or_else(|| Refusal::parameter("unit", format!("Unrecognized unit: {unit}")))
}

/// A record as the answers name it.
fn object(uri: &Uri, row: &Row) -> Value {
    let title: Option<String> = row.get("title");
    json!({"uri": uri.to_string(), "jsonmodel_type": uri.kind.name, "title": title})
}

/// The first and last dates of the components below a record, or of those with a label. One round trip.
pub async fn dates(session: &Session, uri: &Uri, label: Option<&str>) -> Result<Value, Refusal> {
    let parameters: [Parameter<'_>; 4] = [&uri.kind.name, &uri.id, &uri.repository, &label];
    let row = session.find(TREE_DATES, &parameters).await?.ok_or_else(|| Refusal::no(&uri.kind.name))?;
    let mut object = object(uri, &row);
    object["id"] = uri.id.into();
    let text = |name: &str| json!(row.get::<_, Option<String>>(name));
    let root = match uri.kind.name.as_str() {
        "archival_object" => {
            format!("/repositories/{}/resources/{}", uri.repository.unwrap_or_default(), row.get::<_, i64>("root"))
        }
        _ => uri.to_string(),
    };
    Ok(json!({"object": object, "resource": {"uri": root, "title": text("root_title")}, "label": label,
        "min_begin_date": text("begin_day"), "min_begin": text("begin"), "max_end_date": text("last_day"),
        "max_end": text("last")}))
}

/// How much room the containers of a record and of all below it take, in a unit or that of the first container. One round
/// trip.
pub async fn extent(session: &Session, uri: &Uri, unit: Option<&str>, now: Timestamp) -> Result<Value, Refusal> {
    let mut shown_in = unit.map(|unit| Ok::<_, Refusal>((unit.to_owned(), length_of(unit)?))).transpose()?;
    let rows = session.query(TREE_EXTENT, &[&uri.kind.name, &uri.id, &uri.repository]).await?;
    let first = rows.first().ok_or_else(|| Refusal::no(&uri.kind.name))?;
    let (mut total, mut count, mut unknown) = (0.0, 0, 0);
    let mut containers = Map::new();
    for row in &rows {
        let held: i64 = row.get("containers");
        count += held;
        let Some(profile) = row.get::<_, Option<Value>>("profile") else {
            unknown += held;
            continue;
        };
        let own = profile["dimension_units"].as_str().unwrap_or_default();
        let Ok(length) = length_of(own) else {
            unknown += held;
            continue;
        };
        let (_, shown) = shown_in.get_or_insert_with(|| (own.to_owned(), length));
        let measure = profile["extent_dimension"].as_str().and_then(|dimension| profile[dimension].as_str());
        let size: f64 = measure.and_then(|size| size.trim().parse().ok()).unwrap_or_default();
        let taken = size * held as f64 * length / *shown;
        total += taken;
        let name = profile["display_string"].as_str().unwrap_or_default().to_owned();
        containers.insert(name, json!({"count": held, "extent": rounded(taken)}));
    }
    let root: Option<i64> = first.get("root");
    let resource = root.map(|root| {
        let uri = format!("/repositories/{}/resources/{root}", uri.repository.unwrap_or_default());
        json!({"uri": uri, "title": first.get::<_, Option<String>>("root_title")})
    });
    Ok(json!({"object": object(uri, first), "resource": resource, "total_extent": rounded(total),
        "container_count": count, "container_without_profile_count": unknown,
        "units": shown_in.map(|(name, _)| name), "volume": false, "containers": containers,
        "timestamp": now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()}))
}

/// Two decimals.
fn rounded(extent: f64) -> f64 {
    (extent * 100.0).round() / 100.0
}
