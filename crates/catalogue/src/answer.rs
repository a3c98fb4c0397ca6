//! Results with everything that is searched (contract 1.4).

use serde_json::{Map, Value};

use crate::title::Title;

/// An instance with what belongs to it, as it is stored.
#[derive(Debug, Clone, Default)]
pub(crate) struct Expanded {
    pub(crate) instance: Value,
    pub(crate) holdings: Vec<Value>,
    pub(crate) items: Vec<Value>,
    pub(crate) is_bound_with: bool,
}

impl Expanded {
    pub(crate) fn id(&self) -> &str {
        self.instance["id"].as_str().unwrap_or_default()
    }

    /// The same as the index reads it.
    pub(crate) fn title(&self) -> Title<'_> {
        Title {
            id: self.id(),
            instance: (&self.instance).into(),
            holdings: self.holdings.iter().map(Into::into).collect(),
            items: self.items.iter().map(Into::into).collect(),
            is_bound_with: self.is_bound_with,
        }
    }
}

const FULL: &[&str] = &[
    "id",
    "tenantId",
    "hrid",
    "source",
    "title",
    "indexTitle",
    "alternativeTitles",
    "series",
    "identifiers",
    "contributors",
    "subjects",
    "dates",
    "instanceTypeId",
    "instanceFormatIds",
    "modeOfIssuanceId",
    "natureOfContentTermIds",
    "statusId",
    "languages",
    "publication",
    "classifications",
    "electronicAccess",
    "notes",
    "administrativeNotes",
    "statisticalCodeIds",
    "tags",
    "staffSuppress",
    "discoverySuppress",
    "isBoundWith",
    "shared",
    "metadata",
];
const HOLDINGS: &[&str] = &[
    "id",
    "tenantId",
    "hrid",
    "sourceId",
    "holdingsTypeId",
    "permanentLocationId",
    "callNumber",
    "callNumberPrefix",
    "callNumberSuffix",
    "copyNumber",
    "formerIds",
    "statisticalCodeIds",
    "discoverySuppress",
    "tags",
    "electronicAccess",
    "administrativeNotes",
    "notes",
    "metadata",
];
const ITEM: &[&str] = &[
    "id",
    "tenantId",
    "hrid",
    "holdingsRecordId",
    "barcode",
    "accessionNumber",
    "itemIdentifier",
    "formerIds",
    "status",
    "effectiveLocationId",
    "materialTypeId",
    "itemLevelCallNumberTypeId",
    "effectiveCallNumberComponents",
    "statisticalCodeIds",
    "discoverySuppress",
    "tags",
    "electronicAccess",
    "administrativeNotes",
    "notes",
    "circulationNotes",
    "metadata",
];

/// Everything that is searched, as it is stored.
pub(crate) fn full(title: Expanded, tenant: &str) -> Value {
    let Expanded { mut instance, holdings, items, is_bound_with } = title;
    instance["tenantId"] = tenant.into();
    instance["isBoundWith"] = is_bound_with.into();
    instance["shared"] = false.into();
    let records = |records: Vec<Value>, members: &[&str]| {
        let shown = records.into_iter().filter_map(|mut record| {
            record["tenantId"] = tenant.into();
            only(record, members)
        });
        Value::Array(shown.collect())
    };
    let mut shown = match only(instance, FULL) {
        Some(Value::Object(shown)) => shown,
        _ => Map::new(),
    };
    shown.insert("items".to_owned(), records(items, ITEM));
    shown.insert("holdings".to_owned(), records(holdings, HOLDINGS));
    Value::Object(shown)
}

/// Some members of an object; `None` if it has none of them.
fn only(of: Value, members: &[&str]) -> Option<Value> {
    let Value::Object(mut of) = of else { return None };
    let found = members.iter().filter_map(|name| of.remove_entry(*name));
    let found: Map<String, Value> = found.filter(|(_, value)| !value.is_null()).collect();
    (!found.is_empty()).then_some(Value::Object(found))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_have_what_is_searched() {
        let title = Expanded {
            instance: json!({"id": "1", "hrid": "in1", "title": "A", "source": "FOLIO", "matchKey": "x"}),
            holdings: vec![json!({"id": "2", "callNumber": "C", "instanceId": "1"})],
            items: vec![json!({"id": "3"}), json!({"id": "4", "effectiveCallNumberComponents": {}})],
            is_bound_with: true,
        };
        let shown = full(title, "diku");
        assert_eq!(shown["holdings"], json!([{"id": "2", "tenantId": "diku", "callNumber": "C"}]));
        assert_eq!(shown["items"][1], json!({"id": "4", "tenantId": "diku", "effectiveCallNumberComponents": {}}));
        assert_eq!((&shown["hrid"], &shown["matchKey"]), (&json!("in1"), &Value::Null));
        assert_eq!(shown["isBoundWith"], true);
    }
}
