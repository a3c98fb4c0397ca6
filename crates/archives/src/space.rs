//! How many containers fit in locations (contract 3.4).

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use store::{
    Session,
    statements::archives::{BUILDINGS, LOCATION_SPACE, READ_RECORDS},
};

use crate::{model::Uri, refusal::Refusal};

/// Counting ends there.
const MOST: u64 = 100_000;

/// Which locations are meant.
#[derive(Debug)]
pub enum Where {
    Locations(Vec<i64>),
    /// A building, and its floor, room and area as far as they are given.
    Building([Option<String>; 4]),
}

/// Width, height and depth in millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Size([f64; 3]);

impl Size {
    /// The measures of a profile; `None` if one is missing.
    fn of(profile: &Value) -> Option<Self> {
        let unit = match profile["dimension_units"].as_str() {
            None | Some("inches") => 25.4,
            Some("feet") => 304.8,
            Some("yards") => 914.4,
            Some("millimeters") => 1.0,
            Some("centimeters") => 10.0,
            Some("meters") => 1000.0,
            Some(_) => return None,
        };
        let measure = |name: &str| Some(profile[name].as_str()?.trim().parse::<f64>().ok()? * unit);
        Some(Self([measure("width")?, measure("height")?, measure("depth")?]))
    }

    fn is_bigger(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(own, other)| *own > other)
    }
}

/// A shelf that is filled from one side: containers of one kind stand in piles, one on the other and one behind the other, and
/// piles stand beside each other.
struct Shelf {
    size: Size,
    used_width: f64,
    /// How many fit in the last pile of a kind, by the name of the kind.
    free: HashMap<String, u64>,
}

impl Shelf {
    /// Puts a container; returns whether there was room.
    fn put(&mut self, name: &str, container: Size, stacked_at_most: Option<u64>) -> bool {
        if let Some(free) = self.free.get_mut(name).filter(|free| **free > 0) {
            *free -= 1;
            return true;
        }
        let ([width, height, depth], [whole, high, deep]) = (container.0, self.size.0);
        if height > high || depth > deep || self.used_width + width > whole {
            return false;
        }
        self.used_width += width;
        let tower = ((high / height) as u64).min(stacked_at_most.unwrap_or(u64::MAX));
        let pile = tower.saturating_mul((deep / depth) as u64);
        self.free.insert(name.to_owned(), pile.saturating_sub(1));
        true
    }

    fn put_profile(&mut self, profile: &Value) -> bool {
        let Some(size) = Size::of(profile) else { return false };
        let limit = profile["stacking_limit"].as_str().and_then(|limit| limit.parse().ok());
        self.put(profile["name"].as_str().unwrap_or_default(), size, limit)
    }
}

