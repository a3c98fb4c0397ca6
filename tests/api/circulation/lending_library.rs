//! A library that lends: one location, two service points, two material types, three policies.

use serde_json::{Value, json};
use testkit::{Answer, Client, Library, library};

/// A library with everything the desk needs, created through the API.
pub struct LendingLibrary {
    pub library: Library,
    /// A client with a user.
    pub desk: Client,
    pub service_point: String,
    pub branch: String,
    pub location: String,
    pub book: String,
    pub map: String,
    pub loan_type: String,
    pub group: String,
    pub holdings: String,
    pub instance: String,
    pub loan_policy: String,
    pub no_loans: String,
    pub request_policy: String,
    pub notice_policy: String,
    pub overdue_policy: String,
    pub lost_policy: String,
    pub librarian: String,
}

pub fn id(record: &Value) -> String {
    record["id"].as_str().expect("an id").to_owned()
}

async fn create(client: &Client, path: &str, record: Value) -> String {
    id(&client.create(path, &record).await)
}

impl LendingLibrary {
    /// Books circulate for three weeks, maps not at all.
    pub async fn new() -> LendingLibrary {
        Self::within(library().await).await
    }

    /// The same, in a library with other settings.
    pub async fn within(library: Library) -> LendingLibrary {
        let client = library.open.clone();
        let (location, service_point, branch) = places(&client).await;
        let book = create(&client, "/material-types", json!({"name": "book"})).await;
        let map = create(&client, "/material-types", json!({"name": "map"})).await;
        let loan_type = create(&client, "/loan-types", json!({"name": "Can circulate"})).await;
        let group = create(&client, "/groups", json!({"group": "staff"})).await;
        let (instance, holdings) = title(&client, &location).await;
        let policy = |name: &str, loanable: bool| {
            let mut policy = json!({"name": name, "loanable": loanable, "renewable": loanable});
            if loanable {
                policy["loansPolicy"] = json!({"profileId": "Rolling",
                    "period": {"duration": 3, "intervalId": "Weeks"},
                    "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"});
            }
            policy
        };
        let loan_policies = "/loan-policy-storage/loan-policies";
        let loan_policy = create(&client, loan_policies, policy("Three weeks", true)).await;
        let no_loans = create(&client, loan_policies, policy("Reading room", false)).await;
        let types = json!({"name": "All", "requestTypes": ["Hold", "Page", "Recall"]});
        let request_policy = create(&client, "/request-policy-storage/request-policies", types).await;
        let notices = "/patron-notice-policy-storage/patron-notice-policies";
        let notice_policy = create(&client, notices, json!({"name": "None"})).await;
        let overdue_policy = create(&client, "/overdue-fines-policies", json!({"name": "No fines"})).await;
        let lost_policy = create(&client, "/lost-item-fees-policies", json!({"name": "No fees"})).await;
        let librarian = json!({"username": "librarian", "active": true, "patronGroup": group,
            "personal": {"lastName": "Librarian"}});
        let librarian = create(&client, "/users", librarian).await;
        let desk = client.with_header("x-okapi-user-id", &librarian);
        let made = LendingLibrary {
            library,
            desk,
            service_point,
            branch,
            location,
            book,
            map,
            loan_type,
            group,
            holdings,
            instance,
            loan_policy,
            no_loans,
            request_policy,
            notice_policy,
            overdue_policy,
            lost_policy,
            librarian,
        };
        made.write_rules(&made.rules()).await.expect(204);
        made
    }

    /// The policies for a rule with this loan policy.
    pub fn policies(&self, loan_policy: &str) -> String {
        format!(
            "l {loan_policy} r {} n {} o {} i {}",
            self.request_policy, self.notice_policy, self.overdue_policy, self.lost_policy
        )
    }

    pub fn rules(&self) -> String {
        let (all, maps) = (self.policies(&self.loan_policy), self.policies(&self.no_loans));
        format!("priority: t, s, c, b, a, m, g\nfallback-policy: {all}\nm {}: {maps}", self.map)
    }

    pub async fn write_rules(&self, text: &str) -> Answer {
        self.desk.put("/circulation/rules", &json!({"rulesAsText": text})).await
    }

    /// Creates a book, available unless `more` says otherwise; returns its id.
    pub async fn item(&self, barcode: &str, more: Value) -> String {
        let mut item = json!({"barcode": barcode, "status": {"name": "Available"},
            "holdingsRecordId": self.holdings, "materialTypeId": self.book,
            "permanentLoanTypeId": self.loan_type});
        merge(&mut item, more);
        create(&self.desk, "/item-storage/items", item).await
    }

    /// Creates a patron, in the group `staff` unless `more` says otherwise; returns the id.
    pub async fn patron(&self, barcode: &str, more: Value) -> String {
        let mut user = json!({"username": barcode, "barcode": barcode, "active": true,
            "patronGroup": self.group, "personal": {"lastName": "Reader", "firstName": barcode}});
        merge(&mut user, more);
        create(&self.desk, "/users", user).await
    }

    /// Creates a fee owner for the service point; returns the id.
    pub async fn owner(&self, name: &str) -> String {
        let served = json!([{"value": self.service_point, "label": "Desk"}]);
        let owner = json!({"owner": name, "servicePointOwner": served});
        create(&self.desk, "/owners", owner).await
    }

