//! Rules of links, links of instances, and what they depend on.

use authorities::headings::HEADINGS;

use super::*;

const RULES: &str = "/linking-rules/instance-authority";

#[tokio::test]
async fn rules_of_links_are_read_and_changed() {
    let all = Decided::new().await;
    let rules = all.client.get(RULES).await.expect(200);
    assert_eq!(rules.round_trips(), 1);
    let rules = rules.json();
    assert_eq!(rules.as_array().map(Vec::len), Some(22));
    assert_eq!(
        rules[4],
        json!({"id": 5, "bibField": "240", "authorityField": "100", "autoLinkingEnabled": true,
            "authoritySubfields": ["f", "g", "h", "k", "l", "m", "n", "o", "p", "r", "s", "t"],
            "subfieldModifications": [{"source": "t", "target": "a"}], "validation": {"existence": [{"t": true}]}})
    );
    let path = format!("{RULES}/12");
    assert_eq!(all.client.get(&path).await.expect(200).json(), rules[11]);
    all.client.patch(&path, &json!({"id": 12, "autoLinkingEnabled": false})).await.expect(202);
    all.client.patch(&path, &json!({"id": 12, "authoritySubfields": ["v", "a", "2"]})).await.expect(202);
    let now = all.client.get(&path).await.expect(200).json();
    assert_eq!((&now["autoLinkingEnabled"], &now["authoritySubfields"]), (&json!(false), &json!(["a", "v", "2"])));
    for (rule, sent, message) in [
        (12, json!({"autoLinkingEnabled": true}), "Request should have id = 12"),
        (12, json!({"id": 12, "authoritySubfields": ["ab"]}), "Invalid subfield value."),
        (12, json!({"id": 12, "authoritySubfields": ["a", "9"]}), "Invalid subfield value."),
        (12, json!({"id": 12, "authoritySubfields": ["b"]}), "Subfield 'a' is required."),
        (1, json!({"id": 1, "authoritySubfields": ["a"]}), "Subfields could be updated only for 6XX fields."),
    ] {
        let refused = all.client.patch(&format!("{RULES}/{rule}"), &sent).await.expect(422);
        assert_eq!(refusal(&refused).0, message, "{sent}");
    }
    // All that is wrong is in one error.
    for (sent, wrong) in [(["a", "ab", ""], ["ab", ""]), (["9", "a", "$"], ["$", "9"])] {
        let sent = json!({"id": 12, "authoritySubfields": sent});
        let refused = all.client.patch(&path, &sent).await.expect(422);
        assert_eq!(refusal(&refused).0, "Invalid subfield value.", "{sent}");
        let parameters = wrong.map(|value| json!({"key": "authoritySubfields", "value": value}));
        assert_eq!(refused.json()["errors"][0]["parameters"], json!(parameters), "{sent}");
    }
    let lost = all.client.patch(&format!("{RULES}/99"), &json!({"id": 99})).await.expect(404);
    assert_eq!(refusal(&lost), ("Linking rule with ID [99] was not found".to_owned(), "not-found".to_owned()));
    all.client.get(&format!("{RULES}/99")).await.expect(404);
    all.client.get(&format!("{RULES}/x")).await.expect(400);
}

async fn instance(all: &Decided, title: &str) -> String {
    let record = json!({"source": "MARC", "title": title, "instanceTypeId": TEXT});
    id(&all.client.create("/instance-storage/instances", &record).await)
}

