//! Calendars and their openings (docs/folio/calendars.md).

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::library;

const POINT: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";

fn spring() -> Value {
    json!({"name": "Spring", "startDate": "2022-01-01", "endDate": "2022-05-31", "assignments": [POINT],
        "normalHours": [{"startDay": "MONDAY", "startTime": "08:00", "endDay": "MONDAY", "endTime": "20:00:00"},
            {"startDay": "TUESDAY", "startTime": "00:00", "endDay": "TUESDAY", "endTime": "23:59"}],
        "exceptions": [{"name": "Closed", "startDate": "2022-03-07", "endDate": "2022-03-07", "openings": []}]})
}

#[tokio::test]
async fn calendars_are_stored_and_found() {
    let library = library().await;
    let client = &library.open;
    let mut sent = spring();
    sent["id"] = POINT.into();
    sent["normalHours"][0]["startDay"] = "Monday".into();
    let answer = client.malformed().post("/calendar/calendars", &sent).await.expect(201);
    let calendar = answer.json();
    assert_eq!(calendar["normalHours"][0]["startDay"], "MONDAY", "days are read in any case");
    assert_ne!(calendar["id"], POINT);
    assert_eq!(calendar["normalHours"][0]["startTime"], "08:00:00");
    let path = format!("/calendar/calendars/{}", calendar["id"].as_str().unwrap());
    assert_eq!(client.get(&path).await.expect(200).json(), calendar);
    for (query, expected) in [
        ("", 1),
        (&format!("?servicePointId={POINT}"), 1),
        ("?servicePointId=11111111-2222-4333-8444-555555555555", 0),
        ("?startDate=2022-06-01", 0),
        ("?startDate=2022-05-31&endDate=2022-07-01", 1),
        ("?limit=0", 1),
    ] {
        let list = client.get(&format!("/calendar/calendars{query}")).await.expect(200);
        assert_eq!((&list.json()["totalRecords"], list.round_trips()), (&json!(expected), 1), "{query}");
    }
    let mut changed = calendar.clone();
    changed["name"] = "Summer".into();
    library.clock.advance(jiff::SignedDuration::from_mins(1));
    let answer = client.put(&path, &changed).await.expect(200).json();
    assert_eq!(answer["name"], "Summer");
    assert_eq!(answer["metadata"]["createdDate"], calendar["metadata"]["createdDate"]);
    assert_ne!(answer["metadata"]["updatedDate"], calendar["metadata"]["updatedDate"]);
    assert_eq!(client.get(&path).await.expect(200).json()["metadata"], answer["metadata"]);
    let unknown = "11111111-2222-4333-8444-555555555555";
    let several = format!("/calendar/calendars?id={}&id={unknown}", calendar["id"].as_str().unwrap());
    let missing = client.delete(&several).await.expect(404).json();
    assert_eq!(missing["errors"][0]["code"], "calendarNotFound");
    assert_eq!(missing["errors"][0]["data"], json!({"notFound": [unknown]}));
    assert_eq!(missing["status"], 404);
    client.delete(&path).await.expect(204);
    client.get(&path).await.expect(404);
    client.delete(&path).await.expect(404);
    // A calendar that does not exist is not validated.
    let mut nameless = spring();
    nameless["name"] = " ".into();
    client.put(&path, &nameless).await.expect(404);
}

#[tokio::test]
async fn all_faults_are_reported_together() {
    let library = library().await;
    let client = &library.open;
    client.create("/calendar/calendars", &spring()).await;
    let mut sent = spring();
    sent["name"] = " ".into();
    sent["startDate"] = "2022-05-31".into();
    sent["exceptions"] = json!([{"name": " ", "startDate": "2022-05-31", "endDate": "2022-05-31", "openings": []}]);
    let refused = client.post("/calendar/calendars", &sent).await.expect(409).json();
    let codes: Vec<_> = refused["errors"].as_array().unwrap().iter().map(|e| e["code"].clone()).collect();
    let expected = ["calendarNoName", "calendarDateOverlap", "calendarInvalidExceptionName"];
    assert_eq!(codes, expected);
    // An error that concerns no particular exception has no data.
    assert_eq!(refused["errors"][2].get("data"), None);
    assert_eq!(refused["errors"][1]["data"], json!({"conflictingServicePointIds": [POINT]}));
    assert_eq!(
        refused["errors"][1]["message"],
        "This calendar overlaps with another calendar (“Spring” from Jan 1, 2022 to May 31, 2022)"
    );
    for wrong in [json!({"name": "x"}), json!([]), json!({"startDate": 7})] {
        let refused = client.post("/calendar/calendars", &wrong).await.expect(400).json();
        assert_eq!(refused["errors"][0]["code"], "invalidParameter", "{wrong}");
    }
    let mut backward = spring();
    backward["endDate"] = "2021-01-01".into();
    backward["exceptions"] = json!([]);
    let refused = client.post("/calendar/calendars", &backward).await.expect(400).json();
    assert_eq!(refused["errors"][0]["code"], "calendarInvalidDateRange");
}

