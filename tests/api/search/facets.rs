//! Counted values.

use super::*;

impl Searched {
    async fn facets(&self, facets: &str, query: &str) -> Value {
        let answer = self.client.query(&format!("/search/instances/facets?{facets}"), query).await.expect(200);
        assert_eq!(answer.round_trips(), 0);
        answer.json()
    }
}

#[tokio::test]
async fn values_are_counted_among_the_results() {
    let all = Searched::new().await;
    for (source, language, status) in [
        ("MARC", "eng", Some("Available")),
        ("MARC", "ger", Some("Missing")),
        ("FOLIO", "eng", None),
        ("FOLIO", "eng", Some("Available")),
        ("FOLIO", "fre", None),
    ] {
        let id = all
            .instance(json!({"title": "Zzcounted", "source": source, "languages": [language], "tags": {"tagList": ["T", "t"]}}))
            .await;
        if let Some(status) = status {
            let holdings = all.holdings(&id, json!({})).await;
            for _ in 0..2 {
                all.item(&holdings, json!({"status": {"name": status}})).await;
            }
        }
    }
    let value = |id: &str, count: u64| json!({"id": id, "totalRecords": count});
    let counted = |values: &[Value]| json!({"values": values, "totalRecords": values.len()});
    // A record counts once, however many items it has.
    assert_eq!(
        all.facets("facet=source&facet=languages,item.status.name&facet=instanceTags", "title=zzcounted").await,
        json!({"totalRecords": 4, "facets": {
            "source": counted(&[value("FOLIO", 3), value("MARC", 2)]),
            "languages": counted(&[value("eng", 3), value("fre", 1), value("ger", 1)]),
            "items.status.name": counted(&[value("Available", 2), value("Missing", 1)]),
            "instanceTags": counted(&[value("t", 5)])}})
    );
    // A facet ignores the filter on itself, and shows its value first.
    assert_eq!(
        all.facets("facet=source&facet=languages:2", "title=zzcounted and source==MARC and languages==(ger or fre)")
            .await["facets"],
        json!({"source": counted(&[value("MARC", 1), value("FOLIO", 1)]), "languages": counted(&[value("ger", 1)])})
    );
    let three = all.facets("facet=languages:3", "title=zzcounted and languages==ger").await;
    assert_eq!(three["facets"]["languages"], counted(&[value("ger", 1), value("eng", 3), value("fre", 1)]));
    assert_eq!(
        all.facets("facet=shared&facet=tenantId&facet=staffSuppress", "title=zzcounted").await["facets"],
        json!({"shared": counted(&[value("false", 5)]), "tenantId": counted(&[value(TENANT, 5)]),
            "staffSuppress": counted(&[value("false", 5)])})
    );
    let nothing = all.facets("facet=holdingsTags", "title=zzcounted").await;
    assert_eq!(nothing, json!({"totalRecords": 1, "facets": {"holdingsTags": {"values": [], "totalRecords": 0}}}));
}