/// What is found for one location.
enum Room {
    Free(u64),
    None(&'static str),
    Unknown(&'static str),
}

fn room(profile: Option<&Value>, held: &[Value], container: &Value) -> Room {
    let Some(profile) = profile else { return Room::Unknown("location_lacks_a_profile") };
    let Some(size) = Size::of(profile) else { return Room::Unknown("location_lacks_dimension_data") };
    if Size::of(container).is_none_or(|container| container.is_bigger(size)) {
        return Room::None("container_is_bigger");
    }
    let mut shelf = Shelf { size, used_width: 0.0, free: HashMap::new() };
    for one in held {
        if one.is_null() {
            return Room::Unknown("container_at_location_lacks_profile");
        }
        if !shelf.put_profile(one) {
            return Room::Unknown("containers_at_location_dont_fit");
        }
    }
    let mut count = 0;
    while count < MOST && shelf.put_profile(container) {
        count += 1;
    }
    if count == 0 { Room::None("location_cannot_fit_container") } else { Room::Free(count) }
}

/// How many containers of a profile fit in which locations. Two round trips.
pub async fn fit(session: &Session, profile: &str, places: &Where) -> Result<Value, Refusal> {
    let missing = || Refusal::parameter("container_profile_uri", "Container profile not found");
    let uri = Uri::parse(profile).filter(|uri| uri.kind.name == "container_profile").ok_or_else(missing)?;
    let found: Vec<Value> = session.values(READ_RECORDS, &[&vec!["container_profile"], &vec![uri.id]]).await?;
    let container = found.into_iter().next().ok_or_else(missing)?;
    let none = [None, None, None, None];
    let (ids, building) = match places {
        Where::Locations(ids) => (Some(ids), &none),
        Where::Building(building) => (None, building),
    };
    let [of, floor, room_of, area] = building;
    let rows = session.query(LOCATION_SPACE, &[&ids, of, floor, room_of, area]).await?;
    let (mut free, mut same) = (0, 0);
    let (mut with, mut without, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for row in &rows {
        let uri = format!("/locations/{}", row.get::<_, i64>("id"));
        let (profile, held): (Option<Value>, Value) = (row.get("profile"), row.get("held"));
        let held = held.as_array().map(Vec::as_slice).unwrap_or_default();
        same += held.iter().filter(|one| one["name"] == container["name"]).count();
        match room(profile.as_ref(), held, &container) {
            Room::Free(count) => {
                free += count;
                with.push(json!({"ref": uri, "count": count}));
            }
            Room::None(why) => without.push(json!({"ref": uri, "reason": why})),
            Room::Unknown(why) => unknown.push(json!({"ref": uri, "reason": why})),
        }
    }
    Ok(json!({"container_profile": {"ref": profile}, "total_spaces_available": free, "total_containers_of_type": same,
        "locations_with_space": with, "locations_without_space": without, "uncalculatable_locations": unknown}))
}

/// All buildings with their floors, rooms and areas. One round trip.
pub async fn buildings(session: &Session) -> Result<Value, Refusal> {
    let mut all = Map::new();
    for row in &session.query(BUILDINGS, &[]).await? {
        let text = |name: &str| row.get::<_, String>(name);
        let floors = all.entry(text("building")).or_insert_with(|| json!({}));
        let areas = &mut floors[text("floor")][text("room")];
        if areas.is_null() {
            *areas = json!([]);
        }
        if let (Some(area), Some(areas)) = (row.get::<_, Option<String>>("area"), areas.as_array_mut()) {
            areas.push(area.into());
        }
    }
    Ok(all.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(name: &str, size: [&str; 3], limit: Option<&str>) -> Value {
        let mut profile = json!({"name": name, "dimension_units": "inches", "width": size[0], "height": size[1],
            "depth": size[2]});
        if let Some(limit) = limit {
            profile["stacking_limit"] = limit.into();
        }
        profile
    }

    fn free(found: Room) -> Result<u64, &'static str> {
        match found {
            Room::Free(count) => Ok(count),
            Room::None(why) | Room::Unknown(why) => Err(why),
        }
    }

    #[test]
    fn containers_stand_in_piles() {
        let shelf = profile("shelf", ["10", "6", "8"], None);
        let held = [profile("other", ["3", "5", "8"], None)];
        for (size, limit, held, expected) in [
            // Five wide, two high, two deep.
            (["2", "3", "4"], None, &held[..0], Ok(20)),
            (["2", "3", "4"], Some("1"), &held[..0], Ok(10)),
            // Beside three inches of another kind.
            (["2", "3", "4"], None, &held[..], Ok(12)),
            (["8", "3", "4"], None, &held[..], Err("location_cannot_fit_container")),
            (["11", "3", "4"], None, &held[..0], Err("container_is_bigger")),
        ] {
            assert_eq!(free(room(Some(&shelf), held, &profile("box", size, limit))), expected, "{size:?}");
        }
    }

    #[test]
    fn what_is_not_known_is_said() {
        let shelf = profile("shelf", ["10", "6", "8"], None);
        let small = profile("box", ["1", "1", "1"], None);
        let wide = profile("wide", ["11", "1", "1"], None);
        let mut unmeasured = shelf.clone();
        unmeasured["width"] = Value::Null;
        for (shelf, held, expected) in [
            (None, vec![], "location_lacks_a_profile"),
            (Some(&unmeasured), vec![], "location_lacks_dimension_data"),
            (Some(&shelf), vec![Value::Null], "container_at_location_lacks_profile"),
            (Some(&shelf), vec![wide], "containers_at_location_dont_fit"),
        ] {
            assert_eq!(free(room(shelf, &held, &small)), Err(expected));
        }
    }
}
