//! Checks the grammar of a rules text and builds its syntax tree.
//!
//! Errors follow FOLIO's order: the first syntax error anywhere in the text, otherwise the first *fault* (missing
//! letters, missing or unknown policies, …) from top to bottom.

use super::lexer::{Kind, Token, tokens};
use super::{
    Criterium, Fallback, LineOrder, Name, Names, Policies, PolicyKind, Priority, Rule, RuleSet, RulesError, Test,
    Weighing,
};

/// Parses a rules text without checking that its policies exist.
///
/// # Errors
/// The first error of the text.
pub fn parse(text: &str) -> Result<RuleSet, RulesError> {
    parse_checking(text, &|_, _| true)
}

/// Parses a rules text and calls `exists` for each policy it names.
///
/// # Errors
/// The first error of the text; an unknown policy gives `The policy x does not exist`.
pub fn parse_checking(text: &str, exists: &dyn Fn(PolicyKind, &Name) -> bool) -> Result<RuleSet, RulesError> {
    let mut parser = Parser { tokens: tokens(text), position: 0, exists, fault: None };
    let rules = parser.file()?;
    parser.fault.map_or(Ok(rules), Err)
}

/// `Err` is a syntax error, which ends parsing.
type Parsed<T> = Result<T, RulesError>;

const LETTER: &str = "CRITERIUM_LETTER";
const POLICY: &str = "POLICY_TYPE";

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    position: usize,
    exists: &'t dyn Fn(PolicyKind, &Name) -> bool,
    /// The first error that is not a syntax error.
    fault: Option<RulesError>,
}

impl<'t> Parser<'t> {
    fn file(&mut self) -> Parsed<RuleSet> {
        self.skip_newlines();
        self.expect(&Kind::Priority, "'priority'")?;
        self.expect(&Kind::Colon, "':'")?;
        if self.take(&Kind::FirstLine) { self.fallback_last() } else { self.fallback_first() }
    }

    /// `priority: first-line`: the rules, then the fallback.
    fn fallback_last(&mut self) -> Parsed<RuleSet> {
        let rules = self.rules()?;
        let fallback = self.fallback()?;
        if let Kind::Letter(_) = self.peek().kind {
            return Err(self.here("For 'priority: first-line' the fallback-policy must be after the last rule."));
        }
        self.expect_end(&["<EOF>"])?;
        let priority = Priority { weighings: Vec::new(), line: LineOrder::First };
        Ok(RuleSet { priority, fallback, rules })
    }

    /// Any other priority: the fallback, then the rules.
    fn fallback_first(&mut self) -> Parsed<RuleSet> {
        let priority = self.priority()?;
        self.skip_newlines();
        let fallback = self.fallback()?;
        let rules = self.rules()?;
        self.expect_end(&["<EOF>", LETTER, "NEWLINE"])?;
        Ok(RuleSet { priority, fallback, rules })
    }

    fn priority(&mut self) -> Parsed<Priority> {
        match self.peek().kind {
            Kind::LastLine => {
                self.advance();
                Ok(Priority { weighings: Vec::new(), line: LineOrder::Last })
            }
            Kind::Letter(_) => {
                let letters = self.seven_letters()?;
                Ok(Priority {
                    weighings: vec![Weighing::Criterium(letters), Weighing::NumberOfCriteria],
                    line: LineOrder::Last,
                })
            }
            _ => self.weighed_priority(),
        }
    }

    fn weighed_priority(&mut self) -> Parsed<Priority> {
        let mut weighings = vec![self.weighing()?];
        self.expect(&Kind::Comma, "','")?;
        if !matches!(self.peek().kind, Kind::FirstLine | Kind::LastLine) {
            let second = self.peek().clone();
            weighings.push(self.weighing()?);
            if std::mem::discriminant(&weighings[0]) == std::mem::discriminant(&weighings[1]) {
                self.fault_at("Duplicate priority type", &second, 1);
            }
            self.expect(&Kind::Comma, "','")?;
        }
        let line = match self.peek().kind {
            Kind::FirstLine => LineOrder::First,
            Kind::LastLine => LineOrder::Last,
            _ => return Err(self.unexpected(&["'first-line'", "'last-line'"])),
        };
        self.advance();
        Ok(Priority { weighings, line })
    }

    fn weighing(&mut self) -> Parsed<Weighing> {
        match self.peek().kind {
            Kind::NumberOfCriteria => {
                self.advance();
                Ok(Weighing::NumberOfCriteria)
            }
            Kind::Criterium => {
                self.advance();
                self.expect(&Kind::Open, "'('")?;
                let letters = self.seven_letters()?;
                self.expect(&Kind::Close, "')'")?;
                Ok(Weighing::Criterium(letters))
            }
            _ => Err(self.unexpected(&["'criterium'", "'number-of-criteria'"])),
        }
    }

