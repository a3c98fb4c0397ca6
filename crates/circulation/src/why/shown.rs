//! Explanations as clients read them (docs/why.md).

use refusals::Refusal;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{
    DueDateChange, Explanation, Facts, FeeExplanation, LoanExplanation, PatronExplanation, SetBy,
    causes::cause_of,
    fee::Kind,
    limits::limit,
    names::{kind_name, moment, named, named_policy, policy, readable},
};
use crate::{
    calendars::{Day, closed_library::Strategy},
    configuration::Configuration,
    fees::{changes::object, money},
    policies::ScheduleRange,
    records::Patron,
    rules::{PolicyKind, Rule, parse},
    trace::{FineSum, Lateness, Mover, NoFine, Step, WhichPeriod},
};

impl Explanation {
    /// The explanation as an answer.
    pub fn shown(&self, configuration: &Configuration) -> Value {
        self.members(configuration).into()
    }

    fn members(&self, configuration: &Configuration) -> Map<String, Value> {
        let due = self.decided.as_ref().ok().copied().flatten();
        let refusals = self.decided.as_ref().err().map(|refused| refused.0.as_slice()).unwrap_or_default();
        let steps = |show: &dyn Fn(&Step) -> Option<Value>| self.steps.iter().filter_map(show).collect::<Vec<_>>();
        object(json!({
            "facts": facts(self.facts, configuration),
            "rules": steps(&|step| rule(step, configuration)),
            "dates": steps(&|step| date(step)),
            "refusals": refusals.iter().map(|refusal| self.refusal(refusal, configuration)).collect::<Vec<_>>(),
            "dueDate": due.map(moment),
            "fine": self.fine(configuration),
        }))
    }

    /// A refusal as the desk gets it, with what caused it.
    fn refusal(&self, refusal: &Refusal, configuration: &Configuration) -> Value {
        let mut shown = refusal.entry().to_json();
        let cause = self.steps.iter().find_map(|step| match step {
            Step::Refused { refusal: noted, by } if noted == refusal => Some(by),
            _ => None,
        });
        if let Some(by) = cause {
            shown["because"] = cause_of(by, configuration);
        }
        shown
    }

    fn fine(&self, configuration: &Configuration) -> Option<Value> {
        let mut shown = Map::new();
        for step in &self.steps {
            let members = match step {
                Step::Late(late) => lateness(late, configuration),
                Step::Fine(sum) => fine_sum(sum),
                Step::NoFine(reason) => json!({"none": no_fine(*reason)}),
                _ => continue,
            };
            shown.extend(object(members));
        }
        (!shown.is_empty()).then_some(shown.into())
    }
}

impl LoanExplanation {
    /// The explanation as an answer.
    pub fn shown(&self, configuration: &Configuration) -> Value {
        let mut shown = self.by_rules.members(configuration);
        let policy = self.stored_policy.map(|id| named_policy(PolicyKind::Loan, id, configuration));
        let loan = json!({
            "setBy": set_by(self.set_by),
            "setAt": self.change.at().map(moment),
            "by": self.change.by.as_ref().map(Patron::name),
            "comment": self.change.loan.action_comment(),
            "dueDate": self.stored.map(moment),
            "policy": policy,
            "agrees": self.agrees(),
            "earlier": self.earlier.iter().map(earlier).collect::<Vec<_>>(),
        });
        shown.insert("loan".into(), object(loan).into());
        shown.into()
    }
}

impl FeeExplanation {
    /// The explanation as an answer.
    pub fn shown(&self, configuration: &Configuration) -> Value {
        let mut shown = self.by_rules.members(configuration);
        let named = |kind, id: Option<Uuid>| id.map(|id| named_policy(kind, id, configuration));
        let (kind, policy) = match self.kind {
            Kind::OverdueFine => ("overdueFine", None),
            Kind::Reminder(id) => ("reminder", named(PolicyKind::OverdueFine, id)),
            Kind::LostItem(id) => ("lostItem", named(PolicyKind::LostItem, id)),
            Kind::ByHand => ("byHand", None),
        };
        let fee = json!({
            "kind": kind,
            "policy": policy,
            "charged": money::stored(self.charged),
            "computed": self.computed.map(money::stored),
            "agrees": self.agrees(),
        });
        shown.insert("fee".into(), object(fee).into());
        shown.into()
    }
}

impl PatronExplanation {
    /// The explanation as an answer.
    pub fn shown(&self, configuration: &Configuration) -> Value {
        let mut shown = self.by_limits.members(configuration);
        let limits = self.by_limits.steps.iter().filter_map(|step| limit(step, configuration));
        shown.insert("limits".into(), limits.collect());
        shown.into()
    }
}

fn facts(facts: Facts, configuration: &Configuration) -> Value {
    let group = facts.patron_group.map(|id| {
        let group = configuration.patron_groups.get(&id);
        named(id, group.map(|group| group.group.as_str()))
    });
    let location = facts.location.map(|id| named(id, configuration.location(Some(id)).map(|l| l.name.as_str())));
    let material = facts.material_type.map(|id| named(id, configuration.material_type(Some(id))));
    let loan = facts.loan_type.map(|id| named(id, configuration.loan_types.get(&id).map(String::as_str)));
    object(json!({"patronGroup": group, "materialType": material, "loanType": loan, "location": location})).into()
}

fn rule(step: &Step, configuration: &Configuration) -> Option<Value> {
    let Step::Rule { kind, line, policy: id } = step else {
        return None;
    };
    let tree = parse(&configuration.rules_text).ok()?;
    let text = |line: u32| configuration.rules_text.lines().nth(line as usize - 1).unwrap_or_default().trim();
    let heads = heads(&tree.rules, *line).into_iter().map(|line| readable(text(line), configuration));
    Some(json!({
        "policy": named_policy(*kind, *id, configuration),
        "line": line,
        "text": text(*line),
        "readable": readable(text(*line), configuration),
        "heads": heads.collect::<Vec<_>>(),
        "isFallback": tree.fallback.line == *line,
    }))
}

