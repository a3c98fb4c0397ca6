//! Ids of records that Carrel makes itself.

use uuid::{Uuid, Version};

/// The id of a new record: random, but in the order of time, so that the records of one day are neighbours in every
/// index and a desk's work touches the same few pages however long its history is.
///
/// It is a version 7 UUID (RFC 9562) that says it is of version 4: FOLIO's schemas allow versions 1 to 5 only.
/// `carrel.new_id()` is the same in SQL.
pub fn new_id() -> Uuid {
    let mut bytes = Uuid::now_v7().into_bytes();
    bytes[6] = (bytes[6] & 0x0f) | (Version::Random as u8) << 4;
    Uuid::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_of_a_version_that_folio_allows_and_grow_with_time() {
        let before = Uuid::now_v7();
        let ids: Vec<_> = (0..1_000).map(|_| new_id()).collect();
        let after = Uuid::now_v7();
        let time = |id: &Uuid| id.as_u128() >> 80;
        for id in &ids {
            assert_eq!(id.get_version(), Some(Version::Random), "{id}");
            assert!((time(&before)..=time(&after)).contains(&time(id)), "{id}");
        }
        let mut unique = ids.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), ids.len());
    }
}
