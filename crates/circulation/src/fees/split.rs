//! Division of an amount among accounts (docs/folio/fees-fines.md#what-actions-do): evenly, rounded down, smallest
//! account first; an excess passes to the following accounts.

use rust_decimal::{Decimal, RoundingStrategy};

use super::money;

/// The share of each of `rooms`, in their order. No share exceeds its room, and the shares add up to `total` if the
/// rooms suffice.
pub(super) fn split(total: Decimal, rooms: &[Decimal]) -> Vec<Decimal> {
    let mut parts = vec![Decimal::ZERO; rooms.len()];
    let mut smallest_first: Vec<usize> = (0..rooms.len()).collect();
    smallest_first.sort_by_key(|place| rooms[*place]);
    let mut left = total.min(money::sum(rooms.iter().copied()));
    for (done, place) in smallest_first.iter().enumerate() {
        let even = evenly(left, rooms.len() - done);
        parts[*place] = even.min(rooms[*place]).max(Decimal::ZERO);
        left -= parts[*place];
    }
    parts
}

/// The share of each of `rooms` when each is filled before the next.
pub(super) fn fill(total: Decimal, rooms: &[Decimal]) -> Vec<Decimal> {
    let mut left = total;
    let take = |room: &Decimal| {
        let part = left.min(*room).max(Decimal::ZERO);
        left -= part;
        part
    };
    rooms.iter().map(take).collect()
}

/// Rounds down, so that the remainder fits into the later rooms, which are no smaller.
fn evenly(amount: Decimal, pieces: usize) -> Decimal {
    (amount / Decimal::from(pieces)).round_dp_with_strategy(2, RoundingStrategy::ToZero)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn euros(cents: &[i64]) -> Vec<Decimal> {
        cents.iter().map(|c| Decimal::new(*c, 2)).collect()
    }

    #[test]
    fn amounts_are_divided_to_the_cent() {
        for (total, rooms, expected) in [
            (0, vec![], vec![]),
            (500, vec![500], vec![500]),
            (500, vec![300, 300], vec![250, 250]),
            (1000, vec![100, 1000, 1000], vec![100, 450, 450]),
            (1000, vec![1000, 100, 1000], vec![450, 100, 450]),
            (1, vec![5, 5, 5], vec![0, 0, 1]),
            (100, vec![100, 100, 100], vec![33, 33, 34]),
            (600, vec![100, 200, 300], vec![100, 200, 300]),
        ] {
            assert_eq!(split(Decimal::new(total, 2), &euros(&rooms)), euros(&expected), "{total} among {rooms:?}");
        }
    }

    #[test]
    fn in_order_the_first_take_what_they_can() {
        for (total, rooms, expected) in [
            (0, vec![500], vec![0]),
            (800, vec![500, 1000], vec![500, 300]),
            (1500, vec![500, 1000], vec![500, 1000]),
            (400, vec![500, 1000], vec![400, 0]),
        ] {
            let parts = fill(Decimal::new(total, 2), &euros(&rooms));
            assert_eq!(parts, euros(&expected), "{total} among {rooms:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_lost_and_nobody_gets_too_much(
            rooms in proptest::collection::vec(0_i64..100_000, 1..12), share in 0_i64..=1000
        ) {
            let total = rooms.iter().sum::<i64>() * share / 1000;
            let parts = split(Decimal::new(total, 2), &euros(&rooms));
            proptest::prop_assert_eq!(money::sum(parts.iter().copied()), Decimal::new(total, 2));
            for (part, room) in parts.iter().zip(euros(&rooms)) {
                proptest::prop_assert!(*part >= Decimal::ZERO && *part <= room);
            }
        }
    }
}
