//! Lists of authorities, whole or as ids.

use super::*;

async fn made(all: &Decided) -> Vec<String> {
    let mut ids = Vec::new();
    for (number, member) in ["topicalTerm", "topicalTerm", "genreTerm"].into_iter().enumerate() {
        let file = if number == 0 { json!({"sourceFileId": LCSH}) } else { json!({}) };
        let mut record = json!({member: format!("Term {number}"), "naturalId": format!("t{number}")});
        if number == 1 {
            record["subjectHeadings"] = json!("c");
        }
        record.as_object_mut().expect("an object").extend(file.as_object().cloned().unwrap_or_default());
        ids.push(id(&all.authority(record).await));
    }
    ids
}

#[tokio::test]
async fn lists_are_paged_and_queried_by_the_columns_of_the_module() {
    let all = Decided::new().await;
    let ids = made(&all).await;
    let list = all.client.get(&format!("{PATH}?limit=2&offset=1")).await.expect(200);
    assert_eq!(list.round_trips(), 1);
    let list = list.json();
    assert_eq!((&list["totalRecords"], list["authorities"].as_array().map(Vec::len)), (&json!(3), Some(2)));
    for (query, expected) in [
        ("headingType==topicalTerm", &[0, 1][..]),
        ("headingType=genreTerm", &[2]),
        ("heading==\"term 1\"", &[1]),
        ("naturalId==(t0 or t2)", &[0, 2]),
        ("authoritySourceFile.name==\"LC Subject Headings (LCSH)\"", &[0]),
        (&format!("sourceFileId=={LCSH}"), &[0]),
        ("headingType==topicalTerm sortby heading/sort.descending", &[1, 0]),
        ("createdDate>2000-01-01", &[0, 1, 2]),
        ("updatedDate<2000-01-01", &[]),
        ("source==MARC", &[0, 1, 2]),
        ("subjectHeadingCode==c", &[1]),
        ("version==0 sortby naturalId/sort.descending", &[2, 1, 0]),
        (&format!("authoritySourceFile=={LCSH}"), &[0]),
        ("authoritySourceFile=\"\"", &[0]),
        ("cql.allRecords=1 NOT authoritySourceFile=\"\"", &[1, 2]),
        ("subjectHeadingCode=c NOT authoritySourceFile.id=\"\"", &[1]),
        ("subjectHeadingCode=c NOT authoritySourceFile.name=\"\"", &[1]),
        ("cql.allRecords=1 sortby subjectHeadingCode naturalId", &[1, 0, 2]),
    ] {
        let found = all.client.query(PATH, query).await.expect(200).json();
        let found: Vec<String> = found["authorities"].as_array().expect("a list").iter().map(id).collect();
        let expected: Vec<String> = expected.iter().map(|place| ids[*place].clone()).collect();
        assert_eq!(found, expected, "{query}");
    }
    let by_id = format!("authoritySourceFile.id=={LCSH}");
    assert_eq!(all.client.query(PATH, &by_id).await.expect(200).json()["totalRecords"], 1);
    for path in ["?limit=-1", "?limit=2001", "?limit=x", "?offset=-1", "?idOnly=x"] {
        let refused = all.client.get(&format!("{PATH}{path}")).await.expect(400);
        assert_eq!(refusal(&refused).1, "validation", "{path}");
    }
    let unreadable = all.client.query(PATH, "(").await.expect(400);
    assert_eq!(refusal(&unreadable).1, "validation");
}

#[tokio::test]
async fn ids_are_listed_alone_also_as_a_text() {
    let all = Decided::new().await;
    let ids = made(&all).await;
    let list = all.client.get(&format!("{PATH}?idOnly=true")).await.expect(200);
    assert_eq!(list.round_trips(), 1);
    let expected: Vec<Value> = ids.iter().map(|id| json!({"id": id})).collect();
    assert_eq!(list.json(), json!({"authorities": expected, "totalRecords": 3}));
    let plain = all.client.with_header("accept", "text/plain");
    let text = plain.get(&format!("{PATH}?idOnly=true&limit=2")).await.expect(200);
    assert_eq!((text.text.as_str(), text.header("content-type")), (&*ids[..2].join("\n"), Some("text/plain")));
    let refused = plain.get(PATH).await.expect(400);
    assert!(refused.text.starts_with("message: It is not allowed to retrieve authorities in text/plain format"));
    let both = all.client.with_header("accept", "application/json, text/plain, */*");
    assert_eq!(both.get(PATH).await.expect(200).json()["totalRecords"], 3);
}

