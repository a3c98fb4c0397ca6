use serde_json::json;

use super::*;
use crate::{
    records::QueuedRequest,
    testing::{INSTANCE, ITEM, READER, request, with},
};

fn queue(members: &[serde_json::Value], titles: bool) -> Queue {
    let requests = members.iter().zip(1..).map(|(members, place)| {
        let mut row = request(place, READER, i64::try_from(place).expect("a small number"));
        row["request"] = with(row["request"].clone(), members.clone());
        serde_json::from_value::<QueuedRequest>(row).expect("a request")
    });
    Queue::new(requests.collect(), ITEM, titles)
}

fn order(places: &[(u128, i64)]) -> Vec<NewPlace> {
    let place = |(id, new_position): &(u128, i64)| NewPlace { id: Uuid::from_u128(*id), new_position: *new_position };
    places.iter().map(place).collect()
}

#[test]
fn only_a_whole_new_order_is_taken() {
    let waiting = [json!({}), json!({}), json!({})];
    let item = QueueOwner::Item(ITEM);
    let title = QueueOwner::Title(INSTANCE);
    let other = [(1, 1), (2, 2), (9, 3)];
    for (titles, owner, places, refusal) in [
        (true, item, &[(1, 1)][..], item.wrong_queue()),
        (false, title, &[(1, 1)], title.wrong_queue()),
        (false, item, &[(1, 1), (2, 2), (3, 4)], POSITIONS_WITH_GAPS.into()),
        (false, item, &[(1, 0), (2, 1), (3, 2)], POSITIONS_WITH_GAPS.into()),
        (false, item, &[(1, 1), (2, 1), (3, 2)], POSITIONS_WITH_GAPS.into()),
        (false, item, &[(1, 1), (2, 2)], OTHER_REQUESTS.into()),
        (false, item, &other, OTHER_REQUESTS.into()),
        (false, item, &[(1, 1), (1, 2), (2, 3)], OTHER_REQUESTS.into()),
    ] {
        let decided = reorder(&queue(&waiting, titles), owner, titles, &order(places));
        assert_eq!(decided, Err(refusal), "{places:?}");
    }
    let empty = reorder(&queue(&[], false), item, false, &[]);
    assert!(empty.is_err_and(|refusal| refusal.is(NO_QUEUE)));
}

#[test]
fn what_has_begun_is_not_overtaken() {
    let page = json!({"requestType": "Page"});
    let shelf = json!({"status": "Open - Awaiting pickup"});
    let transit = json!({"status": "Open - In transit"});
    let (item, title) = (QueueOwner::Item(ITEM), QueueOwner::Title(INSTANCE));
    let swapped = [(1, 2), (2, 1)];
    let turned = [(1, 2), (2, 1), (3, 3)];
    let overtaken = [(1, 1), (2, 3), (3, 2)];
    for (owner, waiting, places, expected) in [
        (item, vec![page.clone(), json!({})], &swapped[..], Some(PAGE_NOT_FIRST)),
        (title, vec![page, json!({})], &swapped, None),
        (item, vec![shelf.clone(), json!({})], &swapped, Some(BEGUN_NOT_FIRST)),
        (title, vec![shelf.clone(), transit.clone(), json!({})], &turned, None),
        (title, vec![shelf, transit, json!({})], &overtaken, Some(BEGUN_NOT_AT_TOP)),
    ] {
        let titles = owner == title;
        let decided = reorder(&queue(&waiting, titles), owner, titles, &order(places));
        assert_eq!(decided.err(), expected.map(Refusal::from), "{waiting:?}");
    }
}

#[test]
fn only_requests_that_move_are_named() {
    let waiting = [json!({}), json!({}), json!({})];
    let moved = reorder(&queue(&waiting, false), QueueOwner::Item(ITEM), false, &order(&[(3, 2), (1, 1), (2, 3)]));
    let mut moved = moved.expect("a new order");
    moved.sort_by_key(|moved| moved.position);
    let named: Vec<_> = moved.iter().map(|m| (m.id.as_u128(), m.position)).collect();
    assert_eq!(named, [(3, 2), (2, 3)]);
}