    /// Charges a patron for damage; returns the ids of the fee type and the account.
    pub async fn damage(&self, patron: &str, amount: f64, more: Value) -> (String, String) {
        let owner = self.owner("Main library").await;
        let kind = json!({"feeFineType": "Damage", "ownerId": owner});
        let kind = create(&self.desk, "/feefines", kind).await;
        let mut account = json!({"amount": amount, "remaining": amount, "status": {"name": "Open"},
            "paymentStatus": {"name": "Outstanding"}, "userId": patron, "feeFineId": kind, "ownerId": owner,
            "feeFineType": "Damage", "id": uuid::Uuid::new_v4()});
        merge(&mut account, more);
        (kind, create(&self.desk, "/accounts", account).await)
    }

    pub async fn check_out(&self, item: &str, patron: &str, more: Value) -> Answer {
        let mut body = json!({"itemBarcode": item, "userBarcode": patron,
            "servicePointId": self.service_point});
        merge(&mut body, more);
        self.desk.post("/circulation/check-out-by-barcode", &body).await
    }

    pub async fn check_in(&self, item: &str, more: Value) -> Answer {
        let mut body = json!({"itemBarcode": item, "servicePointId": self.service_point,
            "checkInDate": "2026-11-21T12:00:00.000+01:00"});
        merge(&mut body, more);
        self.desk.post("/circulation/check-in-by-barcode", &body).await
    }

    /// Creates a hold for pickup at the first service point; returns its id.
    pub async fn hold(&self, item: &str, patron: &str, position: u32, more: Value) -> String {
        let mut request = json!({"requestLevel": "Item", "requestType": "Hold", "itemId": item,
            "instanceId": self.instance, "holdingsRecordId": self.holdings, "requesterId": patron,
            "requestDate": "2026-11-01T00:00:00Z", "status": "Open - Not yet filled",
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": self.service_point,
            "position": position});
        merge(&mut request, more);
        create(&self.desk, "/request-storage/requests", request).await
    }

    /// Opens the desk from one day of the week to another, all day.
    pub async fn open(&self, name: &str, from: &str, to: &str) {
        let hours = json!([{"startDay": from, "startTime": "00:00", "endDay": to, "endTime": "23:59"}]);
        let calendar = json!({"name": name, "startDate": "2020-01-01", "endDate": "2040-12-31",
            "assignments": [self.service_point], "normalHours": hours, "exceptions": []});
        self.desk.post("/calendar/calendars", &calendar).await.expect(201);
    }

    /// A session on the library's tables.
    pub fn session(&self) -> store::Session {
        let app = &self.library.app;
        let tenant = app.tenant(self.library.tenant).expect("a tenant");
        app.session(&tenant).expect("a session")
    }

    /// Changes members of a stored record; `null` takes one away.
    pub async fn change(&self, path: &str, members: Value) {
        let mut record = self.desk.get(path).await.expect(200).json();
        let stored = record.as_object_mut().expect("members");
        for (name, value) in members.as_object().expect("members").clone() {
            if value.is_null() {
                stored.remove(&name)
            } else {
                stored.insert(name, value)
            };
        }
        self.desk.put(path, &record).await.expect(204);
    }

    /// Has the overdue fine policy charge a quarter for each day, ten at most.
    pub async fn charge_by_the_day(&self) {
        let path = format!("/overdue-fines-policies/{}", self.overdue_policy);
        let fine = json!({"quantity": 0.25, "intervalId": "day"});
        self.change(&path, json!({"overdueFine": fine, "maxOverdueFine": 10, "countClosed": true})).await;
    }

    pub async fn stored(&self, path: &str, id: &str) -> Value {
        self.desk.get(&format!("{path}/{id}")).await.expect(200).json()
    }
}

fn merge(base: &mut Value, more: Value) {
    if let (Some(base), Value::Object(more)) = (base.as_object_mut(), more) {
        base.extend(more);
    }
}

async fn places(client: &Client) -> (String, String, String) {
    let institution = json!({"name": "University", "code": "u"});
    let institution = create(client, "/location-units/institutions", institution).await;
    let campus = json!({"name": "City", "code": "c", "institutionId": institution});
    let campus = create(client, "/location-units/campuses", campus).await;
    let library = json!({"name": "Main library", "code": "m", "campusId": campus});
    let library = create(client, "/location-units/libraries", library).await;
    let mut points = Vec::new();
    for name in ["Desk", "Branch"] {
        let point = json!({"name": name, "code": name, "discoveryDisplayName": name,
            "pickupLocation": true, "holdShelfExpiryPeriod": {"duration": 3, "intervalId": "Days"}});
        points.push(create(client, "/service-points", point).await);
    }
    let location = json!({"name": "Stacks", "code": "st", "institutionId": institution,
        "campusId": campus, "libraryId": library, "primaryServicePoint": points[0],
        "servicePointIds": [points[0]]});
    let location = create(client, "/locations", location).await;
    (location, points.remove(0), points.remove(0))
}

async fn title(client: &Client, location: &str) -> (String, String) {
    let kind = json!({"name": "text", "code": "txt", "source": "local"});
    let kind = create(client, "/instance-types", kind).await;
    let contributor = json!({"name": "Personal name", "ordering": "1"});
    let contributor = create(client, "/contributor-name-types", contributor).await;
    let instance = json!({"title": "A title", "source": "local", "instanceTypeId": kind,
        "contributors": [{"name": "Author, First", "contributorNameTypeId": contributor, "primary": true}]});
    let instance = create(client, "/instance-storage/instances", instance).await;
    let source = create(client, "/holdings-sources", json!({"name": "local", "source": "local"})).await;
    let holdings = json!({"instanceId": instance, "permanentLocationId": location,
        "sourceId": source, "callNumber": "QA 1"});
    let holdings = create(client, "/holdings-storage/holdings", holdings).await;
    (instance, holdings)
}
