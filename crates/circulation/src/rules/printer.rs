//! Prints a syntax tree as text and keeps each rule on its original line.

use std::fmt::{self, Display, Formatter, Write};

use super::{Criterium, LineOrder, Names, Policies, PolicyKind, Priority, Rule, RuleSet, Test, Weighing};

/// Spaces per block level.
const INDENT: usize = 4;

impl Display for RuleSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut page = Page { f, line: 1, blank: true };
        page.write(1, format_args!("priority: {}", self.priority))?;
        let fallback_last = self.priority.weighings.is_empty() && self.priority.line == LineOrder::First;
        if !fallback_last {
            self.print_fallback(&mut page)?;
        }
        for rule in &self.rules {
            page.write(rule.line, rule)?;
        }
        if fallback_last {
            self.print_fallback(&mut page)?;
        }
        page.f.write_char('\n')
    }
}

impl RuleSet {
    fn print_fallback(&self, page: &mut Page<'_, '_>) -> fmt::Result {
        let policies = &self.fallback.policies;
        page.write(self.fallback.line, format_args!("fallback-policy{policies}"))
    }
}

/// Output that tracks the current line.
struct Page<'f, 'b> {
    f: &'f mut Formatter<'b>,
    line: u32,
    blank: bool,
}

impl Page<'_, '_> {
    fn write(&mut self, line: u32, text: impl Display) -> fmt::Result {
        while self.line < line {
            self.f.write_char('\n')?;
            self.line += 1;
            self.blank = true;
        }
        if !self.blank {
            self.f.write_char(' ')?;
        }
        self.blank = false;
        write!(self.f, "{text}")
    }
}

impl Display for Priority {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for weighing in &self.weighings {
            write!(f, "{weighing}, ")?;
        }
        f.write_str(match self.line {
            LineOrder::First => "first-line",
            LineOrder::Last => "last-line",
        })
    }
}

impl Display for Weighing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Weighing::NumberOfCriteria => f.write_str("number-of-criteria"),
            Weighing::Criterium(letters) => {
                let letters: Vec<String> = letters.map(letter_of).to_vec();
                write!(f, "criterium ({})", letters.join(", "))
            }
        }
    }
}

fn letter_of(criterium: Criterium) -> String {
    criterium.letter().to_string()
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:1$}", "", self.depth * INDENT)?;
        for (index, test) in self.tests.iter().enumerate() {
            let joint = if index == 0 { "" } else { " + " };
            write!(f, "{joint}{test}")?;
        }
        match &self.policies {
            Some(policies) => write!(f, "{policies}"),
            None => Ok(()),
        }
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char(self.letter.letter())?;
        let (sign, names) = match &self.names {
            Names::All => return f.write_str(" all"),
            Names::AnyOf(names) => ("", names),
            Names::NoneOf(names) => ("!", names),
        };
        names.iter().try_for_each(|name| write!(f, " {sign}{}", name.as_str()))
    }
}

impl Display for Policies {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char(':')?;
        PolicyKind::ALL.into_iter().try_for_each(|kind| write!(f, " {} {}", kind.letter(), self.get(kind).as_str()))
    }
}
