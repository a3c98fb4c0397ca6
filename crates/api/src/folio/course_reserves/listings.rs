//! Course listings and what is below them: courses and instructors; and the courses by themselves.

use std::sync::Arc;

use cql::{Clause, Query, Relation};
use refusals::Wording;
use serde_json::{Map, Value};
use store::{
    StoreError,
    collection::Collection,
    query::ListRequest,
    records,
    statements::{course_reserves::DELETE_LISTING, writes::ADD_INSTRUCTOR},
};
use uuid::Uuid;

use super::{
    declarations::{COURSES, EXPANDED_COURSE, EXPANDED_LISTING, INSTRUCTORS, LISTINGS},
    refusals::{COURSE_UNKNOWN, LISTING_DIFFERS, LISTING_UNKNOWN},
    shown,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    folio::declared,
    route::{Answer, Route, Routes},
};

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let listings = declared(all, LISTINGS);
    serve(routes, &shown(&listings, EXPANDED_LISTING), "get", |call, c| get(call, c, LISTING_UNKNOWN));
    serve(routes, &listings, "delete", delete_listing);

    let courses = declared(all, COURSES);
    let expanded = shown(&courses, EXPANDED_COURSE);
    serve(routes, &expanded, "list", collections::list);
    serve(routes, &expanded, "get", |call, c| get(call, c, COURSE_UNKNOWN));
    below(routes, &courses, "post", add_course);
    below(routes, &courses, "list", list);
    below(routes, &courses, "get", collections::get);
    below(routes, &courses, "put", collections::replace_as_json);
    below(routes, &courses, "delete", collections::delete);

    let instructors = declared(all, INSTRUCTORS);
    below(routes, &instructors, "post", add_instructor);
    below(routes, &instructors, "list", list);
    below(routes, &instructors, "get", collections::get);
    below(routes, &instructors, "put", collections::replace);
    below(routes, &instructors, "delete", collections::delete_if_there);
}

/// The routes of a collection below a listing, `/coursereserves/courselistings/{listing}/courses/{id}`.
pub(super) fn below<'r, H, F>(
    routes: &'r mut Routes,
    collection: &Arc<Collection>,
    method: &str,
    handler: H,
) -> &'r mut Route
where
    H: Fn(Call, Arc<Collection>) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let path = match collection.list {
        "courses" => "/coursereserves/courselistings/{listing}/courses",
        "instructors" => "/coursereserves/courselistings/{listing}/instructors",
        _ => "/coursereserves/courselistings/{listing}/reserves",
    };
    // The declaration of the route names the path; the handler gets the collection as it is.
    let placed = Arc::new(Collection { path, ..Collection::clone(collection) });
    serve(routes, &placed, method, handler)
}

/// GET of what belongs to a listing. One round trip.
pub(super) async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let query = of_listing(call.id("listing")?, call.query.get("query"));
    let request = ListRequest { cql: Some(&query), ..collections::asked(&call, &collection)? };
    collections::page(&call, &collection, &request).await
}

/// Restricts a query to one listing. A malformed query stays as it is and is refused later.
fn of_listing(listing: Uuid, query: Option<&str>) -> String {
    let own = Clause::new("courseListingId", Relation::Exact, [], &listing.to_string());
    let Some(asked) = query.filter(|query| !query.trim().is_empty()) else {
        return Query { condition: own.into(), sort: Vec::new() }.to_string();
    };
    cql::parse(asked).map_or_else(|_| asked.to_owned(), |asked| asked.within(own).to_string())
}

/// GET of a record whose absence FOLIO tells in words of its own. One round trip.
pub(super) async fn get(call: Call, collection: Arc<Collection>, unknown: &'static Wording) -> Answer {
    let id = call.id("id")?;
    let found = records::find(&call.session, &collection, id).await?;
    found.map(Reply::json_text).ok_or_else(|| unknown.with("id", id).into())
}

/// DELETE. Its instructors go with a listing; courses and reserves keep it. One round trip.
async fn delete_listing(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let deleted = call.session.execute(DELETE_LISTING, &[&id]).await;
    let deleted =
        deleted.map_err(|error| collections::refused(error, &collection, &Map::new(), Channel::Delete(id)))?;
    if deleted > 0 { Ok(Reply::no_content()) } else { Err(collections::not_found(&collection, id)) }
}

/// The refusal of a record that is added below a listing but names another.
pub(super) fn refuse_other(listing: Uuid, record: &Map<String, Value>) -> Result<(), Problem> {
    let named = record.get("courseListingId").and_then(Value::as_str).unwrap_or_default();
    match named.parse::<Uuid>().is_ok_and(|named| named == listing) {
        true => Ok(()),
        false => Err(LISTING_DIFFERS.with("listing", listing).with("listingId", named).into()),
    }
}

/// POST. One round trip.
async fn add_course(call: Call, collection: Arc<Collection>) -> Answer {
    let listing = call.id("listing")?;
    let (id, record) = collections::accepted(&call, &collection, None)?;
    refuse_other(listing, &record)?;
    let added = records::insert(&call.session, &collection, id, record.clone()).await;
    added.map_err(|error| collections::refused(error, &collection, &record, Channel::Post))?;
    Ok(Reply::json(&Value::Object(record)).created(&place(&collection, listing, id)))
}

/// POST. The patron group and the barcode come from the user, if there is one. One round trip.
async fn add_instructor(call: Call, collection: Arc<Collection>) -> Answer {
    let listing = call.id("listing")?;
    let (id, record) = collections::accepted(&call, &collection, None)?;
    refuse_other(listing, &record)?;
    let added: Result<String, StoreError> = call.session.value(ADD_INSTRUCTOR, &[&Value::Object(record.clone())]).await;
    let added = added.map_err(|error| collections::refused(error, &collection, &record, Channel::Post))?;
    Ok(Reply::json_text(added).created(&place(&collection, listing, id)))
}

/// The address of a record below a listing.
pub(super) fn place(collection: &Collection, listing: Uuid, id: Uuid) -> String {
    format!("{}/{id}", collection.path.replace("{listing}", &listing.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_restricted_to_a_listing() {
        let id = Uuid::nil();
        let own = format!("courseListingId==\"{id}\"");
        assert_eq!(of_listing(id, Some("((")), "((");
        for (asked, expected) in [
            (" ", own.clone()),
            ("name=a or name=b", format!("{own} and (name = \"a\" or name = \"b\")")),
            ("cql.allRecords=1 sortby name", format!("{own} and (cql.allRecords = \"1\") sortby name")),
        ] {
            let narrowed = of_listing(id, Some(asked));
            assert_eq!(cql::parse(&narrowed).expect("CQL"), cql::parse(&expected).expect("CQL"), "{narrowed}");
        }
    }
}
