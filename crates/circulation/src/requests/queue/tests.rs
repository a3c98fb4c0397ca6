//! After any change to a queue, its positions are 1…n.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{
    requests::reorder::{NewPlace, QueueOwner, reorder},
    testing::{INSTANCE, ITEM, READER, request},
};

/// A change to a queue; the number selects a request.
#[derive(Debug, Clone, Copy)]
enum Event {
    Placed { of_title: bool },
    Left(usize),
    Filling(usize),
    Turned(usize),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => any::<bool>().prop_map(|of_title| Event::Placed { of_title }),
        2 => any::<usize>().prop_map(Event::Left),
        1 => any::<usize>().prop_map(Event::Filling),
        1 => any::<usize>().prop_map(Event::Turned),
    ]
}

fn queued(id: u128, position: i64) -> QueuedRequest {
    serde_json::from_value(request(id, READER, position)).expect("a request")
}

/// The rows as the database returns them after the moved requests are written.
fn written(mut rows: Vec<QueuedRequest>, moved: &[Moved]) -> Vec<QueuedRequest> {
    for row in &mut rows {
        if let Some(place) = moved.iter().find(|moved| moved.id == row.request.id()) {
            row.request.set_position(place.position);
        }
    }
    rows
}

fn after(rows: Vec<QueuedRequest>, event: Event, id: u128, titles: bool) -> Vec<QueuedRequest> {
    let queue = Queue::new(rows.clone(), ITEM, titles);
    let chosen = |number: usize| {
        let index = number.checked_rem(queue.len()).unwrap_or_default();
        queue.requests().nth(index).map(|queued| queued.request.id())
    };
    match event {
        Event::Placed { of_title } => {
            let mut new = queued(id, queue.next_place());
            if of_title {
                new.request.set_level("Title");
            }
            let mut rows = written(rows, &queue.moved());
            rows.push(new);
            rows
        }
        Event::Left(number) => match chosen(number) {
            None => rows,
            Some(left) => {
                let moved = queue.without(left).moved();
                let stays = rows.into_iter().filter(|row| row.request.id() != left);
                written(stays.collect(), &moved)
            }
        },
        Event::Filling(number) => match chosen(number) {
            None => rows,
            Some(filling) => {
                let moved = queue.ahead_of_unfilled(filling);
                let mut rows = written(rows, &moved);
                for row in rows.iter_mut().filter(|row| row.request.id() == filling) {
                    row.request.set_status(RequestStatus::AwaitingPickup);
                }
                rows
            }
        },
        Event::Turned(by) => {
            let owner = if titles { QueueOwner::Title(INSTANCE) } else { QueueOwner::Item(ITEM) };
            let ids: Vec<Uuid> = queue.requests().map(|q| q.request.id()).collect();
            let turned = (0..ids.len()).map(|place| ids[(place + by % ids.len()) % ids.len()]);
            let order = turned.zip(1..).map(|(id, new_position)| NewPlace { id, new_position });
            let order: Vec<_> = order.collect();
            let moved = reorder(&queue, owner, titles, &order).unwrap_or_default();
            written(rows, &moved)
        }
    }
}

proptest! {
    #[test]
    fn positions_are_one_to_n_after_anything(
        events in prop::collection::vec(event(), 0..40),
        titles: bool,
    ) {
        let mut rows = Vec::new();
        for (event, id) in events.into_iter().zip(1..) {
            rows = after(rows, event, id, titles);
            let mut places: Vec<_> = rows.iter().filter_map(|row| row.request.position()).collect();
            places.sort_unstable();
            prop_assert!(places.iter().copied().eq((1..).take(rows.len())), "{event:?}: {places:?}");
        }
    }

    #[test]
    fn gaps_of_old_records_close_with_the_first_change(positions in prop::collection::vec(1_i64..50, 1..8)) {
        let rows: Vec<_> = (1..).zip(&positions).map(|(id, place)| queued(id, *place)).collect();
        let rows = after(rows, Event::Placed { of_title: false }, 99, false);
        let mut places: Vec<_> = rows.iter().filter_map(|row| row.request.position()).collect();
        places.sort_unstable();
        prop_assert!(places.iter().copied().eq((1..).take(rows.len())), "{places:?}");
    }
}

#[test]
fn a_queue_is_that_of_an_item_or_of_its_title() {
    let mut of_title = request(2, READER, 2);
    of_title["request"]["requestLevel"] = json!("Title");
    let rows = vec![queued(1, 1), serde_json::from_value(of_title).expect("a request")];
    assert_eq!(Queue::new(rows.clone(), ITEM, false).len(), 1);
    assert_eq!(Queue::new(rows, ITEM, true).len(), 2);
}

#[test]
fn a_request_that_moves_ahead_leaves_gaps_to_those_who_have_them() {
    let rows = vec![queued(1, 1), queued(2, 3)];
    let ids = [rows[0].request.id(), rows[1].request.id()];
    let moved = Queue::new(rows.clone(), ITEM, false).ahead_of_unfilled(ids[1]);
    let places: Vec<_> = moved.iter().map(|moved| (moved.id, moved.position)).collect();
    assert_eq!(places, [(ids[1], 1), (ids[0], 3)]);
    assert_eq!(Queue::new(rows, ITEM, false).ahead_of_unfilled(ids[0]), []);
}
