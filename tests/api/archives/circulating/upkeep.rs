//! Changes on either side keep both true, or are refused in words.

use super::*;
use crate::archives::jobs::{DATES, finding_aid, import_job, send};

#[tokio::test]
async fn a_barcode_changes_on_the_archives_side_alone() {
    let room = ReadingRoom::new().await;
    let (one, two) = (room.container("1", "b1").await, room.container("2", "b2").await);
    let first = room.item("b1").await;
    room.change(&one, "barcode", json!("b9")).await.expect(200);
    let item = room.item("b9").await;
    assert_eq!((&item["id"], &item["_version"]), (&first["id"], &json!(2)));
    assert_eq!(room.items("b1").await, Vec::<Value>::new());
    // Two boxes exchange theirs.
    let bulk = format!("{}/top_containers/bulk/barcodes", room.repository);
    let exchanged = json!({(one.as_str()): "b2", (two.as_str()): "b9"});
    room.admin.post(&bulk, &exchanged).await.expect(200);
    assert_eq!(room.item("b2").await["id"], first["id"]);
    room.agrees().await;
    // Staff of the library cannot change it, nor where it belongs, nor delete it.
    let desk = &room.lending.desk;
    let mut item = room.item("b2").await;
    let path = format!("/item-storage/items/{}", id(&item));
    let message = "The item is a container of the archives: its barcode and its holdings change there";
    item["barcode"] = "x".into();
    assert_eq!(desk.put(&path, &item).await.expect(422).error_messages(), [message]);
    item["barcode"] = "b2".into();
    item["holdingsRecordId"] = room.lending.holdings.clone().into();
    assert_eq!(desk.put(&path, &item).await.expect(422).error_messages(), [message]);
    desk.delete(&path).await.expect(400);
    let (holdings, instance) = room.above(&room.item("b2").await).await;
    desk.delete(&format!("/holdings-storage/holdings/{}", id(&holdings))).await.expect(400);
    desk.delete(&format!("/instance-storage/instances/{}", id(&instance))).await.expect(400);
    // What is theirs they change.
    let mut item = room.item("b2").await;
    item["copyNumber"] = "c. 1".into();
    desk.put(&path, &item).await.expect(204);
    room.change(&one, "indicator", json!("1a")).await.expect(200);
    let item = room.item("b2").await;
    assert_eq!((&item["copyNumber"], &item["volume"]), (&json!("c. 1"), &json!("Box 1a")));
    // Without a barcode it is no item.
    room.change(&one, "barcode", Value::Null).await.expect(200);
    assert_eq!(room.items("b2").await, Vec::<Value>::new());
    assert_eq!(room.get(&one).await.get("circulation"), None);
    room.agrees().await;
}

#[tokio::test]
async fn a_barcode_is_of_one_item_of_the_library() {
    let room = ReadingRoom::closed().await;
    room.lending.item("book", json!({})).await;
    let one = room.container("1", "BOOK").await;
    let refused = room.open(json!({})).await.expect(400).json();
    let message = format!("BOOK of {one} is not the barcode of that container alone");
    assert_eq!(refused, json!({"error": {"barcode": [message]}}));
    room.change(&one, "barcode", json!("b1")).await.expect(200);
    room.open(json!({})).await.expect(200);
    let taken = |barcode: &str| json!({"error": {"barcode": [format!("The barcode {barcode} is that of another item of the library")]}});
    assert_eq!(room.change(&one, "barcode", json!("Book")).await.expect(400).json(), taken("Book"));
    assert_eq!(room.get(&one).await["barcode"], "b1");
    let sent = json!({"indicator": "2", "barcode": "book"});
    let containers = format!("{}/top_containers", room.repository);
    assert_eq!(room.admin.post(&containers, &sent).await.expect(400).json(), taken("book"));
    let bulk = json!({(one.as_str()): "book"});
    assert_eq!(room.admin.post(&format!("{containers}/bulk/barcodes"), &bulk).await.expect(400).json(), taken("book"));
    // Containers of another repository may have it, as long as they do not circulate.
    let other = uri(&room.admin.post("/repositories", &json!({"repo_code": "B", "name": "B"})).await.expect(200));
    room.add(&format!("{other}/top_containers"), &json!({"indicator": "1", "barcode": "b1"})).await;
    room.admin.post(&format!("{other}/container_circulation"), &json!({})).await.expect(400);
    let book = json!({"barcode": "b1", "status": {"name": "Available"}, "holdingsRecordId": room.lending.holdings,
        "materialTypeId": room.lending.book, "permanentLoanTypeId": room.lending.loan_type});
    room.lending.desk.post("/item-storage/items", &book).await.expect(422);
    room.agrees().await;
}

