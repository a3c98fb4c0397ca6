//! Chooses the copy for a title-level request (docs/folio/requests.md#which-copy-of-a-title).

use std::collections::HashMap;

use refusals::Refusal;
use uuid::Uuid;

use super::{
    PlaceCommand, Target,
    refusal::{NOTHING_TO_PAGE, NOTHING_TO_PAGE_THERE, NOTHING_TO_RECALL},
};
use crate::{
    configuration::{Configuration, Location},
    records::{ItemStatus, Loan},
    requests::{Copy, RequestContext, kind::RequestKind, policy::request_policy},
    trace::Trace,
};

/// A copy, or the reason there is none; the outer error means that the circulation rules cannot be applied.
type Found = Result<Result<Target, Refusal>, Refusal>;

/// The available copies that the requester may page.
pub(super) fn pageable<'c>(
    context: &'c RequestContext,
    configuration: &Configuration,
) -> Result<Vec<&'c Copy>, Refusal> {
    let mut pageable = Vec::new();
    for copy in context.copies.iter().filter(|copy| copy.item.is(ItemStatus::Available)) {
        let policy = request_policy(&copy.item, context.patron(), configuration, Trace::OFF)?;
        if policy.allows(RequestKind::Page) {
            pageable.push(copy);
        }
    }
    Ok(pageable)
}

/// The available copy nearest to the pickup service point: at a location the service point serves, then in the same
/// library, campus or institution, then anywhere.
pub(super) fn copy_to_page(context: &RequestContext, configuration: &Configuration, command: &PlaceCommand) -> Found {
    let mut copies = pageable(context, configuration)?;
    if copies.is_empty() {
        let title = context.title.as_ref().map(|title| title.id());
        return Ok(Err(NOTHING_TO_PAGE.with("instanceId", title)));
    }
    let place = |copy: &&Copy| configuration.location(copy.item.effective_location_id);
    if let Some(code) = command.request.item_location_code() {
        copies.retain(|copy| place(copy).is_some_and(|place| place.is_at(code)));
        if copies.is_empty() {
            return Ok(Err(NOTHING_TO_PAGE_THERE.with("itemLocationCode", code)));
        }
    }
    let served = served_by(command.request.pickup_point(), configuration);
    let distance = |copy: &&&Copy| place(copy).map_or(usize::MAX, |place| far(place, &served));
    let nearest = copies.iter().min_by_key(distance);
    let item = nearest.map(|copy| copy.item.clone());
    Ok(Ok(Target { item, ..Target::default() }))
}

fn served_by(service_point: Option<Uuid>, configuration: &Configuration) -> Vec<&Location> {
    let serves = |place: &&Location| service_point.is_some_and(|id| place.is_served_by(id));
    configuration.locations.values().filter(serves).collect()
}

/// Distance of a location from the nearest of `others`: 0 for one of them, 4 for a different institution.
fn far(place: &Location, others: &[&Location]) -> usize {
    let near: [fn(&Location) -> Uuid; 4] =
        [|place| place.id, |place| place.library_id, |place| place.campus_id, |place| place.institution_id];
    let shared = |part: &fn(&Location) -> Uuid| others.iter().any(|o| part(o) == part(place));
    near.iter().position(shared).unwrap_or(near.len())
}

/// The copy to recall: the unrecalled copy due first, otherwise the one with the fewest recalls, otherwise any copy
/// whose status accepts a recall.
pub(super) fn copy_to_recall(context: &RequestContext, configuration: &Configuration) -> Found {
    let mut recallable = Vec::new();
    for copy in context.copies.iter().filter(|copy| RequestKind::Recall.suits(&copy.item)) {
        let policy = request_policy(&copy.item, context.patron(), configuration, Trace::OFF)?;
        recallable.push((copy, policy.allows(RequestKind::Recall)));
    }
    let recalls = recalls(context);
    let times = |copy: &Copy| recalls.get(&copy.item.id).copied().unwrap_or_default();
    let on_loan = recallable
        .iter()
        .filter(|(copy, allowed)| copy.loan.is_some() && (*allowed || times(copy) > 0))
        .min_by_key(|(copy, _)| (times(copy), copy.loan.as_ref().and_then(Loan::due_date)));
    let chosen = on_loan.or_else(|| recallable.first());
    Ok(match chosen {
        None => Err(NOTHING_TO_RECALL.into()),
        Some((copy, _)) => {
            Ok(Target { item: Some(copy.item.clone()), loan: copy.loan.clone(), borrower: copy.borrower.clone() })
        }
    })
}

/// Number of recalls for each item in the queue.
fn recalls(context: &RequestContext) -> HashMap<Uuid, usize> {
    let mut times = HashMap::new();
    let recalls = context.requests.iter().map(|queued| &queued.request);
    for request in recalls.filter(|request| request.is_recall()) {
        if let Some(item) = request.item_id() {
            *times.entry(item).or_default() += 1;
        }
    }
    times
}
