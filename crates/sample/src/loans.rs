//! Open and closed loans.

use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date, tz::TimeZone};
use serde_json::{Value, json};
use store::record::print_instant;
use vocabulary::{ItemStatus, LoanAction, LoanStatus};

use crate::{dice::Dice, inventory::loan_type, library::Library, places::Place, work::Work};

/// Of a thousand items, at most this many are on loan …
const ON_LOAN: u32 = 40;
/// … and at most this many for each patron.
const EACH: u64 = 2;
/// Of a thousand open loans, how many are overdue.
const OVERDUE: u32 = 80;
/// Closed loans are at least this many days old, so that they never overlap an open one.
const LONG_AGO: u32 = 400;

/// The length of a loan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    Days(u32),
    Hours(u32),
    /// Until the end of the semester.
    Semester,
}

/// The policies of a loan, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    pub loan: &'static str,
    pub overdue: &'static str,
    pub lost: &'static str,
    /// The length by the loan policy.
    pub length: Length,
}

/// The outcome of the sample library's circulation rules; `None` for items that are not loanable.
pub fn terms(material: &str, loan_type: &str, group: &str) -> Option<Terms> {
    let (loan, overdue, lost, length) = match (loan_type, material, group) {
        ("Course reserves", ..) => {
            ("Course reserves, two hours", "One dollar an hour", "Lost after three days", Length::Hours(2))
        }
        ("Reading room", ..) | (_, "electronic resource", _) => return None,
        (_, "book", "graduate") => ("Books, eight weeks", DAILY, LOST, Length::Days(56)),
        (_, "book", "faculty" | "staff") => ("Books, semester", "Overdue fine policy", LOST, Length::Semester),
        (_, "dvd" | "video recording" | "sound recording", _) => ("Discs, one week", DAILY, LOST, Length::Days(7)),
        (_, "text" | "microform", _) => ("Journals, three days", DAILY, LOST, Length::Days(3)),
        _ => ("Books, four weeks", DAILY, LOST, Length::Days(28)),
    };
    Some(Terms { loan, overdue, lost, length })
}

const DAILY: &str = "25 cents a day";
const LOST: &str = "Lost after six weeks";

impl Library {
    /// The loans of item `number`: possibly an open one, and closed ones.
    pub(crate) fn loans(&self, work: &Work, place: Place, number: u64, dice: &mut Dice) -> Vec<Value> {
        let rate = self.on_loan_per_thousand() * if work.popular { 2 } else { 1 };
        let mut loans = Vec::new();
        if dice.per_mille(rate * 3) {
            for past in 0..dice.between(1, 3) {
                loans.extend(self.closed_loan(work, place, number, past, dice));
            }
        }
        if dice.per_mille(rate) {
            loans.extend(self.open_loan(work, place, number, dice));
        }
        loans
    }

    fn on_loan_per_thousand(&self) -> u32 {
        let all = u64::from(self.plan.users) * EACH * 1000;
        let share = all / u64::from(self.plan.items.max(1));
        u32::try_from(share).unwrap_or(ON_LOAN).min(ON_LOAN)
    }

    fn open_loan(&self, work: &Work, place: Place, number: u64, dice: &mut Dice) -> Option<Value> {
        let (borrower, terms, mut loan) = self.new_loan(work, place, dice)?;
        if matches!(terms.length, Length::Hours(_)) {
            return None;
        }
        let overdue = dice.per_mille(OVERDUE);
        let loaned = self.loan_date(terms.length, overdue, dice);
        loan["id"] = self.id("loan", number).to_string().into();
        loan["itemId"] = self.id("item", number).to_string().into();
        loan["userId"] = self.id("user", borrower.into()).to_string().into();
        loan["loanDate"] = print_instant(loaned).into();
        loan["dueDate"] = print_instant(due(loaned, terms.length)).into();
        Some(loan)
    }

