//! Allowed pickup service points (docs/folio/requests.md#allowed-service-points).

use std::collections::{BTreeMap, HashSet};

use refusals::Refusal;
use uuid::Uuid;

use super::{
    RequestContext,
    kind::RequestKind,
    policy::request_policy,
    refusal::{UNKNOWN_ITEM, UNKNOWN_RECORD},
};
use crate::{
    configuration::{Configuration, ServicePoint},
    policies::RequestPolicy,
    records::{Item, Patron, Request},
    trace::Trace,
};

/// The operation the client is about to perform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Place a request.
    Create,
    /// Replace a request.
    Replace,
    /// Move a request to another item.
    Move,
}

/// A query for allowed service points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServicePointsQuery {
    /// The operation to check.
    pub operation: Operation,
    /// ID of the requester.
    pub requester_id: Option<Uuid>,
    /// ID of a patron group, in place of a requester.
    pub patron_group_id: Option<Uuid>,
    /// ID of the instance.
    pub instance_id: Option<Uuid>,
    /// ID of the item.
    pub item_id: Option<Uuid>,
    /// ID of the stored request, to replace or move it.
    pub request_id: Option<Uuid>,
    /// Apply the rules to a stub item instead of real ones.
    pub stub_item: bool,
    /// Ask for the points through which requests of other libraries come (`ecsRequestRouting`), not for pickup points.
    pub routing: bool,
}

/// Request types in the order in which FOLIO lists them here.
const TYPES: [RequestKind; 3] = [RequestKind::Hold, RequestKind::Recall, RequestKind::Page];

/// The service points for each possible request type, sorted by name.
pub type Allowed<'c> = Vec<(RequestKind, Vec<&'c ServicePoint>)>;

/// The service points where the patron may pick up the request.
pub fn allowed<'c>(
    context: &RequestContext,
    configuration: &'c Configuration,
    query: &ServicePointsQuery,
) -> Result<Allowed<'c>, Refusal> {
    let patron = asking(context, query)?;
    let policies = policies(context, configuration, query, &patron)?;
    let everywhere = points(configuration, query.routing);
    if policies.is_empty() {
        let title_hold = query.operation == Operation::Create
            && query.instance_id.is_some()
            && configuration.title_level_requests
            && !configuration.title_holds_follow_rules;
        let possible = title_hold && !everywhere.is_empty();
        let hold = possible.then_some((RequestKind::Hold, everywhere));
        return Ok(hold.into_iter().collect());
    }
    let of_type = |kind: RequestKind| {
        let fitting = policies.iter().filter(|(_, kinds)| kinds.contains(&kind));
        let points: BTreeMap<(&str, Uuid), &ServicePoint> = fitting
            .flat_map(|(policy, _)| {
                let listed = listed(policy, kind);
                everywhere
                    .iter()
                    .copied()
                    .filter(move |point| listed.as_ref().is_none_or(|listed| listed.contains(&point.id)))
            })
            .map(|point| ((point.name.as_str(), point.id), point))
            .collect();
        (kind, points.into_values().collect::<Vec<_>>())
    };
    let types = TYPES.map(of_type).into_iter();
    Ok(types.filter(|(_, points)| !points.is_empty()).collect())
}

/// The requester; for a patron group, a patron with only the group set.
fn asking(context: &RequestContext, query: &ServicePointsQuery) -> Result<Patron, Refusal> {
    if let (Some(id), None) = (query.instance_id, &context.title) {
        return Err(unknown("Instance", id));
    }
    if let (Some(id), None) = (query.request_id, &context.existing) {
        return Err(unknown("Request", id));
    }
    if let Some(group) = query.patron_group_id {
        return Ok(Patron { patron_group: Some(group), ..Patron::default() });
    }
    let stored = context.existing.as_ref().and_then(Request::requester_id);
    let id = query.requester_id.or(stored).unwrap_or_default();
    context.patron().cloned().ok_or_else(|| unknown("User", id))
}

fn unknown(what: &str, id: Uuid) -> Refusal {
    UNKNOWN_RECORD.with("what", what).with("id", id)
}

/// The request policies of the candidate items, each with the request types that the item statuses allow.
fn policies<'c>(
    context: &RequestContext,
    configuration: &'c Configuration,
    query: &ServicePointsQuery,
    patron: &Patron,
) -> Result<Vec<(&'c RequestPolicy, HashSet<RequestKind>)>, Refusal> {
    let stub = stub_item();
    let items = match query.stub_item {
        true => vec![&stub],
        false => items(context, query)?,
    };
    let any_status = query.stub_item || query.operation == Operation::Replace;
    let mut found: BTreeMap<Uuid, (&RequestPolicy, HashSet<RequestKind>)> = BTreeMap::new();
    for item in items {
        let policy = request_policy(item, Some(patron), configuration, Trace::OFF)?;
        let possible = |kind: &RequestKind| policy.allows(*kind) && (any_status || kind.suits(item));
        let kinds = &mut found.entry(policy.id).or_insert((policy, HashSet::new())).1;
        kinds.extend(TYPES.into_iter().filter(possible));
    }
    Ok(found.into_values().collect())
}

