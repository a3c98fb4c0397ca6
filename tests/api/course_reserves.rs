//! Course reserves (docs/folio/course-reserves.md).

use serde_json::{Value, json};
use testkit::{Answer, Client};
use uuid::Uuid;

use crate::circulation::lending_library::{LendingLibrary, id};

const LISTINGS: &str = "/coursereserves/courselistings";
const RESERVES: &str = "/coursereserves/reserves";

/// A library with a term, a department, a listing at a location of its own, and a course.
struct School {
    library: LendingLibrary,
    client: Client,
    term: String,
    department: String,
    reading_room: String,
    listing: String,
    course: String,
}

async fn create(client: &Client, path: &str, record: Value) -> String {
    id(&client.create(path, &record).await)
}

impl School {
    async fn new() -> Self {
        let library = LendingLibrary::new().await;
        let client = library.desk.clone();
        let term = json!({"name": "Spring 2027", "startDate": "2027-01-01", "endDate": "2027-06-30T00:00:00Z"});
        let term = create(&client, "/coursereserves/terms", term).await;
        let department = json!({"name": "History", "description": "Of the world"});
        let department = create(&client, "/coursereserves/departments", department).await;
        let kind = create(&client, "/coursereserves/coursetypes", json!({"name": "In person"})).await;
        let mut room = library.stored("/locations", &library.location).await;
        for (name, value) in [("name", "Reading room"), ("code", "rr")] {
            room[name] = value.into();
        }
        room.as_object_mut().expect("a record").remove("id");
        let reading_room = create(&client, "/locations", room).await;
        let listing = json!({"termId": term, "courseTypeId": kind, "locationId": reading_room, "externalId": "ext-1",
            "servicepointId": library.service_point, "registrarId": "reg-1"});
        let listing = create(&client, LISTINGS, listing).await;
        let course = json!({"name": "The nineteenth century", "departmentId": department, "courseListingId": listing,
            "courseNumber": "H 101", "sectionName": "A", "numberOfStudents": 20});
        let course = create(&client, &format!("{LISTINGS}/{listing}/courses"), course).await;
        Self { library, client, term, department, reading_room, listing, course }
    }

    fn below(&self, path: &str) -> String {
        format!("{LISTINGS}/{}/{path}", self.listing)
    }

    async fn reserve(&self, more: Value) -> Answer {
        let mut reserve = json!({"courseListingId": self.listing});
        for (name, value) in more.as_object().expect("members") {
            reserve[name] = value.clone();
        }
        self.client.post(&self.below("reserves"), &reserve).await
    }

    async fn item(&self, id: &str) -> Value {
        self.library.stored("/item-storage/items", id).await
    }
}

#[tokio::test]
async fn small_records_are_kept_as_sent() {
    let school = School::new().await;
    let term = school.client.get(&format!("/coursereserves/terms/{}", school.term)).await.expect(200).json();
    assert_eq!((&term["startDate"], &term["endDate"]), (&json!("2027-01-01"), &json!("2027-06-30T00:00:00Z")));
    for (path, list) in [
        ("departments", "departments"),
        ("coursetypes", "courseTypes"),
        ("roles", "roles"),
        ("processingstatuses", "processingStatuses"),
        ("copyrightstatuses", "copyrightStatuses"),
    ] {
        let path = format!("/coursereserves/{path}");
        let posted = school.client.post(&path, &json!({"name": "Zeta", "description": "last"})).await.expect(201);
        let made = posted.json();
        let one = format!("{path}/{}", id(&made));
        assert_eq!(posted.header("location"), Some(one.as_str()));
        let changed = json!({"name": "Zeta", "description": "changed"});
        school.client.put(&one, &changed).await.expect(204);
        let found = school.client.query(&path, "name==Zeta").await.expect(200).json();
        assert_eq!((&found[list][0]["description"], &found["totalRecords"]), (&json!("changed"), &json!(1)), "{list}");
        school.client.post(&path, &json!({"description": "no name"})).await.expect(422);
        school.client.delete(&one).await.expect(204);
        assert_eq!(school.client.get(&one).await.expect(404).text, "Not found");
    }
}