    fn closed_loan(&self, work: &Work, place: Place, number: u64, past: u32, dice: &mut Dice) -> Option<Value> {
        let (borrower, terms, mut loan) = self.new_loan(work, place, dice)?;
        let loaned = self.opening_time(LONG_AGO + 100 * past + dice.between(0, 20), dice);
        let kept = SignedDuration::from_hours(dice.between(1, 24 * 70).into());
        let returned = print_instant(loaned.saturating_add(kept).unwrap_or(loaned));
        loan["id"] = self.id("loan of the past", number * 10 + u64::from(past)).to_string().into();
        loan["itemId"] = self.id("item", number).to_string().into();
        loan["userId"] = self.id("user", borrower.into()).to_string().into();
        loan["loanDate"] = print_instant(loaned).into();
        loan["dueDate"] = print_instant(due(loaned, terms.length)).into();
        loan["status"] = json!({"name": LoanStatus::Closed});
        loan["action"] = json!(LoanAction::CheckedIn);
        loan["itemStatus"] = json!(ItemStatus::Available);
        loan["returnDate"] = returned.clone().into();
        loan["systemReturnDate"] = returned.into();
        loan["checkinServicePointId"] = self.desk(place).into();
        Some(loan)
    }

    /// A patron, the terms and everything that does not depend on dates.
    fn new_loan(&self, work: &Work, place: Place, dice: &mut Dice) -> Option<(u32, Terms, Value)> {
        let borrower = self.borrower(dice)?;
        let group = self.standing(borrower).group;
        let terms = terms(work.kind.material(), loan_type(place), group)?;
        let policy = |kind: &str, name: &str| self.reference.id(&format!("{kind}/{name}")).to_owned();
        let loan = json!({"id": null, "userId": null, "itemId": null,
            "itemEffectiveLocationIdAtCheckOut": self.location(place),
            "status": {"name": LoanStatus::Open}, "loanDate": null, "dueDate": null,
            "action": LoanAction::CheckedOut, "itemStatus": ItemStatus::CheckedOut, "renewalCount": 0,
            "loanPolicyId": policy("loan-policies", terms.loan),
            "overdueFinePolicyId": policy("overdue-fines-policies", terms.overdue),
            "lostItemPolicyId": policy("lost-item-fees-policies", terms.lost),
            "checkoutServicePointId": self.desk(place),
            "patronGroupIdAtCheckout": self.reference.id(&format!("groups/{group}"))});
        Some((borrower, terms, loan))
    }

    /// The loan date of a loan that is due in the future, or was due in the past.
    fn loan_date(&self, length: Length, overdue: bool, dice: &mut Dice) -> Timestamp {
        let today = self.plan.today();
        let days = match (length, overdue) {
            (Length::Semester, true) => days_between(semester(today).0, today) + dice.between(1, 20),
            (Length::Semester, false) => dice.between(1, 170).min(days_between(semester(today).0, today)).max(1),
            (Length::Days(days), true) => days + dice.between(1, 20),
            (Length::Days(days), false) => dice.between(1, days),
            (Length::Hours(_), _) => 1,
        };
        self.opening_time(days, dice)
    }

    /// A time `days` ago at which the desk was open.
    fn opening_time(&self, days: u32, dice: &mut Dice) -> Timestamp {
        let date = self.plan.today().saturating_sub(i64::from(days).days());
        let hour = i8::try_from(dice.between(10, 17)).unwrap_or(12);
        let minute = i8::try_from(dice.between(0, 59)).unwrap_or(0);
        instant(date, hour, minute, 0).unwrap_or(self.plan.now)
    }
}

/// The first and last day of an autumn or spring semester.
fn semester(day: Date) -> (Date, Date) {
    let date = |month, day_of_month| Date::new(day.year(), month, day_of_month).unwrap_or(day);
    match day.month() {
        ..=6 => (date(1, 1), date(6, 30)),
        _ => (date(7, 1), date(12, 31)),
    }
}

fn days_between(from: Date, to: Date) -> u32 {
    u32::try_from((to - from).get_days()).unwrap_or(0)
}

/// The end of the last day, or the exact time for hours.
fn due(loaned: Timestamp, length: Length) -> Timestamp {
    let day = loaned.to_zoned(TimeZone::UTC).date();
    let last = match length {
        Length::Hours(hours) => return loaned + SignedDuration::from_hours(hours.into()),
        Length::Days(days) => day.saturating_add(i64::from(days).days()),
        Length::Semester => semester(day).1,
    };
    instant(last, 23, 59, 59).unwrap_or(loaned)
}

fn instant(date: Date, hour: i8, minute: i8, second: i8) -> Option<Timestamp> {
    let zoned = date.at(hour, minute, second, 0).to_zoned(TimeZone::UTC);
    zoned.ok().map(|zoned| zoned.timestamp())
}
