//! Which copy of a title a request is for (docs/folio/requests.md#which-copy-of-a-title).

use std::collections::HashMap;

use uuid::Uuid;

use super::{PlaceCommand, PlaceRefusal, Target};
use crate::{
    configuration::{Configuration, Location, NotApplicable},
    records::Loan,
    requests::{Copy, RequestContext, kind::RequestKind, policy::request_policy},
};

type Found = Result<Result<Target, PlaceRefusal>, NotApplicable>;

/// The copies on the shelf that the requester may have fetched.
pub(super) fn pageable<'c>(
    context: &'c RequestContext,
    configuration: &Configuration,
) -> Result<Vec<&'c Copy>, NotApplicable> {
    let mut pageable = Vec::new();
    for copy in context
        .copies
        .iter()
        .filter(|copy| copy.item.is("Available"))
    {
        let policy = request_policy(&copy.item, context.patron(), configuration)?;
        if policy.allows(RequestKind::Page) {
            pageable.push(copy);
        }
    }
    Ok(pageable)
}

/// The copy on the shelf nearest to where it is to be fetched: at a location that the service point serves, in the
/// same library, campus, institution, or anywhere.
pub(super) fn copy_to_page(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
) -> Found {
    let mut copies = pageable(context, configuration)?;
    if copies.is_empty() {
        let title = context.title.as_ref().map(|title| title.id());
        return Ok(Err(PlaceRefusal::NothingToPage(title)));
    }
    let place = |copy: &&Copy| configuration.location(copy.item.effective_location_id);
    if let Some(code) = command.text("itemLocationCode") {
        copies.retain(|copy| place(copy).is_some_and(|place| place.is_at(code)));
        if copies.is_empty() {
            return Ok(Err(PlaceRefusal::NothingToPageThere(code.to_owned())));
        }
    }
    let served = served_by(command.pickup_service_point_id, configuration);
    let distance = |copy: &&&Copy| place(copy).map_or(usize::MAX, |place| far(place, &served));
    let nearest = copies.iter().min_by_key(distance);
    let item = nearest.map(|copy| copy.item.clone());
    Ok(Ok(Target {
        item,
        ..Target::default()
    }))
}

fn served_by(service_point: Option<Uuid>, configuration: &Configuration) -> Vec<&Location> {
    let serves = |place: &&Location| service_point.is_some_and(|id| place.is_served_by(id));
    configuration.locations.values().filter(serves).collect()
}

/// How far a location is from the nearest of others: 0 for one of them, 4 for another institution.
fn far(place: &Location, others: &[&Location]) -> usize {
    let near: [fn(&Location) -> Uuid; 4] = [
        |place| place.id,
        |place| place.library_id,
        |place| place.campus_id,
        |place| place.institution_id,
    ];
    let shared = |part: &fn(&Location) -> Uuid| others.iter().any(|o| part(o) == part(place));
    near.iter().position(shared).unwrap_or(near.len())
}

/// The copy to be called back: of those that nobody has recalled the one due first, else the one recalled least, else
/// any that can be recalled though it is not out.
pub(super) fn copy_to_recall(context: &RequestContext, configuration: &Configuration) -> Found {
    let mut recallable = Vec::new();
    for copy in context
        .copies
        .iter()
        .filter(|copy| RequestKind::Recall.suits(&copy.item))
    {
        let policy = request_policy(&copy.item, context.patron(), configuration)?;
        recallable.push((copy, policy.allows(RequestKind::Recall)));
    }
    let recalls = recalls(context);
    let times = |copy: &Copy| recalls.get(&copy.item.id).copied().unwrap_or_default();
    let lent = recallable
        .iter()
        .filter(|(copy, allowed)| copy.loan.is_some() && (*allowed || times(copy) > 0))
        .min_by_key(|(copy, _)| (times(copy), copy.loan.as_ref().and_then(Loan::due_date)));
    let chosen = lent.or_else(|| recallable.first());
    Ok(match chosen {
        None => Err(PlaceRefusal::NothingToRecall),
        Some((copy, _)) => Ok(Target {
            item: Some(copy.item.clone()),
            loan: copy.loan.clone(),
            borrower: copy.borrower.clone(),
        }),
    })
}

/// How often each item of the queue is recalled.
fn recalls(context: &RequestContext) -> HashMap<Uuid, usize> {
    let mut times = HashMap::new();
    let recalls = context.requests.iter().map(|queued| &queued.request);
    for request in recalls.filter(|request| request.is_recall()) {
        if let Some(item) = request.item_id {
            *times.entry(item).or_default() += 1;
        }
    }
    times
}