#[tokio::test]
async fn a_listing_shows_what_it_names() {
    let school = School::new().await;
    let instructors = school.below("instructors");
    let sent = json!({"name": "Ada Miller", "barcode": "own", "courseListingId": school.listing});
    let first = school.client.post(&instructors, &sent).await.expect(201);
    let made = first.json();
    assert_eq!(first.round_trips(), 1);
    assert_eq!(first.header("location"), Some(format!("{instructors}/{}", id(&made)).as_str()));
    assert_eq!((&made["name"], &made["barcode"]), (&json!("Ada Miller"), &json!("own")));
    let path = format!("{LISTINGS}/{}", school.listing);
    let listing = school.client.get(&path).await.expect(200);
    assert_eq!(listing.round_trips(), 1);
    let listing = listing.json();
    assert_eq!(listing["termObject"]["name"], "Spring 2027");
    assert_eq!(listing["courseTypeObject"]["name"], "In person");
    assert_eq!(listing["locationObject"]["name"], "Reading room");
    assert_eq!(listing["locationObject"]["servicePointIds"], json!([school.library.service_point]));
    assert_eq!(
        (&listing["servicepointObject"]["name"], &listing["servicepointObject"]["staffSlips"]),
        (&json!("Desk"), &json!([]))
    );
    assert_eq!(listing["instructorObjects"][0]["name"], "Ada Miller");
    let plain = school.client.get(LISTINGS).await.expect(200).json();
    let plain = &plain["courseListings"][0];
    assert_eq!((plain.get("termObject"), plain["instructorObjects"].as_array().map(Vec::len)), (None, Some(1)));

    // What is derived is not taken from a request.
    let mut sent = listing.clone();
    sent["termObject"] = json!({"name": "Never"});
    sent["instructorObjects"] = json!([]);
    sent["registrarId"] = "reg-2".into();
    school.client.put(&path, &sent).await.expect(204);
    let after = school.client.get(&path).await.json();
    assert_eq!((&after["termObject"], &after["registrarId"]), (&listing["termObject"], &json!("reg-2")));
    assert_eq!(after["instructorObjects"], listing["instructorObjects"]);
    for cql in [
        "term.name==\"Spring 2027\"",
        "courseType.name==\"In person\"",
        "instructorObjects=\"mil*\"",
        "instructor.name=\"Miller\" and instructor.name=\"mil*\"",
        "externalId==ext-1",
    ] {
        assert_eq!(school.client.query(LISTINGS, cql).await.json()["totalRecords"], 1, "{cql}");
    }
    let nowhere = Uuid::nil();
    let gone = school.client.get(&format!("{LISTINGS}/{nowhere}")).await.expect(404);
    assert_eq!(gone.text, format!("No courselisting exists with id '{nowhere}\""));
}

#[tokio::test]
async fn an_instructor_who_is_a_user_has_their_group_and_barcode() {
    let school = School::new().await;
    let user = school.library.patron("p-1", json!({})).await;
    let instructors = school.below("instructors");
    let sent = json!({"name": "Named otherwise", "barcode": "x", "userId": user, "courseListingId": school.listing});
    let made = school.client.create(&instructors, &sent).await;
    assert_eq!((&made["name"], &made["barcode"]), (&json!("Named otherwise"), &json!("p-1")));
    let group = &school.library.group;
    assert_eq!(
        (&made["patronGroup"], &made["patronGroupObject"]),
        (&json!(group), &json!({"id": group, "group": "staff"}))
    );
    let unknown = json!({"name": "Nobody", "userId": Uuid::nil(), "courseListingId": school.listing});
    let unknown = school.client.create(&instructors, &unknown).await;
    assert_eq!(unknown.get("patronGroupObject"), None);

    let path = format!("{instructors}/{}", id(&made));
    let changed = json!({"name": "Renamed", "userId": user, "courseListingId": school.listing});
    school.client.put(&path, &changed).await.expect(204);
    assert_eq!(school.client.get(&path).await.expect(200).json()["name"], "Renamed");
    let found = school.client.query(&instructors, "name==Renamed or name==x").await.json();
    assert_eq!(found["totalRecords"], 1);
    for _ in 0..2 {
        school.client.delete(&path).await.expect(204);
    }
    assert_eq!(school.client.get(&instructors).await.json()["totalRecords"], 1);
}