#[tokio::test]
async fn a_box_in_use_cannot_go() {
    let room = ReadingRoom::new().await;
    let desk = &room.lending;
    let reader = desk.patron("p-1", json!({})).await;
    let (one, two) = (room.container("1", "b1").await, room.container("2", "b2").await);
    desk.check_out("b1", "p-1", json!({})).await.expect(201);
    room.ask("b2", &reader).await.expect(201);
    let on_loan = json!({"error": "Box 1 [Barcode: b1] is on loan; check it in first"});
    let requested = json!({"error": "Box 2 [Barcode: b2] has open requests; fill or cancel them first"});
    assert_eq!(room.admin.delete(&one).await.expect(409).json(), on_loan);
    assert_eq!(room.admin.delete(&two).await.expect(409).json(), requested);
    assert_eq!(room.change(&one, "barcode", Value::Null).await.expect(409).json(), on_loan);
    let bulk = format!("{}/top_containers/bulk/barcodes", room.repository);
    let none = json!({(two.as_str()): null});
    assert_eq!(room.admin.post(&bulk, &none).await.expect(409).json(), requested);
    let several = format!("/batch_delete?record_uris[]={one}");
    room.admin.send(Method::POST, &several, None).await.expect(409);
    room.admin.delete(&room.path()).await.expect(409);
    let third = room.container("3", "b3").await;
    let merge = |from: &str| {
        let request = json!({"uri": "merge_requests/top_container", "merge_destination": {"ref": third},
            "merge_candidates": [{"ref": from}]});
        let (client, path) =
            (room.admin.clone(), format!("/merge_requests/top_container?repo_id={}", number(&room.repository)));
        async move { client.post(&path, &request).await }
    };
    assert_eq!(merge(&one).await.expect(409).json(), on_loan);
    // A barcode may change while its box is with a reader.
    room.change(&one, "barcode", json!("b7")).await.expect(200);
    desk.check_in("b7", json!({})).await.expect(200);
    merge(&one).await.expect(200);
    assert_eq!(room.items("b7").await, Vec::<Value>::new());
    room.admin.get(&one).await.expect(404);
    room.admin.delete(&third).await.expect(200);
    assert_eq!(room.items("b3").await, Vec::<Value>::new());
    room.agrees().await;
}

/// The id at the end of an address.
fn number(uri: &str) -> &str {
    uri.rsplit('/').next().expect("a part")
}

#[tokio::test]
async fn a_box_follows_its_collection() {
    let room = ReadingRoom::new().await;
    let one = room.container("1", "b1").await;
    let (papers, letters) = (room.collection("MS 1").await, room.collection("MS 2").await);
    let file = room.file(&papers, &one).await;
    let title = || async { room.above(&room.item("b1").await).await.1["title"].clone() };
    assert_eq!(title().await, "Papers MS 1");
    let mut changed = room.get(&papers).await;
    (changed["title"], changed["id_0"], changed["publish"]) =
        ("<emph>Papers</emph> of A".into(), "MS 11".into(), true.into());
    room.admin.post(&papers, &changed).await.expect(200);
    let item = room.item("b1").await;
    let (holdings, instance) = room.above(&item).await;
    assert_eq!((&instance["title"], &instance["discoverySuppress"]), (&json!("Papers of A"), &json!(false)));
    assert_eq!(holdings["callNumber"], "MS 11");
    assert_eq!(item["effectiveCallNumberComponents"], json!({"callNumber": "MS 11"}));
    assert_eq!(item["effectiveShelvingOrder"], "MS 11 Box 1");
    // With its component it moves to another collection, unless a reader waits for it.
    let reader = room.lending.patron("p-1", json!({})).await;
    let request = id(&room.ask("b1", &reader).await.expect(201).json());
    let transfer = format!("{}/component_transfers", room.repository);
    let moved = |to: &str| {
        let (client, path) = (room.admin.clone(), format!("{transfer}?target_resource={to}&component={file}"));
        async move { client.send(Method::POST, &path, None).await }
    };
    moved(&letters).await.expect(200);
    assert_eq!(title().await, "Papers of A");
    room.lending.desk.delete(&format!("/circulation/requests/{request}")).await.expect(204);
    room.change(&one, "indicator", json!("1")).await.expect(200);
    assert_eq!(title().await, "Papers MS 2");
    // A collection that is deleted leaves nothing behind, its boxes are still there.
    room.admin.delete(&papers).await.expect(200);
    room.admin.delete(&letters).await.expect(200);
    assert_eq!(title().await, "Containers of Manuscripts");
    let titles = room.lending.desk.query("/instance-storage/instances", "source==ARCHIVES").await.expect(200).json();
    assert_eq!(titles["totalRecords"], 1);
    room.agrees().await;
}

