//! Ids for records that Carrel creates.

use uuid::{Uuid, Version};

/// The id of a new record: random but ordered by time, so that the records of a day are neighbours in every index, and
/// the desk's work touches the same few pages however long its history is.
///
/// It is a version 7 UUID (RFC 9562) marked as version 4, because FOLIO's schemas allow only versions 1 to 5.
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
