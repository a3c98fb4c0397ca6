//! Lists of headings in their order, around a place.

use super::*;

/// Headings in their order; those with `-` lead to others, those with `~` are only related.
const HEADINGS: [&str; 12] = [
    "Asia Pacific",
    "-Biomedical Symposium",
    "-Blumberg Green Beauty",
    "Brian K. Vaughan",
    "Brian K. Vaughan Title",
    "Comic-Con",
    "Disney",
    "-Fantasy",
    "Harry Potter",
    "-Ĵämes Röllins",
    "North America",
    "Zappa Frank",
];

impl Decided {
    async fn shelf() -> Self {
        let all = Self::new().await;
        for heading in HEADINGS {
            let record = match heading.strip_prefix('-') {
                Some(text) => json!({"sftPersonalName": [text], "saftPersonalName": [format!("{text} related")]}),
                None => json!({"personalName": heading}),
            };
            all.authority(record).await;
        }
        all.authority(json!({"topicalTerm": "Zappa Frank", "sourceFileId": LCSH})).await;
        all
    }

    async fn browse(&self, parameters: &str, query: &str) -> Value {
        let answer = self.client.query(&format!("/browse/authorities?{parameters}"), query).await.expect(200);
        assert_eq!(answer.round_trips(), 0);
        answer.json()
    }

    /// The list with a `*` before what is marked, and where it goes on.
    async fn shown(&self, parameters: &str, query: &str) -> (Vec<String>, Option<String>, Option<String>) {
        let list = self.browse(parameters, query).await;
        let items = list["items"].as_array().expect("a list").iter();
        let rows = items.map(|item| {
            let mark = if item["isAnchor"] == true { "*" } else { "" };
            let (open, close) = if item.get("authority").is_none() { ("(", ")") } else { ("", "") };
            format!("{mark}{open}{}{close}", heading(item))
        });
        let text = |name: &str| list[name].as_str().map(str::to_owned);
        (rows.collect(), text("prev"), text("next"))
    }
}

