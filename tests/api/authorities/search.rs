//! Searches for authorities, heading by heading.

use authorities::headings::HEADINGS;

use super::*;

/// An authority with a heading of every kind and standing. FOLIO keeps one decided heading.
async fn full(all: &Decided) -> Value {
    let mut record = json!({"naturalId": "n2003075732", "sourceFileId": LCNAF, "subjectHeadings": "a",
        "personalName": "Gary A. Wills",
        "identifiers": [{"value": "n 2003075732", "identifierTypeId": LCCN},
            {"value": "AUTHORITY-identifier", "identifierTypeId": "8261054f-be78-422d-bd51-4ed9f33c3422"}]});
    for heading in HEADINGS {
        record[heading.see_from] = json!([format!("a {}", heading.see_from)]);
        record[heading.see_also] = json!([format!("a {}", heading.see_also)]);
    }
    all.authority(record).await
}

#[tokio::test]
async fn each_heading_is_a_result() {
    let all = Decided::new().await;
    let made = full(&all).await;
    let answer = all.client.query("/search/authorities", "cql.allRecords=1 sortby headingRef").await.expect(200);
    assert_eq!(answer.round_trips(), 0);
    let found = answer.json();
    assert_eq!(found["totalRecords"], 35);
    for heading in HEADINGS {
        for (member, standing) in [(heading.see_from, "Reference"), (heading.see_also, "Auth/Ref")] {
            let row = json!({"id": made["id"], "tenantId": TENANT, "shared": false, "headingType": heading.kind,
                "authRefType": standing, "headingRef": format!("a {member}"), "sourceFileId": LCNAF, "naturalId": "n2003075732"});
            assert!(found["authorities"].as_array().expect("a list").contains(&row), "{row}");
            assert_eq!(all.headings(&format!("{member} all \"a {member}\"")).await, [format!("a {member}")]);
        }
    }
    let decided = all.find("personalName=\"gary wills\"").await["authorities"][0].clone();
    assert_eq!((&decided["authRefType"], &decided["numberOfTitles"]), (&json!("Authorized"), &json!(0)));
    let page = all.client.query("/search/authorities?limit=2&offset=34", "id=*").await.expect(200).json();
    assert_eq!((&page["totalRecords"], page["authorities"].as_array().map(Vec::len)), (&json!(35), Some(1)));
}

