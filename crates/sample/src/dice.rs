//! Reproducible chance: the same seed, kind of record and number always give the same draws and ids, in whatever order
//! the records are made.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use uuid::Uuid;

/// The draws for one record.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// The draws for record `number` of a kind.
    pub fn new(seed: u64, kind: &str, number: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&hash(kind).to_le_bytes());
        key[16..24].copy_from_slice(&number.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number from `from` to `to`, both included.
    pub fn between(&mut self, from: u32, to: u32) -> u32 {
        self.0.random_range(from..=to.max(from))
    }

    /// An index into a list of `length` entries, which must not be empty.
    pub fn place(&mut self, length: usize) -> usize {
        self.0.random_range(0..length)
    }

    /// One of the list, which must not be empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.place(list.len())]
    }

    /// True in `parts` of a thousand cases.
    pub(crate) fn per_mille(&mut self, parts: u32) -> bool {
        self.0.random_range(0..1000) < parts
    }

    /// The index of one of the weights, heavier ones more often. The weights must not all be zero.
    pub(crate) fn weighted(&mut self, weights: impl Iterator<Item = u32> + Clone) -> usize {
        let total: u32 = weights.clone().sum();
        let mut left = self.0.random_range(0..total);
        for (place, weight) in weights.enumerate() {
            if left < weight {
                return place;
            }
            left -= weight;
        }
        0
    }
}

/// Makes the ids of a library's records.
#[derive(Debug, Clone, Copy)]
pub struct Ids {
    namespace: Uuid,
}

impl Ids {
    /// The ids of a seed.
    pub fn new(seed: u64) -> Self {
        let name = format!("carrel sample library {seed}");
        Self { namespace: Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()) }
    }

    /// The id of record `number` of a kind.
    pub fn numbered(&self, kind: &str, number: u64) -> Uuid {
        self.named(&format!("{kind} {number}"))
    }

    /// The id of the record with that name.
    pub fn named(&self, name: &str) -> Uuid {
        Uuid::new_v5(&self.namespace, name.as_bytes())
    }
}

/// FNV-1a: its result must never change, and that of the standard library's hash may.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(seed: u64, kind: &str, number: u64) -> Vec<u32> {
        let mut dice = Dice::new(seed, kind, number);
        (0..8).map(|_| dice.between(0, u32::MAX)).collect()
    }

    #[test]
    fn draws_repeat_and_differ_by_seed_kind_and_number() {
        let first = draws(1, "user", 1);
        assert_eq!(first, draws(1, "user", 1));
        for other in [draws(2, "user", 1), draws(1, "item", 1), draws(1, "user", 2)] {
            assert_ne!(first, other);
        }
    }

    #[test]
    fn draws_do_not_change_with_the_program() {
        assert_eq!(draws(1, "user", 1)[..2], [4_079_707_305, 1_375_522_915]);
        assert_eq!(Ids::new(1).numbered("user", 1).to_string(), "687244f7-d44f-599d-9aa8-8266807dbbbd");
    }

    #[test]
    fn heavier_weights_come_more_often() {
        let mut dice = Dice::new(1, "weights", 0);
        let mut seen = [0; 3];
        for _ in 0..1000 {
            seen[dice.weighted([1, 0, 9].into_iter())] += 1;
        }
        assert!(seen[2] > 800 && seen[0] > 50 && seen[1] == 0, "{seen:?}");
    }
}