#[tokio::test]
async fn a_list_goes_on_from_its_place() {
    let all = Decided::shelf().await;
    for (parameters, query, rows, prev, next) in [
        // Around.
        (
            "limit=5",
            "headingRef > X or headingRef < X",
            "brian k. vaughan",
            "Biomedical Symposium|Blumberg Green Beauty|*(brian k. vaughan)|Brian K. Vaughan Title|Comic-Con",
            Some("Biomedical Symposium"),
            Some("Comic-Con"),
        ),
        (
            "limit=5",
            "headingRef >= X or headingRef < X",
            "Brian K. Vaughan",
            "Biomedical Symposium|Blumberg Green Beauty|*Brian K. Vaughan|Brian K. Vaughan Title|Comic-Con",
            Some("Biomedical Symposium"),
            Some("Comic-Con"),
        ),
        (
            "limit=5",
            "headingRef < X or headingRef >= X",
            "harry",
            "Disney|Fantasy|*(harry)|Harry Potter|Ĵämes Röllins",
            Some("Disney"),
            Some("Ĵämes Röllins"),
        ),
        (
            "limit=5",
            "headingRef > X or headingRef < X",
            "a",
            "*(a)|Asia Pacific|Biomedical Symposium",
            None,
            Some("Biomedical Symposium"),
        ),
        (
            "limit=5",
            "headingRef > X or headingRef < X",
            "zz",
            "Zappa Frank|Zappa Frank|*(zz)",
            Some("Zappa Frank"),
            None,
        ),
        (
            "limit=7&precedingRecordsCount=2",
            "headingRef < X or headingRef >= X",
            "james rollins",
            "Fantasy|Harry Potter|*Ĵämes Röllins|North America|Zappa Frank|Zappa Frank",
            Some("Fantasy"),
            None,
        ),
        (
            "limit=3",
            "headingRef < X or headingRef >= X",
            "Zappa Frank",
            "North America|*Zappa Frank|*Zappa Frank",
            Some("North America"),
            None,
        ),
        (
            "limit=5&highlightMatch=false",
            "headingRef < X or headingRef >= X",
            "fantasy",
            "Comic-Con|Disney|Fantasy|Harry Potter|Ĵämes Röllins",
            Some("Comic-Con"),
            Some("Ĵämes Röllins"),
        ),
        (
            "limit=4&highlightMatch=false",
            "headingRef < X or headingRef > X",
            "fantasy",
            "Comic-Con|Disney|Harry Potter|Ĵämes Röllins",
            Some("Comic-Con"),
            Some("Ĵämes Röllins"),
        ),
        // Forward.
        (
            "limit=3",
            "headingRef > X",
            "Brian K. Vaughan",
            "Brian K. Vaughan Title|Comic-Con|Disney",
            Some("Brian K. Vaughan Title"),
            Some("Disney"),
        ),
        (
            "limit=3",
            "headingRef >= X",
            "Brian K. Vaughan",
            "Brian K. Vaughan|Brian K. Vaughan Title|Comic-Con",
            Some("Brian K. Vaughan"),
            Some("Comic-Con"),
        ),
        ("limit=5", "headingRef >= X", "north", "North America|Zappa Frank|Zappa Frank", Some("North America"), None),
        ("limit=5", "headingRef > X", "zz", "", None, None),
        // Backward.
        (
            "limit=2",
            "headingRef < X",
            "Brian K. Vaughan",
            "Biomedical Symposium|Blumberg Green Beauty",
            Some("Biomedical Symposium"),
            Some("Blumberg Green Beauty"),
        ),
        (
            "limit=2",
            "headingRef <= X",
            "Brian K. Vaughan",
            "Blumberg Green Beauty|Brian K. Vaughan",
            Some("Blumberg Green Beauty"),
            Some("Brian K. Vaughan"),
        ),
        ("limit=5", "headingRef < X", "bl", "Asia Pacific|Biomedical Symposium", None, Some("Biomedical Symposium")),
        ("limit=5", "headingRef < X", "a", "", None, None),
        ("limit=0", "headingRef > X or headingRef < X", "disney", "", None, None),
    ]
    .map(|(parameters, query, place, rows, prev, next)| {
        (parameters, query.replace('X', &format!("\"{place}\"")), rows, prev, next)
    }) {
        let expected: Vec<String> = rows.split('|').filter(|row| !row.is_empty()).map(str::to_owned).collect();
        let expected = (expected, prev.map(str::to_owned), next.map(str::to_owned));
        assert_eq!(all.shown(parameters, &query).await, expected, "{query} {parameters}");
    }
    let empty = all.browse("limit=5", "headingRef > \"\" or headingRef < \"\"").await;
    assert_eq!(empty, json!({"totalRecords": 0, "items": []}));
}

#[tokio::test]
async fn a_list_is_narrowed_by_filters() {
    let all = Decided::shelf().await;
    for (filter, total, rows) in [
        ("", 13, "Ĵämes Röllins|North America|*Zappa Frank|*Zappa Frank"),
        (" and headingType==Topical", 1, "*Zappa Frank"),
        (
            " and headingType==(\"Topical\" or \"Personal Name\") and sourceFileId==NULL",
            12,
            "Ĵämes Röllins|North America|*Zappa Frank",
        ),
        (" and authRefType==Reference", 4, "Fantasy|Ĵämes Röllins|*(zappa frank)"),
        (" and authRefType==\"Auth/Ref\"", 0, "*(zappa frank)"),
        (
            &format!(" and sourceFileId=={LCSH} and shared==false and tenantId=={TENANT} and isTitleHeadingRef==false"),
            1,
            "*Zappa Frank",
        ),
        (" and metadata.createdDate < 2001-01-01", 0, "*(zappa frank)"),
    ] {
        let query = format!("(headingRef>=\"zappa frank\" or headingRef<\"zappa frank\"){filter}");
        let list = all.browse("limit=4", &query).await;
        assert_eq!(list["totalRecords"], total, "{filter}");
        let expected: Vec<&str> = rows.split('|').collect();
        assert_eq!(all.shown("limit=4", &query).await.0, expected, "{filter}");
    }
}

