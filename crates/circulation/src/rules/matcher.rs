//! Rules compiled for matching: one pass over compact nodes, without text or allocation.

use uuid::Uuid;

use super::{Criterium, LineOrder, Names, Policies, Priority, Rule, RuleSet, Test, Weighing};

/// Item and patron facts that rules test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Material type of the item.
    pub material_type: Uuid,
    /// Effective loan type of the item.
    pub loan_type: Uuid,
    /// Patron group.
    pub patron_group: Uuid,
    /// Effective location of the item.
    pub location: Uuid,
    /// The location's place in the location tree; `None` for an unknown location, which no a, b or c test matches.
    pub place: Option<Place>,
}

/// The levels of the location tree above a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// ID of the institution.
    pub institution: Uuid,
    /// ID of the campus.
    pub campus: Uuid,
    /// ID of the library.
    pub library: Uuid,
}

impl Facts {
    fn get(&self, criterium: Criterium) -> Option<Uuid> {
        match criterium {
            Criterium::LoanType => Some(self.loan_type),
            Criterium::MaterialType => Some(self.material_type),
            Criterium::PatronGroup => Some(self.patron_group),
            Criterium::Location => Some(self.location),
            Criterium::Institution => self.place.map(|p| p.institution),
            Criterium::Campus => self.place.map(|p| p.campus),
            Criterium::Library => self.place.map(|p| p.library),
        }
    }
}

/// The criteria that an item limit depends on, as tested by the winning rule and its heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AppliedRuleConditions {
    /// The rule tests `m` (material type).
    pub material_type: bool,
    /// The rule tests `t` (loan type).
    pub loan_type: bool,
    /// The rule tests `g` (patron group).
    pub patron_group: bool,
}

/// A matching rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match<'r> {
    /// Line of the rule in the text, from 1.
    pub line: u32,
    /// The policies of the rule.
    pub policies: &'r Policies,
    /// The criteria it tests that affect item limits.
    pub conditions: AppliedRuleConditions,
}

/// A compiled rules text.
#[derive(Debug, Clone)]
pub struct Matcher {
    nodes: Vec<Node>,
    fallback: Outcome,
}

/// A rule or head, in text order.
#[derive(Debug, Clone)]
struct Node {
    tests: Box<[Condition]>,
    /// Index after the last node of this node's block.
    block_end: usize,
    outcome: Option<Outcome>,
}

#[derive(Debug, Clone)]
struct Condition {
    criterium: Criterium,
    negated: bool,
    /// Sorted. `all` becomes a negated empty list.
    ids: Box<[Uuid]>,
}

#[derive(Debug, Clone)]
struct Outcome {
    weight: u64,
    line: u32,
    policies: Policies,
    conditions: AppliedRuleConditions,
}

impl Matcher {
    /// Compiles a parsed rules text.
    pub fn new(rules: &RuleSet) -> Matcher {
        let fallback = Outcome {
            weight: line_weight(&rules.priority, rules.fallback.line),
            line: rules.fallback.line,
            policies: rules.fallback.policies.clone(),
            conditions: AppliedRuleConditions::default(),
        };
        Matcher { nodes: compile(rules), fallback }
    }

    /// Finds the winning rule; the fallback if no rule matches.
    pub fn best(&self, facts: &Facts) -> Match<'_> {
        let mut best = &self.fallback;
        self.visit(facts, |outcome| {
            if outcome.weight > best.weight {
                best = outcome;
            }
        });
        best.as_match()
    }

    /// All matching rules and the fallback, best first.
    pub fn all(&self, facts: &Facts) -> Vec<Match<'_>> {
        let mut outcomes = vec![&self.fallback];
        self.visit(facts, |outcome| outcomes.push(outcome));
        outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.weight));
        outcomes.into_iter().map(Outcome::as_match).collect()
    }

    fn visit<'r>(&'r self, facts: &Facts, mut found: impl FnMut(&'r Outcome)) {
        let mut index = 0;
        while let Some(node) = self.nodes.get(index) {
            if node.tests.iter().all(|test| test.holds(facts)) {
                if let Some(outcome) = &node.outcome {
                    found(outcome);
                }
                index += 1;
            } else {
                index = node.block_end;
            }
        }
    }
}

impl Outcome {
    fn as_match(&self) -> Match<'_> {
        Match { line: self.line, policies: &self.policies, conditions: self.conditions }
    }
}