    fn seven_letters(&mut self) -> Parsed<[Criterium; 7]> {
        let mut letters: Vec<(Criterium, Token<'t>)> = vec![self.letter()?];
        loop {
            let comma = self.take(&Kind::Comma);
            match self.peek().kind {
                Kind::Letter(_) => letters.push(self.letter()?),
                _ if comma => return Err(self.unexpected(&[LETTER])),
                _ => break,
            }
        }
        self.check_letters(&letters);
        let mut seven = Criterium::ALL;
        for (place, (letter, _)) in seven.iter_mut().zip(&letters) {
            *place = *letter;
        }
        Ok(seven)
    }

    fn letter(&mut self) -> Parsed<(Criterium, Token<'t>)> {
        let token = self.peek().clone();
        let Kind::Letter(letter) = token.kind else {
            return Err(self.unexpected(&[LETTER]));
        };
        self.advance();
        Ok((letter, token))
    }

    fn check_letters(&mut self, letters: &[(Criterium, Token<'t>)]) {
        let found = letters.len();
        if found < 7 {
            let message = format!("7 letters expected, found only {found}");
            self.fault_at(&message, &letters[0].1, 1);
        } else if found > 7 {
            let message = format!("Only 7 letters expected, found {found}");
            self.fault_at(&message, &letters[0].1, 1);
        }
        for (index, (letter, token)) in letters.iter().enumerate() {
            if letters[..index].iter().any(|(earlier, _)| earlier == letter) {
                let message = format!("Duplicate letter {}", letter.letter());
                self.fault_at(&message, token, 1);
            }
        }
    }

    /// Parses rules and blocks up to a token that cannot start a rule.
    fn rules(&mut self) -> Parsed<Vec<Rule>> {
        let mut rules = Vec::new();
        let mut depth = 0;
        loop {
            match self.peek().kind {
                Kind::Newline => self.advance(),
                Kind::Letter(_) => {
                    let opens_block = self.rule(depth, &mut rules)?;
                    depth += usize::from(opens_block);
                }
                Kind::Dedent if depth > 0 => {
                    self.advance();
                    depth -= 1;
                }
                _ if depth > 0 => return Err(self.unexpected(&["DEDENT", LETTER])),
                _ => return Ok(rules),
            }
        }
    }

    /// Parses one rule; true if it is the head of a block, whose rules follow.
    fn rule(&mut self, depth: usize, rules: &mut Vec<Rule>) -> Parsed<bool> {
        let start = self.peek().clone();
        let tests = self.tests()?;
        let policies = match self.peek().kind {
            Kind::Colon => Some(self.policies()?),
            _ => None,
        };
        let expected: &[&str] = match policies {
            Some(_) => &["NEWLINE", POLICY],
            None => &["'+'", "':'", "NEWLINE"],
        };
        if !self.take(&Kind::Newline) {
            return Err(self.unexpected(expected));
        }
        let opens_block = self.take(&Kind::Indent);
        if opens_block && !matches!(self.peek().kind, Kind::Letter(_)) {
            return Err(self.unexpected(&[LETTER]));
        }
        if policies.is_none() && !opens_block {
            self.fault_at("Policy missing", &start, 1);
        }
        rules.push(Rule { line: start.line, depth, tests, policies });
        Ok(opens_block)
    }

    fn tests(&mut self) -> Parsed<Vec<Test>> {
        let mut tests = vec![self.test()?];
        while self.take(&Kind::Plus) {
            tests.push(self.test()?);
        }
        Ok(tests)
    }

    fn test(&mut self) -> Parsed<Test> {
        let (letter, token) = self.letter()?;
        let names = match self.peek().kind {
            Kind::All => {
                self.advance();
                Names::All
            }
            Kind::Name => self.names()?,
            Kind::Bang => self.negated_names()?,
            Kind::Plus | Kind::Colon | Kind::Newline => return Err(self.here("Name missing.")),
            _ => return Err(self.no_alternative(token.text)),
        };
        Ok(Test { letter, names })
    }

    fn names(&mut self) -> Parsed<Names> {
        let mut names = Vec::new();
        while let Some(name) = self.name() {
            names.push(name);
        }
        if self.take(&Kind::Bang) {
            return Err(self.here("A '!' must precede each name or no name."));
        }
        Ok(Names::AnyOf(names))
    }

    fn negated_names(&mut self) -> Parsed<Names> {
        let mut names = Vec::new();
        while self.take(&Kind::Bang) {
            let Some(name) = self.name() else {
                return Err(self.unexpected(&["NAME"]));
            };
            names.push(name);
        }
        if self.name().is_some() {
            return Err(self.here("A '!' must precede each name or no name."));
        }
        Ok(Names::NoneOf(names))
    }

    fn name(&mut self) -> Option<Name> {
        let token = self.peek();
        let name = (token.kind == Kind::Name).then(|| Name::new(token.text))?;
        self.advance();
        Some(name)
    }

    fn fallback(&mut self) -> Parsed<Fallback> {
        let start = self.peek().clone();
        if start.kind != Kind::FallbackPolicy {
            return Err(self.unexpected(&["'fallback-policy'", LETTER, "NEWLINE"]));
        }
        self.advance();
        if self.take(&Kind::Newline) {
            return Err(self.here("Policy missing"));
        }
        let colon = self.peek().clone();
        let named = self.policy_list()?;
        if !self.take(&Kind::Newline) {
            return Err(self.unexpected(&["NEWLINE", POLICY]));
        }
        self.check_fallback(&named, &start);
        let policies = self.five_policies(named, &colon);
        Ok(Fallback { line: colon.line, policies })
    }

    fn policies(&mut self) -> Parsed<Policies> {
        let colon = self.peek().clone();
        let named = self.policy_list()?;
        Ok(self.five_policies(named, &colon))
    }

    fn policy_list(&mut self) -> Parsed<Vec<(PolicyKind, Name)>> {
        self.expect(&Kind::Colon, "':'")?;
        let mut named = Vec::new();
        while let Kind::Policy(kind) = self.peek().kind {
            self.advance();
            let Some(name) = self.name() else {
                return Err(self.here("Name missing."));
            };
            named.push((kind, name));
        }
        if named.is_empty() {
            return Err(self.here("Policy missing after ':'"));
        }
        Ok(named)
    }

    fn check_fallback(&mut self, named: &[(PolicyKind, Name)], start: &Token<'t>) {
        for kind in PolicyKind::ALL {
            let letter = kind.letter();
            let message = match named.iter().filter(|(k, _)| *k == kind).count() {
                1 => continue,
                0 => format!("Must have a fallback policy of type {letter}"),
                _ => format!("Only one fallback policy of type {letter} is allowed"),
            };
            self.fault_at(&message, start, 0);
        }
    }

    /// Requires exactly one existing policy of each kind; anything else is a fault.
    fn five_policies(&mut self, named: Vec<(PolicyKind, Name)>, colon: &Token<'t>) -> Policies {
        for kind in PolicyKind::ALL {
            let letter = kind.letter();
            let mut of_kind = named.iter().filter(|(k, _)| *k == kind);
            let message = match (of_kind.next(), of_kind.next()) {
                (None, _) => format!("Must contain one of each policy type, missing type {letter}"),
                (Some(_), Some(_)) => format!("Only one policy of type {letter} allowed"),
                (Some((_, name)), None) if !(self.exists)(kind, name) => {
                    format!("The policy {letter} does not exist")
                }
                (Some(_), None) => continue,
            };
            self.fault_at(&message, colon, 0);
        }
        Policies::new(PolicyKind::ALL.map(|kind| {
            let found = named.iter().find(|(k, _)| *k == kind);
            found.map_or_else(|| Name::new(""), |(_, name)| name.clone())
        }))
    }

    fn peek(&self) -> &Token<'t> {
        &self.tokens[self.position]
    }

    /// Moves to the next token; stays on the last one.
    fn advance(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len() - 1);
    }

    fn take(&mut self, kind: &Kind) -> bool {
        let found = self.peek().kind == *kind;
        if found {
            self.advance();
        }
        found
    }

    fn skip_newlines(&mut self) {
        while self.take(&Kind::Newline) {}
    }

    fn expect(&mut self, kind: &Kind, written: &str) -> Parsed<()> {
        if self.take(kind) {
            return Ok(());
        }
        Err(self.unexpected(&[written]))
    }

    fn expect_end(&self, expected: &[&str]) -> Parsed<()> {
        match self.peek().kind {
            Kind::End => Ok(()),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn no_alternative(&self, before: &str) -> RulesError {
        let text = self.peek().text;
        self.here(&format!("no viable alternative at input '{before}{text}'"))
    }

    fn unexpected(&self, expected: &[&str]) -> RulesError {
        let list = match expected {
            [one] => (*one).to_owned(),
            several => format!("{{{}}}", several.join(", ")),
        };
        let text = self.peek().text;
        self.here(&format!("mismatched input '{text}' expecting {list}"))
    }

    /// An error at the current token, or the lexer's own error if the token is `Invalid`.
    fn here(&self, message: &str) -> RulesError {
        let token = self.peek();
        match &token.kind {
            Kind::Invalid(error) => error.clone(),
            _ => error_at(message, token, 1),
        }
    }

    fn fault_at(&mut self, message: &str, token: &Token<'t>, first_column: u32) {
        if self.fault.is_none() {
            self.fault = Some(error_at(message, token, first_column));
        }
    }
}

fn error_at(message: &str, token: &Token<'_>, first_column: u32) -> RulesError {
    RulesError { message: message.to_owned(), line: token.line, column: token.column + first_column }
}