#[tokio::test]
async fn headings_are_found_by_words_phrases_and_patterns() {
    let all = Decided::new().await;
    let made = full(&all).await;
    let other = all.authority(json!({"topicalTerm": "Ĵämes Röllins", "naturalId": "sh 1"})).await;
    let number = id(&made);
    for (query, expected) in [
        ("personalName all gary", &["Gary A. Wills"][..]),
        ("personalName all \"GARY A. WILLS\"", &["Gary A. Wills"]),
        ("personalName == \"gary a.*\"", &["Gary A. Wills"]),
        ("personalName == \"wills gary\"", &[]),
        ("personalName = \"wills gary\"", &["Gary A. Wills"]),
        ("personalName ==/string \"gary a. wills\"", &["Gary A. Wills"]),
        ("keyword all \"sftgenreterm\"", &["a sftGenreTerm"]),
        ("keyword any \"wills rollins\"", &["Gary A. Wills", "Ĵämes Röllins"]),
        ("keyword all \"james rollins\"", &["Ĵämes Röllins"]),
        ("sftGenreTerm == \"*sftGenre*\"", &["a sftGenreTerm"]),
        ("saftPersonalName=\"\"", &["a saftPersonalName"]),
        ("headingRef==\"james rollins\"", &["Ĵämes Röllins"]),
        ("headingType==\"Topical\" not keyword=a", &["Ĵämes Röllins"]),
        ("authRefType==\"Authorized\"", &["Gary A. Wills", "Ĵämes Röllins"]),
        (
            "isTitleHeadingRef==true and headingType==\"Personal Name\"",
            &["a saftPersonalNameTitle", "a sftPersonalNameTitle"],
        ),
        ("sourceFileId==NULL", &["Ĵämes Röllins"]),
        ("naturalId==\"SH 1\"", &["Ĵämes Röllins"]),
        ("authRefType==Authorized and lccn=\"n  2003075732\"", &["Gary A. Wills"]),
        ("authRefType==Authorized and lccn=n2003*", &["Gary A. Wills"]),
        ("authRefType==Authorized and identifiers.value==\"authority-IDENTIFIER\"", &["Gary A. Wills"]),
        ("authRefType==Authorized and keyword=\"authority-identifier\"", &["Gary A. Wills"]),
        (&format!("authRefType==Authorized and identifiers.identifierTypeId=={LCCN}"), &["Gary A. Wills"]),
        (&format!("authRefType==Authorized and id=={number}"), &["Gary A. Wills"]),
        (&format!("id=={}*", &id(&other)[..30]), &["Ĵämes Röllins"]),
        ("authRefType==Authorized and subjectHeadings==\"A\"", &["Gary A. Wills"]),
        (
            "authRefType==Authorized and metadata.createdDate>=2001-01-01 and metadata.updatedDate>2001-01-01",
            &["Gary A. Wills", "Ĵämes Röllins"],
        ),
        ("metadata.createdDate<2001-01-01", &[]),
        ("shared==true", &[]),
        (&format!("tenantId=={TENANT} and topicalTerm=\"\""), &["Ĵämes Röllins"]),
    ] {
        assert_eq!(all.headings(&format!("{query} sortby headingRef")).await, expected, "{query}");
    }
}

#[tokio::test]
async fn a_record_without_headings_has_no_standing() {
    let all = Decided::new().await;
    for more in [json!({}), json!({"saftPersonalNameTrunc": ["A"]})] {
        let made = all.authority(more).await;
        let found = all.find(&format!("id=={}", id(&made))).await["authorities"][0].clone();
        assert_eq!((&found["headingType"], found.get("authRefType")), (&json!("Other"), None));
    }
    assert!(all.headings("authRefType==Other").await.is_empty());
}

#[tokio::test]
async fn results_are_sorted() {
    let all = Decided::new().await;
    for (member, text) in [
        ("personalName", json!("111")),
        ("corporateName", json!("aaa")),
        ("sftUniformTitle", json!(["ŚŚŚ"])),
        ("saftGenreTerm", json!(["ccc"])),
        ("personalName", json!("zzz")),
    ] {
        all.authority(json!({member: text})).await;
    }
    for (order, expected) in [
        ("headingRef", ["111", "aaa", "ccc", "ŚŚŚ", "zzz"]),
        ("headingRef/sort.descending", ["zzz", "ŚŚŚ", "ccc", "aaa", "111"]),
        ("headingType", ["aaa", "ccc", "111", "zzz", "ŚŚŚ"]),
        ("headingType/sort.descending", ["ŚŚŚ", "zzz", "111", "ccc", "aaa"]),
        ("authRefType", ["ccc", "111", "aaa", "zzz", "ŚŚŚ"]),
        ("authRefType/sort.descending", ["ŚŚŚ", "zzz", "aaa", "111", "ccc"]),
    ] {
        assert_eq!(all.headings(&format!("cql.allRecords=1 sortby {order}")).await, expected, "{order}");
    }
}

