//! The syntax tree of a rules text.
//!
//! Rules are stored flat in text order, each with its depth. The heads of a rule are the nearest preceding rules with a
//! smaller depth. Nothing recurses, so only the size of a text limits its depth.

use uuid::Uuid;

/// A complete rules text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSet {
    /// How to choose among matching rules.
    pub priority: Priority,
    /// Applies when no rule matches.
    pub fallback: Fallback,
    /// The rules in text order.
    pub rules: Vec<Rule>,
}

/// The `priority` line: up to two weighings, then line order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priority {
    /// First and second weighing; a single one counts as the second.
    pub weighings: Vec<Weighing>,
    /// Tie-breaker for rules of equal weight.
    pub line: LineOrder,
}

/// A way to weigh a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Weighing {
    /// By the most important letter that the rule uses; the first in the list is the most important.
    Criterium([Criterium; 7]),
    /// By the number of distinct criteria that the rule uses.
    NumberOfCriteria,
}

/// Which line wins among rules of equal weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineOrder {
    /// The first matching rule in the text.
    First,
    /// The last matching rule in the text.
    Last,
}

/// The `fallback-policy` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fallback {
    /// Line in the text, from 1.
    pub line: u32,
    /// The fallback policies.
    pub policies: Policies,
}

/// A rule, or the head of a block of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Line in the text, from 1.
    pub line: u32,
    /// Number of enclosing heads.
    pub depth: usize,
    /// Tests of this rule, in addition to those of its heads.
    pub tests: Vec<Test>,
    /// Policies of the rule; a head may have none.
    pub policies: Option<Policies>,
}

/// A test in a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// The fact to test.
    pub letter: Criterium,
    /// The names to compare it with.
    pub names: Names,
}

/// The names of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Names {
    /// `all`: matches any known value.
    All,
    /// Matches any of these names.
    AnyOf(Vec<Name>),
    /// Matches anything except these names (`!a !b`).
    NoneOf(Vec<Name>),
}

/// A name in a rules text, normally the ID of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    text: Box<str>,
    id: Uuid,
}

impl Name {
    /// Wraps a name as written. A name that is not a UUID gets a derived ID that no record has.
    pub fn new(text: &str) -> Name {
        let written_as_uuid = text.len() == 36;
        let id = Uuid::try_parse(text)
            .ok()
            .filter(|_| written_as_uuid)
            .unwrap_or_else(|| Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes()));
        Name { text: text.into(), id }
    }

    /// The name as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The record ID.
    pub fn id(&self) -> Uuid {
        self.id
    }
}

/// The policies of a rule, one of each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policies([Name; 5]);

impl Policies {
    /// Takes the policies in the order of [`PolicyKind::ALL`].
    pub fn new(names: [Name; 5]) -> Policies {
        Policies(names)
    }

    /// The policy of the given kind.
    pub fn get(&self, kind: PolicyKind) -> &Name {
        &self.0[kind as usize]
    }
}

/// The five kinds of policies in circulation rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PolicyKind {
    /// `l`
    Loan,
    /// `r`
    Request,
    /// `n`, patron notices
    Notice,
    /// `o`
    OverdueFine,
    /// `i`
    LostItem,
}

impl PolicyKind {
    /// Every kind, in the order in which FOLIO checks them.
    pub const ALL: [PolicyKind; 5] =
        [PolicyKind::Loan, PolicyKind::Request, PolicyKind::Notice, PolicyKind::OverdueFine, PolicyKind::LostItem];

    /// The letter used in a rules text.
    pub fn letter(self) -> char {
        match self {
            PolicyKind::Loan => 'l',
            PolicyKind::Request => 'r',
            PolicyKind::Notice => 'n',
            PolicyKind::OverdueFine => 'o',
            PolicyKind::LostItem => 'i',
        }
    }

    /// Finds a kind by its letter.
    pub(crate) fn from_letter(letter: char) -> Option<PolicyKind> {
        PolicyKind::ALL.into_iter().find(|k| k.letter() == letter)
    }
}

/// The facts that a rule can test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Criterium {
    /// `t`
    LoanType,
    /// `a`
    Institution,
    /// `b`
    Campus,
    /// `c`
    Library,
    /// `s`, the shelving location
    Location,
    /// `m`
    MaterialType,
    /// `g`
    PatronGroup,
}

impl Criterium {
    /// Every criterion.
    pub const ALL: [Criterium; 7] = [
        Criterium::LoanType,
        Criterium::Institution,
        Criterium::Campus,
        Criterium::Library,
        Criterium::Location,
        Criterium::MaterialType,
        Criterium::PatronGroup,
    ];

    /// The letter used in a rules text.
    pub fn letter(self) -> char {
        match self {
            Criterium::LoanType => 't',
            Criterium::Institution => 'a',
            Criterium::Campus => 'b',
            Criterium::Library => 'c',
            Criterium::Location => 's',
            Criterium::MaterialType => 'm',
            Criterium::PatronGroup => 'g',
        }
    }

    /// Finds a criterion by its letter.
    pub(crate) fn from_letter(letter: char) -> Option<Criterium> {
        Criterium::ALL.into_iter().find(|c| c.letter() == letter)
    }
}
