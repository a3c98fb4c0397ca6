//! Numbering of human-readable ids (docs/folio/inventory.md#hrid-settings).

use inventory::hrid::Settings;
use serde_json::Value;
use store::hrid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const PATH: &str = "/hrid-settings-storage/hrid-settings";
const MEMBERS: &str = "id:uuid, instances*{prefix, startNumber*:int, currentNumber~:int},
    holdings*{prefix, startNumber*:int, currentNumber~:int}, items*{prefix, startNumber*:int, currentNumber~:int},
    commonRetainLeadingZeroes:bool=true, metadata~:Metadata";

pub fn routes(routes: &mut Routes) {
    routes.get(PATH, get).summary("Read the numbering of HRIDs").gives(MEMBERS);
    routes.put(PATH, put).summary("Replace the numbering of HRIDs and start it again").refuses(&[422]).takes(MEMBERS);
}

async fn get(call: Call) -> Answer {
    Ok(Reply::json_text(hrid::settings(&call.session).await?))
}

async fn put(call: Call) -> Answer {
    let sent = store::record::Schema::declare(MEMBERS).accept(call.json()?)?;
    let settings: Settings = serde_json::from_value(Value::Object(sent.clone()))
        .map_err(|error| Problem::bad_request(format!("Json content error: {error}")))?;
    settings.check()?;
    let mut record = sent;
    record.insert("metadata".into(), call.metadata());
    let starts = [&settings.instances, &settings.holdings, &settings.items].map(|numbering| numbering.start_number);
    hrid::replace(&call.session, &Value::Object(record), starts).await?;
    Ok(Reply::no_content())
}