#[tokio::test]
async fn only_one_of_simultaneous_overlapping_calendars_is_stored() {
    let library = library().await;
    let client = &library.open;
    let sent = spring();
    let answers = join_all((0..8).map(|_| client.post("/calendar/calendars", &sent))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
    let late = answers.iter().find(|answer| answer.status == 409).unwrap();
    assert_eq!(late.json()["errors"][0]["code"], "calendarDateOverlap");
    // Two calendars that are moved into each other's way.
    let mut autumn = spring();
    for (member, value) in [
        ("name", json!("Autumn")),
        ("startDate", json!("2022-09-01")),
        ("endDate", json!("2022-10-31")),
        ("exceptions", json!([])),
    ] {
        autumn[member] = value;
    }
    let mut winter = autumn.clone();
    winter["startDate"] = "2022-11-01".into();
    winter["endDate"] = "2022-12-31".into();
    let (autumn, winter) =
        (client.create("/calendar/calendars", &autumn).await, client.create("/calendar/calendars", &winter).await);
    let moved = [(autumn, "startDate", "2022-10-01"), (winter, "startDate", "2022-10-15")];
    let moves = moved.into_iter().map(|(mut calendar, member, day)| async move {
        calendar[member] = day.into();
        calendar["endDate"] = "2022-12-15".into();
        let path = format!("/calendar/calendars/{}", calendar["id"].as_str().unwrap());
        client.put(&path, &calendar).await.status
    });
    let statuses = join_all(moves).await;
    assert!(!statuses.contains(&500), "{statuses:?}");
    assert!(statuses.contains(&409), "{statuses:?}");
}

#[tokio::test]
async fn openings_surround_a_date() {
    let library = library().await;
    let client = &library.open;
    let path = format!("/calendar/dates/{POINT}/surrounding-openings");
    let closed =
        |date: &str| json!({"date": date, "allDay": true, "open": false, "exceptional": false, "openings": []});
    let nothing = client.get(&format!("{path}?date=2022-03-07")).await.expect(200);
    assert_eq!(nothing.json(), json!({"openings": [closed("2022-03-06"), closed("2022-03-07"), closed("2022-03-08")]}));
    client.create("/calendar/calendars", &spring()).await;
    let found = client.get(&format!("{path}?date=2022-03-07")).await.expect(200);
    assert_eq!(found.round_trips(), 1);
    assert_eq!(
        found.json(),
        json!({"openings": [
            {"date": "2022-03-01", "allDay": true, "open": true, "exceptional": false,
                "openings": [{"startTime": "00:00:00", "endTime": "23:59:00"}]},
            {"date": "2022-03-07", "allDay": true, "open": false, "exceptional": true, "openings": [],
                "exceptionName": "Closed"},
            {"date": "2022-03-08", "allDay": true, "open": true, "exceptional": false,
                "openings": [{"startTime": "00:00:00", "endTime": "23:59:00"}]}]})
    );
    client.get(&path).await.expect(400);
    client.get(&format!("{path}?date=soon")).await.expect(400);
    client.get("/calendar/dates/desk/surrounding-openings?date=2022-03-07").await.expect(400);
}

#[tokio::test]
async fn openings_of_a_range_come_in_pages() {
    let library = library().await;
    let client = &library.open;
    client.create("/calendar/calendars", &spring()).await;
    let path = format!("/calendar/dates/{POINT}/all-openings");
    for (query, shown, total) in [
        ("startDate=2022-03-01&endDate=2022-03-08", 3, 3),
        ("startDate=2022-03-01&endDate=2022-03-08&includeClosed=true", 8, 8),
        ("startDate=2022-01-01&endDate=2022-05-31", 10, 44),
        ("startDate=2022-01-01&endDate=2022-05-31&limit=2147483647", 44, 44),
        ("startDate=2022-01-01&endDate=2022-05-31&offset=40", 4, 44),
        ("startDate=2022-03-08&endDate=2022-03-01&includeClosed=true", 0, 0),
        ("startDate=0001-01-01&endDate=9999-12-31", 10, 44),
    ] {
        let found = client.get(&format!("{path}?{query}")).await.expect(200).json();
        let days = found["dates"].as_array().unwrap().len();
        assert_eq!((days, &found["totalRecords"]), (shown, &json!(total)), "{query}");
    }
}
