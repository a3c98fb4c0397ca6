//! The syntax tree of a rules text.
//!
//! Rules are kept flat, in the order of the text, each with its depth: a rule's enclosing heads are
//! the nearest rules before it with a smaller depth. Nothing here is recursive, so the depth of a
//! text is bounded by its size only.

use uuid::Uuid;

/// A whole rules text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSet {
    /// How the winner is chosen among the rules that match.
    pub priority: Priority,
    /// What applies when no rule matches.
    pub fallback: Fallback,
    /// The rules, in the order of the text.
    pub rules: Vec<Rule>,
}

/// The `priority` line: at most two weighings, then the order of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priority {
    /// First and second weighing; with a single one, it is the second of two.
    pub weighings: Vec<Weighing>,
    /// Which line wins among rules of equal weight.
    pub line: LineOrder,
}

/// One way to weigh a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Weighing {
    /// By the most important letter that the rule uses; first listed is most important.
    Criterium([Criterium; 7]),
    /// By the number of different criteria that the rule uses.
    NumberOfCriteria,
}

/// Which line wins among rules of equal weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineOrder {
    /// The rule nearest the beginning of the text.
    First,
    /// The rule nearest the end of the text.
    Last,
}

/// The `fallback-policy` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fallback {
    /// Line in the text, from 1.
    pub line: u32,
    /// The policies of last resort.
    pub policies: Policies,
}

/// One rule, or the head of a block of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Line in the text, from 1.
    pub line: u32,
    /// Number of enclosing heads.
    pub depth: usize,
    /// What must hold, besides the tests of the enclosing heads.
    pub tests: Vec<Test>,
    /// What applies then; a head may have none.
    pub policies: Option<Policies>,
}

/// One test of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// Which fact is looked at.
    pub letter: Criterium,
    /// What it is compared with.
    pub names: Names,
}

/// The names of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Names {
    /// `all`: any known value.
    All,
    /// One of these.
    AnyOf(Vec<Name>),
    /// None of these (`!a !b`).
    NoneOf(Vec<Name>),
}

/// A name in a rules text: in practice the id of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    text: Box<str>,
    id: Uuid,
}

impl Name {
    /// A name as written. One that is not a UUID gets an id of its own, which no record has.
    pub fn new(text: &str) -> Name {
        let written_as_uuid = text.len() == 36;
        let id = Uuid::try_parse(text)
            .ok()
            .filter(|_| written_as_uuid)
            .unwrap_or_else(|| Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes()));
        Name {
            text: text.into(),
            id,
        }
    }

    /// The name as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The id that the name stands for.
    pub fn id(&self) -> Uuid {
        self.id
    }
}

/// The five policies of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policies([Name; 5]);

impl Policies {
    /// Policies in the order of [`PolicyKind::ALL`].
    pub fn new(names: [Name; 5]) -> Policies {
        Policies(names)
    }

    /// The policy of one kind.
    pub fn get(&self, kind: PolicyKind) -> &Name {
        &self.0[kind as usize]
    }
}

/// The five kinds of policies that rules choose.
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
    pub const ALL: [PolicyKind; 5] = [
        PolicyKind::Loan,
        PolicyKind::Request,
        PolicyKind::Notice,
        PolicyKind::OverdueFine,
        PolicyKind::LostItem,
    ];

    /// The letter of the kind in a rules text.
    pub fn letter(self) -> char {
        match self {
            PolicyKind::Loan => 'l',
            PolicyKind::Request => 'r',
            PolicyKind::Notice => 'n',
            PolicyKind::OverdueFine => 'o',
            PolicyKind::LostItem => 'i',
        }
    }

    /// The kind with this letter.
    pub fn from_letter(letter: char) -> Option<PolicyKind> {
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
    /// Every criterium.
    pub const ALL: [Criterium; 7] = [
        Criterium::LoanType,
        Criterium::Institution,
        Criterium::Campus,
        Criterium::Library,
        Criterium::Location,
        Criterium::MaterialType,
        Criterium::PatronGroup,
    ];

    /// The letter of the criterium in a rules text.
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

    /// The criterium with this letter.
    pub fn from_letter(letter: char) -> Option<Criterium> {
        Criterium::ALL.into_iter().find(|c| c.letter() == letter)
    }
}