#[tokio::test]
async fn a_course_shows_its_department_and_listing() {
    let school = School::new().await;
    let name = json!({"name": "Ada Miller", "courseListingId": school.listing});
    school.client.create(&school.below("instructors"), &name).await;
    let courses = "/coursereserves/courses";
    let path = format!("{courses}/{}", school.course);
    let course = school.client.get(&path).await.expect(200).json();
    assert_eq!(course["departmentObject"]["name"], "History");
    assert_eq!(course["courseListingObject"]["termObject"]["name"], "Spring 2027");
    assert_eq!(course["courseListingObject"]["instructorObjects"][0]["name"], "Ada Miller");
    let list = school.client.get(courses).await.expect(200);
    assert_eq!((&list.json()["courses"][0], list.round_trips()), (&course, 1));
    let below = school.client.get(&school.below("courses")).await.expect(200).json();
    assert_eq!((&below["totalRecords"], below["courses"][0].get("courseListingObject")), (&json!(1), None));
    let one = format!("{}/{}", school.below("courses"), school.course);
    assert_eq!(school.client.get(&one).await.expect(200).json().get("departmentObject"), None);

    // The searches of the page of courses.
    let typed = |text: &str| {
        let fields = [
            "name",
            "courseNumber",
            "sectionName",
            "courseListing.instructorObjects",
            "courseListing.registrarId",
            "courseListing.externalId",
        ];
        let any: Vec<_> = fields.iter().map(|field| format!("{field}=\"{text}*\"")).collect();
        format!("({})", any.join(" or "))
    };
    let filters = format!(
        "departmentId==\"{}\" and courseListing.termId==\"{}\" and courseListing.locationId==\"{}\"",
        school.department, school.term, school.reading_room
    );
    for (cql, number) in [
        (typed("ninet"), 1),
        (typed("mill"), 1),
        (typed("reg"), 1),
        (typed("nobody"), 0),
        (format!("({} and {filters}) sortby name", typed("ada")), 1),
        ("department.name==History sortby courseListing.term.startDate".to_owned(), 1),
        (format!("courseListingId==\"{}\"", school.listing), 1),
    ] {
        let found = school.client.query(courses, &cql).await.expect(200);
        assert_eq!((&found.json()["totalRecords"], found.round_trips()), (&json!(number), 1), "{cql}");
    }

    let other = json!({"name": "x", "departmentId": school.department, "courseListingId": Uuid::nil()});
    let refused = school.client.post(&school.below("courses"), &other).await.expect(422);
    assert_eq!(refused.error_messages(), [format!("listingId should be {}", school.listing)]);
    school.client.post(courses, &other).await.expect(422);
    let lost = format!("{courses}/{}", Uuid::nil());
    assert_eq!(school.client.get(&lost).await.expect(404).text, format!("No Course exists with id '{}'", Uuid::nil()));
    let mut changed = course;
    changed["departmentId"] = Uuid::nil().to_string().into();
    school.client.put(&path, &changed).await.expect(400);
}