#[tokio::test]
async fn a_box_goes_with_its_collection_to_another_repository() {
    let room = ReadingRoom::new().await;
    let other = uri(&room.admin.post("/repositories", &json!({"repo_code": "B", "name": "B"})).await.expect(200));
    let moved = |papers: &str, to: &str| {
        let (client, path) = (room.admin.clone(), format!("{papers}/transfer?target_repo={to}"));
        async move { client.send(Method::POST, &path, None).await }
    };
    let papers = room.collection("MS 1").await;
    let one = room.container("1", "b1").await;
    room.file(&papers, &one).await;
    room.lending.patron("p-1", json!({})).await;
    room.lending.check_out("b1", "p-1", json!({})).await.expect(201);
    // There it would be no item.
    let refused = moved(&papers, &other).await.expect(409).json();
    assert_eq!(refused, json!({"error": "Box 1 [Barcode: b1] is on loan; check it in first"}));
    assert_eq!(room.get(&one).await["circulation"]["status"], "Checked out");
    room.admin.post(&format!("{other}/container_circulation"), &json!({})).await.expect(200);
    let before = room.item("b1").await;
    moved(&papers, &other).await.expect(200);
    let there = |uri: &str| uri.replace(&room.repository, &other);
    let item = room.item("b1").await;
    assert_eq!((&item["id"], &item["electronicAccess"][0]["uri"]), (&before["id"], &json!(there(&one))));
    let (_, instance) = room.above(&item).await;
    assert_eq!(instance["electronicAccess"][0]["uri"], json!(there(&papers)));
    assert_eq!(room.get(&there(&one)).await["circulation"]["status"], "Checked out");
    room.agrees().await;
    room.lending.check_in("b1", json!({})).await.expect(200);
    room.admin.delete(&format!("{other}/container_circulation")).await.expect(200);
    assert_eq!(room.items("b1").await, Vec::<Value>::new());
    room.agrees().await;
}

#[tokio::test]
async fn imported_boxes_are_items() {
    let room = ReadingRoom::new().await;
    let (repository, mut papers) = (&room.repository, resource("MS 1"));
    let address = |kind: &str, number: u32| format!("{repository}/{kind}/import_{number:032x}");
    papers["jsonmodel_type"] = "resource".into();
    papers["uri"] = address("resources", 0).into();
    let mut sent = vec![papers];
    for number in 1..=3 {
        let container = address("top_containers", number);
        sent.push(json!({"jsonmodel_type": "top_container", "uri": container, "indicator": number.to_string(),
            "type": "box", "barcode": format!("b{number}")}));
        let mut file = component("Letters", &address("resources", 0), None);
        file["jsonmodel_type"] = "archival_object".into();
        file["uri"] = address("archival_objects", 10 + number).into();
        file["instances"] = json!([{"instance_type": "mixed_materials",
            "sub_container": {"top_container": {"ref": container}}}]);
        sent.push(file);
    }
    room.lending.item("b3", json!({})).await;
    let path = format!("{repository}/batch_imports");
    let refused = room.admin.post(&path, &json!(sent)).await.text;
    assert!(refused.contains("The barcode b3 is that of another item of the library"), "{refused}");
    assert_eq!(room.items("b1").await, Vec::<Value>::new());
    sent[5]["barcode"] = "b4".into();
    room.admin.post(&path, &json!(sent)).await.expect(200);
    for barcode in ["b1", "b2", "b4"] {
        assert_eq!(room.above(&room.item(barcode).await).await.1["title"], "Papers MS 1");
    }
    room.agrees().await;
}

#[tokio::test]
async fn who_lends_and_who_deletes_at_the_same_time_agree() {
    let room = ReadingRoom::new().await;
    room.lending.patron("p-1", json!({})).await;
    let mut lent = 0;
    for number in 0..12 {
        let barcode = format!("b{number}");
        let one = room.container("1", &barcode).await;
        let (borrowed, deleted) =
            futures_util::future::join(room.lending.check_out(&barcode, "p-1", json!({})), room.admin.delete(&one))
                .await;
        match (borrowed.status, deleted.status) {
            (201, 409) => lent += 1,
            (422, 200) => assert_eq!(room.items(&barcode).await, Vec::<Value>::new()),
            other => panic!("{other:?}: {} {}", borrowed.text, deleted.text),
        }
    }
    let open = room.lending.desk.query("/loan-storage/loans?limit=0", "status.name==Open").await.json();
    assert_eq!(open["totalRecords"], lent);
    room.agrees().await;
}

