//! Thresholds: conditions for a run to pass, `Check-out p95<200ms`.

use std::{fmt, str::FromStr};

use super::model::{Figures, Results, Stage};

/// The notation of thresholds.
pub(crate) const GRAMMAR: &str = "a threshold is [NAME] FIGURE<VALUE [@USERS]: \"Check-out p95<200ms\", \"errors<1%\", \
    \"rate>=50 @20\". FIGURE is mean, p50, p75, p95, p99.9, max (a time in ms or s), errors (a number or a share in %) \
    or rate (transactions a second)";

#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    /// As given.
    pub text: String,
    name: Option<String>,
    figure: Figure,
    relation: Relation,
    value: f64,
    users: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Figure {
    Mean,
    Quantile(f64),
    Max,
    ErrorCount,
    ErrorShare,
    Rate,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Relation {
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// The result of a threshold in one stage for one transaction or request.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The threshold as given.
    pub threshold: String,
    /// The stage: `20 users`; empty if none matched.
    pub stage: String,
    /// The transaction or request.
    pub name: String,
    /// The measured value, if there is one.
    pub measured: Option<String>,
    /// Whether it was met.
    pub kept: bool,
}

impl Verdict {
    /// Why it was not met, in a sentence.
    pub fn in_words(&self) -> String {
        let Self { threshold, name, stage, .. } = self;
        match &self.measured {
            Some(measured) => format!("{threshold}: {name} at {stage} has {measured}"),
            None if stage.is_empty() => format!("{threshold}: {name} was not measured"),
            None => format!("{threshold}: {name} at {stage} did not succeed once"),
        }
    }
}

/// The result of each threshold in each matching stage.
pub fn check(results: &Results, thresholds: &[Threshold]) -> Vec<Verdict> {
    let one = |threshold: &Threshold| threshold.verdicts(results);
    thresholds.iter().flat_map(one).collect()
}

impl Threshold {
    fn verdicts(&self, results: &Results) -> Vec<Verdict> {
        let stages = results.stages.iter();
        let meant = stages.filter(|stage| self.users.is_none() || stage.users == self.users);
        let verdicts = meant.flat_map(|stage| {
            let requests = self.name.as_ref().map(|_| &stage.requests);
            let figures = stage.transactions.iter().chain(requests.into_iter().flatten());
            let named = figures.filter(|figures| {
                let named = |name: &String| figures.name.eq_ignore_ascii_case(name);
                self.name.as_ref().is_none_or(named)
            });
            named.map(move |figures| self.verdict(stage, figures))
        });
        let verdicts: Vec<_> = verdicts.collect();
        if verdicts.is_empty() {
            return vec![self.not_measured()];
        }
        verdicts
    }

    fn verdict(&self, stage: &Stage, figures: &Figures) -> Verdict {
        let value = self.figure.of(stage, figures);
        Verdict {
            threshold: self.text.clone(),
            stage: stage.asked(),
            name: figures.name.clone(),
            measured: value.map(|value| self.figure.write(value)),
            kept: value.is_some_and(|value| self.relation.holds(value, self.value)),
        }
    }

    fn not_measured(&self) -> Verdict {
        let name = self.name.as_deref();
        Verdict {
            threshold: self.text.clone(),
            stage: String::new(),
            name: name.unwrap_or("a transaction").to_owned(),
            measured: None,
            kept: false,
        }
    }
}

impl Figure {
    /// The figure in milliseconds, as a share, a number or a rate; `None` if no request succeeded.
    fn of(self, stage: &Stage, figures: &Figures) -> Option<f64> {
        let latency = &figures.corrected;
        let time = |millis: f64| (latency.count > 0).then_some(millis);
        match self {
            Self::Mean => time(latency.mean_ms),
            Self::Quantile(quantile) => time(latency.histogram.quantile_ms(quantile)),
            Self::Max => time(latency.max_ms),
            Self::ErrorCount => Some(figures.failed() as f64),
            Self::ErrorShare => (figures.count > 0).then(|| figures.failed() as f64 / figures.count as f64),
            Self::Rate => Some((figures.count - figures.failed()) as f64 / stage.seconds.max(0.001)),
        }
    }

    fn write(self, value: f64) -> String {
        match self {
            Self::Mean | Self::Quantile(_) | Self::Max => format!("{value:.1} ms"),
            Self::ErrorCount => format!("{value:.0} errors"),
            Self::ErrorShare => format!("{:.3} % errors", value * 100.0),
            Self::Rate => format!("{value:.1} a second"),
        }
    }
}

impl Relation {
    fn holds(self, measured: f64, value: f64) -> bool {
        match self {
            Self::Below => measured < value,
            Self::AtMost => measured <= value,
            Self::Above => measured > value,
            Self::AtLeast => measured >= value,
        }
    }
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse(text).ok_or_else(|| format!("{text:?}: {GRAMMAR}"))
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse(text: &str) -> Option<Threshold> {
    let (left, rest) = text.split_at(text.find(['<', '>'])?);
    let (relation, rest) = relation(rest)?;
    let (value, users) = match rest.split_once('@') {
        Some((value, users)) => (value, Some(users.trim().parse().ok()?)),
        None => (rest, None),
    };
    let left = left.trim();
    let (name, figure) = match left.rsplit_once(char::is_whitespace) {
        Some((name, figure)) => (Some(name.trim().to_owned()), figure),
        None => (None, left),
    };
    let (figure, value) = measure(figure, value.trim())?;
    Some(Threshold { text: text.trim().to_owned(), name, figure, relation, value, users })
}

fn relation(text: &str) -> Option<(Relation, &str)> {
    let relations =
        [("<=", Relation::AtMost), (">=", Relation::AtLeast), ("<", Relation::Below), (">", Relation::Above)];
    let mut found = relations.into_iter();
    found.find_map(|(sign, relation)| Some((relation, text.strip_prefix(sign)?)))
}

fn measure(figure: &str, value: &str) -> Option<(Figure, f64)> {
    let figure = match figure.to_ascii_lowercase().as_str() {
        "mean" | "average" => Figure::Mean,
        "median" => Figure::Quantile(0.5),
        "max" => Figure::Max,
        "rate" => Figure::Rate,
        "errors" if value.ends_with('%') => Figure::ErrorShare,
        "errors" => Figure::ErrorCount,
        other => Figure::Quantile(quantile(other)?),
    };
    let plain = |value: &str| value.trim().parse::<f64>().ok();
    let value = match figure {
        Figure::ErrorShare => plain(value.trim_end_matches('%'))? / 100.0,
        Figure::ErrorCount | Figure::Rate => plain(value)?,
        _ => match value.strip_suffix("ms") {
            Some(millis) => plain(millis)?,
            None => plain(value.strip_suffix('s')?)? * 1000.0,
        },
    };
    (value.is_finite() && value >= 0.0).then_some((figure, value))
}

fn quantile(name: &str) -> Option<f64> {
    let percent: f64 = name.strip_prefix('p')?.parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    /// Whether the sample run meets the threshold, for each of its results.
    fn kept(text: &str) -> Vec<bool> {
        let threshold: Threshold = text.parse().expect(text);
        let verdicts = check(&sample::results(), &[threshold]);
        verdicts.iter().map(|verdict| verdict.kept).collect()
    }

    #[test]
    fn thresholds_are_met_or_not() {
        for (text, expected) in [
            ("p95<200ms", &[true, true][..]),
            ("p95 < 96 ms", &[true, false]),
            ("Check-out p95<96ms", &[false]),
            ("check-out P95<=0.2s", &[true]),
            ("Check-in mean>50ms", &[true]),
            ("Check-in average<50ms", &[false]),
            ("Check-in max<=101ms @1", &[true]),
            ("Check-in max<=101ms @20", &[false]),
            ("check in p75<40ms", &[true]),
            ("p99.9<=102ms", &[true, true]),
            ("errors<1%", &[true, true]),
            ("errors<=0", &[true, true]),
            ("rate>=10", &[true, true]),
            ("Check-in rate>10", &[false]),
            ("Renewal p95<1s", &[false]),
        ] {
            assert_eq!(kept(text), expected, "{text}");
        }
    }

    #[test]
    fn errors_are_counted() {
        let mut results = sample::results();
        results.stages[0].transactions[0].errors = [("timeout".to_owned(), 2)].into();
        let verdict = |text: &str| {
            let threshold = text.parse::<Threshold>().expect(text);
            let all = check(&results, &[threshold]);
            all[0].in_words()
        };
        assert_eq!(verdict("Check-in errors<1%"), "Check-in errors<1%: Check-in at 1 user has 2.000 % errors");
        assert_eq!(verdict("Renewal errors<1"), "Renewal errors<1: Renewal was not measured");
    }

    #[test]
    fn without_any_success_no_time_is_met() {
        let mut results = sample::results();
        let nothing = sample::latencies([]);
        results.stages[0].transactions[0] = sample::figures("Check-in", None, nothing);
        let threshold: Threshold = "Check-in p95<1s".parse().expect("a threshold");
        let verdict = &check(&results, &[threshold])[0];
        assert!(!verdict.kept);
        assert!(verdict.in_words().ends_with("did not succeed once"));
    }

    #[test]
    fn other_texts_are_refused_with_the_grammar() {
        for text in [
            "",
            "p95",
            "p95<",
            "p95<200",
            "p95<200m",
            "p101<1s",
            "px<1s",
            "p95<-1ms",
            "p95<nanms",
            "errors<a%",
            "rate>5ms",
            "p95<1s @many",
            "<1s",
            "p95=1s",
        ] {
            let error = text.parse::<Threshold>().expect_err(text);
            assert!(error.contains("a threshold is"), "{error}");
        }
    }
}
