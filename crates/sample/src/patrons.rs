//! Patrons: who they are, their group, and until when they may borrow.

use jiff::{ToSpan, civil::Date};
use serde_json::{Value, json};

use crate::{
    barcode::{Holder, barcode},
    dice::Dice,
    library::Library,
    settings::{Action, Part},
    words::WORDS,
};

/// Groups, each with its share of a hundred patrons.
const GROUPS: [(&str, u32); 4] = [("undergrad", 70), ("graduate", 15), ("faculty", 9), ("staff", 6)];

const DEPARTMENTS: [&str; 10] = [
    "Biology",
    "Computer Science",
    "Economics",
    "English",
    "History",
    "Law",
    "Library",
    "Mathematics",
    "Music",
    "Physics",
];

/// Of a thousand registrations, how many have expired.
const EXPIRED: u32 = 40;
/// One in this many patrons has a manual block or is a proxy.
const SOME: u32 = 200;

/// What matters about a patron at the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Name of the patron group.
    pub group: &'static str,
    /// Whether the registration has expired.
    pub expired: bool,
}

impl Library {
    /// What matters about patron `number` at the desk.
    pub fn standing(&self, number: u32) -> Standing {
        standing(&mut self.dice("user", number.into()))
    }

    /// The record of patron `number`, counted from 0.
    pub fn user(&self, number: u32) -> Value {
        let mut dice = self.dice("user", number.into());
        let Standing { group, expired } = standing(&mut dice);
        let (first, last) = WORDS.person(&mut dice);
        let username = username(first, last, number);
        let today = self.plan.today();
        let mut user = json!({
            "id": self.id("user", number.into()), "username": username,
            "externalSystemId": format!("{}@example.edu", number + 100_000),
            "barcode": barcode(Holder::Patron, u64::from(number) + 1), "active": !expired, "type": "patron",
            "patronGroup": self.reference.id(&format!("groups/{group}")),
            "departments": [self.department(&mut dice)],
            "enrollmentDate": midnight(before(today, dice.between(30, 1500))),
            "expirationDate": midnight(expiry(today, expired, &mut dice))});
        user["personal"] = self.personal(first, last, &username, &mut dice);
        user
    }

    /// An active patron.
    pub(crate) fn borrower(&self, dice: &mut Dice) -> Option<u32> {
        let last = self.plan.users.checked_sub(1)?;
        (0..20).map(|_| dice.between(0, last)).find(|number| !self.standing(*number).expired)
    }

    fn department(&self, dice: &mut Dice) -> &str {
        let name = dice.pick(&DEPARTMENTS);
        self.reference.id(&format!("departments/{name}"))
    }

    fn personal(&self, first: &str, last: &str, username: &str, dice: &mut Dice) -> Value {
        let mut personal = json!({"lastName": last, "firstName": first,
            "email": format!("{username}@example.edu"),
            "phone": format!("555-01{:02}", dice.between(0, 99)),
            "addresses": [self.address(dice)], "preferredContactTypeId": "002"});
        if dice.per_mille(200) {
            let initial = char::from(b'A' + u8::try_from(dice.place(26)).unwrap_or(0));
            personal["middleName"] = format!("{initial}.").into();
        }
        personal
    }

    fn address(&self, dice: &mut Dice) -> Value {
        let street = dice.pick(&WORDS.streets);
        json!({"countryId": "US", "addressLine1": format!("{} {}", dice.between(1, 999), street.name),
            "city": street.city, "region": street.region, "postalCode": street.postal_code,
            "addressTypeId": self.reference.id("addresstypes/Home"), "primaryAddress": true})
    }

    /// The records that refer to patrons: manual blocks and proxies.
    pub fn relations(&self) -> Vec<Part> {
        let every = |first: u32| (first..self.plan.users).step_by(SOME as usize);
        let blocks = every(13).map(|number| self.manual_block(number));
        let proxies = every(29).filter_map(|number| self.proxy(number));
        let part = |path, records| Part { path, action: Action::Add, records };
        vec![part("/manualblocks", blocks.collect()), part("/proxiesfor", proxies.collect())]
    }

    fn manual_block(&self, number: u32) -> Value {
        json!({"id": self.id("manual block", number.into()), "userId": self.id("user", number.into()),
            "type": "Manual", "desc": "The address is out of date", "staffInformation": "Letters come back",
            "patronMessage": "Please tell us your new address at the desk", "borrowing": true, "renewals": false,
            "requests": true})
    }

    /// The next faculty member sponsors the next graduate student.
    fn proxy(&self, number: u32) -> Option<Value> {
        let next = |group| {
            (number..self.plan.users)
                .take(SOME as usize)
                .find(|number| self.standing(*number) == Standing { group, expired: false })
        };
        let (sponsor, proxy) = (next("faculty")?, next("graduate")?);
        Some(json!({"id": self.id("proxy", number.into()), "userId": self.id("user", sponsor.into()),
            "proxyUserId": self.id("user", proxy.into()), "requestForSponsor": "Yes",
            "notificationsTo": "Proxy", "accrueTo": "Sponsor", "status": "Active"}))
    }
}

/// The first draws of a patron's dice.
fn standing(dice: &mut Dice) -> Standing {
    let group = GROUPS[dice.weighted(GROUPS.iter().map(|(_, weight)| *weight))].0;
    let expired = dice.per_mille(EXPIRED);
    Standing { group, expired }
}

fn username(first: &str, last: &str, number: u32) -> String {
    let initial = first.chars().next().unwrap_or('x');
    let plain = format!("{initial}{last}").to_lowercase().replace('ü', "ue");
    format!("{plain}{}", number + 1)
}

fn expiry(today: Date, expired: bool, dice: &mut Dice) -> Date {
    if expired {
        before(today, dice.between(1, 900))
    } else {
        today.saturating_add(i64::from(dice.between(60, 1400)).days())
    }
}

fn before(today: Date, days: u32) -> Date {
    today.saturating_sub(i64::from(days).days())
}

fn midnight(date: Date) -> String {
    format!("{date}T00:00:00.000+00:00")
}