#[tokio::test]
async fn titles_of_a_decided_heading_are_counted() {
    let all = Decided::new().await;
    let made =
        all.authority(json!({"personalName": "Twain", "sftPersonalName": ["Clemens"], "sourceFileId": LCNAF})).await;
    let linked = made["id"].clone();
    let title = json!({"source": "FOLIO", "title": "A", "instanceTypeId": TEXT});
    for (member, value) in [
        ("contributors", json!([{"name": "Twain", "contributorNameTypeId": PERSONAL_NAME, "authorityId": linked}])),
        (
            "subjects",
            json!([{"value": "Twain", "authorityId": linked}, {"value": "Twain, again", "authorityId": linked}]),
        ),
        ("series", json!([{"value": "Twain", "authorityId": linked}])),
        ("alternativeTitles", json!([{"alternativeTitle": "Twain", "authorityId": linked}])),
        ("editions", json!(["none"])),
    ] {
        let mut title = title.clone();
        title[member] = value;
        all.client.create("/instance-storage/instances", &title).await;
    }
    let found = all.find("cql.allRecords=1 sortby headingRef").await;
    assert_eq!(
        (&found["authorities"][1]["headingRef"], &found["authorities"][1]["numberOfTitles"]),
        (&json!("Twain"), &json!(4))
    );
    assert_eq!(found["authorities"][0].get("numberOfTitles"), None, "of a reference");
    let path = "/search/authorities?includeNumberOfTitles=false";
    let bare = all.client.query(path, "personalName=twain").await.expect(200).json();
    assert_eq!(bare["authorities"][0].get("numberOfTitles"), None);
    let full = all.client.query("/search/authorities?expandAll=true", "sftPersonalName=clemens").await.expect(200);
    assert_eq!(full.round_trips(), 1);
    let full = full.json()["authorities"][0].clone();
    assert_eq!((&full["sftPersonalName"], &full["metadata"]), (&json!(["Clemens"]), &made["metadata"]));
    assert_eq!((full.get("personalName"), &full["headingRef"]), (None, &json!("Clemens")));
}

#[tokio::test]
async fn a_save_is_found_at_once() {
    let all = Decided::new().await;
    assert_eq!(all.headings("cql.allRecords=1").await, [""; 0]);
    let mut made = all.authority(json!({"topicalTerm": "Maps", "sftTopicalTerm": ["Charts", "Plans"]})).await;
    assert_eq!(all.headings("cql.allRecords=1 sortby headingRef").await, ["Charts", "Maps", "Plans"]);
    made["topicalTerm"] = json!("Atlases");
    made["sftTopicalTerm"] = json!(["Plans"]);
    let path = format!("{PATH}/{}", id(&made));
    all.client.put(&path, &made).await.expect(204);
    assert_eq!(all.headings("cql.allRecords=1 sortby headingRef").await, ["Atlases", "Plans"]);
    all.client.delete(&path).await.expect(204);
    assert_eq!(all.headings("cql.allRecords=1").await, [""; 0]);
    // A record without headings is found, too.
    all.authority(json!({"naturalId": "bare"})).await;
    let found = all.find("headingType==Other").await;
    assert_eq!(
        (&found["authorities"][0]["naturalId"], found["authorities"][0].get("headingRef")),
        (&json!("bare"), None)
    );
}

#[tokio::test]
async fn values_of_headings_are_counted() {
    let all = Decided::new().await;
    for (member, code, file) in [
        ("personalName", "a", Some(LCNAF)),
        ("personalName", "a", Some(LCSH)),
        ("topicalTerm", "b", Some(LCSH)),
        ("genreTerm", "b", None),
    ] {
        let mut record = json!({member: "X", "subjectHeadings": code});
        if let Some(file) = file {
            record["sourceFileId"] = file.into();
        }
        all.authority(record).await;
    }
    let value = |id: &str, count: u64| json!({"id": id, "totalRecords": count});
    let counted = |values: &[Value]| json!({"values": values, "totalRecords": values.len()});
    let path = "/search/authorities/facets";
    let facets = async |facets: &str, query: &str| {
        let answer = all.client.query(&format!("{path}?{facets}"), query).await.expect(200);
        assert_eq!(answer.round_trips(), 0);
        answer.json()["facets"].clone()
    };
    assert_eq!(
        facets("facet=headingType&facet=subjectHeadings,sourceFileId&facet=tenantId&facet=shared", "id=*").await,
        json!({
            "headingType": counted(&[value("Personal Name", 2), value("Genre", 1), value("Topical", 1)]),
            "subjectHeadings": counted(&[value("a", 2), value("b", 2)]),
            "sourceFileId": counted(&[value(LCSH, 2), value("NULL", 1), value(LCNAF, 1)]),
            "tenantId": counted(&[value(TENANT, 4)]),
            "shared": counted(&[value("false", 4)])})
    );
    assert_eq!(
        facets("facet=headingType:2&facet=subjectHeadings", "headingType==(Topical or Other)").await,
        json!({"headingType": counted(&[value("Topical", 1)]), "subjectHeadings": counted(&[value("b", 1)])})
    );
    for (facet, message) in [("authRefType", "Invalid facet value"), ("source", "Invalid facet value")] {
        let refused = all.client.query(&format!("{path}?facet={facet}"), "id=*").await.expect(400);
        assert_eq!(refusal(&refused).0, message, "{facet}");
    }
}

