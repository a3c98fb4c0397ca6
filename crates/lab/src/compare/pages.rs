//! The comparison as a document.

use super::{
    Comparison, Group, compare,
    figure::Figure,
    machine,
    outcome::{Compared, ComparedFigure, ComparedStage},
    statistics::{LEAST_MILLIS, LEAST_REPEATED, LEAST_SINGLE, Verdict},
};
use crate::document::{
    Block, Document, Section, number,
    table::{Cell, Mark, Table},
};

/// The figures in the table of requests.
const OF_REQUESTS: [(Figure, &str); 3] =
    [(Figure::Percentile(50), "p50"), (Figure::Percentile(75), "p75"), (Figure::Percentile(95), "p95")];

/// The caveat for single runs.
pub(crate) const SINGLE: &str = "Single runs are compared. A difference may be due to what else the machines did during one of \
    them; repeat each run three times or more (with one --label) to know.";

/// Compares all groups with the first one.
pub fn document(groups: &[Group]) -> Document {
    let Some((base, others)) = groups.split_first() else {
        return Document::default();
    };
    let comparisons: Vec<Comparison> = others.iter().map(|other| compare(base, other)).collect();
    let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
    let sections = [
        Section::of("Summary", summary(groups, &comparisons)),
        Section::of("Runs", vec![Block::Table(runs(groups))]),
        Section::of("Transactions", comparisons.iter().flat_map(transactions).collect()),
        Section::of("Requests", comparisons.iter().flat_map(requests).collect()),
        Section::of("How differences are judged", vec![Block::List(method())]),
    ];
    Document {
        title: format!("Comparison: {}", base.runs[0].workload.name),
        about: format!("{} runs: {}.", groups.iter().map(|group| group.runs.len()).sum::<usize>(), names.join(", ")),
        sections: sections.into_iter().flatten().collect(),
    }
}

fn summary(groups: &[Group], comparisons: &[Comparison]) -> Vec<Block> {
    let sentences = comparisons.iter().flat_map(sentences).collect();
    let mut warnings = machine::differences(groups);
    let missing = comparisons.iter().filter(|comparison| !comparison.missing.is_empty());
    warnings.extend(missing.map(|comparison| {
        let Comparison { before, after, missing, .. } = comparison;
        format!("Only one of {before} and {after} has {}, which is not compared.", missing.join(", "))
    }));
    vec![Block::List(sentences), Block::Warnings(warnings)]
}

/// The changes, in sentences.
pub fn sentences(comparison: &Comparison) -> Vec<String> {
    let stages = comparison.stages.iter();
    stages.flat_map(|stage| stage_sentences(comparison, stage)).collect()
}

/// The changes at the highest load common to both, in sentences.
pub(crate) fn last_sentences(comparison: &Comparison) -> Vec<String> {
    let last = comparison.stages.last();
    last.map_or_else(Vec::new, |stage| stage_sentences(comparison, stage))
}

fn stage_sentences(comparison: &Comparison, stage: &ComparedStage) -> Vec<String> {
    let transactions = stage.transactions.iter().filter_map(|one| {
        let average = one.figure(Figure::Average)?;
        Some(sentence(&one.name, average, &stage.asked, &comparison.before))
    });
    let mut sentences: Vec<String> = transactions.collect();
    sentences.extend(requests_sentence(comparison, stage));
    sentences
}

fn sentence(name: &str, average: &ComparedFigure, asked: &str, before: &str) -> String {
    let times = match (average.before, average.after) {
        (Some(before), Some(after)) => {
            format!(" (average {}, was {})", number::latency(after), number::latency(before))
        }
        _ => String::new(),
    };
    let by = average.ratio().map_or_else(String::new, |ratio| number::share((ratio - 1.0).abs()));
    let change = match average.verdict {
        Some(Verdict::Better) => format!("is {by} faster than"),
        Some(Verdict::Worse) => format!("is {by} slower than"),
        Some(Verdict::Stable) => "is as fast as".to_owned(),
        Some(Verdict::Unstable) => "varies too much to be called faster or slower than".to_owned(),
        None => "cannot be compared with".to_owned(),
    };
    format!("At {asked}, {name} {change} {before}{times}.")
}