#[tokio::test]
async fn links_of_instances_are_kept_and_counted() {
    let all = Decided::new().await;
    let twain = all.authority(json!({"personalName": "Twain", "naturalId": "n79021164"})).await;
    let maps = all.authority(json!({"topicalTerm": "Maps", "naturalId": "sh1"})).await;
    let (one, other) = (instance(&all, "A").await, instance(&all, "B").await);
    let link = |authority: &Value, instance: &str, rule: u32| {
        json!({"authorityId": authority["id"], "authorityNaturalId": authority["naturalId"], "instanceId": instance,
            "linkingRuleId": rule})
    };
    let path = |instance: &str| format!("/links/instances/{instance}");
    let put = async |instance: &str, links: &[Value]| all.client.put(&path(instance), &json!({"links": links})).await;
    let sent = [link(&twain, &one, 1), link(&twain, &one, 15), link(&maps, &one, 12)];
    assert_eq!(put(&one, &sent).await.expect(204).round_trips(), 1);
    put(&other, &[link(&twain, &other, 15)]).await.expect(204);
    let found = all.client.get(&path(&one)).await.expect(200).json();
    assert_eq!(found["totalRecords"], 3);
    let mut first = found["links"][0].clone();
    assert!(first.as_object_mut().expect("an object").remove("id").is_some_and(|id| id.is_number()));
    let mut expected = link(&twain, &one, 1);
    expected["status"] = json!("ACTUAL");
    assert_eq!(first, expected);
    let ids = json!({"ids": [maps["id"], twain["id"], NOBODY]});
    let count =
        async || all.client.post("/links/authorities/bulk/count", &ids).await.expect(200).json()["links"].clone();
    let counted = |maps_: u32, twain_: u32| json!([{"id": maps["id"], "totalLinks": maps_}, {"id": twain["id"], "totalLinks": twain_}, {"id": NOBODY, "totalLinks": 0}]);
    assert_eq!(count().await, counted(1, 2));
    // What stays keeps its number.
    put(&one, &[link(&twain, &one, 15)]).await.expect(204);
    let left = all.client.get(&path(&one)).await.expect(200).json();
    assert_eq!((&left["totalRecords"], &left["links"][0]["id"]), (&json!(1), &found["links"][1]["id"]));
    assert_eq!(count().await, counted(0, 2));
    for (links, status, message) in [
        (link(&twain, &other, 1), 422, format!("Link should have instanceId = {one}")),
        (link(&twain, &one, 99), 422, "Unknown constraint.".to_owned()),
        (
            link(&json!({"id": NOBODY, "naturalId": "x"}), &one, 1),
            400,
            format!("Authority with ID [{NOBODY}] was not found"),
        ),
    ] {
        assert_eq!(refusal(&put(&one, &[links]).await.expect(status)).0, message);
    }
    let two = put(&one, &[link(&twain, &other, 1), link(&maps, &other, 12)]).await.expect(422).json();
    let parameter = json!({"key": "instanceId", "value": other});
    assert_eq!((&two["total_records"], &two["errors"][0]["parameters"]), (&json!(1), &json!([parameter, parameter])));
    assert_eq!(all.client.get(&path(&one)).await.expect(200).json(), left);
    // The links of an authority go with it, and if its heading is of another kind.
    let at = format!("{PATH}/{}", id(&twain));
    let mut changed = twain.clone();
    changed.as_object_mut().expect("an object").remove("personalName");
    changed["corporateName"] = json!("Twain and sons");
    all.client.put(&at, &changed).await.expect(204);
    assert_eq!(count().await, counted(0, 0));
    put(&one, &[link(&maps, &one, 12)]).await.expect(204);
    all.client.delete(&format!("{PATH}/{}", id(&maps))).await.expect(204);
    assert_eq!(all.client.get(&path(&one)).await.expect(200).json(), json!({"links": [], "totalRecords": 0}));
}

#[tokio::test]
async fn headings_of_every_kind_are_noted_when_they_change() {
    let all = Decided::new().await;
    for heading in HEADINGS {
        let mut record = all.authority(json!({heading.member: "Before"})).await;
        record[heading.member] = json!("After");
        all.client.put(&format!("{PATH}/{}", id(&record)), &record).await.expect(204);
    }
    let stats = all.client.get("/links/stats/authority?action=UPDATE_HEADING").await.expect(200).json();
    let mut tags: Vec<_> =
        stats["stats"].as_array().expect("a list").iter().filter_map(|one| one["headingTypeNew"].as_str()).collect();
    let mut expected: Vec<_> = HEADINGS.iter().map(|heading| heading.tag).collect();
    tags.sort_unstable();
    expected.sort_unstable();
    assert_eq!(tags, expected);
}

