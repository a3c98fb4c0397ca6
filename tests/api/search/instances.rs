//! What queries find, in which order and form.

use super::*;

/// The query language: each row a query and the instances it finds of those made here.
#[tokio::test]
async fn queries_find_what_mod_search_finds() {
    let all = Searched::new().await;
    let sea = all
        .instance(json!({"title": "Cooperative maps of the Sea & the Pang'ok coast", "languages": ["eng"],
            "indexTitle": "Cooperative maps",
            "contributors": [{"name": "Élan, Zoé", "contributorNameTypeId": PERSONAL_NAME, "primary": true}],
            "identifiers": [{"value": "978-0-306-40615-7 (paper)", "identifierTypeId": ISBN},
                {"value": "2434-561X", "identifierTypeId": ISSN}, {"value": "(OCoLC)ocm00712345", "identifierTypeId": OCLC},
                {"value": " qq 79021425", "identifierTypeId": LCCN},
                {"value": "zz canceled", "identifierTypeId": CANCELED_LCCN}, {"value": "ABC-17/x", "identifierTypeId": OCLC}],
            "subjects": [{"value": "Unheard of subjects"}], "dates": {"date1": "19uu", "date2": "1999"},
            "alternativeTitles": [{"alternativeTitle": "Zzuniform", "alternativeTitleTypeId": UNIFORM_TITLE}],
            "notes": [{"note": "zzpublic words"}, {"note": "zzstaff words", "staffOnly": true}, {"note": "PowerShot B12 of the U.S."}],
            "publication": [{"publisher": "Zzpress", "place": "Zzplace"}], "tags": {"tagList": ["Urgent", "urgent"]},
            "electronicAccess": [{"uri": "https://zz.example/x", "linkText": "zzlink"}],
            "administrativeNotes": ["zzadmin"]}))
        .await;
    let empty = all.instance(json!({"title": "Zzempty", "statisticalCodeIds": [], "contributors": []})).await;
    let holdings = all
        .holdings(
            &sea,
            json!({"callNumber": "ZZ 12 .A5", "callNumberPrefix": "Ref", "callNumberSuffix": "s", "formerIds": ["former2"],
            "notes": [{"note": "zzholdingsnote"}]}),
        )
        .await;
    let item = all
        .item(
            &holdings,
            json!({"barcode": "ZZ-4711", "accessionNumber": "acc 1", "itemIdentifier": "zzidentifier", "formerIds": ["former1"],
            "circulationNotes": [{"noteType": "Check in", "note": "zzcirculation"}], "tags": {"tagList": ["rare"]}}),
        )
        .await;
    all.item(&holdings, json!({"barcode": "ZZ-1000"})).await;
    let mine = format!("id==({sea} or {empty})");
    let (both, one, other, none) = (&["s", "e"][..], &["s"][..], &["e"][..], &[][..]);
    for (query, expected) in [
        // Words: all of them, in any order, in their basic forms too.
        ("title all \"maps cooperative\"", one),
        ("title all \"cooperate\"", one),
        ("title = \"mapping pangok\"", one),
        ("title adj \"coast pang'ok\"", one),
        ("title all \"sea and the coast\"", one),
        ("title any \"zzempty cooperative\"", both),
        // A word that says nothing is a word for `all` and `any`; only `=` takes it to be everywhere.
        ("title all \"zzuniform with\"", none),
        ("title = \"zzuniform with\"", one),
        ("title <> \"zzuniform with\"", other),
        ("title = \"with\"", none),
        ("title any \"with zzempty\"", other),
        ("title all \"\"", both),
        ("title all \" / \"", both),
        ("title all \"zzempty cooperative\"", none),
        ("title == \"the pang'ok coast\"", one),
        ("title == \"coast pang'ok\"", none),
        ("title ==/string \"zzEMPTY\"", other),
        ("title ==/string \"maps\"", none),
        // Marks of their own are no words, and words that say nothing count for nothing at the ends of a phrase.
        ("title all \"maps / sea : coast & cooperative\"", one),
        ("keyword all \"maps / sea & coast\"", one),
        ("keyword = \"maps : elan\"", one),
        ("title == \"a cooperative maps of\"", one),
        // Phrases are found in their basic forms, with any word for one that says nothing.
        ("title == \"cooperate map of the seas\"", one),
        ("title == \"cooperate maps with a sea\"", one),
        ("title == \"cooperate maps sea\"", none),
        ("title == \"map\"", one),
        ("title ==/string \"cooperative map\"", none),
        // Words end at digits, and have parts that begin with capitals.
        ("notes.note all \"shot 12\"", one),
        ("notes.note all \"powershot b12\"", one),
        ("notes.note == \"PowerShot B 12\"", one),
        ("notes.note all \"us\"", one),
        ("notes.note all \"U.S.\"", one),
        ("notes.note all \"u\"", one),
        ("title == \"the zzempty\"", none),
        ("title <> \"cooperative\"", other),
        ("title = \"coop*\"", one),
        ("title = \"*pang*\"", one),
        ("title = \"maps*\"", none),
        ("keyword all \"elan maps\"", one),
        ("keyword all \"zoe 2434-561x\"", one),
        ("contributors = \"Élan\"", one),
        ("contributors = \"elans\"", none),
        ("subjects = \"subject unheard\"", one),
        ("uniformTitle = zzuniform", one),
        ("publisher = zzpress", one),
        ("publication.place = zzplace", one),
        ("notes.note = zzstaff", one),
        ("publicNotes = zzstaff", none),
        ("publicNotes = zzpublic", one),
        ("administrativeNotes = zzadmin", one),
        ("electronicAccess = zzlink", one),
        ("electronicAccess = \"https://zz.example/x\"", one),
        ("electronicAccess.uri == \"https://zz.example/x\"", one),
        // Whole values.
        ("source == FOLIO", both),
        ("source == folio", none),
        ("source <> MARC", both),
        ("languages == (eng or lat)", one),
        ("languages == ENG", one),
        ("languages = \"\"", one),
        ("cql.allRecords=1 not languages=\"\"", other),
        ("languages == \"[]\"", other),
        ("contributors == \"[]\"", other),
        ("languages <> eng", other),
        ("instanceTags == urgent", one),
        ("normalizedDate1 == 1900", one),
        ("dates.date1 == 19*U", one),
        ("dates.date2 > 1998", one),
        ("electronicAccess.materialsSpecification all zz", none),
        // One value must be in a whole range.
        ("items.barcode > \"zz-1\" and items.barcode < \"zz-2\"", one),
        ("items.barcode >= \"zz-2\" and items.barcode <= \"zz-4\"", none),
        ("items.barcode <= \"zz-4\" and source == FOLIO and items.barcode >= \"zz-2\"", none),
        ("items.barcode > \"zz-1000\" and items.barcode <= \"zz-4711\"", one),
        ("items.barcode > \"zz-1000\" and items.barcode < \"zz-4711\"", none),
        ("normalizedDate1 >= 1900 and normalizedDate1 < 1901", one),
        ("normalizedDate1 < 1900", other),
        ("metadata.createdDate > \"2000-01-01\"", both),
        ("metadata.createdDate >= 2000-01-01 and metadata.createdDate <= 2001-01-01T00:00:00Z", none),
        ("staffSuppress == false", both),
        ("shared == false and tenantId == lib1", both),
        ("cql.allRecords = 1", both),
        ("keyword = *", both),
        // Identifiers have one form.
        ("isbn = 9780306406157", one),
        ("isbn = \"978-0-306-40615-7\"", one),
        ("isbn = paper", one),
        ("isbn = \"9780306406157 paper\"", one),
        ("isbn = \"9780306406157 cloth\"", none),
        ("isbn = \"978030640*\"", one),
        ("isbn = \"0306406152\"", none),
        ("isbn = \"*030640*\"", one),
        ("isbn = \"*615-7\"", one),
        ("issn = \"2434-561x\"", one),
        ("issn = \"2434561x\"", none),
        ("issn = \"2434-*\"", one),
        ("oclc = 712345", one),
        ("oclc = \"(OCoLC)712345\"", one),
        ("lccn = \"QQ79021425\"", one),
        ("lccn = \"zz canceled\" or canceledLccn = \"zz canceled\"", one),
        ("canceledLccn = \"QQ79021425\"", none),
        ("identifiers.value = \"abc-17/X\"", one),
        ("identifiers.value = \"*17*\"", one),
        // Not tied to one identifier.
        (
            "identifiers.identifierTypeId == 439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef and identifiers.value = \"2434-561x\"",
            one,
        ),
        // Holdings and items.
        ("holdingsFullCallNumbers = \"ref zz 12 .a5 S\"", one),
        ("holdingsFullCallNumbers = \"ref zz*\"", one),
        ("holdingsNormalizedCallNumbers = \"zz12\"", one),
        ("holdingsNormalizedCallNumbers == \"ref.zz\"", one),
        ("itemFullCallNumbers = \"Ref ZZ 12 .A5 s\"", one),
        ("itemNormalizedCallNumbers = \"zz-12-a5\"", one),
        ("holdings.notes.note = zzholdingsnote", one),
        ("items.barcode == \"zz-4711\"", one),
        ("item.barcode == \"ZZ-47*\"", one),
        ("itemIdentifiers = former1", one),
        ("itemIdentifiers == \"acc 1\"", one),
        ("itemIdentifiers = zzident*", one),
        ("itemIdentifiers = former2", none),
        ("itemIdentifiers <> former1", other),
        ("itemIdentifiers = \"\"", one),
        ("holdingsIdentifiers = former2", one),
        ("holdingsIdentifiers any \"former1 former2\"", none),
        ("items.circulationNotes.note = zzcirculation", one),
        ("item.notes.note = zzcirculation", one),
        ("itemTags == rare", one),
        ("item.status.name == Available", one),
        ("item.status.name == available", none),
        ("cql.all = zzholdingsnote", one),
        ("cql.allItems = \"zz-4711\"", one),
        ("cql.allInstances = zzholdingsnote", none),
        ("cql.allHoldings = former2", one),
        ("cql.allItems = former1", one),
        ("cql.all == \"unheard of subjects\"", one),
        // What refers to other records is no text, and neither are numbers.
        (&*format!("cql.allInstances = {ISBN}"), none),
        (&*format!("cql.allHoldings = {sea}"), none),
        (&*format!("cql.allItems = {holdings}"), none),
        ("cql.allInstances = 1", none),
        (&*format!("cql.all = {item}"), one),
        // Together, from left to right.
        ("title = zzempty or title = maps and source == MARC", none),
        ("title = zzempty or (title = maps and source == MARC)", other),
        ("source == FOLIO not title = maps", other),
        ("title = (maps or zzempty)", both),
    ] {
        let found = all.find(&format!("({query}) and {mine}")).await;
        let ids: Vec<&str> =
            found["instances"].as_array().expect("a list").iter().filter_map(|f| f["id"].as_str()).collect();
        let expected: Vec<&str> = expected.iter().map(|name| if *name == "s" { &*sea } else { &*empty }).collect();
        assert_eq!((ids.len(), expected.iter().all(|id| ids.contains(id))), (expected.len(), true), "{query}");
    }
    assert_eq!(all.total(&format!("items.id == {item}")).await, 1);
    assert_eq!(all.total(&format!("holdings.id == {holdings}")).await, 1);
    assert_eq!(all.total(&format!("holdingsIdentifiers == {holdings}")).await, 1);
    assert_eq!(all.total(&format!("itemIdentifiers == {item}")).await, 1);
}

