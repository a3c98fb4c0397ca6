//! JUnit XML, so that a CI server shows which thresholds were met.

use minijinja::{Environment, context, syntax::SyntaxConfig};

use super::{
    model::{Results, Stage},
    threshold::Verdict,
};

const SUITES: &str = include_str!("junit.xml");

/// One suite per stage. A case is a threshold or, without thresholds, a transaction with its duration.
///
/// # Errors
/// The template does not match: a bug.
pub fn text(results: &Results, verdicts: &[Verdict]) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    environment.set_syntax(syntax.trim_blocks(true).lstrip_blocks(true).build()?);
    environment.add_template("junit.xml", SUITES)?;
    let mut suites: Vec<_> = results.stages.iter().map(|stage| suite(results, stage, verdicts)).collect();
    let nowhere = verdicts.iter().filter(|verdict| verdict.stage.is_empty());
    let nowhere: Vec<_> = nowhere.map(|verdict| case(verdict, 0.0)).collect();
    if !nowhere.is_empty() {
        suites.push(context! { name => "not measured", tests => nowhere.len(), failures => nowhere.len(),
        seconds => "0.000", cases => nowhere });
    }
    let (tests, failures) = (count(results, verdicts), failed(verdicts.iter()));
    let template = environment.get_template("junit.xml")?;
    template.render(context! { name => &*results.workload.name, began => results.run.began.to_string(),
    tests, failures, suites })
}

fn count(results: &Results, verdicts: &[Verdict]) -> usize {
    if verdicts.is_empty() {
        let transactions = results.stages.iter().map(|stage| stage.transactions.len());
        return transactions.sum();
    }
    verdicts.len()
}

fn failed<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> usize {
    verdicts.filter(|verdict| !verdict.kept).count()
}

fn suite(results: &Results, stage: &Stage, verdicts: &[Verdict]) -> minijinja::Value {
    let asked = stage.asked();
    let seconds = |name: &str| {
        let mut figures = stage.transactions.iter().chain(&stage.requests);
        let figures = figures.find(|figures| figures.name == name);
        figures.map_or(0.0, |figures| figures.corrected.mean_ms / 1000.0)
    };
    let of_stage = || verdicts.iter().filter(|verdict| verdict.stage == asked);
    let cases: Vec<_> = if verdicts.is_empty() {
        let transactions = stage.transactions.iter();
        let case = |name: &str| context! { name, of => name, seconds => written(seconds(name)) };
        transactions.map(|figures| case(&figures.name)).collect()
    } else {
        of_stage().map(|one| case(one, seconds(&one.name))).collect()
    };
    context! { name => format!("{}, {asked}", results.workload.name), tests => cases.len(), failures => failed(of_stage()),
    seconds => written(stage.seconds), cases }
}

fn case(verdict: &Verdict, seconds: f64) -> minijinja::Value {
    let failure = (!verdict.kept).then(|| verdict.in_words());
    context! { name => &*verdict.threshold, of => &*verdict.name, seconds => written(seconds), failure }
}

fn written(seconds: f64) -> String {
    format!("{seconds:.6}")
}

#[cfg(test)]
mod tests {
    use super::{
        super::{sample, threshold},
        *,
    };

    fn of(thresholds: &[&str]) -> String {
        let parsed = thresholds.iter().map(|text| text.parse().expect("valid"));
        let results = sample::results();
        let verdicts = threshold::check(&results, &parsed.collect::<Vec<_>>());
        text(&results, &verdicts).expect("XML")
    }

    #[test]
    fn thresholds_are_cases() {
        insta::assert_snapshot!(of(&["Check-out p95<96ms", "errors<1%", "Renewal p95<1s"]));
    }

    #[test]
    fn without_thresholds_transactions_are_cases() {
        let text = of(&[]);
        assert!(text.contains("tests=\"2\" failures=\"0\""), "{text}");
        assert!(!text.contains("<failure"), "{text}");
    }
}