fn requests_sentence(comparison: &Comparison, stage: &ComparedStage) -> Option<String> {
    let count = |verdict| stage.requests.iter().filter(|one| one.verdict == verdict).count();
    let names = |verdict| {
        let named = stage.requests.iter().filter(|one| one.verdict == verdict);
        let named: Vec<&str> = named.map(|one| one.name.as_str()).take(3).collect();
        let more = count(verdict).saturating_sub(named.len());
        match (named.is_empty(), more) {
            (true, _) => String::new(),
            (false, 0) => format!(" ({})", named.join(", ")),
            (false, more) => format!(" ({} and {more} more)", named.join(", ")),
        }
    };
    let all = [Verdict::Better, Verdict::Worse, Verdict::Stable, Verdict::Unstable];
    let some = all.iter().filter(|verdict| count(**verdict) > 0);
    let verdicts = some.map(|verdict| {
        // Names of stable ones are not listed.
        let named = if *verdict == Verdict::Stable { String::new() } else { names(*verdict) };
        format!("{} {}{named}", count(*verdict), word(*verdict))
    });
    let verdicts: Vec<String> = verdicts.collect();
    (!stage.requests.is_empty()).then(|| {
        let (requests, before) = (stage.requests.len(), &comparison.before);
        format!("Of {requests} requests at {}, compared with {before}: {}.", stage.asked, verdicts.join(", "))
    })
}

fn runs(groups: &[Group]) -> Table {
    let columns = ["Name", "Run", "Began (UTC)", "Product", "Commit", "Loads"];
    let mut table = Table::new("Runs that are compared", &columns);
    for group in groups {
        for run in &group.runs {
            let loads: Vec<String> = run.stages.iter().map(crate::results::model::Stage::asked).collect();
            let or_none = |text: &Option<String>| text.clone().map_or_else(Cell::none, Cell::text);
            table.row(vec![
                Cell::text(&group.name),
                Cell::text(&run.run.id),
                Cell::text(run.run.began.strftime("%Y-%m-%d %H:%M").to_string()),
                or_none(&run.target.product),
                or_none(&run.environment.commit.as_ref().map(|commit| commit.chars().take(10).collect())),
                Cell::text(loads.join(", ")),
            ]);
        }
    }
    table
}

fn transactions(comparison: &Comparison) -> Vec<Block> {
    let tables = comparison.stages.iter().map(|stage| {
        let caption =
            format!("Transactions at {}: {} compared with {}", stage.asked, comparison.after, comparison.before);
        let mut table = Table::new(caption, &["Transaction", "Figure"]);
        table.numbers(&[&comparison.before, &comparison.after, "Difference"], None);
        table.columns.extend(Table::new("", &["Verdict"]).columns);
        for one in &stage.transactions {
            one.figures.iter().for_each(|figure| table.row(figure_row(one, figure)));
        }
        Block::Table(table)
    });
    tables.collect()
}

fn figure_row(one: &Compared, compared: &ComparedFigure) -> Vec<Cell> {
    let value = |value: Option<f64>| value.map_or_else(Cell::none, |value| Cell::text(compared.figure.write(value)));
    let verdict = compared.verdict.map_or_else(|| Cell::text("not judged"), |verdict| marked(word(verdict), verdict));
    vec![
        Cell::text(&one.name),
        Cell::text(compared.figure.name()),
        value(compared.before),
        value(compared.after),
        Cell::text(difference(compared)),
        verdict,
    ]
}

fn difference(compared: &ComparedFigure) -> String {
    match (compared.figure, compared.before, compared.after) {
        (Figure::Errors, Some(before), Some(after)) => {
            let points = number::number((after - before) * 100.0, 2);
            format!("{}{points} points", if after > before { "+" } else { "" })
        }
        _ => compared.ratio().map_or_else(|| "—".to_owned(), number::change),
    }
}

fn requests(comparison: &Comparison) -> Vec<Block> {
    let tables = comparison.stages.iter().map(|stage| {
        let caption =
            format!("Requests at {}, ms: {} compared with {}", stage.asked, comparison.after, comparison.before);
        let mut table = Table::new(caption, &["Request", "Verdict"]);
        let names = OF_REQUESTS.map(|(_, name)| name);
        table.numbers(&names, Some(&comparison.before));
        table.numbers(&names, Some(&comparison.after));
        table.number("Failed", Some(&comparison.before));
        table.number("Failed", Some(&comparison.after));
        stage.requests.iter().for_each(|one| table.row(request_row(one)));
        Block::Table(table)
    });
    tables.collect()
}