#[tokio::test]
async fn jobs_index_authorities_again() {
    let all = Decided::new().await;
    made(&all).await;
    assert_eq!(all.headings("cql.allRecords=1").await.len(), 3);
    let jobs = "/authority-storage/reindex";
    let job = all.client.send(http::Method::POST, jobs, None).await.expect(201).json();
    assert_eq!((&job["resourceName"], &job["jobStatus"]), (&json!("Authority"), &json!("Ids published")));
    let path = format!("{jobs}/{}", id(&job));
    assert_eq!(all.client.get(&path).await.expect(200).json(), job);
    assert_eq!(all.client.get(jobs).await.expect(200).json()["reindexJobs"], json!([job]));
    assert_eq!(refusal(&all.client.delete(&path).await.expect(400)).0, "The job has been finished");
    for answer in
        [all.client.get(&format!("{jobs}/{NOBODY}")).await, all.client.delete(&format!("{jobs}/{NOBODY}")).await]
    {
        assert_eq!(refusal(&answer.expect(404)).0, format!("Reindex job with ID [{NOBODY}] was not found"));
    }
    // It is searched meanwhile.
    assert_eq!(all.headings("cql.allRecords=1").await.len(), 3);
    let again = json!({"resourceName": "authority", "recreateIndex": true});
    let job = all.client.post("/search/index/inventory/reindex", &again).await.expect(200).json();
    assert!(job["id"].is_string() && job["submittedDate"].is_string());
    assert_eq!(all.headings("cql.allRecords=1").await.len(), 3);
}

#[tokio::test]
async fn authorities_are_found_by_who_made_or_changed_them() {
    let all = Decided::new().await;
    let user = "11111111-1111-4111-8111-111111111111";
    let headers = [("x-okapi-tenant", TENANT), ("x-okapi-user-id", user)];
    let client = Client::new(all.library.open.base(), &headers);
    let made = client.create(PATH, &json!({"source": "MARC", "naturalId": "n1", "topicalTerm": "Maps"})).await;
    assert_eq!(made["metadata"]["createdByUserId"], user);
    for (query, found) in [
        (format!("createdByUserId=={user} and updatedByUserId=={user}"), 1),
        (format!("createdByUserId=={NOBODY}"), 0),
        (format!("cql.allRecords=1 not updatedByUserId=={user}"), 0),
    ] {
        assert_eq!(client.query(PATH, &query).await.expect(200).json()["totalRecords"], found, "{query}");
    }
}

#[tokio::test]
async fn fields_that_do_not_exist_are_refused() {
    let all = Decided::new().await;
    let deleted = format!("{PATH}?deleted=true");
    let ids = format!("{PATH}?idOnly=true");
    let types = "/authority-note-types";
    for (path, query, attribute, entity) in [
        (PATH, "(cql.allRecords=1 and headingTypeTest=personalName)", "headingTypeTest", "Authority"),
        (PATH, "cql.allRecords=1 NOT headingTypeTest=personalName", "headingTypeTest", "Authority"),
        (PATH, "headingTypeTest=*", "headingTypeTest", "Authority"),
        (PATH, "cql.allRecords=1 sortby foo", "foo", "Authority"),
        (PATH, "foo.bar==1", "foo", "Authority"),
        (PATH, "authoritySourceFile.bar==1", "bar", "AuthoritySourceFile"),
        (&ids, "foo==1", "foo", "Authority"),
        (&deleted, "foo==1", "foo", "AuthorityArchive"),
        (FILES, "foo==1", "foo", "AuthoritySourceFile"),
        (types, "foo==1", "foo", "AuthorityNoteType"),
        ("/authority-storage/reindex", "foo==1", "foo", "ReindexJob"),
    ] {
        let refused = all.client.query(path, query).await.expect(400);
        let message =
            format!("Could not resolve attribute '{attribute}' of 'org.folio.entlinks.domain.entity.{entity}'");
        assert_eq!(refusal(&refused), (message, "validation".to_owned()), "{path} {query}");
        assert_eq!(refused.json()["errors"][0]["type"], "InvalidDataAccessApiUsageException");
    }
}
