//! How numbers are browsed, and what cannot be.

use super::{
    browse::{DEWEY, LC, SUBJECTS},
    *,
};

#[tokio::test]
async fn options_of_numbers_are_configured() {
    let all = Searched::new().await;
    let config =
        |id: &str, algorithm: &str, ids: &[&str]| json!({"id": id, "shelvingAlgorithm": algorithm, "typeIds": ids});
    let path = |of: &str| format!("/browse/config/{of}");
    let numbers = all.client.get(&path("instance-call-number")).await.expect(200).json();
    let of_each = [
        ("all", "default"),
        ("dewey", "dewey"),
        ("lc", "lc"),
        ("nlm", "nlm"),
        ("other", "default"),
        ("sudoc", "sudoc"),
    ];
    let configs: Vec<Value> = of_each.iter().map(|(id, algorithm)| config(id, algorithm, &[])).collect();
    assert_eq!(numbers, json!({"configs": configs, "totalRecords": 6}));
    let classes = path("instance-classification");
    let listed = all.client.get(&classes).await.expect(200).json();
    let of_classes = [config("all", "default", &[]), config("dewey", "dewey", &[]), config("lc", "lc", &[])];
    assert_eq!(listed, json!({"configs": of_classes, "totalRecords": 3}));

    let kind = all.client.create("/classification-types", &json!({"name": "Zz", "source": "local"})).await;
    let own = id(&kind);
    all.client.put(&format!("{classes}/dewey"), &config("dewey", "dewey", &[DEWEY, &own])).await.expect(200);
    let listed = all.client.get(&classes).await.expect(200).json();
    assert_eq!(listed["configs"][1], config("dewey", "dewey", &[DEWEY, &own]));
    // A type that is deleted leaves no trace.
    all.client.delete(&format!("/classification-types/{own}")).await.expect(204);
    let listed = all.client.get(&classes).await.expect(200).json();
    assert_eq!(listed["configs"][1], config("dewey", "dewey", &[DEWEY]));

    let unknown = format!("[{own}]");
    for (path, body, message, parameter) in [
        (
            format!("{classes}/lc"),
            config("dewey", "lc", &[]),
            "Body doesn't match path parameter: lc",
            json!(["id", "dewey"]),
        ),
        (
            format!("{classes}/lc"),
            config("lc", "lc", &[&own]),
            "instance-classification type IDs don't exist",
            json!(["typeIds", unknown]),
        ),
        (
            format!("{}/lc", path("instance-call-number")),
            config("lc", "lc", &[LC]),
            "instance-call-number type IDs don't exist",
            json!(["typeIds", format!("[{LC}]")]),
        ),
        (format!("{classes}/lc"), config("lc", "none", &[]), "Unexpected value 'none'", Value::Null),
        (format!("{classes}/none"), config("none", "lc", &[]), "Unexpected value 'none'", Value::Null),
        (format!("{}/lc", path("subjects")), config("lc", "lc", &[]), "Unexpected value 'subjects'", Value::Null),
        (format!("{classes}/lc"), config("lc", "lc", &["x"]), "", Value::Null),
        (format!("{classes}/lc"), json!({"shelvingAlgorithm": "lc"}), "must not be null", json!(["id", "null"])),
    ] {
        let refused = all.client.put(&path, &body).await.expect(400).json();
        let error = &refused["errors"][0];
        assert!(message.is_empty() || error["message"] == message, "{path}: {error}");
        if let [key, value] = parameter.as_array().map_or(&[][..], Vec::as_slice) {
            assert_eq!((&error["parameters"][0]["key"], &error["parameters"][0]["value"]), (key, value), "{path}");
        }
    }
    all.client.get(&path("subjects")).await.expect(400);
}

#[tokio::test]
async fn browsing_is_refused_as_mod_search_refuses_it() {
    let all = Searched::new().await;
    let of_numbers = "/browse/call-numbers/all/instances";
    let (invalid, forward) = ("Invalid CQL query for browsing.", "value >= x");
    let same = "Invalid CQL query for browsing. Anchors must be the same in range conditions.";
    let sorted = "Sort field not found or cannot be used.";
    for (path, query, message, key, value) in [
        (SUBJECTS, "value = x", invalid, "query", "value = x"),
        (SUBJECTS, "value >= x and authorityId==a", invalid, "query", "value >= x and authorityId==a"),
        (SUBJECTS, "value >= \"x*\"", invalid, "query", "value >= \"x*\""),
        (SUBJECTS, "value >= x and typeId=*", invalid, "query", "value >= x and typeId=*"),
        (SUBJECTS, "value >= x sortby value", sorted, "sortField", "value"),
        (SUBJECTS, "value >= x or value < y", same, "query", "value >= x or value < y"),
        (SUBJECTS, "name >= x", "Invalid search field provided in the CQL query", "field", "name"),
        (SUBJECTS, "value >=", "Failed to parse cql query [cql: 'value >=', resource: instance_subject]", "", ""),
        (SUBJECTS, "value within x", "Failed to parse CQL query. Comparator 'within' is not supported.", "", ""),
        (
            "/browse/subjects/instances?limit=501",
            forward,
            "browseInstancesBySubject.limit must be less than or equal to 500",
            "",
            "",
        ),
        (
            "/browse/contributors/instances?limit=-1",
            "name >= x",
            "browseInstancesByContributor.limit must be greater than or equal to 0",
            "",
            "",
        ),
        (
            "/browse/call-numbers/all/instances?limit=101",
            "fullCallNumber >= x",
            "browseInstancesByCallNumber.limit must be less than or equal to 100",
            "",
            "",
        ),
        (
            "/browse/classification-numbers/lc/instances?limit=101",
            "number >= x",
            "browseInstancesByClassificationNumber.limit must be less than or equal to 100",
            "",
            "",
        ),
        (
            "/browse/subjects/instances?precedingRecordsCount=0",
            forward,
            "browseInstancesBySubject.precedingRecordsCount must be greater than or equal to 1",
            "",
            "",
        ),
        (
            "/browse/subjects/instances?limit=5&precedingRecordsCount=5",
            forward,
            "Preceding records count must be less than request limit",
            "precedingRecordsCount",
            "5",
        ),
        ("/browse/call-numbers/none/instances", "fullCallNumber >= x", "Unexpected value 'none'", "", ""),
        (of_numbers, "number >= x", "Invalid search field provided in the CQL query", "field", "number"),
    ] {
        let answer = all.client.query(path, query).await.expect(400).json();
        let error = &answer["errors"][0];
        assert_eq!((&error["message"], &answer["total_records"]), (&json!(message), &json!(1)), "{path} {query}");
        if !key.is_empty() {
            assert_eq!(error["parameters"], json!([{"key": key, "value": value}]), "{path} {query}");
        }
    }
    let missing = all.client.get(of_numbers).await.expect(400).json();
    let message = "Required request parameter 'query' for method parameter type String is not present";
    assert_eq!(missing["errors"][0]["message"], message);
}
