//! One request to the archives' API that may be carried out.

use std::{net::IpAddr, sync::Arc};

use ::archives::{
    model::{Checked, Purpose, add_audit, check, publish_unsaid, record_type},
    permissions::Rights,
    preferences::Preferences,
    records::{Author, Listing, Page, Place, Seen},
    refusal::Refusal,
    resolve::{Wanted, resolve},
    value_lists::Lists,
};
use bytes::Bytes;
use identity::events::Origin;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{Session, archives::Sort};
use uuid::Uuid;

use super::parameters::Parameters;
use crate::{
    answer::{Problem, Reply},
    app::{App, TenantState},
};

/// A page has this many records if the client does not say.
pub(super) const USUAL_PAGE: i64 = 10;
/// A page, or a set of ids, has no more.
pub(super) const LARGEST_PAGE: i64 = 250;

/// Types whose records the server adds to when they are saved.
const GENERATED: [&str; 15] = [
    "accession",
    "agent_corporate_entity",
    "agent_family",
    "agent_person",
    "agent_software",
    "archival_object",
    "classification",
    "classification_term",
    "digital_object",
    "digital_object_component",
    "location",
    "repository",
    "repository_with_agent",
    "resource",
    "subject",
];

/// Who has one of these codes sees suppressed records on wish.
const WITH_SUPPRESSED: [&str; 3] = ["manage_repository", "view_suppressed", "suppress_archival_record"];

/// The user behind a session.
#[derive(Debug, Clone)]
pub(super) struct User {
    pub(super) id: Uuid,
    /// In the archives.
    pub(super) number: i64,
    pub(super) name: String,
    pub(super) preferences: Preferences,
    /// The secret of the session; none on the staff port, whose pages sign in to the library.
    pub(super) secret: Option<String>,
}

/// How a list is sorted by a field, the last first or not.
type Sorts = fn(&str, bool) -> Option<Sort>;

/// An admitted request.
pub(super) struct Call {
    pub(super) app: Arc<App>,
    pub(super) tenant: Arc<TenantState>,
    pub(super) session: Session,
    /// Absent without a session.
    pub(super) user: Option<User>,
    pub(super) rights: Rights,
    /// What records are checked against; empty for routes that take no record.
    pub(super) lists: Arc<Lists>,
    /// Of the path.
    pub(super) repository: Option<i64>,
    pub(super) parameters: Parameters,
    /// Other members of the path.
    pub(super) path: Vec<(String, String)>,
    pub(super) body: Bytes,
    /// The Content-Type of the body.
    pub(super) media: Option<String>,
    pub(super) client: Option<IpAddr>,
    pub(super) browser: Option<String>,
    pub(super) now: Timestamp,
}

impl Call {
    /// The id in the path.
    pub(super) fn id(&self) -> i64 {
        self.parameters.integer("id").unwrap_or_default()
    }

    /// A member of the path, or an empty text if it has none of the name.
    pub(super) fn in_path(&self, name: &str) -> &str {
        self.path.iter().find(|(of, _)| of == name).map_or("", |(_, value)| value)
    }

    /// Where records of a type are for this request.
    pub(super) fn place(&self, kind: &'static str) -> Place {
        Place { kind, repository: self.repository }
    }

    /// Who makes the change.
    pub(super) fn author(&self) -> Author {
        let name = self.user.as_ref().map_or_else(|| "anonymous".to_owned(), |user| user.name.clone());
        Author { name, now: self.now, arks: self.app.settings.arks.clone() }
    }

    /// Whether the caller sees suppressed records: who may index the system, and who may manage, view or suppress them and
    /// prefers to see them (contract 1.2).
    pub(super) fn seen(&self) -> Seen {
        let may = |code: &&str| self.rights.can(code, self.repository);
        if may(&"index_system") || WITH_SUPPRESSED.iter().any(may) && self.prefers("show_suppressed") {
            Seen::All
        } else {
            Seen::Unsuppressed
        }
    }

    /// Whether the caller prefers this in the repository of the path.
    pub(super) fn prefers(&self, name: &str) -> bool {
        self.user.as_ref().is_some_and(|user| user.preferences.is_on(name, self.repository))
    }

    /// Where the request comes from, for the log of log-ins.
    pub(super) fn origin(&self) -> Origin {
        let address = self.client.map(|address| address.to_string());
        Origin { tenant: self.tenant.tenant.id.clone(), address, browser: self.browser.clone() }
    }

    /// The body as JSON, whatever its Content-Type.
    pub(super) fn json(&self) -> Result<Value, Refusal> {
        parsed(&self.body)
    }

    /// The body as a checked record of the type.
    pub(super) fn record(&self, kind: &'static str) -> Result<Checked, Problem> {
        Ok(self.checked(kind, self.json()?)?)
    }

    /// The body as a checked new record of the type. What does not say whether it is published is as the caller prefers.
    pub(super) fn new_record(&self, kind: &'static str) -> Result<Checked, Problem> {
        let mut checked = self.record(kind)?;
        if self.prefers("publish") {
            publish_unsaid(kind, &mut checked.record);
        }
        Ok(checked)
    }