#[tokio::test]
async fn a_reserve_moves_its_item_and_comes_back() {
    let school = School::new().await;
    let item = school
        .library
        .item(
            "i-1",
            json!({"volume": "v. 2", "copyNumber": "c. 1",
        "electronicAccess": [{"uri": "http://x.example", "publicNote": "online"}]}),
        )
        .await;
    let short = create(&school.client, "/loan-types", json!({"name": "Two hours"})).await;
    let sent = json!({"copiedItem": {"barcode": "i-1", "title": "not this"}, "temporaryLoanTypeId": short,
        "startDate": "2027-01-01"});
    let answer = school.reserve(sent).await.expect(201);
    assert_eq!(answer.round_trips(), 3);
    let reserve = answer.json();
    let path = format!("{}/{}", school.below("reserves"), id(&reserve));
    assert_eq!(answer.header("location"), Some(path.as_str()));
    assert_eq!((&reserve["itemId"], &reserve["startDate"]), (&json!(item), &json!("2027-01-01T00:00:00Z")));
    let expected = json!({"barcode": "i-1", "title": "A title", "volume": "v. 2", "copy": "c. 1", "callNumber": "QA 1",
        "uri": "http://x.example", "url": "online", "instanceId": school.library.instance,
        "instanceDiscoverySuppress": false, "holdingsId": school.library.holdings,
        "permanentLocationId": school.library.location, "temporaryLocationId": school.reading_room});
    let copied = &reserve["copiedItem"];
    for (name, value) in expected.as_object().expect("members") {
        assert_eq!(&copied[name], value, "{name}");
    }
    assert_eq!((&copied["contributors"][0]["name"], &copied["publication"]), (&json!("Author, First"), &json!([])));
    let moved = school.item(&item).await;
    assert_eq!(
        (&moved["temporaryLocationId"], &moved["effectiveLocationId"]),
        (&json!(school.reading_room), &json!(school.reading_room))
    );
    assert_eq!((&moved["temporaryLoanTypeId"], &moved["_version"]), (&json!(short), &json!(2)));

    // As it is edited on FOLIO's page: everything is sent back, without the objects.
    let status = create(&school.client, "/coursereserves/processingstatuses", json!({"name": "On order"})).await;
    let copyright = create(&school.client, "/coursereserves/copyrightstatuses", json!({"name": "Cleared"})).await;
    let mut edited = reserve.clone();
    edited["processingStatusId"] = status.clone().into();
    edited["copyrightTracking"] = json!({"copyrightStatusId": copyright, "totalPagesInItem": 10});
    edited["copiedItem"]["temporaryLocationId"] = school.library.location.clone().into();
    school.client.put(&path, &edited).await.expect(204);
    assert_eq!(school.item(&item).await["temporaryLocationId"], school.library.location.as_str());
    let shown = school.client.get(&path).await.expect(200);
    assert_eq!(shown.round_trips(), 1);
    let shown = shown.json();
    assert_eq!(shown["processingStatusObject"]["name"], "On order");
    assert_eq!(shown["copyrightTracking"]["copyrightStatusObject"]["name"], "Cleared");
    assert_eq!(shown["temporaryLoanTypeObject"], json!({"id": short, "name": "Two hours"}));
    assert_eq!(shown["copiedItem"]["temporaryLocationObject"]["name"], "Stacks");
    assert_eq!(shown["copiedItem"]["permanentLocationObject"]["code"], "st");
    assert_eq!(shown["metadata"]["createdDate"], reserve["metadata"]["createdDate"]);
    edited["copiedItem"].as_object_mut().expect("members").remove("temporaryLocationId");
    school.client.put(&path, &edited).await.expect(204);
    assert_eq!(school.item(&item).await.get("temporaryLocationId"), None);

    school.library.desk.post(&format!("/inventory/items/{item}/mark-missing"), &json!({})).await;
    edited["copiedItem"]["temporaryLocationId"] = school.reading_room.clone().into();
    school.client.put(&format!("{RESERVES}/{}", id(&reserve)), &edited).await.expect(204);
    school.client.delete(&path).await.expect(204);
    let back = school.item(&item).await;
    assert_eq!((back.get("temporaryLocationId"), &back["temporaryLoanTypeId"]), (None, &json!(short)));
    assert_eq!(back["effectiveLocationId"], school.library.location.as_str());
    let gone = format!("Reserve with id '{}' not found", id(&reserve));
    assert_eq!(school.client.get(&path).await.expect(404).text, gone);
    assert_eq!(school.client.delete(&path).await.expect(404).text, gone);
    assert_eq!(school.client.delete(&format!("{RESERVES}/{}", id(&reserve))).await.expect(404).text, gone);
}

#[tokio::test]
async fn a_check_out_uses_the_loan_type_of_the_reserve() {
    let school = School::new().await;
    school.library.item("i-1", json!({})).await;
    school.library.patron("p-1", json!({})).await;
    let short = create(&school.client, "/loan-types", json!({"name": "Reading room only"})).await;
    let rules = format!("{}\nt {short}: {}", school.library.rules(), school.library.policies(&school.library.no_loans));
    school.library.write_rules(&rules).await.expect(204);
    let sent = json!({"copiedItem": {"barcode": "i-1"}, "temporaryLoanTypeId": short});
    school.reserve(sent).await.expect(201);
    school.library.check_out("i-1", "p-1", json!({})).await.expect(422);
}