fn request_row(one: &Compared) -> Vec<Cell> {
    let figures = || OF_REQUESTS.iter().filter_map(|(figure, _)| one.figure(*figure));
    let value =
        |figure: Figure, value: Option<f64>| value.map_or_else(Cell::none, |value| Cell::text(figure.write(value)));
    let mut row = vec![Cell::text(&one.name), marked(word(one.verdict), one.verdict)];
    row.extend(figures().map(|compared| value(compared.figure, compared.before)));
    row.extend(figures().map(|compared| {
        let after = value(compared.figure, compared.after).text;
        let cell = format!("{after} ({})", difference(compared));
        compared.verdict.map_or_else(|| Cell::text(&cell), |verdict| marked(&cell, verdict))
    }));
    if let Some(errors) = one.figure(Figure::Errors) {
        row.extend([value(Figure::Errors, errors.before), value(Figure::Errors, errors.after)]);
    }
    row
}

fn marked(text: &str, verdict: Verdict) -> Cell {
    let mark = match verdict {
        Verdict::Better => Mark::Better,
        Verdict::Worse => Mark::Worse,
        Verdict::Stable => Mark::Stable,
        Verdict::Unstable => Mark::Unstable,
    };
    Cell::text(text).marked(mark)
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Stable => "stable",
        Verdict::Unstable => "unstable",
    }
}

/// Explains the verdicts.
pub fn method() -> Vec<String> {
    let [repeated, single] = [LEAST_REPEATED, LEAST_SINGLE].map(number::share);
    let [twice_repeated, twice_single] = [2.0 * LEAST_REPEATED, 2.0 * LEAST_SINGLE].map(number::share);
    vec![
        "For each figure, an interval is computed that holds the true ratio of after to before with 99 % confidence."
            .to_owned(),
        format!(
            "Runs with the same label, or the same commit, are repetitions. The interval is then Welch's t interval of \
             the logarithms of the runs' figures (for a single run against repeated ones, their prediction interval), \
             and the least difference that counts is {repeated}."
        ),
        format!(
            "Of single runs on both sides, a percentile has the interval between two order statistics whose ranks the \
             binomial distribution gives, a mean the normal one, a rate the Poisson one, each at least as wide as the \
             median wavered between ten pieces of the run. The least difference that counts is {single}. What varies \
             from run to run is not in it."
        ),
        format!(
            "Better or worse: the interval does not hold 1, and the difference is at least the least one. Stable: the \
             interval stays within ±{twice_repeated} (single runs: ±{twice_single}). Unstable: neither; the figure \
             varies too much, or there is too little of it. A latency that changed by less than {LEAST_MILLIS} ms is \
             stable."
        ),
        "A request is judged by its 50th, 75th and 95th percentile and its errors (99 % Wilson intervals that do not \
         meet). If these contradict each other it is unstable. The longest latency is one value of all and is not \
         judged."
            .to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        compare::group::groups,
        document::markdown,
        results::{model::Results, sample},
    };

    fn run(label: &str, slower: u64) -> Results {
        let latency = || sample::latencies((0..4_000).map(|at| (40 + at % 20) * slower / 100));
        let mut results = sample::results();
        results.run.label = Some(label.to_owned());
        let path = Some(("GET", "/users"));
        results.stages = vec![sample::stage(
            20,
            vec![sample::figures("Check-in", None, latency())],
            vec![sample::figures("GET users", path, latency())],
        )];
        results
    }

    #[test]
    fn a_comparison_in_markdown() {
        let mut after = run("after", 125);
        after.environment.cores = Some(4);
        let document = document(&groups(vec![run("before", 100), after]));
        insta::assert_snapshot!(markdown::render(&document));
    }

    #[test]
    fn several_are_compared_with_the_first() {
        let document = document(&groups(vec![run("a", 100), run("b", 100), run("c", 70)]));
        let text = markdown::render(&document);
        assert!(text.contains("Check-in is as fast as a "), "{text}");
        assert!(text.contains("Check-in is 31 % faster than a "), "{text}");
    }
}