fn items<'r>(context: &'r RequestContext, query: &ServicePointsQuery) -> Result<Vec<&'r Item>, Refusal> {
    let of_title = match query.operation {
        Operation::Create => query.instance_id.is_some(),
        Operation::Replace => context.existing.as_ref().is_some_and(Request::is_title_level),
        Operation::Move => false,
    };
    if of_title {
        return Ok(context.copies.iter().map(|copy| &copy.item).collect());
    }
    let id = query.item_id.unwrap_or_default();
    let item = context.item.as_ref().ok_or_else(|| UNKNOWN_ITEM.with("id", id))?;
    Ok(vec![item])
}

/// An item with nil IDs for its types and location, so that no rule names them.
fn stub_item() -> Item {
    Item {
        material_type_id: Some(Uuid::nil()),
        permanent_loan_type_id: Some(Uuid::nil()),
        effective_location_id: Some(Uuid::nil()),
        ..Item::default()
    }
}

/// Pickup points, or those for routing: a point for routing is no pickup point, whatever it says.
fn points(configuration: &Configuration, routing: bool) -> Vec<&ServicePoint> {
    let fits = |point: &&ServicePoint| match point.ecs_request_routing {
        true => routing,
        false => !routing && point.pickup_location == Some(true),
    };
    let mut points: Vec<_> = configuration.service_points.values().filter(fits).collect();
    points.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    points
}

/// The service points that a policy lists for a request type; an empty list counts as no list.
fn listed(policy: &RequestPolicy, kind: RequestKind) -> Option<&Vec<Uuid>> {
    let listed = policy.allowed_service_points.get(kind.name());
    listed.filter(|listed| !listed.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        requests::{Copy, FoundRequester},
        testing::{
            BRANCH, DESK, INSTANCE, ITEM, READER, REQUESTS, STAFF, instance, item, patron, records, with, with_titles,
        },
    };

    fn context(status: &str) -> RequestContext {
        let item = with(item(), json!({"status": {"name": status}}));
        let item: Item = serde_json::from_value(item).expect("an item");
        RequestContext {
            copies: vec![Copy { item: item.clone(), ..Copy::default() }],
            item: Some(item),
            title: serde_json::from_value(instance()).ok(),
            requester: Some(FoundRequester {
                patron: serde_json::from_value(patron(READER)).expect("a patron"),
                ..FoundRequester::default()
            }),
            ..RequestContext::default()
        }
    }

    fn query() -> ServicePointsQuery {
        ServicePointsQuery {
            operation: Operation::Create,
            requester_id: Some(READER),
            patron_group_id: None,
            instance_id: None,
            item_id: Some(ITEM),
            request_id: None,
            stub_item: false,
            routing: false,
        }
    }

    fn shown(context: &RequestContext, records: &Value, query: &ServicePointsQuery) -> Vec<String> {
        let configuration = Configuration::read(1, records);
        let allowed = allowed(context, &configuration, query).expect("service points");
        let shown = allowed.iter().map(|(kind, points)| {
            let names: Vec<_> = points.iter().map(|point| point.name.as_str()).collect();
            format!("{}: {}", kind.name(), names.join(", "))
        });
        shown.collect()
    }

    #[test]
    fn types_and_service_points_come_from_policy_and_status() {
        let lists = json!({"requestPolicies": [{"id": REQUESTS, "name": "Some", "requestTypes": ["Hold", "Page", "Recall"],
            "allowedServicePoints": {"Hold": [BRANCH], "Recall": [STAFF], "Page": []}}]});
        let all = ["Hold: Branch, Desk", "Recall: Branch, Desk", "Page: Branch, Desk"];
        let group = ServicePointsQuery { requester_id: None, patron_group_id: Some(STAFF), ..query() };
        let title = ServicePointsQuery { item_id: None, instance_id: Some(INSTANCE), ..query() };
        for (status, members, query, expected) in [
            ("Available", json!({}), query(), &all[2..]),
            ("Checked out", json!({}), query(), &all[..2]),
            ("Checked out", json!({}), group, &all[..2]),
            ("Checked out", json!({}), title, &all[..2]),
            ("Withdrawn", json!({}), query(), &[]),
            ("Checked out", lists.clone(), query(), &["Hold: Branch"]),
            ("Available", lists, query(), &all[2..]),
        ] {
            let shown = shown(&context(status), &with(records(), members), &query);
            assert_eq!(shown, expected, "{status} {query:?}");
        }
    }

    #[test]
    fn a_title_without_items_can_be_held_where_rules_do_not_matter() {
        let mut context = context("Available");
        context.copies.clear();
        let title = ServicePointsQuery { item_id: None, instance_id: Some(INSTANCE), ..query() };
        assert_eq!(shown(&context, &records(), &title), [""; 0]);
        let titles = with_titles(records(), true);
        assert_eq!(shown(&context, &titles, &title), ["Hold: Branch, Desk"]);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let nothing = RequestContext::default();
        let configuration = Configuration::read(1, &records());
        for (query, message) in [
            (query(), format!("User with ID {READER} was not found")),
            (
                ServicePointsQuery { instance_id: Some(INSTANCE), ..query() },
                format!("Instance with ID {INSTANCE} was not found"),
            ),
            (ServicePointsQuery { request_id: Some(DESK), ..query() }, format!("Request with ID {DESK} was not found")),
            (
                ServicePointsQuery { patron_group_id: Some(STAFF), ..query() },
                format!("Item with id={ITEM} cannot be found"),
            ),
        ] {
            let refused = allowed(&nothing, &configuration, &query).expect_err("a refusal");
            assert_eq!(refused.message(), message);
        }
    }
}