impl Condition {
    fn new(test: &Test) -> Condition {
        let (negated, names) = match &test.names {
            Names::All => (true, [].as_slice()),
            Names::AnyOf(names) => (false, names.as_slice()),
            Names::NoneOf(names) => (true, names.as_slice()),
        };
        let mut ids: Vec<Uuid> = names.iter().map(|name| name.id()).collect();
        ids.sort_unstable();
        Condition { criterium: test.letter, negated, ids: ids.into() }
    }

    fn holds(&self, facts: &Facts) -> bool {
        facts.get(self.criterium).is_some_and(|fact| self.ids.binary_search(&fact).is_ok() != self.negated)
    }
}

/// The criteria that a rule and its heads test.
#[derive(Debug, Clone, Copy, Default)]
struct Used([bool; 7]);

impl Used {
    fn add(mut self, rule: &Rule) -> Used {
        for test in &rule.tests {
            self.0[test.letter as usize] = true;
        }
        self
    }

    fn has(&self, criterium: Criterium) -> bool {
        self.0[criterium as usize]
    }

    /// Number of distinct criteria; the four location levels count as one.
    fn count(&self) -> u64 {
        use Criterium::{Campus, Institution, Library, Location};
        let place = [Institution, Campus, Library, Location];
        let others = Criterium::ALL.into_iter().filter(|c| !place.contains(c) && self.has(*c)).count();
        others as u64 + u64::from(place.into_iter().any(|c| self.has(c)))
    }

    /// 7 if the rule uses the first letter in `order`, down to 1 for the last; 0 if it uses none.
    fn importance(&self, order: &[Criterium; 7]) -> u64 {
        let first = order.iter().position(|c| self.has(*c));
        first.map_or(0, |index| 7 - index as u64)
    }

    fn conditions(&self) -> AppliedRuleConditions {
        AppliedRuleConditions {
            material_type: self.has(Criterium::MaterialType),
            loan_type: self.has(Criterium::LoanType),
            patron_group: self.has(Criterium::PatronGroup),
        }
    }
}

fn compile(rules: &RuleSet) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::with_capacity(rules.rules.len());
    // The heads of the open blocks: node index and criteria used.
    let mut heads: Vec<(usize, Used)> = Vec::new();
    for (index, rule) in rules.rules.iter().enumerate() {
        close_blocks(&mut nodes, &mut heads, rule.depth, index);
        let used = heads.last().map_or(Used::default(), |h| h.1).add(rule);
        nodes.push(Node {
            tests: rule.tests.iter().map(Condition::new).collect(),
            block_end: index + 1,
            outcome: outcome(rules, rule, used),
        });
        heads.push((index, used));
    }
    let end = nodes.len();
    close_blocks(&mut nodes, &mut heads, 0, end);
    nodes
}

fn close_blocks(nodes: &mut [Node], heads: &mut Vec<(usize, Used)>, depth: usize, end: usize) {
    for (head, _) in heads.drain(depth.min(heads.len())..) {
        nodes[head].block_end = end;
    }
}

fn outcome(rules: &RuleSet, rule: &Rule, used: Used) -> Option<Outcome> {
    let policies = rule.policies.clone()?;
    Some(Outcome {
        weight: weight(&rules.priority, rule.line, used),
        line: rule.line,
        policies,
        conditions: used.conditions(),
    })
}

/// Factor for the second weighing, or for a single one.
const SECOND: u64 = 10_000_000;
/// Factor for the first of two weighings.
const FIRST: u64 = 100_000_000;

fn weight(priority: &Priority, line: u32, used: Used) -> u64 {
    let weigh = |weighing: &Weighing| match weighing {
        Weighing::Criterium(order) => used.importance(order),
        Weighing::NumberOfCriteria => used.count(),
    };
    let weighed = match priority.weighings.as_slice() {
        [first, second, ..] => weigh(first) * FIRST + weigh(second) * SECOND,
        [single] => weigh(single) * SECOND,
        [] => 0,
    };
    weighed + line_weight(priority, line)
}

fn line_weight(priority: &Priority, line: u32) -> u64 {
    match priority.line {
        LineOrder::Last => u64::from(line),
        LineOrder::First => SECOND.saturating_sub(u64::from(line)),
    }
}