/// The lines of the heads of a rule, the outermost first.
fn heads(rules: &[Rule], line: u32) -> Vec<u32> {
    let before = rules.iter().position(|rule| rule.line == line).unwrap_or_default();
    let mut depth = rules.get(before).map_or(0, |rule| rule.depth);
    let mut heads = Vec::new();
    for rule in rules[..before].iter().rev() {
        if rule.depth < depth {
            depth = rule.depth;
            heads.push(rule.line);
        }
    }
    heads.reverse();
    heads
}

fn date(step: &Step) -> Option<Value> {
    let Step::Date { from, to, by } = step else {
        return None;
    };
    let mut shown = object(mover(by));
    shown.insert("from".into(), moment(*from).into());
    shown.insert("to".into(), moment(*to).into());
    Some(shown.into())
}

fn mover(by: &Mover) -> Value {
    match by {
        Mover::Period { which, period } => json!({
            "because": which_period(*which), "duration": period.duration, "interval": period.interval_id,
        }),
        Mover::Schedule(range) => schedule("schedule", *range),
        Mover::ScheduleCap(range) => schedule("scheduleCap", *range),
        Mover::Calendar { strategy, days } => json!({
            "because": "calendar", "strategy": strategy_name(*strategy),
            "before": day(&days[0]), "day": day(&days[1]), "after": day(&days[2]),
        }),
        Mover::PatronExpires(expires) => json!({"because": "patronExpires", "expires": moment(*expires)}),
        Mover::RecallKeeps => json!({"because": "recallKeeps"}),
        Mover::RecallNow => json!({"because": "recallNow"}),
        Mover::Staff => json!({"because": "staff"}),
    }
}

fn schedule(because: &str, range: ScheduleRange) -> Value {
    let range = json!({"from": moment(range.from), "to": moment(range.to), "due": moment(range.due)});
    json!({"because": because, "range": range})
}

fn day(day: &Day) -> Value {
    let hours = day.openings.iter().map(|hours| {
        json!({"start": hours.start.strftime("%H:%M").to_string(), "end": hours.end.strftime("%H:%M").to_string()})
    });
    let hours: Vec<_> = hours.collect();
    object(json!({
        "date": day.date.to_string(), "open": day.open, "exception": day.exception_name, "hours": hours,
    }))
    .into()
}

fn which_period(which: WhichPeriod) -> &'static str {
    match which {
        WhichPeriod::Loan => "loanPeriod",
        WhichPeriod::LoanForHolds => "loanPeriodForHolds",
        WhichPeriod::Renewal => "renewalByLoanPeriod",
        WhichPeriod::DifferentRenewal => "renewalPeriod",
        WhichPeriod::RenewalForHolds => "renewalPeriodForHolds",
        WhichPeriod::RecallReturn => "recallReturnInterval",
        WhichPeriod::AlternateRecallReturn => "alternateRecallReturnInterval",
        WhichPeriod::MinimumGuaranteed => "minimumGuaranteedLoanPeriod",
    }
}

fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::EndOfSameDay => "endOfSameDay",
        Strategy::Unchanged => "unchanged",
        Strategy::EndOfPreviousOpenDay => "endOfPreviousOpenDay",
        Strategy::EndOfNextOpenDay => "endOfNextOpenDay",
        Strategy::EndOfCurrentHours => "endOfCurrentHours",
        Strategy::BeginningOfNextHours(_) => "beginningOfNextHours",
    }
}

fn lateness(late: &Lateness, configuration: &Configuration) -> Value {
    let point = late.service_point.map(|id| {
        let point = configuration.service_point(Some(id));
        named(id, point.map(|point| point.name.as_str()))
    });
    json!({
        "due": moment(late.due), "until": moment(late.until), "minutes": late.minutes, "graceMinutes": late.grace,
        "closedHoursCount": late.closed_hours_count, "servicePoint": point, "recalled": late.recalled,
        "policy": {"kind": kind_name(PolicyKind::OverdueFine), "id": late.policy,
            "name": policy(PolicyKind::OverdueFine, late.policy, configuration)},
    })
}

fn fine_sum(sum: &FineSum) -> Value {
    json!({
        "quantity": money::stored(sum.quantity), "interval": sum.interval, "intervals": money::stored(sum.intervals),
        "full": money::stored(sum.full), "maximum": money::stored(sum.maximum), "amount": money::stored(sum.amount),
    })
}

fn no_fine(reason: NoFine) -> &'static str {
    match reason {
        NoFine::FoundByLibrary => "foundByLibrary",
        NoFine::NoPolicy => "noPolicy",
        NoFine::Forgiven => "forgiven",
        NoFine::NotLate => "notLate",
        NoFine::Lost => "lost",
        NoFine::WithinGrace => "withinGrace",
        NoFine::NoRate => "noRate",
        NoFine::NoOwner => "noOwner",
        NoFine::Zero => "zero",
    }
}

fn set_by(set_by: SetBy) -> &'static str {
    match set_by {
        SetBy::CheckOut => "checkOut",
        SetBy::Renewal => "renewal",
        SetBy::Recall => "recall",
        SetBy::Staff => "staff",
    }
}

fn earlier(change: &DueDateChange) -> Value {
    object(json!({
        "setBy": set_by(SetBy::of(change)), "setAt": change.at().map(moment),
        "by": change.by.as_ref().map(Patron::name), "dueDate": change.loan.due_date().map(moment),
    }))
    .into()
}