#[tokio::test]
async fn what_changes_in_authorities_is_listed() {
    let all = Decided::new().await;
    let mut record = all.authority(json!({"personalName": "Clemens", "naturalId": "n1", "sourceFileId": LCNAF})).await;
    let path = format!("{PATH}/{}", id(&record));
    let book = instance(&all, "A book").await;
    let link = json!({"authorityId": record["id"], "authorityNaturalId": "n1", "instanceId": book, "linkingRuleId": 1});
    all.client.put(&format!("/links/instances/{book}"), &json!({"links": [link]})).await.expect(204);
    // What links do not depend on is not listed.
    record["subjectHeadings"] = json!("a");
    all.client.put(&path, &record).await.expect(204);
    for (version, member, value) in
        [(1, "personalName", "Twain"), (2, "naturalId", "n2"), (3, "personalName", "Twain, Mark")]
    {
        all.library.clock.advance(jiff::SignedDuration::from_secs(60));
        record["_version"] = version.into();
        record[member] = value.into();
        all.client.put(&path, &record).await.expect(204);
    }
    let stats = "/links/stats/authority";
    let listed = all.client.get(&format!("{stats}?action=UPDATE_HEADING&limit=1")).await.expect(200);
    assert_eq!(listed.round_trips(), 1);
    let listed = listed.json();
    let stat = &listed["stats"][0];
    assert_eq!((&stat["headingOld"], &stat["headingNew"]), (&json!("Twain"), &json!("Twain, Mark")));
    assert_eq!((&stat["headingTypeOld"], &stat["headingTypeNew"]), (&json!("100"), &json!("100")));
    assert_eq!((&stat["naturalIdOld"], &stat["naturalIdNew"]), (&json!("n2"), &json!("n2")));
    assert_eq!((&stat["sourceFileNew"], &stat["lbTotal"]), (&json!("LC Name Authority file (LCNAF)"), &json!(1)));
    let next = listed["next"].as_str().expect("a moment").replace('+', "%2B");
    let rest = all.client.get(&format!("{stats}?action=UPDATE_HEADING&toDate={next}")).await.expect(200).json();
    assert_eq!((&rest["stats"][0]["headingOld"], rest.get("next")), (&json!("Clemens"), None));
    let numbers = all.client.get(&format!("{stats}?action=UPDATE_NATURAL_ID")).await.expect(200).json();
    assert_eq!((numbers["stats"].as_array().map(Vec::len), numbers["stats"][0].get("headingOld")), (Some(1), None));
    let none = all
        .client
        .get(&format!("{stats}?action=UPDATE_HEADING&fromDate=2100-01-01T00:00:00Z"))
        .await
        .expect(200)
        .json();
    assert_eq!(none, json!({"stats": []}));

    let links = "/links/stats/instance";
    let bibs = all.client.get(&format!("{links}?status=ACTUAL")).await.expect(200).json();
    let mut first = bibs["stats"][0].clone();
    assert!(first.as_object_mut().expect("an object").remove("updatedAt").is_some());
    assert_eq!(
        first,
        json!({"instanceId": book, "instanceTitle": "A book", "bibRecordTag": "100", "authorityNaturalId": "n2"})
    );
    assert_eq!(all.client.get(&format!("{links}?status=ERROR")).await.expect(200).json(), json!({"stats": []}));
    let turned =
        all.client.get(&format!("{links}?fromDate=2021-01-02T00:00:00Z&toDate=2021-01-01T00:00:00Z")).await.expect(422);
    assert_eq!(refusal(&turned).0, "'to' date should be not less than 'from' date.");
    for wrong in ["action=x", "limit=0", "limit=x", "fromDate=x"] {
        all.client.get(&format!("{stats}?{wrong}")).await.expect(400);
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The titles of links with their fields, page by page.
async fn titles_by_pages_of(all: &Decided, limit: usize) -> Vec<String> {
    let (mut titles, mut next) = (Vec::new(), String::new());
    loop {
        let path = format!("/links/stats/instance?limit={limit}{next}");
        let page = all.client.get(&path).await.expect(200).json();
        let stats = page["stats"].as_array().expect("a list").iter();
        titles.extend(stats.map(|stat| format!("{} {}", text(&stat["instanceTitle"]), text(&stat["bibRecordTag"]))));
        match page["next"].as_str() {
            Some(moment) if titles.len() < 100 => next = format!("&toDate={}", moment.replace('+', "%2B")),
            _ => return titles,
        }
    }
}

#[tokio::test]
async fn lists_of_links_go_on_where_they_ended() {
    let all = Decided::new().await;
    let twain = all.authority(json!({"personalName": "Twain"})).await;
    for title in ["A", "B", "C"] {
        let book = instance(&all, title).await;
        let links = [1, 8, 15].map(|rule| {
            json!({"authorityId": twain["id"], "authorityNaturalId": "n1", "instanceId": book, "linkingRuleId": rule})
        });
        all.client.put(&format!("/links/instances/{book}"), &json!({"links": links})).await.expect(204);
        all.library.clock.advance(jiff::SignedDuration::from_millis(1));
    }
    let mut whole = titles_by_pages_of(&all, 100).await;
    for limit in [1, 2, 4] {
        assert_eq!(titles_by_pages_of(&all, limit).await, whole, "{limit}");
    }
    assert_eq!((whole[0].as_str(), whole.last().map(String::as_str)), ("C 700", Some("A 100")));
    whole.dedup();
    assert_eq!(whole.len(), 9);
}

#[tokio::test]
async fn links_that_are_replaced_at_one_time_are_those_of_one_request() {
    let all = Decided::new().await;
    let mut authorities = Vec::new();
    for name in ["A", "B", "C", "D"] {
        authorities.push(all.authority(json!({"personalName": name})).await);
    }
    let book = instance(&all, "A book").await;
    let path = format!("/links/instances/{book}");
    for rule in [1, 8, 15, 19] {
        let puts = authorities.iter().map(async |authority| {
            let link = json!({"authorityId": authority["id"], "authorityNaturalId": "n1", "instanceId": book,
                "linkingRuleId": rule});
            all.client.put(&path, &json!({"links": [link]})).await
        });
        for answer in futures_util::future::join_all(puts).await {
            answer.expect(204);
        }
        assert_eq!(all.client.get(&path).await.expect(200).json()["totalRecords"], 1);
    }
}