#[tokio::test]
async fn results_are_sorted() {
    let all = Searched::new().await;
    let mut made = Vec::new();
    for (title, contributor, year, status) in [
        ("zz banana", Some("Young"), "2001", Some("Missing")),
        ("Zz Äpfel", None, "1999", Some("Available")),
        ("zz cherry", Some("Adams"), "", None),
    ] {
        let contributors = contributor.map(|name| json!({"name": name, "contributorNameTypeId": PERSONAL_NAME}));
        let contributors: Vec<Value> = contributors.into_iter().collect();
        let id = all
            .instance(json!({"title": title, "contributors": contributors, "dates": {"date1": year}, "subjects": [{"value": "zz"}]}))
            .await;
        if let Some(status) = status {
            let holdings = all.holdings(&id, json!({})).await;
            all.item(&holdings, json!({"status": {"name": status}})).await;
        }
        made.push(id);
    }
    let (banana, apple, cherry) = ("zz banana", "Zz Äpfel", "zz cherry");
    for (order, expected) in [
        ("title", [apple, banana, cherry]),
        ("title/sort.descending", [cherry, banana, apple]),
        // Missing values are last in both directions.
        ("contributors", [cherry, banana, apple]),
        ("contributors/sort.descending", [banana, cherry, apple]),
        ("normalizedDate1", [cherry, apple, banana]),
        ("items.status.name", [apple, banana, cherry]),
        ("item.status.name/sort.descending", [banana, apple, cherry]),
        ("metadata.createdDate title", [apple, banana, cherry]),
    ] {
        assert_eq!(all.titles(&format!("subjects == zz sortby {order}")).await, expected, "{order}");
    }
    let page = "/search/instances?limit=1&offset=1";
    let page = all.client.query(page, "subjects==zz sortby title").await.expect(200).json();
    assert_eq!((&page["totalRecords"], &page["instances"][0]["id"]), (&json!(3), &json!(made[0])));
    let beyond = all.client.query("/search/instances?offset=9000", "subjects==zz").await.expect(200).json();
    assert_eq!(beyond, json!({"totalRecords": 3, "instances": []}));
}