#[tokio::test]
async fn the_doctor_sees_what_does_not_agree_and_brings_it_in_step() {
    let room = ReadingRoom::new().await;
    let one = room.container("1", "b1").await;
    let session = room.lending.session();
    let broken = r#"UPDATE item SET doc = doc || '{"barcode": "x"}'"#;
    session
        .batch(&format!("SET session_replication_role = replica; {broken}; RESET session_replication_role"))
        .await
        .expect("a write");
    let found = disagreements(&room.lending.library).await;
    let text = format!(
        "1 rows of archival_box have another barcode or other holdings than their container of the archives, such as {one}"
    );
    assert!(found.len() == 1 && found[0].contains(&text), "{found:?}");
    let app = &room.lending.library.app;
    let collections: Vec<_> = app.collections.iter().map(|one| (**one).clone()).collect();
    store::doctor::repair::plain_columns(&app.database, &collections, room.lending.library.tenant)
        .await
        .expect("a repair");
    room.agrees().await;
    assert_eq!(room.item("b1").await["volume"], "Box 1");
}

#[tokio::test]
async fn a_collection_keeps_its_title_and_holdings_on_the_librarys_side() {
    let room = ReadingRoom::new().await;
    let one = room.container("1", "b1").await;
    let papers = room.collection("1").await;
    room.file(&papers, &one).await;
    let (holdings, title) = room.above(&room.item("b1").await).await;
    let desk = &room.lending.desk;
    let path = format!("/holdings-storage/holdings/{}", holdings["id"].as_str().expect("an id"));
    let refused = |answer: &Answer| answer.json()["errors"][0]["message"].as_str().unwrap_or_default().to_owned();
    let wrong = "The holdings are of a collection of the archives: their title, location and call number change there";
    let book =
        desk.get(&format!("/holdings-storage/holdings/{}", room.lending.holdings)).await.json()["instanceId"].clone();
    for (member, value) in [("callNumber", json!("ZZZ")), ("instanceId", book.clone())] {
        let mut changed = holdings.clone();
        changed[member] = value;
        assert_eq!(refused(&desk.put(&path, &changed).await.expect(422)), wrong, "{member}");
    }
    let moved = json!({"toInstanceId": book, "holdingsRecordIds": [holdings["id"]]});
    desk.post("/inventory/holdings/move", &moved).await.expect(422);
    let mut changed = title.clone();
    changed["title"] = json!("A book");
    let path_of_title = format!("/instance-storage/instances/{}", title["id"].as_str().expect("an id"));
    let answer = desk.put(&path_of_title, &changed).await.expect(422);
    assert_eq!(refused(&answer), "The instance is a collection of the archives: its title changes there");
    // The rest is staff's.
    let mut changed = holdings.clone();
    changed["administrativeNotes"] = json!(["On the left"]);
    desk.put(&path, &changed).await.expect(204);
    let mut changed = title.clone();
    changed["administrativeNotes"] = json!(["Often asked for"]);
    desk.put(&path_of_title, &changed).await.expect(204);
    room.change(&papers, "title", json!("Letters")).await.expect(200);
    let (_, title) = room.above(&room.item("b1").await).await;
    assert_eq!((&title["title"], &title["administrativeNotes"]), (&json!("Letters"), &json!(["Often asked for"])));
    room.agrees().await;
}

#[tokio::test]
async fn an_import_with_the_barcode_of_an_item_fails_at_once() {
    let room = ReadingRoom::new().await;
    room.lending.item("BOOK-1", json!({})).await;
    let sent = send(&room.admin, &import_job(&["a.xml"]), &[&finding_aid("BOOK", DATES)]).await.expect(200);
    room.lending.library.run_jobs().await;
    let job = uri(&sent);
    assert_eq!(room.get(&job).await["status"], "failed");
    let log = room.admin.get(&format!("{job}/log")).await.expect(200).text;
    assert!(log.contains("The barcode BOOK-1 is that of another item of the library"), "{log}");
    assert!(!log.contains("tried again"), "{log}");
}
