//! The inventory: titles, their holdings and items.
//!
//! It is made one shelf at a time, twenty titles with everything that belongs to them. So a library of any size needs
//! the memory of one shelf, and shelves can be made in any order.

mod item;
mod title;

use serde_json::{Value, json};

pub(crate) use item::loan_type;

use crate::{
    dice::Dice,
    library::Library,
    places::Place,
    work::{Kind, Work},
};
use title::call_number;

/// Titles on one shelf.
const TITLES: u64 = 20;
/// Of a thousand titles with several copies, how many have some at a second location.
const SPLIT: u32 = 300;

/// Twenty titles with their holdings, items and loans, as a client would post them.
#[derive(Debug, Default, PartialEq)]
pub struct Shelf {
    pub instances: Vec<Value>,
    pub holdings: Vec<Value>,
    pub items: Vec<Value>,
    /// Open and closed loans of the items.
    pub loans: Vec<Value>,
}

/// What items need of their holdings record.
struct Holding<'a> {
    id: String,
    place: Place,
    work: &'a Work,
}

impl Library {
    /// The number of shelves.
    pub fn shelves(&self) -> u32 {
        self.plan.instances.div_ceil(TITLES as u32)
    }

    /// Shelf `number`, counted from 0.
    pub fn shelf(&self, number: u32) -> Shelf {
        let titles = self.titles(number);
        let items = self.items_before(titles.end) - self.items_before(titles.start);
        let mut works: Vec<_> = titles.clone().map(|title| self.work(title)).collect();
        if items > 0 && works.iter().all(|work| work.kind == Kind::Ebook) {
            works[0].kind = Kind::Book;
        }
        let copies = copies(&works, items, &mut self.dice("shelf", number.into()));
        let mut shelf = Shelf::default();
        let mut next_item = self.items_before(titles.start);
        for (work, copies) in works.iter().zip(copies) {
            shelf.instances.push(self.instance(work));
            self.stock(&mut shelf, work, copies, next_item);
            next_item += copies;
        }
        shelf
    }

    /// The greatest HRID numbers of instances, holdings and items.
    pub fn last_numbers(&self) -> [u64; 3] {
        let instances = u64::from(self.plan.instances);
        [instances, instances * 2, self.plan.items.into()]
    }

    fn titles(&self, shelf: u32) -> std::ops::Range<u64> {
        let first = u64::from(shelf) * TITLES;
        first..(first + TITLES).min(self.plan.instances.into())
    }

    /// Number of items before a title.
    fn items_before(&self, title: u64) -> u64 {
        u64::from(self.plan.items) * title / u64::from(self.plan.instances.max(1))
    }

    /// Adds the holdings and items of a title.
    fn stock(&self, shelf: &mut Shelf, work: &Work, copies: u64, first_item: u64) {
        let mut dice = self.dice("stock", work.number);
        let place = Place::of(work, &mut dice);
        let elsewhere = match copies > 1 && work.kind == Kind::Book && dice.per_mille(SPLIT) {
            true => Place::elsewhere(place, &mut dice),
            false => None,
        };
        let there = elsewhere.map_or(0, |_| copies / 2);
        let main = self.hold(shelf, work, place, 0);
        for copy in 0..copies - there {
            self.add_item(shelf, &main, copy, first_item + copy);
        }
        if let Some(place) = elsewhere {
            let other = self.hold(shelf, work, place, 1);
            for copy in 0..there {
                self.add_item(shelf, &other, copy, first_item + copies - there + copy);
            }
        }
    }

    /// Adds a holdings record; a title has at most two.
    fn hold<'a>(&self, shelf: &mut Shelf, work: &'a Work, place: Place, which: u64) -> Holding<'a> {
        let number = work.number * 2 + which;
        let id = self.id("holdings", number).to_string();
        let call_number = call_number(work, place);
        let mut record = json!({"id": id, "hrid": format!("ho{:011}", number + 1),
            "instanceId": self.id("instance", work.number),
            "sourceId": self.reference.id("holdings-sources/FOLIO"),
            "permanentLocationId": self.location(place),
            "holdingsTypeId": self.reference.id(work.kind.holdings_type()),
            "callNumberTypeId": self.reference.id(call_number.scheme),
            "callNumber": call_number.number});
        if work.kind == Kind::Serial {
            record["holdingsStatements"] = json!([{"statement": format!("v.1({})-", work.year)}]);
        }
        shelf.holdings.push(record);
        Holding { id, place, work }
    }
}

/// Number of copies of each title: one each while they last, the rest by demand.
fn copies(works: &[Work], items: u64, dice: &mut Dice) -> Vec<u64> {
    let mut copies = vec![0; works.len()];
    let mut left = items;
    for (work, copies) in works.iter().zip(&mut copies) {
        if work.kind != Kind::Ebook && left > 0 {
            *copies = 1;
            left -= 1;
        }
    }
    while left > 0 {
        copies[dice.weighted(works.iter().map(Work::demand))] += 1;
        left -= 1;
    }
    copies
}