#[tokio::test]
async fn rows_have_their_authority_and_places_stay_right_while_records_change() {
    let all = Decided::shelf().await;
    let list = all.browse("limit=1", "headingRef >= disney").await;
    let row = &list["items"][0];
    assert_eq!((&row["headingRef"], row.get("isAnchor")), (&json!("Disney"), None));
    let authority = &row["authority"];
    assert_eq!(
        *authority,
        json!({"id": authority["id"], "tenantId": TENANT, "shared": false, "headingType": "Personal Name",
            "authRefType": "Authorized", "headingRef": "Disney", "sourceFileId": "NULL", "naturalId": "n1", "numberOfTitles": 0})
    );
    let full = all.client.query("/browse/authorities?limit=1&expandAll=true", "headingRef >= disney").await.expect(200);
    assert_eq!(full.round_trips(), 1);
    assert_eq!(full.json()["items"][0]["authority"]["personalName"], "Disney");

    let around = "headingRef >= disney or headingRef < disney";
    let path = format!("{PATH}/{}", id(authority));
    let mut record = all.client.get(&path).await.expect(200).json();
    record["personalName"] = json!("Dinosaurs");
    all.client.put(&path, &record).await.expect(204);
    assert_eq!(all.shown("limit=4", around).await.0, ["Comic-Con", "Dinosaurs", "*(disney)", "Fantasy"]);
    all.client.delete(&path).await.expect(204);
    all.authority(json!({"corporateName": "DISNEY"})).await;
    assert_eq!(all.shown("limit=4", around).await.0, ["Brian K. Vaughan Title", "Comic-Con", "*DISNEY", "Fantasy"]);
}

#[tokio::test]
async fn the_whole_list_is_walked_both_ways() {
    let all = Decided::new().await;
    let mut expected = Vec::new();
    for number in 0..60 {
        let text = format!("Heading {number:03}");
        let of = if number % 3 == 0 { "topicalTerm" } else { "genreTerm" };
        all.authority(json!({of: text})).await;
        if number % 3 == 0 {
            expected.push(text);
        }
    }
    let walk = async |relation: &str, from: &str, on: &str| {
        let (mut rows, mut place) = (Vec::new(), from.to_owned());
        loop {
            let query = format!("headingRef {relation} \"{place}\" and headingType==Topical");
            let list = all.browse("limit=7", &query).await;
            assert_eq!(list["totalRecords"], expected.len());
            let mut some: Vec<String> = list["items"].as_array().expect("a list").iter().map(heading).collect();
            if relation == "<" {
                some.extend(std::mem::take(&mut rows));
                rows = some;
            } else {
                rows.extend(some);
            }
            match list[on].as_str() {
                Some(next) => place = next.to_owned(),
                None => return rows,
            }
        }
    };
    assert_eq!(walk(">", "a", "next").await, expected);
    assert_eq!(walk("<", "z", "prev").await, expected);
}

#[tokio::test]
async fn lists_are_refused_in_mod_searchs_words() {
    let all = Decided::new().await;
    let of_query = |query: &str| json!([{"key": "query", "value": query}]);
    for (parameters, query, message) in [
        ("", "headingRef = x", "Invalid CQL query for browsing."),
        (
            "",
            "keyword > x",
            "Query is not supported yet [operator(s): [>], field(s): [headingTermRef, identifiers.value]]",
        ),
        ("", "headingRef > x and id==1", "Invalid CQL query for browsing."),
        ("", "headingRef > x sortby headingRef", "Invalid CQL query for browsing, 'sortBy' is not supported"),
        ("", "headingRef > x sortby naturalId", "Sort field not found or cannot be used."),
        (
            "",
            "headingRef > x or headingRef < y",
            "Invalid CQL query for browsing. Anchors must be the same in range conditions.",
        ),
        ("", "title > x", "Invalid search field provided in the CQL query"),
        ("", "(", "Failed to parse cql query [cql: '(', resource: authority]"),
        ("limit=501", "headingRef > x", "browseAuthorities.limit must be less than or equal to 500"),
        (
            "limit=5&precedingRecordsCount=5",
            "headingRef > x",
            "Preceding records count must be less than request limit",
        ),
        (
            "precedingRecordsCount=0",
            "headingRef > x",
            "browseAuthorities.precedingRecordsCount must be greater than or equal to 1",
        ),
    ] {
        let refused = all.client.query(&format!("/browse/authorities?{parameters}"), query).await.expect(400);
        assert_eq!(refusal(&refused).0, message, "{query}");
        if message.starts_with("Invalid CQL") {
            assert_eq!(refused.json()["errors"][0]["parameters"], of_query(query));
        }
    }
    all.client.get("/browse/authorities").await.expect(400);
}
