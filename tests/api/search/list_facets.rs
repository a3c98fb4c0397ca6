//! Counted values of the rows of lists.

use super::{
    browse::{ANNEX, CORPORATE_NAME, DEWEY_CALL_NUMBER, LC, SOURCE, SUBJECT_TYPE, SUBJECTS, with_subjects},
    *,
};

#[tokio::test]
async fn values_of_rows_are_counted() {
    let all = with_subjects().await;
    let title = all
        .instance(json!({"classifications": [{"classificationNumber": "ZD1", "classificationTypeId": LC}],
        "contributors": [{"name": "Zzd", "contributorNameTypeId": CORPORATE_NAME}]}))
        .await;
    for place in [MAIN_LIBRARY, ANNEX] {
        let holdings = all.holdings(&title, json!({"permanentLocationId": place})).await;
        let number = json!({"itemLevelCallNumber": "ZD1", "itemLevelCallNumberTypeId": DEWEY_CALL_NUMBER});
        all.item(&holdings, number).await;
    }
    let facets = async |of: &str, facets: &str, query: &str| {
        let answer = all.client.query(&format!("/search/{of}/facets?{facets}"), query).await.expect(200);
        assert_eq!(answer.round_trips(), 0);
        answer.json()
    };
    let counted = |values: &[(&str, u64)]| -> Value {
        let values: Vec<Value> = values.iter().map(|(id, count)| json!({"id": id, "totalRecords": count})).collect();
        json!({"values": values, "totalRecords": values.len()})
    };
    let found = facets("subjects", "facet=sourceId&facet=typeId", "value=\"zzb*\"").await;
    let each = json!({"sourceId": counted(&[(SOURCE, 1)]), "typeId": counted(&[(SUBJECT_TYPE, 1)])});
    assert_eq!(found, json!({"totalRecords": 2, "facets": each}));
    let found = facets("subjects", "facet=instances.shared,instances.tenantId", "value=\"zzb*\"").await;
    let each = json!({"instances.shared": counted(&[("false", 6)]), "instances.tenantId": counted(&[(TENANT, 6)])});
    assert_eq!(found["facets"], each);
    let total = all.total_of(SUBJECTS, "value >= a").await;
    let found = facets("subjects", "facet=instances.shared", "cql.allRecords=1").await;
    assert_eq!(found["facets"]["instances.shared"], counted(&[("false", total)]));
    // A facet ignores the condition on itself, and has its value first.
    let found = facets(
        "contributors",
        "facet=contributorNameTypeId:2",
        &format!("name=* and contributorNameTypeId=={CORPORATE_NAME}"),
    )
    .await;
    let values = &found["facets"]["contributorNameTypeId"]["values"];
    assert_eq!((&values[0]["id"], &values[1]["id"]), (&json!(CORPORATE_NAME), &json!(PERSONAL_NAME)));
    let query =
        format!("instances.locationId=={ANNEX} and callNumberTypeId=={DEWEY_CALL_NUMBER} and fullCallNumber==zd1");
    let found = facets("call-numbers", "facet=callNumberTypeId&facet=instances.locationId", &query).await;
    assert_eq!(found["facets"]["callNumberTypeId"], counted(&[(DEWEY_CALL_NUMBER, 1)]));
    assert_eq!(found["facets"]["instances.locationId"], counted(&[(ANNEX, 1), (MAIN_LIBRARY, 1)]));
    let without = facets("call-numbers", "facet=instances.locationId:1", "callNumberTypeId==\"lc\"").await;
    let everything = facets("call-numbers", "facet=instances.locationId:1", "cql.allRecords=1").await;
    assert_eq!(without, everything);
    let total = all.total_of("/browse/classification-numbers/all/instances", "number >= 0").await;
    let found = facets("classifications", "facet=instances.tenantId", "cql.allRecords=1").await;
    assert_eq!(found["facets"]["instances.tenantId"], counted(&[(TENANT, total)]));
    for (of, facet) in [("subjects", "value"), ("classifications", "typeId"), ("call-numbers", "sourceId")] {
        let path = format!("/search/{of}/facets?facet={facet}");
        let refused = all.client.query(&path, "cql.allRecords=1").await.expect(400).json();
        assert_eq!(refused["errors"][0]["message"], "Invalid facet value", "{path}");
    }
    let refused = all.client.query("/search/subjects/facets?facet=sourceId", "title=x").await.expect(400).json();
    assert_eq!(refused["errors"][0]["message"], "Invalid search field provided in the CQL query");
}