    /// A record of the type, checked as one of its own request.
    pub(super) fn checked(&self, kind: &'static str, body: Value) -> Result<Checked, Refusal> {
        let of = record_type(kind).ok_or_else(|| Refusal::BadRequest(format!("{kind} is no record type")))?;
        Ok(check(of, body, &*self.lists, Purpose::Save)?)
    }

    /// What a list is asked for, and since when its records have changed.
    pub(super) fn listing(&self) -> Result<(Listing, Timestamp), Refusal> {
        self.listing_by(Sort::by)
    }

    /// The same of a list that is sorted by fields of its own.
    pub(super) fn listing_by(&self, sort: Sorts) -> Result<(Listing, Timestamp), Refusal> {
        let given = &self.parameters;
        let (page, since) = self.page_by(sort)?;
        if let Some(page) = page {
            return Ok((Listing::Page(page), since));
        }
        if let Some(ids) = given.id_set(LARGEST_PAGE as usize)? {
            return Ok((Listing::Ids(ids, self.sorted(sort)?), since));
        }
        if given.text("all_ids").is_some() {
            return Ok((Listing::AllIds(self.sorted(sort)?), since));
        }
        let missing = json!(["Parameter required but no value provided"]);
        let names = ["page", "id_set", "all_ids"];
        Err(Refusal::Parameters(names.map(|name| (name.to_owned(), missing.clone())).into_iter().collect()))
    }

    /// The page that a list is asked for, if it is asked for one, and since when its records have changed.
    pub(super) fn page(&self) -> Result<(Option<Page>, Timestamp), Refusal> {
        self.page_by(Sort::by)
    }

    fn page_by(&self, sort: Sorts) -> Result<(Option<Page>, Timestamp), Refusal> {
        let given = &self.parameters;
        let since = given.count("modified_since")?.unwrap_or(0);
        let since = Timestamp::from_second(since).unwrap_or(Timestamp::MAX);
        let sort = self.sorted(sort)?;
        if let Some(number) = given.count("page")? {
            if number == 0 {
                return Err(Refusal::parameter("page", "Wanted a page from 1 but got '0'"));
            }
            let size = given.count("page_size")?.unwrap_or(USUAL_PAGE).min(LARGEST_PAGE);
            return Ok((Some(Page { number, size, sort }), since));
        }
        Ok((None, since))
    }

    /// How a list is sorted.
    fn sorted(&self, sort: Sorts) -> Result<Sort, Refusal> {
        let descending = match self.parameters.text("sort_direction").unwrap_or("asc") {
            "asc" => false,
            "desc" => true,
            other => {
                let wrong = format!("Failed validation -- must be either 'asc' or 'desc' but given: {other}");
                return Err(Refusal::parameter("sort_direction", wrong));
            }
        };
        let field = self.parameters.text("sort_field").unwrap_or("id");
        let wrong = || Refusal::parameter("sort_field", format!("Records cannot be sorted by '{field}'"));
        sort(field, descending).ok_or_else(wrong)
    }

    /// Resolves what `resolve[]` asks for; hides what the caller may not see of it.
    pub(super) async fn resolve(&self, records: &mut Value) -> Result<(), Refusal> {
        let wanted = Wanted::read(self.parameters.texts("resolve").iter().map(String::as_str));
        resolve(&self.session, records, &wanted, self.seen()).await?;
        add_audit(records);
        self.hide_of_authorities(records);
        Ok(())
    }

    /// Resolves what `resolve[]` asks for, and answers.
    pub(super) async fn resolved(&self, mut records: Value) -> Result<Reply, Problem> {
        self.resolve(&mut records).await?;
        Ok(Reply::json(&records))
    }
}

/// Reads JSON that a client sent.
pub(super) fn parsed(text: &[u8]) -> Result<Value, Refusal> {
    storable(text)?;
    serde_json::from_slice(text).map_err(|error| Refusal::unreadable(&error))
}

/// Refuses JSON with a character that the database cannot store.
pub(super) fn storable(text: &[u8]) -> Result<(), Refusal> {
    if text.windows(6).any(|part| part == br"\u0000") {
        let text = "Had some trouble parsing your request: a text has the character U+0000, which cannot be stored";
        return Err(Refusal::BadRequest(text.to_owned()));
    }
    Ok(())
}

/// The answer to a change of a record with a body.
pub(super) fn saved(status: &str, place: Place, id: i64, version: i64, warnings: &Map<String, Value>) -> Reply {
    let uri = record_type(place.kind).map(|kind| {
        ::archives::model::Uri { repository: place.repository.filter(|_| kind.is_in_repository()), kind, id }
            .to_string()
    });
    let warnings = if warnings.is_empty() { json!([]) } else { json!(warnings) };
    // Clients read again what the server has added to: a title, or a name in addresses.
    let stale = if GENERATED.contains(&place.kind) { json!(true) } else { Value::Null };
    Reply::json(&json!({"status": status, "id": id, "lock_version": version, "stale": stale, "uri": uri,
        "warnings": warnings}))
}

/// The answer to a change without a body.
pub(super) fn updated(id: i64, version: i64) -> Reply {
    Reply::json(&json!({"status": "Updated", "id": id, "lock_version": version, "stale": Value::Null}))
}