#[tokio::test]
async fn reserves_are_listed_with_what_the_catalogue_says_now() {
    let school = School::new().await;
    let item = school.library.item("i-1", json!({})).await;
    school.library.item("i-2", json!({})).await;
    school.reserve(json!({"itemId": item})).await.expect(201);
    school.reserve(json!({"copiedItem": {"barcode": "i-2"}})).await.expect(201);
    let mut title = school.library.stored("/instance-storage/instances", &school.library.instance).await;
    title["title"] = "A better title".into();
    school.client.put(&format!("/instance-storage/instances/{}", school.library.instance), &title).await.expect(204);
    let page = format!(
        "{}?unused=0&expand=*&limit=500&query=cql.allRecords=1%20sortby%20copiedItem.title",
        school.below("reserves")
    );
    let list = school.client.get(&page).await.expect(200);
    assert_eq!(list.round_trips(), 1);
    let list = list.json();
    assert_eq!(
        (&list["totalRecords"], &list["reserves"][0]["copiedItem"]["title"]),
        (&json!(2), &json!("A better title"))
    );
    assert_eq!(list["reserves"][0]["copiedItem"]["permanentLocationObject"]["name"], "Stacks");
    let plain = school.client.get(RESERVES).await.expect(200).json();
    assert_eq!(plain["reserves"][0]["copiedItem"].get("permanentLocationObject"), None);
    let typed = "(copiedItem.title=\"bett*\" or copiedItem.barcode=\"bett*\" or copiedItem.callNumber=\"bett*\")";
    for (cql, number) in [
        (format!("({typed}) sortby copiedItem.title"), 2),
        ("copiedItem.barcode==i-2".to_owned(), 1),
        ("copiedItem.callNumber=\"QA\"".to_owned(), 2),
        (format!("copiedItem.temporaryLocationId==\"{}\" sortby processingStatus.name", school.reading_room), 2),
        (format!("courseListing.termId==\"{}\"", school.term), 2),
        ("processingStatus.name==x".to_owned(), 0),
        ("copyrightStatus.name==x or copyrightTracking.copyrightStatusId==x".to_owned(), 0),
    ] {
        let found = school.client.query(&format!("{RESERVES}?expand=*"), &cql).await.expect(200);
        assert_eq!((&found.json()["totalRecords"], found.round_trips()), (&json!(number), 1), "{cql}");
    }
    // What was copied stays when the item has gone, and the reserve can be removed.
    let first = id(&school.client.query(RESERVES, "copiedItem.barcode==i-1").await.json()["reserves"][0]);
    school.client.delete(&format!("/item-storage/items/{item}")).await.expect(204);
    let left = school.client.get(&format!("{RESERVES}/{first}")).await.expect(200).json();
    assert_eq!(left["copiedItem"]["barcode"], "i-1");
    school.client.delete(&format!("{RESERVES}/{first}")).await.expect(204);
    assert_eq!(school.client.get(&format!("{RESERVES}/{first}")).await.expect(404).text, "Not found");
}

#[tokio::test]
async fn reserves_are_refused_as_mod_courses_does() {
    let school = School::new().await;
    let item = school.library.item("i-1", json!({})).await;
    let neither = school.reserve(json!({})).await.expect(422);
    assert_eq!(neither.error_messages(), ["Must provide item id or item barcode to populate copied items"]);
    let barcode = school.reserve(json!({"copiedItem": {"barcode": "none"}})).await.expect(400);
    assert_eq!(barcode.text, "No item found for barcode none");
    let unknown = school.reserve(json!({"itemId": Uuid::nil()})).await.expect(400);
    assert!(unknown.text.ends_with("got 404: Not found"), "{}", unknown.text);
    let status = school.reserve(json!({"itemId": item, "processingStatusId": Uuid::nil()})).await.expect(422);
    assert!(status.error_messages()[0].starts_with("Cannot set coursereserves_reserves.processingstatusid = "));
    // Nothing of a refused reserve is written.
    assert_eq!(school.item(&item).await["_version"], 1);
    let other = school.reserve(json!({"itemId": item, "courseListingId": Uuid::nil()})).await.expect(422);
    assert_eq!(other.error_messages(), [format!("listingId should be {}", school.listing)]);
    let body = json!({"itemId": item, "courseListingId": Uuid::nil()});
    school.client.post(RESERVES, &body).await.expect(422);

    // A barcode wins over an id.
    let second = school.library.item("i-2", json!({})).await;
    let made = school.reserve(json!({"itemId": item, "copiedItem": {"barcode": "I-2"}})).await.expect(201).json();
    assert_eq!(made["itemId"], second.as_str());
    let again = school.reserve(json!({"itemId": second})).await.expect(422);
    assert_eq!(
        again.error_messages(),
        [format!("itemId {second} is already in use for courseListing {}", school.listing)]
    );
    assert_eq!(again.json()["errors"][0]["parameters"], json!([{"key": "itemId", "value": second}]));
    let lost = format!("{RESERVES}/{}", Uuid::nil());
    let body = json!({"itemId": item, "courseListingId": school.listing});
    assert_eq!(school.client.put(&lost, &body).await.expect(404).text, "Not found");
    let nowhere = json!({"itemId": item, "courseListingId": school.listing,
        "copiedItem": {"temporaryLocationId": Uuid::nil()}});
    let stored = format!("{RESERVES}/{}", id(&made));
    school.client.put(&stored, &nowhere).await.expect(400);

    // Only the reserve itself has no members but those of its schema.
    let lenient = json!({"itemId": item, "courseListingId": school.listing, "copyrightTracking": {"copyRightStatusId": "x"},
        "copiedItem": {"foo": 1, "contributors": [{"name": "A", "authorityId": "x"}], "publication": [{"foo": 1}]}});
    school.client.put(&stored, &lenient).await.expect(204);
    assert_eq!(school.client.get(&stored).await.json()["copyrightTracking"], json!({"copyRightStatusId": "x"}));
    let strict = json!({"itemId": item, "courseListingId": school.listing, "foo": 1});
    school.client.malformed().put(&stored, &strict).await.expect(422);
}