#[tokio::test]
async fn results_are_brief_unless_all_is_asked_for() {
    let all = Searched::new().await;
    let contributor = json!({"name": "B", "contributorNameTypeId": PERSONAL_NAME, "primary": true});
    let id =
        all.instance(json!({"title": "Zzbrief", "contributors": [contributor], "subjects": [{"value": "S"}]})).await;
    let holdings = all.holdings(&id, json!({"callNumber": "C 1"})).await;
    let item = all.item(&holdings, json!({})).await;
    let answer = all.client.query("/search/instances", "title=zzbrief").await.expect(200);
    assert!(answer.round_trips() <= 1, "{}", answer.round_trips());
    assert_eq!(
        answer.json(),
        json!({"totalRecords": 1, "instances": [{"id": id, "tenantId": TENANT, "title": "Zzbrief",
            "contributors": [{"name": "B", "primary": true, "contributorNameTypeId": PERSONAL_NAME}], "publication": [],
            "staffSuppress": false, "discoverySuppress": false, "isBoundWith": false, "shared": false,
            "items": [{"effectiveCallNumberComponents": {"callNumber": "C 1"}}], "holdings": []}]})
    );
    let answer = all.client.query("/search/instances?expandAll=true", "title=zzbrief").await.expect(200);
    assert!(answer.round_trips() <= 1, "{}", answer.round_trips());
    let full = answer.json()["instances"][0].clone();
    assert_eq!(full["subjects"], json!([{"value": "S"}]));
    assert_eq!((&full["holdings"][0]["id"], &full["holdings"][0]["callNumber"]), (&json!(holdings), &json!("C 1")));
    assert_eq!((&full["items"][0]["id"], &full["items"][0]["tenantId"]), (&json!(item), &json!(TENANT)));
    assert_eq!(full["items"][0]["status"]["name"], "Available");
}

/// No filter of the database's is asked: large and odd queries end.
#[tokio::test]
async fn odd_queries_end() {
    let all = Searched::new().await;
    let many: Vec<String> = (0..2_000).map(|n| format!("w{n}")).collect();
    let ids = vec!["00000000-0000-4000-8000-000000000000"; 1_500].join(" or ");
    for query in [
        format!("title any \"{}\"", many.join(" ")),
        format!("id==({ids})"),
        "title=\"*a*b*c*d*e*f*\"".to_owned(),
        "title=\"*\"".to_owned(),
        "title=\"???*\"".to_owned(),
        "title=\"... --- !!!\"".to_owned(),
        "title=\"\\\\\\\\\"".to_owned(),
        format!("{}title=x{}", "(".repeat(200), ")".repeat(200)),
        "normalizedDate1 == x".to_owned(),
    ] {
        all.client.query("/search/instances", &query).await.expect(200);
    }
    assert_eq!(all.total("title=\"*\"").await, all.total("cql.allRecords=1").await);
    assert_eq!(all.total("title=\"... ---\"").await, 0);
}