#[tokio::test]
async fn the_ids_of_authorities_are_fetched_by_jobs() {
    let all = Decided::new().await;
    let mut expected = Vec::new();
    for number in 0..3 {
        let record = json!({"topicalTerm": format!("Zzids {number}"), "sftTopicalTerm": ["Zzids also"]});
        expected.push(json!({"id": all.authority(record).await["id"]}));
    }
    all.authority(json!({"topicalTerm": "Others"})).await;
    expected.sort_by_key(id);
    let sent = json!({"query": "keyword=zzids", "entityType": "AUTHORITY"});
    let job = all.client.post("/search/resources/jobs", &sent).await.expect(200).json();
    let path = format!("/search/resources/jobs/{}", id(&job));
    assert_eq!(all.client.get(&path).await.expect(200).json()["status"], "COMPLETED");
    let ids = all.client.get(&format!("{path}/ids")).await.expect(200).json();
    // Each once, however many of its headings are found.
    assert_eq!(ids, json!({"ids": expected, "totalRecords": 3}));
    let wrong = json!({"query": "title=x", "entityType": "AUTHORITY"});
    let job = all.client.post("/search/resources/jobs", &wrong).await.expect(200).json();
    let path = format!("/search/resources/jobs/{}", id(&job));
    assert_eq!(all.client.get(&path).await.expect(200).json()["status"], "ERROR");
}

#[tokio::test]
async fn searches_are_refused_in_mod_searchs_words() {
    let all = Decided::new().await;
    for (parameters, query, status, message) in [
        ("", "title=x", 400, "Invalid search field provided in the CQL query"),
        ("", "x", 400, "Invalid search field provided in the CQL query"),
        ("", "isListed==true", 400, "Invalid search field provided in the CQL query"),
        ("", "(", 400, "Failed to parse cql query [cql: '(', resource: authority]"),
        ("", "id=* sortby title", 400, "Sort field not found or cannot be used."),
        ("", "metadata.createdDate==2022-6-27", 422, "Invalid date format"),
        ("?limit=501", "id=*", 400, "searchAuthorities.limit must be less than or equal to 500"),
        ("?offset=-1", "id=*", 400, "searchAuthorities.offset must be greater than or equal to 0"),
        ("?limit=500&offset=9501", "id=*", 400, "The sum of limit and offset should not exceed 10000."),
        (
            "?includeNumberOfTitles=x",
            "id=*",
            400,
            "Failed to convert value of type 'java.lang.String' to required type \
            'java.lang.Boolean'; Invalid boolean value [x]",
        ),
    ] {
        let refused = all.client.query(&format!("/search/authorities{parameters}"), query).await.expect(status);
        assert_eq!(refusal(&refused).0, message, "{query}");
    }
    let missing = all.client.get("/search/authorities").await.expect(400);
    assert_eq!(
        refusal(&missing).0,
        "Required request parameter 'query' for method parameter type String is not present"
    );
}