/// A PUT that declares 422 answers it where others answer 400 text.
#[tokio::test]
async fn a_put_refuses_as_its_route_declares() {
    let school = School::new().await;
    let (client, listing, course) = (&school.client, &school.listing, &school.course);
    let item = school.library.item("i-1", json!({})).await;
    let made = school.reserve(json!({"itemId": item})).await.expect(201).json();
    let reserve = json!({"itemId": item, "courseListingId": listing, "processingStatusId": Uuid::nil()});
    let of_course = json!({"name": "x", "courseListingId": listing, "departmentId": Uuid::nil()});
    for (path, record, member) in [
        (format!("{RESERVES}/{}", id(&made)), &reserve, "reserves.processingstatusid"),
        (school.below(&format!("reserves/{}", id(&made))), &reserve, "reserves.processingstatusid"),
        (school.below(&format!("courses/{course}")), &of_course, "courses.departmentid"),
    ] {
        let refused = client.put(&path, record).await.expect(422);
        let message = refused.error_messages().concat();
        assert!(message.starts_with(&format!("Cannot set coursereserves_{member} = ")), "{path}: {message}");
    }
    let text = client.put(&format!("/coursereserves/courses/{course}"), &of_course).await.expect(400).text;
    assert!(text.starts_with("Cannot set coursereserves_courses.departmentid = "), "{text}");
    for (path, key) in [
        ("terms", "coursereserves_terms.id"),
        ("departments", "coursereserves_departments.id"),
        ("processingstatuses", "coursereserves_processingstates.id"),
        (&format!("courselistings/{listing}/courses"), "coursereserves_courses.id"),
    ] {
        let sent = json!({"name": "x", "startDate": "2027-01-01", "endDate": "2027-01-02", "courseListingId": listing});
        let refused = client.malformed().put(&format!("/coursereserves/{path}/x"), &sent).await.expect(422).json();
        assert_eq!(refused["errors"][0]["parameters"][0]["key"], key, "{path}");
    }
    for path in ["courses/x", "courselistings/x"] {
        let path = format!("/coursereserves/{path}");
        let refused = client.malformed().put(&path, &json!({"name": "x"})).await.expect(400);
        assert!(refused.text.starts_with("Invalid UUID format of id"), "{}", refused.text);
    }
}

#[tokio::test]
async fn what_is_in_use_stays() {
    let school = School::new().await;
    let item = school.library.item("i-1", json!({})).await;
    let reserve = school.reserve(json!({"itemId": item})).await.expect(201).json();
    let name = json!({"name": "Ada Miller", "courseListingId": school.listing});
    school.client.create(&school.below("instructors"), &name).await;
    let listing = format!("{LISTINGS}/{}", school.listing);
    school.client.delete(&listing).await.expect(400);
    assert_eq!(school.client.get(&school.below("instructors")).await.json()["totalRecords"], 1);
    let term = school.client.delete(&format!("/coursereserves/terms/{}", school.term)).await.expect(400);
    assert!(term.text.contains("still referenced from table coursereserves_courselistings"), "{}", term.text);
    school.client.delete(&format!("/coursereserves/courses/{}", school.course)).await.expect(204);
    school.client.delete(&listing).await.expect(400);
    school.client.delete(&format!("{RESERVES}/{}", id(&reserve))).await.expect(204);
    school.client.delete(&listing).await.expect(204);
    school.client.delete(&listing).await.expect(404);
    assert_eq!(school.client.get(&school.below("instructors")).await.json()["totalRecords"], 0);
    school.client.delete(&format!("/coursereserves/terms/{}", school.term)).await.expect(204);
}
